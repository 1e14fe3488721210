//! Calls, followed into functions and procedures.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgumentList, FunctionArguments, ObjectName, TableFactor, Visit, Visitor,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::block::Reader;
use super::function::{arguments, named_arguments};
use super::value::Value;
use super::{grammar, shorten};
use crate::dialect::Dialect;
use crate::retention::model::Routine;

/// Functions that run the SQL they are given, perhaps in another database.
const RUNS_TEXT: &[&str] = &["dblink", "dblink_exec", "dblink_send_query", "query_to_xml"];

/// How deep calls are followed.
const DEPTH: usize = 3;

/// Gathers calls: in expressions, and in the place of a table.
#[derive(Default)]
struct Calls(Vec<Function>);

impl Visitor for Calls {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            self.0.push(function.clone());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Table {
                name, args: Some(args), ..
            } => self.0.push(call_of(name, &args.args)),
            TableFactor::Function { name, args, .. } => self.0.push(call_of(name, args)),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn call_of(name: &ObjectName, args: &[FunctionArg]) -> Function {
    Function {
        name: name.clone(),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args.to_vec(),
            clauses: Vec::new(),
        }),
        within_group: Vec::new(),
        filter: None,
        null_treatment: None,
        over: None,
    }
}

impl<'a> Reader<'a> {
    /// Follows every call in a piece of SQL.
    pub(super) fn calls(&mut self, node: &impl Visit) {
        let mut calls = Calls::default();
        let _ = node.visit(&mut calls);
        for function in &calls.0 {
            self.call(function);
        }
    }

    /// Follows the calls of an expression.
    pub(super) fn called_in(&mut self, tokens: &[Token]) {
        let mut parser = Parser::new(grammar(self.setting.dialect)).with_tokens(tokens.to_vec());
        if let Ok(expr) = parser.parse_expr() {
            self.calls(&expr);
        }
    }

    /// Follows the calls of a statement that removes nothing by itself.
    pub(super) fn called_by(&mut self, tokens: Vec<Token>) {
        let parsed = Parser::new(grammar(self.setting.dialect))
            .with_tokens(tokens)
            .parse_statement();
        if let Ok(statement) = parsed {
            self.calls(&statement);
        }
    }

    /// Follows one call, if it is of a routine that is known; answers whether it is.
    pub(super) fn call(&mut self, function: &Function) -> bool {
        let parts: Vec<String> = function
            .name
            .0
            .iter()
            .filter_map(|p| p.as_ident())
            .map(|i| i.value.clone())
            .collect();
        let Some((name, before)) = parts.split_last() else {
            return false;
        };
        let lower = name.to_lowercase();
        if matches!(lower.as_str(), "run_maintenance" | "run_maintenance_proc") {
            let table = match arguments(function).first().map(|a| self.value(a)) {
                Some(Value::Text(table)) => Some(table),
                _ => None,
            };
            self.reading.maintains.push(table);
            return true;
        }
        if lower == "drop_chunks" && self.setting.dialect == Dialect::Postgres {
            self.drop_chunks(function);
            return true;
        }
        if RUNS_TEXT.contains(&lower.as_str()) {
            self.unread(&format!("it calls {lower}, which runs SQL of its own"), &lower);
            return true;
        }
        let fits = |r: &&Routine| {
            let named = r.name == *name || r.name.eq_ignore_ascii_case(name);
            named
                && before
                    .last()
                    .is_none_or(|space| r.namespace.eq_ignore_ascii_case(space))
        };
        let setting = self.setting;
        let same_name = || setting.routines.iter().filter(fits);
        let on_path = self
            .path
            .iter()
            .find_map(|space| same_name().find(|r| r.namespace == *space));
        // MySQL looks for a bare name in one database alone.
        let elsewhere = !self.is_mysql() || !before.is_empty() || self.path.is_empty();
        let Some(routine) = on_path.or_else(|| same_name().next().filter(|_| elsewhere)) else {
            if matches!(function.args, FunctionArguments::List(_)) && self.is_foreign(&lower, before) {
                self.not_found(function);
                return true;
            }
            return false;
        };
        self.follow(routine, function);
        true
    }

    /// Keeps a call of a routine that is not among those that are known.
    pub(super) fn not_found(&mut self, function: &Function) {
        if self.setting.sees_routines {
            self.reading.missing.push(shorten(&function.name.to_string()));
        } else {
            let why = "it calls a routine that does not exist, or that this role may not see";
            self.unread(why, &function.to_string());
        }
    }

    /// Returns whether a call is certainly none of a built-in function: it names a namespace of its own.
    fn is_foreign(&self, name: &str, before: &[String]) -> bool {
        let Some(space) = before.last() else {
            return false;
        };
        !matches!(
            space.as_str(),
            "pg_catalog" | "cron" | "information_schema" | "mysql" | "sys"
        ) && !name.is_empty()
    }

    fn follow(&mut self, routine: &'a Routine, function: &Function) {
        let text = format!("{}.{}", routine.namespace, routine.name);
        if self.routines.len() >= DEPTH || self.routines.iter().any(|r| std::ptr::eq(*r, routine)) {
            self.unread("its calls go deeper than this program follows", &text);
            return;
        }
        if !matches!(routine.language.as_str(), "sql" | "plpgsql") {
            self.unread(&format!("it calls a routine written in {}", routine.language), &text);
            return;
        }
        let Some(body) = &routine.body else {
            self.unread("it calls a routine whose body is not shown to this role", &text);
            return;
        };
        let variables = self.parameters(routine, function);
        let path = match &routine.path {
            Some(path) => path.clone(),
            None if self.is_mysql() => vec![routine.namespace.clone()],
            None => self.path.clone(),
        };
        let outer = (std::mem::replace(&mut self.path, path), self.may_have_ended);
        let frames = self.frames.clone();
        let conditional = self.is_conditional();
        self.routines.push(routine);
        self.may_have_ended = conditional;
        self.run(body, &variables);
        self.routines.pop();
        self.frames = frames;
        (self.path, self.may_have_ended) = outer;
    }

    fn parameters(&self, routine: &Routine, function: &Function) -> BTreeMap<String, Value> {
        let mut variables = BTreeMap::new();
        let named = named_arguments(function);
        let unnamed: Vec<&Expr> = arguments(function);
        for (place, parameter) in routine.parameters.iter().enumerate() {
            let lower = parameter.name.to_lowercase();
            let given = named
                .iter()
                .find(|(name, _)| *name == lower)
                .map(|(_, expr)| *expr)
                .or_else(|| {
                    if named.is_empty() {
                        unnamed.get(place).copied()
                    } else {
                        None
                    }
                });
            let value = match (given, &parameter.default) {
                (Some(expr), _) => self.value(expr),
                (None, Some(default)) => Tokenizer::new(grammar(self.setting.dialect), default)
                    .tokenize()
                    .map_or(Value::Unknown, |tokens| {
                        let tokens: Vec<Token> = tokens
                            .into_iter()
                            .filter(|t| !matches!(t, Token::Whitespace(_)))
                            .collect();
                        self.evaluate(&tokens)
                    }),
                (None, None) => Value::Unknown,
            };
            variables.insert(format!("${}", place + 1), value.clone());
            if !lower.is_empty() {
                variables.insert(lower, value);
            }
        }
        variables
    }
}
