//! The steps that bring a parsed expression to normal form: what the server adds when it prints an expression is
//! taken away, and of several spellings of one meaning one is kept.
//!
//! Each step looks at one node whose parts are in normal form already, and none of them evaluates anything.

use sqlparser::ast::{
    ArrayElemTypeDef, BinaryOperator, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentList, FunctionArguments, Ident, InTarget, ObjectName, ObjectNamePart, UnaryOperator, Value,
};

use super::chain;

/// Takes the noise away from one node. Parentheses are dropped; [`parenthesize`] puts the needed ones back.
pub(super) fn simplify(expr: Expr) -> Expr {
    match expr {
        Expr::Nested(inner) => *inner,
        Expr::Identifier(name) => Expr::Identifier(quoted(name)),
        Expr::CompoundIdentifier(names) => Expr::CompoundIdentifier(names.into_iter().map(quoted).collect()),
        Expr::Value(value) => Expr::value(simplify_value(value.value)),
        Expr::TypedString(typed) => Expr::value(simplify_value(typed.value.value)),
        Expr::Interval(interval) if interval.leading_field.is_none() => *interval.value,
        Expr::Cast {
            kind: CastKind::Cast | CastKind::DoubleColon,
            expr,
            data_type,
            format: None,
        } => simplify_cast(*expr, &data_type),
        Expr::UnaryOp { op, expr } => simplify_unary(op, *expr),
        Expr::BinaryOp { left, op, right } => simplify_binary(left, op, *right),
        Expr::AnyOp {
            left,
            compare_op: BinaryOperator::Eq,
            right,
            ..
        } if matches!(*right, Expr::Array(_)) => membership(*left, elements(*right), false),
        Expr::AllOp {
            left,
            compare_op: BinaryOperator::NotEq,
            right,
        } if matches!(*right, Expr::Array(_)) => membership(*left, elements(*right), true),
        Expr::In {
            expr,
            target: InTarget::List(list),
            negated,
            ..
        } => membership(*expr, list, negated),
        Expr::Between {
            expr,
            negated,
            low,
            high,
        } => between(*expr, negated, *low, *high),
        Expr::Like {
            negated,
            any: false,
            expr,
            pattern,
            escape_char: None,
        } => binary(*expr, like_operator(false, negated), *pattern),
        Expr::ILike {
            negated,
            any: false,
            expr,
            pattern,
            escape_char: None,
        } => binary(*expr, like_operator(true, negated), *pattern),
        Expr::IsNotDistinctFrom(left, right) => Expr::UnaryOp {
            op: UnaryOperator::Not,
            expr: Box::new(Expr::IsDistinctFrom(left, right)),
        },
        other => simplify_function(other),
    }
}

/// Writes `('now'::text)::timestamptz` as the clock that it reads each time: so servers before 10 print
/// CURRENT_TIMESTAMP(n), LOCALTIMESTAMP and CURRENT_DATE. Without the text between them the word is read but once.
pub(super) fn read_clock(expr: &mut Expr) {
    let Expr::Cast {
        expr: inner, data_type, ..
    } = &*expr
    else {
        return;
    };
    if !is_text_now(inner) {
        return;
    }
    let name = type_name(data_type);
    let digits = |kind: &str| name.strip_prefix(kind)?.strip_prefix('(')?.strip_suffix(')');
    let number = |digits: &str| vec![Expr::value(Value::Number(digits.to_owned(), false))];
    *expr = match name.as_str() {
        "timestamptz" => call("now", Vec::new()),
        "timestamp" => word("localtimestamp"),
        "date" => word("current_date"),
        _ => match (digits("timestamptz"), digits("timestamp")) {
            (Some(precision), _) => call("current_timestamp", number(precision)),
            (_, Some(precision)) => call("localtimestamp", number(precision)),
            _ => return,
        },
    };
}

fn is_text_now(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_text_now(inner),
        Expr::Cast { expr, data_type, .. } => {
            is_plain_text(&type_name(data_type))
                && as_text(expr).is_some_and(|word| word.trim().eq_ignore_ascii_case("now"))
        }
        _ => false,
    }
}

