//! What MySQL and MariaDB mean by their words.

mod collation;
mod defaults;
mod expression;
mod fit;
mod number;
mod token;
mod types;

pub(crate) use collation::collation;
pub(crate) use expression::columns;
pub(crate) use token::{Token, tokens};
pub(crate) use types::{enum_values, parse_type};

use sqlparser::ast::{Expr, Ident};
use sqlparser::dialect::MySqlDialect;

use super::condition::{self, Meaning, Texts};
use super::{Condition, Departure, DesiredType, Facts, Fit, KeyEffect, Row, conjunction, is_text};
use crate::schema::{Collation, Column, DefaultExpr, Literal, NativeType};

/// The facts of MySQL and MariaDB.
pub(super) struct MySql {
    /// Whether the server is MariaDB.
    pub(super) mariadb: bool,
}

/// Longest name of a table, column or index, in characters.
const NAME_LIMIT: usize = 64;

impl Facts for MySql {
    fn fit(&self, desired: &DesiredType, column: &Column) -> Fit {
        fit::fit(desired, column)
    }

    fn native_type(&self, desired: &DesiredType) -> NativeType {
        if desired.pinned {
            types::pinned_type(&desired.data, self.mariadb)
        } else {
            types::native_type(&desired.data, self.mariadb)
        }
    }

    fn usual_collation(&self, desired: &DesiredType) -> Option<Collation> {
        let name = if self.mariadb {
            "utf8mb4_general_ci"
        } else {
            "utf8mb4_0900_ai_ci"
        };
        is_text(&self.native_type(desired).data).then(|| collation(name, Some("utf8mb4"), false))
    }

    fn exact_collation(&self, desired: &DesiredType) -> Option<Collation> {
        // `utf8mb4_bin` exists on both, but ignores trailing blanks.
        let name = if self.mariadb {
            "utf8mb4_nopad_bin"
        } else {
            "utf8mb4_0900_bin"
        };
        is_text(&self.native_type(desired).data).then(|| collation(name, Some("utf8mb4"), true))
    }

    fn default_expr(&self, sql: &str, ty: &NativeType) -> Option<DefaultExpr> {
        defaults::default_expr(sql, ty)
    }

    fn literal(&self, value: &Literal, ty: &NativeType) -> Literal {
        defaults::literal(value, ty)
    }

    fn expression(&self, sql: &str) -> String {
        expression::canonical(sql)
    }

    fn conditions(&self, sql: &str) -> Vec<Condition> {
        conjunction::read(&expression::words(sql), |words| expression::canonical(&words.join(" ")))
    }

    fn is_constant(&self, _sql: &str) -> bool {
        // The server refuses an index over a constant.
        false
    }

    fn same_table_name(&self, a: &str, b: &str) -> bool {
        a == b
    }

    fn same_name(&self, a: &str, b: &str) -> bool {
        a.to_lowercase() == b.to_lowercase()
    }

    fn stored_name<'a>(&self, name: &'a str) -> &'a str {
        name.char_indices()
            .nth(NAME_LIMIT)
            .map_or(name, |(end, _)| &name[..end])
    }

    fn quote(&self, name: &str) -> String {
        format!("`{}`", name.replace('`', "``"))
    }

    fn departure(&self, sql: &str) -> Option<Departure> {
        defaults::departure(sql)
    }

    fn key_effect(&self, sql: &str, column: &Column) -> KeyEffect {
        key_effect(
            &expression::canonical(sql),
            &expression::canonical(&self.quote(&column.name)),
            column.takes_null(),
        )
    }

    fn is_condition(&self, sql: &str) -> bool {
        parse(sql).is_some_and(|expr| condition::is_condition(&expr))
    }

    fn constant_text(&self, sql: &str) -> Option<String> {
        condition::constant_text(&parse(sql)?, self)
    }

    fn admits(&self, check: &str, row: &Row<'_>) -> Option<bool> {
        condition::admits(&parse(check)?, row, self)
    }

    fn only_keeps_null_out(&self, check: &str) -> bool {
        parse(check).is_some_and(|expr| condition::only_keeps_null_out(&expr))
    }

    fn catalog_loses(&self, c: char) -> bool {
        // The catalog's own texts are of utf8mb3.
        c > '\u{ffff}'
    }

    fn enforces_lengths(&self) -> bool {
        true
    }

    fn lets_triggers_touch_their_table(&self) -> bool {
        false
    }

    fn default_namespace(&self) -> Option<&'static str> {
        None
    }
}

