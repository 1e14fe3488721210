//! How a table is partitioned, and whether rows of today find a partition.

use crate::dialect::mysql::{Token, columns, tokens};
use crate::schema::{Column, DataType, Partition, PartitionCover, Partitioning, Takes};

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
    let by_columns = method.ends_with(" columns");
    let cover = match strategy.as_str() {
        "range" => range_cover(&rows, &expression, observed, session),
        "list" => list_cover(&rows, by_columns, mariadb),
        "hash" | "key" | "system_time" => PartitionCover::Complete,
        _ => PartitionCover::Unknown,
    };
    // What LIST prints is not what it takes: its default partition looks like one of the value 0.
    let told = cover != PartitionCover::Unknown;
    let keys = if by_columns {
        quoted(&key(&expression))
    } else {
        vec![expression.clone()]
    };
    let takes = |at: usize, row: &PartitionRow| match strategy.as_str() {
        "hash" | "key" | "system_time" => Takes::Share,
        "range" | "list" if told => rows_taken(at, row, &strategy, &keys),
        _ => Takes::Unknown,
    };
    let partitions = rows.iter().enumerate().map(|(at, row)| Partition {
        name: row.name.clone(),
        bound: row.description.clone().unwrap_or_default(),
        takes: takes(at, row),
        // What is divided again is so by a hash, which takes every row.
        divided: None,
    });
    Some(Partitioning {
        key: key(&expression),
        partitions: partitions.collect(),
        cover,
        strategy,
    })
}

fn quoted(names: &[String]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("`{}`", name.replace('`', "``")))
        .collect()
}

/// Returns which rows a partition of a range or a list takes.
fn rows_taken(at: usize, row: &PartitionRow, strategy: &str, keys: &[String]) -> Takes {
    let words = tokens(row.description.as_deref().unwrap_or_default());
    let items = items(&words);
    let is_max = |item: &&[Token]| matches!(item, [word] if word.is_word("maxvalue"));
    let condition = if strategy == "list" {
        // Several columns are listed as `(1,'a'),(2,'b')`.
        let tuples: Vec<Vec<&[Token]>> = items
            .iter()
            .map(|item| if keys.len() > 1 { inside(item) } else { vec![*item] })
            .collect();
        if tuples.iter().flatten().any(is_max) {
            return Takes::Rest;
        }
        let of_column = |(at, key): (usize, &String)| {
            let values: Vec<&[Token]> = tuples.iter().filter_map(|tuple| tuple.get(at).copied()).collect();
            listed(key, &values)
        };
        keys.iter().enumerate().map(of_column).collect::<Vec<_>>().join(" AND ")
    } else {
        match (items.first(), keys.first()) {
            (Some(end), _) if is_max(end) => return Takes::Rest,
            (Some(end), Some(key)) => below(key, end, keys.len() > 1, at == 0),
            _ => return Takes::Unknown,
        }
    };
    Takes::Rows { condition, now: None }
}

/// Writes the condition of a list. NULL is a value that must be listed.
fn listed(key: &str, values: &[&[Token]]) -> String {
    let is_null = |value: &&&[Token]| matches!(value, [word] if word.is_word("null"));
    let (nulls, values): (Vec<&&[Token]>, Vec<&&[Token]>) = values.iter().partition(is_null);
    let values: Vec<String> = values.into_iter().map(|value| spell(value)).collect();
    match (nulls.is_empty(), values.is_empty()) {
        (_, true) => format!("({key}) IS NULL"),
        (true, _) => format!("({key}) IS NOT NULL AND ({key}) IN ({})", values.join(",")),
        (false, _) => format!("(({key}) IS NULL OR ({key}) IN ({}))", values.join(",")),
    }
}

