//! The walk over statements: a plain list, a `DO` block, the body of a routine.
//!
//! The parser knows no procedural language, so a text is cut into tokens and the tokens into statements at each `;`.
//! The words that open and close blocks are taken off; what remains is a statement that the parser reads, or one that
//! removes nothing, or one that is not understood.

use std::collections::{BTreeMap, BTreeSet};

use sqlparser::ast::Expr;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::flow::{Frame, Happens, Transaction};
use super::units;
use super::value::{Scope, Value};
use super::words::{is, is_guard, name_of, word};
use super::{LONGEST, Reading, Removal, Setting, Unread, grammar, shorten};
use crate::dialect::Dialect;
use crate::retention::model::Routine;

/// Reads statements and keeps what they remove.
pub(super) struct Reader<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) reading: Reading,
    pub(super) variables: BTreeMap<String, Value>,
    pub(super) frames: Vec<Frame>,
    /// The name of the block that comes next.
    pub(super) label: Option<String>,
    /// Whether an earlier statement may have ended the run.
    pub(super) may_have_ended: bool,
    /// What is read is never run, as long as at least so many blocks are open.
    pub(super) dead: Option<usize>,
    pub(super) transaction: Transaction,
    /// Whether this is the code of a routine or of `DO`, and whether that may not end the transaction.
    pub(super) code: Option<Code>,
    /// Why whatever is read now fails, as a clause.
    pub(super) refused: Option<String>,
    /// The role that the session took.
    pub(super) acts_as: Option<String>,
    /// Tables that were made here and hold no row.
    pub(super) fresh: BTreeSet<String>,
    /// Tables that were renamed, as removals of all their rows, with the statement.
    pub(super) moved: Vec<(Removal, String)>,
    declaring: bool,
    pub(super) routines: Vec<&'a Routine>,
    pub(super) path: Vec<String>,
    pub(super) prepared: BTreeMap<String, String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(setting: &'a Setting<'a>) -> Self {
        Self {
            setting,
            reading: Reading::default(),
            variables: BTreeMap::new(),
            frames: Vec::new(),
            label: None,
            may_have_ended: false,
            dead: None,
            transaction: Transaction::new(!matches!(setting.dialect, Dialect::MySql | Dialect::MariaDb)),
            fresh: BTreeSet::new(),
            moved: Vec::new(),
            code: None,
            refused: None,
            acts_as: None,
            declaring: false,
            routines: Vec::new(),
            path: setting.path.to_vec(),
            prepared: BTreeMap::new(),
        }
    }

    pub(super) fn variables(&self) -> &BTreeMap<String, Value> {
        &self.variables
    }

    pub(super) fn path(&self) -> Vec<String> {
        self.path.clone()
    }

    pub(super) fn via(&self) -> Option<String> {
        self.routines.last().map(|r| r.name.clone())
    }

    pub(super) fn role(&self) -> Option<String> {
        let definer = self.routines.last().and_then(|r| r.definer.clone());
        definer.or_else(|| self.acts_as.clone())
    }

    /// Reads a text of statements with these variables.
    pub(super) fn run(&mut self, sql: &str, variables: &BTreeMap<String, Value>) {
        if sql.len() > LONGEST {
            self.unread("it is too long to be read", sql);
            return;
        }
        let Ok(tokens) = Tokenizer::new(grammar(self.setting.dialect), sql).tokenize() else {
            self.unread("it cannot be cut into words", sql);
            return;
        };
        let mut tokens: Vec<Token> = tokens
            .into_iter()
            .filter(|t| !matches!(t, Token::Whitespace(_) | Token::EOF))
            .collect();
        if self.is_mysql() {
            units::simplify(&mut tokens);
        }
        let conditional = self.is_conditional();
        let outer = (
            std::mem::replace(&mut self.variables, variables.clone()),
            std::mem::take(&mut self.frames),
            self.dead.take(),
            std::mem::replace(&mut self.may_have_ended, conditional),
        );
        self.segments(tokens);
        (self.variables, self.frames, self.dead, self.may_have_ended) = outer;
        self.declaring = false;
    }

    fn segments(&mut self, tokens: Vec<Token>) {
        let mut depth = 0_i32;
        let mut segments = vec![Vec::new()];
        for token in tokens {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth -= 1,
                Token::SemiColon if depth <= 0 => {
                    segments.push(Vec::new());
                    depth = 0;
                    continue;
                }
                _ => {}
            }
            if let Some(segment) = segments.last_mut() {
                segment.push(token);
            }
        }
        segments.retain(|segment| !segment.is_empty());
        if self.code.is_none() {
            self.transaction.several = segments.len() > 1;
        }
        for segment in &segments {
            self.segment(segment);
        }
    }

    /// Takes off the words of blocks, and reads the statement that remains.
    fn segment(&mut self, tokens: &[Token]) {
        let mut rest = tokens;
        loop {
            let Some(first) = rest.first() else {
                return;
            };
            let Some(word) = word(first) else {
                if matches!(first, Token::ShiftLeft) {
                    self.label = rest.get(1).and_then(name_of);
                    let end = rest.iter().position(|t| matches!(t, Token::ShiftRight));
                    rest = end.map_or(&[], |at| &rest[at + 1..]);
                    continue;
                }
                break;
            };
            if matches!(rest.get(1), Some(Token::Colon)) {
                self.label = name_of(first);
                rest = &rest[2..];
                continue;
            }
            if self.declaring && word != "begin" {
                self.declaration(rest);
                return;
            }
            match self.open(&word, rest) {
                Step::Rest(tail) => rest = tail,
                Step::Done => return,
                Step::Statement => break,
            }
        }
        if !rest.is_empty() {
            self.statement(rest);
        }
    }

    /// `BEGIN` of a block, with what may stand behind it; that of a transaction opens nothing.
    fn begin<'t>(&mut self, rest: &'t [Token]) -> Step<'t> {
        self.declaring = false;
        self.push(Happens::Always, false);
        let skip = match rest.get(1) {
            Some(next) if is(next, "not") => 3,
            Some(next) if is(next, "atomic") => 2,
            _ => 1,
        };
        let words = ["transaction", "work", "isolation", "read", "not"];
        let of_transaction = rest.get(skip).is_none_or(|next| words.iter().any(|w| is(next, w)));
        self.transaction.open |= of_transaction && self.is_plain();
        match rest.get(skip) {
            Some(_) if of_transaction => Step::Done,
            _ => Step::Rest(rest.get(skip..).unwrap_or_default()),
        }
    }

    /// Handles a word that opens or closes a block.
    fn open<'t>(&mut self, word: &str, rest: &'t [Token]) -> Step<'t> {
        let mysql = self.is_mysql();
        let behind = |end: &[&str]| {
            let at = rest.iter().position(|t| end.iter().any(|e| is(t, e)));
            at.map(|at| (&rest[1..at], &rest[at + 1..]))
        };
        match word {
            "begin" => self.begin(rest),
            "declare" if mysql => {
                self.mysql_declaration(&rest[1..]);
                match rest.iter().position(|t| is(t, "begin")) {
                    Some(at) => {
                        self.push(Happens::Sometimes, false);
                        Step::Rest(&rest[at + 1..])
                    }
                    None => Step::Done,
                }
            }
            // Outside of code it makes a cursor.
            "declare" if self.is_plain() => Step::Done,
            "declare" => {
                self.declaring = true;
                self.segment(&rest[1..]);
                Step::Done
            }
            "loop" | "repeat" => {
                self.push(Happens::Always, true);
                Step::Rest(&rest[1..])
            }
            "if" | "elsif" | "elseif" => {
                let Some((condition, tail)) = behind(&["then"]) else {
                    return Step::Statement;
                };
                match (word == "if", is_guard(condition)) {
                    (true, true) => self.push(Happens::Mostly, false),
                    (true, false) => self.push(Happens::Sometimes, false),
                    (false, _) => self.turn(),
                }
                Step::Rest(tail)
            }
            "else" => Step::Rest(&rest[1..]),
            "while" | "for" | "foreach" => {
                let Some((head, tail)) = behind(&["loop", "do"]) else {
                    return Step::Statement;
                };
                self.push(Happens::Mostly, true);
                let query = head
                    .iter()
                    .position(|t| ["delete", "with", "select"].iter().any(|w| is(t, w)));
                if let Some(at) = query.filter(|_| word == "for") {
                    self.statement(&head[at..]);
                }
                Step::Rest(tail)
            }
            "case" => {
                self.push(Happens::Sometimes, false);
                behind(&["then"]).map_or(Step::Done, |(_, tail)| Step::Rest(tail))
            }
            "when" => behind(&["then"]).map_or(Step::Done, |(_, tail)| Step::Rest(tail)),
            "exception" => {
                self.handle();
                Step::Rest(&rest[1..])
            }
            "until" | "end" => {
                self.pop();
                if self.is_plain() {
                    self.committed();
                }
                Step::Done
            }
            _ => Step::Statement,
        }
    }

    /// Returns whether statements are read as PostgreSQL gets them from a client, and not in code.
    pub(super) fn is_plain(&self) -> bool {
        self.code.is_none() && self.setting.dialect == Dialect::Postgres
    }

    pub(super) fn is_mysql(&self) -> bool {
        matches!(self.setting.dialect, Dialect::MySql | Dialect::MariaDb)
    }

    /// `name [CONSTANT] type [NOT NULL] {DEFAULT | := | =} expression` of PL/pgSQL.
    fn declaration(&mut self, tokens: &[Token]) {
        let Some(name) = tokens.first().and_then(name_of) else {
            return;
        };
        let at = tokens
            .iter()
            .position(|t| is(t, "default") || matches!(t, Token::Assignment | Token::Eq));
        let value = at.map_or(Value::Unknown, |at| self.evaluate(&tokens[at + 1..]));
        self.variables.insert(name, value);
    }

    /// `a, b type [DEFAULT expression]` of MySQL; handlers and cursors declare nothing of interest.
    fn mysql_declaration(&mut self, tokens: &[Token]) {
        if tokens
            .iter()
            .take(3)
            .any(|t| is(t, "handler") || is(t, "cursor") || is(t, "condition"))
        {
            return;
        }
        let at = tokens.iter().position(|t| is(t, "default"));
        let value = at.map_or(Value::Unknown, |at| self.evaluate(&tokens[at + 1..]));
        let mut rest = tokens;
        while let Some(name) = rest.first().and_then(name_of) {
            self.variables.insert(name, value.clone());
            match rest.get(1) {
                Some(Token::Comma) => rest = &rest[2..],
                _ => break,
            }
        }
    }

    pub(super) fn evaluate(&self, tokens: &[Token]) -> Value {
        let mut parser = Parser::new(grammar(self.setting.dialect)).with_tokens(tokens.to_vec());
        match parser.parse_expr() {
            Ok(expr) if matches!(parser.peek_token().token, Token::EOF) => self.value(&expr),
            _ => Value::Unknown,
        }
    }

    pub(super) fn value(&self, expr: &Expr) -> Value {
        let scope = Scope {
            dialect: self.setting.dialect,
            variables: &self.variables,
            table: Vec::new(),
            setting: self.setting,
            shared: false,
        };
        match scope.value(expr) {
            // Outside of a query there is no column; the name is one this reader does not know.
            Value::Line(line) if line.column != 0 => Value::Unknown,
            value => value,
        }
    }

    /// Gives a variable a value. One that is set only sometimes is worth nothing.
    pub(super) fn assign(&mut self, name: String, value: Value) {
        let in_loop = !self.frames.is_empty() && self.variables.get(&name).is_some_and(|old| *old != Value::Unknown);
        let value = if self.is_conditional() || (in_loop && self.frames.len() > 1) {
            Value::Unknown
        } else {
            value
        };
        self.variables.insert(name, value);
    }

    /// Keeps a stretch that is not understood.
    pub(super) fn unread(&mut self, why: &str, text: &str) {
        // It may write to any table.
        self.fresh.clear();
        self.reading.unread.push(Unread {
            why: why.to_owned(),
            text: shorten(text),
            names_all: !["routine", "calls", "view"].iter().any(|word| why.contains(word)),
            haystack: text.to_lowercase(),
        });
    }
}

/// Code of a procedural language that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// It may end the transaction.
    Free,
    /// It may not.
    Bound,
}

/// What to do after a word of a block.
enum Step<'t> {
    /// Go on with these tokens.
    Rest(&'t [Token]),
    /// Nothing remains.
    Done,
    /// What is here is a statement.
    Statement,
}
