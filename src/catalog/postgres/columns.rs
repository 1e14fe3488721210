//! Columns: types behind domains, defaults, and which texts are equal.

use std::collections::BTreeMap;

use super::assemble::Context;
use super::rows::{CollationRow, ColumnRow, ConstraintRow, DomainCheckRow, DomainRow, TableRow};
use crate::dialect::Dialect;
use crate::dialect::postgres::parse_type;
use crate::schema::{
    Check, Collation, Column, DataType, DefaultExpr, Domain, Equality, Generated, Identity, NativeType,
};

/// The OID of the collation `default`: the database's own.
const DEFAULT_COLLATION: i64 = 100;

/// Makes a column.
pub(super) fn column(row: &ColumnRow, table: &TableRow, context: &Context<'_>) -> Column {
    let ty = native_type(row, context.namespace);
    let default_text = default_text(row);
    let default = default_text
        .as_deref()
        .and_then(|sql| Dialect::Postgres.facts().default_expr(sql, &ty));
    let unproved = unproved_not_null(row, &table.constraints);
    Column {
        name: row.name.clone(),
        nullable: !row.not_null || unproved.is_some(),
        not_null_by: None,
        not_null_unproved: unproved.map(|k| k.name.clone()),
        generated: generated(row),
        identity: identity(row, default.as_ref()),
        on_update: None,
        collation: context.collations.of_column(row, &ty),
        invisible: false,
        not_null_conflict: None,
        allowed_values: row.labels.clone(),
        default,
        default_text,
        ty,
    }
}

fn native_type(row: &ColumnRow, namespace: &str) -> NativeType {
    let base = row.domains.last().map_or(&row.ty, |d| &d.base);
    NativeType {
        spelling: bare_type(&row.ty, namespace),
        data: parse_type(base),
        unsigned: false,
        width: None,
        domains: row.domains.iter().map(|d| domain(d, namespace)).collect(),
    }
}

/// Drops the namespace that was looked in from a type's name, unless the rest is the name of a built-in type.
fn bare_type(spelling: &str, namespace: &str) -> String {
    let quoted = Dialect::Postgres.facts().quote(namespace);
    let bare = [namespace, &quoted]
        .iter()
        .find_map(|prefix| spelling.strip_prefix(*prefix)?.strip_prefix('.'));
    match bare {
        Some(bare) if matches!(parse_type(bare), DataType::Other(_)) => bare.to_owned(),
        _ => spelling.to_owned(),
    }
}

/// Makes a domain.
fn domain(row: &DomainRow, namespace: &str) -> Domain {
    let check = |check: &DomainCheckRow| Check {
        name: check.name.clone(),
        sql: check.sql.clone(),
        columns: vec![Domain::VALUE.to_owned()],
        validated: check.validated,
        enforced: true,
    };
    Domain {
        name: bare_type(&row.name, namespace),
        not_null: row.not_null,
        checks: row.checks.iter().map(check).collect(),
    }
}

/// The column's own default, else that of the outermost domain that has one. `DEFAULT NULL` hides a domain's.
fn default_text(row: &ColumnRow) -> Option<String> {
    row.default
        .clone()
        .or_else(|| row.domains.iter().find_map(|d| d.default.clone()))
        .filter(|_| row.generated.is_none() && row.identity.is_none())
}

fn generated(row: &ColumnRow) -> Option<Generated> {
    row.generated.as_ref().map(|how| Generated {
        sql: row.generation.clone().unwrap_or_default(),
        stored: how == "s",
    })
}

fn identity(row: &ColumnRow, default: Option<&DefaultExpr>) -> Option<Identity> {
    match row.identity.as_deref() {
        Some("a") => Some(Identity::Always),
        Some(_) => Some(Identity::ByDefault),
        None if row.owns_sequence && matches!(default, Some(DefaultExpr::NextValue(_))) => Some(Identity::Auto),
        None => None,
    }
}

/// Returns the NOT NULL of a column that does not hold for all rows: since PostgreSQL 18 it can be NOT VALID.
fn unproved_not_null<'a>(row: &ColumnRow, constraints: &'a [ConstraintRow]) -> Option<&'a ConstraintRow> {
    constraints
        .iter()
        .find(|k| k.kind == "n" && !k.validated && k.columns.contains(&row.name))
}

