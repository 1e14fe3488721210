//! Constants of defaults. The column's type decides how a constant is read: in a text column every value is text.

use std::ops::RangeInclusive;

use crate::schema::{DataType, Literal};

use crate::yaml::{Kind, Node, Reader, describe, shorten};

use super::column::check_length;
use super::{At, TypeSpec};

/// A constant that a column's type cannot hold.
struct Misfit {
    reason: String,
    help: &'static str,
}

/// Reads a constant and records one that does not fit the column's type.
pub(super) fn read_constant(reader: &mut Reader, node: &Node, ty: Option<&TypeSpec>) -> Option<Literal> {
    let Kind::Scalar { text, plain } = &node.kind else {
        if !matches!(node.kind, Kind::Broken) {
            reader.add(
                node.at,
                format!(
                    "`value` must be a text, a number, `true` or `false`, not {}",
                    describe(node)
                ),
            );
        }
        return None;
    };
    if node.is_null() {
        reader
            .add(node.at, "`value` has nothing in it".to_owned())
            .set_help("a default of NULL is no default: write `default: none`; put the word itself into quotes");
        return None;
    }
    let data = ty.and_then(|ty| ty.any.as_ref().or_else(|| ty.pins.values().next()));
    match constant(text, *plain, data) {
        Ok(literal) => {
            if let Literal::Text(text) = &literal {
                check_length(reader, &At::new(text.clone(), node.at), ty);
            }
            Some(literal)
        }
        Err(misfit) => {
            reader
                .add(node.at, format!("the default does not fit the type: {}", misfit.reason))
                .set_help(misfit.help);
            None
        }
    }
}

/// Returns whether a spec can state a constant as the default of a type.
pub(crate) fn is_statable(literal: &Literal, data: Option<&DataType>) -> bool {
    let read = match literal {
        Literal::Text(text) => constant(text, false, data),
        Literal::Number(text) => constant(text, true, data),
        Literal::Boolean(truth) => constant(&truth.to_string(), true, data),
        _ => return false,
    };
    read.is_ok()
}

fn constant(text: &str, plain: bool, data: Option<&DataType>) -> Result<Literal, Misfit> {
    let as_text = || Ok(Literal::Text(text.to_owned()));
    let Some(data) = data else {
        return Ok(by_spelling(text, plain));
    };
    match data {
        DataType::Boolean => match text {
            "true" | "1" => Ok(Literal::Boolean(true)),
            "false" | "0" => Ok(Literal::Boolean(false)),
            _ => Err(misfit(text, "is not a truth value", "write `true` or `false`")),
        },
        DataType::TinyInt => whole(text, -128..=127, data),
        DataType::SmallInt => whole(text, i16::MIN.into()..=i16::MAX.into(), data),
        DataType::MediumInt => whole(text, -8_388_608..=8_388_607, data),
        DataType::Integer => whole(text, i32::MIN.into()..=i32::MAX.into(), data),
        DataType::BigInt => whole(text, i64::MIN.into()..=i64::MAX.into(), data),
        DataType::Numeric { precision, scale } => {
            let number = decimal(text)?;
            let room = precision.map(|p| p.saturating_sub(scale.unwrap_or(0)) as usize);
            let digits = number.trim_start_matches('-').split('.').next().unwrap_or_default();
            if room.is_some_and(|room| digits.trim_start_matches('0').len() > room) {
                return Err(misfit(
                    text,
                    &format!("is too large for {data}"),
                    "make the type larger",
                ));
            }
            Ok(Literal::Number(number))
        }
        DataType::Real | DataType::Double => decimal(text).map(Literal::Number),
        DataType::Uuid => match uuid::Uuid::try_parse(text) {
            Ok(_) => as_text(),
            Err(_) => Err(misfit(text, "is not a UUID", "write a function as `{ sql: … }`")),
        },
        DataType::Date | DataType::Time { .. } | DataType::Timestamp { .. } | DataType::DateTime { .. } => {
            let special = text.trim_start_matches('-').eq_ignore_ascii_case("infinity") || text == "epoch";
            let number = text.starts_with(|c: char| c.is_ascii_digit());
            if special || (number && !text.contains('(')) {
                as_text()
            } else {
                Err(misfit(
                    text,
                    "is not a point in time",
                    "write `{ sql: \"now()\" }` for the present time",
                ))
            }
        }
        DataType::Json | DataType::Jsonb => match serde_json::from_str::<serde_json::Value>(text) {
            Ok(_) => as_text(),
            Err(_) => Err(misfit(
                text,
                "is not JSON",
                "a JSON text has quotes of its own: '\"text\"'",
            )),
        },
        DataType::Bit(_) | DataType::Other(_) => Ok(by_spelling(text, plain)),
        _ => as_text(),
    }
}

