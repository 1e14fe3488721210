//! The self-test: each rule's drift is planted into a clean ledger on each database, and just that rule must speak.
//!
//! It shows that a rule is wired to the facts that it judges and that no other rule is disturbed by them. What a
//! rule says in which case is for its own tests.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::compare::{ideal, pair};
use crate::dialect::Dialect;
use crate::finding::{Finding, Severity};
use crate::spec::{Problem, Spec, parse};

use super::engine::{Rule, Verdict, check_with};

/// What became of all plants.
#[derive(Clone, Debug)]
pub struct SelfTest {
    /// What was said of the clean ledger, on each database: nothing, if all is well.
    pub clean: Vec<(Dialect, Vec<String>)>,
    /// One entry per rule and database, in the order of both.
    pub trials: Vec<Trial>,
}

/// One rule on one database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// The rule's code.
    pub code: &'static str,
    /// The rule's name.
    pub rule: &'static str,
    /// The database.
    pub dialect: Dialect,
    /// What became of its drift.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What became of a planted drift.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// Its rule speaks, and nobody else who should not.
    Caught {
        /// How bad the rule takes it to be.
        severity: Severity,
    },
    /// Such a drift cannot occur on this database.
    NotPossible {
        /// Why, as a fragment.
        reason: &'static str,
    },
    /// Its rule is silent.
    Missed {
        /// What others say of it.
        said: Vec<String>,
    },
    /// Its rule speaks, and others say what they should not, or not what they should.
    Mistaken {
        /// What they say, or fail to.
        said: Vec<String>,
    },
}

impl SelfTest {
    /// Returns whether every drift that can occur was caught, and nothing else was said.
    pub fn passed(&self) -> bool {
        self.failures() == 0
    }

    /// Returns how many trials, clean ledgers included, did not go as they should.
    pub fn failures(&self) -> usize {
        let noisy = self.clean.iter().filter(|(_, said)| !said.is_empty()).count();
        let failed = self
            .trials
            .iter()
            .filter(|trial| matches!(trial.outcome, Outcome::Missed { .. } | Outcome::Mistaken { .. }))
            .count();
        noisy + failed
    }

    /// Returns how many drifts were caught.
    pub fn caught(&self) -> usize {
        let caught = |trial: &&Trial| matches!(trial.outcome, Outcome::Caught { .. });
        self.trials.iter().filter(caught).count()
    }
}

/// Returns the spec of the clean ledger.
///
/// # Errors
///
/// The problems of the file, which the tests of this program rule out.
pub fn clean_spec() -> Result<Spec, Vec<Problem>> {
    parse("selftest.yaml", include_str!("selftest.yaml"))
}

/// Tries rules on every database.
pub fn self_test(spec: &Spec, rules: &[&'static Rule]) -> SelfTest {
    let clean = Dialect::ALL
        .iter()
        .map(|&dialect| (dialect, strangers(&judge(spec, &ideal(spec, dialect), rules), &[])))
        .collect();
    let trials = rules
        .iter()
        .flat_map(|rule| Dialect::ALL.map(|dialect| trial(rule, spec, dialect, rules)))
        .collect();
    SelfTest { clean, trials }
}

fn trial(rule: &'static Rule, spec: &Spec, dialect: Dialect, rules: &[&'static Rule]) -> Trial {
    let outcome = match rule.plant.refusal(dialect) {
        Some(reason) => Outcome::NotPossible { reason },
        None => {
            let spec = rule.plant.spec(spec);
            outcome(rule, &judge(&spec, &rule.plant.sow(ideal(&spec, dialect)), rules))
        }
    };
    Trial {
        code: rule.code,
        rule: rule.name,
        dialect,
        outcome,
    }
}