/// The collations that the wanted tables use.
pub(super) struct Collations {
    by_oid: BTreeMap<i64, (String, Equality)>,
    full_unicode: bool,
}

impl Collations {
    /// Reads the collations of an answer.
    pub(super) fn new(rows: &[CollationRow], encoding: &str) -> Self {
        Self {
            by_oid: rows.iter().map(|r| (r.oid, (r.name.clone(), equality(r)))).collect(),
            full_unicode: matches!(encoding, "UTF8" | "SQL_ASCII"),
        }
    }

    /// Returns the collation of a column.
    pub(super) fn of_column(&self, row: &ColumnRow, ty: &NativeType) -> Option<Collation> {
        let by_domain = !row.domains.is_empty() && row.collation != DEFAULT_COLLATION;
        self.make(
            row.collation,
            &ty.data,
            row.collation != row.type_collation || by_domain,
        )
    }

    /// Returns the collation of an index part that is over a column or expression of a type, if it is known.
    pub(super) fn of_part(&self, oid: i64, column: Option<i64>, ty: Option<&DataType>) -> Option<Collation> {
        let usual = column.filter(|c| *c != 0).unwrap_or(DEFAULT_COLLATION);
        self.make(oid, ty.unwrap_or(&DataType::Text), oid != usual)
    }

    fn make(&self, oid: i64, ty: &DataType, explicit: bool) -> Option<Collation> {
        if oid == 0 {
            return None;
        }
        let known = self.by_oid.get(&oid);
        let equality = match known {
            _ if is_citext(ty) => Equality::CaseInsensitive,
            Some((_, equality)) => *equality,
            None => Equality::Unknown,
        };
        Some(Collation {
            name: known.map_or_else(|| oid.to_string(), |(name, _)| name.clone()),
            charset: None,
            explicit,
            equality,
            pads: matches!(ty, DataType::Char(_)) || *ty == DataType::Other("bpchar".to_owned()),
            full_unicode: self.full_unicode,
        })
    }
}

fn is_citext(ty: &DataType) -> bool {
    matches!(ty, DataType::Other(name) if name.rsplit('.').next() == Some("citext"))
}

/// A deterministic collation only sorts: equal means equal bytes. Of others the locale's strength decides.
fn equality(row: &CollationRow) -> Equality {
    if row.deterministic {
        return Equality::Bytes;
    }
    let locale = row.locale.as_deref().unwrap_or_default().to_ascii_lowercase();
    let any = |words: &[&str]| words.iter().any(|w| locale.contains(w));
    if any(&["ks-level1", "ks-level2", "colstrength=primary", "colstrength=secondary"]) {
        Equality::CaseInsensitive
    } else if row.rules.is_some() || any(&["ka-shifted", "colalternate=shifted", "kn-true", "kn", "colnumeric=yes"]) {
        Equality::Unknown
    } else {
        Equality::CaseSensitive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collation(deterministic: bool, locale: Option<&str>) -> Equality {
        equality(&CollationRow {
            oid: 1,
            name: "c".to_owned(),
            deterministic,
            locale: locale.map(str::to_owned),
            rules: None,
        })
    }

    #[test]
    fn only_collations_that_are_not_deterministic_change_equality() {
        assert_eq!(collation(true, Some("en-US")), Equality::Bytes);
        assert_eq!(collation(true, Some("und-u-ks-level2")), Equality::Bytes);
        assert_eq!(collation(false, Some("und-u-ks-level2")), Equality::CaseInsensitive);
        assert_eq!(
            collation(false, Some("und@colStrength=secondary")),
            Equality::CaseInsensitive
        );
        assert_eq!(collation(false, Some("de-DE")), Equality::CaseSensitive);
        assert_eq!(collation(false, Some("und-u-ka-shifted")), Equality::Unknown);
    }

    #[test]
    fn a_type_of_the_namespace_is_named_without_it_unless_that_is_a_built_in_name() {
        assert_eq!(bare_type("public.ledger_outcome", "public"), "ledger_outcome");
        assert_eq!(bare_type("\"My Space\".kind", "My Space"), "kind");
        assert_eq!(bare_type("public.uuid", "public"), "public.uuid");
        assert_eq!(bare_type("other.kind", "public"), "other.kind");
    }
}
