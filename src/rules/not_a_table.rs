//! A view or another kind of object under a wanted table's name.

use crate::catalog::Found;
use crate::finding::Severity;
use crate::schema::{Kind, Table};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T002",
    name: "not-a-table",
    severity: Severity::Critical,
    summary: "something else than a table has the name of a wanted table",
    page: include_str!("not_a_table.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.table().kind = Kind::View {
            updatable: Some(false),
            over: Vec::new(),
        };
    }),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let Found::Object(table) = &ctx.pair.sighting.found else {
        return;
    };
    if let Some(draft) = draft(table, ctx) {
        sink.report(draft);
    }
}

/// What an object is, and what that means for writes to it.
struct Verdict {
    severity: Severity,
    what: String,
    impact: &'static str,
}

fn draft(table: &Table, ctx: &Context<'_>) -> Option<Draft> {
    let wanted = ctx.desired();
    let Verdict { severity, what, impact } = judge(&table.kind)?;
    let consequence = if severity == Severity::Critical {
        wording::refused(wanted.role)
    } else {
        "Whether a second delivery of an event is refused depends on an object that this check does not look at."
    };
    Some(Draft {
        severity,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: Some("table".to_owned()),
        found: Some(what.clone()),
        message: format!("{} is {what}, not a table", wording::name(&wanted.name.value)),
        impact: format!("{impact} {consequence}"),
        help: help(&table.kind).to_owned(),
    })
}

fn judge(kind: &Kind) -> Option<Verdict> {
    let (severity, what, impact) = match kind {
        Kind::Table | Kind::SystemVersioned => return None,
        Kind::View { updatable, over } => {
            let tables: Vec<String> = over.iter().map(|name| wording::name(name)).collect();
            let over = if tables.is_empty() {
                String::new()
            } else {
                format!(" over {}", wording::list(&tables))
            };
            if *updatable == Some(false) {
                let impact = "No row can be inserted through this view.";
                (
                    Severity::Critical,
                    format!("a view{over} that takes no inserts"),
                    impact,
                )
            } else {
                let impact = "A view has no key and no index of its own, so none of the spec's can be verified on it.";
                (Severity::Error, format!("a view{over}"), impact)
            }
        }
        Kind::MaterializedView => (
            Severity::Critical,
            "a materialized view".to_owned(),
            "No row can be written to it, and what it shows is as old as its last refresh.",
        ),
        Kind::ForeignTable => (
            Severity::Error,
            "a foreign table".to_owned(),
            "Keys of a foreign table are not enforced here, and its rows are not part of the service's transaction.",
        ),
        Kind::VirtualTable(module) => (
            Severity::Critical,
            format!("a virtual table of the module {}", wording::name(module)),
            "It has no types, no keys and no unique index.",
        ),
        Kind::Other(what) => (
            Severity::Critical,
            wording::with_article(what),
            "It holds no rows of the service.",
        ),
    };
    Some(Verdict { severity, what, impact })
}

fn help(kind: &Kind) -> &'static str {
    match kind {
        Kind::View { over, .. } if over.len() == 1 => {
            "Let the spec name the table under the view if that is the service's own, or rename the view and the table \
             so that the service's name stands for the table."
        }
        Kind::ForeignTable => "Check the server that holds the table instead, or create the table here.",
        _ => "Rename or drop the object, then run the service's migrations to create the table.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn kind(kind: Kind) -> Scene {
        Scene::ledger(Dialect::Postgres).table(|t| t.kind = kind)
    }

    #[test]
    fn quiet_for_tables_and_for_tables_with_history() {
        kind(Kind::Table).run(&RULE).assert_quiet();
        kind(Kind::SystemVersioned).run(&RULE).assert_quiet();
    }

    #[test]
    fn quiet_when_nothing_is_there() {
        Scene::ledger(Dialect::Postgres)
            .without_table()
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn an_insertable_view_is_an_error_that_names_the_table_under_it() {
        for updatable in [Some(true), None] {
            let over = vec!["LedgerRows".to_owned()];
            let said = kind(Kind::View { updatable, over }).run(&RULE);
            assert_eq!(said.severity(), Severity::Error);
            let message = said.finding().message.raw();
            assert_eq!(
                message,
                "`ProcessedIntegrationEvents` is a view over `LedgerRows`, not a table"
            );
        }
    }

    #[test]
    fn whatever_takes_no_rows_is_critical() {
        let read_only = Kind::View {
            updatable: Some(false),
            over: Vec::new(),
        };
        for other in [
            read_only,
            Kind::MaterializedView,
            Kind::VirtualTable("fts5".to_owned()),
            Kind::Other("sequence".to_owned()),
        ] {
            assert_eq!(
                kind(other.clone()).run(&RULE).severity(),
                Severity::Critical,
                "{other:?}"
            );
        }
    }

    #[test]
    fn a_foreign_table_is_an_error() {
        assert_eq!(kind(Kind::ForeignTable).run(&RULE).severity(), Severity::Error);
    }
}