/// Puts parentheses around each operand of one node that is made of operators itself.
pub(super) fn parenthesize(expr: &mut Expr) {
    match expr {
        Expr::BinaryOp { left, op, right } => {
            // a AND b AND c, a || b || c: the same in any grouping, and printed flat.
            let same = matches!(&**left, Expr::BinaryOp { op: inner, .. } if inner == op && is_associative(op));
            if !same {
                wrap(left);
            }
            wrap(right);
        }
        Expr::UnaryOp { expr, .. }
        | Expr::IsNull(expr)
        | Expr::IsNotNull(expr)
        | Expr::IsTrue(expr)
        | Expr::IsNotTrue(expr)
        | Expr::IsFalse(expr)
        | Expr::IsNotFalse(expr)
        | Expr::IsUnknown(expr)
        | Expr::IsNotUnknown(expr)
        | Expr::Cast { expr, .. }
        | Expr::Collate { expr, .. }
        | Expr::In { expr, .. } => wrap(expr),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
            wrap(left);
            wrap(right);
        }
        Expr::AnyOp { left, .. } | Expr::AllOp { left, .. } => wrap(left),
        Expr::AtTimeZone { timestamp, time_zone } => {
            wrap(timestamp);
            wrap(time_zone);
        }
        Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. }
        | Expr::SimilarTo { expr, pattern, .. } => {
            wrap(expr);
            wrap(pattern);
        }
        Expr::CompoundFieldAccess { root, .. } => wrap(root),
        _ => {}
    }
}

fn wrap(expr: &mut Box<Expr>) {
    let atomic = match &**expr {
        Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::Function(_)
        | Expr::Array(_)
        | Expr::Cast { .. }
        | Expr::Nested(_)
        | Expr::Tuple(_)
        | Expr::Subquery(_)
        | Expr::Case { .. } => true,
        Expr::Value(value) => !matches!(&value.value, Value::Number(n, _) if n.starts_with('-')),
        _ => false,
    };
    if !atomic {
        let inner = std::mem::replace(&mut **expr, Expr::value(Value::Null));
        **expr = Expr::Nested(Box::new(inner));
    }
}

fn is_associative(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::StringConcat
    )
}

pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp {
        left: Box::new(left),
        op,
        right: Box::new(right),
    }
}

/// Quotes every name, so that it reads the same whether or not it is a keyword. Unquoted ones are folded before.
fn quoted(name: Ident) -> Ident {
    Ident {
        quote_style: Some('"'),
        ..name
    }
}

fn simplify_value(value: Value) -> Value {
    match value {
        Value::EscapedStringLiteral(text) | Value::UnicodeStringLiteral(text) => Value::SingleQuotedString(text),
        Value::DollarQuotedString(text) => Value::SingleQuotedString(text.value),
        other => other,
    }
}

/// Returns the text of a string constant.
pub(super) fn as_text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// Drops casts that the server adds to constants and columns when it prints them.
fn simplify_cast(expr: Expr, data_type: &DataType) -> Expr {
    let name = type_name(data_type);
    if let Some(text) = as_text(&expr) {
        if let Some(limit) = text_limit(&name) {
            if text.chars().count() <= limit {
                return expr;
            }
        } else if is_number(&name) && text.parse::<f64>().is_ok_and(f64::is_finite) {
            return Expr::value(Value::Number(text.trim().to_owned(), false));
        } else {
            return expr;
        }
    }
    let redundant = match &expr {
        Expr::Value(value) => match &value.value {
            Value::Null | Value::Boolean(_) => true,
            Value::Number(n, _) => is_number(&name) && (n.contains('.') != is_whole(&name) || !n.contains('.')),
            _ => false,
        },
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => is_plain_text(&name),
        // Words such as CURRENT_USER give a name, which the server casts to text where it is used as one.
        Expr::Function(function) => matches!(function.args, FunctionArguments::None) && is_plain_text(&name),
        Expr::Array(array) => {
            name.ends_with("[]") && (is_plain_text(name.trim_end_matches("[]")) || array.elem.iter().all(is_constant))
        }
        _ => false,
    };
    if redundant {
        return expr;
    }
    Expr::Cast {
        kind: CastKind::DoubleColon,
        expr: Box::new(expr),
        data_type: DataType::Custom(ObjectName::from(vec![Ident::new(name)]), Vec::new()),
        format: None,
    }
}

pub(super) fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_))
}

/// Returns the canonical name of a type: `varchar(40)`, `timestamptz`, `text[]`.
fn type_name(data_type: &DataType) -> String {
    if let DataType::Array(ArrayElemTypeDef::SquareBracket(inner, _)) = data_type {
        return format!("{}[]", type_name(inner));
    }
    let text = data_type.to_string();
    let lower = if text.contains('"') {
        text
    } else {
        text.to_ascii_lowercase()
    };
    let bare = lower
        .strip_prefix("pg_catalog.")
        .or_else(|| lower.strip_prefix("public."))
        .unwrap_or(&lower);
    match bare.parse::<crate::schema::DataType>() {
        // A bare `char` in SQL is char(1), but a cast that the server prints as `bpchar` has no limit.
        Ok(known) => known.to_string(),
        Err(_) => bare.to_owned(),
    }
}

