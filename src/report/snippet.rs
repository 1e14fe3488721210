//! The line of a spec that something is about, with a caret under the very words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::layout::Look;
use crate::finding::{Location, Severity};
use crate::text::{Terminal, Text, gives_order, is_deceptive};

/// Lines of spec files, by the file's name in locations and by their numbers, counted from 1.
pub(super) type Lines = BTreeMap<String, BTreeMap<u32, Text>>;

/// Takes the lines of a spec that places in it are in.
pub(super) fn quote<'a>(text: &str, file: &str, places: impl Iterator<Item = &'a Location>) -> Lines {
    let numbers: BTreeSet<u32> = places.filter(|at| at.file == file).map(|at| at.line).collect();
    if numbers.is_empty() {
        return Lines::new();
    }
    let all: Vec<&str> = text.lines().collect();
    let line = |number: u32| Some((number, Text::new(*all.get(number.checked_sub(1)? as usize)?)));
    let lines: BTreeMap<u32, Text> = numbers.into_iter().filter_map(line).collect();
    Lines::from([(file.to_owned(), lines)])
}

/// Joins lines of several runs. A line of which they tell differently is left out, since nobody knows which one a finding
/// is about.
pub(super) fn join(all: impl IntoIterator<Item = Lines>) -> Lines {
    let mut told: BTreeMap<(String, u32), Option<Text>> = BTreeMap::new();
    for (file, lines) in all.into_iter().flatten() {
        for (number, line) in lines {
            let known = told.entry((file.clone(), number)).or_insert_with(|| Some(line.clone()));
            if known.as_ref() != Some(&line) {
                *known = None;
            }
        }
    }
    let mut lines = Lines::new();
    for ((file, number), line) in told {
        if let Some(line) = line {
            lines.entry(file).or_default().insert(number, line);
        }
    }
    lines
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
        out.push_str(&point(line, location, severity, look));
        out.push('\n');
    }
    (out, gutter)
}

/// Renders a line with a caret under the place.
fn point(line: &str, location: &Location, severity: Severity, look: &Look) -> String {
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
    let mut before = ' ';
    let mut chars = line.chars().enumerate().peekable();
    while let Some((i, c)) = chars.next() {
        if i == first {
            start = Some(shown.len());
        }
        if i == last {
            end = Some(shown.len());
        }
        let next = chars.peek().map(|(_, next)| *next);
        match c {
            '\t' => shown.push_str("    "),
            c if is_deceptive(c) || gives_order(before, c, next) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            c => shown.push(c),
        }
        before = c;
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
        let lines = quote(text, "specs/a.yaml", [location].into_iter());
        let line = lines.get("specs/a.yaml").and_then(|lines| lines.get(&location.line));
        render(location, Severity::Error, line.map(Text::raw), &Look::default()).0
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
    fn a_line_of_a_spec_gives_no_orders_to_a_pipeline() {
        assert_eq!(
            shown("##vso[x]: y # '##[z]'", &at(1, 1, 3)),
            " --> specs/a.yaml:1:1\n  |\n1 | #\\u{23}vso[x]: y # '#\\u{23}[z]'\n  | ^^^^^^^\n"
        );
    }

    #[test]
    fn a_line_that_results_tell_differently_is_nobodys() {
        let lines = |text: &str| {
            quote(
                text,
                "a.yaml",
                [1, 2]
                    .map(|n| at(n, 1, 2))
                    .map(|l| Location {
                        file: "a.yaml".to_owned(),
                        ..l
                    })
                    .iter(),
            )
        };
        let joined = join([lines("one\ntwo"), lines("one\nnew"), lines("one\ntwo")]);
        assert_eq!(joined["a.yaml"], BTreeMap::from([(1, Text::from("one"))]));
        assert_eq!(join([lines("one\ntwo"), lines("one\ntwo")])["a.yaml"].len(), 2);
    }

    #[test]
    fn an_unknown_file_or_line_has_the_arrow_alone() {
        let location = at(7, 1, 2);
        assert_eq!(shown("one line", &location), " --> specs/a.yaml:7:1\n");
        let none = render(&location, Severity::Error, None, &Look::default()).0;
        assert_eq!(none, " --> specs/a.yaml:7:1\n");
    }
}
