//! What PostgreSQL means by its words.
//!
//! - `types`: spellings of types and how one type serves for another
//! - `expression`, `rewrite`: SQL expressions in normal form
//! - `defaults`, `constants`: defaults and constants by value
//! - `keys`: what an expression does to a unique key
//! - `predicates`: what a predicate asks of a row

mod chain;
mod constants;
mod defaults;
mod expression;
mod keys;
mod predicates;
mod rewrite;
mod types;

use sqlparser::ast::Ident;

use super::condition::{self, Meaning, Texts};
use super::{Condition, Departure, DesiredType, Facts, Fit, KeyEffect, Row};
use crate::schema::{Collation, Column, DataType, DefaultExpr, Equality, Identity, Literal, NativeType};

pub(crate) use expression::{columns_read, outside_quotes};
pub(crate) use predicates::conditions;
pub(crate) use types::parse_type;

/// The facts of PostgreSQL.
pub(super) struct Postgres;

/// The longest name that PostgreSQL stores, in bytes (`NAMEDATALEN` - 1).
const NAME_BYTES: usize = 63;

impl Facts for Postgres {
    fn fit(&self, desired: &DesiredType, column: &Column) -> Fit {
        types::fit(&types::native(&desired.data), column)
    }

    fn native_type(&self, desired: &DesiredType) -> NativeType {
        let data = types::native(&desired.data);
        NativeType {
            spelling: types::spell(&data),
            ..NativeType::plain(data)
        }
    }

    fn usual_collation(&self, desired: &DesiredType) -> Option<Collation> {
        let data = types::native(&desired.data);
        super::is_text(&data).then(|| Collation {
            name: "default".to_owned(),
            charset: None,
            explicit: false,
            equality: Equality::Bytes,
            pads: matches!(data, DataType::Char(_)),
            full_unicode: true,
        })
    }

    fn default_expr(&self, sql: &str, ty: &NativeType) -> Option<DefaultExpr> {
        defaults::normalize(sql, ty)
    }

    fn literal(&self, value: &Literal, ty: &NativeType) -> Literal {
        constants::normalize_literal(value, ty)
    }

    fn expression(&self, sql: &str) -> String {
        expression::normalize(sql)
    }

    fn conditions(&self, sql: &str) -> Vec<Condition> {
        predicates::conditions(sql)
    }

    fn is_constant(&self, sql: &str) -> bool {
        predicates::is_constant(sql)
    }

    fn same_table_name(&self, a: &str, b: &str) -> bool {
        self.same_name(a, b)
    }

    fn same_name(&self, a: &str, b: &str) -> bool {
        self.stored_name(a) == self.stored_name(b)
    }

    fn stored_name<'a>(&self, name: &'a str) -> &'a str {
        &name[..name.floor_char_boundary(NAME_BYTES)]
    }

    fn quote(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    fn departure(&self, sql: &str) -> Option<Departure> {
        defaults::departure(sql)
    }

    fn predicate(&self, sql: &str, columns: &[Column]) -> String {
        predicates::typed(sql, columns)
    }

    fn key_effect(&self, sql: &str, column: &Column) -> KeyEffect {
        keys::effect(sql, &column.name, Some(column))
    }

    fn is_condition(&self, sql: &str) -> bool {
        expression::parse_verbatim(sql).is_some_and(|expr| condition::is_condition(&expr))
    }

    fn constant_text(&self, sql: &str) -> Option<String> {
        condition::constant_text(&expression::parse_verbatim(sql)?, self)
    }

    fn admits(&self, check: &str, row: &Row<'_>) -> Option<bool> {
        condition::admits(&expression::parse_verbatim(check)?, row, self)
    }

    fn only_keeps_null_out(&self, check: &str) -> bool {
        expression::parse_verbatim(check).is_some_and(|expr| condition::only_keeps_null_out(&expr))
    }

    fn builds_concurrently(&self) -> bool {
        true
    }

    fn usual_identity(&self) -> Identity {
        Identity::ByDefault
    }

    fn enforces_lengths(&self) -> bool {
        true
    }

    fn default_namespace(&self) -> Option<&'static str> {
        Some("public")
    }
}

impl Meaning for Postgres {
    fn is_column(&self, name: &Ident, column: &Column) -> bool {
        name.value == column.name
    }

    fn collation(&self, name: &str) -> Texts {
        match name {
            "C" | "POSIX" | "ucs_basic" | "C.UTF-8" | "default" => Texts::EXACT,
            _ => Texts::UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_at_63_bytes_and_never_inside_a_character() {
        let long = "UX_ProcessedIntegrationEvents_Notification_EventId_SourceService_Unique";
        assert_eq!(
            Postgres.stored_name(long),
            "UX_ProcessedIntegrationEvents_Notification_EventId_SourceServic"
        );
        let umlauts = format!("{}ö", "x".repeat(62));
        assert_eq!(Postgres.stored_name(&umlauts), "x".repeat(62));
        assert_eq!(Postgres.stored_name("EventId"), "EventId");
    }

    #[test]
    fn letter_case_makes_another_name() {
        assert!(Postgres.same_name("EventId", "EventId"));
        assert!(!Postgres.same_name("EventId", "eventid"));
        assert!(!Postgres.same_table_name("Größe", "Gro\u{308}ße"));
    }

    #[test]
    fn quotes_inside_names_are_doubled() {
        assert_eq!(Postgres.quote("c\"d"), "\"c\"\"d\"");
        assert_eq!(Postgres.quote("order"), "\"order\"");
    }

    #[test]
    fn a_clean_database_has_the_types_that_migrations_make() {
        for (desired, spelling) in [
            ("uuid", "uuid"),
            ("varchar(160)", "character varying(160)"),
            ("varchar", "character varying"),
            ("timestamptz", "timestamp with time zone"),
            ("timestamp(3)", "timestamp(3) without time zone"),
            ("datetime(6)", "timestamp(6) without time zone"),
            ("integer", "integer"),
            ("tinyint", "smallint"),
            ("double", "double precision"),
            ("numeric(18,2)", "numeric(18,2)"),
            ("char(3)", "character(3)"),
            ("longtext", "text"),
            ("binary(16)", "bytea"),
            ("jsonb", "jsonb"),
        ] {
            let ty = Postgres.native_type(&DesiredType {
                data: desired.parse().unwrap(),
                pinned: false,
            });
            assert_eq!(ty.spelling, spelling);
            assert_eq!(parse_type(spelling), ty.data, "{spelling} reads back");
        }
    }

    #[test]
    fn only_text_has_a_usual_collation() {
        let of = |text: &str| {
            Postgres.usual_collation(&DesiredType {
                data: text.parse().unwrap(),
                pinned: false,
            })
        };
        assert_eq!(of("uuid"), None);
        assert_eq!(of("varchar(40)").unwrap().equality, Equality::Bytes);
        assert!(of("char(40)").unwrap().pads);
        assert!(!of("text").unwrap().pads);
    }
}
