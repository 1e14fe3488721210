//! What a default means: MariaDB's spelling, MySQL's as the catalog hands it over, and people's.

use crate::schema::{Clock, DataType, DefaultExpr, Literal, NativeType, TimeForm};

use super::token::{Token, tokens};
use super::{expression, number};
use crate::dialect::{Departure, around};

/// Reads a default. Nothing for `NULL`, which is no default.
pub(super) fn default_expr(sql: &str, ty: &NativeType) -> Option<DefaultExpr> {
    let words = tokens(sql);
    let words = bare(&words);
    if let [word] = words
        && word.is_word("null")
    {
        return None;
    }
    if let Some(raw) = constant(words) {
        return Some(DefaultExpr::Literal(raw.of_type(ty)));
    }
    Some(call(words, ty).unwrap_or_else(|| DefaultExpr::Expression(expression::canonical(sql))))
}

/// Brings a constant of a spec to the form of a column's type.
pub(super) fn literal(value: &Literal, ty: &NativeType) -> Literal {
    match value {
        Literal::Text(text) | Literal::Uuid(text) | Literal::Time(text) => Raw::Text(text.clone()).of_type(ty),
        Literal::Number(digits) => Raw::Number(digits.clone()).of_type(ty),
        Literal::Boolean(truth) => Raw::Truth(*truth).of_type(ty),
        Literal::Bytes(hex) => Raw::Hex(hex.clone()).of_type(ty),
    }
}

/// Takes off parentheses around the whole.
fn bare(words: &[Token]) -> &[Token] {
    let layers = pairs_around(words);
    &words[layers..words.len() - layers]
}

fn pairs_around(words: &[Token]) -> usize {
    around::layers(words, |word| word.is("("), |word| word.is(")"))
}

/// A constant as written.
enum Raw {
    Text(String),
    Number(String),
    Truth(bool),
    Bits(String),
    Hex(String),
}

fn constant(words: &[Token]) -> Option<Raw> {
    match words {
        [Token::Text(text)] => Some(Raw::Text(text.clone())),
        [Token::Number(digits)] => Some(Raw::Number(digits.clone())),
        [Token::Symbol(sign @ ("-" | "+")), Token::Number(digits)] => Some(Raw::Number(format!("{sign}{digits}"))),
        [Token::Bits(bits)] => Some(Raw::Bits(bits.clone())),
        [Token::Hex(hex)] => Some(Raw::Hex(hex.clone())),
        [word] if word.is_word("true") || word.is_word("false") => Some(Raw::Truth(word.is_word("true"))),
        [kind, Token::Text(text)] if ["date", "time", "timestamp"].iter().any(|k| kind.is_word(k)) => {
            Some(Raw::Text(text.clone()))
        }
        _ => None,
    }
}

impl Raw {
    /// Brings the constant to the form of a type. What does not fit the type stays what it is.
    fn of_type(&self, ty: &NativeType) -> Literal {
        match &ty.data {
            DataType::Uuid | DataType::Char(36) | DataType::Varchar(Some(36)) => self.uuid(),
            DataType::Binary(16) => match self.uuid() {
                Literal::Uuid(text) => Literal::Bytes(text.replace('-', "")),
                _ => self.bytes(),
            },
            DataType::Binary(_) | DataType::Varbinary(_) | DataType::Bytes => self.bytes(),
            DataType::Boolean
            | DataType::TinyInt
            | DataType::SmallInt
            | DataType::MediumInt
            | DataType::Integer
            | DataType::BigInt
            | DataType::Numeric { .. }
            | DataType::Real
            | DataType::Double
            | DataType::Bit(_) => self.number(),
            DataType::Date => {
                let time = time(&self.text());
                // A constant that is no date keeps all of its text.
                let date = time.strip_suffix(" 00:00:00").unwrap_or(&time);
                Literal::Time(date.to_owned())
            }
            DataType::DateTime { .. } | DataType::Timestamp { .. } => Literal::Time(time(&self.text())),
            DataType::Time { .. } => Literal::Time(fraction(&self.text())),
            DataType::Json | DataType::Jsonb => Literal::Text(json(&self.text())),
            // A CHAR loses its trailing blanks when it is read.
            DataType::Char(_) => Literal::Text(self.text().trim_end_matches(' ').to_owned()),
            _ => Literal::Text(self.text()),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(digits) => number::canonical(digits).unwrap_or_else(|| digits.clone()),
            Self::Truth(truth) => u8::from(*truth).to_string(),
            Self::Bits(_) | Self::Hex(_) => String::from_utf8_lossy(&self.raw_bytes()).into_owned(),
        }
    }

