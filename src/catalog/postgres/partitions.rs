//! Partitions, and whether every new row finds one.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDateTime;

use super::bounds::{Bound, Edge, key_parts};
use super::rows::{HeirRow, TableRow};
use crate::schema::{Partition, PartitionCover, Partitioning};

/// Reads how a table is divided; nothing if it is not.
pub(super) fn partitioning(table: &TableRow, now: NaiveDateTime) -> Option<Partitioning> {
    let strategy = table.partition_strategy.as_deref()?;
    let mut rows: Vec<&HeirRow> = table.heirs.iter().filter(|h| h.parent == table.oid).collect();
    rows.sort_by_cached_key(|h| (Bound::parse(h).order(), h.name.clone()));
    let node = Node {
        oid: table.oid,
        strategy,
        key_type: table.partition_type.as_deref(),
    };
    let key = key_parts(table.partition_key.as_deref().unwrap_or_default());
    let cover = match node.cover(&descendants(table), now) {
        PartitionCover::Complete if strategy == "r" => null_cover(&key, &rows, table),
        cover => cover,
    };
    Some(Partitioning {
        strategy: match strategy {
            "r" => "range",
            "l" => "list",
            "h" => "hash",
            other => other,
        }
        .to_owned(),
        key,
        partitions: rows
            .iter()
            .map(|h| Partition {
                name: h.name.clone(),
                bound: h.bound.clone().unwrap_or_default(),
            })
            .collect(),
        cover,
    })
}

/// No range takes a row without a value, whatever its ends.
fn null_cover(key: &[String], rows: &[&HeirRow], table: &TableRow) -> PartitionCover {
    let takes_null = |name: &&String| {
        let mut column = table.columns.iter().filter(|c| c.name == **name);
        column.any(|c| !c.not_null && !c.domains.iter().any(|domain| domain.not_null))
    };
    match key.iter().find(takes_null) {
        Some(name) if !rows.iter().any(|h| Bound::parse(h) == Bound::Default) => {
            PartitionCover::Gaps(format!("rows without `{name}` find no partition"))
        }
        _ => PartitionCover::Complete,
    }
}

/// How deep partitions are looked at. Nobody nests deeper, and a walk must end.
const LEVELS: usize = 16;

/// Returns the partitions of a table, parents first, each one once whatever the rows say.
fn descendants(table: &TableRow) -> Vec<HeirRow> {
    let mut children: BTreeMap<i64, Vec<&HeirRow>> = BTreeMap::new();
    for heir in &table.heirs {
        children.entry(heir.parent).or_default().push(heir);
    }
    let mut seen = BTreeSet::from([table.oid]);
    let mut level = vec![table.oid];
    let mut found = Vec::new();
    for _ in 0..LEVELS {
        let next = level.iter().filter_map(|oid| children.remove(oid)).flatten();
        let fresh: Vec<HeirRow> = next.filter(|heir| seen.insert(heir.oid)).cloned().collect();
        level = fresh.iter().map(|heir| heir.oid).collect();
        found.extend(fresh);
    }
    found
}

/// A divided table: the wanted one, or a partition that is divided again.
struct Node<'a> {
    oid: i64,
    strategy: &'a str,
    key_type: Option<&'a str>,
}

impl<'a> Node<'a> {
    fn of(heir: &'a HeirRow) -> Option<Self> {
        Some(Self {
            oid: heir.oid,
            strategy: heir.partition_strategy.as_deref()?,
            key_type: heir.partition_type.as_deref(),
        })
    }

    /// Decides whether every new row finds a partition.
    fn cover(&self, heirs: &[HeirRow], now: NaiveDateTime) -> PartitionCover {
        let parts: Vec<(&HeirRow, Bound)> = heirs
            .iter()
            .filter(|h| h.parent == self.oid)
            .map(|h| (h, Bound::parse(h)))
            .collect();
        if parts.is_empty() {
            return PartitionCover::RefusesNow("there is none".to_owned());
        }
        let is_time = self.key_type.is_some_and(|t| t.starts_with("timestamp") || t == "date");
        if self.strategy == "r" && is_time {
            return time_cover(&parts, heirs, now);
        }
        let own = if parts.iter().any(|(_, bound)| *bound == Bound::Default) {
            PartitionCover::Complete
        } else {
            match self.strategy {
                "r" => range_cover(&parts),
                "h" => hash_cover(&parts),
                _ => list_cover(&parts),
            }
        };
        parts
            .iter()
            .fold(own, |cover, (heir, _)| worse(cover, heir, heirs, now))
    }
}

