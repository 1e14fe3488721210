//! Partitions: how tables are divided, to any depth, and what a table is a partition of itself.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;

use super::bounds::{Bound, Edge, key_parts, key_texts, split};
use super::cover::{hash_cover, list_cover, range_cover, time_cover};
use super::moment::moment;
use super::rows::{AncestorRow, ColumnRow, HeirRow, TableRow};
use crate::schema::{Membership, Partition, PartitionCover, Partitioning, Takes};

/// How deep partitions are looked at. Nobody nests deeper, and a walk must end.
const LEVELS: usize = 16;

/// Reads how a table is divided; nothing if it is not.
pub(super) fn partitioning(table: &TableRow, now: NaiveDateTime) -> Option<Partitioning> {
    let node = Node {
        strategy: table.partition_strategy.as_deref()?,
        key: table.partition_key.as_deref().unwrap_or_default(),
        key_type: table.partition_type.as_deref(),
    };
    let mut children: BTreeMap<i64, Vec<&HeirRow>> = BTreeMap::new();
    for heir in &table.heirs {
        children.entry(heir.parent).or_default().push(heir);
    }
    let mut tree = Tree { children, table, now };
    Some(tree.divided(table.oid, &node, 0))
}

/// Reads what a table is a partition of; nothing if it is none.
pub(super) fn membership(table: &TableRow, now: NaiveDateTime) -> Option<Membership> {
    let parent = table.ancestors.first()?.parent.clone();
    let levels = table.ancestors.iter().map(|row| level(row, table, now)).collect();
    Some(Membership { parent, levels })
}

fn level(row: &AncestorRow, table: &TableRow, now: NaiveDateTime) -> Partitioning {
    let node = Node {
        strategy: &row.partition_strategy,
        key: &row.partition_key,
        key_type: row.partition_type.as_deref(),
    };
    let bound = Bound::parse(row.bound.as_deref().unwrap_or_default());
    let mut only = node.partitioning(&[(&row.name, row.bound.as_deref(), bound.clone())], table, now);
    if bound == Bound::Default {
        // Alone, a default partition would take everything; it refuses what its siblings take.
        only.cover = match node.is_time(&[]) {
            true => PartitionCover::Unknown,
            false => PartitionCover::Gaps("those that its siblings take".to_owned()),
        };
        only.partitions[0].takes = row
            .condition
            .clone()
            .map_or(Takes::Unknown, |condition| Takes::Rows { condition, now: None });
    } else if only
        .partitions
        .iter()
        .any(|p| matches!(p.takes, Takes::Rows { now: Some(false), .. }))
    {
        only.cover = PartitionCover::RefusesNow("those of the present".to_owned());
    }
    only
}

/// The partitions of a table by their parents. Each is taken out once, so that a walk ends whatever the rows say.
struct Tree<'a> {
    children: BTreeMap<i64, Vec<&'a HeirRow>>,
    table: &'a TableRow,
    now: NaiveDateTime,
}

impl Tree<'_> {
    fn divided(&mut self, oid: i64, node: &Node<'_>, depth: usize) -> Partitioning {
        let mut rows: Vec<(&HeirRow, Bound)> = self
            .children
            .remove(&oid)
            .unwrap_or_default()
            .into_iter()
            .map(|heir| (heir, Bound::parse(heir.bound.as_deref().unwrap_or_default())))
            .collect();
        rows.sort_by_cached_key(|(heir, bound)| (bound.order(), heir.name.clone()));
        let parts: Vec<(&str, Option<&str>, Bound)> = rows
            .iter()
            .map(|(heir, bound)| (heir.name.as_str(), heir.bound.as_deref(), bound.clone()))
            .collect();
        let mut found = node.partitioning(&parts, self.table, self.now);
        for (partition, (heir, _)) in found.partitions.iter_mut().zip(&rows) {
            if depth < LEVELS
                && let Some(node) = Node::of(heir)
            {
                partition.divided = Some(Box::new(self.divided(heir.oid, &node, depth + 1)));
            }
        }
        found
    }
}

