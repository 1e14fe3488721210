//! Targets: one live database, checked against one service's spec.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::catalog::{self, Ask, AskTable, DataQuestion, Further, Limits};
use crate::dialect::Dialect;
use crate::schema::DataType;
use crate::spec::{Spec, Status, TableSpec};

use super::{DatabaseUrl, Place};

/// A live database and how to look at it.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name in reports.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The service whose spec it is checked against.
    pub service: String,
    /// The namespace to look in; the dialect's own where absent.
    pub namespace: Option<String>,
    /// Where `pg_cron` lives, if that is another database of the same server.
    pub scheduler: Option<Place>,
    /// How long anything may take.
    pub limits: Limits,
    /// How long the whole target may take; nothing limits it where absent.
    pub deadline: Option<Duration>,
    /// What it is chosen by beside its name.
    pub labels: BTreeMap<String, String>,
}

impl Target {
    /// Makes a target that is named as its service, without anything that may be left out.
    pub fn new(service: &str, place: impl Into<Place>) -> Self {
        Self {
            name: service.to_owned(),
            place: place.into(),
            service: service.to_owned(),
            namespace: None,
            scheduler: None,
            limits: Limits::default(),
            deadline: None,
            labels: BTreeMap::new(),
        }
    }

    /// Returns the URL for one connection, with its password.
    ///
    /// # Errors
    ///
    /// The password cannot be obtained.
    pub async fn open(&self) -> Result<DatabaseUrl, catalog::Error> {
        self.place.open().await
    }

    /// Returns what tells servers apart, so that each gets so many connections at once and no more.
    pub fn server_key(&self) -> String {
        self.place.server_key()
    }

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
