//! Markdown for merge requests and job summaries: short first, details folded, never longer than its place takes.

use std::fmt;
use std::io::{self, Write};

use super::fleet::{self, Entry};
use super::format::Setting;
use super::layout::count;
use super::model::{Report, Status, TargetReport};
use super::prose::{Span, spans};
use super::{excuse, verdict};
use crate::finding::{Finding, Severity};
use crate::text::{Terminal, Text};

/// GitHub takes comments of 65,536 characters and GitLab of a million; some are left to whoever posts it.
pub(super) const COMMENT: usize = 60_000;
/// GitHub drops job summaries of more than 1 MiB as a whole.
pub const SUMMARY: usize = 900 * 1024;

/// Rows of the tables and lists that come first.
pub(super) const ROWS: usize = 25;
/// The longest text in a table, in a list, and in the details, in characters.
const CELL: usize = 240;
pub(super) const NOTE: usize = 500;
const DETAIL: usize = 2_000;
/// What the ends of folds and the remarks about what is left out may take.
const RESERVE: usize = 512;

/// Writes the report in at most `budget` bytes.
pub(super) fn write(report: &Report, setting: &Setting<'_>, budget: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(render(report, setting, budget).as_bytes())
}

/// Renders the report in at most `budget` bytes, as far as that is more than its head.
pub fn render(report: &Report, setting: &Setting<'_>, budget: usize) -> String {
    let mut page = Page {
        text: String::new(),
        budget: budget.saturating_sub(RESERVE),
    };
    let outcome = verdict::outcome(report);
    page.push(&format!("### seadrift: {}\n\n{}.\n\n", outcome.word, outcome.rest));
    let groups = fleet::group(report);
    let entries = fleet::entries(&groups);
    match groups.are_shorter() || report.targets.len() > ROWS {
        true => fleet::write_groups(&groups, &mut page),
        false => write_targets(report, &mut page),
    }
    fleet::write_unchecked(&groups, &mut page);
    write_table(&entries, setting, &mut page);
    write_excuses(report, &mut page);
    write_details(&entries, setting, &mut page);
    write_open(report, &mut page);
    page.text
}

/// What was written so far.
pub(super) struct Page {
    text: String,
    budget: usize,
}

impl Page {
    /// Adds a block, if there is room for it.
    fn push(&mut self, block: &str) -> bool {
        let fits = self.text.len() + block.len() <= self.budget;
        if fits {
            self.text.push_str(block);
        }
        fits
    }

    /// Adds a head, as many rows as there is room for, and how many are left out.
    pub(super) fn push_rows(&mut self, head: &str, all: usize, rows: impl Iterator<Item = String>, end: &str) {
        if all == 0 || !self.push(head) {
            return;
        }
        let written = rows.take_while(|row| self.push(row)).count();
        // The reserve is for this.
        if written < all {
            self.text
                .push_str(&format!("\n*and {} more, which have no room here*\n", all - written));
        }
        self.text.push_str(end);
    }
}

fn write_targets(report: &Report, page: &mut Page) {
    let rows = report.by_target().into_iter().map(|(target, findings)| {
        let of = |severity: Severity| {
            let of = |f: &&&Finding| f.severity == severity && f.is_open();
            match findings.iter().filter(of).count() {
                // Nothing was found where nothing could be seen; that is not the same as none.
                0 if target.status != Status::Checked => "-".to_owned(),
                number => number.to_string(),
            }
        };
        let counts = Severity::ALL.map(of).join(" | ");
        format!(
            "| {} | {} | {counts} | {} |\n",
            Code(&target.name),
            server(target),
            status(target)
        )
    });
    let head = "| target | server | critical | error | warning | info | seen |\n|---|---|--:|--:|--:|--:|---|\n";
    page.push_rows(head, report.targets.len(), rows, "\n");
}

fn server(target: &TargetReport) -> String {
    let Some(dialect) = target.dialect else {
        return "not known".to_owned();
    };
    match &target.server_version {
        Some(version) => format!("{dialect} {}", Prose(version.raw(), CELL)),
        None => dialect.to_string(),
    }
}

fn status(target: &TargetReport) -> &'static str {
    match target.status {
        Status::Checked => "everything",
        Status::Incomplete => "**not everything**",
        Status::Unreachable => "**nothing**",
    }
}

