//! What a trigger can do to an insert, by when it fires and what its body says.

use std::borrow::Cow;

use crate::dialect::Row;
use crate::finding::Severity;
use crate::schema::{Aspect, Part, Timing, Trigger, TriggerFailure};

use super::trigger_body::{Body, always_refuses, always_swallows};
use super::write_path::{Step, one_line, report};
use super::{Context, Sink, wording};

/// How bad something is, what it does, and what follows.
type Judged = (Severity, Cow<'static, str>, &'static str);

const NEVER_A_DUPLICATE: &str =
    "No delivery has the identity of an earlier one, so nothing is ever a duplicate: every redelivery is processed.";
const NOTHING_RECORDED: &str = "No event can be recorded. Its insert fails, and with it whatever shares the transaction; a second delivery is \
     processed anew and fails again.";
const OTHER_VALUES: &str = "The ledger has other values than the service wrote.";
const VANISHED: &str = "An event whose row vanishes is not in the ledger, and is processed again on each redelivery.";

/// Says what an enabled trigger does to the rows of the table.
pub(super) fn judge(trigger: &Trigger, context: &Context<'_>, sink: &mut Sink<'_>) {
    let on = |event: &str| trigger.events.iter().any(|e| e == event);
    if never_fires(trigger, context) {
        return;
    }
    if on("INSERT") && failing(trigger, context, sink) {
        return;
    }
    let body = Body::parse(trigger.body.as_deref().unwrap_or(""));
    let before = matches!(trigger.timing, Timing::Before | Timing::InsteadOf) && trigger.per_row;
    let judged = match (on("INSERT"), on("UPDATE")) {
        (true, _) if before => before_insert(&body, context),
        (true, _) => beside_insert(&body, context),
        (false, true) if before => Some((
            Severity::Warning,
            "runs before each update and can change rows".into(),
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

/// Returns whether the condition of a trigger holds for no row.
fn never_fires(trigger: &Trigger, context: &Context<'_>) -> bool {
    let row = Row {
        columns: &context.table().columns,
        known: None,
    };
    let condition = trigger.condition.as_deref();
    condition.is_some_and(|sql| context.facts.admits(sql, &row) == Some(false))
}

/// Says that a trigger fails, or that this could not be seen. Returns whether that is all there is to say of it.
fn failing(trigger: &Trigger, context: &Context<'_>, sink: &mut Sink<'_>) -> bool {
    const LACKS: &str = "Give the trigger what it lacks if the service needs what it does; else drop it.";
    const ANY_ROW: &str = "its body does so whatever the row is";
    const DROP: &str = "Drop it, or let it act on the rows alone that it is meant for.";
    let object = context.path().with(Part::Trigger(trigger.name.clone()));
    if let Some(TriggerFailure::Unseen(reason)) = &trigger.failure {
        sink.unverified(
            object.aspect(Aspect::WritePath),
            reason,
            "Check again with a role that sees it, or look at the trigger with the owner of the table.",
            false,
        );
    }
    let body = trigger
        .body
        .as_deref()
        .filter(|_| trigger.condition.is_none())
        .unwrap_or_default();
    let before = matches!(trigger.timing, Timing::Before | Timing::InsteadOf) && trigger.per_row;
    let (severity, what, reason, impact, help) = match &trigger.failure {
        Some(TriggerFailure::Always(reason)) => (
            Severity::Critical,
            "makes every insert fail",
            reason.as_str(),
            NOTHING_RECORDED,
            LACKS,
        ),
        _ if always_refuses(body) => (
            Severity::Critical,
            "makes every insert fail",
            ANY_ROW,
            NOTHING_RECORDED,
            DROP,
        ),
        _ if before && always_swallows(body) => (
            Severity::Critical,
            "drops every row without an error",
            ANY_ROW,
            VANISHED,
            DROP,
        ),
        Some(TriggerFailure::Sometimes(reason)) => (
            Severity::Warning,
            "can make inserts fail",
            reason.as_str(),
            "An event whose insert fails is not in the ledger, and is processed again on each redelivery.",
            LACKS,
        ),
        Some(TriggerFailure::Unseen(_)) | None => return false,
    };
    let on_partition = wording::on_partition(trigger.partition.as_deref());
    let step = Step {
        severity,
        object,
        at: context.desired().name.at,
        found: describe(trigger),
        message: format!("the trigger `{}`{on_partition} {what}: {reason}", trigger.name),
        impact,
        help: help.to_owned(),
    };
    report(step, context, sink);
    severity == Severity::Critical
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

/// What runs before a row can give it other values, and decides whether it is written.
///
/// One that removes old rows and does nothing else is a retention job, which is judged as one.
fn before_insert(body: &Body, context: &Context<'_>) -> Option<Judged> {
    if body.only_purges() && context.facts.lets_triggers_touch_their_table() {
        return None;
    }
    if context.desired().event_id().is_some_and(|column| body.assigns(column)) {
        let what = "replaces the event's identity before each insert";
        return Some((Severity::Critical, what.into(), NEVER_A_DUPLICATE));
    }
    if body.swallows() {
        let what = "runs before each insert and can drop rows without an error";
        return Some((Severity::Error, what.into(), VANISHED));
    }
    match body.only_assigns() {
        Some(columns) => assigned(&columns, context),
        None => {
            let what = "runs before each insert and can change or drop rows";
            Some((Severity::Error, what.into(), VANISHED))
        }
    }
}

/// Judges a trigger that does nothing but give columns of the new row other values. What the spec does not speak of is
/// the trigger's own.
fn assigned(columns: &[&str], context: &Context<'_>) -> Option<Judged> {
    let of_spec = context.desired().columns.iter().map(|c| c.name.value.as_str());
    let changed: Vec<String> = of_spec
        .filter(|name| columns.contains(&name.to_lowercase().as_str()))
        .map(wording::name)
        .collect();
    let what = format!("changes {} before each insert", wording::list(&changed));
    (!changed.is_empty()).then(|| (Severity::Error, what.into(), OTHER_VALUES))
}

/// What runs after a row, or once for a statement, can refuse the row; it can change or delete it only as any other
/// statement does.
fn beside_insert(body: &Body, context: &Context<'_>) -> Option<Judged> {
    let table = &context.table().name;
    if context
        .desired()
        .event_id()
        .is_some_and(|column| body.updates(table, Some(column)))
    {
        let what = "replaces the event's identity after each insert";
        Some((Severity::Critical, what.into(), NEVER_A_DUPLICATE))
    } else if body.updates(table, None) {
        let what = "changes rows of the table after each insert";
        Some((Severity::Error, what.into(), OTHER_VALUES))
    } else if body.deletes_new(table) || (context.desired().retention.is_none() && body.empties(table)) {
        let what = "deletes the row after each insert";
        Some((Severity::Error, what.into(), VANISHED))
    } else if body.deletes() {
        // A trigger that removes old rows is a retention job, which is judged as one.
        None
    } else if body.refuses() {
        let impact = "A refused event is not in the ledger, and is processed again on each redelivery.";
        Some((Severity::Warning, "can refuse inserts".into(), impact))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::write_path::RULE;
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
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
                failure: None,
            });
        })
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
        for body in [
            "BEGIN IF NEW.x THEN RETURN NULL; END IF; RETURN NEW; END",
            "SELECT RAISE(IGNORE) WHERE NEW.x;",
        ] {
            let said = trigger(Timing::Before, &["INSERT"], body).run(&RULE);
            assert_eq!(said.severity(), Severity::Error, "{body}");
            assert!(said.finding().message.raw().ends_with("can drop rows without an error"));
        }
    }

    #[test]
    fn a_trigger_that_ends_every_insert_is_critical_on_a_ledger() {
        for (timing, body, what) in [
            (
                Timing::Before,
                "BEGIN RETURN NULL; END",
                "drops every row without an error",
            ),
            (
                Timing::Before,
                "SELECT RAISE(IGNORE);",
                "drops every row without an error",
            ),
            (Timing::Before, "SIGNAL SQLSTATE '45000'", "makes every insert fail"),
            (
                Timing::After,
                "BEGIN RAISE EXCEPTION 'no'; END",
                "makes every insert fail",
            ),
            (Timing::After, "SELECT RAISE(ABORT, 'no');", "makes every insert fail"),
        ] {
            let scene = trigger(timing, &["INSERT"], body);
            let said = scene.run(&RULE);
            assert_eq!(said.severity(), Severity::Critical, "{body}");
            assert!(said.finding().message.raw().contains(what), "{body}");
            let on_condition = scene.table(|table| table.triggers[0].condition = Some("NEW.x".to_owned()));
            assert!(on_condition.run(&RULE).severity() < Severity::Critical, "{body}");
        }
    }

    #[test]
    fn a_trigger_before_the_row_is_told_by_what_it_gives_to_the_row() {
        let run = |body: &str| trigger(Timing::Before, &["INSERT"], body).run(&RULE);
        for (body, end) in [
            ("SET NEW.`Outcome` = 'x'", "changes `Outcome` before each insert"),
            (
                "BEGIN NEW.\"EventType\" := 'x'; NEW.\"Outcome\" := 'y'; RETURN NEW; END",
                "changes `EventType` and `Outcome` before each insert",
            ),
            ("BEGIN PERFORM f(); RETURN NEW; END", "can change or drop rows"),
        ] {
            let said = run(body);
            assert_eq!(said.severity(), Severity::Error, "{body}");
            assert!(said.finding().message.raw().ends_with(end), "{body}: {said:?}");
        }
        for body in [
            "BEGIN RETURN NEW; END",
            "BEGIN RAISE NOTICE 'row %', NEW.\"Id\"; RETURN NEW; END;",
            "BEGIN NEW.\"Region\" := 'eu'; RETURN NEW; END",
            "SET NEW.`Region` = 'eu'",
        ] {
            run(body).assert_quiet();
        }
    }

    #[test]
    fn a_ledger_that_is_emptied_after_each_insert_keeps_no_event() {
        let scene = trigger(
            Timing::After,
            &["INSERT"],
            "DELETE FROM \"ProcessedIntegrationEvents\";",
        );
        assert_eq!(scene.run(&RULE).severity(), Severity::Error);
        let other = trigger(Timing::After, &["INSERT"], "DELETE FROM \"Pending\";");
        other.run(&RULE).assert_quiet();
    }

    #[test]
    fn a_trigger_whose_condition_never_holds_is_quiet() {
        let scene = trigger(Timing::Before, &["INSERT"], "BEGIN RETURN NULL; END")
            .table(|table| table.triggers[0].condition = Some("false".to_owned()));
        scene.run(&RULE).assert_quiet();
    }

    #[test]
    fn triggers_cost_by_when_they_fire_and_what_they_do() {
        for (timing, event, body, severity) in [
            (
                Timing::After,
                "INSERT",
                "IF NEW.x THEN SIGNAL SQLSTATE '45000'; END IF",
                Some(Severity::Warning),
            ),
            (
                Timing::After,
                "INSERT",
                "IF NEW.x THEN RAISE EXCEPTION 'no'; END IF",
                Some(Severity::Warning),
            ),
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
                    failure: None,
                });
            });
            assert_eq!(scene.run(&RULE).findings().is_empty(), quiet, "{body}");
        }
    }

    #[test]
    fn a_trigger_that_fails_refuses_every_event() {
        let failing = |event: &str, failure: TriggerFailure| {
            trigger(Timing::After, &[event], "INSERT INTO gone VALUES (1)")
                .table(|table| table.triggers[0].failure = Some(failure))
        };
        let why = || "it inserts into `gone`, which does not exist".to_owned();
        let always = failing("INSERT", TriggerFailure::Always(why())).run(&RULE);
        assert_eq!(always.severity(), Severity::Critical);
        assert_eq!(
            always.finding().message.raw(),
            "the trigger `TR` makes every insert fail: it inserts into `gone`, which does not exist"
        );
        let sometimes = failing("INSERT", TriggerFailure::Sometimes(why())).run(&RULE);
        assert_eq!(sometimes.severity(), Severity::Warning);
        assert!(
            !failing("INSERT", TriggerFailure::Unseen(why()))
                .run(&RULE)
                .unverified()
                .required
        );
        failing("DELETE", TriggerFailure::Always(why()))
            .run(&RULE)
            .assert_quiet();
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
        let scene = trigger(Timing::Before, &["INSERT"], "IF NEW.x THEN RETURN NULL; END IF")
            .table(|table| table.triggers[0].partition = Some("p1".to_owned()));
        assert_eq!(
            scene.run(&RULE).finding().message.raw(),
            "the trigger `TR` of the partition `p1` runs before each insert and can drop rows without an error"
        );
    }
}
