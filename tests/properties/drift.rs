//! Single facts of a clean database, changed.

use proptest::prelude::*;
use seadrift::catalog::{Catalog, Found};
use seadrift::dialect::{Dialect, is_text};
use seadrift::schema::{Column, DataType, DefaultExpr, KeyExpr, KeyPart, Literal, NativeType, Table};
use seadrift::spec::{ColumnSpec, DefaultSpec, DesiredType, KeyExprSpec, Spec, TableSpec, Wanted};

/// Which fact is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Type,
    Shorter,
    Longer,
    Nullability,
    Default,
    NoColumn,
    NewRequiredColumn,
    PrimaryKey,
    KeyColumn,
    Unique,
    NoIndex,
    NoCheck,
}

const KINDS: [Kind; 12] = [
    Kind::Type,
    Kind::Shorter,
    Kind::Longer,
    Kind::Nullability,
    Kind::Default,
    Kind::NoColumn,
    Kind::NewRequiredColumn,
    Kind::PrimaryKey,
    Kind::KeyColumn,
    Kind::Unique,
    Kind::NoIndex,
    Kind::NoCheck,
];

/// A change and where it is made.
#[derive(Clone, Debug)]
pub(crate) struct Drift {
    kind: Kind,
    table: usize,
    part: usize,
}

impl Drift {
    /// Returns every kind of change at the first places of a table.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        KINDS
            .into_iter()
            .flat_map(|kind| (0..12).map(move |part| Self { kind, table: 0, part }))
    }
}

pub(crate) fn any_drift() -> impl Strategy<Value = Drift> {
    (prop::sample::select(&KINDS[..]), 0_usize..4, 0_usize..8).prop_map(|(kind, table, part)| Drift {
        kind,
        table,
        part,
    })
}

/// Changes one fact that the spec states; says which, or nothing if there is no such fact.
pub(crate) fn plant(catalog: &mut Catalog, spec: &Spec, drift: &Drift) -> Option<String> {
    let dialect = catalog.server.dialect;
    let wanted = &spec.tables[drift.table % spec.tables.len()];
    if !wanted.confirmed {
        return None;
    }
    let sighting = catalog.sightings.iter_mut().find(|s| s.wanted == wanted.name.value)?;
    let Found::Object(table) = &mut sighting.found else {
        return None;
    };
    let done = match drift.kind {
        Kind::NewRequiredColumn => {
            let new = Column::plain("brand new", NativeType::plain(DataType::Integer));
            table.columns.push(new);
            Some(String::new())
        }
        Kind::PrimaryKey => primary_key(wanted, table),
        Kind::KeyColumn | Kind::Unique | Kind::NoIndex => index(wanted, table, drift, dialect),
        Kind::NoCheck => (!wanted.checks.is_empty()).then(|| {
            table.checks.remove(0);
            String::new()
        }),
        Kind::Type | Kind::Shorter | Kind::Longer | Kind::Nullability | Kind::Default | Kind::NoColumn => {
            column(wanted, table, drift, dialect)
        }
    };
    table.normalize();
    done.map(|what| format!("{:?} of {} {what}", drift.kind, wanted.name.value))
}

fn column(wanted: &TableSpec, table: &mut Table, drift: &Drift, dialect: Dialect) -> Option<String> {
    let wanted = wanted.columns.get(drift.part % wanted.columns.len())?;
    if !wanted.confirmed {
        return None;
    }
    let name = dialect.facts().stored_name(&wanted.name.value);
    if drift.kind == Kind::NoColumn {
        table.columns.retain(|c| c.name != name);
        return Some(name.to_owned());
    }
    let observed = table.columns.iter_mut().find(|c| c.name == name)?;
    let what = match drift.kind {
        Kind::Type => other_type(wanted, observed, dialect),
        Kind::Shorter => other_length(wanted, observed, dialect, |n| n.checked_sub(1)),
        Kind::Longer => other_length(wanted, observed, dialect, |n| n.checked_add(1)),
        Kind::Nullability => nullability(wanted, observed),
        _ => default(wanted, observed, dialect),
    }?;
    Some(format!("{name}: {what}"))
}