fn write_table(entries: &[Entry<'_>], setting: &Setting<'_>, page: &mut Page) {
    let open = || entries.iter().filter(|entry| entry.finding.is_open());
    let all = open().count();
    let rows = open().take(ROWS).map(|Entry { finding, targets, .. }| {
        let at = &finding.location;
        let place = Text::new(format!("{}:{}", setting.path(&at.file), at.line));
        format!(
            "| {} | {} | {} | {} | {} |\n",
            severity(finding),
            name(finding),
            Prose(finding.message.raw(), CELL),
            targets,
            Code(&place)
        )
    });
    let head = "| severity | rule | finding | target | spec |\n|---|---|---|---|---|\n";
    let end = match all.saturating_sub(ROWS) {
        0 => "\n".to_owned(),
        rest => format!("\n*and {rest} more, below as far as there is room*\n\n"),
    };
    page.push_rows(head, all.min(ROWS), rows, &end);
}

/// Says what became of waivers and of the baseline.
fn write_excuses(report: &Report, page: &mut Page) {
    let waivers = excuse::to_look_at(report).into_iter().map(excuse::describe);
    let told: Vec<String> = waivers
        .chain(report.baseline.iter().map(excuse::describe_baseline))
        .collect();
    let rows = told.iter().map(|text| format!("- {}\n", Prose(text, DETAIL)));
    page.push_rows("#### Waivers and baseline\n\n", told.len(), rows, "\n");
}

fn severity(finding: &Finding) -> String {
    match finding.is_open() {
        true => format!("**{}**", finding.severity),
        false => format!("{}, excused", finding.severity),
    }
}

fn name(finding: &Finding) -> String {
    format!("{} {}", Prose(&finding.code, CELL), Prose(&finding.rule, CELL))
}

fn write_details(entries: &[Entry<'_>], setting: &Setting<'_>, page: &mut Page) {
    let rows = entries.iter().map(|entry| detail(entry, setting));
    let head = "<details><summary>What it costs and what to do</summary>\n\n";
    page.push_rows(head, entries.len(), rows, "\n</details>\n\n");
}

fn detail(entry: &Entry<'_>, setting: &Setting<'_>) -> String {
    let Entry {
        finding,
        targets,
        differs,
    } = entry;
    let at = &finding.location;
    let mut text = format!(
        "{} {}: {}\n",
        severity(finding),
        name(finding),
        Prose(finding.message.raw(), DETAIL)
    );
    let place = Text::new(format!("{}:{}:{}", setting.path(&at.file), at.line, at.column));
    let object = finding.object.dotted();
    text.push_str(&format!(
        "- {}: {} in {targets}\n",
        finding.object.kind(),
        Code(&object)
    ));
    if *differs {
        text.push_str(&format!("- what is said here is for {}\n", Code(&finding.target)));
    }
    for (label, fact) in [("expected", &finding.expected), ("found", &finding.found)] {
        if let Some(fact) = fact {
            text.push_str(&format!("- {label}: {}\n", Code(fact)));
        }
    }
    for (label, fact) in [("impact", &finding.impact), ("help", &finding.help)] {
        if !fact.raw().is_empty() {
            text.push_str(&format!("- {label}: {}\n", Prose(fact.raw(), DETAIL)));
        }
    }
    for excuse in [finding.excuse(), finding.lapse()].into_iter().flatten() {
        text.push_str(&format!("- {}\n", Prose(excuse.raw(), DETAIL)));
    }
    text.push_str(&format!("- spec: {}\n\n", Code(&place)));
    text
}

fn write_open(report: &Report, page: &mut Page) {
    let open = fleet::open_facts(report);
    let rows = open.iter().map(|(open, targets)| {
        let (object, aspect) = (open.object.dotted(), open.object.aspect);
        format!(
            "| {targets} | {} | {} | {} | {} |\n",
            Code(&object),
            aspect.map_or("", |aspect| aspect.as_str()),
            Code(&open.found),
            open.expected
                .as_ref()
                .map_or(String::new(), |guess| Code(guess).to_string())
        )
    });
    let head = format!(
        "<details><summary>{} that the spec leaves open</summary>\n\n| target | object | fact | found | the spec guesses |\n|---|---|---|---|---|\n",
        count(open.len() as u64, "fact", "facts")
    );
    page.push_rows(&head, open.len(), rows, "\n</details>\n");
}

/// Writes a name or a value as code, for any page in Markdown.
pub(crate) fn code(text: &str) -> String {
    Code(&Text::from(text)).to_string()
}

/// Writes a text, in which what stands between backticks is code, for any page in Markdown.
pub(crate) fn prose(text: &str) -> String {
    Prose(text, CELL).to_string()
}

/// A name or a value, as code.
pub(super) struct Code<'a>(pub(super) &'a Text);

/// A sentence of at most so many characters, in which what stands between backticks is code.
pub(super) struct Prose<'a>(pub(super) &'a str, pub(super) usize);

