//! What `seadrift rules --self-test` prints.

use serde::Serialize;

use super::error::{CliError, ErrorKind};
use super::style;
use crate::dialect::Dialect;
use crate::rules::{Outcome, SelfTest, Trial};

/// The result as JSON has it.
#[derive(Serialize)]
struct Document<'a> {
    passed: bool,
    /// What was said of the clean ledger, which is nothing if all is well.
    clean: Vec<Clean<'a>>,
    trials: &'a [Trial],
}

#[derive(Serialize)]
struct Clean<'a> {
    dialect: Dialect,
    said: &'a [String],
}

/// Writes the result as JSON.
pub(super) fn json(result: &SelfTest) -> Result<String, CliError> {
    let document = Document {
        passed: result.passed(),
        clean: result
            .clean
            .iter()
            .map(|(dialect, said)| Clean {
                dialect: *dialect,
                said,
            })
            .collect(),
        trials: &result.trials,
    };
    let mut text = serde_json::to_string_pretty(&document)
        .map_err(|error| CliError::new(ErrorKind::Internal, "the result cannot be put into JSON").caused_by(&error))?;
    text.push('\n');
    Ok(text)
}

/// Writes a table of rules and databases, what is not possible and why, what went wrong, and a verdict.
pub(super) fn text(result: &SelfTest) -> String {
    let mut text = table(result);
    let refusals = refusals(&result.trials);
    if !refusals.is_empty() {
        text.push_str("\nNot possible:\n");
        text.push_str(&refusals);
    }
    text.push_str(&failures(result));
    text.push('\n');
    text.push_str(&verdict(result));
    text
}

fn table(result: &SelfTest) -> String {
    let width = result.trials.iter().map(|trial| trial.rule.len()).max().unwrap_or(0);
    let bold = style::heading();
    let titles = Dialect::ALL.map(Dialect::title);
    let clean: Vec<&str> = result
        .clean
        .iter()
        .map(|(_, said)| if said.is_empty() { "quiet" } else { "NOISY" })
        .collect();
    let mut text = row(&format!("{:4}  {:width$}", "", ""), &cells(&titles));
    text.push_str(&row(&format!("{:4}  {:width$}", "", "a clean ledger"), &cells(&clean)));
    for trials in result.trials.chunk_by(|a, b| a.code == b.code) {
        let words: Vec<&str> = trials.iter().map(|trial| word(&trial.outcome)).collect();
        let name = format!("{}  {bold}{:width$}{bold:#}", trials[0].code, trials[0].rule);
        text.push_str(&row(&name, &cells(&words)));
    }
    text
}

fn row(name: &str, cells: &str) -> String {
    format!("{}\n", format!("{name}{cells}").trim_end())
}

fn cells(words: &[&str]) -> String {
    words.iter().map(|word| format!("  {word:12}")).collect()
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Caught { .. } => "caught",
        Outcome::NotPossible { .. } => "not possible",
        Outcome::Missed { .. } => "MISSED",
        Outcome::Mistaken { .. } => "MISTAKEN",
    }
}

/// One line per rule that cannot be tried everywhere.
fn refusals(trials: &[Trial]) -> String {
    let mut text = String::new();
    for trials in trials.chunk_by(|a, b| a.code == b.code) {
        let refused = trials.iter().filter_map(|trial| match trial.outcome {
            Outcome::NotPossible { reason } => Some((trial.dialect.title(), reason)),
            _ => None,
        });
        let (databases, reasons): (Vec<&str>, Vec<&str>) = refused.unzip();
        if let Some(reason) = reasons.first() {
            let Trial { code, rule, .. } = trials[0];
            text.push_str(&format!("  {code} {rule} on {}: {reason}\n", databases.join(", ")));
        }
    }
    text
}

