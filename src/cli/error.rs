//! Errors of commands: what happened, why, and what to do.
//!
//! A target that cannot be read is no such error: it is part of the report.

use super::exit;
use crate::catalog;
use crate::config::{DatabaseUrl, UrlError};
use crate::text::Terminal;

/// Why a command could not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CliError {
    /// What kind of failure it is; decides the exit code.
    pub(super) kind: ErrorKind,
    /// What happened, as a lower-case sentence without a full stop.
    pub(super) message: String,
    /// What caused it, nearest first.
    pub(super) sources: Vec<String>,
    /// What to do next.
    pub(super) hints: Vec<String>,
    /// Lines that come before the message, such as snippets of a spec. They are encoded for a terminal already.
    pub(super) context: String,
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorKind {
    /// The command line, the environment or a spec is invalid.
    Input,
    /// A result cannot be written.
    Output,
    /// What is there differs from what is wanted.
    Drift,
    /// The database stands in the way.
    Database,
    /// The program has a bug.
    Internal,
}

impl ErrorKind {
    /// Returns the exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Input | Self::Output => exit::USAGE,
            Self::Drift => exit::DRIFT,
            Self::Database => exit::INCOMPLETE,
            Self::Internal => exit::INTERNAL,
        }
    }
}

impl CliError {
    /// Makes an error without sources and hints.
    pub(super) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            sources: Vec::new(),
            hints: Vec::new(),
            context: String::new(),
        }
    }

    /// Makes an error about what the user gave.
    pub(super) fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, message)
    }

    /// Adds what caused it, with everything that caused that.
    pub(super) fn caused_by(mut self, source: &dyn std::error::Error) -> Self {
        let mut source = Some(source);
        while let Some(error) = source {
            self.sources.push(error.to_string());
            source = error.source();
        }
        self
    }

    /// Says which database it is about.
    pub(super) fn about(mut self, url: &DatabaseUrl) -> Self {
        self.message.push_str(&format!(" (database {url})"));
        self
    }

    /// Adds what to do next.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds `did you mean …?`, if there are near names.
    pub(super) fn did_you_mean(self, near: &[&str]) -> Self {
        let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        match names.split_last() {
            None => self,
            Some((only, [])) => self.hint(format!("did you mean {only}?")),
            Some((last, others)) => self.hint(format!("did you mean {} or {last}?", others.join(", "))),
        }
    }

    /// Renders the error for a terminal.
    pub(super) fn render(&self) -> String {
        let style = super::style::error();
        let mut text = self.context.clone();
        text.push_str(&format!("{style}error:{style:#} {}\n", Terminal(&self.message)));
        for source in &self.sources {
            text.push_str(&format!("  caused by: {}\n", Terminal(source)));
        }
        for hint in &self.hints {
            text.push_str(&format!("  hint: {}\n", Terminal(hint)));
        }
        text
    }
}

impl From<catalog::Error> for CliError {
    fn from(error: catalog::Error) -> Self {
        Self::new(ErrorKind::Database, error.reason).hint(error.help)
    }
}

impl From<UrlError> for CliError {
    fn from(error: UrlError) -> Self {
        Self::input(error.reason).hint(error.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_why_and_what_next_on_lines_of_their_own() {
        let cause = std::io::Error::other("disk\u{1b}[2J\nfull");
        let error = CliError::new(ErrorKind::Output, "the report cannot be written")
            .caused_by(&cause)
            .hint("make room")
            .did_you_mean(&["a", "b", "c"])
            .did_you_mean(&[]);
        assert_eq!(
            anstream::adapter::strip_str(&error.render()).to_string(),
            "error: the report cannot be written\n  caused by: disk\\u{1b}[2J\\nfull\n  hint: make room\n  \
             hint: did you mean `a`, `b` or `c`?\n"
        );
        assert_eq!(error.kind.code(), 2);
    }
}