impl fmt::Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<code>")?;
        encode(&cut(self.0.raw(), CELL), f)?;
        f.write_str("</code>")
    }
}

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for span in spans(&cut(self.0, self.1)) {
            match span {
                Span::Words(part) => encode(part, f)?,
                Span::Code(part) => {
                    f.write_str("<code>")?;
                    encode(part, f)?;
                    f.write_str("</code>")?;
                }
            }
        }
        Ok(())
    }
}

/// Makes one line of a text, and cuts it where it is too long.
fn cut(text: &str, longest: usize) -> String {
    let line = Terminal(text).to_string();
    match line.char_indices().nth(longest) {
        Some((end, _)) => format!("{}… (cut)", &line[..end]),
        None => line,
    }
}

/// Keeps text from being markup, HTML, a mention, a reference or a link. The empty comments keep the page's own
/// search for these from seeing one word.
fn encode(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write as _;
    let mut chars = text.chars().peekable();
    let (mut before, mut www) = (' ', 0);
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        match c {
            '@' | '#' | '!' | '~' | '%' | '&' | '$' if !next.is_whitespace() => {
                write!(f, "&#{};<!-- -->", u32::from(c))?
            }
            ':' if next.is_whitespace() => f.write_char(c)?,
            // Within a word it marks nothing, and names are full of it.
            '_' if before.is_alphanumeric() && next.is_alphanumeric() => f.write_char(c)?,
            ':' if next == '/' => f.write_str("&#58;<!-- -->")?,
            '.' if www == 3 => f.write_str("<!-- -->.")?,
            '.' | ',' | ';' | '-' | '/' | '(' | ')' | '=' | '+' | '?' | '\'' | '"' => f.write_char(c)?,
            c if c.is_ascii_punctuation() => write!(f, "&#{};", u32::from(c))?,
            c => f.write_char(c)?,
        }
        before = c;
        www = if c.eq_ignore_ascii_case(&'w') { www + 1 } else { 0 };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> String {
        Prose(text, CELL).to_string()
    }

    #[test]
    fn names_in_backticks_are_code_and_a_lone_backtick_is_a_sign() {
        assert_eq!(prose("column `A` is `b`"), "column <code>A</code> is <code>b</code>");
        assert_eq!(prose("a ` b"), "a &#96; b");
        assert_eq!(
            prose("Run `DROP INDEX `I`;`."),
            "Run <code>DROP INDEX &#96;I&#96;;</code>."
        );
    }

    #[test]
    fn text_is_no_markup_and_no_html() {
        assert_eq!(
            prose("<script>|*x*_y_[a](b)\\"),
            "&#60;script&#62;&#124;&#42;x&#42;&#95;y&#95;&#91;a&#93;(b)&#92;"
        );
        assert_eq!(prose("a\nb"), "a&#92;nb");
    }

    #[test]
    fn a_name_with_underscores_stays_readable() {
        assert_eq!(prose("UX_Event_Id is _so_"), "UX_Event_Id is &#95;so&#95;");
    }

    #[test]
    fn text_mentions_refers_to_and_links_nothing() {
        assert_eq!(prose("@all #1 !2"), "&#64;<!-- -->all &#35;<!-- -->1 &#33;<!-- -->2");
        assert_eq!(prose("http://x www.y"), "http&#58;<!-- -->//x www<!-- -->.y");
        assert_eq!(prose("unique (a), not b: 1 = 2"), "unique (a), not b: 1 = 2");
    }
}
