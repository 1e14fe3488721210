//! Targets: one live database, checked against one service's spec.

use crate::catalog::{Ask, AskTable, DataQuestion, Further, Limits};
use crate::dialect::Dialect;
use crate::schema::DataType;
use crate::spec::{Spec, Status, TableSpec};

use super::DatabaseUrl;

/// A live database and how to look at it.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name in reports.
    pub name: String,
    /// Where it is.
    pub url: DatabaseUrl,
    /// The service whose spec it is checked against.
    pub service: String,
    /// The namespace to look in; the dialect's own where absent.
    pub namespace: Option<String>,
    /// Where `pg_cron` lives, if that is another database of the same server.
    pub scheduler: Option<DatabaseUrl>,
    /// How long anything may take.
    pub limits: Limits,
}

impl Target {
    /// Returns what is asked beside the catalog: jobs where the spec speaks of retention, and with `data` what the rows
    /// themselves say.
    pub fn further(&self, spec: &Spec, data: bool) -> Further<'_> {
        Further {
            jobs: spec.tables.iter().any(|table| table.retention.is_some()),
            scheduler: self.scheduler.as_ref(),
            data: match data {
                true => spec.tables.iter().map(data_question).collect(),
                false => Vec::new(),
            },
        }
    }

    /// Returns the question to put to the target's catalog so that a spec can be judged.
    pub fn ask(&self, spec: &Spec) -> Ask {
        Ask {
            namespace: self.namespace.clone(),
            tables: spec
                .tables
                .iter()
                .map(|table| AskTable {
                    name: table.name.value.clone(),
                    indexes: table.indexes.iter().map(|index| index.name.value.clone()).collect(),
                })
                .collect(),
            limits: self.limits,
        }
    }
}

/// Asks of a table's rows what its spec states about them.
fn data_question(table: &TableSpec) -> DataQuestion {
    let age = table.retention.as_ref().map(|retention| {
        let column = &retention.column.value;
        let wanted = table.column(column).and_then(|column| column.ty.value.guess());
        let wanted = wanted.and_then(|ty| ty.on(Dialect::Postgres));
        let says_utc = wanted.is_some_and(|ty| matches!(ty.data, DataType::Timestamp { zoned: false, .. }));
        (column.clone(), says_utc)
    });
    let values = table.columns.iter().filter_map(|column| {
        let allowed = column.values.value.guess()?;
        Some((column.name.value.clone(), allowed.clone()))
    });
    DataQuestion {
        table: table.name.value.clone(),
        age,
        event_id: table.event_id().filter(|_| table.is_ledger()).map(str::to_owned),
        values: values.collect(),
        unused: table.status == Status::Unused,
    }
}