/// A divided table: the wanted one, a partition of it, or one that it is a partition of.
struct Node<'a> {
    strategy: &'a str,
    /// The key as the server prints it: `RANGE ("ProcessedOnUtc")`.
    key: &'a str,
    /// The type of its first part, if that is a column.
    key_type: Option<&'a str>,
}

impl<'a> Node<'a> {
    fn of(heir: &'a HeirRow) -> Option<Self> {
        Some(Self {
            strategy: heir.partition_strategy.as_deref()?,
            key: heir.partition_key.as_deref().unwrap_or_default(),
            key_type: heir.partition_type.as_deref(),
        })
    }

    fn partitioning(
        &self,
        parts: &[(&str, Option<&str>, Bound)],
        table: &TableRow,
        now: NaiveDateTime,
    ) -> Partitioning {
        let bounds: Vec<&Bound> = parts.iter().map(|(.., bound)| bound).collect();
        let key = key_parts(self.key);
        let by_time = self.strategy == "r" && self.is_time(&bounds);
        let present = match (&key[..], self.key_type) {
            ([first, ..], _) if by_time => moment(first, &times(table), now),
            _ => None,
        };
        Partitioning {
            strategy: match self.strategy {
                "r" => "range",
                "l" => "list",
                "h" => "hash",
                other => other,
            }
            .to_owned(),
            cover: match present {
                _ if bounds.is_empty() => PartitionCover::RefusesNow("there is none".to_owned()),
                Some(present) => time_cover(&bounds, present),
                None if bounds.contains(&&Bound::Default) => PartitionCover::Complete,
                None if by_time => PartitionCover::Unknown,
                None => match self.strategy {
                    "r" => range_cover(&bounds),
                    "h" => hash_cover(&bounds),
                    _ => list_cover(&bounds, values(&key, table).as_deref()),
                },
            },
            partitions: parts
                .iter()
                .map(|(name, text, bound)| Partition {
                    name: (*name).to_owned(),
                    bound: text.unwrap_or_default().to_owned(),
                    takes: self.takes(bound, present),
                    divided: None,
                })
                .collect(),
            key,
        }
    }

    /// Returns whether the bounds are points in time. What an expression gives is seen in them alone.
    fn is_time(&self, bounds: &[&Bound]) -> bool {
        match self.key_type {
            Some(name) => name.starts_with("timestamp") || name == "date",
            None => has_times(bounds),
        }
    }

    fn takes(&self, bound: &Bound, present: Option<NaiveDateTime>) -> Takes {
        let key = key_texts(self.key);
        let [first, ..] = key[..] else { return Takes::Unknown };
        match bound {
            Bound::Default => Takes::Rest,
            Bound::Hash { .. } => Takes::Share,
            Bound::List(list) => Takes::Rows {
                condition: self.listed(first, list),
                now: None,
            },
            Bound::Range { from, to } => Takes::Rows {
                condition: self.between(&key, from.first(), to.first()),
                now: present.map(|now| {
                    let now = Edge::Time(now);
                    from.first().is_some_and(|from| *from <= now) && to.first().is_some_and(|to| now < *to)
                }),
            },
            Bound::Unread => Takes::Unknown,
        }
    }

    /// Writes the condition of a list: the rows with one of its values, or without any if it lists NULL.
    fn listed(&self, key: &str, list: &str) -> String {
        let (nulls, values): (Vec<&str>, Vec<&str>) = split(list).into_iter().partition(|item| *item == "NULL");
        let values: Vec<&str> = values.into_iter().map(|value| self.value(value)).collect();
        match (nulls.is_empty(), values.is_empty()) {
            (_, true) => format!("{key} IS NULL"),
            (true, _) => format!("{key} IS NOT NULL AND {key} IN ({})", values.join(", ")),
            (false, _) => format!("{key} IS NULL OR {key} IN ({})", values.join(", ")),
        }
    }