    fn number(&self) -> Literal {
        let digits = match self {
            Self::Bits(bits) if bits.is_empty() => Some("0".to_owned()),
            Self::Bits(bits) => u128::from_str_radix(bits, 2).ok().map(|n| n.to_string()),
            Self::Hex(hex) => u128::from_str_radix(hex, 16).ok().map(|n| n.to_string()),
            Self::Text(text) if text.eq_ignore_ascii_case("true") => Some("1".to_owned()),
            Self::Text(text) if text.eq_ignore_ascii_case("false") => Some("0".to_owned()),
            _ => number::canonical(&self.text()),
        };
        digits.map_or_else(|| Literal::Text(self.text()), Literal::Number)
    }

    /// A GUID in text form; only the form with dashes is one, since the others are other values of the column.
    fn uuid(&self) -> Literal {
        let text = self.text();
        match uuid::Uuid::try_parse(&text) {
            Ok(uuid) if text.len() == 36 => Literal::Uuid(uuid.hyphenated().to_string()),
            _ => Literal::Text(text),
        }
    }

    fn bytes(&self) -> Literal {
        let bytes = self.raw_bytes();
        Literal::Bytes(bytes.iter().map(|b| format!("{b:02x}")).collect())
    }

    fn raw_bytes(&self) -> Vec<u8> {
        let (digits, radix, per_byte) = match self {
            Self::Bits(bits) => (bits, 2, 8),
            Self::Hex(hex) => (hex, 16, 2),
            _ => return self.text().into_bytes(),
        };
        let width = digits.len().next_multiple_of(per_byte);
        let padded = format!("{digits:0>width$}");
        (0..width)
            .step_by(per_byte)
            .filter_map(|at| u8::from_str_radix(padded.get(at..at + per_byte)?, radix).ok())
            .collect()
    }
}

/// Brings a date or time to `YYYY-MM-DD hh:mm:ss` with a fraction only where it is not zero. Text that is none
/// stays as it is.
fn time(text: &str) -> String {
    let text = text.trim();
    if text == "0" {
        return "0000-00-00 00:00:00".to_owned();
    }
    let (date, clock) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    let parts: Vec<&str> = date.split('-').collect();
    let is_date = parts.len() == 3
        && parts
            .iter()
            .all(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_digit()));
    if !is_date {
        return text.to_owned();
    }
    format!("{:0>4}-{:0>2}-{:0>2} {}", parts[0], parts[1], parts[2], fraction(clock))
}

/// Removes the zeros at the end of a fraction of seconds.
fn fraction(clock: &str) -> String {
    match clock.split_once('.') {
        Some((seconds, digits)) if digits.chars().all(|c| c.is_ascii_digit()) => match digits.trim_end_matches('0') {
            "" => seconds.to_owned(),
            digits => format!("{seconds}.{digits}"),
        },
        _ => clock.to_owned(),
    }
}

fn json(text: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).map_or_else(|_| text.to_owned(), |value| value.to_string())
}