/// One paragraph per trial that went wrong.
fn failures(result: &SelfTest) -> String {
    let mut text = String::new();
    let mut fail = |what: String, said: &[String]| {
        text.push_str(&format!("\n{what}\n"));
        for line in said {
            text.push_str(&format!("  {line}\n"));
        }
    };
    for (dialect, said) in result.clean.iter().filter(|(_, said)| !said.is_empty()) {
        fail(format!("The clean ledger on {} is not clean:", dialect.title()), said);
    }
    for Trial {
        code,
        rule,
        dialect,
        outcome,
    } in &result.trials
    {
        let place = format!("{code} {rule} on {}", dialect.title());
        match outcome {
            Outcome::Missed { said } if said.is_empty() => {
                fail(format!("{place}: missed, and nobody else spoke"), said)
            }
            Outcome::Missed { said } => fail(format!("{place}: missed, but said was:"), said),
            Outcome::Mistaken { said } => fail(format!("{place}: caught, but:"), said),
            Outcome::Caught { .. } | Outcome::NotPossible { .. } => {}
        }
    }
    text
}

fn verdict(result: &SelfTest) -> String {
    let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    let rules = result.trials.chunk_by(|a, b| a.code == b.code).count();
    match result.failures() {
        0 => format!(
            "Passed: {} caught {} on {}.\n",
            count(rules, "rule"),
            count(result.caught(), "planted drift"),
            count(Dialect::ALL.len(), "database")
        ),
        failures => {
            let error = style::error();
            let trials = result.clean.len() + result.trials.len();
            format!("{error}Failed:{error:#} {failures} of {trials} trials went wrong.\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;

    fn trial(code: &'static str, dialect: Dialect, outcome: Outcome) -> Trial {
        Trial {
            code,
            rule: "some-long-rule",
            dialect,
            outcome,
        }
    }

    fn result(last: Outcome) -> SelfTest {
        let caught = Outcome::Caught {
            severity: Severity::Error,
        };
        let refused = Outcome::NotPossible {
            reason: "there is none",
        };
        SelfTest {
            clean: Dialect::ALL.iter().map(|dialect| (*dialect, Vec::new())).collect(),
            trials: vec![
                trial("X001", Dialect::Postgres, caught),
                trial("X001", Dialect::MySql, refused.clone()),
                trial("X001", Dialect::MariaDb, refused),
                trial("X001", Dialect::Sqlite, last),
            ],
        }
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn the_table_has_a_row_per_rule_and_ends_with_the_verdict() {
        let passed = result(Outcome::Caught {
            severity: Severity::Info,
        });
        assert_eq!(
            plain(&text(&passed)),
            "                      PostgreSQL    MySQL         MariaDB       SQLite\n      \
             a clean ledger  quiet         quiet         quiet         quiet\n\
             X001  some-long-rule  caught        not possible  not possible  caught\n\n\
             Not possible:\n  X001 some-long-rule on MySQL, MariaDB: there is none\n\n\
             Passed: 1 rule caught 2 planted drifts on 4 databases.\n"
        );
    }

    #[test]
    fn what_went_wrong_is_told_in_words() {
        let missed = result(Outcome::Missed {
            said: vec!["other-rule: something".to_owned()],
        });
        let text = plain(&text(&missed));
        assert!(
            text.contains("X001  some-long-rule  caught        not possible  not possible  MISSED\n"),
            "{text}"
        );
        assert!(
            text.ends_with(
                "X001 some-long-rule on SQLite: missed, but said was:\n  other-rule: something\n\n\
                 Failed: 1 of 8 trials went wrong.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn json_names_rule_database_and_outcome() {
        let missed = result(Outcome::Missed { said: Vec::new() });
        let json: serde_json::Value = serde_json::from_str(&json(&missed).unwrap()).unwrap();
        assert_eq!(json["passed"], false);
        assert_eq!(json["trials"][0]["outcome"], "caught");
        assert_eq!(json["trials"][0]["severity"], "error");
        assert_eq!(json["trials"][1]["outcome"], "not-possible");
        assert_eq!(json["trials"][1]["reason"], "there is none");
        assert_eq!(json["trials"][3]["outcome"], "missed");
        assert_eq!(json["trials"][3]["dialect"], "sqlite");
        assert_eq!(json["clean"][0]["said"], serde_json::json!([]));
    }
}
