//! How a table is partitioned, and whether rows of today find a partition.

use crate::dialect::mysql::{Token, columns, tokens};
use crate::schema::{Column, DataType, Partition, PartitionCover, Partitioning};

use super::rows::{PartitionRow, Session};

/// Makes the partitioning of one table from its rows; nothing for a table without partitions.
pub(super) fn partitioning(
    rows: &[&PartitionRow],
    observed: &[Column],
    session: &Session,
    mariadb: bool,
) -> Option<Partitioning> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| row.position);
    // Subpartitions repeat the partition that they are in.
    rows.dedup_by(|b, a| a.name == b.name);
    let first = rows.first()?;
    let method = first.method.clone().unwrap_or_default().to_ascii_lowercase();
    let strategy = method
        .trim_start_matches("linear ")
        .trim_end_matches(" columns")
        .to_owned();
    let expression = first.expression.clone().unwrap_or_default();
    let cover = match strategy.as_str() {
        "range" => range_cover(&rows, &expression, observed, session),
        "list" => list_cover(&rows, method.ends_with(" columns"), mariadb),
        "hash" | "key" | "system_time" => PartitionCover::Complete,
        _ => PartitionCover::Unknown,
    };
    Some(Partitioning {
        strategy,
        key: key(&expression),
        partitions: rows
            .iter()
            .map(|row| Partition {
                name: row.name.clone(),
                bound: row.description.clone().unwrap_or_default(),
            })
            .collect(),
        cover,
    })
}

/// Returns the columns of the key, or the expression where it is more than columns.
fn key(expression: &str) -> Vec<String> {
    let words = tokens(expression);
    let only_names = words.iter().all(|word| matches!(word, Token::Name(_)) || word.is(","));
    if only_names {
        columns(expression)
    } else {
        vec![expression.to_owned()]
    }
}

/// MariaDB can have a DEFAULT partition. That of LIST COLUMNS is printed as MAXVALUE, that of LIST as if it listed 0.
fn list_cover(rows: &[&PartitionRow], columns: bool, mariadb: bool) -> PartitionCover {
    let lists: Vec<&str> = rows.iter().filter_map(|row| row.description.as_deref()).collect();
    let is_default = |list: &&str| tokens(list).iter().any(|word| word.is_word("maxvalue"));
    if mariadb && columns && lists.iter().any(is_default) {
        PartitionCover::Complete
    } else if mariadb && !columns && lists.contains(&"0") {
        PartitionCover::Unknown
    } else {
        PartitionCover::Gaps(format!("values other than {} find no partition", lists.join(", ")))
    }
}

fn range_cover(rows: &[&PartitionRow], expression: &str, observed: &[Column], session: &Session) -> PartitionCover {
    let Some(last) = rows.last().and_then(|row| row.description.as_deref()) else {
        return PartitionCover::Unknown;
    };
    if last.trim().eq_ignore_ascii_case("maxvalue") {
        return PartitionCover::Complete;
    }
    match past(last, expression, observed, session) {
        Some(true) => PartitionCover::RefusesNow(format!("the last partition ends before {last}")),
        Some(false) => PartitionCover::OtherTimes(format!("values from {last} on are refused")),
        None if !last.contains(',') => PartitionCover::Gaps(format!("values from {last} on are refused")),
        None => PartitionCover::Unknown,
    }
}

/// Returns whether the present is at or past a bound; nothing where the key is not one column's time.
fn past(bound: &str, expression: &str, observed: &[Column], session: &Session) -> Option<bool> {
    let words = tokens(expression);
    let bounds = tokens(bound);
    let (function, column) = match &words[..] {
        [Token::Name(column)] => (None, column),
        [Token::Word(function), open, Token::Name(column), close] if open.is("(") && close.is(")") => {
            (Some(function.to_ascii_lowercase()), column)
        }
        _ => return None,
    };
    let column = observed.iter().find(|c| c.name.eq_ignore_ascii_case(column))?;
    let is_time = matches!(
        column.ty.data,
        DataType::Date | DataType::DateTime { .. } | DataType::Timestamp { .. }
    );
    if !is_time {
        return None;
    }
    match (function.as_deref(), &bounds[..]) {
        // Both are written from the year down, so their texts are ordered like their times.
        (None, [Token::Text(end)]) => Some(session.now.as_str() >= end.as_str()),
        (Some(function), [Token::Number(end)]) => {
            let end: f64 = end.parse().ok()?;
            let now = match function {
                "unix_timestamp" => session.now_unix,
                "to_days" => whole(session.now_days),
                "to_seconds" => whole(session.now_seconds),
                "year" => whole(session.now_year),
                _ => return None,
            };
            Some(now >= end)
        }
        _ => None,
    }
}