/// Reads the functions that mean the present time, a new identifier or the next number.
fn call(words: &[Token], ty: &NativeType) -> Option<DefaultExpr> {
    let [Token::Word(name), rest @ ..] = words else {
        return None;
    };
    let name = name.to_ascii_lowercase();
    let argument = match rest {
        [] => None,
        [_, inner @ .., _] if pairs_around(rest) > 0 => Some(inner),
        _ => return next_value(words),
    };
    let is_plain = matches!(argument, None | Some([] | [Token::Number(_)]));
    let now = |clock, form| Some(DefaultExpr::Now { clock, form });
    match name.as_str() {
        "current_timestamp" | "localtime" | "localtimestamp" if is_plain => now(Clock::Statement, TimeForm::Native),
        "now" if is_plain && argument.is_some() => now(Clock::Statement, TimeForm::Native),
        "sysdate" if is_plain && argument.is_some() => now(Clock::Wall, TimeForm::Native),
        "current_date" if matches!(argument, None | Some([])) => now(Clock::Statement, day(ty)?),
        "curdate" if argument == Some(&[]) => now(Clock::Statement, day(ty)?),
        // A TIMESTAMP takes what it is given for a time of the session's zone, so UTC arrives shifted. In a
        // DATETIME, UTC is stored as such, whereas now() stores the session's local time: the two agree only
        // where every session runs in UTC, so `utc_timestamp()` stays an expression of its own there.
        "utc_timestamp" if is_plain && matches!(ty.data, DataType::Timestamp { .. }) => {
            now(Clock::Statement, TimeForm::ShiftedUtc)
        }
        "uuid" | "uuid_v4" | "uuid_v7" | "sys_guid" if argument == Some(&[]) => Some(DefaultExpr::FreshUuid),
        "uuid_to_bin" => match argument? {
            [inner, open, close, ..] if inner.is_word("uuid") && open.is("(") && close.is(")") => {
                Some(DefaultExpr::FreshUuid)
            }
            _ => None,
        },
        "nextval" => sequence(argument?),
        _ => None,
    }
}

/// Says how a default that is made of the present time is another time. The expression is canonical.
pub(super) fn departure(sql: &str) -> Option<Departure> {
    let words = tokens(sql);
    let [Token::Word(function), open, rest @ ..] = bare(&words) else {
        return None;
    };
    if !open.is("(") {
        return None;
    }
    let is_clock = |name: &str| matches!(name, "now" | "sysdate" | "utc_timestamp");
    let moves = |words: &[Token]| {
        let amount = words.iter().find_map(|word| match word {
            Token::Number(digits) | Token::Text(digits) => Some(digits.contains(|c: char| matches!(c, '1'..='9'))),
            _ => None,
        });
        words.iter().any(|word| word.is_word("interval")) && amount == Some(true)
    };
    let reads_clock = matches!(rest, [Token::Word(inner), open, ..] if is_clock(inner) && open.is("("));
    let close = rest.iter().position(|word| word.is(")"))?;
    let behind = &rest[close + 1..];
    match function.to_ascii_lowercase().as_str() {
        name if is_clock(name) && behind.first().is_some_and(|sign| sign.is("+") || sign.is("-")) => {
            moves(behind).then_some(Departure::Moved)
        }
        "date_add" | "date_sub" | "adddate" | "subdate" if reads_clock => moves(behind).then_some(Departure::Moved),
        "date" | "utc_date" | "last_day" if reads_clock || rest.len() == 1 => Some(Departure::Part),
        "cast" if reads_clock && behind.iter().any(|word| word.is_word("date")) => Some(Departure::Part),
        _ => None,
    }
}

/// The form in which the present day reaches a column of a type.
fn day(ty: &NativeType) -> Option<TimeForm> {
    match ty.data {
        DataType::Date => Some(TimeForm::Native),
        DataType::DateTime { .. } | DataType::Timestamp { .. } => Some(TimeForm::Midnight),
        _ => None,
    }
}

/// Reads `NEXT VALUE FOR sequence` (MariaDB).
fn next_value(words: &[Token]) -> Option<DefaultExpr> {
    match words {
        [next, value, of, name @ ..] if next.is_word("next") && value.is_word("value") && of.is_word("for") => {
            sequence(name)
        }
        _ => None,
    }
}

fn sequence(words: &[Token]) -> Option<DefaultExpr> {
    let name = match words {
        [name] => name.name()?.to_owned(),
        [namespace, dot, name] if dot.is(".") => format!("{}.{}", namespace.name()?, name.name()?),
        _ => return None,
    };
    Some(DefaultExpr::NextValue(name))
}

#[cfg(test)]
mod tests {
    use super::super::types::parse_type;
    use super::*;
    use proptest::prelude::*;

    fn read(sql: &str, ty: &str) -> Option<DefaultExpr> {
        default_expr(sql, &parse_type(ty))
    }

    fn constant(literal: Literal) -> Option<DefaultExpr> {
        Some(DefaultExpr::Literal(literal))
    }

    fn text(t: &str) -> Option<DefaultExpr> {
        constant(Literal::Text(t.to_owned()))
    }

    fn number(t: &str) -> Option<DefaultExpr> {
        constant(Literal::Number(t.to_owned()))
    }

