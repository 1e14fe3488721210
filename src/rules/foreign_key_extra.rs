//! W003: a foreign key that the spec does not speak of.

use crate::finding::Severity;
use crate::schema::Part;

use super::{Check, Context, Draft, Rule, Sink, repair};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W003",
    name: "foreign-key-extra",
    severity: Severity::Warning,
    summary: "a foreign key ties rows to another table",
    page: include_str!("foreign_key_extra.md"),
    check: Check::Table(check),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for key in table.foreign_keys.iter().filter(|key| key.enforced) {
        let ledger = context.desired().is_ledger();
        let cascades = key.on_delete.eq_ignore_ascii_case("cascade");
        let impact = match (ledger, cascades) {
            (true, true) => format!(
                "An event whose row in `{0}` is missing cannot be recorded, and deleting a row of `{0}` deletes ledger rows: their events become new again.",
                key.referenced_table
            ),
            (true, false) => format!(
                "An event whose row in `{}` is missing cannot be recorded, and is processed again on each redelivery.",
                key.referenced_table
            ),
            (false, _) => format!("A row whose row in `{}` is missing is refused.", key.referenced_table),
        };
        sink.report(Draft {
            // A cascade forgets events too early.
            severity: if ledger && cascades {
                Severity::Critical
            } else {
                Severity::Warning
            },
            object: context.path().with(Part::Constraint(key.name.clone())),
            at: context.desired().name.at,
            expected: None,
            found: Some(format!(
                "({}) references {} ({}) on delete {}",
                key.columns.join(", "),
                key.referenced_table,
                key.referenced_columns.join(", "),
                key.on_delete.to_lowercase()
            )),
            message: format!(
                "the foreign key `{}` to `{}` is not in the spec",
                key.name, key.referenced_table
            ),
            impact,
            help: format!(
                "{} A ledger records what came in, whatever else is known.",
                repair::drop_constraint(context)
            ),
        });
    }
}
