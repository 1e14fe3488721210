//! Calls, followed into functions and procedures.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgumentList, FunctionArguments, ObjectName, Statement, TableFactor, Visit,
    Visitor,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::block::{Code, Reader};
use super::function::{arguments, named_arguments, unnamed_arguments};
use super::value::Value;
use super::{Maintained, Maintenance, grammar, shorten};
use crate::dialect::Dialect;
use crate::retention::model::{Routine, RoutineKind};

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
        match parsed {
            Ok(statement) => {
                if let Statement::Insert(insert) = &statement {
                    self.inserted(insert);
                }
                self.calls(&statement);
            }
            // Whatever it writes to holds rows from now on.
            Err(_) => self.fresh.clear(),
        }
    }

    /// Follows one call of a function, if it is one that is known; answers whether it is.
    fn call(&mut self, function: &Function) -> bool {
        self.call_as(function, RoutineKind::Function)
    }

    /// Follows one call, if it is of a routine that is known; answers whether it is.
    pub(super) fn call_as(&mut self, function: &Function, kind: RoutineKind) -> bool {
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
            let call = Maintenance {
                of: self.maintained(&lower, function),
                role: self.role(),
                conditional: self.is_conditional(),
            };
            self.reading.maintains.push(call);
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
            .find(|space| same_name().any(|r| r.namespace == **space));
        // MySQL looks for a bare name in one database alone.
        let elsewhere = !self.is_mysql() || !before.is_empty() || self.path.is_empty();
        let mut known: Vec<&Routine> = match on_path {
            Some(space) => same_name().filter(|r| r.namespace == *space).collect(),
            None => same_name().filter(|_| elsewhere).collect(),
        };
        if known.iter().any(|r| r.kind == kind) {
            known.retain(|r| r.kind == kind);
        }
        let takes: Vec<&Routine> = known.iter().copied().filter(|r| takes(r, function)).collect();
        let routine = match (takes.as_slice(), known.is_empty()) {
            ([], true) => {
                if matches!(function.args, FunctionArguments::List(_)) && self.is_foreign(&lower, before) {
                    self.not_found(function);
                    return true;
                }
                return false;
            }
            ([], false) => {
                self.unread(
                    "it calls a routine with arguments that it does not take",
                    &function.to_string(),
                );
                return true;
            }
            ([first, others @ ..], _) if others.iter().all(|r| r.body == first.body) => *first,
            _ => {
                self.unread("it calls one of several routines of this name", &function.to_string());
                return true;
            }
        };
        let refused = mistaken(routine, kind);
        let outer = self.refused.clone();
        self.refused = outer.clone().or(refused);
        self.follow(routine, function);
        self.refused = outer;
        true
    }

    /// Keeps a call of a routine that is not among those that are known.
    pub(super) fn not_found(&mut self, function: &Function) {
        if self.setting.sees_routines {
            let parts = function.name.0.iter().filter_map(|part| part.as_ident());
            let parts: Vec<&str> = parts.map(|ident| ident.value.as_str()).collect();
            self.reading.missing.push(shorten(&parts.join(".")));
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
        // A procedure with settings or rights of its own is one step of its caller's transaction.
        let bound = routine.kind != RoutineKind::Procedure || routine.path.is_some() || routine.definer.is_some();
        let code = if bound { Code::Bound } else { self.code() };
        let outer = (std::mem::replace(&mut self.path, path), self.code.replace(code));
        self.routines.push(routine);
        self.run(body, &variables);
        self.routines.pop();
        (self.path, self.code) = outer;
    }

    /// Reads `run_maintenance('public.L')`; the procedure is for all tables.
    fn maintained(&self, name: &str, function: &Function) -> Maintained {
        let named = named_arguments(function);
        let by_name = named
            .iter()
            .find(|(name, _)| name == "p_parent_table")
            .map(|(_, expr)| *expr);
        let first = unnamed_arguments(function).first().copied();
        match by_name.or(first).filter(|_| name == "run_maintenance") {
            None => Maintained::All,
            Some(Expr::Value(value)) if value.value == sqlparser::ast::Value::Null => Maintained::All,
            Some(expr) => match self.value(expr) {
                Value::Text(table) => Maintained::Table(table),
                _ => Maintained::Unknown,
            },
        }
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

/// Why a call fails that takes a routine for what it is not.
fn mistaken(routine: &Routine, called: RoutineKind) -> Option<String> {
    let why = match (routine.kind, called) {
        (RoutineKind::Trigger, _) => "is a trigger function, which only a trigger may call",
        (RoutineKind::Procedure, RoutineKind::Function) => "is a procedure, and is called as a function",
        (RoutineKind::Function, RoutineKind::Procedure) => "is a function, and is called as a procedure",
        _ => return None,
    };
    Some(format!("`{}` {why}", routine.name))
}

/// Returns whether a routine can be called with these arguments, by their number and names.
fn takes(routine: &Routine, function: &Function) -> bool {
    let named = named_arguments(function);
    let Some(places) = arguments(function).len().checked_sub(named.len()) else {
        return false;
    };
    let Some(open) = routine.parameters.get(places..) else {
        return false;
    };
    let given = |name: &str| named.iter().any(|(given, _)| *given == name.to_lowercase());
    let known = |name: &str| open.iter().any(|parameter| parameter.name.to_lowercase() == name);
    named.iter().all(|(name, _)| known(name)) && open.iter().all(|p| p.default.is_some() || given(&p.name))
}
