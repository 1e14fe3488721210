//! What becomes of a text's statements: blocks that happen only sometimes, code that is never reached, and changes that
//! are taken back.

use std::collections::BTreeMap;

use sqlparser::tokenizer::Token;

use super::Means;
use super::block::{Code, Reader};
use super::value::Value;
use super::words::{is, name_of, word};
use crate::dialect::Dialect;

/// How surely the content of a block happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Happens {
    /// Each time.
    Always,
    /// Each time that matters: unless another run is at work, or a loop has nothing to go over.
    Mostly,
    /// Under a condition that is not understood.
    Sometimes,
}

/// One open block.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    happens: Happens,
    is_loop: bool,
    label: Option<String>,
    /// How many removals were read before it.
    first: usize,
}

/// What a ROLLBACK would take back.
#[derive(Clone, Debug, Default)]
pub(super) struct Transaction {
    /// How many removals were read before it began; nothing where each statement stands for itself.
    begun: Option<usize>,
    /// The same of each savepoint.
    points: BTreeMap<String, usize>,
    /// Whether the next one begins by itself.
    chained: bool,
    /// Whether it was begun by a statement, and is lost if none commits it.
    pub(super) open: bool,
    /// Whether several statements were sent together.
    pub(super) several: bool,
}

impl Transaction {
    /// Makes that of a text; statements that are sent together are one transaction on some servers.
    pub(super) fn new(chained: bool) -> Self {
        Self {
            begun: chained.then_some(0),
            chained,
            ..Self::default()
        }
    }

    fn ended(&mut self, removals: usize) {
        self.begun = self.chained.then_some(removals);
        self.points.clear();
        self.open = false;
    }
}

