//! The operands of conditions: what is known of a value, and how two values compare.

use std::cmp::Ordering;

use sqlparser::ast::{
    BinaryOperator, CastKind, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart,
    UnaryOperator, Value,
};

use super::{DEEPEST, Outcomes, Reader, Texts, bare};
use crate::dialect::{Given, is_text};
use crate::schema::{Column, DataType, Equality};

/// Stands for a text that is not blank: what makes another one of it leaves it so.
const WORD: &str = "x";

const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
enum Datum {
    /// It is NULL.
    Null,
    /// It is this text.
    Text(String),
    /// It is this number.
    Number(f64),
    /// It is this truth value.
    Truth(bool),
    /// It is a text that is not blank.
    Words,
    /// It is not NULL.
    Something,
    /// Nothing.
    Open,
}

/// A value, and how it is compared with others if it is a text.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    datum: Datum,
    /// Those of a column, or those that `COLLATE` names; a constant has none of its own.
    texts: Option<Texts>,
}

impl Operand {
    const OPEN: Self = Self::plain(Datum::Open);

    const fn plain(datum: Datum) -> Self {
        Self { datum, texts: None }
    }

    fn text(text: &str) -> Self {
        Self::plain(Datum::Text(text.to_owned()))
    }

    fn number(number: f64) -> Self {
        Self::plain(Datum::Number(number))
    }

    pub(super) fn is_null(&self) -> Outcomes {
        match self.datum {
            Datum::Null => Outcomes::TRUE,
            Datum::Open => Outcomes::DEFINITE,
            _ => Outcomes::FALSE,
        }
    }

    /// Reads a value as a condition.
    pub(super) fn truth(&self) -> Outcomes {
        match self.datum {
            Datum::Null => Outcomes::NULL,
            Datum::Truth(truth) => truth.into(),
            Datum::Number(number) => (number != 0.0).into(),
            Datum::Text(_) | Datum::Words | Datum::Something => Outcomes::DEFINITE,
            Datum::Open => Outcomes::ANY,
        }
    }

    /// What an operator says of which only this is known: NULL on either side makes it NULL.
    pub(super) fn strict(&self, other: &Self) -> Outcomes {
        match (&self.datum, &other.datum) {
            (Datum::Null, _) | (_, Datum::Null) => Outcomes::NULL,
            (Datum::Open, _) | (_, Datum::Open) => Outcomes::ANY,
            _ => Outcomes::DEFINITE,
        }
    }

    pub(super) fn texts(&self) -> Option<Texts> {
        self.texts
    }

    /// Returns whether a text is like a pattern, where both are known and nothing in the pattern is escaped.
    pub(super) fn matches(&self, pattern: &Self, texts: Texts) -> Option<bool> {
        let (Datum::Text(text), Datum::Text(pattern)) = (&self.datum, &pattern.datum) else {
            return None;
        };
        let folds = texts.equality == Equality::CaseInsensitive;
        if pattern.contains('\\') || texts.equality == Equality::Unknown || !(text.is_ascii() && pattern.is_ascii()) {
            return None;
        }
        let fold = |text: &str| {
            if folds {
                text.to_ascii_lowercase()
            } else {
                text.to_owned()
            }
        };
        Some(is_like(fold(text).as_bytes(), fold(pattern).as_bytes()))
    }

    /// `IS NOT DISTINCT FROM`, `<=>`.
    pub(super) fn same(&self, other: &Self) -> Outcomes {
        match (&self.datum, &other.datum) {
            (Datum::Null, _) => other.is_null(),
            (_, Datum::Null) => self.is_null(),
            (Datum::Open, _) | (_, Datum::Open) => Outcomes::DEFINITE,
            _ => self.compare(&BinaryOperator::Eq, other),
        }
    }

    pub(super) fn compare(&self, operator: &BinaryOperator, other: &Self) -> Outcomes {
        use BinaryOperator as Op;
        let undecided = self.strict(other);
        match operator {
            Op::Spaceship => return self.same(other),
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => {}
            Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGRegexNotMatch | Op::PGRegexNotIMatch => return undecided,
            Op::PGLikeMatch | Op::PGILikeMatch | Op::PGNotLikeMatch | Op::PGNotILikeMatch | Op::Regexp => {
                return undecided;
            }
            _ => return Outcomes::ANY,
        }
        if undecided != Outcomes::DEFINITE {
            return undecided;
        }
        let Some(order) = self.order(other) else {
            return undecided;
        };
        match (operator, order) {
            (Op::Eq, order) => (order == Order::Equal).into(),
            (Op::NotEq, order) => (order != Order::Equal).into(),
            (Op::LtEq | Op::GtEq, Order::Equal) => Outcomes::TRUE,
            (_, Order::Equal) => Outcomes::FALSE,
            (_, Order::Different) => undecided,
            (Op::Lt | Op::LtEq, order) => (order == Order::Less).into(),
            (_, order) => (order == Order::Greater).into(),
        }
    }

