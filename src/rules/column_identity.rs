//! A column that the server numbers although the spec says otherwise, or the reverse.

use crate::compare::ColumnPair;
use crate::finding::Severity;
use crate::schema::{Aspect, Column, DefaultExpr, Identity, NotNullBy};
use crate::spec::{ColumnSpec, DefaultSpec, Wanted};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::repair::{self, Change};
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "C010",
    name: "column-identity",
    severity: Severity::Critical,
    summary: "the server numbers a column in another way than the spec says",
    page: include_str!("column_identity.md"),
    check: Check::Column(check),
    plant: Plant::everywhere(|ground| ground.column("Number").identity = None),
};

fn check(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let ColumnPair::Both { desired, observed } = *pair else {
        return;
    };
    let found = numbering(desired, observed);
    match (&desired.identity.value, found) {
        (Wanted::Unconfirmed(guess), _) => {
            let object = ctx.path().column(&desired.name.value).aspect(Aspect::Generation);
            let guess = guess.map(|identity| word(identity).to_owned());
            sink.open(
                object,
                guess,
                found.map_or("none", word).to_owned(),
                desired.identity.at,
            );
        }
        (Wanted::Silent, Some(found)) if observed.not_null_by != Some(NotNullBy::RowNumber) => {
            sink.report(unexpected(desired, observed, found, ctx));
        }
        // A sequence would show in the default, which was not seen.
        (Wanted::Is(_), None) if !ctx.table().sees(Aspect::Default) => sink.unverified(
            ctx.path().aspect(Aspect::Generation),
            "The server did not show the defaults of the table's columns, which may number them.",
            "Check again when nobody holds a lock on the table, with a role that may read it.",
            true,
        ),
        (Wanted::Is(wanted), None) => sink.report(missing(desired, *wanted, ctx)),
        (Wanted::Is(wanted), Some(found)) => {
            if let Some(severity) = difference(*wanted, found, is_sequence(observed)) {
                sink.report(other_kind(severity, desired, *wanted, found, ctx));
            }
        }
        (Wanted::Silent, _) => {}
    }
}

/// Returns how the server numbers a column. A default that takes the next value of a sequence numbers rows as well,
/// but where the spec does not number the column and does speak of its default, it is judged as a default.
fn numbering(desired: &ColumnSpec, observed: &Column) -> Option<Identity> {
    let spoken_of = desired.identity.value != Wanted::Silent;
    let asked_for =
        !spoken_of && is_sequence(observed) && matches!(desired.default.value, Wanted::Is(DefaultSpec::Sql(_)));
    let as_default = !spoken_of && desired.default.value != Wanted::Silent;
    observed
        .identity
        .filter(|_| !asked_for)
        .or_else(|| (is_sequence(observed) && !as_default).then_some(Identity::Auto))
}

fn is_sequence(observed: &Column) -> bool {
    matches!(observed.default, Some(DefaultExpr::NextValue(_)))
}

fn word(identity: Identity) -> &'static str {
    match identity {
        Identity::Always => "always",
        Identity::ByDefault => "by default",
        Identity::Auto => "auto",
    }
}

/// Judges two ways of numbering. A server that has one way only cannot do better than it; where there is a choice,
/// the old way shows as a sequence in the column's default.
fn difference(wanted: Identity, found: Identity, sequence: bool) -> Option<Severity> {
    match (wanted, found) {
        (Identity::Always, Identity::Always)
        | (Identity::ByDefault, Identity::ByDefault)
        | (Identity::Auto, Identity::Auto | Identity::ByDefault) => None,
        (Identity::ByDefault | Identity::Auto, Identity::Always) | (Identity::Always, Identity::ByDefault) => {
            Some(Severity::Warning)
        }
        (Identity::Always, Identity::Auto) => sequence.then_some(Severity::Warning),
        (Identity::ByDefault, Identity::Auto) => sequence.then_some(Severity::Info),
    }
}

fn other_kind(severity: Severity, desired: &ColumnSpec, wanted: Identity, found: Identity, ctx: &Context<'_>) -> Draft {
    let impact = match (wanted, found) {
        (_, Identity::Always) => {
            "An insert that brings its own number is refused, as in copies of data and replays; one without a number works."
        }
        (Identity::Always, _) => {
            "An insert may bring its own number, and collides with the server's when that one gets there."
        }
        _ => "Inserts work as promised; the number comes from a sequence in the column's default.",
    };
    let help = match severity {
        Severity::Info => "Nothing, if it is meant; write `identity: auto` in the spec to accept either.".to_owned(),
        // An identity column has no default, so the sequence's goes first.
        _ if found == Identity::Auto => format!(
            "{} {}",
            repair::change_column(ctx, desired, Change::DropDefault),
            repair::change_column(ctx, desired, Change::AddIdentity(wanted))
        ),
        _ => repair::change_column(ctx, desired, Change::SetIdentity(wanted)),
    };
    draft(
        severity,
        desired,
        (word(wanted), word(found)),
        format!(
            "column {} is numbered {} instead of {}",
            wording::name(&desired.name.value),
            word(found),
            word(wanted)
        ),
        impact,
        help,
        ctx,
    )
}

fn missing(desired: &ColumnSpec, wanted: Identity, ctx: &Context<'_>) -> Draft {
    draft(
        Severity::Error,
        desired,
        (word(wanted), "none"),
        format!(
            "column {} is not numbered by the server",
            wording::name(&desired.name.value)
        ),
        &format!(
            "The service leaves the number to the server, so its inserts are refused or store NULL. {}",
            wording::refused(ctx.desired().role)
        ),
        repair::change_column(ctx, desired, Change::AddIdentity(wanted)),
        ctx,
    )
}