/// Writes the condition of a range by its end, as far as the first column decides. NULL is in the lowest range.
fn below(key: &str, end: &[Token], further: bool, lowest: bool) -> String {
    // Rows just at the end may be taken if there are further columns.
    let sign = if further { "<=" } else { "<" };
    let compared = format!("({key}) {sign} {}", spell(end));
    if lowest {
        format!("({key}) IS NULL OR {compared}")
    } else {
        compared
    }
}

/// Splits a list at the commas that are in no parentheses.
fn items(words: &[Token]) -> Vec<&[Token]> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, word) in words.iter().enumerate() {
        if word.is("(") {
            depth += 1;
        } else if word.is(")") {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && word.is(",") {
            found.push(&words[start..at]);
            start = at + 1;
        }
    }
    found.push(&words[start..]);
    found
}

/// Returns the items in a pair of parentheses.
fn inside(item: &[Token]) -> Vec<&[Token]> {
    match item {
        [open, inner @ .., close] if open.is("(") && close.is(")") => items(inner),
        _ => vec![item],
    }
}

/// Writes a constant.
fn spell(words: &[Token]) -> String {
    words
        .iter()
        .map(|word| match word {
            Token::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''")),
            Token::Word(word) | Token::Number(word) => word.clone(),
            Token::Name(name) => format!("`{}`", name.replace('`', "``")),
            Token::Hex(digits) => format!("x'{digits}'"),
            Token::Bits(bits) => format!("b'{bits}'"),
            Token::Symbol(symbol) => (*symbol).to_owned(),
            Token::Stray(c) => c.to_string(),
        })
        .collect()
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
        PartitionCover::Gaps(format!("those with other values than {}", lists.join(", ")))
    }
}

/// Of several key columns, the first decides alone but for rows that are just at its bound.
fn range_cover(rows: &[&PartitionRow], expression: &str, observed: &[Column], session: &Session) -> PartitionCover {
    let Some(last) = rows.last().and_then(|row| row.description.as_deref()) else {
        return PartitionCover::Unknown;
    };
    let words = tokens(last);
    let bound = words.split(|word| word.is(",")).next().unwrap_or_default();
    if matches!(bound, [word] if word.is_word("maxvalue")) {
        return PartitionCover::Complete;
    }
    let key = tokens(expression);
    // A comma inside of a function's parentheses parts no columns.
    let key = match key.iter().position(|word| word.is(",")) {
        Some(comma) if !key.iter().any(|word| word.is("(")) => &key[..comma],
        _ => &key[..],
    };
    match past(bound, key, observed, session) {
        Some(true) => PartitionCover::RefusesNow(format!("the last one ends before {last}")),
        Some(false) => PartitionCover::OtherTimes(format!("those from {last} on")),
        None => PartitionCover::Gaps(format!("those from {last} on")),
    }
}

/// Returns whether the present is at or past a bound; nothing where the key is not one column's time.
fn past(bound: &[Token], key: &[Token], observed: &[Column], session: &Session) -> Option<bool> {
    let (function, column) = match key {
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
    match (function.as_deref(), bound) {
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
            "user": "u@h", "role": null, "database": "d", "transaction_read_only": 1, "whole_answers": 1, "lock_wait_timeout": 2,
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
    fn of_several_columns_the_first_decides() {
        let range = |bound: &str| cover("RANGE COLUMNS", "`t`,`id`", "datetime(6)", &[Some(bound)]);
        assert_eq!(range("MAXVALUE,MAXVALUE"), PartitionCover::Complete);
        assert_eq!(range("MAXVALUE,10"), PartitionCover::Complete);
        assert!(matches!(range("'2026-07-01',MAXVALUE"), PartitionCover::RefusesNow(_)));
        assert!(matches!(range("'2026-08-01',MAXVALUE"), PartitionCover::OtherTimes(_)));
        let numbers = cover("RANGE COLUMNS", "`t`,`id`", "int(11)", &[Some("10,MAXVALUE")]);
        assert!(matches!(numbers, PartitionCover::Gaps(_)));
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