/// Returns whether a type is text without a limit of its own.
pub(super) fn is_plain_text(name: &str) -> bool {
    matches!(name, "text" | "varchar" | "bpchar" | "name")
}

fn is_whole(name: &str) -> bool {
    matches!(name, "smallint" | "integer" | "bigint")
}

fn is_number(name: &str) -> bool {
    is_whole(name) || matches!(name, "numeric" | "real" | "double")
}

/// Returns the limit of a text type that has one.
pub(super) fn text_limit(name: &str) -> Option<usize> {
    let rest = name.strip_prefix("varchar(").or_else(|| name.strip_prefix("char("))?;
    rest.strip_suffix(')')?.parse().ok()
}

fn simplify_unary(op: UnaryOperator, expr: Expr) -> Expr {
    match (op, &expr) {
        (UnaryOperator::Plus, _) => expr,
        (UnaryOperator::Minus, Expr::Value(value)) => match &value.value {
            Value::Number(n, long) if !n.starts_with('-') => Expr::value(Value::Number(format!("-{n}"), *long)),
            _ => Expr::UnaryOp {
                op,
                expr: Box::new(expr),
            },
        },
        _ => Expr::UnaryOp {
            op,
            expr: Box::new(expr),
        },
    }
}

/// Regroups `a AND (b AND c)` to `(a AND b) AND c`, the way a chain without parentheses is read.
fn simplify_binary(left: Box<Expr>, op: BinaryOperator, right: Expr) -> Expr {
    if matches!(op, BinaryOperator::And | BinaryOperator::Or) && chain::is_short(&left, &op, &right) {
        return chain::chain(*left, &op, right);
    }
    if is_constant(&left)
        && !is_constant(&right)
        && let Some(mirrored) = chain::mirrored(&op)
    {
        return binary(right, mirrored, *left);
    }
    match right {
        Expr::BinaryOp {
            left: middle,
            op: inner,
            right: last,
        } if inner == op && is_associative(&op) => binary(simplify_binary(left, op, *middle), inner, *last),
        right => binary(*left, op, right),
    }
}

fn elements(array: Expr) -> Vec<Expr> {
    match array {
        Expr::Array(array) => array.elem,
        other => vec![other],
    }
}

/// Writes `x IN (…)`; the order of the values means nothing, and the server prints one value as an equation.
pub(super) fn membership(expr: Expr, mut list: Vec<Expr>, negated: bool) -> Expr {
    list.sort_by_cached_key(ToString::to_string);
    list.dedup();
    if list.len() == 1
        && let Some(only) = list.pop()
    {
        let op = if negated {
            BinaryOperator::NotEq
        } else {
            BinaryOperator::Eq
        };
        return binary(expr, op, only);
    }
    Expr::In {
        expr: Box::new(expr),
        target: InTarget::List(list),
        negated,
        global: false,
    }
}

fn between(expr: Expr, negated: bool, low: Expr, high: Expr) -> Expr {
    let (lower, joint, upper) = if negated {
        (BinaryOperator::Lt, BinaryOperator::Or, BinaryOperator::Gt)
    } else {
        (BinaryOperator::GtEq, BinaryOperator::And, BinaryOperator::LtEq)
    };
    chain::chain(binary(expr.clone(), lower, low), &joint, binary(expr, upper, high))
}

fn like_operator(insensitive: bool, negated: bool) -> BinaryOperator {
    match (insensitive, negated) {
        (false, false) => BinaryOperator::PGLikeMatch,
        (false, true) => BinaryOperator::PGNotLikeMatch,
        (true, false) => BinaryOperator::PGILikeMatch,
        (true, true) => BinaryOperator::PGNotILikeMatch,
    }
}

/// A call in normal form: its bare name and its plain arguments.
pub(super) struct Call<'a> {
    /// The name in lower case, without `pg_catalog` or `public`; a `public` in quotes stays and keeps its quotes.
    pub(super) name: String,
    /// The arguments; `None` for words such as CURRENT_TIMESTAMP that take none.
    pub(super) args: Option<Vec<&'a Expr>>,
}

/// Reads an expression as a plain function call.
pub(super) fn as_call(expr: &Expr) -> Option<Call<'_>> {
    let Expr::Function(function) = expr else { return None };
    if function.over.is_some() || function.filter.is_some() || !function.within_group.is_empty() {
        return None;
    }
    let name = function_name(&function.name)?;
    let args = match &function.args {
        FunctionArguments::None => None,
        FunctionArguments::Subquery(_) => return None,
        FunctionArguments::List(list) => Some(
            list.args
                .iter()
                .map(|arg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()?,
        ),
    };
    Some(Call { name, args })
}