fn unexpected(desired: &ColumnSpec, observed: &Column, found: Identity, ctx: &Context<'_>) -> Draft {
    let name = desired.name.value.as_str();
    let (severity, impact) = if ctx.is_event_id(name) {
        (
            Severity::Critical,
            "The server gives an event an identity of its own, so no redelivery is ever taken for a duplicate.",
        )
    } else if found == Identity::Always {
        (
            Severity::Error,
            "An insert that gives the column a value, as the service's does, is refused.",
        )
    } else {
        (
            Severity::Warning,
            "An insert that forgets the column succeeds with a number that the service did not choose.",
        )
    };
    let change = if is_sequence(observed) {
        Change::DropDefault
    } else {
        Change::DropIdentity
    };
    draft(
        severity,
        desired,
        ("none", word(found)),
        format!(
            "the server numbers column {}, which the spec does not ask for",
            wording::name(name)
        ),
        impact,
        repair::change_column(ctx, desired, change),
        ctx,
    )
}

fn draft(
    severity: Severity,
    desired: &ColumnSpec,
    (expected, found): (&str, &str),
    message: String,
    impact: &str,
    help: String,
    ctx: &Context<'_>,
) -> Draft {
    Draft {
        severity,
        object: ctx.path().column(&desired.name.value),
        at: desired.identity.at,
        expected: Some(expected.to_owned()),
        found: Some(found.to_owned()),
        message,
        impact: impact.to_owned(),
        help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;

    fn scene(wanted: Wanted<Identity>, found: Option<Identity>) -> Scene {
        Scene::ledger(Dialect::Postgres)
            .wanted_column("TenantId", |c| c.identity.value = wanted)
            .column("TenantId", |c| c.identity = found)
    }

    fn serial(wanted: Identity) -> Scene {
        scene(Wanted::Is(wanted), Some(Identity::Auto)).column("TenantId", |c| {
            c.default = Some(DefaultExpr::NextValue("t_seq".to_owned()));
        })
    }

    #[test]
    fn quiet_when_the_server_numbers_as_the_spec_says() {
        use Identity::{Always, Auto, ByDefault};
        for (wanted, found) in [
            (Always, Always),
            (ByDefault, ByDefault),
            (Auto, Auto),
            (Auto, ByDefault),
        ] {
            scene(Wanted::Is(wanted), Some(found)).run(&RULE).assert_quiet();
        }
        scene(Wanted::Silent, None).run(&RULE).assert_quiet();
    }

    #[test]
    fn quiet_where_the_server_has_one_way_only() {
        scene(Wanted::Is(Identity::ByDefault), Some(Identity::Auto))
            .run(&RULE)
            .assert_quiet();
        scene(Wanted::Is(Identity::Always), Some(Identity::Auto))
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn always_instead_of_by_default_is_a_warning() {
        let said = scene(Wanted::Is(Identity::ByDefault), Some(Identity::Always)).run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        let help = said.finding().help.raw();
        assert!(
            help.contains("ALTER COLUMN \"TenantId\" SET GENERATED BY DEFAULT"),
            "{help}"
        );
    }

    #[test]
    fn a_sequence_instead_of_an_identity_is_worth_a_line() {
        assert_eq!(serial(Identity::ByDefault).run(&RULE).severity(), Severity::Info);
        assert_eq!(serial(Identity::Always).run(&RULE).severity(), Severity::Warning);
        serial(Identity::Auto).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_column_that_nobody_numbers_is_an_error() {
        let said = scene(Wanted::Is(Identity::Auto), None).run(&RULE);
        assert_eq!(said.severity(), Severity::Error);
    }

    #[test]
    fn a_sequence_that_could_not_be_seen_is_not_called_missing() {
        let said = scene(Wanted::Is(Identity::Auto), None)
            .table(|t| {
                t.unseen.insert(Aspect::Default);
            })
            .run(&RULE);
        assert!(said.unverified().required);
    }

    #[test]
    fn numbers_that_nobody_asked_for_cost_by_what_they_replace() {
        let by = |identity| scene(Wanted::Silent, Some(identity)).run(&RULE).severity();
        assert_eq!(by(Identity::ByDefault), Severity::Warning);
        assert_eq!(by(Identity::Always), Severity::Error);
        let event_id = Scene::ledger(Dialect::Postgres).column("EventId", |c| c.identity = Some(Identity::ByDefault));
        assert_eq!(event_id.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn quiet_about_a_sequence_that_is_judged_as_a_default() {
        let sequence = scene(Wanted::Silent, None).column("TenantId", |c| {
            c.default = Some(DefaultExpr::NextValue("t_seq".to_owned()));
        });
        sequence.run(&RULE).assert_quiet();
        let said = sequence
            .wanted_column("TenantId", |c| c.default.value = Wanted::Silent)
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Warning);
        assert!(said.finding().help.raw().contains("DROP DEFAULT"));
    }

    #[test]
    fn quiet_about_a_row_number_that_the_spec_does_not_speak_of() {
        scene(Wanted::Silent, Some(Identity::Auto))
            .column("TenantId", |c| c.not_null_by = Some(NotNullBy::RowNumber))
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn an_unconfirmed_numbering_is_listed() {
        let said = scene(Wanted::Unconfirmed(None), Some(Identity::Auto)).run(&RULE);
        assert_eq!(said.open().found.raw(), "auto");
    }
}