    /// Writes the condition of a range, as far as the first part of the key decides. No range takes a row without a value.
    fn between(&self, key: &[&str], from: Option<&Edge>, to: Option<&Edge>) -> String {
        let first = key.first().copied().unwrap_or_default();
        let mut conditions: Vec<String> = key.iter().map(|part| format!("{part} IS NOT NULL")).collect();
        if let Some(Edge::Value(from)) = from {
            conditions.push(format!("{first} >= {}", self.constant(from)));
        }
        if let Some(Edge::Value(to)) = to {
            // Rows just at the end may be taken if there are further parts.
            let below = if key.len() == 1 { "<" } else { "<=" };
            conditions.push(format!("{first} {below} {}", self.constant(to)));
        }
        conditions.join(" AND ")
    }

    /// Returns a value without the quotes that the server puts around numbers below zero.
    fn value<'v>(&self, value: &'v str) -> &'v str {
        if self.is_number() {
            value.trim_matches('\'')
        } else {
            value
        }
    }

    fn constant(&self, value: &str) -> String {
        if self.is_number() {
            value.to_owned()
        } else {
            format!("'{value}'")
        }
    }

    fn is_number(&self) -> bool {
        let numbers = ["smallint", "integer", "bigint", "numeric", "real", "double precision"];
        self.key_type
            .is_some_and(|ty| numbers.iter().any(|number| ty.starts_with(number)))
    }
}

/// Returns whether some bound is a time, and none is a value of another kind.
fn has_times(bounds: &[&Bound]) -> bool {
    let edges = || {
        bounds.iter().flat_map(|bound| match bound {
            Bound::Range { from, to } => vec![from.first(), to.first()],
            _ => Vec::new(),
        })
    };
    let is_time = |edge: Option<&Edge>| matches!(edge, Some(Edge::Time(_)));
    edges().any(is_time) && !edges().any(|edge| matches!(edge, None | Some(Edge::Value(_))))
}

/// Returns the columns that are points in time.
fn times(table: &TableRow) -> Vec<&str> {
    let is_time = |c: &&ColumnRow| c.ty.starts_with("timestamp") || c.ty == "date";
    table.columns.iter().filter(is_time).map(|c| c.name.as_str()).collect()
}

