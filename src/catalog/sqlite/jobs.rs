//! Jobs of an SQLite file: there is no scheduler, so all that can be seen is triggers, and what runners write down.

use super::rows::StatementRow;
use super::statement::read_trigger;
use super::triggers::trigger;
use crate::catalog::heartbeat::{HeartbeatRow, hidden, job};
use crate::retention::{Evidence, Hidden, TableTrigger, View};
use crate::schema::Timing;

/// What was read of `ledger_retention`, and of triggers and views.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JobRows {
    rows: Vec<HeartbeatRow>,
    /// Whether the table is there and could not be read.
    unreadable: bool,
    /// Triggers that may delete rows, and views; nothing where they could not be read.
    statements: Option<Vec<StatementRow>>,
}

impl JobRows {
    /// Reads the texts of rows; `None` where a query failed.
    pub(super) fn new(texts: Option<Vec<String>>, statements: Option<Vec<StatementRow>>) -> Self {
        let rows = texts.and_then(|texts| {
            let rows = texts.iter().map(|text| serde_json::from_str(text));
            rows.collect::<Result<Vec<HeartbeatRow>, _>>().ok()
        });
        Self {
            unreadable: rows.is_none(),
            rows: rows.unwrap_or_default(),
            statements,
        }
    }
}

/// Makes evidence of the rows. Triggers of the wanted tables are also part of those.
pub(super) fn assemble(rows: &JobRows) -> Evidence {
    let mut places: Vec<Hidden> = rows.unreadable.then(hidden).into_iter().collect();
    let statements = rows.statements.as_deref().unwrap_or_default();
    let (triggers, unread) = triggers(statements);
    if rows.statements.is_none() || unread {
        places.insert(
            0,
            Hidden {
                reason: "Not every trigger of the file could be read, and one may remove old rows.".to_owned(),
                help: "Look at the file's triggers by hand.".to_owned(),
            },
        );
    }
    Evidence {
        looked: true,
        jobs: rows.rows.iter().map(job).collect(),
        hidden: places,
        no_scheduler: Some(Hidden {
            reason:
                "SQLite has no scheduler: a retention job can only live in an application, and nothing in the file \
                     shows one."
                    .to_owned(),
            help: "Let the application that removes old rows keep its row of `ledger_retention`.".to_owned(),
        }),
        folds_names: true,
        views: views(statements, &triggers),
        triggers,
        ..Evidence::default()
    }
}

/// Reads triggers; answers also whether one was not understood.
fn triggers(statements: &[StatementRow]) -> (Vec<TableTrigger>, bool) {
    let mut read = Vec::new();
    let mut unread = false;
    for row in statements.iter().filter(|row| row.kind == "trigger") {
        match row.sql.as_deref().map(read_trigger) {
            Some(Ok(text)) => read.push(TableTrigger {
                namespace: None,
                table: row.table.clone(),
                trigger: trigger(&row.name, text),
            }),
            _ => unread = true,
        }
    }
    (read, unread)
}

/// Returns the views that take deletions: those with a trigger that does something in their place.
fn views(statements: &[StatementRow], triggers: &[TableTrigger]) -> Vec<View> {
    let instead = |view: &StatementRow| {
        let mine = triggers.iter().filter(|of| of.table.eq_ignore_ascii_case(&view.name));
        let mut bodies = mine
            .map(|of| &of.trigger)
            .filter(|t| t.timing == Timing::InsteadOf && t.events.iter().any(|event| event == "DELETE"));
        let first = bodies.next()?;
        // Several triggers all run, and a condition lets some rows pass without.
        match bodies.next().or(first.condition.as_ref().map(|_| first)) {
            Some(_) => Some(String::new()),
            None => first.body.clone(),
        }
    };
    let views = statements.iter().filter(|row| row.kind == "view");
    views
        .filter_map(|row| {
            Some(View {
                namespace: None,
                name: row.name.clone(),
                definition: row.sql.clone(),
                instead: Some(instead(row)?),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &str, name: &str, table: &str, sql: &str) -> StatementRow {
        StatementRow {
            kind: kind.to_owned(),
            name: name.to_owned(),
            table: table.to_owned(),
            sql: Some(sql.to_owned()),
        }
    }

    #[test]
    fn triggers_and_views_that_take_deletions_are_evidence() {
        let rows = JobRows::new(
            Some(Vec::new()),
            Some(vec![
                row(
                    "trigger",
                    "t",
                    "beat",
                    "CREATE TRIGGER t AFTER INSERT ON beat BEGIN DELETE FROM L; END",
                ),
                row(
                    "trigger",
                    "d",
                    "v",
                    "CREATE TRIGGER d INSTEAD OF DELETE ON v BEGIN DELETE FROM L; END",
                ),
                row("view", "v", "v", "CREATE VIEW v AS SELECT * FROM L"),
                row("view", "w", "w", "CREATE VIEW w AS SELECT * FROM L"),
            ]),
        );
        let evidence = assemble(&rows);
        assert_eq!(evidence.hidden, []);
        assert!(evidence.no_scheduler.is_some());
        let tables: Vec<&str> = evidence.triggers.iter().map(|of| of.table.as_str()).collect();
        assert_eq!(tables, ["beat", "v"]);
        let [view] = &evidence.views[..] else {
            panic!("only one of the views takes deletions: {:?}", evidence.views);
        };
        assert_eq!(
            (view.name.as_str(), view.instead.as_deref()),
            ("v", Some("DELETE FROM L;"))
        );
    }

    #[test]
    fn triggers_that_were_not_read_are_hidden() {
        let unreadable = JobRows::new(
            Some(Vec::new()),
            Some(vec![row("trigger", "t", "x", "CREATE nonsense")]),
        );
        for rows in [JobRows::new(Some(Vec::new()), None), unreadable] {
            assert!(assemble(&rows).hidden[0].reason.contains("Not every trigger"));
        }
    }
}