    fn at(t: &str) -> Option<DefaultExpr> {
        constant(Literal::Time(t.to_owned()))
    }

    #[test]
    fn null_is_no_default() {
        assert_eq!(read("NULL", "varchar(5)"), None);
        assert_eq!(read("(null)", "varchar(5)"), None);
        assert_eq!(read("'NULL'", "varchar(5)"), text("NULL"));
    }

    #[test]
    fn text_is_unquoted_and_keeps_its_letter_case() {
        assert_eq!(read("'Processed'", "varchar(40)"), text("Processed"));
        assert_eq!(read("_utf8mb4'Processed'", "varchar(40)"), text("Processed"));
        assert_ne!(read("'Processed'", "varchar(40)"), read("'processed'", "varchar(40)"));
        assert_eq!(read(r"'it\'s'", "varchar(40)"), text("it's"));
        assert_eq!(read("'it''s'", "varchar(40)"), text("it's"));
        assert_eq!(read(r"'a\\b'", "varchar(40)"), text(r"a\b"));
        assert_eq!(read("''", "varchar(5)"), text(""));
        assert_eq!(read("5", "varchar(5)"), text("5"));
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for sql in ["0", "'0'", "(0)", "-0", "'00'", "0.0"] {
            assert_eq!(read(sql, "int(11)"), number("0"), "{sql}");
        }
        assert_eq!(read("-0.50", "decimal(10,2)"), number("-0.5"));
        assert_eq!(read("1.5", "double"), number("1.5"));
    }

    #[test]
    fn truth_values_are_numbers() {
        for sql in ["0", "'0'", "false", "FALSE", "b'0'", "0x00"] {
            assert_eq!(read(sql, "tinyint(1)"), number("0"), "{sql}");
        }
        assert_eq!(read("b'1'", "bit(1)"), number("1"));
        for ty in ["tinyint(1)", "tinyint(4)", "bit(1)"] {
            assert_eq!(
                literal(&Literal::Boolean(true), &parse_type(ty)),
                Literal::Number("1".to_owned()),
                "{ty}"
            );
        }
        assert_eq!(read("b'101'", "bit(3)"), number("5"));
    }

    #[test]
    fn all_words_for_the_present_are_one() {
        let now = Some(DefaultExpr::Now {
            clock: Clock::Statement,
            form: TimeForm::Native,
        });
        for sql in [
            "current_timestamp(6)",
            "CURRENT_TIMESTAMP",
            "current_timestamp()",
            "NOW(6)",
            "now()",
            "(now())",
            "LOCALTIME",
            "localtimestamp(6)",
        ] {
            assert_eq!(read(sql, "datetime(6)"), now, "{sql}");
        }
        assert_eq!(
            read("sysdate(6)", "datetime(6)"),
            Some(DefaultExpr::Now {
                clock: Clock::Wall,
                form: TimeForm::Native
            })
        );
        assert_eq!(read("curdate()", "date"), now);
        for sql in ["curdate()", "CURRENT_DATE", "(current_date())"] {
            let midnight = Some(DefaultExpr::Now {
                clock: Clock::Statement,
                form: TimeForm::Midnight,
            });
            assert_eq!(read(sql, "datetime(6)"), midnight, "{sql}");
        }
    }

    #[test]
    fn utc_is_shifted_in_a_timestamp_and_an_expression_of_its_own_in_a_datetime() {
        assert_eq!(
            read("utc_timestamp(6)", "timestamp(6)"),
            Some(DefaultExpr::Now {
                clock: Clock::Statement,
                form: TimeForm::ShiftedUtc
            })
        );
        assert_eq!(
            read("(UTC_TIMESTAMP(6))", "datetime(6)"),
            Some(DefaultExpr::Expression("utc_timestamp(6)".to_owned()))
        );
    }

    #[test]
    fn a_time_that_is_made_of_the_present_one_is_told_from_it() {
        for (sql, expected) in [
            ("current_timestamp(6) + interval 1 day", Some(Departure::Moved)),
            ("(now() - INTERVAL '2' HOUR)", Some(Departure::Moved)),
            ("date_add(utc_timestamp(), interval 30 day)", Some(Departure::Moved)),
            ("utc_date()", Some(Departure::Part)),
            ("date(current_timestamp())", Some(Departure::Part)),
            ("cast(current_timestamp() as date)", Some(Departure::Part)),
            ("current_timestamp() + interval 0 day", None),
            ("utc_timestamp(6)", None),
            ("curtime()", None),
            ("date_add(`a`, interval 1 day)", None),
        ] {
            assert_eq!(departure(&expression::canonical(sql)), expected, "{sql}");
        }
    }