/// Returns the only values that the first column of the key can have, in quotes where the server prints them so.
fn values(key: &[String], table: &TableRow) -> Option<Vec<String>> {
    let column = table.columns.iter().find(|c| Some(&c.name) == key.first())?;
    match &column.labels {
        Some(labels) => Some(labels.iter().map(|l| format!("'{}'", l.replace('\'', "''"))).collect()),
        None if column.ty == "boolean" => Some(vec!["true".to_owned(), "false".to_owned()]),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::read_time;
    use super::*;

    fn now() -> NaiveDateTime {
        read_time("2026-07-15 12:00:00").unwrap()
    }

    fn heir(oid: i64, parent: i64, bound: &str) -> HeirRow {
        HeirRow {
            oid,
            parent,
            namespace: "public".to_owned(),
            name: format!("p{oid}"),
            persistence: "p".to_owned(),
            bound: Some(bound.to_owned()),
            partition_strategy: None,
            partition_key: None,
            partition_type: None,
            unique_keys: Vec::new(),
        }
    }

    fn divided_again(heir: HeirRow, strategy: &str, key: &str, ty: &str) -> HeirRow {
        HeirRow {
            partition_strategy: Some(strategy.to_owned()),
            partition_key: Some(key.to_owned()),
            partition_type: Some(ty.to_owned()),
            ..heir
        }
    }

    /// A table with the columns `at` and `flag`.
    fn table(strategy: &str, key: &str, key_type: Option<&str>, heirs: Vec<HeirRow>) -> TableRow {
        let column = |name: &str, ty: &str| {
            serde_json::json!({
                "name": name, "type": ty, "not_null": false, "default": null, "generated": null, "generation": null,
                "identity": null, "owns_sequence": false, "collation": 0, "type_collation": 0, "domains": null,
                "labels": null
            })
        };
        let mut row: TableRow = serde_json::from_value(serde_json::json!({
            "oid": 1, "name": "t", "kind": "p", "persistence": "p", "owner": "o", "row_security": false,
            "row_security_forced": false, "partition_strategy": strategy, "partition_key": key,
            "partition_type": key_type, "insertable": null, "reads": null,
            "columns": [column("at", ZONED), column("flag", "boolean")], "constraints": null, "indexes": null,
            "triggers": null, "rules": null, "policies": null, "heirs": null, "ancestors": null,
            "partition_not_nulls": null
        }))
        .unwrap();
        row.heirs = heirs;
        row
    }

    fn divided(strategy: &str, key: &str, key_type: Option<&str>, bounds: &[&str]) -> Partitioning {
        let heirs = (2_i64..).zip(bounds).map(|(oid, bound)| heir(oid, 1, bound)).collect();
        partitioning(&table(strategy, key, key_type, heirs), now()).unwrap()
    }

    /// How the partitions of a column `at` cover its values.
    fn cover(strategy: &str, key_type: &str, bounds: &[&str]) -> PartitionCover {
        divided(strategy, "X (at)", Some(key_type), bounds).cover
    }

    fn conditions(divided: &Partitioning) -> Vec<&str> {
        let partitions = divided.partitions.iter();
        partitions
            .map(|partition| match &partition.takes {
                Takes::Rest => "rest",
                Takes::Share => "share",
                Takes::Unknown => "unknown",
                Takes::Rows { condition, .. } => condition,
            })
            .collect()
    }

    const JUNE: &str = "FOR VALUES FROM ('2026-06-01 00:00:00+00') TO ('2026-07-01 00:00:00+00')";
    const JULY: &str = "FOR VALUES FROM ('2026-07-01 00:00:00+00') TO ('2026-08-01 00:00:00+00')";
    const OCTOBER: &str = "FOR VALUES FROM ('2026-10-01 00:00:00+00') TO ('2026-11-01 00:00:00+00')";
    const ZONED: &str = "timestamp with time zone";

    #[test]
    fn a_table_without_a_partition_for_the_present_refuses_rows() {
        assert!(matches!(cover("r", ZONED, &[]), PartitionCover::RefusesNow(_)));
        match cover("r", ZONED, &[JUNE]) {
            PartitionCover::RefusesNow(why) => assert!(why.contains("2026-07-01 00:00:00 UTC"), "{why}"),
            other => panic!("{other:?}"),
        }
        assert!(matches!(
            cover("r", ZONED, &[JUNE, OCTOBER]),
            PartitionCover::RefusesNow(_)
        ));
    }

    #[test]
    fn a_partition_for_the_present_leaves_gaps_around_it() {
        assert_eq!(
            cover("r", ZONED, &[JULY, JUNE, OCTOBER]),
            PartitionCover::OtherTimes(
                "those dated before 2026-06-01 00:00:00 UTC or from 2026-08-01 00:00:00 UTC on".to_owned()
            )
        );
        let open = [
            "FOR VALUES FROM (MINVALUE) TO ('2026-07-01')",
            "FOR VALUES FROM ('2026-07-01') TO (MAXVALUE)",
        ];
        assert_eq!(cover("r", "date", &open), PartitionCover::Complete);
        let until_forever = ["FOR VALUES FROM ('-infinity') TO ('infinity')"];
        assert_eq!(cover("r", ZONED, &until_forever), PartitionCover::Complete);
    }

    #[test]
    fn a_default_partition_takes_the_rest() {
        for strategy in ["r", "l"] {
            assert_eq!(cover(strategy, ZONED, &["DEFAULT"]), PartitionCover::Complete);
        }
        let both = divided("r", "RANGE (at)", Some(ZONED), &["DEFAULT", JUNE]);
        assert_eq!(both.cover, PartitionCover::Complete);
        assert_eq!(conditions(&both), ["at IS NOT NULL", "rest"]);
    }

    #[test]
    fn hash_partitions_are_complete_when_their_shares_add_up() {
        let part = |m: u64, r: u64| format!("FOR VALUES WITH (modulus {m}, remainder {r})");
        let uneven = [part(2, 0), part(4, 1), part(4, 3)];
        let uneven: Vec<&str> = uneven.iter().map(String::as_str).collect();
        assert_eq!(cover("h", "uuid", &uneven), PartitionCover::Complete);
        match cover("h", "uuid", &uneven[..2]) {
            PartitionCover::RefusesNow(why) => assert!(why.contains("1 of 4"), "{why}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lists_and_other_ranges_are_judged_by_their_ends() {
        assert!(matches!(
            cover("l", "text", &["FOR VALUES IN ('a', 'b')"]),
            PartitionCover::Gaps(_)
        ));
        let chain = [
            "FOR VALUES FROM (100) TO (MAXVALUE)",
            "FOR VALUES FROM (MINVALUE) TO (100)",
        ];
        assert_eq!(cover("r", "integer", &chain), PartitionCover::Complete);
        assert!(matches!(cover("r", "integer", &chain[1..]), PartitionCover::Gaps(_)));
        assert_eq!(cover("r", ZONED, &["something new"]), PartitionCover::Unknown);
    }

    #[test]
    fn bounds_are_conditions_of_rows() {
        for (strategy, key, ty, bound, expected) in [
            (
                "l",
                "LIST (at)",
                "text",
                "IN ('a', 'b')",
                "at IS NOT NULL AND at IN ('a', 'b')",
            ),
            (
                "l",
                "LIST (at)",
                "text",
                "IN ('it''s', NULL)",
                "at IS NULL OR at IN ('it''s')",
            ),
            ("l", "LIST (at)", "text", "IN (NULL)", "at IS NULL"),
            (
                "l",
                "LIST (at)",
                "integer",
                "IN (1, '-2')",
                "at IS NOT NULL AND at IN (1, -2)",
            ),
            (
                "l",
                "LIST (lower(at))",
                "text",
                "IN ('a')",
                "lower(at) IS NOT NULL AND lower(at) IN ('a')",
            ),
            (
                "r",
                "RANGE (at)",
                "integer",
                "FROM ('-5') TO (9)",
                "at IS NOT NULL AND at >= -5 AND at < 9",
            ),
            (
                "r",
                "RANGE (at)",
                "integer",
                "FROM (MINVALUE) TO (9)",
                "at IS NOT NULL AND at < 9",
            ),
            (
                "r",
                "RANGE (at)",
                "text",
                "FROM ('a') TO ('b')",
                "at IS NOT NULL AND at >= 'a' AND at < 'b'",
            ),
            (
                "r",
                "RANGE (at, flag)",
                "integer",
                "FROM (1, true) TO (9, true)",
                "at IS NOT NULL AND flag IS NOT NULL AND at >= 1 AND at <= 9",
            ),
            ("h", "HASH (at)", "uuid", "WITH (modulus 2, remainder 0)", "share"),
        ] {
            let divided = divided(strategy, key, Some(ty), &[&format!("FOR VALUES {bound}")]);
            assert_eq!(conditions(&divided), [expected], "{key} {bound}");
        }
    }

    #[test]
    fn a_partition_that_is_divided_again_is_read_too() {
        let july = divided_again(heir(2, 1, JULY), "h", "HASH (id)", "uuid");
        let rows = vec![
            july,
            heir(3, 1, "DEFAULT"),
            heir(4, 2, "FOR VALUES WITH (modulus 2, remainder 0)"),
        ];
        let divided = partitioning(&table("r", "RANGE (at)", Some(ZONED), rows), now()).unwrap();
        let [july, rest] = &divided.partitions[..] else {
            panic!("{divided:?}")
        };
        assert!(matches!(july.takes, Takes::Rows { now: Some(true), .. }));
        assert_eq!((&rest.takes, &rest.divided), (&Takes::Rest, &None));
        let inner = july.divided.as_ref().unwrap();
        assert!(matches!(inner.cover, PartitionCover::RefusesNow(_)));
        assert_eq!(
            (inner.strategy.as_str(), &inner.key[..]),
            ("hash", &["id".to_owned()][..])
        );
    }

    #[test]
    fn a_list_of_all_values_of_the_type_is_complete() {
        let of = |bounds: &[&str]| divided("l", "LIST (flag)", Some("boolean"), bounds).cover;
        assert_eq!(
            of(&["FOR VALUES IN (true)", "FOR VALUES IN (false)"]),
            PartitionCover::Complete
        );
        assert!(matches!(of(&["FOR VALUES IN (true)"]), PartitionCover::Gaps(_)));
    }

    #[test]
    fn an_expression_is_not_known_unless_it_can_be_computed() {
        let over = |key: &str, bound: &str| divided("r", key, None, &[bound]).cover;
        let month = "RANGE (date_trunc('month'::text, (at AT TIME ZONE 'UTC'::text)))";
        assert!(matches!(over(month, JUNE), PartitionCover::RefusesNow(_)));
        assert!(matches!(over(month, JULY), PartitionCover::OtherTimes(_)));
        // The first of the month is not in it, though the present is.
        let middle = "FOR VALUES FROM ('2026-07-10 00:00:00') TO ('2026-08-10 00:00:00')";
        assert!(matches!(over(month, middle), PartitionCover::RefusesNow(_)));
        for bound in [JUNE, JULY] {
            let late = over("RANGE ((at - '1 mon'::interval))", bound);
            assert_eq!(late, PartitionCover::Unknown, "{bound}");
        }
        assert!(matches!(
            over("RANGE (f(at))", "FOR VALUES FROM (1) TO (9)"),
            PartitionCover::Gaps(_)
        ));
    }

    #[test]
    fn whatever_numbers_the_bounds_have_nothing_overflows() {
        let part = |m: u64, r: u64| format!("FOR VALUES WITH (modulus {m}, remainder {r})");
        for parts in [
            vec![part(u64::MAX, u64::MAX)],
            vec![part(u64::MAX, 0), part(1, 0), part(1, 0), part(1, 0)],
            vec![part(0, 0), part(3, 1)],
            vec![part(2, 0), part(3, 1)],
        ] {
            let bounds: Vec<&str> = parts.iter().map(String::as_str).collect();
            assert_ne!(cover("h", "uuid", &bounds), PartitionCover::Complete, "{parts:?}");
        }
        for bound in [
            "FOR VALUES FROM ('-262144-01-01') TO ('262143-12-31 23:59:60')",
            "FOR VALUES FROM () TO ()",
            "FOR VALUES FROM (')'')') TO ('",
        ] {
            for (strategy, key_type) in [("r", ZONED), ("r", "integer"), ("l", "text"), ("h", "uuid")] {
                assert_ne!(cover(strategy, key_type, &[bound]), PartitionCover::Complete, "{bound}");
            }
        }
    }

    #[test]
    fn a_table_that_is_a_partition_takes_what_is_within_its_bounds() {
        let member = |strategy: &str, ty: &str, bound: &str, condition: Option<&str>| {
            let mut row = table("r", "", None, Vec::new());
            row.ancestors = vec![AncestorRow {
                name: "t".to_owned(),
                bound: Some(bound.to_owned()),
                condition: condition.map(str::to_owned),
                parent: "whole".to_owned(),
                partition_strategy: strategy.to_owned(),
                partition_key: "X (at)".to_owned(),
                partition_type: Some(ty.to_owned()),
            }];
            let membership = membership(&row, now()).unwrap();
            assert_eq!(membership.parent, "whole");
            membership.levels.into_iter().next().unwrap()
        };
        for bound in [JUNE, OCTOBER] {
            assert!(matches!(
                member("r", ZONED, bound, None).cover,
                PartitionCover::RefusesNow(_)
            ));
        }
        assert!(matches!(
            member("r", ZONED, JULY, None).cover,
            PartitionCover::OtherTimes(_)
        ));
        let share = member("h", "uuid", "FOR VALUES WITH (modulus 4, remainder 3)", None);
        assert_eq!(
            share.cover,
            PartitionCover::RefusesNow("those of 3 of 4 shares of the hash".to_owned())
        );
        let rest = member("l", "text", "DEFAULT", Some("at <> 'a'"));
        assert!(matches!(rest.cover, PartitionCover::Gaps(_)));
        assert_eq!(conditions(&rest), ["at <> 'a'"]);
        assert_eq!(member("r", ZONED, "DEFAULT", Some("x")).cover, PartitionCover::Unknown);
        assert_eq!(membership(&table("r", "", None, Vec::new()), now()), None);
    }
}