/// What a function of `public` begins with whose bare name means another function.
const IMPOSTOR: &str = "\"public\".";

/// Returns a function's name without the namespaces that everyone has in the search path.
fn function_name(name: &ObjectName) -> Option<String> {
    let mut parts = Vec::new();
    for part in &name.0 {
        match part {
            ObjectNamePart::Identifier(ident) => parts.push(ident),
            ObjectNamePart::Function(_) => return None,
        }
    }
    let names: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
    Some(match names[..] {
        ["public", name] if parts[0].quote_style.is_some() => format!("{IMPOSTOR}{name}"),
        ["pg_catalog" | "public", ref rest @ ..] if !rest.is_empty() => rest.join("."),
        _ => names.join("."),
    })
}

/// Makes a call of a function whose name needs no namespace.
fn call(name: &str, args: Vec<Expr>) -> Expr {
    let (namespace, name) = match name.strip_prefix(IMPOSTOR) {
        Some(name) => (Some(Ident::with_quote('"', "public")), name),
        None => (None, name),
    };
    let plain = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.'));
    let ident = if plain {
        Ident::new(name)
    } else {
        Ident::with_quote('"', name)
    };
    Expr::Function(Function {
        name: ObjectName::from(namespace.into_iter().chain([ident]).collect::<Vec<_>>()),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args
                .into_iter()
                .map(|a| FunctionArg::Unnamed(FunctionArgExpr::Expr(a)))
                .collect(),
            clauses: Vec::new(),
        }),
        within_group: Vec::new(),
        filter: None,
        null_treatment: None,
        over: None,
    })
}

/// Brings the spellings of a function to one.
fn simplify_function(expr: Expr) -> Expr {
    match expr {
        Expr::Substring {
            expr,
            substring_from,
            substring_for,
            ..
        } => {
            let args = [Some(expr), substring_from, substring_for];
            call("substring", args.into_iter().flatten().map(|a| *a).collect())
        }
        Expr::Trim {
            trim_where: None | Some(sqlparser::ast::TrimWhereField::Both),
            trim_what,
            expr,
            trim_characters: None,
        } => {
            let args = [Some(expr), trim_what];
            call("btrim", args.into_iter().flatten().map(|a| *a).collect())
        }
        Expr::AtTimeZone { timestamp, time_zone } => at_time_zone(*timestamp, *time_zone),
        // Servers before 14 print EXTRACT as the function behind it.
        Expr::Extract { field, expr, .. } => {
            let field = Value::SingleQuotedString(field.to_string().to_ascii_lowercase());
            call("date_part", vec![Expr::value(field), *expr])
        }
        other => match as_call(&other) {
            Some(found) => respell(&found).unwrap_or(other),
            None => other,
        },
    }
}

fn respell(found: &Call<'_>) -> Option<Expr> {
    let args: Vec<Expr> = found.args.iter().flatten().map(|a| (*a).clone()).collect();
    match (found.name.as_str(), args.as_slice()) {
        ("current_timestamp" | "transaction_timestamp" | "now", []) => Some(call("now", args)),
        ("current_timestamp", [digits]) if is_full_precision(digits) => Some(call("now", Vec::new())),
        ("localtimestamp", [digits]) if is_full_precision(digits) => Some(word("localtimestamp")),
        ("localtimestamp", []) => Some(word("localtimestamp")),
        ("timezone", [zone, time]) => Some(at_time_zone(time.clone(), zone.clone())),
        ("char_length" | "character_length", [_]) => Some(call("length", args)),
        ("substr", _) => Some(call("substring", args)),
        (name, _) if found.args.is_some() => Some(call(name, args)),
        (name, _) => Some(word(name)),
    }
}

/// Makes one of the words that are functions without parentheses.
fn word(name: &str) -> Expr {
    let mut expr = call(name, Vec::new());
    if let Expr::Function(function) = &mut expr {
        function.args = FunctionArguments::None;
    }
    expr
}

fn is_full_precision(digits: &Expr) -> bool {
    matches!(digits, Expr::Value(v) if matches!(&v.value, Value::Number(n, _) if n == "6"))
}

/// Writes `time AT TIME ZONE zone`; names of zones do not count letter case.
fn at_time_zone(time: Expr, zone: Expr) -> Expr {
    let zone = match as_text(&zone) {
        Some(name) => Expr::value(Value::SingleQuotedString(name.to_ascii_lowercase())),
        None => zone,
    };
    Expr::AtTimeZone {
        timestamp: Box::new(time),
        time_zone: Box::new(zone),
    }
}
