//! What SQLite means by its words.
//!
//! `token.rs` cuts its text, `affinity.rs` reads declared types and `fit.rs` judges them, `default.rs` and
//! `expression.rs` bring expressions to normal form.

mod affinity;
mod default;
mod expression;
mod fit;
pub(crate) mod token;

pub(crate) use affinity::{Affinity, native};

use sqlparser::ast::{Expr, Ident};
use sqlparser::dialect::SQLiteDialect;

use super::condition::{self, Meaning, Texts};
use super::{Condition, Departure, DesiredType, Facts, Fit, KeyEffect, Row};
use crate::schema::{Collation, Column, DataType, DefaultExpr, Equality, Literal, NativeType};

/// The facts of SQLite.
pub(super) struct Sqlite;

impl Facts for Sqlite {
    fn fit(&self, desired: &DesiredType, column: &Column) -> Fit {
        fit::fit(desired, column)
    }

    fn native_type(&self, desired: &DesiredType) -> NativeType {
        let ty = native(&declaration(desired), false);
        NativeType {
            data: desired.data.clone(),
            ..ty
        }
    }

    fn usual_collation(&self, desired: &DesiredType) -> Option<Collation> {
        Affinity::of(&self.native_type(desired))
            .keeps_text()
            .then(|| collation("BINARY", false))
    }

    fn default_expr(&self, sql: &str, ty: &NativeType) -> Option<DefaultExpr> {
        default::normalize(sql, ty)
    }

    fn literal(&self, value: &Literal, ty: &NativeType) -> Literal {
        default::canonical(value.clone(), ty)
    }

    fn expression(&self, sql: &str) -> String {
        expression::normalize(sql)
    }

    fn conditions(&self, sql: &str) -> Vec<Condition> {
        expression::conditions(sql)
    }

    fn is_constant(&self, sql: &str) -> bool {
        expression::is_constant(sql)
    }

    fn same_table_name(&self, a: &str, b: &str) -> bool {
        self.same_name(a, b)
    }

    fn same_name(&self, a: &str, b: &str) -> bool {
        // SQLite folds ASCII letters only: `Ü` and `ü` are two names.
        a.eq_ignore_ascii_case(b)
    }

    fn stored_name<'a>(&self, name: &'a str) -> &'a str {
        name
    }

    fn quote(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    fn departure(&self, sql: &str) -> Option<Departure> {
        default::departure(sql)
    }

    fn key_effect(&self, sql: &str, column: &Column) -> KeyEffect {
        expression::key_effect(sql, &column.name, column.takes_null())
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

    fn kept_as(&self, ty: &NativeType) -> Option<String> {
        Some(format!("{} affinity", Affinity::of(ty).title()))
    }

    fn enforces_lengths(&self) -> bool {
        false
    }

    fn default_namespace(&self) -> Option<&'static str> {
        None
    }
}

/// Parses a check; nothing if it is not one.
///
/// The parser has no `NOT GLOB`. Whether a text is like such a pattern is not known either way, so that the NOT of it
/// means nothing.
fn parse(sql: &str) -> Option<Expr> {
    const PATTERNS: [&str; 3] = ["glob", "regexp", "match"];
    let tokens = token::tokenize(sql).ok()?;
    let is_pattern = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|next| PATTERNS.iter().any(|word| next.is(word)))
    };
    let kept = (0..tokens.len()).filter(|at| !(tokens[*at].is("not") && is_pattern(at + 1)));
    let words: Vec<&str> = kept.map(|at| tokens[at].text).collect();
    condition::parse(&words.join(" "), &SQLiteDialect {})
}

