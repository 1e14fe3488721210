//! Targets: one live database, checked against one service's spec.

use crate::catalog::{Ask, AskTable, JobQuestion, Limits};
use crate::spec::Spec;

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
    /// Returns the question about jobs: they are looked for where the spec speaks of retention.
    pub fn job_question(&self, spec: &Spec) -> JobQuestion<'_> {
        JobQuestion {
            wanted: spec.tables.iter().any(|table| table.retention.is_some()),
            scheduler: self.scheduler.as_ref(),
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
