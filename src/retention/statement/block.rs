//! The walk over statements: a plain list, a `DO` block, the body of a routine.
//!
//! The parser knows no procedural language, so a text is cut into tokens and the tokens into statements at each `;`.
//! The words that open and close blocks are taken off; what remains is a statement that the parser reads, or one that
//! removes nothing, or one that is not understood.

use std::collections::BTreeMap;

use sqlparser::ast::{Expr, Query, Select, SelectItem, SetExpr, Statement};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::value::{Scope, Value};
use super::words::{is, is_assignment, is_guard, join, name_of, path_name, word};
use super::{LONGEST, Reading, Setting, Unread, grammar, shorten};
use crate::dialect::Dialect;
use crate::retention::model::Routine;

/// Statements that remove no row of a table that they do not name.
const HARMLESS: &[&str] = &[
    "analyze",
    "begin",
    "checkpoint",
    "close",
    "cluster",
    "comment",
    "commit",
    "continue",
    "deallocate",
    "discard",
    "exit",
    "explain",
    "fetch",
    "flush",
    "get",
    "grant",
    "iterate",
    "leave",
    "listen",
    "lock",
    "move",
    "notify",
    "null",
    "open",
    "optimize",
    "pragma",
    "raise",
    "refresh",
    "reindex",
    "release",
    "reset",
    "resignal",
    "revoke",
    "rollback",
    "savepoint",
    "security",
    "show",
    "signal",
    "start",
    "unlisten",
    "unlock",
    "use",
    "vacuum",
    "end",
];

/// One open block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Whether what is inside happens only sometimes.
    conditional: bool,
}

