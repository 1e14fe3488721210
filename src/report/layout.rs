//! Lines of text for a screen: widths, wrapping, alignment, styles.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::finding::Severity;

/// How a text report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Columns that prose is wrapped at. Names are never broken.
    pub width: usize,
    /// Whether styles are written. No meaning is in a colour alone.
    pub color: bool,
    /// Whether only findings and the verdict are wanted.
    pub quiet: bool,
    /// Whether the session's settings are wanted, too.
    pub verbose: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            width: 100,
            color: false,
            quiet: false,
            verbose: false,
        }
    }
}

impl Look {
    fn style(self, style: Style) -> Style {
        if self.color { style } else { Style::new() }
    }

    pub(super) fn bold(self) -> Style {
        self.style(Style::new().bold())
    }

    pub(super) fn faint(self) -> Style {
        self.style(Style::new().dimmed())
    }

    /// Returns the style of a report's rules and gutters.
    pub(super) fn frame(self) -> Style {
        self.style(AnsiColor::BrightBlue.on_default().bold())
    }

    pub(super) fn good(self) -> Style {
        self.style(AnsiColor::Green.on_default().bold())
    }

    pub(super) fn doubtful(self) -> Style {
        self.style(AnsiColor::Yellow.on_default().bold())
    }

    pub(super) fn bad(self) -> Style {
        self.style(AnsiColor::BrightRed.on_default().bold())
    }

    pub(super) fn severity(self, severity: Severity) -> Style {
        self.style(match severity {
            Severity::Critical => AnsiColor::BrightMagenta.on_default().bold(),
            Severity::Error => AnsiColor::BrightRed.on_default().bold(),
            Severity::Warning => AnsiColor::Yellow.on_default().bold(),
            Severity::Info => AnsiColor::BrightBlue.on_default().bold(),
        })
    }
}

/// Returns how many columns a line takes.
pub(super) fn columns(line: &str) -> usize {
    match line.is_ascii() {
        // What is laid out has no control characters.
        true => line.len(),
        false => line.width(),
    }
}

/// Wraps one line of prose at blanks. `indent` stands before every line but the first, whose own beginning is
/// `used` columns wide. A word that is too long for a line is put on one whole.
pub fn wrap(text: &str, width: usize, used: usize, indent: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut at = used;
    let mut line_is_empty = true;
    // Blanks in a row stay as they are within a line, since they can be part of a name or a value.
    for word in text.split(' ') {
        let wide = columns(word);
        let room = usize::from(!line_is_empty) + wide;
        if !line_is_empty && !word.is_empty() && at + room > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            at = indent;
            line_is_empty = true;
        }
        if !line_is_empty {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += wide;
        line_is_empty = false;
    }
    out
}

/// Pads cells so that columns line up. A cell wider than [`WIDEST`] takes the room that it needs and does not widen
/// its column for the others. The last cell of a row is not padded.
pub(super) fn align(rows: &[Vec<String>]) -> Vec<String> {
    /// The widest cell that others are lined up with.
    const WIDEST: usize = 64;
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|i| {
            let cells = rows.iter().filter_map(|row| row.get(i)).map(|cell| columns(cell));
            cells.filter(|width| *width <= WIDEST).max().unwrap_or(0)
        })
        .collect();
    rows.iter()
        .map(|row| {
            let mut line = String::new();
            for (i, cell) in row.iter().enumerate() {
                line.push_str(cell);
                if i + 1 < row.len() {
                    let pad = widths[i].saturating_sub(columns(cell)) + 2;
                    line.extend(std::iter::repeat_n(' ', pad));
                }
            }
            line
        })
        .collect()
}

/// Lines rows up, and wraps their last cells in the room that is left. Where that is less than half of the width, a
/// last cell that takes more than a line stands below its row.
pub(super) fn table(rows: &[Vec<String>], width: usize) -> String {
    let head = |row: &Vec<String>| row.iter().rev().skip(1).rev().cloned().chain([String::new()]).collect();
    let heads: Vec<Vec<String>> = rows.iter().map(head).collect();
    let mut out = String::new();
    for (row, head) in rows.iter().zip(align(&heads)) {
        let text = row.last().map_or("", String::as_str);
        let used = columns(&head);
        if used * 2 <= width || used + columns(text) <= width {
            out.push_str(&head);
            out.push_str(&wrap(text, width, used, used));
        } else {
            let indent = head.len() - head.trim_start_matches(' ').len() + 4;
            out.push_str(head.trim_end());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(&wrap(text, width, indent, indent));
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

/// Writes `1 table` or `2 tables`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_at_blanks_under_its_beginning() {
        assert_eq!(wrap("one two three four", 9, 4, 2), "one\n  two\n  three\n  four");
        assert_eq!(wrap("one  two three", 20, 2, 2), "one  two three");
    }

    #[test]
    fn a_long_name_is_never_broken() {
        let name = "x".repeat(200);
        assert_eq!(wrap(&format!("a {name} b"), 20, 0, 2), format!("a\n  {name}\n  b"));
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("漢字 漢字", 8, 0, 0), "漢字\n漢字");
        let rows = [
            vec!["漢字".to_owned(), "x".to_owned()],
            vec!["a".to_owned(), "y".to_owned()],
        ];
        assert_eq!(align(&rows), ["漢字  x", "a     y"]);
    }

    #[test]
    fn the_last_cell_is_wrapped_in_its_column_or_stands_below_where_that_is_narrow() {
        let row = |name: &str, text: &str| vec![format!("  {name}"), text.to_owned()];
        let rows = [row("ab", "one two three"), row("c", "four"), row("d", "")];
        assert_eq!(table(&rows, 14), "  ab  one two\n      three\n  c   four\n  d\n");
        let rows = [row("a_long_name", "one two three"), row("c", "four")];
        assert_eq!(
            table(&rows, 20),
            "  a_long_name\n      one two three\n  c            four\n"
        );
    }

    #[test]
    fn one_huge_cell_does_not_push_the_others_away() {
        let huge = "n".repeat(120);
        let rows = [
            vec![huge.clone(), "x".to_owned()],
            vec!["short".to_owned(), "y".to_owned()],
        ];
        assert_eq!(align(&rows), [format!("{huge}  x"), "short  y".to_owned()]);
    }
}
