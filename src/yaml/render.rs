//! Prints problems the way rustc does: the message, the place, the line, what to do.
//!
//! A line of a file can hold escape codes as well as any other text. So every message is encoded before the renderer
//! sees it, and in a line each hostile character is shown as one visible character, which keeps the columns right.

use std::ops::Range;

use annotate_snippets::renderer::{DecorStyle, Renderer};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Snippet};

use crate::text::{Terminal, is_deceptive};

use super::Position;
use super::problem::{Problem, SourceFile};

/// So many characters of a line are shown behind the place that is meant.
const BEHIND: usize = 100;

/// A place further to the right is named without its line: nobody can read that long a line.
const FAR_RIGHT: u32 = 1_000;

/// Renders problems as text for a terminal, each with the lines it is about.
///
/// `width` is the number of columns of the terminal.
pub fn render_problems(problems: &[Problem], color: bool, width: usize) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(width.max(40));
    let mut text = String::new();
    for problem in problems {
        text.push_str(&renderer.render(&[group(problem)]));
        text.push_str("\n\n");
    }
    text
}

fn group(problem: &Problem) -> Group<'static> {
    let mut group = Group::with_title(Level::ERROR.primary_title(problem.message.terminal().to_string()));
    match (problem.position, &problem.source) {
        (Some(at), Some(source)) => {
            group = group.element(place(source, at, AnnotationKind::Primary, ""));
            if let Some(related) = &problem.related {
                group = group.element(place(
                    &related.source,
                    related.position,
                    AnnotationKind::Context,
                    related.label,
                ));
            }
        }
        _ => group = group.element(Origin::path(Terminal(&problem.file).to_string())),
    }
    if let Some(help) = &problem.help {
        group = group.element(Level::HELP.message(help.terminal().to_string()));
    }
    group
}

/// Names a place and shows its line.
fn place(source: &SourceFile, at: Position, kind: AnnotationKind, label: &'static str) -> Element<'static> {
    let path = Terminal(source.name()).to_string();
    if at.column > FAR_RIGHT {
        return Origin::path(path)
            .line(at.line as usize)
            .char_column(at.column as usize)
            .into();
    }
    let (line, span) = excerpt(source.line(at.line), at);
    let mut annotation = kind.span(span);
    if !label.is_empty() {
        annotation = annotation.label(label);
    }
    Snippet::source(line)
        .path(path)
        .line_start(at.line as usize)
        .annotation(annotation)
        .into()
}

/// Makes a line safe and short, and says where the place is in it, in bytes.
fn excerpt(line: &str, at: Position) -> (String, Range<usize>) {
    let start = at.column.saturating_sub(1) as usize;
    let end = start + (at.length.max(1) as usize).min(BEHIND);
    let shown: String = line.chars().take(end + BEHIND).map(visible).collect();
    let byte = |index: usize| shown.char_indices().nth(index).map_or(shown.len(), |(byte, _)| byte);
    let span = byte(start)..byte(end);
    (shown, span)
}

/// Shows a character that acts on a screen, or hides on it, as a symbol for it.
fn visible(c: char) -> char {
    match c {
        '\t' => c,
        '\u{7f}' => '\u{2421}',
        c if c < ' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        c if is_deceptive(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
