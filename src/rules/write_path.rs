//! W004: something between an insert and the table drops, changes or refuses rows.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{ObjectPath, OnConflict, Part, PartitionCover, RewriteRule, Timing, Trigger};
use crate::spec::Position;

use super::trigger_body::Body;
use super::{Check, Context, Draft, Plant, Rule, Sink, wording};

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
    partitions(context, sink);
    conflict_clauses(context, sink);
}

/// One step between an insert and the table.
struct Step {
    severity: Severity,
    object: ObjectPath,
    at: Position,
    found: String,
    message: String,
    impact: &'static str,
    help: String,
}

fn report(step: Step, context: &Context<'_>, sink: &mut Sink<'_>) {
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
    let rewrites_id = context.desired().event_id().is_some_and(|column| body.assigns(column));
    let swallows = body.swallows();
    let before = matches!(trigger.timing, Timing::Before | Timing::InsteadOf) && trigger.per_row;
    let name = &trigger.name;
    let (severity, message, impact) = if on("INSERT") && before && rewrites_id {
        (
            Severity::Critical,
            format!("the trigger `{name}` replaces the event's identity before each insert"),
            "No delivery has the identity of an earlier one, so nothing is ever a duplicate: every redelivery is processed.",
        )
    } else if on("INSERT") && (before || swallows) {
        let how = if swallows {
            "can drop rows without an error"
        } else {
            "can change or drop rows"
        };
        (
            Severity::Error,
            format!("the trigger `{name}` runs before each insert and {how}"),
            "An event whose row vanishes is not in the ledger, and is processed again on each redelivery.",
        )
    } else if on("INSERT") && body.deletes() {
        // A trigger that removes old rows is a retention job, which is judged as one.
        return;
    } else if on("INSERT") && body.refuses() {
        (
            Severity::Warning,
            format!("the trigger `{name}` can refuse inserts"),
            "A refused event is not in the ledger, and is processed again on each redelivery.",
        )
    } else if on("UPDATE") && before {
        (
            Severity::Warning,
            format!("the trigger `{name}` runs before each update and can change rows"),
            "Rows of a ledger are written once; whatever updates them may find other values than it wrote.",
        )
    } else {
        return;
    };
    let step = Step {
        severity,
        object: context.path().with(Part::Trigger(name.clone())),
        at: context.desired().name.at,
        found: describe(trigger),
        message,
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
    if !security.enabled {
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

fn partitions(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(partitioning) = &context.table().partitioning else {
        return;
    };
    let (severity, reason, impact) = match &partitioning.cover {
        PartitionCover::Complete | PartitionCover::Unknown => return,
        PartitionCover::RefusesNow(reason) => (
            Severity::Critical,
            reason,
            "Every insert of today is refused: no event can be recorded, and each is processed again on redelivery.",
        ),
        // Times outside the partitions are those of long ago or far ahead, which no event of today has.
        PartitionCover::Gaps(reason) if partitioning.strategy == "range" => (
            Severity::Info,
            reason,
            "Rows of today find a partition; those of other times are refused. The next partition must be made in time.",
        ),
        PartitionCover::Gaps(reason) => (
            Severity::Warning,
            reason,
            "Rows that find no partition are refused, and their events are processed again on each redelivery.",
        ),
    };
    let step = Step {
        severity,
        object: context.path().clone(),
        at: context.desired().name.at,
        found: format!(
            "partitioned by {} ({}), {}",
            partitioning.strategy,
            partitioning.key.join(", "),
            wording::partitions(partitioning.partitions.len())
        ),
        message: format!("rows find no partition: {reason}"),
        impact,
        help: "Create the missing partition or a default one, and look at why the job that makes them stopped."
            .to_owned(),
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
