//! The line of a spec that something is about, with a caret under the very words.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::layout::Look;
use crate::finding::{Location, Severity};
use crate::text::{Terminal, is_deceptive};

/// The texts of spec files, by the name that locations have.
pub type Sources = BTreeMap<String, Arc<str>>;

/// The lines of spec files, so that each is found at once.
#[derive(Debug)]
pub(super) struct Lines<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Lines<'a> {
    pub(super) fn of(sources: &'a Sources) -> Self {
        Self(
            sources
                .iter()
                .map(|(file, text)| (file.as_str(), text.lines().collect()))
                .collect(),
        )
    }

    /// Returns the line of a place, if its file is known.
    pub(super) fn get(&self, location: &Location) -> Option<&'a str> {
        let number = location.line.checked_sub(1)? as usize;
        self.0.get(location.file.as_str())?.get(number).copied()
    }
}

/// Renders where something is: an arrow with file, line and column, then the line itself if it is known.
///
/// Returns the lines and the width of the gutter, for whoever hangs more lines under it.
pub(super) fn render(location: &Location, severity: Severity, line: Option<&str>, look: &Look) -> (String, usize) {
    let gutter = location.line.to_string().len();
    let frame = look.frame();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:gutter$}{frame}-->{frame:#} {}:{}:{}",
        "",
        Terminal(&location.file),
        location.line,
        location.column
    );
    if let Some(line) = line {
        out.push_str(&quote(line, location, severity, look));
        out.push('\n');
    }
    (out, gutter)
}

fn quote(line: &str, location: &Location, severity: Severity, look: &Look) -> String {
    let (shown, span) = spread(line, location.column, location.end_column);
    let level = match severity {
        Severity::Critical | Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let snippet = Snippet::source(shown.as_str())
        .line_start(location.line as usize)
        .annotation(AnnotationKind::Primary.span(span));
    let renderer = if look.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer
        .term_width(look.width)
        .render(&[Group::with_level(level).element(snippet)])
}

/// Makes a line safe to print, and finds the bytes that the given columns have become.
fn spread(line: &str, column: u32, end_column: u32) -> (String, std::ops::Range<usize>) {
    let first = column.saturating_sub(1) as usize;
    let last = (end_column.saturating_sub(1) as usize).max(first + 1);
    let mut shown = String::with_capacity(line.len());
    let (mut start, mut end) = (None, None);
    for (i, c) in line.chars().enumerate() {
        if i == first {
            start = Some(shown.len());
        }
        if i == last {
            end = Some(shown.len());
        }
        match c {
            '\t' => shown.push_str("    "),
            c if is_deceptive(c) => {
                let _ = write!(shown, "{}", Terminal(c.encode_utf8(&mut [0; 4])));
            }
            c => shown.push(c),
        }
    }
    let start = start.unwrap_or(shown.len());
    let end = end.unwrap_or(shown.len());
    (shown, start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32, end_column: u32) -> Location {
        Location {
            file: "specs/a.yaml".to_owned(),
            line,
            column,
            end_column,
        }
    }

    fn shown(text: &str, location: &Location) -> String {
        let sources = Sources::from([("specs/a.yaml".to_owned(), Arc::from(text))]);
        let line = Lines::of(&sources).get(location);
        render(location, Severity::Error, line, &Look::default()).0
    }

    #[test]
    fn the_caret_is_under_the_value() {
        let text = "tables:\n  T: { type: varchar(160) }\n";
        assert_eq!(
            shown(text, &at(2, 14, 26)),
            " --> specs/a.yaml:2:14\n  |\n2 |   T: { type: varchar(160) }\n  |              ^^^^^^^^^^^^\n"
        );
    }

    #[test]
    fn escaped_characters_move_the_caret_along() {
        assert_eq!(
            shown("a\u{202e}b: x", &at(1, 3, 4)),
            " --> specs/a.yaml:1:3\n  |\n1 | a\\u{202e}b: x\n  |          ^\n"
        );
        assert_eq!(
            shown("\u{1b}[31m: x", &at(1, 1, 6)),
            " --> specs/a.yaml:1:1\n  |\n1 | \\u{1b}[31m: x\n  | ^^^^^^^^^^\n"
        );
    }

    #[test]
    fn an_unknown_file_or_line_has_the_arrow_alone() {
        let location = at(7, 1, 2);
        assert_eq!(shown("one line", &location), " --> specs/a.yaml:7:1\n");
        let none = render(&location, Severity::Error, None, &Look::default()).0;
        assert_eq!(none, " --> specs/a.yaml:7:1\n");
    }
}