/// Returns the words that migrations write for a desired type: those of sea-query's SQLite builder, and the plain
/// storage class for a pinned one.
fn declaration(desired: &DesiredType) -> String {
    let sized = |name: &str, n: Option<u32>| n.map_or_else(|| name.to_owned(), |n| format!("{name}({n})"));
    match &desired.data {
        DataType::Uuid => "uuid_text".to_owned(),
        DataType::Char(n) => sized("char", Some(*n)),
        DataType::Varchar(n) => sized("varchar", *n),
        DataType::Text | DataType::TinyText | DataType::MediumText | DataType::LongText => "text".to_owned(),
        DataType::TinyInt => "tinyint".to_owned(),
        DataType::SmallInt => "smallint".to_owned(),
        DataType::MediumInt | DataType::Integer | DataType::BigInt | DataType::Bit(_) => "integer".to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        DataType::Numeric {
            precision: Some(p),
            scale,
        } => format!("real({p}, {})", scale.unwrap_or(0)),
        DataType::Numeric { precision: None, .. } => "real_decimal".to_owned(),
        DataType::Real => "float".to_owned(),
        DataType::Double => "double".to_owned(),
        DataType::Binary(n) => sized("blob", Some(*n)),
        DataType::Varbinary(n) => sized("varbinary_blob", Some(*n)),
        DataType::Bytes => "blob".to_owned(),
        DataType::Timestamp { zoned: true, .. } => "timestamp_with_timezone_text".to_owned(),
        DataType::Timestamp { zoned: false, .. } => "timestamp_text".to_owned(),
        DataType::DateTime { .. } => "datetime_text".to_owned(),
        DataType::Date => "date_text".to_owned(),
        DataType::Time { .. } => "time_text".to_owned(),
        // sea-query has no interval for SQLite; the ISO 8601 form is text.
        DataType::Interval => "text".to_owned(),
        DataType::Json => "json_text".to_owned(),
        DataType::Jsonb => "jsonb_text".to_owned(),
        DataType::Other(native) => native.clone(),
    }
}

/// Makes a collation by its name; the three that SQLite has of its own are known.
pub(crate) fn collation(name: &str, explicit: bool) -> Collation {
    let (equality, pads) = match name.to_ascii_uppercase().as_str() {
        "BINARY" => (Equality::Bytes, false),
        "NOCASE" => (Equality::CaseInsensitive, false),
        "RTRIM" => (Equality::Bytes, true),
        _ => (Equality::Unknown, false),
    };
    Collation {
        name: name.to_owned(),
        charset: None,
        explicit,
        equality,
        pads,
        full_unicode: true,
    }
}

impl Meaning for Sqlite {
    fn is_column(&self, name: &Ident, column: &Column) -> bool {
        self.same_name(&name.value, &column.name)
    }

    fn collation(&self, name: &str) -> Texts {
        Texts::from(&collation(name, true))
    }

    fn quotes_texts_twice(&self) -> bool {
        true
    }

    fn casts_cut(&self) -> bool {
        false
    }

    fn like_ignores_case(&self) -> bool {
        true
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Columns for the tests of this room.

    use super::*;

    /// Makes a nullable column of a declared type.
    pub(crate) fn column(name: &str, declared: &str) -> Column {
        Column {
            nullable: true,
            ..Column::plain(name, native(declared, false))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: &[&str] = &[
        "uuid",
        "char(36)",
        "varchar(160)",
        "varchar",
        "text",
        "tinyint",
        "smallint",
        "integer",
        "bigint",
        "boolean",
        "numeric(18,2)",
        "numeric",
        "real",
        "double",
        "binary(16)",
        "varbinary(40)",
        "bytea",
        "timestamptz",
        "timestamp",
        "datetime",
        "date",
        "time",
        "interval",
        "json",
        "jsonb",
    ];

    #[test]
    fn what_migrations_make_fits_what_was_desired() {
        for text in TYPES {
            for pinned in [false, true] {
                let desired = DesiredType {
                    data: text.parse().unwrap(),
                    pinned,
                };
                let ty = Sqlite.native_type(&desired);
                let observed = Column {
                    ty: native(&ty.spelling, false),
                    ..testing::column("c", "")
                };
                assert_eq!(Sqlite.fit(&desired, &observed), [], "{text} pinned: {pinned}");
            }
        }
    }

    #[test]
    fn names_differ_in_letters_beyond_ascii_only() {
        assert!(Sqlite.same_name("EventId", "eventid"));
        assert!(Sqlite.same_table_name("Größe", "GRößE"));
        assert!(!Sqlite.same_table_name("EREIGNISSE_Ü", "ereignisse_ü"));
        assert_eq!(Sqlite.quote("a\"b"), "\"a\"\"b\"");
    }

    #[test]
    fn texts_are_compared_by_bytes_unless_somebody_says_otherwise() {
        let text = DesiredType {
            data: DataType::Text,
            pinned: false,
        };
        let number = DesiredType {
            data: DataType::BigInt,
            pinned: false,
        };
        let usual = Sqlite.usual_collation(&text).unwrap();
        assert_eq!((usual.equality, usual.explicit), (Equality::Bytes, false));
        assert_eq!(Sqlite.usual_collation(&number), None);
        assert_eq!(collation("nocase", true).equality, Equality::CaseInsensitive);
        assert!(collation("RTRIM", true).pads);
        assert_eq!(collation("emoji", true).equality, Equality::Unknown);
    }
}
