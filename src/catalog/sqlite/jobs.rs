//! Jobs of an SQLite file: there is no scheduler, so all that can be seen is what runners write down.

use crate::catalog::heartbeat::{HeartbeatRow, hidden, job};
use crate::retention::{Evidence, Hidden};

/// What was read of `ledger_retention`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JobRows {
    rows: Vec<HeartbeatRow>,
    /// Whether the table is there and could not be read.
    unreadable: bool,
}

impl JobRows {
    /// Reads the texts of rows; `None` where the query failed.
    pub(super) fn new(texts: Option<Vec<String>>) -> Self {
        let rows = texts.and_then(|texts| {
            let rows = texts.iter().map(|text| serde_json::from_str(text));
            rows.collect::<Result<Vec<HeartbeatRow>, _>>().ok()
        });
        Self {
            unreadable: rows.is_none(),
            rows: rows.unwrap_or_default(),
        }
    }
}

/// Makes evidence of the rows. Triggers are part of their tables.
pub(super) fn assemble(rows: &JobRows) -> Evidence {
    Evidence {
        looked: true,
        jobs: rows.rows.iter().map(job).collect(),
        hidden: rows.unreadable.then(hidden).into_iter().collect(),
        no_scheduler: Some(Hidden {
            reason:
                "SQLite has no scheduler: a retention job can only live in an application, and nothing in the file \
                     shows one."
                    .to_owned(),
            help: "Let the application that removes old rows keep its row of `ledger_retention`.".to_owned(),
        }),
        folds_names: true,
        ..Evidence::default()
    }
}
