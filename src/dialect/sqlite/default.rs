//! What a default expression of SQLite means.

use super::affinity::Affinity;
use super::expression;
use super::token::{Kind, Token, tokenize};
use crate::dialect::{Departure, around};
use crate::schema::{Clock, DataType, DefaultExpr, Literal, NativeType, TimeForm};

/// Brings a default to normal form; nothing for NULL.
pub(super) fn normalize(sql: &str, ty: &NativeType) -> Option<DefaultExpr> {
    let Ok(tokens) = tokenize(sql) else {
        return Some(DefaultExpr::Expression(expression::normalize(sql)));
    };
    let tokens = inner(&tokens);
    if let [only] = tokens
        && only.is("null")
    {
        return None;
    }
    let known = constant(tokens)
        .map(|literal| DefaultExpr::Literal(canonical(literal, ty)))
        .or_else(|| present_time(tokens, &ty.data))
        .or_else(|| is_fresh_uuid(tokens).then_some(DefaultExpr::FreshUuid));
    Some(known.unwrap_or_else(|| DefaultExpr::Expression(expression::normalize(sql))))
}

/// Takes away parentheses around the whole.
fn inner<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let layers = around::layers(tokens, |t| t.is_symbol("("), |t| t.is_symbol(")"));
    &tokens[layers..tokens.len() - layers]
}

fn constant(tokens: &[Token<'_>]) -> Option<Literal> {
    match tokens {
        [only] => match only.kind {
            // A word in other quotes that is no column is a text, and a default can read no column.
            Kind::Text | Kind::Quoted => Some(Literal::Text(only.unquoted())),
            Kind::Bytes => Some(Literal::Bytes(only.unquoted().to_ascii_lowercase())),
            Kind::Number => number(only.text, false).map(Literal::Number),
            Kind::Word if only.is("true") => Some(Literal::Boolean(true)),
            Kind::Word if only.is("false") => Some(Literal::Boolean(false)),
            // SQLite takes any other bare name for a text, too.
            Kind::Word if !only.text.to_ascii_lowercase().starts_with("current_") => {
                Some(Literal::Text(only.text.to_owned()))
            }
            Kind::Word | Kind::Parameter | Kind::Symbol => None,
        },
        [sign, digits] if digits.kind == Kind::Number && (sign.is_symbol("-") || sign.is_symbol("+")) => {
            number(digits.text, sign.is_symbol("-")).map(Literal::Number)
        }
        _ => None,
    }
}

/// Writes a number without superfluous zeros: `-1.50` as `-1.5`, `0x10` as `16`.
fn number(digits: &str, negative: bool) -> Option<String> {
    let digits = digits.replace('_', "").to_ascii_lowercase();
    if let Some(hex) = digits.strip_prefix("0x") {
        let value = i128::from(u64::from_str_radix(hex, 16).ok()?.cast_signed());
        return Some(if negative { -value } else { value }.to_string());
    }
    let (mantissa, exponent) = match digits.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits.as_str(), 0),
    };
    // Beyond this no column of a service has its default; the digits would only fill the memory.
    if exponent.unsigned_abs() > 40 || mantissa.len() > 400 {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let all = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let (whole, fraction) = if point <= 0 {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        (String::new(), format!("{zeros}{all}"))
    } else {
        let point = point as usize;
        let padded = format!("{all:0<point$}");
        (padded[..point].to_owned(), padded[point..].to_owned())
    };
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let sign = if negative && !(whole.is_empty() && fraction.is_empty()) {
        "-"
    } else {
        ""
    };
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}"))
}

/// Brings a constant to the form in which a column of the given type holds it.
pub(super) fn canonical(literal: Literal, ty: &NativeType) -> Literal {
    match (&ty.data, literal) {
        (DataType::Boolean, literal) => truth(literal),
        (DataType::Uuid, Literal::Text(text)) => uuid(&text).map_or(Literal::Text(text), Literal::Uuid),
        (DataType::Uuid, Literal::Bytes(hex)) => uuid(&hex).map_or(Literal::Bytes(hex), Literal::Uuid),
        (
            DataType::Timestamp { .. } | DataType::DateTime { .. } | DataType::Date | DataType::Time { .. },
            Literal::Text(text),
        ) => Literal::Time(time(&text)),
        (_, literal) => converted(literal, Affinity::of(ty)),
    }
}

