//! I012: the thing is there under another name.

use crate::compare::{ColumnPair, IndexPair, Standing};
use crate::finding::Severity;
use crate::schema::ObjectPath;
use crate::spec::Position;

use super::consequence::{print_found, print_wanted};
use super::{Check, Context, Draft, Rule, Sink, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I012",
    name: "name-differs",
    severity: Severity::Warning,
    summary: "a table, column or index is there under another name or spelling",
    page: include_str!("name_differs.md"),
    check: Check::Table(check),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    let desired = context.desired();
    spelling(
        &desired.name.value,
        &table.name,
        context.path().clone(),
        desired.name.at,
        context,
        sink,
    );
    for pair in &context.pair.columns {
        if let ColumnPair::Both { desired, observed } = pair {
            let object = context.path().column(&desired.name.value);
            spelling(
                &desired.name.value,
                &observed.name,
                object,
                desired.name.at,
                context,
                sink,
            );
        }
    }
    for pair in &context.pair.indexes {
        sink.for_index(context, pair, |sink| index(pair, context, sink));
    }
}

/// A name in another letter case, which this server takes for the same.
fn spelling(wanted: &str, found: &str, object: ObjectPath, at: Position, context: &Context<'_>, sink: &mut Sink<'_>) {
    if context.facts.stored_name(wanted) == found {
        return;
    }
    sink.report(Draft {
        severity: Severity::Info,
        object,
        at,
        expected: Some(wanted.to_owned()),
        found: Some(found.to_owned()),
        message: format!("`{wanted}` is spelled `{found}`"),
        impact: format!(
            "{} takes both spellings for one name; other databases do not.",
            context.dialect().title()
        ),
        help: "Leave it, or rename it when the table is next changed.".to_owned(),
    });
}

fn index(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let name = &pair.desired.name.value;
    let object = context.path().index(name);
    if let Some(named) = pair.named {
        spelling(name, &named.name, object.clone(), pair.desired.name.at, context, sink);
    }
    let Standing::Other { index, .. } = &pair.standing else {
        return;
    };
    let does = if pair.desired.unique.value {
        "makes the key unique"
    } else {
        "serves the same look-ups"
    };
    let what = if index.primary {
        "the primary key".to_owned()
    } else {
        wording::name(&index.name)
    };
    let message = match pair.named {
        Some(_) => format!("{what} {does}, not `{name}`"),
        None => format!("the index `{name}` does not exist; {what} {does}"),
    };
    sink.report(Draft {
        severity: Severity::Warning,
        object,
        at: pair.desired.name.at,
        expected: Some(format!("{name} {}", print_wanted(pair.desired))),
        found: Some(format!("{} {}", index.name, print_found(index))),
        message,
        impact: if pair.desired.unique.value {
            "Duplicates are refused, but code that tells the violation by the constraint's name does not know this one, and a migration that creates the index by name makes a second one.".to_owned()
        } else {
            "Look-ups are served, but a migration that creates the index by name makes a second one.".to_owned()
        },
        help: if index.primary {
            "Take the index out of the spec, or create it beside the primary key.".to_owned()
        } else {
            format!("Rename {what} to `{name}`, or write its name into the spec.")
        },
    });
}