fn judge(spec: &Spec, catalog: &Catalog, rules: &[&'static Rule]) -> Verdict {
    check_with(rules, &pair(spec, catalog), "self-test")
}

fn outcome(rule: &Rule, verdict: &Verdict) -> Outcome {
    let worst_of = |name: &str| {
        let own = verdict.findings.iter().filter(|finding| finding.rule == name);
        own.map(|finding| finding.severity).max()
    };
    let companions = rule.plant.companions();
    let mut expected = companions.to_vec();
    expected.push(rule.name);
    let mut said = strangers(verdict, &expected);
    let Some(severity) = worst_of(rule.name) else {
        return Outcome::Missed { said };
    };
    if severity > rule.severity {
        said.push(format!("{severity} is worse than the worst severity of {}", rule.name));
    }
    let silent = companions.iter().filter(|name| worst_of(name).is_none());
    said.extend(silent.map(|name| format!("{name} is silent")));
    if said.is_empty() {
        Outcome::Caught { severity }
    } else {
        Outcome::Mistaken { said }
    }
}

/// Returns what was said by rules that should be silent. Remarks (info) are not held against them, unless nobody
/// is expected to speak at all.
fn strangers(verdict: &Verdict, expected: &[&str]) -> Vec<String> {
    let least = if expected.is_empty() {
        Severity::Info
    } else {
        Severity::Warning
    };
    let strange = |finding: &&Finding| finding.severity >= least && !expected.contains(&finding.rule.as_str());
    let findings = verdict
        .findings
        .iter()
        .filter(strange)
        .map(|finding| format!("{}: {}", finding.rule, finding.message.raw()));
    let unverified = verdict
        .unverified
        .iter()
        .map(|unverified| format!("unverified: {}", unverified.reason.raw()));
    findings.chain(unverified).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::engine::Check;
    use crate::rules::plant::Plant;
    use crate::rules::{RULES, column_length, find};

    fn run(rules: &[&'static Rule]) -> SelfTest {
        self_test(&clean_spec().unwrap(), rules)
    }

    #[test]
    fn every_rule_catches_its_drift_on_every_database_where_it_can_occur() {
        let result = run(RULES);
        for (dialect, said) in &result.clean {
            assert!(said.is_empty(), "the clean ledger on {dialect}: {said:#?}");
        }
        for trial in &result.trials {
            assert!(
                matches!(trial.outcome, Outcome::Caught { .. } | Outcome::NotPossible { .. }),
                "{trial:#?}"
            );
        }
        assert!(result.passed());
        assert_eq!(result.trials.len(), RULES.len() * Dialect::ALL.len());
    }

    #[test]
    fn every_drift_can_occur_somewhere_and_a_refusal_has_a_reason() {
        for rule in RULES {
            let refusals: Vec<&str> = Dialect::ALL.iter().filter_map(|d| rule.plant.refusal(*d)).collect();
            assert!(refusals.len() < Dialect::ALL.len(), "{}", rule.name);
            for reason in refusals {
                assert!(reason.len() > 10 && !reason.ends_with('.'), "{}: {reason}", rule.name);
            }
        }
    }

    #[test]
    fn companions_are_rules_of_their_own() {
        for rule in RULES {
            for name in rule.plant.companions() {
                assert!(
                    find(name).is_some() && *name != rule.name,
                    "{} brings {name}",
                    rule.name
                );
            }
        }
    }

    #[test]
    fn the_clean_ledger_speaks_of_every_kind_of_fact() {
        let spec = clean_spec().unwrap();
        let table = &spec.tables[0];
        let states = |fact: &dyn Fn(&crate::spec::ColumnSpec) -> bool| table.columns.iter().any(fact);
        assert!(states(&|c| c.nullable.value.stated() == Some(&true)));
        assert!(states(&|c| c.default.value.stated().is_some()));
        assert!(states(&|c| c.identity.value.stated().is_some()));
        assert!(states(&|c| c.generated.value.stated().is_some()));
        assert!(states(&|c| c.compare.value.stated().is_some()));
        assert!(states(&|c| c.values.value.stated().is_some()));
        assert!(table.is_ledger() && table.primary_key.value.stated().is_some() && !table.checks.is_empty());
        let kinds: BTreeSet<bool> = table.indexes.iter().map(|i| i.unique.value).collect();
        assert_eq!(kinds.len(), 2, "a unique index and an ordinary one");
    }

    #[test]
    fn a_rule_that_does_not_look_is_reported_as_missed() {
        static BLIND: Rule = Rule {
            check: Check::Table(|_, _| {}),
            ..column_length::RULE
        };
        let result = run(&[&BLIND]);
        assert!(!result.passed());
        let missed = |trial: &&Trial| matches!(&trial.outcome, Outcome::Missed { said } if said.is_empty());
        let enforcing = Dialect::ALL.iter().filter(|d| d.facts().enforces_lengths()).count();
        assert_eq!(result.trials.iter().filter(missed).count(), enforcing);
        assert_eq!(result.failures(), enforcing);
    }

    #[test]
    fn a_drift_that_changes_nothing_is_reported_as_missed() {
        static IDLE: Rule = Rule {
            plant: Plant::everywhere(|_| {}),
            ..column_length::RULE
        };
        let result = run(&[&IDLE]);
        let missed = |trial: &Trial| matches!(&trial.outcome, Outcome::Missed { said } if said.is_empty());
        assert!(result.trials.iter().all(missed), "{:?}", result.trials);
        assert_eq!(result.failures(), Dialect::ALL.len());
    }

    #[test]
    fn a_rule_that_speaks_where_it_should_not_is_reported() {
        static ALARM: Rule = Rule {
            name: "alarm",
            check: Check::Table(|context, sink| {
                sink.report(crate::rules::Draft {
                    severity: Severity::Info,
                    object: context.path().clone(),
                    at: context.desired().name.at,
                    expected: None,
                    found: None,
                    message: "fire".to_owned(),
                    impact: String::new(),
                    help: String::new(),
                });
            }),
            ..column_length::RULE
        };
        let result = run(&[&ALARM]);
        assert!(result.clean.iter().all(|(_, said)| said == &["alarm: fire"]));
        assert_eq!(result.failures(), Dialect::ALL.len());
    }

    #[test]
    fn a_drift_that_a_second_rule_takes_for_its_own_is_reported() {
        static SILENT_COMPANION: Rule = Rule {
            plant: Plant::everywhere(|ground| ground.column("EventType").nullable = true).brings(&["column-length"]),
            check: Check::Table(|_, _| {}),
            name: "silent",
            ..column_length::RULE
        };
        let result = run(&[&SILENT_COMPANION, find("column-nullability").unwrap()]);
        let trial = &result.trials[0];
        assert!(
            matches!(&trial.outcome, Outcome::Missed { said } if said.len() == 1 && said[0].starts_with("column-nullability: ")),
            "{trial:?}"
        );
    }
}