/// Takes in what a partition that is divided itself refuses, where that is worse.
fn worse(cover: PartitionCover, heir: &HeirRow, heirs: &[HeirRow], now: NaiveDateTime) -> PartitionCover {
    let rank = |cover: &PartitionCover| match cover {
        PartitionCover::Complete => 0,
        PartitionCover::OtherTimes(_) => 1,
        PartitionCover::Unknown => 2,
        PartitionCover::Gaps(_) => 3,
        PartitionCover::RefusesNow(_) => 4,
    };
    let Some(node) = Node::of(heir) else { return cover };
    let inner = match node.cover(heirs, now) {
        // Rows for other partitions are taken.
        PartitionCover::RefusesNow(why) | PartitionCover::Gaps(why) => {
            PartitionCover::Gaps(format!("partition {}: {why}", heir.name))
        }
        PartitionCover::OtherTimes(why) => PartitionCover::OtherTimes(format!("partition {}: {why}", heir.name)),
        cover @ (PartitionCover::Complete | PartitionCover::Unknown) => cover,
    };
    if rank(&inner) > rank(&cover) { inner } else { cover }
}

/// A table divided by time must have a partition for the present.
fn time_cover(parts: &[(&HeirRow, Bound)], heirs: &[HeirRow], now: NaiveDateTime) -> PartitionCover {
    let present = Edge::Time(now);
    let mut ranges: Vec<(&HeirRow, &Edge, &Edge)> = Vec::new();
    let mut default = None;
    for (heir, bound) in parts {
        match bound {
            Bound::Default => default = Some(*heir),
            Bound::Range { from, to } => match (from.first(), to.first()) {
                (Some(from), Some(to)) if !matches!((from, to), (Edge::Value(_), _) | (_, Edge::Value(_))) => {
                    ranges.push((heir, from, to));
                }
                _ => return PartitionCover::Unknown,
            },
            _ => return PartitionCover::Unknown,
        }
    }
    ranges.sort_by_key(|(_, from, to)| (*from, *to));
    let current = ranges
        .iter()
        .position(|(_, from, to)| **from <= present && present < **to);
    let Some(at) = current else {
        return match default {
            Some(heir) => worse(PartitionCover::Complete, heir, heirs, now),
            None => PartitionCover::RefusesNow(match ranges.last() {
                Some((_, _, end)) if **end <= present => {
                    format!("the last one ends at {end} and there is no default partition")
                }
                _ => "no partition takes the present time and there is no default partition".to_owned(),
            }),
        };
    };
    // A present partition that is divided and refuses rows refuses them now.
    if let Some(node) = Node::of(ranges[at].0)
        && let PartitionCover::RefusesNow(why) = node.cover(heirs, now)
    {
        return PartitionCover::RefusesNow(format!("partition {}: {why}", ranges[at].0.name));
    }
    let own = if default.is_some() {
        PartitionCover::Complete
    } else {
        around(&ranges, at)
    };
    worse(own, ranges[at].0, heirs, now)
}

/// Says where the unbroken row of partitions around the present begins and ends.
fn around(ranges: &[(&HeirRow, &Edge, &Edge)], at: usize) -> PartitionCover {
    let (mut first, mut last) = (at, at);
    while first > 0 && ranges[first - 1].2 >= ranges[first].1 {
        first -= 1;
    }
    while last + 1 < ranges.len() && ranges[last].2 >= ranges[last + 1].1 {
        last += 1;
    }
    let mut gaps = Vec::new();
    if *ranges[first].1 != Edge::Lowest {
        gaps.push(format!("before {}", ranges[first].1));
    }
    if *ranges[last].2 != Edge::Highest {
        gaps.push(format!("from {} on", ranges[last].2));
    }
    if gaps.is_empty() {
        PartitionCover::Complete
    } else {
        PartitionCover::OtherTimes(format!("rows dated {} find no partition", gaps.join(" or ")))
    }
}

/// Ranges of other types are complete if they form one chain from the lowest to the highest value.
fn range_cover(parts: &[(&HeirRow, Bound)]) -> PartitionCover {
    let ranges: Vec<(&Vec<Edge>, &Vec<Edge>)> = parts
        .iter()
        .filter_map(|(_, bound)| match bound {
            Bound::Range { from, to } => Some((from, to)),
            _ => None,
        })
        .collect();
    let mut end = ranges
        .iter()
        .find(|(from, _)| from.iter().all(|e| *e == Edge::Lowest))
        .map(|(_, to)| *to);
    for _ in 0..ranges.len() {
        let Some(reached) = end else { break };
        if reached.iter().all(|e| *e == Edge::Highest) {
            return PartitionCover::Complete;
        }
        end = ranges.iter().find(|(from, _)| *from == reached).map(|(_, to)| *to);
    }
    PartitionCover::Gaps("values outside of the partitions' ranges find no partition".to_owned())
}

