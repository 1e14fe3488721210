//! `seadrift rules`: the list of all rules, and whether each still catches its drift.

use serde::Serialize;

use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::explain::page;
use super::{exit, self_test, style};
use crate::rules::{self, RULES, Rule};

/// List the rules that a check applies
#[derive(Debug, clap::Args)]
pub(super) struct RulesArgs {
    /// How to print the list; markdown has every rule's page
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Plant one drift per rule into a clean ledger of each database, in memory, and show that just that rule speaks
    #[arg(long)]
    self_test: bool,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Markdown,
}

/// A rule as the list has it.
#[derive(Debug, Serialize)]
struct Entry {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    summary: &'static str,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &RulesArgs, console: &Console) -> Result<u8, CliError> {
    if args.self_test {
        return try_rules(args.format, console);
    }
    let text = match args.format {
        Format::Text => text(RULES),
        Format::Json => json(RULES)?,
        Format::Markdown => markdown(RULES),
    };
    console.print(&text)?;
    Ok(exit::CLEAN)
}

/// Runs the self-test. A rule that does not catch its drift is a bug of this program.
fn try_rules(format: Format, console: &Console) -> Result<u8, CliError> {
    let spec = rules::clean_spec().map_err(|problems| {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        CliError::new(
            ErrorKind::Internal,
            format!("the self-test's own spec is invalid: {first}"),
        )
    })?;
    let result = rules::self_test(&spec, RULES);
    let text = match format {
        Format::Text => self_test::text(&result),
        Format::Json => self_test::json(&result)?,
        Format::Markdown => {
            return Err(CliError::input("`--self-test` has no markdown form")
                .hint("leave `--format` out, or use `--format json`"));
        }
    };
    console.print(&text)?;
    Ok(if result.passed() { exit::CLEAN } else { exit::INTERNAL })
}

fn text(rules: &[&Rule]) -> String {
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let bold = style::heading();
    rules
        .iter()
        .map(|rule| {
            format!(
                "{}  {bold}{:width$}{bold:#}  {:8}  {}\n",
                rule.code, rule.name, rule.severity, rule.summary
            )
        })
        .collect()
}

fn json(rules: &[&Rule]) -> Result<String, CliError> {
    let entries: Vec<Entry> = rules
        .iter()
        .map(|rule| Entry {
            code: rule.code,
            name: rule.name,
            severity: rule.severity.as_str(),
            summary: rule.summary,
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&entries)
        .map_err(|error| CliError::new(ErrorKind::Internal, "the list cannot be put into JSON").caused_by(&error))?;
    text.push('\n');
    Ok(text)
}

/// Writes the list and every page: this is what `docs/rules.md` holds.
pub(super) fn markdown(rules: &[&Rule]) -> String {
    let mut text = "# Rules\n\n\
        The name is the identity of a rule, the code is for searching; neither is ever used again for another rule.\n\
        The severity is the worst one that the rule reports: it depends on what a drift costs in its place.\n\n\
        | code | name | worst severity | fires when |\n|---|---|---|---|\n"
        .to_owned();
    for rule in rules {
        let anchor = format!("{}-{}", rule.name, rule.code.to_lowercase());
        text.push_str(&format!(
            "| {} | [{}](#{anchor}) | {} | {} |\n",
            rule.code,
            rule.name,
            rule.severity,
            rule.summary.replace('|', "\\|")
        ));
    }
    for rule in rules {
        text.push('\n');
        text.push_str(&page(rule, 2));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::rules::{Check, Plant};

    static RULE: Rule = Rule {
        code: "X001",
        name: "some-rule",
        severity: Severity::Error,
        summary: "a | b is wrong",
        page: "Why.\n",
        check: Check::Table(|_, _| {}),
        plant: Plant::everywhere(|_| {}),
    };

    #[test]
    fn each_format_names_the_rule_with_its_facts() {
        assert_eq!(
            anstream::adapter::strip_str(&text(&[&RULE])).to_string(),
            "X001  some-rule  error     a | b is wrong\n"
        );
        let entries: serde_json::Value = serde_json::from_str(&json(&[&RULE]).unwrap()).unwrap();
        assert_eq!(entries[0]["name"], "some-rule");
        assert_eq!(entries[0]["severity"], "error");
        let markdown = markdown(&[&RULE]);
        assert!(markdown.contains("| X001 | [some-rule](#some-rule-x001) | error | a \\| b is wrong |"));
        assert!(markdown.contains("\n## some-rule (X001)\n"));
    }
}