/// Does what storing a value in a column of this affinity does.
fn converted(literal: Literal, affinity: Affinity) -> Literal {
    match (affinity, literal) {
        (Affinity::Text, Literal::Number(digits)) => Literal::Text(digits),
        (Affinity::Text, Literal::Boolean(truth)) => Literal::Text(u8::from(truth).to_string()),
        (_, Literal::Boolean(truth)) => Literal::Number(u8::from(truth).to_string()),
        (Affinity::Integer | Affinity::Real | Affinity::Numeric, Literal::Text(text)) => {
            match tokenize(&text).ok().as_deref().and_then(constant) {
                Some(Literal::Number(digits)) => Literal::Number(digits),
                _ => Literal::Text(text),
            }
        }
        (_, Literal::Number(digits)) => {
            let negative = digits.starts_with('-');
            let plain = number(digits.trim_start_matches(['-', '+']), negative);
            Literal::Number(plain.unwrap_or(digits))
        }
        (_, literal) => literal,
    }
}

fn truth(literal: Literal) -> Literal {
    let word = match &literal {
        Literal::Number(word) | Literal::Text(word) => word.to_ascii_lowercase(),
        _ => return literal,
    };
    match word.as_str() {
        "0" | "false" => Literal::Boolean(false),
        "1" | "true" => Literal::Boolean(true),
        _ => literal,
    }
}

fn uuid(text: &str) -> Option<String> {
    uuid::Uuid::try_parse(text)
        .ok()
        .map(|uuid| uuid.hyphenated().to_string())
}

/// Writes a time with a blank between date and time, and without a fraction of zeros.
fn time(text: &str) -> String {
    let text = text.trim();
    let bytes = text.as_bytes();
    let split = bytes.get(10).is_some_and(|b| matches!(b, b'T' | b't')) && text.is_char_boundary(10);
    let text = if split {
        format!("{} {}", &text[..10], &text[11..])
    } else {
        text.to_owned()
    };
    match text.split_once('.') {
        Some((seconds, fraction)) if fraction.bytes().all(|b| b.is_ascii_digit()) => {
            match fraction.trim_end_matches('0') {
                "" => seconds.to_owned(),
                fraction => format!("{seconds}.{fraction}"),
            }
        }
        _ => text,
    }
}

fn now(form: TimeForm) -> DefaultExpr {
    DefaultExpr::Now {
        clock: Clock::Statement,
        form,
    }
}

