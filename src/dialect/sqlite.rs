//! What Sqlite means by its words.

use super::{DesiredType, Facts, Fit, KeyEffect};
use crate::schema::{Collation, Column, DefaultExpr, Literal, NativeType};

/// The facts of Sqlite.
pub(super) struct Sqlite;

impl Facts for Sqlite {
    fn fit(&self, _desired: &DesiredType, _column: &Column) -> Fit {
        Vec::new()
    }

    fn native_type(&self, desired: &DesiredType) -> NativeType {
        NativeType::plain(desired.data.clone())
    }

    fn usual_collation(&self, _desired: &DesiredType) -> Option<Collation> {
        None
    }

    fn default_expr(&self, sql: &str, _ty: &NativeType) -> Option<DefaultExpr> {
        Some(DefaultExpr::Expression(sql.to_owned()))
    }

    fn literal(&self, value: &Literal, _ty: &NativeType) -> Literal {
        value.clone()
    }

    fn expression(&self, sql: &str) -> String {
        sql.to_owned()
    }

    fn same_table_name(&self, a: &str, b: &str) -> bool {
        a == b
    }

    fn same_name(&self, a: &str, b: &str) -> bool {
        a == b
    }

    fn stored_name<'a>(&self, name: &'a str) -> &'a str {
        name
    }

    fn quote(&self, name: &str) -> String {
        format!("\"{name}\"")
    }

    fn key_expression(&self, _sql: &str, _column: &str) -> KeyEffect {
        KeyEffect::Unknown
    }

    fn enforces_lengths(&self) -> bool {
        true
    }

    fn default_namespace(&self) -> Option<&'static str> {
        None
    }
}