    #[test]
    fn dates_are_times_with_or_without_a_clock() {
        assert_eq!(
            read("'0000-00-00 00:00:00.000000'", "datetime(6)"),
            at("0000-00-00 00:00:00")
        );
        assert_eq!(
            read("'0001-01-01 00:00:00.000000'", "datetime(6)"),
            at("0001-01-01 00:00:00")
        );
        assert_eq!(read("'2026-01-01'", "datetime(6)"), at("2026-01-01 00:00:00"));
        assert_eq!(
            read("TIMESTAMP'2026-1-1 10:00:00.50'", "datetime(6)"),
            at("2026-01-01 10:00:00.5")
        );
        assert_eq!(read("'2026-01-01'", "date"), at("2026-01-01"));
        assert_eq!(read("0", "timestamp"), at("0000-00-00 00:00:00"));
    }

    #[test]
    fn text_that_is_no_date_keeps_all_of_its_words() {
        assert_eq!(read("'0 a'", "date"), at("0 a"));
        assert_eq!(read("'soon 00:00:01'", "date"), at("soon 00:00:01"));
    }

    #[test]
    fn identifiers_are_compared_without_letter_case() {
        let zero = "00000000-0000-0000-0000-000000000000";
        assert_eq!(
            read(&format!("'{zero}'"), "char(36)"),
            constant(Literal::Uuid(zero.to_owned()))
        );
        assert_eq!(
            read("'AAAAAAAA-0000-0000-0000-000000000000'", "uuid"),
            read("'aaaaaaaa-0000-0000-0000-000000000000'", "uuid")
        );
        assert_eq!(
            read("0x00000000000000000000000000000000", "binary(16)"),
            Some(DefaultExpr::Literal(literal(
                &Literal::Text(zero.to_owned()),
                &parse_type("binary(16)")
            )))
        );
        for sql in [
            "uuid()",
            "(UUID())",
            "uuid_to_bin(uuid())",
            "(uuid_to_bin(uuid(),1))",
            "uuid_v7()",
        ] {
            assert_eq!(read(sql, "char(36)"), Some(DefaultExpr::FreshUuid), "{sql}");
        }
    }

    #[test]
    fn the_next_number_of_a_sequence_is_known() {
        let wanted = Some(DefaultExpr::NextValue("ledger.s".to_owned()));
        assert_eq!(read("nextval(`ledger`.`s`)", "bigint(20)"), wanted);
        assert_eq!(read("NEXT VALUE FOR ledger.s", "bigint(20)"), wanted);
    }

    #[test]
    fn other_expressions_have_one_spelling() {
        let wanted = Some(DefaultExpr::Expression("1 + 1".to_owned()));
        assert_eq!(read("(1 + 1)", "int(11)"), wanted);
        assert_eq!(read("((1)+1)", "int(11)"), wanted);
        assert_eq!(
            read("concat('a','b')", "varchar(20)"),
            read("CONCAT( 'a', 'b' )", "varchar(20)")
        );
        assert_ne!(read("(1) + (1)", "int(11)"), read("1", "int(11)"));
    }

    proptest! {
        #[test]
        fn any_default_is_read_without_panic(
            sql in "\\PC{0,40}",
            ty in prop::sample::select(vec!["int", "bit(1)", "char(36)", "binary(16)", "datetime(6)", "date", "json", "time(3)", "varchar(5)"]),
        ) {
            read(&sql, ty);
        }

        #[test]
        fn a_constant_in_normal_form_is_its_own_normal_form(
            text in "[0-9a-f' :.-]{0,20}",
            ty in prop::sample::select(vec!["int", "char(36)", "datetime(6)", "date", "varchar(5)", "decimal(5,2)"]),
        ) {
            let ty = parse_type(ty);
            let once = literal(&Literal::Text(text), &ty);
            prop_assert_eq!(literal(&once, &ty), once);
        }
    }
}
