//! Constants by value: each in the canonical form of its column's type.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use crate::dialect::is_text;
use crate::schema::{DataType, Literal, NativeType};

/// Brings a constant of a spec to the canonical form of a column's type.
pub(super) fn normalize_literal(value: &Literal, ty: &NativeType) -> Literal {
    match value {
        Literal::Text(text) | Literal::Uuid(text) | Literal::Time(text) => constant(text, &ty.data),
        Literal::Number(number) => constant(number, &ty.data),
        Literal::Boolean(truth) if is_text(&ty.data) => Literal::Text(truth.to_string()),
        Literal::Boolean(truth) => Literal::Boolean(*truth),
        Literal::Bytes(hex) => Literal::Bytes(hex.to_ascii_lowercase()),
    }
}

/// Reads the text of a constant as a value of a type; text that is no such value stays text.
pub(super) fn constant(text: &str, ty: &DataType) -> Literal {
    let read = match ty {
        DataType::Boolean => truth(text).map(Literal::Boolean),
        DataType::SmallInt
        | DataType::Integer
        | DataType::BigInt
        | DataType::Numeric { .. }
        | DataType::Real
        | DataType::Double => number(text).map(Literal::Number),
        DataType::Uuid => uuid::Uuid::try_parse(text.trim())
            .ok()
            .map(|id| Literal::Uuid(id.hyphenated().to_string())),
        DataType::Timestamp { zoned, .. } => Some(Literal::Time(point_in_time(text, *zoned))),
        DataType::Date => {
            let time = point_in_time(text, false);
            // Text that is no date keeps all of its words.
            let date = time
                .strip_suffix(" 00:00:00")
                .filter(|date| read_time(date, false).is_some());
            Some(Literal::Time(date.unwrap_or(&time).to_owned()))
        }
        DataType::Bytes => Some(Literal::Bytes(hexadecimal(text))),
        DataType::Json | DataType::Jsonb => serde_json::from_str(text)
            .ok()
            .map(|value| Literal::Text(canonical_json(&value))),
        DataType::Char(_) => Some(Literal::Text(text.trim_end_matches(' ').to_owned())),
        DataType::Other(_) => None,
        _ => None,
    };
    read.unwrap_or_else(|| Literal::Text(text.to_owned()))
}

/// Reads the words that PostgreSQL takes for truth values: unambiguous beginnings count.
fn truth(text: &str) -> Option<bool> {
    let word = text.trim().to_ascii_lowercase();
    if word.is_empty() {
        return None;
    }
    let begins = |whole: &str| whole.starts_with(&word);
    match word.as_str() {
        "1" | "on" => Some(true),
        "0" | "of" | "off" => Some(false),
        _ if begins("true") || begins("yes") => Some(true),
        _ if begins("false") || begins("no") => Some(false),
        _ => None,
    }
}

/// The largest power of ten that is written out; beyond it a number is equal to the same spelling only.
const LARGEST_EXPONENT: i32 = 400;

/// Writes a number without superfluous zeros, sign or exponent.
fn number(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let (digits, exponent) = match digits.split_once('e') {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !plain(whole) || !plain(fraction) {
        return None;
    }
    if exponent.checked_abs().is_none_or(|size| size > LARGEST_EXPONENT) {
        return Some(text);
    }
    let (whole, fraction) = shift(whole, fraction, exponent);
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    };
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let sign = if whole == "0" && fraction.is_empty() { "" } else { sign };
    Some(format!("{sign}{whole}{point}{fraction}"))
}

/// Moves the point of a number to the right, or to the left for a negative distance.
fn shift(whole: &str, fraction: &str, distance: i32) -> (String, String) {
    let (mut whole, mut fraction) = (whole.to_owned(), fraction.to_owned());
    let zeros = "0".repeat(distance.unsigned_abs() as usize);
    if distance >= 0 {
        fraction.push_str(&zeros);
        let rest = fraction.split_off(zeros.len());
        whole.push_str(&fraction);
        (whole, rest)
    } else {
        whole.insert_str(0, &zeros);
        let moved = whole.split_off(whole.len() - zeros.len());
        (whole, moved + &fraction)
    }
}

/// Writes a point in time as `2026-01-01 00:00:00`, an instant in UTC; other texts in lower case.
///
/// The session that printed it runs in UTC, so an instant without a zone is one in UTC.
fn point_in_time(text: &str, zoned: bool) -> String {
    let text = text.trim();
    match read_time(text, zoned) {
        Some(time) => time.format("%Y-%m-%d %H:%M:%S%.f").to_string(),
        None if text.eq_ignore_ascii_case("+infinity") => "infinity".to_owned(),
        None => text.to_ascii_lowercase(),
    }
}

