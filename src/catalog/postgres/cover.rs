//! Whether partitions take every row, as far as their bounds tell.

use std::collections::BTreeSet;

use chrono::NaiveDateTime;

use super::bounds::{Bound, Edge, split};
use crate::schema::PartitionCover;

/// A table divided by time must have a partition for the present.
pub(super) fn time_cover(bounds: &[&Bound], present: NaiveDateTime) -> PartitionCover {
    let present = Edge::Time(present);
    let mut ranges: Vec<(&Edge, &Edge)> = Vec::new();
    let mut rest = false;
    for bound in bounds {
        match bound {
            Bound::Default => rest = true,
            Bound::Range { from, to } => match (from.first(), to.first()) {
                (Some(from), Some(to)) if !matches!((from, to), (Edge::Value(_), _) | (_, Edge::Value(_))) => {
                    ranges.push((from, to));
                }
                _ => return PartitionCover::Unknown,
            },
            _ => return PartitionCover::Unknown,
        }
    }
    if rest {
        return PartitionCover::Complete;
    }
    ranges.sort_unstable();
    let current = ranges.iter().position(|(from, to)| **from <= present && present < **to);
    match (current, ranges.last()) {
        (Some(at), _) => around(&ranges, at),
        (None, Some((_, end))) if **end <= present => {
            PartitionCover::RefusesNow(format!("the last one ends at {end} and there is no default partition"))
        }
        (None, _) => {
            PartitionCover::RefusesNow("none takes the present time and there is no default partition".to_owned())
        }
    }
}

/// Says where the unbroken row of partitions around the present begins and ends.
fn around(ranges: &[(&Edge, &Edge)], at: usize) -> PartitionCover {
    let (mut first, mut last) = (at, at);
    while first > 0 && ranges[first - 1].1 >= ranges[first].0 {
        first -= 1;
    }
    while last + 1 < ranges.len() && ranges[last].1 >= ranges[last + 1].0 {
        last += 1;
    }
    let mut gaps = Vec::new();
    if *ranges[first].0 != Edge::Lowest {
        gaps.push(format!("before {}", ranges[first].0));
    }
    if *ranges[last].1 != Edge::Highest {
        gaps.push(format!("from {} on", ranges[last].1));
    }
    if gaps.is_empty() {
        PartitionCover::Complete
    } else {
        PartitionCover::OtherTimes(format!("those dated {}", gaps.join(" or ")))
    }
}

/// Ranges of other types are complete if they form one chain from the lowest to the highest value.
pub(super) fn range_cover(bounds: &[&Bound]) -> PartitionCover {
    let ranges: Vec<(&Vec<Edge>, &Vec<Edge>)> = bounds
        .iter()
        .filter_map(|bound| match bound {
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
    PartitionCover::Gaps("those outside of the partitions' ranges".to_owned())
}

/// Hash partitions are complete if their shares add up to one.
pub(super) fn hash_cover(bounds: &[&Bound]) -> PartitionCover {
    let moduli: Vec<u64> = bounds
        .iter()
        .filter_map(|bound| match bound {
            Bound::Hash { modulus, .. } if *modulus > 0 => Some(*modulus),
            _ => None,
        })
        .collect();
    // Of two moduli the larger is a multiple of the smaller: the server sees to it.
    let whole = moduli.iter().copied().max().unwrap_or(0);
    let taken = moduli.iter().try_fold(0_u64, |taken, modulus| {
        let share = (whole % modulus == 0).then_some(whole / modulus)?;
        taken.checked_add(share).filter(|taken| *taken <= whole)
    });
    match taken {
        Some(taken) if moduli.len() == bounds.len() => match whole - taken {
            0 => PartitionCover::Complete,
            // The hash of a part of today's events is one of those.
            missing => PartitionCover::RefusesNow(format!("those of {missing} of {whole} shares of the hash")),
        },
        _ => PartitionCover::Unknown,
    }
}

/// Lists are complete if they hold every value that the key can have.
pub(super) fn list_cover(bounds: &[&Bound], values: Option<&[String]>) -> PartitionCover {
    let lists: Vec<&str> = bounds
        .iter()
        .filter_map(|bound| match bound {
            Bound::List(values) => Some(values.as_str()),
            _ => None,
        })
        .collect();
    let listed: BTreeSet<&str> = lists.iter().flat_map(|list| split(list)).collect();
    if lists.len() != bounds.len() {
        PartitionCover::Unknown
    } else if values.is_some_and(|values| values.iter().all(|value| listed.contains(value.as_str()))) {
        PartitionCover::Complete
    } else {
        PartitionCover::Gaps(format!("those with other values than {}", few(&lists)))
    }
}

/// Writes the first lists of many.
fn few(lists: &[&str]) -> String {
    const SHOWN: usize = 10;
    let mut text = lists[..lists.len().min(SHOWN)].join(", ");
    if lists.len() > SHOWN {
        text.push_str(&format!(" and those of {} more partitions", lists.len() - SHOWN));
    }
    text
}
