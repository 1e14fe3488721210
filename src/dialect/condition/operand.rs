//! Operands: columns, constants, casts and calls, as far as their values are known.

use sqlparser::ast::{
    BinaryOperator, CastKind, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart,
    UnaryOperator, Value,
};

use super::datum::{Datum, Operand};
use super::outcomes::Outcomes;
use super::reader::Reader;
use super::{DEEPEST, Texts, bare, is_condition};
use crate::dialect::{Given, is_text};
use crate::schema::{Column, DataType};

/// Returns the elements of an array: `ARRAY['a', 'b']`, `'{a,b}'::text[]`.
pub(super) fn elements(array: &Expr) -> Option<Vec<Expr>> {
    let mut array = bare(array);
    while let Expr::Cast { expr, .. } = array {
        array = bare(expr);
    }
    match array {
        Expr::Array(array) => Some(array.elem.clone()),
        Expr::Value(value) => {
            let Value::SingleQuotedString(text) = &value.value else {
                return None;
            };
            let inner = text.strip_prefix('{')?.strip_suffix('}')?;
            let simple = !inner.contains(['"', '\\', '{', '}']);
            simple.then(|| inner.split(',').map(element).collect())
        }
        _ => None,
    }
}

fn element(word: &str) -> Expr {
    let word = word.trim();
    Expr::value(if word.eq_ignore_ascii_case("null") {
        Value::Null
    } else {
        Value::SingleQuotedString(word.to_owned())
    })
}

impl Reader<'_> {
    pub(super) fn operand(&self, expr: &Expr, depth: usize) -> Operand {
        if depth > DEEPEST {
            return Operand::OPEN;
        }
        let inner = |e: &Expr| self.operand(e, depth + 1);
        match bare(expr) {
            Expr::Identifier(name) => self.named(name),
            Expr::CompoundIdentifier(names) => names.last().map_or(Operand::OPEN, |name| self.named(name)),
            Expr::Value(value) => constant(&value.value),
            Expr::TypedString(typed) => inner(&Expr::value(typed.value.value.clone())).derived(),
            Expr::Prefixed { value, .. } => inner(value),
            Expr::UnaryOp {
                op: UnaryOperator::Minus,
                expr,
            } => {
                let value = inner(expr);
                match value.datum {
                    Datum::Number(number) => Operand::number(-number),
                    _ => value.derived(),
                }
            }
            Expr::UnaryOp {
                op: UnaryOperator::Plus,
                expr,
            } => inner(expr),
            Expr::Collate { expr, collation } => Operand {
                texts: Some(match collation.0.last() {
                    Some(ObjectNamePart::Identifier(name)) => self.meaning.collation(&name.value),
                    _ => Texts::UNKNOWN,
                }),
                ..inner(expr)
            },
            Expr::Cast {
                kind: CastKind::Cast | CastKind::DoubleColon,
                expr,
                data_type,
                ..
            } => cast(&inner(expr), &data_type.to_string(), self.meaning.casts_cut()),
            Expr::Trim {
                expr,
                trim_where: None,
                trim_what: None,
                trim_characters: None,
            } => inner(expr).map(|text| Some(Datum::Text(text.trim_matches(' ').to_owned()))),
            Expr::Substring {
                expr,
                substring_from: Some(from),
                substring_for,
                ..
            } => {
                let parts = [expr, from].into_iter().chain(substring_for);
                slice("substring", &parts.map(|part| inner(part)).collect::<Vec<_>>())
            }
            Expr::Function(function) => self.call(function, depth),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::StringConcat,
                right,
            } => joined(&[inner(left), inner(right)]),
            expr if is_condition(expr)
                || matches!(expr, Expr::AnyOp { .. } | Expr::AllOp { .. } | Expr::Case { .. }) =>
            {
                let outcomes = self.condition(expr, depth + 1);
                Operand::plain(match outcomes {
                    Outcomes::TRUE => Datum::Truth(true),
                    Outcomes::FALSE => Datum::Truth(false),
                    Outcomes::NULL => Datum::Null,
                    Outcomes::DEFINITE => Datum::Something,
                    _ => Datum::Open,
                })
            }
            _ => Operand::OPEN,
        }
    }

    /// Reads a name: the column whose value is known, another one, or a text in the wrong quotes.
    fn named(&self, name: &Ident) -> Operand {
        let is_it = |column: &Column| self.meaning.is_column(name, column);
        if let Some((column, value)) = self.row.known.filter(|(column, _)| is_it(column)) {
            return Operand {
                datum: match value {
                    Given::Null => Datum::Null,
                    Given::Text(text) => stored(text, column),
                    Given::Words => Datum::Words,
                    Given::Letters { count, width } => Datum::Letters(count, width),
                    Given::Whole { most } => Datum::Whole(most),
                },
                texts: Some(Texts::of(column)),
            };
        }
        match self.row.columns.iter().find(|column| is_it(column)) {
            Some(column) if column.takes_null() => Operand::OPEN,
            Some(_) => Operand::plain(Datum::Something),
            None if name.quote_style == Some('"') && self.meaning.quotes_texts_twice() => Operand::text(&name.value),
            None => Operand::OPEN,
        }
    }

    fn call(&self, function: &Function, depth: usize) -> Operand {
        let (Some(name), Some(arguments)) = (bare_name(function), arguments(function)) else {
            return Operand::OPEN;
        };
        let arguments: Vec<Operand> = arguments.into_iter().map(|e| self.operand(e, depth + 1)).collect();
        match (name.as_str(), &arguments[..]) {
            ("lower" | "lcase", [text]) => text.map(|text| Some(Datum::Text(text.to_lowercase()))),
            ("upper" | "ucase", [text]) => text.map(|text| Some(Datum::Text(text.to_uppercase()))),
            ("trim" | "btrim", [text]) => text.map(|text| Some(Datum::Text(text.trim_matches(' ').to_owned()))),
            ("rtrim", [text]) => text.map(|text| Some(Datum::Text(text.trim_end_matches(' ').to_owned()))),
            ("ltrim", [text]) => text.map(|text| Some(Datum::Text(text.trim_start_matches(' ').to_owned()))),
            ("char_length" | "character_length", [text]) => length(text, Unit::Characters),
            ("length", [text]) if self.meaning.length_counts_characters() => length(text, Unit::Characters),
            ("length" | "octet_length", [text]) => length(text, Unit::Bytes),
            ("concat", texts) => joined(texts),
            ("left" | "right" | "substr" | "substring", arguments) => slice(&name, arguments),
            ("typeof", [value]) => Operand {
                datum: match value.datum {
                    Datum::Null => Datum::Text("null".to_owned()),
                    Datum::Text(_) | Datum::Words => Datum::Text("text".to_owned()),
                    Datum::Whole(_) => Datum::Text("integer".to_owned()),
                    _ => Datum::Something,
                },
                texts: Some(Texts::EXACT),
            },
            ("coalesce" | "ifnull", values) => {
                let first = values.iter().find(|value| value.datum != Datum::Null);
                match first {
                    None => Operand::plain(Datum::Null),
                    Some(first) if first.datum == Datum::Open => Operand::OPEN,
                    // Whichever is taken, the comparison is that of the column.
                    Some(first) => Operand {
                        datum: first.datum.clone(),
                        texts: values.iter().find_map(|value| value.texts),
                    },
                }
            }
            _ => Operand::OPEN,
        }
    }
}