/// Days, seconds and years of this age are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn whole(number: i64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::super::column::column;
    use super::super::rows::ColumnRow;
    use super::*;

    fn session() -> Session {
        serde_json::from_value(serde_json::json!({
            "user": "u@h", "role": null, "database": "d", "transaction_read_only": 1, "lock_wait_timeout": 2,
            "statement_limit": 30.0, "sql_mode": "", "lower_case_table_names": 0, "read_only": 0,
            "now": "2026-07-21 10:00:00", "now_unix": 1_784_628_000, "now_days": 740_183,
            "now_seconds": 63_951_847_200_i64, "now_year": 2026
        }))
        .unwrap()
    }

    fn cover(method: &str, expression: &str, ty: &str, bounds: &[Option<&str>]) -> PartitionCover {
        let row: ColumnRow = serde_json::from_value(serde_json::json!({
            "table": "T", "name": "t", "default": null, "nullable": "NO", "type": ty, "charset": null,
            "collation": null, "extra": "", "generation": null
        }))
        .unwrap();
        let rows: Vec<PartitionRow> = (1..)
            .zip(bounds)
            .map(|(position, bound)| PartitionRow {
                table: "T".to_owned(),
                name: format!("p{position}"),
                position: Some(position),
                method: Some(method.to_owned()),
                expression: Some(expression.to_owned()),
                description: bound.map(str::to_owned),
            })
            .collect();
        let rows: Vec<&PartitionRow> = rows.iter().collect();
        partitioning(&rows, &[column(&row, &[], None, true)], &session(), true)
            .unwrap()
            .cover
    }

    #[test]
    fn a_partition_without_end_takes_every_row() {
        let bounds = [Some("'2026-08-01'"), Some("MAXVALUE")];
        assert_eq!(
            cover("RANGE COLUMNS", "`t`", "datetime(6)", &bounds),
            PartitionCover::Complete
        );
        assert_eq!(cover("KEY", "", "datetime(6)", &[None, None]), PartitionCover::Complete);
        assert_eq!(
            cover("LINEAR HASH", "`t`", "int(11)", &[None]),
            PartitionCover::Complete
        );
    }

    #[test]
    fn the_present_is_refused_once_the_last_partition_is_over() {
        for (method, expression, ty, over, open) in [
            ("RANGE COLUMNS", "`t`", "datetime(6)", "'2026-07-01'", "'2026-08-01'"),
            ("RANGE", "to_days(`t`)", "datetime(6)", "740000", "740194"),
            (
                "RANGE",
                "unix_timestamp(`t`)",
                "timestamp(6)",
                "1784000000",
                "1785542400",
            ),
            ("RANGE", "year(`t`)", "date", "2026", "2027"),
        ] {
            assert!(
                matches!(
                    cover(method, expression, ty, &[Some(over)]),
                    PartitionCover::RefusesNow(_)
                ),
                "{expression} < {over}"
            );
            assert!(
                matches!(
                    cover(method, expression, ty, &[Some(over), Some(open)]),
                    PartitionCover::OtherTimes(_)
                ),
                "{expression} < {open}"
            );
        }
    }

    #[test]
    fn a_list_is_complete_only_with_a_default_partition() {
        let list = |method: &str, bounds: &[&str]| {
            let bounds: Vec<Option<&str>> = bounds.iter().map(|b| Some(*b)).collect();
            cover(method, "`t`", "int(11)", &bounds)
        };
        assert!(matches!(list("LIST", &["1,2", "3"]), PartitionCover::Gaps(_)));
        assert!(matches!(
            list("LIST COLUMNS", &["'a','MAXVALUE'", "'0'"]),
            PartitionCover::Gaps(_)
        ));
        // As MariaDB 10.11 prints DEFAULT.
        assert_eq!(list("LIST COLUMNS", &["'a','b'", "MAXVALUE"]), PartitionCover::Complete);
        assert_eq!(
            list("LIST COLUMNS", &["(1,2)", "(MAXVALUE,MAXVALUE)"]),
            PartitionCover::Complete
        );
        assert_eq!(list("LIST", &["1,2", "0"]), PartitionCover::Unknown);
    }

    #[test]
    fn numbers_are_not_taken_for_times() {
        assert!(matches!(
            cover("RANGE", "`t`", "int(11)", &[Some("100")]),
            PartitionCover::Gaps(_)
        ));
    }

    #[test]
    fn the_key_is_its_columns_where_it_is_no_more() {
        assert_eq!(key("`a`,`b`"), ["a", "b"]);
        assert_eq!(key("to_days(`t`)"), ["to_days(`t`)"]);
    }
}