/// Hash partitions are complete if their shares add up to one.
fn hash_cover(parts: &[(&HeirRow, Bound)]) -> PartitionCover {
    let shares: Vec<(u64, u64)> = parts
        .iter()
        .filter_map(|(_, bound)| match bound {
            Bound::Hash { modulus, remainder } if *modulus > 0 => Some((*modulus, *remainder)),
            _ => None,
        })
        .collect();
    // Of two moduli the larger is a multiple of the smaller: the server sees to it.
    let whole = shares.iter().map(|(modulus, _)| *modulus).max().unwrap_or(0);
    let taken = shares.iter().try_fold(0_u64, |taken, (modulus, _)| {
        let share = (whole % modulus == 0).then_some(whole / modulus)?;
        taken.checked_add(share).filter(|taken| *taken <= whole)
    });
    match taken {
        Some(taken) if shares.len() == parts.len() => {
            let missing = whole - taken;
            match missing {
                0 => PartitionCover::Complete,
                _ => PartitionCover::Gaps(format!("{missing} of {whole} shares of the hash have no partition")),
            }
        }
        _ => PartitionCover::Unknown,
    }
}

fn list_cover(parts: &[(&HeirRow, Bound)]) -> PartitionCover {
    let lists: Vec<&str> = parts
        .iter()
        .filter_map(|(_, bound)| match bound {
            Bound::List(values) => Some(values.as_str()),
            _ => None,
        })
        .collect();
    if lists.len() == parts.len() {
        PartitionCover::Gaps(format!("values other than {} find no partition", lists.join(", ")))
    } else {
        PartitionCover::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::read_time;
    use super::*;

    fn heir(oid: i64, parent: i64, bound: &str) -> HeirRow {
        HeirRow {
            oid,
            parent,
            namespace: "public".to_owned(),
            name: format!("p{oid}"),
            persistence: "p".to_owned(),
            bound: Some(bound.to_owned()),
            partition_strategy: None,
            partition_type: None,
            unique_keys: Vec::new(),
        }
    }

    fn cover(strategy: &str, key_type: &str, bounds: &[&str]) -> PartitionCover {
        let heirs: Vec<HeirRow> = (2_i64..).zip(bounds).map(|(oid, b)| heir(oid, 1, b)).collect();
        node(strategy, key_type).cover(&heirs, now())
    }

    fn node<'a>(strategy: &'a str, key_type: &'a str) -> Node<'a> {
        Node {
            oid: 1,
            strategy,
            key_type: Some(key_type),
        }
    }

    fn now() -> NaiveDateTime {
        read_time("2026-07-15 12:00:00").unwrap()
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
        match cover("r", ZONED, &[JULY, JUNE, OCTOBER]) {
            PartitionCover::OtherTimes(why) => {
                assert_eq!(
                    why,
                    "rows dated before 2026-06-01 00:00:00 UTC or from 2026-08-01 00:00:00 UTC on find no partition"
                );
            }
            other => panic!("{other:?}"),
        }
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
        assert_eq!(cover("r", ZONED, &[JUNE, "DEFAULT"]), PartitionCover::Complete);
    }

    #[test]
    fn hash_partitions_are_complete_when_their_shares_add_up() {
        let part = |m: u64, r: u64| format!("FOR VALUES WITH (modulus {m}, remainder {r})");
        let uneven = [part(2, 0), part(4, 1), part(4, 3)];
        let uneven: Vec<&str> = uneven.iter().map(String::as_str).collect();
        assert_eq!(cover("h", "uuid", &uneven), PartitionCover::Complete);
        match cover("h", "uuid", &uneven[..2]) {
            PartitionCover::Gaps(why) => assert!(why.starts_with("1 of 4"), "{why}"),
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
    fn a_partition_that_is_divided_again_must_take_its_rows_too() {
        let mut july = heir(2, 1, JULY);
        july.partition_strategy = Some("h".to_owned());
        july.partition_type = Some("uuid".to_owned());
        let empty = [july.clone(), heir(3, 1, "DEFAULT")];
        assert!(matches!(
            node("r", ZONED).cover(&empty, now()),
            PartitionCover::RefusesNow(_)
        ));
        let half = [
            july,
            heir(3, 1, "DEFAULT"),
            heir(4, 2, "FOR VALUES WITH (modulus 2, remainder 0)"),
        ];
        assert!(matches!(node("r", ZONED).cover(&half, now()), PartitionCover::Gaps(_)));
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
    fn what_a_partition_refuses_counts_if_it_is_worse() {
        let mut july = heir(2, 1, JULY);
        july.partition_strategy = Some("l".to_owned());
        july.partition_type = Some("text".to_owned());
        // The table has no partition for other times, and that of July has none for other tenants.
        let rows = [july, heir(3, 2, "FOR VALUES IN ('a')")];
        match node("r", ZONED).cover(&rows, now()) {
            PartitionCover::Gaps(why) => assert!(why.starts_with("partition p2: values other than"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
