//! W004: something between an insert and the table drops, changes or refuses rows.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{ObjectPath, OnConflict, Part, RewriteRule, Timing, Trigger};
use crate::spec::Position;

use super::trigger_body::Body;
use super::{Check, Context, Draft, Plant, Rule, Sink, trigger_effect, wording, write_path_partitions};

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
        });
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for trigger in table.triggers.iter().filter(|t| t.enabled) {
        judge_trigger(trigger, context, sink);
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

pub(super) fn report(step: Step, context: &Context<'_>, sink: &mut Sink<'_>) {
    // Where no row stands for an event, the same step costs less.
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

fn judge_trigger(trigger: &Trigger, context: &Context<'_>, sink: &mut Sink<'_>) {
    let on = |event: &str| trigger.events.iter().any(|e| e == event);
    let body = Body::parse(trigger.body.as_deref().unwrap_or(""));
    let before = matches!(trigger.timing, Timing::Before | Timing::InsteadOf) && trigger.per_row;
    let judged = match (on("INSERT"), on("UPDATE")) {
        (true, _) if before => trigger_effect::before_insert(&body, context),
        (true, _) => trigger_effect::beside_insert(&body, context),
        (false, true) if before => Some((
            Severity::Warning,
            "runs before each update and can change rows",
            "Rows of a ledger are written once; whatever updates them may find other values than it wrote.",
        )),
        (false, _) => None,
    };
    let Some((severity, what, impact)) = judged else { return };
    let on_partition = wording::on_partition(trigger.partition.as_deref());
    let step = Step {
        severity,
        object: context.path().with(Part::Trigger(trigger.name.clone())),
        at: context.desired().name.at,
        found: describe(trigger),
        message: format!("the trigger `{}`{on_partition} {what}", trigger.name),
        impact,
        help: "Read its body with the owner of the table; move what it does into the service, or drop it.".to_owned(),
    };
    report(step, context, sink);
}

fn describe(trigger: &Trigger) -> String {
    let timing = match trigger.timing {
        Timing::Before => "before",
        Timing::After => "after",
        Timing::InsteadOf => "instead of",
    };
    let mut text = format!("{timing} {}", trigger.events.join(" or ").to_lowercase());
    if let Some(condition) = &trigger.condition {
        text.push_str(&format!(" when {}", one_line(condition)));
    }
    if let Some(function) = &trigger.function {
        text.push_str(&format!(" execute {function}"));
    }
    text
}

/// Returns a definition without its line breaks.
fn one_line(sql: &str) -> String {
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
    use crate::spec::Role;

    fn trigger(timing: Timing, events: &[&str], body: &str) -> Scene {
        Scene::ledger(Dialect::MariaDb).table(|table| {
            table.triggers.push(Trigger {
                name: "TR".to_owned(),
                partition: None,
                timing,
                events: events.iter().map(|e| (*e).to_owned()).collect(),
                per_row: true,
                enabled: true,
                condition: None,
                body: Some(body.to_owned()),
                function: None,
            });
        })
    }

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
    fn a_trigger_that_replaces_the_identity_is_critical_on_a_ledger() {
        let scene = trigger(Timing::Before, &["INSERT"], "SET NEW.`EventId` = uuid()");
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            "the trigger `TR` replaces the event's identity before each insert"
        );
        assert_eq!(said.finding().location.line, scene.spec_table().name.at.line);
        assert_eq!(scene.role(Role::Plain).run(&RULE).severity(), Severity::Warning);
    }

    #[test]
    fn a_trigger_that_drops_rows_is_an_error_on_a_ledger() {
        for body in ["BEGIN RETURN NULL; END", "SELECT RAISE(IGNORE);"] {
            let said = trigger(Timing::Before, &["INSERT"], body).run(&RULE);
            assert_eq!(said.severity(), Severity::Error, "{body}");
            assert!(said.finding().message.raw().ends_with("can drop rows without an error"));
        }
    }

    #[test]
    fn a_trigger_before_the_row_is_looked_at_whatever_its_body_says() {
        let said = trigger(Timing::Before, &["INSERT"], "SET NEW.`Outcome` = 'x'").run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
        assert!(said.finding().message.raw().ends_with("can change or drop rows"));
    }

    #[test]
    fn triggers_cost_by_when_they_fire_and_what_they_do() {
        for (timing, event, body, severity) in [
            (
                Timing::After,
                "INSERT",
                "SIGNAL SQLSTATE '45000'",
                Some(Severity::Warning),
            ),
            (Timing::After, "INSERT", "RAISE EXCEPTION 'no'", Some(Severity::Warning)),
            (Timing::After, "INSERT", "INSERT INTO audit VALUES (1)", None),
            (Timing::After, "INSERT", "DELETE FROM t WHERE old", None),
            // The server refuses every insert that fires it.
            (
                Timing::Before,
                "INSERT",
                "DELETE FROM t WHERE old",
                Some(Severity::Error),
            ),
            (Timing::Before, "UPDATE", "SET NEW.x = 1", Some(Severity::Warning)),
            (Timing::After, "UPDATE", "SET NEW.x = 1", None),
            (Timing::Before, "DELETE", "RETURN NULL", None),
        ] {
            let said = trigger(timing, &[event], body).run(&RULE);
            let found = said.findings().first().map(|f| f.severity);
            assert_eq!(found, severity, "{timing:?} {event} {body}");
        }
    }

    #[test]
    fn what_removes_old_rows_before_an_insert_is_a_retention_job_and_no_more() {
        for (body, quiet) in [
            ("DELETE FROM Ledger WHERE At < datetime('now', '-30 days');", true),
            (
                "BEGIN DELETE FROM Ledger WHERE At < now() - interval '30 days'; RETURN NEW; END",
                true,
            ),
            ("DELETE FROM Ledger WHERE At < 'x'; SELECT RAISE(IGNORE);", false),
            ("DELETE FROM Ledger WHERE EventId = NEW.EventId;", false),
            ("BEGIN DELETE FROM Ledger WHERE At < 'x'; RETURN NULL; END", false),
            ("INSERT INTO Aside VALUES (1);", false),
        ] {
            let scene = Scene::ledger(Dialect::Sqlite).table(|table| {
                table.triggers.push(Trigger {
                    name: "TR".to_owned(),
                    partition: None,
                    timing: Timing::Before,
                    events: vec!["INSERT".to_owned()],
                    per_row: true,
                    enabled: true,
                    condition: None,
                    body: Some(body.to_owned()),
                    function: None,
                });
            });
            assert_eq!(scene.run(&RULE).findings().is_empty(), quiet, "{body}");
        }
    }

    #[test]
    fn a_disabled_trigger_and_one_per_statement_change_no_row() {
        let body = "SET NEW.`EventId` = uuid()";
        let off = trigger(Timing::Before, &["INSERT"], body).table(|t| t.triggers[0].enabled = false);
        off.run(&RULE).assert_quiet();
        let per_statement = trigger(Timing::Before, &["INSERT"], "").table(|t| t.triggers[0].per_row = false);
        per_statement.run(&RULE).assert_quiet();
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

    #[test]
    fn what_runs_beside_a_row_changes_it_only_by_a_statement_of_its_own() {
        for (body, severity) in [
            ("BEGIN RETURN NULL; END", None),
            ("SELECT RAISE(IGNORE);", None),
            (
                "UPDATE `ProcessedIntegrationEvents` SET `EventId` = uuid()",
                Some(Severity::Critical),
            ),
            (
                "UPDATE `ProcessedIntegrationEvents` SET `Outcome` = 'x'",
                Some(Severity::Error),
            ),
            (
                "DELETE FROM ProcessedIntegrationEvents WHERE Id = NEW.Id",
                Some(Severity::Error),
            ),
            ("UPDATE Other SET `EventId` = uuid()", None),
        ] {
            let after = trigger(Timing::After, &["INSERT"], body);
            let per_statement =
                trigger(Timing::Before, &["INSERT"], body).table(|table| table.triggers[0].per_row = false);
            for scene in [after, per_statement] {
                let said = scene.run(&RULE);
                assert_eq!(said.findings().first().map(|f| f.severity), severity, "{body}");
            }
        }
    }

    #[test]
    fn a_trigger_of_one_partition_says_which() {
        let scene = trigger(Timing::Before, &["INSERT"], "RETURN NULL")
            .table(|table| table.triggers[0].partition = Some("p1".to_owned()));
        assert_eq!(
            scene.run(&RULE).finding().message.raw(),
            "the trigger `TR` of the partition `p1` runs before each insert and can drop rows without an error"
        );
    }
}