/// Gives a column a type of another family.
fn other_type(wanted: &ColumnSpec, observed: &mut Column, dialect: Dialect) -> Option<String> {
    let data = wanted.ty.value.stated()?.any.as_ref()?;
    let other = match data {
        DataType::SmallInt
        | DataType::Integer
        | DataType::BigInt
        | DataType::Boolean
        | DataType::Real
        | DataType::Double
        | DataType::Numeric { .. } => DataType::Bytes,
        _ => DataType::Boolean,
    };
    observed.ty = dialect.facts().native_type(&DesiredType::unpinned(other));
    Some(format!("{} instead of {data}", observed.ty.spelling))
}

fn other_length(
    wanted: &ColumnSpec,
    observed: &mut Column,
    dialect: Dialect,
    change: impl Fn(u32) -> Option<u32>,
) -> Option<String> {
    wanted.ty.value.stated()?;
    if !dialect.facts().enforces_lengths() || !is_text(&observed.ty.data) {
        return None;
    }
    let DataType::Varchar(Some(n)) = observed.ty.data else {
        return None;
    };
    observed.ty = NativeType::plain(DataType::Varchar(Some(change(n)?)));
    Some(observed.ty.spelling.clone())
}

fn nullability(wanted: &ColumnSpec, observed: &mut Column) -> Option<String> {
    wanted.nullable.value.stated()?;
    observed.nullable = !observed.nullable;
    Some(format!("nullable is {}", observed.nullable))
}

/// Takes the default away, or gives one where there is none.
fn default(wanted: &ColumnSpec, observed: &mut Column, dialect: Dialect) -> Option<String> {
    let stated = wanted.default.value.stated()?;
    if wanted.identity.value != Wanted::Silent || wanted.generated.value != Wanted::Silent {
        return None;
    }
    let now = match (stated, &observed.default) {
        // Some expressions are NULL, which is no default.
        (DefaultSpec::None, _) | (DefaultSpec::Sql(_), None) => Some(Literal::Text("surprise".to_owned())),
        _ => None,
    };
    observed.default = now.map(|literal| DefaultExpr::Literal(dialect.facts().literal(&literal, &observed.ty)));
    observed.default_text = None;
    Some(format!(
        "default is {:?} instead of {}",
        observed.default,
        stated.print()
    ))
}

fn primary_key(wanted: &TableSpec, table: &mut Table) -> Option<String> {
    wanted.primary_key.value.stated()?;
    table.primary_key = None;
    table.indexes.retain(|i| !i.primary);
    Some(String::new())
}

fn index(wanted: &TableSpec, table: &mut Table, drift: &Drift, dialect: Dialect) -> Option<String> {
    let stated = wanted.indexes.get(drift.part % wanted.indexes.len().max(1))?;
    if !stated.confirmed {
        return None;
    }
    let name = dialect.facts().stored_name(&stated.name.value);
    // An index that another one stands in for is missed by nobody but its name's sake.
    let at = table.indexes.iter().position(|i| i.name == name)?;
    match drift.kind {
        Kind::NoIndex => {
            table.indexes.remove(at);
        }
        Kind::Unique => table.indexes[at].unique = !table.indexes[at].unique,
        _ => {
            let KeyExprSpec::Column(first) = &stated.key.value.first()?.expr else {
                return None;
            };
            let other = wanted.columns.iter().find(|c| c.name.value != *first)?;
            table.indexes[at].key[0] = KeyPart {
                expr: KeyExpr::Column(dialect.facts().stored_name(&other.name.value).to_owned()),
                ..table.indexes[at].key[0].clone()
            };
        }
    }
    Some(name.to_owned())
}
