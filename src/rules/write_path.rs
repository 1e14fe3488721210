//! W004: something between an insert and the table drops, changes or refuses rows.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{ObjectPath, OnConflict, Part, RewriteRule, Timing, Trigger};
use crate::spec::Position;

use super::{Check, Context, Draft, Plant, Rule, Sink, trigger_effect, write_path_partitions};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W004",
    name: "write-path",
    severity: Severity::Critical,
    summary: "a trigger, rule, policy, conflict clause or missing partition stands between an insert and the table",
    page: include_str!("write_path.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.table().triggers.push(Trigger {
            name: "TR_filter".to_owned(),
            partition: None,
            timing: Timing::Before,
            events: vec!["INSERT".to_owned()],
            per_row: true,
            enabled: true,
            condition: None,
            body: Some("SELECT RAISE(IGNORE);".to_owned()),
            function: None,
            failure: None,
        });
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for trigger in table.triggers.iter().filter(|t| t.enabled) {
        trigger_effect::judge(trigger, context, sink);
    }
    for rule in table.rules.iter().filter(|r| r.enabled && r.event == "INSERT") {
        judge_rule(rule, context, sink);
    }
    row_security(context, sink);
    write_path_partitions::check(context, sink);
    conflict_clauses(context, sink);
}

/// One step between an insert and the table.
pub(super) struct Step {
    pub(super) severity: Severity,
    pub(super) object: ObjectPath,
    pub(super) at: Position,
    pub(super) found: String,
    pub(super) message: String,
    pub(super) impact: &'static str,
    pub(super) help: String,
}

/// Reports a step. Where no row stands for an event, it costs less.
pub(super) fn report(step: Step, context: &Context<'_>, sink: &mut Sink<'_>) {
    let severity = match (context.desired().is_ledger(), step.severity) {
        (false, Severity::Critical) => Severity::Error,
        (false, Severity::Error) => Severity::Warning,
        (_, severity) => severity,
    };
    sink.report(Draft {
        severity,
        object: step.object,
        at: step.at,
        expected: None,
        found: Some(step.found),
        message: step.message,
        impact: step.impact.to_owned(),
        help: step.help,
    });
}