/// Recognises the present time: `CURRENT_TIMESTAMP`, `datetime('now')`, `strftime('…', 'now')` and the like.
fn present_time(tokens: &[Token<'_>], data: &DataType) -> Option<DefaultExpr> {
    let holds_date = matches!(data, DataType::Date);
    let holds_time = matches!(data, DataType::Time { .. });
    if let [only] = tokens {
        let native = only.is("current_timestamp")
            || (only.is("current_date") && holds_date)
            || (only.is("current_time") && holds_time);
        return match native {
            true => Some(now(TimeForm::Native)),
            false => (only.is("current_date") && !holds_time).then(|| now(TimeForm::Midnight)),
        };
    }
    let [function, open, arguments @ .., close] = tokens else {
        return None;
    };
    if function.kind != Kind::Word || !open.is_symbol("(") || !close.is_symbol(")") {
        return None;
    }
    let arguments: Vec<String> = arguments
        .split(|t| t.is_symbol(","))
        .map(|argument| match argument {
            [] => Some(String::new()),
            [text] if matches!(text.kind, Kind::Text | Kind::Quoted) => Some(text.unquoted()),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_now = |arguments: &[&str]| match arguments {
        [] | [""] => true,
        [first] => first.eq_ignore_ascii_case("now"),
        [first, second] => {
            first.eq_ignore_ascii_case("now")
                && ["subsec", "subsecond"]
                    .iter()
                    .any(|word| second.eq_ignore_ascii_case(word))
        }
        _ => false,
    };
    match function.text.to_ascii_lowercase().as_str() {
        // The neutral spelling, as specs for several databases write it.
        "now" | "current_timestamp" if arguments == [""] => Some(now(TimeForm::Native)),
        "datetime" if is_now(&arguments) => Some(now(TimeForm::Formatted)),
        "unixepoch" if is_now(&arguments) => Some(now(TimeForm::Seconds)),
        "julianday" if is_now(&arguments) => Some(now(TimeForm::Days)),
        "date" if holds_date && is_now(&arguments) => Some(now(TimeForm::Native)),
        "date" if !holds_time && is_now(&arguments) => Some(now(TimeForm::Midnight)),
        "time" if holds_time && is_now(&arguments) => Some(now(TimeForm::Native)),
        "strftime" => {
            let (format, moment) = arguments.split_first()?;
            let form = match *format {
                "%s" => TimeForm::Seconds,
                "%J" => TimeForm::Days,
                "%F" | "%Y-%m-%d" if !holds_date && !holds_time => TimeForm::Midnight,
                _ if tells_the_second(format) => TimeForm::Formatted,
                _ => return None,
            };
            is_now(moment).then(|| now(form))
        }
        _ => None,
    }
}

/// Says how a default that is made of the present time is another time.
pub(super) fn departure(sql: &str) -> Option<Departure> {
    let tokens = tokenize(sql).ok()?;
    let tokens = inner(&tokens);
    if let [only] = tokens {
        return only.is("current_time").then_some(Departure::Part);
    }
    let [function, open, arguments @ .., close] = tokens else {
        return None;
    };
    if !open.is_symbol("(") || !close.is_symbol(")") {
        return None;
    }
    let texts = arguments.split(|t| t.is_symbol(",")).map(|argument| match argument {
        [text] if matches!(text.kind, Kind::Text | Kind::Quoted) => Some(text.unquoted().to_ascii_lowercase()),
        _ => None,
    });
    // Without arguments, it is the present.
    let texts: Vec<String> = match arguments {
        [] => vec!["now".to_owned()],
        _ => texts.collect::<Option<_>>()?,
    };
    let format = arguments
        .first()
        .filter(|_| function.is("strftime"))
        .map(Token::unquoted);
    let moment = &texts[usize::from(format.is_some())..];
    let modifiers = match moment {
        [] => &[][..],
        [first, modifiers @ ..] if first == "now" => modifiers,
        _ => return None,
    };
    let known = ["datetime", "date", "time", "julianday", "unixepoch", "strftime"];
    if !known.iter().any(|name| function.is(name)) {
        return None;
    }
    let is = |zone: &str| modifiers.iter().any(|m| m == zone);
    match (is("localtime"), is("utc")) {
        (true, true) => return None,
        (true, false) | (false, true) => return Some(Departure::Local),
        (false, false) => {}
    }
    let steps: Vec<bool> = modifiers.iter().map(|m| moves(m)).collect::<Option<_>>()?;
    if steps.contains(&true) {
        return Some(Departure::Moved);
    }
    let loses = function.is("time") || format.is_some_and(|format| !tells_the_second(&format));
    loses.then_some(Departure::Part)
}

/// Returns whether a modifier changes the time; nothing for one that is not known.
fn moves(modifier: &str) -> Option<bool> {
    if matches!(modifier, "subsec" | "subsecond" | "auto") {
        return Some(false);
    }
    if modifier.starts_with("start of ") || modifier.starts_with("weekday ") {
        return Some(true);
    }
    let digits = modifier.trim_start_matches(['+', '-']);
    let length = digits.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ':'))?;
    let unit = digits[length..].trim().trim_end_matches('s');
    let known = ["second", "minute", "hour", "day", "month", "year"].contains(&unit);
    (known && length > 0).then(|| digits[..length].contains(|c: char| c.is_ascii_digit() && c != '0'))
}

/// Returns whether a `strftime` format keeps date and time of day, so that the instant is not lost.
fn tells_the_second(format: &str) -> bool {
    let has = |marks: &[&str]| marks.iter().any(|mark| format.contains(mark));
    let date = has(&["%F"]) || (has(&["%Y"]) && (has(&["%j"]) || (has(&["%m"]) && has(&["%d", "%e"]))));
    let time = has(&["%T"]) || ((has(&["%R"]) || (has(&["%H"]) && has(&["%M"]))) && has(&["%S", "%f"]));
    has(&["%s", "%J"]) || (date && time)
}

/// Recognises a fresh UUID: random bytes, their hexadecimal digits, or the well-known chain of pieces and dashes.
fn is_fresh_uuid(tokens: &[Token<'_>]) -> bool {
    const FUNCTIONS: &[&str] = &[
        "lower",
        "upper",
        "hex",
        "randomblob",
        "substr",
        "substring",
        "abs",
        "random",
        "printf",
        "format",
    ];
    if let [function, open, close] = tokens
        && open.is_symbol("(")
        && close.is_symbol(")")
        && ["uuid", "gen_random_uuid"].iter().any(|name| function.is(name))
    {
        return true;
    }
    let harmless = |token: &Token<'_>| match token.kind {
        Kind::Word => FUNCTIONS.iter().any(|name| token.is(name)),
        Kind::Text => token
            .unquoted()
            .chars()
            .all(|c| c.is_ascii_hexdigit() || matches!(c, '-' | '{' | '}')),
        Kind::Number => true,
        Kind::Symbol => matches!(token.text, "(" | ")" | "," | "||" | "%" | "+" | "&"),
        Kind::Quoted | Kind::Bytes | Kind::Parameter => false,
    };
    let random_bytes: u32 = tokens
        .windows(3)
        .filter(|w| w[0].is("randomblob") && w[1].is_symbol("("))
        .filter_map(|w| w[2].text.parse::<u32>().ok())
        .fold(0, u32::saturating_add);
    // The piece with the version's digit is often cut from two bytes more, hence the tolerance.
    (14..=18).contains(&random_bytes) && tokens.iter().all(harmless)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dialect::sqlite::affinity::native;

    fn read(sql: &str, declared: &str) -> Option<DefaultExpr> {
        normalize(sql, &native(declared, false))
    }

    fn text(content: &str) -> Option<DefaultExpr> {
        Some(DefaultExpr::Literal(Literal::Text(content.to_owned())))
    }

    fn digits(content: &str) -> Option<DefaultExpr> {
        Some(DefaultExpr::Literal(Literal::Number(content.to_owned())))
    }

    #[test]
    fn every_spelling_of_a_text_is_that_text() {
        for sql in [
            "'Processed'",
            "\"Processed\"",
            "( 'Processed' )",
            "(( 'Processed'))",
            "Processed",
            "[Processed]",
        ] {
            assert_eq!(read(sql, "TEXT"), text("Processed"), "{sql}");
        }
        assert_eq!(read("'it''s'", "TEXT"), text("it's"));
        assert_eq!(read("''", "varchar(40)"), text(""));
        assert_eq!(read("'NULL'", "TEXT"), text("NULL"));
        assert_ne!(read("'processed'", "TEXT"), text("Processed"));
    }

    #[test]
    fn null_is_no_default() {
        for sql in ["NULL", "null", "(NULL)", " ( null ) "] {
            assert_eq!(read(sql, "INTEGER"), None, "{sql}");
        }
    }

    #[test]
    fn constants_arrive_as_the_column_stores_them() {
        let bool_of = |truth| Some(DefaultExpr::Literal(Literal::Boolean(truth)));
        for (sql, declared, expected) in [
            ("0", "INTEGER", digits("0")),
            ("'0'", "INTEGER", digits("0")),
            ("-1.50", "NUMERIC", digits("-1.5")),
            ("+007", "INTEGER", digits("7")),
            ("0x10", "INTEGER", digits("16")),
            ("1.5e2", "REAL", digits("150")),
            ("25e-1", "REAL", digits("2.5")),
            ("-0", "INTEGER", digits("0")),
            ("0", "TEXT", text("0")),
            ("FALSE", "INTEGER", digits("0")),
            ("TRUE", "BOOLEAN", bool_of(true)),
            ("0", "BOOLEAN", bool_of(false)),
            ("'1'", "bool", bool_of(true)),
            ("'7 days'", "INTEGER", text("7 days")),
            (
                "x'AB'",
                "BLOB",
                Some(DefaultExpr::Literal(Literal::Bytes("ab".to_owned()))),
            ),
            (
                "'0001-01-01T00:00:00.000'",
                "DATETIME",
                Some(DefaultExpr::Literal(Literal::Time("0001-01-01 00:00:00".to_owned()))),
            ),
            ("'0001-01-01 00:00:00'", "TEXT", text("0001-01-01 00:00:00")),
            (
                "'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA'",
                "uuid_text",
                Some(DefaultExpr::Literal(Literal::Uuid(
                    "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa".to_owned(),
                ))),
            ),
            (
                "x'00000000000000000000000000000000'",
                "uuid_blob",
                Some(DefaultExpr::Literal(Literal::Uuid(uuid::Uuid::nil().to_string()))),
            ),
        ] {
            assert_eq!(read(sql, declared), expected, "{sql} in {declared}");
        }
    }

    #[test]
    fn a_constant_of_a_spec_meets_the_same_constant_of_a_database() {
        for (value, sql, declared) in [
            (Literal::Text("Processed".to_owned()), "( 'Processed' )", "TEXT"),
            (Literal::Boolean(false), "0", "INTEGER"),
            (Literal::Boolean(false), "FALSE", "boolean"),
            (Literal::Number("0".to_owned()), "0", "TEXT"),
            (Literal::Number("1.50".to_owned()), "1.5", "NUMERIC"),
        ] {
            let ty = native(declared, false);
            assert_eq!(
                Some(DefaultExpr::Literal(canonical(value, &ty))),
                normalize(sql, &ty),
                "{sql} in {declared}"
            );
        }
    }

    #[test]
    fn the_present_time_is_known_in_every_spelling() {
        for sql in ["CURRENT_TIMESTAMP", "(current_timestamp)", "now()"] {
            assert_eq!(read(sql, "TEXT"), Some(now(TimeForm::Native)), "{sql}");
        }
        for sql in [
            "datetime('now')",
            "(datetime('now'))",
            "datetime()",
            "datetime('NOW', 'subsec')",
            "strftime('%Y-%m-%d %H:%M:%f', 'now')",
            "strftime('%Y-%m-%dT%H:%M:%SZ','now')",
        ] {
            assert_eq!(read(sql, "TEXT"), Some(now(TimeForm::Formatted)), "{sql}");
        }
        for (sql, form) in [
            ("strftime('%s','now')", TimeForm::Seconds),
            ("unixepoch()", TimeForm::Seconds),
            ("julianday('now')", TimeForm::Days),
            ("strftime('%J')", TimeForm::Days),
            ("CURRENT_DATE", TimeForm::Midnight),
            ("date('now')", TimeForm::Midnight),
            ("strftime('%Y-%m-%d', 'now')", TimeForm::Midnight),
        ] {
            assert_eq!(read(sql, "TEXT"), Some(now(form)), "{sql}");
        }
        assert_eq!(read("CURRENT_DATE", "DATE"), Some(now(TimeForm::Native)));
    }

    #[test]
    fn another_time_than_the_present_is_an_expression() {
        for sql in [
            "datetime('now', 'localtime')",
            "datetime('now', '-30 days')",
            "datetime('2026-01-01')",
            "strftime('%H:%M:%S', 'now')",
            "date('now', '-1 day')",
        ] {
            assert!(matches!(read(sql, "TEXT"), Some(DefaultExpr::Expression(_))), "{sql}");
        }
    }

    #[test]
    fn a_time_that_is_made_of_the_present_one_is_told_from_it() {
        for (sql, expected) in [
            ("datetime('now', 'localtime')", Some(Departure::Local)),
            ("datetime('now','utc')", Some(Departure::Local)),
            ("(datetime('now', '+1 day'))", Some(Departure::Moved)),
            ("date('now', '-30 days')", Some(Departure::Moved)),
            ("datetime('now', 'start of month')", Some(Departure::Moved)),
            ("strftime('%s', 'now', '+1.5 hours')", Some(Departure::Moved)),
            ("time('now')", Some(Departure::Part)),
            ("time()", Some(Departure::Part)),
            ("CURRENT_TIME", Some(Departure::Part)),
            ("strftime('%H:%M', 'now')", Some(Departure::Part)),
            ("datetime('now')", None),
            ("datetime('now', '+0 days')", None),
            ("datetime('now', 'localtime', 'utc')", None),
            ("datetime('now', 'ceiling')", None),
            ("datetime('2026-01-01', '+1 day')", None),
            ("my_clock('now')", None),
            ("'now'", None),
        ] {
            assert_eq!(departure(sql), expected, "{sql}");
        }
    }

    #[test]
    fn random_bytes_in_the_shape_of_a_uuid_are_a_fresh_one() {
        for sql in [
            "lower(hex(randomblob(16)))",
            "(randomblob(16))",
            "(lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4' || \
             substr(lower(hex(randomblob(2))),2) || '-' || substr('89ab',abs(random()) % 4 + 1, 1) || \
             substr(lower(hex(randomblob(2))),2) || '-' || lower(hex(randomblob(6))))",
            "uuid()",
        ] {
            assert_eq!(read(sql, "TEXT"), Some(DefaultExpr::FreshUuid), "{sql}");
        }
        assert!(matches!(
            read("hex(randomblob(2))", "TEXT"),
            Some(DefaultExpr::Expression(_))
        ));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), declared in "(TEXT|INTEGER|BOOLEAN|DATETIME|uuid_text|)") {
            let _ = read(&text, &declared);
            let _ = canonical(Literal::Text(text.clone()), &native(&declared, false));
            let _ = canonical(Literal::Number(text), &native(&declared, false));
        }

        #[test]
        fn numbers_keep_their_value(value in -1e9_f64..1e9) {
            let Some(DefaultExpr::Literal(Literal::Number(out))) = read(&format!("{value:?}"), "REAL") else {
                return Err(TestCaseError::fail("no number"));
            };
            prop_assert_eq!(out.parse::<f64>().unwrap(), value);
        }
    }
}
