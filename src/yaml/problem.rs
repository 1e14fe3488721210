//! What is wrong with a spec, and where.

use std::fmt;
use std::sync::Arc;

use crate::text::{Terminal, Text};

use super::Position;

/// How many problems of one file are kept; hostile files have hundreds of thousands.
const LIMIT: usize = 100;

/// A text file with an index of its lines.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    /// The byte at which each line starts.
    starts: Vec<usize>,
}

impl SourceFile {
    /// Indexes a text. Lines end as YAML lines do: with LF, CR LF or CR.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let bytes = text.as_bytes();
        let ends_line = |i: usize| bytes[i] == b'\n' || (bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
        let starts = std::iter::once(0)
            .chain((0..bytes.len()).filter(|&i| ends_line(i)).map(|i| i + 1))
            .collect();
        Self {
            name: name.into(),
            text,
            starts,
        }
    }

    /// Returns the file as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns a line, counted from 1, without its end; empty behind the last one.
    pub fn line(&self, number: u32) -> &str {
        let index = (number as usize).saturating_sub(1);
        let Some(&start) = self.starts.get(index) else {
            return "";
        };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// One thing that is wrong with a spec file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file as the user named it, with forward slashes.
    pub file: String,
    /// The place, unless the file could not be read at all.
    pub position: Option<Position>,
    /// What is wrong, as a lower-case sentence without a full stop.
    pub message: Text,
    /// What to do next.
    pub help: Option<Text>,
    /// Another place that has to do with it.
    pub related: Option<Related>,
    pub(crate) source: Option<Arc<SourceFile>>,
}

/// A second place of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub position: Position,
    /// What is there.
    pub label: &'static str,
    pub(crate) source: Arc<SourceFile>,
}

impl Problem {
    /// Makes a problem of a file that could not be read.
    pub(crate) fn of_file(file: &str, message: impl Into<Text>, help: impl Into<Text>) -> Self {
        Self {
            file: file.to_owned(),
            position: None,
            message: message.into(),
            help: Some(help.into()),
            related: None,
            source: None,
        }
    }

    /// Makes a problem at a place in a file.
    pub(crate) fn at(source: &Arc<SourceFile>, position: Position, message: impl Into<Text>) -> Self {
        Self {
            file: source.name().to_owned(),
            position: Some(position),
            message: message.into(),
            help: None,
            related: None,
            source: Some(Arc::clone(source)),
        }
    }

    /// Adds what to do next.
    pub(crate) fn set_help(&mut self, help: impl Into<Text>) {
        self.help = Some(help.into());
    }

    /// Adds a second place.
    pub(crate) fn set_related(&mut self, source: &Arc<SourceFile>, position: Position, label: &'static str) {
        self.related = Some(Related {
            position,
            label,
            source: Arc::clone(source),
        });
    }
}

impl fmt::Display for Problem {
    /// Prints one line that is safe on a terminal: `specs/a.yaml:3:5: unknown key`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", Terminal(&self.file))?;
        if let Some(at) = self.position {
            write!(f, "{}:{}:", at.line, at.column)?;
        }
        write!(f, " {}", self.message.terminal())
    }
}

impl std::error::Error for Problem {}

/// The problems of one file while it is read.
#[derive(Debug)]
pub(crate) struct Problems {
    pub(crate) source: Arc<SourceFile>,
    list: Vec<Problem>,
    /// How many were found beyond the limit; the last of them, so that it can still be described.
    beyond: usize,
    dropped: Option<Problem>,
}

impl Problems {
    /// Starts without problems.
    pub(crate) fn new(source: Arc<SourceFile>) -> Self {
        Self {
            source,
            list: Vec::new(),
            beyond: 0,
            dropped: None,
        }
    }

    /// Records a problem, which the caller may then describe further.
    pub(crate) fn add(&mut self, position: Position, message: impl Into<Text>) -> &mut Problem {
        let problem = Problem::at(&self.source, position, message);
        if self.list.len() < LIMIT {
            self.list.push(problem);
            let last = self.list.len() - 1;
            &mut self.list[last]
        } else {
            self.beyond += 1;
            self.dropped.insert(problem)
        }
    }

    /// Records a problem with a second place in the same file.
    pub(crate) fn add_pair(
        &mut self,
        position: Position,
        message: impl Into<Text>,
        first: Position,
        label: &'static str,
    ) -> &mut Problem {
        let source = Arc::clone(&self.source);
        let problem = self.add(position, message);
        problem.set_related(&source, first, label);
        problem
    }

    /// Returns whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether further problems are only counted, so that describing them is wasted work.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= LIMIT
    }

    /// Returns the problems in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|p| p.position);
        if self.beyond > 0 {
            let mut rest = Problem::of_file(
                self.source.name(),
                format!("{} more problems are not shown", self.beyond),
                "repair the ones above first",
            );
            rest.source = Some(self.source);
            self.list.push(rest);
        }
        self.list
    }
}

/// Cuts a name or value to what fits into a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Position {
        Position {
            line,
            column: 1,
            length: 1,
        }
    }

    #[test]
    fn lines_end_as_yaml_lines_do() {
        let file = SourceFile::new("a.yaml", "one\ntwo\r\nthree\rfour\n");
        for (number, text) in [
            (1, "one"),
            (2, "two"),
            (3, "three"),
            (4, "four"),
            (5, ""),
            (6, ""),
            (0, "one"),
        ] {
            assert_eq!(file.line(number), text, "line {number}");
        }
    }

    #[test]
    fn problems_come_in_the_order_of_the_file_and_end_with_the_count_of_the_rest() {
        let mut problems = Problems::new(Arc::new(SourceFile::new("a.yaml", "")));
        for line in (1..=250).rev() {
            problems.add(place(line), "wrong");
        }
        let list = problems.finish();
        assert_eq!(list.len(), LIMIT + 1);
        assert_eq!(list[0].position.unwrap().line, 151);
        assert_eq!(list[LIMIT].message.raw(), "150 more problems are not shown");
    }

    #[test]
    fn one_line_of_a_problem_holds_no_control_character() {
        let source = Arc::new(SourceFile::new("a\u{1b}.yaml", "x"));
        let problem = Problem::at(&source, place(1), "unknown key `\u{1b}[2J\n`");
        assert_eq!(problem.to_string(), "a\\u{1b}.yaml:1:1: unknown key `\\u{1b}[2J\\n`");
    }
}
