//! A wanted table that does not exist.

use crate::catalog::{Found, Likeness, Lookalike};
use crate::finding::Severity;
use crate::schema::ObjectPath;

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T001",
    name: "table-missing",
    severity: Severity::Critical,
    summary: "a table of the spec does not exist",
    page: include_str!("table_missing.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.sighting().found = Found::Nothing),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    if !matches!(ctx.pair.sighting.found, Found::Nothing) {
        return;
    }
    let wanted = ctx.desired();
    let mut lookalikes: Vec<&Lookalike> = ctx.pair.sighting.lookalikes.iter().collect();
    lookalikes.sort_by(|a, b| (a.likeness, &a.namespace, &a.name).cmp(&(b.likeness, &b.namespace, &b.name)));
    let place = match &ctx.path().namespace {
        Some(namespace) => format!(" in {}", wording::name(namespace)),
        None => String::new(),
    };
    let phrases: Vec<String> = lookalikes.iter().map(|other| describe(other)).collect();
    let hint = if phrases.is_empty() {
        String::new()
    } else {
        format!("; there is {}", wording::list(&phrases))
    };
    sink.report(Draft {
        severity: Severity::Critical,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: Some("table".to_owned()),
        found: Some(
            lookalikes
                .first()
                .map_or_else(|| "nothing".to_owned(), |other| describe(other)),
        ),
        message: format!(
            "table {} does not exist{place}{hint}",
            wording::name(&wanted.name.value)
        ),
        impact: format!(
            "Every statement of the service on it fails. {}",
            wording::refused(wanted.role)
        ),
        help: help(&lookalikes),
    });
}

/// Returns what a lookalike is, for a sentence: ``the table `order` (other letter case)``.
fn describe(other: &Lookalike) -> String {
    let kind = &other.kind;
    match other.likeness {
        Likeness::SameNameOtherKind => format!("{} of that name", wording::with_article(kind)),
        Likeness::OtherNamespace => {
            let path = ObjectPath::table(other.namespace.as_deref(), &other.name);
            format!("the {kind} {}", wording::name(path.dotted().raw()))
        }
        Likeness::OtherCase => format!("the {kind} {} (other letter case)", wording::name(&other.name)),
        Likeness::Near => format!("the {kind} {}", wording::name(&other.name)),
    }
}

fn help(lookalikes: &[&Lookalike]) -> String {
    let migrate = "Check that this is the service's database, then run the service's migrations against it.";
    let advice = match lookalikes.first().map(|other| other.likeness) {
        None => return migrate.to_owned(),
        Some(Likeness::SameNameOtherKind) => {
            "An object of another kind has taken the name: rename or drop it, then run the service's migrations."
        }
        Some(Likeness::OtherNamespace) => {
            "If the service uses the one in the other namespace, name that namespace for this target; otherwise run \
             the service's migrations here."
        }
        Some(Likeness::OtherCase | Likeness::Near) => {
            "If that is the service's table, rename it in a migration or correct the name in the spec; otherwise run \
             the service's migrations here."
        }
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Scene, TABLE};
    use crate::spec::Role;

    #[test]
    fn quiet_when_the_table_is_there() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn quiet_when_the_role_may_not_be_allowed_to_see_it() {
        let scene = Scene::ledger(Dialect::MariaDb).sighting(|s| {
            s.found = Found::Hidden {
                reason: "no privilege".to_owned(),
                help: "grant one".to_owned(),
            };
        });
        assert!(scene.run(&RULE).findings().is_empty());
    }

    #[test]
    fn a_missing_table_is_critical_in_every_role_and_reported_once() {
        for role in [Role::Ledger, Role::Outbox, Role::Projection, Role::Audit, Role::Plain] {
            let scene = Scene::ledger(Dialect::Postgres).role(role).without_table();
            let said = scene.run(&RULE);
            let finding = said.finding();
            assert_eq!(finding.severity, Severity::Critical);
            assert_eq!(finding.object.table, TABLE);
            assert_eq!(finding.location.line, scene.spec_table().name.at.line);
        }
    }

    #[test]
    fn the_closest_lookalike_comes_first() {
        let said = Scene::ledger(Dialect::Postgres)
            .without_table()
            .lookalike(Some("public"), "ProcessedIntegrationEvent", "table", Likeness::Near)
            .lookalike(Some("audit"), TABLE, "view", Likeness::OtherNamespace)
            .lookalike(Some("public"), TABLE, "composite type", Likeness::SameNameOtherKind)
            .run(&RULE);
        let message = said.finding().message.raw();
        let places: Vec<usize> = [
            "a composite type of that name",
            "the view `audit.ProcessedIntegrationEvents`",
            "the table `ProcessedIntegrationEvent`",
        ]
        .iter()
        .map(|words| message.find(words).expect("every lookalike is named"))
        .collect();
        assert!(places.is_sorted(), "{message}");
    }

    #[test]
    fn an_unconfirmed_table_is_listed_as_open() {
        let said = Scene::ledger(Dialect::Sqlite)
            .wanted(|t| t.confirmed = false)
            .without_table()
            .run(&RULE);
        assert_eq!(said.open().found.raw(), "nothing");
    }
}
