//! A storage engine or mode that keeps less than the service relies on.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::{Engine, Kind};
use crate::spec::Role;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T005",
    name: "table-engine",
    severity: Severity::Critical,
    summary: "the storage engine or mode is not the usual one",
    page: include_str!("table_engine.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::MySql, Dialect::MariaDb, Dialect::Sqlite],
        "tables have no engine to choose",
        |ground| {
            let memory = ground.dialect() != Dialect::Sqlite;
            ground.table().engine = Some(Engine {
                name: if memory { "MEMORY" } else { "STRICT" }.to_owned(),
                transactional: !memory,
                durable: !memory,
                usual: false,
            });
        },
    ),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = ctx.pair.table else {
        return;
    };
    if let Some(engine) = table.engine.as_ref().filter(|engine| !engine.usual) {
        sink.report(engine_draft(engine, ctx));
    } else if table.kind == Kind::SystemVersioned {
        sink.report(history_draft(ctx));
    }
}

fn engine_draft(engine: &Engine, ctx: &Context<'_>) -> Draft {
    let wanted = ctx.desired();
    let name = &engine.name;
    let (severity, flaw, impact, help) = if !engine.durable {
        (
            lost_on_restart(wanted.role),
            ", which keeps no rows over a restart",
            format!(
                "The table is empty after each restart of the server. {}",
                wording::emptied(wanted.role)
            ),
            convert(ctx),
        )
    } else if !engine.transactional {
        (
            outside_transactions(wanted.role),
            ", which has no transactions",
            "A row stays when the work it was written with is rolled back, and a crash can keep one without the other: \
             a recorded event may never have been handled, or a handled one may not be recorded."
                .to_owned(),
            convert(ctx),
        )
    } else {
        (
            Severity::Info,
            "",
            "Every fact of the spec can hold in it; the service's migrations make another one.".to_owned(),
            "Nothing, if it is meant. Otherwise make the table anew as the service's migrations do.".to_owned(),
        )
    };
    Draft {
        severity,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: None,
        found: Some(name.clone()),
        message: format!("table {} is stored as {name}{flaw}", wording::name(&wanted.name.value)),
        impact,
        help,
    }
}

fn lost_on_restart(role: Role) -> Severity {
    if wording::carries_events(role) {
        Severity::Critical
    } else {
        Severity::Error
    }
}

fn outside_transactions(role: Role) -> Severity {
    if wording::carries_events(role) {
        Severity::Error
    } else {
        Severity::Warning
    }
}

/// Only servers with engines to choose from have ones that lose rows or transactions, and InnoDB is theirs.
fn convert(ctx: &Context<'_>) -> String {
    let table = ctx.facts.quote(&ctx.desired().name.value);
    format!("Run `ALTER TABLE {table} ENGINE=InnoDB;`. It copies the table and blocks writes meanwhile.")
}

fn history_draft(ctx: &Context<'_>) -> Draft {
    let wanted = ctx.desired();
    Draft {
        severity: Severity::Info,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: None,
        found: Some("system versioning".to_owned()),
        message: format!(
            "table {} keeps the history of its rows",
            wording::name(&wanted.name.value)
        ),
        impact: "Keys hold for the present rows as the spec says. Deleted rows stay in the table's history, so \
                 retention frees no space."
            .to_owned(),
        help: "Nothing, if the history is meant. Otherwise drop the system versioning in a migration.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn engine(name: &str, transactional: bool, durable: bool, usual: bool) -> Scene {
        Scene::ledger(Dialect::MariaDb).table(|t| {
            t.engine = Some(Engine {
                name: name.to_owned(),
                transactional,
                durable,
                usual,
            });
        })
    }

    #[test]
    fn quiet_for_the_usual_engine_and_where_there_is_none_to_choose() {
        engine("InnoDB", true, true, true).run(&RULE).assert_quiet();
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn rows_that_die_with_the_server_are_critical_where_rows_are_events() {
        let memory = || engine("MEMORY", false, false, false);
        assert_eq!(memory().run(&RULE).severity(), Severity::Critical);
        assert_eq!(memory().role(Role::Outbox).run(&RULE).severity(), Severity::Critical);
        assert_eq!(memory().role(Role::Audit).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn rows_outside_transactions_are_an_error_where_rows_are_events() {
        let aria = || engine("Aria", false, true, false);
        assert_eq!(aria().run(&RULE).severity(), Severity::Error);
        assert_eq!(aria().role(Role::Projection).run(&RULE).severity(), Severity::Warning);
    }

    #[test]
    fn an_unusual_but_sound_mode_is_worth_a_line() {
        let said = engine("STRICT", true, true, false).run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(
            said.finding().message.raw(),
            "table `ProcessedIntegrationEvents` is stored as STRICT"
        );
    }

    #[test]
    fn system_versioned_history_is_worth_a_line() {
        let said = Scene::ledger(Dialect::MariaDb)
            .table(|t| t.kind = Kind::SystemVersioned)
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
    }
}
