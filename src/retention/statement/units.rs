//! Units of time that only MySQL has, brought to those that the parser reads.

use sqlparser::tokenizer::Token;

use super::words::{is, word};

/// Rewrites `INTERVAL '30 12' DAY_HOUR`, `SQL_TSI_DAY` and `!(…)`. What is not understood stays as it is.
pub(super) fn simplify(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        if tokens[at] == Token::ExclamationMark && tokens.get(at + 1) == Some(&Token::LParen) {
            tokens[at] = keyword("not");
        }
        let Some(name) = word(&tokens[at]) else {
            continue;
        };
        if let Some(unit) = name.strip_prefix("sql_tsi_") {
            tokens[at] = keyword(unit);
        }
        let starts = at >= 2 && is(&tokens[at - 2], "interval");
        if let Some((number, unit)) = text(tokens.get(at.wrapping_sub(1)))
            .filter(|_| starts)
            .and_then(|text| composite(text, &name))
        {
            tokens[at - 1] = Token::SingleQuotedString(number.to_string());
            tokens[at] = keyword(unit);
        }
    }
}

fn keyword(unit: &str) -> Token {
    Token::make_keyword(&unit.to_uppercase())
}

fn text(token: Option<&Token>) -> Option<&str> {
    match token? {
        Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => Some(text),
        Token::Number(number, _) => Some(number),
        _ => None,
    }
}

/// Reads `'30 12'` `DAY_HOUR` as a number of one unit. Of too few numbers the first ones are missing.
fn composite(text: &str, unit: &str) -> Option<(i64, &'static str)> {
    /// Fields with their length in the smallest.
    const MONTHS: [(&str, i64); 2] = [("year", 12), ("month", 1)];
    const SECONDS: [(&str, i64); 4] = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
    let (first, last) = unit.split_once('_')?;
    let of = |fields: &'static [(&'static str, i64)]| {
        let place = |name: &str| fields.iter().position(|(field, _)| *field == name);
        fields.get(place(first)?..=place(last)?)
    };
    let (fields, unit) = of(&MONTHS)
        .map(|fields| (fields, "month"))
        .or_else(|| of(&SECONDS).map(|fields| (fields, "second")))?;
    let (negative, digits) = match text.trim().strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.trim()),
    };
    let parts: Vec<&str> = digits
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect();
    let fields = fields.get(fields.len().checked_sub(parts.len())?..)?;
    let mut total = 0_i64;
    for (part, (_, length)) in parts.iter().zip(fields) {
        total = total.checked_add(part.parse::<i64>().ok()?.checked_mul(*length)?)?;
    }
    Some((if negative { -total } else { total }, unit))
}