    fn order(&self, other: &Self) -> Option<Order> {
        match (&self.datum, &other.datum) {
            (Datum::Text(a), Datum::Text(b)) => {
                let texts = self.texts.or(other.texts).unwrap_or(Texts::UNKNOWN);
                let order = |equal| if equal { Order::Equal } else { Order::Different };
                texts.equal(a, b).map(order)
            }
            (Datum::Words, Datum::Text(text)) | (Datum::Text(text), Datum::Words) if is_blank(text) => {
                Some(Order::Different)
            }
            (Datum::Number(a), Datum::Number(b)) => a.partial_cmp(b).map(|order| match order {
                Ordering::Less => Order::Less,
                Ordering::Equal => Order::Equal,
                Ordering::Greater => Order::Greater,
            }),
            // Where truth values are numbers: `(x IS NULL) = 0`.
            (Datum::Truth(a), Datum::Number(b)) | (Datum::Number(b), Datum::Truth(a)) if f64::from(*a) == *b => {
                Some(Order::Equal)
            }
            (Datum::Truth(_), Datum::Number(_)) | (Datum::Number(_), Datum::Truth(_)) => Some(Order::Different),
            (Datum::Truth(a), Datum::Truth(b)) if a == b => Some(Order::Equal),
            (Datum::Truth(_), Datum::Truth(_)) => Some(Order::Different),
            _ => None,
        }
    }

    /// Returns a value of which only this is known: it is NULL where this one is.
    fn derived(&self) -> Self {
        Self {
            datum: match self.datum {
                Datum::Null => Datum::Null,
                Datum::Open => Datum::Open,
                _ => Datum::Something,
            },
            texts: self.texts,
        }
    }

    /// Changes a text, and leaves what is no known text derived.
    fn map(&self, change: impl Fn(&str) -> Option<Datum>) -> Self {
        let changed = match &self.datum {
            Datum::Text(text) => change(text),
            Datum::Words => change(WORD)
                .filter(|datum| matches!(datum, Datum::Text(_)))
                .map(|_| Datum::Words),
            _ => None,
        };
        match changed {
            Some(datum) => Self {
                datum,
                texts: self.texts,
            },
            None => self.derived(),
        }
    }
}

/// How two values stand to each other. Texts that differ have an order that only the server knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    Equal,
    Greater,
    Different,
}

impl Texts {
    /// Returns whether two texts are equal, where that is known.
    fn equal(self, a: &str, b: &str) -> Option<bool> {
        let [a, b] = [a, b].map(|text| if self.pads { text.trim_end_matches(' ') } else { text });
        let plain = a.is_ascii() && b.is_ascii();
        match self.equality {
            _ if a == b => Some(true),
            Equality::Bytes => Some(false),
            Equality::CaseSensitive => plain.then_some(false),
            Equality::CaseInsensitive if plain => Some(a.eq_ignore_ascii_case(b)),
            Equality::CaseInsensitive => (a.to_lowercase() == b.to_lowercase()).then_some(true),
            Equality::Unknown => None,
        }
    }
}

/// Matches a text with a pattern of `%` and `_`; of several `%` only the last one is ever tried again.
fn is_like(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(next) {
            Some(b'%') => {
                next += 1;
                retry = Some((at, next));
            }
            Some(c) if *c == b'_' || *c == text[at] => {
                at += 1;
                next += 1;
            }
            _ => {
                let Some((from, behind)) = retry else { return false };
                retry = Some((from + 1, behind));
                (at, next) = (from + 1, behind);
            }
        }
    }
    pattern[next..].iter().all(|c| *c == b'%')
}

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
            } => match inner(expr).datum {
                Datum::Number(number) => Operand::number(-number),
                _ => inner(expr).derived(),
            },
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
            } => cast(&inner(expr), &data_type.to_string()),
            Expr::Trim {
                expr,
                trim_where: None,
                trim_what: None,
                trim_characters: None,
            } => inner(expr).map(|text| Some(Datum::Text(text.trim_matches(' ').to_owned()))),
            Expr::Function(function) => self.call(function, depth),
            Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::IsTrue(_)
            | Expr::IsFalse(_)
            | Expr::In { .. }
            | Expr::AnyOp { .. }
            | Expr::AllOp { .. }
            | Expr::Between { .. }
            | Expr::Case { .. }
            | Expr::BinaryOp {
                op: BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Eq | BinaryOperator::NotEq,
                ..
            } => {
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
            ("char_length" | "character_length", [text]) => length(text, |text| text.chars().count()),
            ("length", [text]) if self.meaning.length_counts_characters() => length(text, |text| text.chars().count()),
            ("length" | "octet_length", [text]) => length(text, str::len),
            ("typeof", [value]) => Operand {
                datum: match value.datum {
                    Datum::Null => Datum::Text("null".to_owned()),
                    Datum::Text(_) | Datum::Words => Datum::Text("text".to_owned()),
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

/// Returns the number of characters or bytes of a text.
fn length(text: &Operand, count: impl Fn(&str) -> usize) -> Operand {
    let counted = text.map(|text| u32::try_from(count(text)).ok().map(|n| Datum::Number(n.into())));
    Operand::plain(counted.datum)
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

/// Returns whether a text is one that no service means: blanks, or the nil identifier.
fn is_blank(text: &str) -> bool {
    text == NIL || text.chars().all(|c| c == ' ')
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
fn cast(value: &Operand, target: &str) -> Operand {
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
            if text.chars().count() <= *n as usize =>
        {
            Datum::Text(text.clone())
        }
        (Datum::Words, Ok(DataType::Varchar(_) | DataType::Text) | Err(_)) => Datum::Words,
        (Datum::Text(text), _) if matches!(bare.as_str(), "citext" | "bpchar" | "binary") => Datum::Text(text.clone()),
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