/// Reads a constant of an unknown type by how it is written.
fn by_spelling(text: &str, plain: bool) -> Literal {
    match text {
        "true" | "false" if plain => Literal::Boolean(text == "true"),
        _ if plain => decimal(text).map_or_else(|_| Literal::Text(text.to_owned()), Literal::Number),
        _ => Literal::Text(text.to_owned()),
    }
}

fn whole(text: &str, range: RangeInclusive<i128>, data: &DataType) -> Result<Literal, Misfit> {
    match text.parse::<i128>() {
        Ok(number) if range.contains(&number) => Ok(Literal::Number(number.to_string())),
        Ok(_) => Err(misfit(
            text,
            &format!("is not within {} and {} ({data})", range.start(), range.end()),
            "use a larger integer type",
        )),
        Err(_) => Err(misfit(
            text,
            "is not a whole number",
            "write a number, or an expression as `{ sql: … }`",
        )),
    }
}

/// Reads a decimal number and takes superfluous zeros and signs away.
fn decimal(text: &str) -> Result<String, Misfit> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return Err(misfit(text, "is not a decimal number", "write digits: `0.5`"));
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let mut number = whole.to_owned();
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        number = format!("{number}.{fraction}");
    }
    Ok(if negative && number != "0" {
        format!("-{number}")
    } else {
        number
    })
}

fn misfit(text: &str, reason: &str, help: &'static str) -> Misfit {
    Misfit {
        reason: format!("`{}` {reason}", shorten(text)),
        help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Literal {
        Literal::Text(text.to_owned())
    }

    fn number(text: &str) -> Literal {
        Literal::Number(text.to_owned())
    }

    #[test]
    fn the_type_decides_how_a_constant_is_read() {
        for (ty, written, plain, literal) in [
            ("varchar(40)", "Processed", true, text("Processed")),
            ("varchar(40)", "no", true, text("no")),
            ("varchar(40)", "1e3", true, text("1e3")),
            ("varchar(40)", "007", true, text("007")),
            ("text", "", false, text("")),
            ("integer", "0", true, number("0")),
            ("integer", "0", false, number("0")),
            ("integer", "+7", true, number("7")),
            ("numeric(18,2)", "00.50", true, number("0.5")),
            ("numeric(18,2)", "-0.00", true, number("0")),
            ("boolean", "false", true, Literal::Boolean(false)),
            ("boolean", "1", true, Literal::Boolean(true)),
            ("jsonb", "{}", false, text("{}")),
            (
                "timestamptz",
                "2026-01-01 00:00:00+00",
                true,
                text("2026-01-01 00:00:00+00"),
            ),
            ("timestamptz", "-infinity", true, text("-infinity")),
            (
                "uuid",
                "00000000-0000-0000-0000-000000000000",
                true,
                text("00000000-0000-0000-0000-000000000000"),
            ),
        ] {
            let read = constant(written, plain, Some(&ty.parse().unwrap()));
            assert_eq!(read.ok(), Some(literal), "{ty} {written}");
        }
        assert_eq!(constant("1.50", true, None).ok(), Some(number("1.5")));
        assert_eq!(constant("true", true, None).ok(), Some(Literal::Boolean(true)));
        assert_eq!(constant("true", false, None).ok(), Some(text("true")));
        assert_eq!(constant("Processed", true, None).ok(), Some(text("Processed")));
    }

    #[test]
    fn a_constant_that_the_type_cannot_hold_is_refused() {
        for (ty, written, reason) in [
            ("integer", "abc", "not a whole number"),
            ("integer", "1.5", "not a whole number"),
            ("integer", "2147483648", "is not within"),
            ("smallint", "-32769", "is not within"),
            ("bigint", "9223372036854775808", "is not within"),
            ("numeric(4,2)", "100", "too large"),
            ("double", "half", "not a decimal"),
            ("boolean", "yes", "not a truth value"),
            ("uuid", "gen_random_uuid()", "not a UUID"),
            ("timestamptz", "now()", "not a point in time"),
            ("timestamptz", "CURRENT_TIMESTAMP", "not a point in time"),
            ("date", "today", "not a point in time"),
            ("json", "Processed", "not JSON"),
        ] {
            let Err(misfit) = constant(written, true, Some(&ty.parse().unwrap())) else {
                panic!("{ty} takes {written}");
            };
            assert!(misfit.reason.contains(reason), "{ty} {written}: {}", misfit.reason);
        }
    }
}