/// Reads statements and keeps what they remove.
pub(super) struct Reader<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) reading: Reading,
    variables: BTreeMap<String, Value>,
    pub(super) frames: Vec<Frame>,
    /// Whether an earlier statement may have ended the run.
    pub(super) may_have_ended: bool,
    declaring: bool,
    pub(super) routines: Vec<&'a Routine>,
    pub(super) path: Vec<String>,
    prepared: BTreeMap<String, String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(setting: &'a Setting<'a>) -> Self {
        Self {
            setting,
            reading: Reading::default(),
            variables: BTreeMap::new(),
            frames: Vec::new(),
            may_have_ended: false,
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

    pub(super) fn is_conditional(&self) -> bool {
        self.may_have_ended || self.frames.iter().any(|f| f.conditional)
    }

    pub(super) fn via(&self) -> Option<String> {
        self.routines.last().map(|r| r.name.clone())
    }

    pub(super) fn role(&self) -> Option<String> {
        self.routines.last().and_then(|r| r.definer.clone())
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
        let outer = std::mem::replace(&mut self.variables, variables.clone());
        let frames = std::mem::take(&mut self.frames);
        let tokens = tokens
            .into_iter()
            .filter(|t| !matches!(t, Token::Whitespace(_) | Token::EOF));
        let mut depth = 0_i32;
        let mut segment = Vec::new();
        for token in tokens {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth -= 1,
                Token::SemiColon if depth <= 0 => {
                    self.segment(&std::mem::take(&mut segment));
                    depth = 0;
                    continue;
                }
                _ => {}
            }
            segment.push(token);
        }
        self.segment(&segment);
        self.variables = outer;
        self.frames = frames;
        self.declaring = false;
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
                    let end = rest.iter().position(|t| matches!(t, Token::ShiftRight));
                    rest = end.map_or(&[], |at| &rest[at + 1..]);
                    continue;
                }
                break;
            };
            if matches!(rest.get(1), Some(Token::Colon)) {
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

    fn push(&mut self, conditional: bool) {
        self.frames.push(Frame { conditional });
    }

    /// `BEGIN` of a block, with what may stand behind it; that of a transaction opens nothing.
    fn begin<'t>(&mut self, rest: &'t [Token]) -> Step<'t> {
        self.declaring = false;
        self.push(false);
        let skip = match rest.get(1) {
            Some(next) if is(next, "not") => 3,
            Some(next) if is(next, "atomic") => 2,
            _ => 1,
        };
        match rest.get(skip) {
            Some(next) if ["transaction", "work", "isolation", "read"].iter().any(|w| is(next, w)) => Step::Done,
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
                        self.push(true);
                        Step::Rest(&rest[at + 1..])
                    }
                    None => Step::Done,
                }
            }
            "declare" => {
                self.declaring = true;
                self.segment(&rest[1..]);
                Step::Done
            }
            "loop" | "repeat" => {
                self.push(false);
                Step::Rest(&rest[1..])
            }
            "if" | "elsif" | "elseif" => {
                let Some((condition, tail)) = behind(&["then"]) else {
                    return Step::Statement;
                };
                let sometimes = !is_guard(condition);
                self.fork(word == "if", sometimes);
                Step::Rest(tail)
            }
            "else" => Step::Rest(&rest[1..]),
            "while" | "for" | "foreach" => {
                let Some((head, tail)) = behind(&["loop", "do"]) else {
                    return Step::Statement;
                };
                self.push(false);
                let query = head
                    .iter()
                    .position(|t| ["delete", "with", "select"].iter().any(|w| is(t, w)));
                if let Some(at) = query.filter(|_| word == "for") {
                    self.statement(&head[at..]);
                }
                Step::Rest(tail)
            }
            "case" => {
                self.push(true);
                behind(&["then"]).map_or(Step::Done, |(_, tail)| Step::Rest(tail))
            }
            "when" => behind(&["then"]).map_or(Step::Done, |(_, tail)| Step::Rest(tail)),
            "exception" => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.conditional = true;
                }
                Step::Rest(&rest[1..])
            }
            "until" | "end" => {
                self.frames.pop();
                Step::Done
            }
            "leave" | "exit" if self.frames.iter().any(|f| f.conditional) || rest.iter().any(|t| is(t, "when")) => {
                // Leaving a loop is how batches end.
                Step::Done
            }
            _ => Step::Statement,
        }
    }

    fn fork(&mut self, new: bool, sometimes: bool) {
        if new {
            self.push(sometimes);
        } else if let Some(frame) = self.frames.last_mut() {
            frame.conditional = true;
        }
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
    fn assign(&mut self, name: String, value: Value) {
        let in_loop = !self.frames.is_empty() && self.variables.get(&name).is_some_and(|old| *old != Value::Unknown);
        let value = if self.is_conditional() || (in_loop && self.frames.len() > 1) {
            Value::Unknown
        } else {
            value
        };
        self.variables.insert(name, value);
    }

    /// Reads one statement.
    fn statement(&mut self, tokens: &[Token]) {
        let Some(first) = tokens.first().and_then(word) else {
            self.odd(tokens);
            return;
        };
        match first.as_str() {
            "delete" if self.is_mysql() => {
                // How eagerly it deletes is no matter here.
                let eager = ["low_priority", "quick", "ignore"];
                let rest = tokens[1..].iter().skip_while(|t| eager.iter().any(|word| is(t, word)));
                self.parsed(tokens[..1].iter().chain(rest).cloned().collect());
            }
            "delete" | "with" | "truncate" | "select" | "call" | "values" => self.parsed(tokens.to_vec()),
            "perform" => {
                let mut tokens = tokens.to_vec();
                tokens[0] = Token::make_keyword("SELECT");
                self.parsed(tokens);
            }
            "do" => self.do_block(tokens),
            "execute" => self.execute(&tokens[1..]),
            "prepare" => self.prepare(&tokens[1..]),
            "set" => self.set(&tokens[1..]),
            "return" => self.give_back(&tokens[1..]),
            _ if is_assignment(tokens) => self.assignment(tokens),
            "insert" | "update" if tokens.iter().any(|t| is(t, "delete")) => self.parsed(tokens.to_vec()),
            "insert" | "update" => self.called_by(tokens.to_vec()),
            word if HARMLESS.contains(&word) => {}
            _ => self.odd(tokens),
        }
    }

    fn odd(&mut self, tokens: &[Token]) {
        self.unread("this program does not read such statements", &join(tokens));
    }

    fn do_block(&mut self, tokens: &[Token]) {
        let body = tokens.iter().find_map(|t| match t {
            Token::DollarQuotedString(text) => Some(text.value.clone()),
            Token::SingleQuotedString(text) if self.setting.dialect == Dialect::Postgres => Some(text.clone()),
            _ => None,
        });
        match body {
            Some(body) if self.setting.dialect == Dialect::Postgres => self.run(&body, &BTreeMap::new()),
            _ => {
                let mut tokens = tokens.to_vec();
                tokens[0] = Token::make_keyword("SELECT");
                self.parsed(tokens);
            }
        }
    }

    /// `EXECUTE 'text' USING a, b`, `EXECUTE IMMEDIATE 'text'`, or the name of a prepared statement.
    fn execute(&mut self, tokens: &[Token]) {
        let tokens = match tokens {
            [first, rest @ ..] if is(first, "immediate") => rest,
            other => other,
        };
        if let [name] = tokens
            && let Some(sql) = name_of(name).and_then(|n| self.prepared.get(&n).cloned())
        {
            let variables = self.variables.clone();
            self.run(&sql, &variables);
            return;
        }
        let end = tokens
            .iter()
            .position(|t| is(t, "using") || is(t, "into"))
            .unwrap_or(tokens.len());
        let Value::Text(sql) = self.evaluate(&tokens[..end]) else {
            self.dynamic(tokens);
            return;
        };
        let mut variables = self.variables.clone();
        if let Some(at) = tokens.iter().position(|t| is(t, "using")) {
            for (place, part) in tokens[at + 1..].split(|t| matches!(t, Token::Comma)).enumerate() {
                variables.insert(format!("${}", place + 1), self.evaluate(part));
            }
        }
        self.run(&sql, &variables);
    }

    fn dynamic(&mut self, tokens: &[Token]) {
        let text = join(tokens);
        self.reading.unread.push(Unread {
            why: "it builds SQL while it runs".to_owned(),
            haystack: text.to_lowercase(),
            text: shorten(&text),
            names_all: false,
        });
    }

    /// `PREPARE name FROM 'text'`.
    fn prepare(&mut self, tokens: &[Token]) {
        let at = tokens.iter().position(|t| is(t, "from"));
        let named = tokens.first().and_then(name_of);
        match (named, at.map(|at| self.evaluate(&tokens[at + 1..]))) {
            (Some(name), Some(Value::Text(sql))) => {
                self.prepared.insert(name, sql);
            }
            _ => self.dynamic(tokens),
        }
    }

    /// `SET name = expression`, or a setting of the session.
    fn set(&mut self, tokens: &[Token]) {
        let tokens = match tokens {
            [first, rest @ ..] if ["local", "session"].iter().any(|w| is(first, w)) => rest,
            other => other,
        };
        let at = tokens
            .iter()
            .position(|t| matches!(t, Token::Eq | Token::Assignment) || is(t, "to"));
        let Some((name, at)) = tokens.first().and_then(name_of).zip(at) else {
            return;
        };
        if name == "search_path" {
            self.path = tokens[at + 1..].iter().filter_map(path_name).collect();
        } else {
            let value = self.evaluate(&tokens[at + 1..]);
            self.assign(name, value);
        }
    }

    fn assignment(&mut self, tokens: &[Token]) {
        let at = tokens
            .iter()
            .position(|t| matches!(t, Token::Assignment | Token::Eq))
            .unwrap_or(0);
        if let Some(name) = tokens.first().and_then(name_of) {
            let value = self.evaluate(&tokens[at + 1..]);
            self.assign(name, value);
        }
        self.called_in(&tokens[at + 1..]);
    }

    fn give_back(&mut self, tokens: &[Token]) {
        match tokens {
            [first, rest @ ..] if is(first, "query") => self.statement(rest),
            _ => {
                self.called_in(tokens);
                // `RETURN NEXT` goes on; any other ends the run here.
                if !tokens.first().is_some_and(|t| is(t, "next")) && self.frames.iter().any(|f| f.conditional) {
                    self.may_have_ended = true;
                }
            }
        }
    }

    fn parsed(&mut self, tokens: Vec<Token>) {
        let text = join(&tokens);
        let mut parser = Parser::new(grammar(self.setting.dialect)).with_tokens(tokens);
        match parser.parse_statement() {
            Ok(statement) if matches!(parser.peek_token().token, Token::EOF) => self.parsed_statement(&statement),
            _ => self.unread("this program does not read such statements", &text),
        }
    }

    fn parsed_statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Delete(delete) => self.delete(delete, &BTreeMap::new()),
            Statement::Truncate(truncate) => self.truncate(truncate),
            Statement::Call(function) => {
                // A procedure is never built in.
                if !self.call(function) {
                    self.not_found(function);
                }
            }
            Statement::Query(query) => self.query(query, &BTreeMap::new()),
            other => self.calls(other),
        }
    }

    fn query<'q>(&mut self, query: &'q Query, outer: &BTreeMap<String, &'q Query>) {
        let mut ctes = outer.clone();
        for cte in query.with.iter().flat_map(|w| &w.cte_tables) {
            self.query(&cte.query, &ctes);
            let alias = &cte.alias.name;
            let bare = self.setting.dialect == Dialect::Postgres && alias.quote_style.is_none();
            let name = if bare {
                alias.value.to_lowercase()
            } else {
                alias.value.clone()
            };
            ctes.insert(name, &cte.query);
        }
        match &*query.body {
            SetExpr::Delete(Statement::Delete(delete)) => self.delete(delete, &ctes),
            SetExpr::Query(inner) => self.query(inner, &ctes),
            SetExpr::Select(select) => self.select(select, query),
            _ => self.calls(query),
        }
    }

    fn select(&mut self, select: &Select, query: &Query) {
        if let Some(into) = &select.into {
            for (place, target) in into.targets.iter().enumerate() {
                let value = match select.projection.get(place) {
                    Some(SelectItem::UnnamedExpr(expr)) if select.from.is_empty() => self.value(expr),
                    _ => Value::Unknown,
                };
                self.assign(target.to_string().trim_start_matches('@').to_lowercase(), value);
            }
        }
        self.calls(query);
    }

    /// Keeps a stretch that is not understood.
    pub(super) fn unread(&mut self, why: &str, text: &str) {
        self.reading.unread.push(Unread {
            why: why.to_owned(),
            text: shorten(text),
            names_all: !why.contains("routine") && !why.contains("calls"),
            haystack: text.to_lowercase(),
        });
    }
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
