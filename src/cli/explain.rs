//! `seadrift explain`: the page of one rule.

use super::console::Console;
use super::error::CliError;
use super::{exit, style};
use crate::report::wrap;
use crate::rules::{self, RULES, Rule};
use crate::text::near_names;

/// Tell why a rule exists and what to do when it fires
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArgs {
    /// Name or code of the rule: unique-missing, I002
    #[arg(value_name = "RULE")]
    rule: String,
}

/// Runs the command and returns the exit code.
pub(super) fn run(args: &ExplainArgs, console: &Console) -> Result<u8, CliError> {
    let wanted = args.rule.trim();
    let Some(rule) = rules::find(wanted) else {
        let known = RULES.iter().flat_map(|rule| [rule.name, rule.code]);
        return Err(CliError::input(format!("there is no rule `{wanted}`"))
            .did_you_mean(&near_names(wanted, known))
            .hint("`seadrift rules` lists them all"));
    };
    let page = page(rule, 1);
    if console.is_terminal() || console.color() {
        console.print(&decorate(&page, console.width()))?;
    } else {
        console.print(&page)?;
    }
    Ok(exit::CLEAN)
}

/// Returns a rule's page as Markdown with a heading of the given level, and its own headings below it.
pub(super) fn page(rule: &Rule, level: usize) -> String {
    let hashes = "#".repeat(level);
    let mut text = format!(
        "{hashes} {} ({})\n\nWorst severity: {}.\n",
        rule.name, rule.code, rule.severity
    );
    let body = rule.page.trim();
    // The page's own title says the name again.
    let body = match body.split_once('\n') {
        Some((title, rest)) if title.starts_with("# ") => rest.trim_start(),
        _ => body,
    };
    text.push('\n');
    let mut in_code = false;
    for line in body.lines() {
        in_code ^= line.trim_start().starts_with("```");
        if line.starts_with('#') && !in_code {
            text.push_str(&hashes[1..]);
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Turns Markdown into text for a terminal: headings in bold, code in colour, paragraphs wrapped.
fn decorate(page: &str, width: usize) -> String {
    let heading = style::heading();
    let code = style::code();
    let mut text = String::new();
    let mut prose = String::new();
    let mut in_code = false;
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        let item = line.trim_start().starts_with("- ");
        let special = fence || in_code || item || line.is_empty() || line.starts_with(['#', '|']);
        if special {
            flush(&mut prose, &mut text, width);
        }
        if fence {
            in_code = !in_code;
        } else if in_code {
            text.push_str(&format!("    {code}{line}{code:#}\n"));
        } else if line.starts_with('#') {
            text.push_str(&format!(
                "{heading}{}{heading:#}\n",
                line.trim_start_matches(['#', ' '])
            ));
        } else if line.is_empty() || line.starts_with('|') {
            text.push_str(&format!("{}\n", color_code(line)));
        } else {
            if !prose.is_empty() {
                prose.push(' ');
            }
            prose.push_str(line.trim());
        }
    }
    flush(&mut prose, &mut text, width);
    text
}

fn flush(prose: &mut String, text: &mut String, width: usize) {
    if !prose.is_empty() {
        let indent = if prose.starts_with("- ") { 2 } else { 0 };
        let wrapped = wrap(prose, width, 0, indent);
        text.push_str(&format!("{}\n", color_code(&wrapped)));
        prose.clear();
    }
}

/// Colours what stands between backticks and drops them; a lone backtick stays.
fn color_code(text: &str) -> String {
    let style = style::code();
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let colored = parts.iter().enumerate().map(|(i, part)| match i % 2 {
        0 => (*part).to_owned(),
        _ => format!("{style}{part}{style:#}"),
    });
    colored.collect()
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
        summary: "something is wrong",
        page: "# some-rule\n\nFirst line\nsecond `line`.\n\n## Fix\n\n```sql\n# not a heading\nSELECT 1;\n```\n- an item\n  of two lines\n",
        check: Check::Table(|_, _| {}),
        plant: Plant::everywhere(|_| {}),
    };

    #[test]
    fn a_page_has_one_title_and_its_headings_move_below_it() {
        assert_eq!(
            page(&RULE, 2),
            "## some-rule (X001)\n\nWorst severity: error.\n\nFirst line\nsecond `line`.\n\n\
             ### Fix\n\n```sql\n# not a heading\nSELECT 1;\n```\n- an item\n  of two lines\n"
        );
    }

    #[test]
    fn a_terminal_sees_no_markup() {
        let text = anstream::adapter::strip_str(&decorate(&page(&RULE, 1), 80)).to_string();
        assert_eq!(
            text,
            "some-rule (X001)\n\nWorst severity: error.\n\nFirst line second line.\n\nFix\n\n    \
             # not a heading\n    SELECT 1;\n- an item of two lines\n"
        );
    }

    #[test]
    fn a_lone_backtick_stays() {
        assert_eq!(color_code("a ` b"), "a ` b");
    }
}
