//! Single statements: those that remove rows, those that may call what does, and those that remove nothing.

use std::collections::BTreeMap;

use sqlparser::ast::{Expr, Query, Select, SelectItem, SetExpr, Statement};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::block::{Code, Reader};
use super::flow::Happens;
use super::value::Value;
use super::words::{is, is_assignment, is_guard, join, name_of, path_name, word};
use super::{Unread, grammar, shorten};
use crate::dialect::Dialect;
use crate::retention::model::RoutineKind;

/// Statements that remove no row of a table that they do not name.
const HARMLESS: &[&str] = &[
    "begin",
    "checkpoint",
    "close",
    "cluster",
    "comment",
    "deallocate",
    "discard",
    "fetch",
    "flush",
    "get",
    "grant",
    "listen",
    "lock",
    "move",
    "notify",
    "null",
    "open",
    "optimize",
    "pragma",
    "refresh",
    "reindex",
    "release",
    "revoke",
    "security",
    "show",
    "unlisten",
    "unlock",
    "use",
    "vacuum",
    "end",
];

impl Reader<'_> {
    /// Reads one statement.
    pub(super) fn statement(&mut self, tokens: &[Token]) {
        if self.dead.is_some() {
            return;
        }
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
            "explain" | "analyze" | "analyse" => self.explained(&first, &tokens[1..]),
            "start" | "commit" | "savepoint" | "rollback" | "abort" => self.transaction(&first, tokens),
            "signal" | "resignal" => self.signal(tokens),
            "reset" => self.reset(&tokens[1..]),
            "vacuum" => self.alone(tokens),
            "leave" | "exit" | "continue" | "iterate" => self.leave(tokens),
            "raise" => self.raise(tokens),
            "create" | "drop" | "reindex" if tokens.iter().any(|t| is(t, "concurrently")) => self.alone(tokens),
            "create" | "alter" | "rename" | "drop" => self.definition(tokens),
            "insert" | "update" if tokens.iter().any(|t| is(t, "delete")) => self.parsed(tokens.to_vec()),
            "insert" | "update" => self.called_by(tokens.to_vec()),
            word if HARMLESS.contains(&word) => {}
            _ => self.odd(tokens),
        }
    }

    /// What PostgreSQL runs in no transaction removes no row, and spoils what stands beside it.
    fn alone(&mut self, tokens: &[Token]) {
        let together = self.code.is_some() || self.code() == Code::Bound;
        if together && self.setting.dialect == Dialect::Postgres {
            let what = tokens
                .first()
                .map(ToString::to_string)
                .unwrap_or_default()
                .to_uppercase();
            self.refuse(&format!(
                "{what} cannot run together with other statements, and takes them back"
            ));
        }
    }

    /// `RESET ROLE`, or of a setting.
    fn reset(&mut self, tokens: &[Token]) {
        if tokens.iter().any(|t| is(t, "role") || is(t, "all")) {
            self.acts_as = None;
        }
    }

    pub(super) fn odd(&mut self, tokens: &[Token]) {
        self.unread("this program does not read such statements", &join(tokens));
    }

    /// `EXPLAIN` runs a statement only if it is to be analysed, as `ANALYZE` does on MariaDB.
    fn explained(&mut self, first: &str, tokens: &[Token]) {
        let starts = ["delete", "with", "select", "insert", "update", "execute", "call"];
        let at = tokens.iter().position(|t| starts.iter().any(|word| is(t, word)));
        let Some((options, statement)) = at.map(|at| tokens.split_at(at)) else {
            return;
        };
        let option = options.iter().position(|t| is(t, "analyze") || is(t, "analyse"));
        let off = |at: usize| match options.get(at + 1) {
            Some(Token::Number(number, _)) => number == "0",
            Some(next) => is(next, "false") || is(next, "off"),
            None => false,
        };
        if first != "explain" || option.is_some_and(|at| !off(at)) {
            self.statement(statement);
        }
    }

    fn do_block(&mut self, tokens: &[Token]) {
        let body = tokens.iter().find_map(|t| match t {
            Token::DollarQuotedString(text) => Some(text.value.clone()),
            Token::SingleQuotedString(text) if self.setting.dialect == Dialect::Postgres => Some(text.clone()),
            _ => None,
        });
        match body {
            Some(body) if self.setting.dialect == Dialect::Postgres => {
                let code = self.code();
                let outer = self.code.replace(code);
                self.run(&body, &BTreeMap::new());
                self.code = outer;
            }
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
        self.fresh.clear();
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
        if let [role, name] = tokens
            && is(role, "role")
        {
            self.acts_as = path_name(name).filter(|name| name != "none");
            return;
        }
        let at = tokens
            .iter()
            .position(|t| matches!(t, Token::Eq | Token::Assignment) || is(t, "to"));
        let Some((name, at)) = tokens.first().and_then(name_of).zip(at) else {
            return;
        };
        if name == "autocommit" {
            let value = self.evaluate(&tokens[at + 1..]);
            self.set_autocommit(&value);
        } else if name == "search_path" {
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
                if !tokens.first().is_some_and(|t| is(t, "next")) {
                    self.end();
                }
            }
        }
    }

    fn parsed(&mut self, mut tokens: Vec<Token>) {
        let text = join(&tokens);
        self.cut_into(&mut tokens);
        let mut parser = Parser::new(grammar(self.setting.dialect)).with_tokens(tokens);
        match parser.parse_statement() {
            Ok(statement) if matches!(parser.peek_token().token, Token::EOF) => self.parsed_statement(&statement),
            _ => self.unread("this program does not read such statements", &text),
        }
    }

    /// Takes `INTO @a, @b` off the end of a query of MySQL.
    fn cut_into(&mut self, tokens: &mut Vec<Token>) {
        let at = tokens.iter().rposition(|t| is(t, "into")).filter(|_| self.is_mysql());
        let Some(at) = at.filter(|_| tokens.first().is_some_and(|t| is(t, "select") || is(t, "with"))) else {
            return;
        };
        let names: Option<Vec<String>> = tokens[at + 1..]
            .split(|t| matches!(t, Token::Comma))
            .map(|part| if let [name] = part { name_of(name) } else { None })
            .collect();
        if let Some(names) = names {
            names.into_iter().for_each(|name| self.assign(name, Value::Unknown));
            tokens.truncate(at);
        }
    }

    fn parsed_statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Delete(delete) => self.delete(delete, &BTreeMap::new()),
            Statement::Truncate(truncate) => self.truncate(truncate),
            Statement::Call(function) => {
                // A procedure is never built in.
                if !self.call_as(function, RoutineKind::Procedure) {
                    self.not_found(function);
                }
            }
            Statement::Query(query) => self.query(query, &BTreeMap::new()),
            Statement::Insert(insert) => {
                self.inserted(insert);
                self.calls(statement);
            }
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

    /// Returns whether a condition asks only whether another run is at work.
    fn is_guard_of(&self, condition: &Expr) -> bool {
        let tokens = Tokenizer::new(grammar(self.setting.dialect), &condition.to_string()).tokenize();
        tokens.is_ok_and(|tokens| is_guard(&tokens))
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
        let Some(condition) = &select.selection else {
            return self.calls(query);
        };
        let when = match self.value(condition) {
            Value::Truth(truth) => Some(truth),
            Value::Number(number) => Some(number != 0.0),
            _ => None,
        };
        self.calls(condition);
        if when == Some(false) {
            return;
        }
        let calls = Select {
            selection: None,
            ..select.clone()
        };
        if when == Some(true) || self.is_guard_of(condition) {
            return self.calls(&calls);
        }
        self.push(Happens::Sometimes, false);
        self.calls(&calls);
        self.pop();
    }
}