/// Joins texts. One that is not known may well be NULL, which servers treat differently.
fn joined(parts: &[Operand]) -> Operand {
    let texts = parts.iter().map(|part| match &part.datum {
        Datum::Text(text) => Some(text.as_str()),
        _ => None,
    });
    match texts.collect::<Option<String>>() {
        Some(text) => Operand {
            datum: Datum::Text(text),
            texts: parts.iter().find_map(|part| part.texts),
        },
        None => Operand::OPEN,
    }
}

/// Cuts a text: `left(x, 3)`, `substr(x, 1, 3)`.
fn slice(function: &str, arguments: &[Operand]) -> Operand {
    let Some((text, numbers)) = arguments.split_first() else {
        return Operand::OPEN;
    };
    let number = |operand: &Operand| match operand.datum {
        // What is counted from the other end or begins before the text is left alone.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a small whole number"
        )]
        Datum::Number(n) if (0.0..1e6).contains(&n) && n.fract() == 0.0 => Some(n as usize),
        _ => None,
    };
    let numbers: Option<Vec<usize>> = numbers.iter().map(number).collect();
    let (Datum::Text(whole), Some(numbers)) = (&text.datum, numbers) else {
        return text.derived();
    };
    let length = whole.chars().count();
    let (skip, take) = match (function, &numbers[..]) {
        ("left", [count]) => (0, *count),
        ("right", [count]) => (length.saturating_sub(*count), *count),
        ("substr" | "substring", [from]) if *from > 0 => (from - 1, length),
        ("substr" | "substring", [from, count]) if *from > 0 => (from - 1, *count),
        _ => return text.derived(),
    };
    Operand {
        datum: Datum::Text(whole.chars().skip(skip).take(take).collect()),
        texts: text.texts,
    }
}

/// What the length of a text is counted in.
#[derive(Clone, Copy)]
enum Unit {
    Characters,
    Bytes,
}