/// Returns a definition without its line breaks.
pub(super) fn one_line(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn judge_rule(rule: &RewriteRule, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (severity, how, impact) = if rule.instead {
        (
            Severity::Error,
            "puts something else in the place of inserts",
            "A second insert of an event can report success with no row written instead of a violation: code that relies on the error never sees it, and the event is processed again.",
        )
    } else {
        (
            Severity::Warning,
            "does something beside each insert",
            "Its commands run with every recorded event, and an error in them refuses the row.",
        )
    };
    let step = Step {
        severity,
        object: context.path().with(Part::Trigger(rule.name.clone())),
        at: context.desired().name.at,
        found: one_line(&rule.definition),
        message: format!("the rule `{}` {how}", rule.name),
        impact,
        help: format!(
            "Drop it with `DROP RULE … ON {};`.",
            context.facts.quote(&context.desired().name.value)
        ),
    };
    report(step, context, sink);
}

fn row_security(context: &Context<'_>, sink: &mut Sink<'_>) {
    let security = &context.table().row_security;
    if !security.enabled || security.open {
        return;
    }
    let whom = if security.forced {
        "every role but superusers"
    } else {
        "every role but the owner and superusers"
    };
    let (severity, found, impact) = if security.policies.is_empty() {
        let severity = if security.forced {
            Severity::Critical
        } else {
            Severity::Error
        };
        let impact =
            "Without a policy, these roles see no row and every insert of theirs is refused: no event can be recorded.";
        (severity, "enabled, without a policy".to_owned(), impact)
    } else {
        let impact = "The duplicate check does not see hidden rows: their events look new, are processed again, and fail only at the insert.";
        (
            Severity::Error,
            format!("enabled: {}", security.policies.join("; ")),
            impact,
        )
    };
    let step = Step {
        severity,
        object: context.path().clone(),
        at: context.desired().name.at,
        found,
        message: format!("row security is on for {whom}"),
        impact,
        help: format!(
            "Run `ALTER TABLE {} DISABLE ROW LEVEL SECURITY;`. A ledger has no tenant filter; keep tenants apart by grants.",
            context.facts.quote(&context.desired().name.value)
        ),
    };
    report(step, context, sink);
}

fn conflict_clauses(context: &Context<'_>, sink: &mut Sink<'_>) {
    for index in &context.table().indexes {
        let (effect, impact) = match index.on_conflict {
            Some(OnConflict::Ignore) => (
                "drops the second row of a key without an error",
                "A second insert of an event reports success with no row written: code that relies on the violation never sees it.",
            ),
            Some(OnConflict::Replace) => (
                "deletes the first row when a second one of the same key comes",
                "The second delivery of an event replaces the row of the first: the record of what was done is lost.",
            ),
            Some(OnConflict::Rollback | OnConflict::Fail | OnConflict::Abort) | None => continue,
        };
        let wanted = context
            .pair
            .indexes
            .iter()
            .find(|p| p.named.is_some_and(|n| std::ptr::eq(n, index)));
        let step = Step {
            severity: Severity::Error,
            object: context.path().index(&index.name),
            at: wanted.map_or(context.desired().name.at, |p| p.desired.name.at),
            found: format!("ON CONFLICT {:?}", index.on_conflict.unwrap_or(OnConflict::Abort)).to_uppercase(),
            message: format!("the index `{}` {effect}", index.name),
            impact,
            help: "Make the table anew without the conflict clause; let the service say ON CONFLICT where it means it."
                .to_owned(),
        };
        report(step, context, sink);
    }
    for pair in &context.pair.columns {
        let ColumnPair::Both { desired, observed } = pair else {
            continue;
        };
        let Some(clause) = &observed.not_null_conflict else {
            continue;
        };
        if !matches!(clause.as_str(), "REPLACE" | "IGNORE") {
            continue;
        }
        let step = Step {
            severity: Severity::Warning,
            object: context.path().column(&desired.name.value),
            at: desired.name.at,
            found: format!("NOT NULL ON CONFLICT {clause}"),
            message: format!("column `{}` is NOT NULL ON CONFLICT {clause}", observed.name),
            impact: "An explicit NULL becomes the default, or the row vanishes, where an error is expected.",
            help: "Make the table anew without the conflict clause.".to_owned(),
        };
        report(step, context, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Said, Scene, UNIQUE};

    fn security(forced: bool, policies: &[&str]) -> Scene {
        Scene::ledger(Dialect::Postgres).table(|table| {
            table.row_security.enabled = true;
            table.row_security.forced = forced;
            table.row_security.policies = policies.iter().map(|p| (*p).to_owned()).collect();
        })
    }

    fn rule(event: &str, instead: bool) -> Scene {
        Scene::ledger(Dialect::Postgres).table(|table| {
            table.rules.push(RewriteRule {
                name: "R".to_owned(),
                event: event.to_owned(),
                instead,
                enabled: true,
                definition: "CREATE RULE …".to_owned(),
            });
        })
    }

    fn on_conflict(clause: OnConflict) -> Said {
        Scene::ledger(Dialect::Sqlite)
            .index(UNIQUE, |index| index.on_conflict = Some(clause))
            .run(&RULE)
    }

    #[test]
    fn a_plain_table_is_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn a_rule_in_the_place_of_inserts_is_an_error_and_one_beside_them_a_warning() {
        assert_eq!(rule("INSERT", true).run(&RULE).severity(), Severity::Error);
        assert_eq!(rule("INSERT", false).run(&RULE).severity(), Severity::Warning);
        rule("UPDATE", true).run(&RULE).assert_quiet();
        rule("INSERT", true)
            .table(|t| t.rules[0].enabled = false)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn row_security_hides_or_refuses_rows() {
        for (forced, policies, severity) in [
            (true, &[][..], Severity::Critical),
            (false, &[], Severity::Error),
            (false, &["tenant for all"], Severity::Error),
            (true, &["tenant for all"], Severity::Error),
        ] {
            let said = security(forced, policies).run(&RULE);
            assert_eq!(said.severity(), severity, "forced {forced}, {policies:?}");
        }
        security(true, &[])
            .table(|t| t.row_security.enabled = false)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_conflict_clause_turns_a_violation_into_a_success() {
        for (clause, found) in [
            (OnConflict::Ignore, "ON CONFLICT IGNORE"),
            (OnConflict::Replace, "ON CONFLICT REPLACE"),
        ] {
            let said = on_conflict(clause);
            assert_eq!(said.severity(), Severity::Error);
            assert_eq!(said.finding().found.as_ref().unwrap().raw(), found);
        }
        for clause in [OnConflict::Abort, OnConflict::Fail, OnConflict::Rollback] {
            on_conflict(clause).assert_quiet();
        }
    }

    #[test]
    fn a_null_that_becomes_something_else_is_a_warning() {
        let scene = |clause: &str| {
            Scene::ledger(Dialect::Sqlite).column("Outcome", |c| c.not_null_conflict = Some(clause.to_owned()))
        };
        assert_eq!(scene("REPLACE").run(&RULE).severity(), Severity::Warning);
        assert_eq!(scene("IGNORE").run(&RULE).severity(), Severity::Warning);
        scene("ABORT").run(&RULE).assert_quiet();
    }

    #[test]
    fn an_unconfirmed_table_never_fails() {
        let scene = rule("INSERT", true).wanted(|t| t.confirmed = false);
        assert_eq!(scene.run(&RULE).open().found.raw(), "CREATE RULE …");
    }
}