impl Reader<'_> {
    /// Opens a block.
    pub(super) fn push(&mut self, happens: Happens, is_loop: bool) {
        let frame = Frame {
            happens,
            is_loop,
            label: self.label.take(),
            first: self.reading.removals.len(),
        };
        self.frames.push(frame);
    }

    /// Closes a block.
    pub(super) fn pop(&mut self) {
        self.frames.pop();
        if self.dead.is_some_and(|depth| self.frames.len() < depth) {
            self.dead = None;
        }
    }

    /// Opens another branch: what follows happens only if an earlier one did not.
    pub(super) fn turn(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.happens = Happens::Sometimes;
        }
    }

    /// Opens the part of a block that handles errors.
    pub(super) fn handle(&mut self) {
        self.turn();
        if self.dead.take().is_some() {
            self.may_have_ended = true;
        }
    }

    pub(super) fn is_conditional(&self) -> bool {
        self.may_have_ended || self.happens(0) == Happens::Sometimes
    }

    /// Returns how surely something happens in the open blocks from one on.
    fn happens(&self, from: usize) -> Happens {
        let inner = self.frames.iter().skip(from).map(|frame| frame.happens);
        inner.max().unwrap_or(Happens::Always)
    }

    /// Ends the run of a routine.
    pub(super) fn end(&mut self) {
        match self.happens(0) {
            Happens::Always => self.dead = Some(0),
            Happens::Mostly => {}
            Happens::Sometimes => self.may_have_ended = true,
        }
    }

    /// `LEAVE label`, `EXIT [label] [WHEN …]` and their kin: the rest of a block is not run.
    pub(super) fn leave(&mut self, tokens: &[Token]) {
        let when = tokens.iter().any(|t| is(t, "when"));
        let label = tokens.get(1).filter(|t| !is(t, "when")).and_then(name_of);
        let place = self.frames.iter().rposition(|frame| match &label {
            Some(label) => frame.label.as_ref() == Some(label),
            None => frame.is_loop,
        });
        let Some(place) = place else {
            return;
        };
        match self.happens(place + 1) {
            Happens::Always if !when => self.dead = Some(place + 1),
            // Leaving a loop is how batches end.
            Happens::Sometimes if !self.frames[place].is_loop => self.may_have_ended = true,
            _ => {}
        }
    }

    /// `SIGNAL` of MySQL: what comes behind it is not run, and what is done stays done. Classes 01 and 02 are no errors.
    pub(super) fn signal(&mut self, tokens: &[Token]) {
        let state = tokens.iter().find_map(|token| match token {
            Token::SingleQuotedString(state) | Token::DoubleQuotedString(state) => Some(state.as_str()),
            _ => None,
        });
        if state.is_some_and(|state| state.starts_with("01") || state.starts_with("02")) {
            return;
        }
        if self.is_mysql() && !self.may_have_ended && self.happens(0) == Happens::Always {
            self.dead = Some(0);
        }
    }

    /// What the server refuses ends the run, and takes back what was not committed.
    pub(super) fn refuse(&mut self, why: &str) {
        if self.may_have_ended || self.happens(0) == Happens::Sometimes {
            return;
        }
        self.take_back(self.transaction.begun.unwrap_or(0), why);
        self.dead = Some(0);
    }

    /// How far code that is called or sent here may go.
    pub(super) fn code(&self) -> Code {
        let free = match self.code {
            Some(code) => code == Code::Free,
            None => !self.transaction.open && !self.transaction.several,
        };
        if free { Code::Free } else { Code::Bound }
    }

    /// What was done so far stays done.
    pub(super) fn committed(&mut self) {
        self.transaction.ended(self.reading.removals.len());
    }

    /// `RAISE` of PL/pgSQL: an error takes back what its block did.
    pub(super) fn raise(&mut self, tokens: &[Token]) {
        let level = tokens.get(1).and_then(word).unwrap_or_default();
        let is_message = ["debug", "log", "info", "notice", "warning"].contains(&level.as_str());
        if is_message || self.may_have_ended || self.happens(0) != Happens::Always {
            return;
        }
        let block = self.frames.iter().rfind(|frame| !frame.is_loop);
        self.take_back(
            block.map_or(0, |frame| frame.first),
            "it ends with an error, which takes the deletion back",
        );
        self.dead = Some(0);
    }

    /// Follows a transaction.
    pub(super) fn transaction(&mut self, first: &str, tokens: &[Token]) {
        let read = self.reading.removals.len();
        let ends = matches!(first, "commit" | "rollback") && !tokens.iter().any(|t| is(t, "to"));
        if ends && self.code == Some(Code::Bound) && self.setting.dialect == Dialect::Postgres {
            let what = first.to_uppercase();
            return self.refuse(&format!(
                "its code says {what} where the server refuses to end a transaction"
            ));
        }
        match first {
            "start" if self.is_plain() => self.transaction.open = true,
            "start" => self.transaction.begun = Some(read),
            "commit" => self.committed(),
            "savepoint" => {
                let point = tokens.get(1).and_then(name_of);
                self.transaction.points.extend(point.map(|name| (name, read)));
            }
            _ if self.may_have_ended || self.happens(0) != Happens::Always => {}
            _ => {
                let to_point = tokens.iter().any(|t| is(t, "to"));
                let begun = match to_point {
                    true => tokens
                        .last()
                        .and_then(name_of)
                        .and_then(|name| self.transaction.points.get(&name).copied()),
                    false => self.transaction.begun,
                };
                if let Some(begun) = begun {
                    self.take_back(begun, "its transaction is rolled back");
                }
                if !to_point {
                    self.transaction.ended(read);
                }
            }
        }
    }

    /// `SET autocommit = …` of MySQL.
    pub(super) fn set_autocommit(&mut self, value: &Value) {
        self.transaction.chained = *value == Value::Number(0.0);
        self.committed();
    }

    /// A statement about tables ends the transaction on MySQL.
    pub(super) fn commits_by_itself(&mut self) {
        if self.is_mysql() {
            self.committed();
        }
    }

    /// A transaction that was begun and is open at the end is lost with the connection.
    pub(super) fn hang_up(&mut self) {
        if self.transaction.open {
            self.take_back(
                self.transaction.begun.unwrap_or(0),
                "its transaction is never committed",
            );
        }
    }

    fn take_back(&mut self, from: usize, why: &str) {
        let mysql = self.is_mysql();
        for removal in self.reading.removals.iter_mut().skip(from) {
            if !mysql || removal.means == Means::Delete {
                removal.fails.get_or_insert_with(|| why.to_owned());
            }
        }
    }
}