/// Judges a functional key part (MySQL 8.0.13 and later), both sides in canonical spelling.
fn key_effect(sql: &str, column: &str, takes_null: bool) -> KeyEffect {
    if sql == column {
        return KeyEffect::Faithful;
    }
    let Some((function, arguments)) = sql
        .split_once('(')
        .and_then(|(f, rest)| Some((f, rest.strip_suffix(')')?)))
    else {
        return if sql.starts_with("case ") {
            KeyEffect::Forgets("rows for which the expression is NULL are not held apart".to_owned())
        } else {
            KeyEffect::Unknown
        };
    };
    let is_column = arguments == column || arguments.starts_with(&format!("{column},"));
    match function {
        // The usual collations ignore letter case already, so nothing is lost.
        "lower" | "upper" | "reverse" if is_column => KeyEffect::Faithful,
        "left" | "right" | "substring" | "substring_index" if is_column => {
            KeyEffect::Merges("values that differ elsewhere become equal".to_owned())
        }
        "replace" if arguments.starts_with(&format!("{column}, '-', '")) => KeyEffect::MergesDashes,
        "trim" | "ltrim" | "rtrim" if is_column => {
            KeyEffect::Merges("values that differ only in blanks become equal".to_owned())
        }
        "coalesce" | "ifnull" if is_column && !takes_null => KeyEffect::Faithful,
        "coalesce" | "ifnull" if is_column => {
            KeyEffect::Merges("NULL becomes equal to the value that stands in for it".to_owned())
        }
        "nullif" | "if" => KeyEffect::Forgets("rows for which the expression is NULL are not held apart".to_owned()),
        _ => KeyEffect::Unknown,
    }
}

impl Meaning for MySql {
    fn is_column(&self, name: &Ident, column: &Column) -> bool {
        self.same_name(&name.value, &column.name)
    }

    fn collation(&self, name: &str) -> Texts {
        Texts::from(&collation(name, None, true))
    }

    fn length_counts_characters(&self) -> bool {
        false
    }
}

/// Parses an expression as the server prints it or a person writes it; nothing if it is not one.
///
/// The parser knows no character sets in casts, which do not change what a text is.
fn parse(sql: &str) -> Option<Expr> {
    if sql.len() > condition::LONGEST {
        return None;
    }
    let mut words = tokens(&expression::canonical(sql));
    while let Some(at) = words.iter().position(|word| word.is_word("charset")) {
        words.drain(at..words.len().min(at + 2));
    }
    condition::parse(&expression::verbatim(&words), &MySqlDialect {})
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: MySql = MySql { mariadb: true };

    #[test]
    fn column_names_fold_and_table_names_do_not() {
        assert!(FACTS.same_name("CorrelationId", "correlationid"));
        assert!(FACTS.same_name("Größe", "GRÖSSE") == ("größe" == "grösse"));
        assert!(FACTS.same_name("ÄÖ", "äö"));
        assert!(!FACTS.same_table_name("Ledger", "ledger"));
    }

    #[test]
    fn names_are_cut_at_64_characters() {
        let long = "ü".repeat(70);
        assert_eq!(FACTS.stored_name(&long).chars().count(), 64);
        assert_eq!(FACTS.stored_name("short"), "short");
    }

    #[test]
    fn backticks_in_names_are_doubled() {
        assert_eq!(FACTS.quote("c`d"), "`c``d`");
    }

    #[test]
    fn key_expressions_are_judged_by_what_they_lose() {
        for (sql, wanted) in [
            ("lower(`EventId`)", "faithful"),
            ("(`EventId`)", "faithful"),
            ("left(`EventId`,8)", "merges"),
            ("substr(`EventId`,1,8)", "merges"),
            ("ifnull(`EventId`,_utf8mb4'')", "merges"),
            ("nullif(`EventId`,_utf8mb4'')", "forgets"),
            ("(case when (`Outcome` = 'x') then `EventId` end)", "forgets"),
            ("md5(`EventId`)", "unknown"),
            ("lower(`Other`)", "unknown"),
        ] {
            let column = Column {
                nullable: true,
                ..Column::plain("EventId", parse_type("char(36)"))
            };
            let effect = match FACTS.key_effect(sql, &column) {
                KeyEffect::Faithful => "faithful",
                KeyEffect::MergesCase => "merges case",
                KeyEffect::MergesDashes => "merges dashes",
                KeyEffect::Merges(_) => "merges",
                KeyEffect::Forgets(_) => "forgets",
                KeyEffect::Unknown => "unknown",
            };
            assert_eq!(effect, wanted, "{sql}");
        }
    }

    #[test]
    fn what_migrations_make_fits_what_was_wanted() {
        for wanted in [
            "uuid",
            "varchar(160)",
            "char(5)",
            "text",
            "integer",
            "bigint",
            "smallint",
            "boolean",
            "timestamptz",
            "timestamp",
            "timestamptz(3)",
            "date",
            "numeric(18,2)",
            "numeric",
            "double",
            "real",
            "bytea",
            "json",
            "jsonb",
            "interval",
            "time",
            "datetime(6)",
            "binary(16)",
            "varbinary(20)",
            "bit(4)",
            "longtext",
            "tinyint",
        ] {
            for mariadb in [true, false] {
                for pinned in [true, false] {
                    let facts = MySql { mariadb };
                    let desired = DesiredType {
                        data: wanted.parse().unwrap(),
                        pinned,
                    };
                    let column = Column {
                        collation: facts.usual_collation(&desired),
                        ..Column::plain("c", facts.native_type(&desired))
                    };
                    // MySQL has no uuid type to pin, and a bare `timestamp` is worth a note.
                    let fit: Fit = facts
                        .fit(&desired, &column)
                        .into_iter()
                        .filter(|m| m.degree > super::super::Degree::Note)
                        .collect();
                    assert!(
                        fit.is_empty() || (wanted == "uuid" && pinned && !mariadb),
                        "{wanted} pinned {pinned}: {fit:?}"
                    );
                }
            }
        }
    }
}