fn length(text: &Operand, unit: Unit) -> Operand {
    let counted = match (&text.datum, unit) {
        (Datum::Text(text), Unit::Characters) => u32::try_from(text.chars().count()).ok(),
        (Datum::Text(text), Unit::Bytes) => u32::try_from(text.len()).ok(),
        (Datum::Letters(count, _), Unit::Characters) => Some(*count),
        (Datum::Letters(count, width), Unit::Bytes) => count.checked_mul(*width),
        _ => None,
    };
    Operand::plain(counted.map_or_else(|| text.derived().datum, |n| Datum::Number(n.into())))
}

/// Makes the value that a column has when this text is written into it.
fn stored(value: &str, column: &Column) -> Datum {
    if is_number(&column.ty.data) {
        return value.trim().parse().map_or(Datum::Something, Datum::Number);
    }
    match column.ty.data {
        DataType::Boolean => Datum::Something,
        _ => Datum::Text(value.to_owned()),
    }
}

fn is_number(data: &DataType) -> bool {
    use DataType::{BigInt, Double, Integer, MediumInt, Numeric, Real, SmallInt, TinyInt};
    matches!(
        data,
        TinyInt | SmallInt | MediumInt | Integer | BigInt | Numeric { .. } | Real | Double
    )
}

fn constant(value: &Value) -> Operand {
    match value {
        Value::Null => Operand::plain(Datum::Null),
        Value::Boolean(truth) => Operand::plain(Datum::Truth(*truth)),
        Value::Number(digits, _) => digits.parse().map_or(Operand::OPEN, Operand::number),
        Value::SingleQuotedString(text)
        | Value::EscapedStringLiteral(text)
        | Value::UnicodeStringLiteral(text)
        | Value::NationalStringLiteral(text)
        | Value::DoubleQuotedString(text) => Operand::text(text),
        Value::DollarQuotedString(text) => Operand::text(&text.value),
        _ => Operand::plain(Datum::Something),
    }
}

/// Casts a value. A cast of a column's text says how it is compared; one that may change a text leaves it unknown.
fn cast(value: &Operand, target: &str, cuts: bool) -> Operand {
    let bare = target.rsplit('.').next().unwrap_or(target).to_ascii_lowercase();
    let texts = match (bare.as_str(), value.texts) {
        ("citext", Some(_)) => Some(Texts::CITEXT),
        ("binary", _) => Some(Texts::EXACT),
        (_, Some(texts)) if texts.by_type => Some(Texts::EXACT),
        (_, texts) => texts,
    };
    let parsed = bare.parse::<DataType>();
    let datum = match (&value.datum, &parsed) {
        (Datum::Text(text), Ok(data)) if is_number(data) => match (text.trim().parse(), value.texts) {
            (Ok(number), None) => Datum::Number(number),
            _ => Datum::Something,
        },
        (Datum::Text(text), Ok(DataType::Varchar(None) | DataType::Text)) => Datum::Text(text.clone()),
        (Datum::Text(text), Ok(DataType::Varchar(Some(n)) | DataType::Char(n)))
            if cuts || text.chars().count() <= *n as usize =>
        {
            Datum::Text(text.chars().take(*n as usize).collect())
        }
        (Datum::Words | Datum::Letters(..), Ok(DataType::Varchar(None) | DataType::Text) | Err(_)) => {
            value.datum.clone()
        }
        (Datum::Text(text), _) if matches!(bare.as_str(), "citext" | "bpchar" | "binary" | "char") => {
            Datum::Text(text.clone())
        }
        // A constant of an enum type, of a domain, or an identifier.
        (Datum::Text(text), Ok(DataType::Uuid) | Err(_)) if value.texts.is_none() => Datum::Text(text.clone()),
        (Datum::Number(number), Ok(data)) if is_number(data) && (number.fract() == 0.0 || value.texts.is_none()) => {
            Datum::Number(*number)
        }
        (Datum::Number(_), Ok(data)) if is_text(data) => Datum::Something,
        (Datum::Truth(truth), Ok(DataType::Boolean)) => Datum::Truth(*truth),
        _ => value.derived().datum,
    };
    Operand { datum, texts }
}

/// Returns the arguments of a call of one of these functions.
pub(super) fn call_of<'a>(function: &'a Function, names: &[&str]) -> Option<Vec<&'a Expr>> {
    let name = bare_name(function)?;
    names.contains(&name.as_str()).then(|| arguments(function)).flatten()
}

fn bare_name(function: &Function) -> Option<String> {
    match function.name.0.last()? {
        ObjectNamePart::Identifier(name) => Some(name.value.to_ascii_lowercase()),
        ObjectNamePart::Function(_) => None,
    }
}

fn arguments(function: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &function.args else {
        return None;
    };
    let plain = |arg| match arg {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().map(plain).collect()
}
