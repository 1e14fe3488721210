//! Partitions, and whether every new row finds one.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::rows::{HeirRow, TableRow};
use crate::dialect::postgres::outside_quotes;
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
    Some(Partitioning {
        strategy: match strategy {
            "r" => "range",
            "l" => "list",
            "h" => "hash",
            other => other,
        }
        .to_owned(),
        key: key_parts(table.partition_key.as_deref().unwrap_or_default()),
        partitions: rows
            .iter()
            .map(|h| Partition {
                name: h.name.clone(),
                bound: h.bound.clone().unwrap_or_default(),
            })
            .collect(),
        cover: node.cover(&descendants(table), now),
    })
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

/// Reads the parts of `RANGE ("ProcessedOnUtc", lower(x))`.
fn key_parts(definition: &str) -> Vec<String> {
    let list = definition
        .split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'))
        .unwrap_or(definition);
    split(list).into_iter().map(unquote).collect()
}

/// Splits a list at its commas, quotes and parentheses aside.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, depth, c) in outside_quotes(list) {
        if depth == 0 && c == ',' {
            parts.push(list[start..at].trim());
            start = at + 1;
        }
    }
    parts.push(list[start..].trim());
    parts
}

/// Returns a name without its quotes; anything else as it is.
fn unquote(part: &str) -> String {
    let inner = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(name) if !name.replace("\"\"", "").contains('"') => name.replace("\"\"", "\""),
        _ => part.to_owned(),
    }
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// Nothing is below.
    Lowest,
    /// A point in time.
    Time(NaiveDateTime),
    /// A value of a type that is not read here.
    Value(String),
    /// Nothing is above.
    Highest,
}

impl Edge {
    fn parse(text: &str) -> Self {
        match text {
            "MINVALUE" => return Self::Lowest,
            "MAXVALUE" => return Self::Highest,
            _ => {}
        }
        let value = text.trim_matches('\'');
        match value {
            "-infinity" => Self::Lowest,
            "infinity" => Self::Highest,
            _ => read_time(value).map_or_else(|| Self::Value(value.to_owned()), Self::Time),
        }
    }
}

impl std::fmt::Display for Edge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lowest => f.write_str("the beginning"),
            Self::Highest => f.write_str("the end"),
            Self::Time(time) => write!(f, "{}", time.format("%Y-%m-%d %H:%M:%S UTC")),
            Self::Value(value) => f.write_str(value),
        }
    }
}

/// Reads a time as a session in UTC prints it.
fn read_time(text: &str) -> Option<NaiveDateTime> {
    let text = text.strip_suffix("+00").unwrap_or(text);
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f")
        .ok()
        .or_else(|| {
            Some(
                NaiveDate::parse_from_str(text, "%Y-%m-%d")
                    .ok()?
                    .and_time(NaiveTime::MIN),
            )
        })
}

/// What a partition takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Bound {
    Default,
    Range { from: Vec<Edge>, to: Vec<Edge> },
    Hash { modulus: u64, remainder: u64 },
    List(String),
    Unread,
}

impl Bound {
    fn parse(row: &HeirRow) -> Self {
        let text = row.bound.as_deref().unwrap_or_default();
        if text == "DEFAULT" {
            return Self::Default;
        }
        let Some(values) = text.strip_prefix("FOR VALUES ") else {
            return Self::Unread;
        };
        if let Some(list) = values.strip_prefix("IN (").and_then(|rest| rest.strip_suffix(')')) {
            return Self::List(list.to_owned());
        }
        if let Some(hash) = values
            .strip_prefix("WITH (modulus ")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            let read = hash
                .split_once(", remainder ")
                .and_then(|(m, r)| Some((m.parse().ok()?, r.parse().ok()?)));
            return read.map_or(Self::Unread, |(modulus, remainder)| Self::Hash { modulus, remainder });
        }
        Self::range(values).unwrap_or(Self::Unread)
    }

    /// Reads `FROM ('2026-01-01') TO ('2026-02-01')`.
    fn range(values: &str) -> Option<Self> {
        let rest = values.strip_prefix("FROM (")?;
        let (close, ..) = outside_quotes(rest).find(|(_, depth, c)| *depth == 0 && *c == ')')?;
        let to = rest[close..].strip_prefix(") TO (")?.strip_suffix(')')?;
        let edges = |list: &str| split(list).into_iter().map(Edge::parse).collect();
        Some(Self::Range {
            from: edges(&rest[..close]),
            to: edges(to),
        })
    }

    /// Ranges by their beginning, hash partitions by remainder, the default last.
    fn order(&self) -> (u8, Vec<Edge>, u64) {
        match self {
            Self::Range { from, .. } => (0, from.clone(), 0),
            Self::Hash { remainder, .. } => (0, Vec::new(), *remainder),
            Self::List(_) | Self::Unread => (0, Vec::new(), 0),
            Self::Default => (1, Vec::new(), 0),
        }
    }
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

/// Takes in what a partition that is divided itself refuses.
fn worse(cover: PartitionCover, heir: &HeirRow, heirs: &[HeirRow], now: NaiveDateTime) -> PartitionCover {
    let Some(node) = Node::of(heir) else { return cover };
    match (cover, node.cover(heirs, now)) {
        (PartitionCover::Complete, PartitionCover::RefusesNow(why) | PartitionCover::Gaps(why)) => {
            PartitionCover::Gaps(format!("partition {}: {why}", heir.name))
        }
        (PartitionCover::Complete, PartitionCover::Unknown) => PartitionCover::Unknown,
        (cover, _) => cover,
    }
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
        PartitionCover::Gaps(format!("rows dated {} find no partition", gaps.join(" or ")))
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
    let taken = shares
        .iter()
        .fold(0_u64, |taken, (modulus, _)| taken.saturating_add(whole / modulus));
    if shares.len() != parts.len() {
        PartitionCover::Unknown
    } else if taken == whole {
        PartitionCover::Complete
    } else {
        PartitionCover::Gaps(format!(
            "{} of {whole} shares of the hash have no partition",
            whole.saturating_sub(taken)
        ))
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
            PartitionCover::Gaps(why) => {
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
    fn key_parts_are_split_outside_of_quotes_and_parentheses() {
        assert_eq!(key_parts(r#"RANGE ("ProcessedOnUtc")"#), ["ProcessedOnUtc"]);
        assert_eq!(
            key_parts(r#"LIST (COALESCE("a,b", 'x,y'::text), "c""d")"#),
            [r#"COALESCE("a,b", 'x,y'::text)"#, "c\"d"]
        );
    }
}