fn read_time(text: &str, zoned: bool) -> Option<NaiveDateTime> {
    let (date, rest) = text.split_at_checked(10)?;
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    if rest.is_empty() {
        return Some(date.and_time(NaiveTime::MIN));
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let cut = rest.find(['+', '-', 'Z', 'z', ' ']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(cut);
    let clock = ["%H:%M:%S%.f", "%H:%M"]
        .iter()
        .find_map(|format| NaiveTime::parse_from_str(clock, format).ok())?;
    let offset = offset(zone.trim())?;
    let local = date.and_time(clock);
    // A zone in the constant of a type without zones is ignored by the server.
    if zoned {
        local.checked_sub_signed(offset)
    } else {
        Some(local)
    }
}

fn offset(zone: &str) -> Option<TimeDelta> {
    let lower = zone.to_ascii_lowercase();
    if matches!(lower.as_str(), "" | "z" | "utc" | "gmt") {
        return Some(TimeDelta::zero());
    }
    let (sign, digits) = match zone.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((h, m)) => (h, m),
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    TimeDelta::try_minutes(sign * (hours.checked_mul(60)?.checked_add(minutes)?))
}

/// Reads a byte constant: `\x6162`, or text whose bytes are meant.
fn hexadecimal(text: &str) -> String {
    match text.strip_prefix("\\x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => hex.to_ascii_lowercase(),
        _ => text.bytes().map(|b| format!("{b:02x}")).collect(),
    }
}

/// Writes a JSON value with sorted keys and no white space.
fn canonical_json(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(map) => {
            let sorted: BTreeMap<&str, String> = map.iter().map(|(k, v)| (k.as_str(), canonical_json(v))).collect();
            let members: Vec<String> = sorted
                .into_iter()
                .map(|(k, v)| format!("{}:{v}", serde_json::Value::from(k)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        serde_json::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical_json).collect();
            format!("[{}]", items.join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ty(spelling: &str) -> NativeType {
        NativeType::plain(super::super::parse_type(spelling))
    }

    #[test]
    fn constants_of_a_spec_take_the_form_of_the_column() {
        for (value, spelling, normal) in [
            (
                Literal::Number("0".to_owned()),
                "character varying(5)",
                Literal::Text("0".to_owned()),
            ),
            (
                Literal::Number("0.50".to_owned()),
                "numeric(5,2)",
                Literal::Number("0.5".to_owned()),
            ),
            (
                Literal::Text("5".to_owned()),
                "integer",
                Literal::Number("5".to_owned()),
            ),
            (Literal::Boolean(true), "text", Literal::Text("true".to_owned())),
            (Literal::Text("f".to_owned()), "boolean", Literal::Boolean(false)),
            (Literal::Text("{ }".to_owned()), "jsonb", Literal::Text("{}".to_owned())),
            (
                Literal::Text("ab  ".to_owned()),
                "character(5)",
                Literal::Text("ab".to_owned()),
            ),
        ] {
            assert_eq!(normalize_literal(&value, &ty(spelling)), normal);
        }
    }

    #[test]
    fn text_that_is_no_time_keeps_all_of_its_words() {
        for (text, kind, normal) in [
            ("+ soon", "timestamp with time zone", "+ soon"),
            ("+2026-01-01", "timestamp with time zone", "+2026-01-01"),
            ("+Infinity", "timestamp with time zone", "infinity"),
            ("soon  00:00:00", "date", "soon  00:00:00"),
            ("2026-01-01 00:00:00", "date", "2026-01-01"),
        ] {
            let normal = Literal::Time(normal.to_owned());
            assert_eq!(normalize_literal(&Literal::Text(text.to_owned()), &ty(kind)), normal);
            assert_eq!(normalize_literal(&normal, &ty(kind)), normal);
        }
    }

    proptest! {
        #[test]
        fn any_constant_has_a_normal_form_that_is_its_own(value in "\\PC{0,40}", kind in 0..8usize) {
            let kinds = ["uuid", "text", "integer", "boolean", "jsonb", "character(9)", "timestamp with time zone", "date"];
            let ty = ty(kinds[kind]);
            let once = normalize_literal(&Literal::Text(value), &ty);
            prop_assert_eq!(normalize_literal(&once, &ty), once);
        }
    }
}
