//! Defaults that a spec does not ask for: what each of them does to a row that leaves the column out.
//!
//! The commonest ones are leftovers. EF Core adds a required column with the CLR's default value, so that rows
//! which are there already get one, and never takes that default away again.

use crate::finding::Severity;
use crate::schema::{DataType, DefaultExpr, Literal};

/// The column that a default is on, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The type that the spec wants before any choice of storage, if it speaks of one.
    pub(super) wanted: Option<&'a DataType>,
    /// Whether the column identifies an event in a ledger.
    pub(super) event_id: bool,
    /// Whether it holds the time that retention goes by.
    pub(super) recorded_at: bool,
    /// Whether a row that leaves the column out would store NULL if it were not for the default.
    pub(super) nullable: bool,
    /// Whether the default is an expression that gives another value each time.
    pub(super) fresh: bool,
}

/// What an unexpected default costs and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) severity: Severity,
    pub(super) impact: &'static str,
    /// Whether EF Core is the likely origin.
    pub(super) leftover: bool,
}

const NIL: &str = "00000000-0000-0000-0000-000000000000";

const NEVER_A_DUPLICATE: &str =
    "An event without identity gets a fresh one with each delivery, so its redelivery is never taken for a duplicate.";

/// Judges a default that the spec does not have.
pub(super) fn judge(default: &DefaultExpr, place: Place<'_>) -> Cost {
    match default {
        DefaultExpr::Literal(literal) => constant(&read_as_wanted(literal, place.wanted), place),
        DefaultExpr::FreshUuid | DefaultExpr::NextValue(_) | DefaultExpr::Now { .. } if place.event_id => {
            fixed(Severity::Critical, NEVER_A_DUPLICATE)
        }
        DefaultExpr::Expression(_) if place.event_id && place.fresh => fixed(Severity::Critical, NEVER_A_DUPLICATE),
        DefaultExpr::FreshUuid if place.nullable => fixed(
            Severity::Warning,
            "A row without a value gets a fresh identifier instead of NULL, and is taken for one that has it.",
        ),
        DefaultExpr::FreshUuid => fixed(
            Severity::Info,
            "An insert that leaves the column out succeeds with a fresh identifier; one that gives it is not affected.",
        ),
        DefaultExpr::Now { .. } => fixed(
            Severity::Warning,
            "An insert that forgets the time succeeds with the server's, which is not when the service handled the event.",
        ),
        DefaultExpr::NextValue(_) => fixed(
            Severity::Warning,
            "An insert that forgets the column succeeds with an invented number, and uses up a value of the sequence.",
        ),
        DefaultExpr::Expression(_) if place.event_id => fixed(
            Severity::Error,
            "An event without identity gets a computed one. If that differs between deliveries, its redelivery is not taken \
             for a duplicate; if it does not, other events are taken for duplicates of it.",
        ),
        DefaultExpr::Expression(_) => fixed(
            Severity::Warning,
            "An insert that forgets the column succeeds with a value that the service did not choose.",
        ),
    }
}

fn fixed(severity: Severity, impact: &'static str) -> Cost {
    Cost {
        severity,
        impact,
        leftover: false,
    }
}

fn constant(literal: &Literal, place: Place<'_>) -> Cost {
    let origin = Origin::of(literal, place.wanted);
    // EF Core gives a default to the columns that need one.
    let leftover = origin != Origin::Chosen && !place.nullable;
    if place.event_id {
        return Cost {
            severity: Severity::Error,
            impact: "One event without identity is stored under this value; every later one is refused as its duplicate.",
            leftover,
        };
    }
    let (severity, impact) = match origin {
        Origin::Zero | Origin::Empty | Origin::Nil if place.nullable => (
            Severity::Warning,
            "A row without a value gets this one instead of NULL, and is taken for one that has it.",
        ),
        Origin::BeginningOfTime if place.nullable && !place.recorded_at => (
            Severity::Warning,
            "A row without a time gets the beginning of time instead of NULL.",
        ),
        Origin::Zero => (
            Severity::Info,
            "An insert that leaves the column out stores this value instead of failing.",
        ),
        Origin::Empty => (
            Severity::Warning,
            "An insert that forgets the value succeeds with an empty one instead of failing.",
        ),
        Origin::Nil => (
            Severity::Warning,
            "An insert that forgets the identifier succeeds with the all-zero one instead of failing.",
        ),
        Origin::BeginningOfTime if place.recorded_at => (
            Severity::Warning,
            "A row that gets this time is older than any retention horizon: its event is forgotten with the next trimming, \
             and a redelivery is handled again.",
        ),
        Origin::BeginningOfTime => (
            Severity::Warning,
            "An insert that forgets the time succeeds with the beginning of time instead of failing.",
        ),
        Origin::ZeroDate => (
            Severity::Error,
            "A row that gets the zero date cannot be read by clients that have no such date, and is older than any \
             retention horizon.",
        ),
        Origin::Chosen => (
            Severity::Error,
            "An insert that forgets the column succeeds with a constant that means something else than absent.",
        ),
    };
    Cost {
        severity,
        impact,
        leftover: leftover && origin != Origin::ZeroDate,
    }
}

/// Where a constant default is likely to come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The zero of a number type, or false.
    Zero,
    /// Empty text, bytes or JSON.
    Empty,
    /// The all-zero UUID.
    Nil,
    /// The smallest time of .NET or of the server.
    BeginningOfTime,
    /// MySQL's date that is none.
    ZeroDate,
    /// Somebody wrote it.
    Chosen,
}

impl Origin {
    fn of(literal: &Literal, wanted: Option<&DataType>) -> Self {
        match literal {
            Literal::Text(text) if text.is_empty() => Self::Empty,
            Literal::Text(text) if is_json(wanted) && matches!(text.trim(), "{}" | "[]" | "null" | "\"\"") => {
                Self::Empty
            }
            Literal::Number(number) if number == "0" => Self::Zero,
            Literal::Boolean(false) => Self::Zero,
            Literal::Bytes(hex) if hex.is_empty() => Self::Empty,
            Literal::Bytes(hex) if hex.bytes().all(|digit| digit == b'0') => Self::Zero,
            Literal::Uuid(uuid) if uuid == NIL => Self::Nil,
            Literal::Time(time) if time.starts_with("0000-00-00") => Self::ZeroDate,
            Literal::Time(time) if time == "-infinity" || time.starts_with("0001-01-01") => Self::BeginningOfTime,
            Literal::Text(_)
            | Literal::Number(_)
            | Literal::Boolean(_)
            | Literal::Bytes(_)
            | Literal::Uuid(_)
            | Literal::Time(_) => Self::Chosen,
        }
    }
}

fn is_json(wanted: Option<&DataType>) -> bool {
    matches!(wanted, Some(DataType::Json | DataType::Jsonb))
}

/// Reads a constant as the type that the spec wants, where the database stores that type as text or bytes.
fn read_as_wanted(literal: &Literal, wanted: Option<&DataType>) -> Literal {
    let read = match (wanted, literal) {
        (Some(DataType::Uuid), Literal::Text(text)) => uuid::Uuid::try_parse(text)
            .ok()
            .map(|uuid| Literal::Uuid(uuid.to_string())),
        (Some(DataType::Uuid), Literal::Bytes(hex)) if hex.len() == 32 => uuid::Uuid::try_parse(hex)
            .ok()
            .map(|uuid| Literal::Uuid(uuid.to_string())),
        (Some(DataType::Timestamp { .. } | DataType::DateTime { .. } | DataType::Date), Literal::Text(text))
            if looks_like_a_date(text) =>
        {
            Some(Literal::Time(text.clone()))
        }
        _ => None,
    };
    read.unwrap_or_else(|| literal.clone())
}

fn looks_like_a_date(text: &str) -> bool {
    let date = text.as_bytes().get(..10);
    date.is_some_and(|date| {
        date.iter().enumerate().all(|(at, byte)| {
            if matches!(at, 4 | 7) {
                *byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Clock, TimeForm};

    const TIME: DataType = DataType::Timestamp {
        precision: None,
        zoned: true,
    };

    fn place(wanted: Option<&DataType>) -> Place<'_> {
        Place {
            wanted,
            event_id: false,
            recorded_at: false,
            nullable: false,
            fresh: false,
        }
    }

    fn text(text: &str) -> DefaultExpr {
        DefaultExpr::Literal(Literal::Text(text.to_owned()))
    }

    #[test]
    fn constants_cost_by_what_they_stand_for() {
        let number = |n: &str| DefaultExpr::Literal(Literal::Number(n.to_owned()));
        let time = |t: &str| DefaultExpr::Literal(Literal::Time(t.to_owned()));
        for (default, wanted, severity, leftover) in [
            (number("0"), DataType::Integer, Severity::Info, true),
            (number("7"), DataType::Integer, Severity::Error, false),
            (
                DefaultExpr::Literal(Literal::Boolean(false)),
                DataType::Boolean,
                Severity::Info,
                true,
            ),
            (
                DefaultExpr::Literal(Literal::Boolean(true)),
                DataType::Boolean,
                Severity::Error,
                false,
            ),
            (text(""), DataType::Text, Severity::Warning, true),
            (text("NULL"), DataType::Text, Severity::Error, false),
            (text("{}"), DataType::Jsonb, Severity::Warning, true),
            (text("{}"), DataType::Text, Severity::Error, false),
            (text(NIL), DataType::Uuid, Severity::Warning, true),
            (
                DefaultExpr::Literal(Literal::Bytes("0".repeat(32))),
                DataType::Uuid,
                Severity::Warning,
                true,
            ),
            (time("-infinity"), TIME, Severity::Warning, true),
            (text("0001-01-01 00:00:00"), TIME, Severity::Warning, true),
            (text("0001-01-01 00:00:00"), DataType::Text, Severity::Error, false),
            (time("0000-00-00 00:00:00"), TIME, Severity::Error, false),
            (time("2026-01-01 00:00:00"), TIME, Severity::Error, false),
        ] {
            let cost = judge(&default, place(Some(&wanted)));
            assert_eq!(
                (cost.severity, cost.leftover),
                (severity, leftover),
                "{default} in {wanted}"
            );
        }
    }

    #[test]
    fn a_constant_in_place_of_null_is_a_value_that_nobody_gave() {
        for literal in [
            Literal::Number("0".to_owned()),
            Literal::Boolean(false),
            Literal::Text(String::new()),
        ] {
            let cost = judge(
                &DefaultExpr::Literal(literal),
                Place {
                    nullable: true,
                    ..place(None)
                },
            );
            assert_eq!((cost.severity, cost.leftover), (Severity::Warning, false));
            assert!(cost.impact.contains("instead of NULL"));
        }
        let nullable = Place {
            nullable: true,
            ..place(Some(&DataType::Uuid))
        };
        assert_eq!(judge(&DefaultExpr::FreshUuid, nullable).severity, Severity::Warning);
    }

    #[test]
    fn expressions_cost_by_what_they_may_do() {
        let now = DefaultExpr::Now {
            clock: Clock::Statement,
            form: TimeForm::Native,
        };
        let call = DefaultExpr::Expression("next_tenant()".to_owned());
        for (default, elsewhere, on_event_id) in [
            (DefaultExpr::FreshUuid, Severity::Info, Severity::Critical),
            (
                DefaultExpr::NextValue("s".to_owned()),
                Severity::Warning,
                Severity::Critical,
            ),
            (now, Severity::Warning, Severity::Critical),
            (call, Severity::Warning, Severity::Error),
            (text(""), Severity::Warning, Severity::Error),
            (text(NIL), Severity::Warning, Severity::Error),
        ] {
            let event_id = Place {
                event_id: true,
                ..place(Some(&DataType::Uuid))
            };
            assert_eq!(
                judge(&default, place(Some(&DataType::Uuid))).severity,
                elsewhere,
                "{default}"
            );
            assert_eq!(
                judge(&default, event_id).severity,
                on_event_id,
                "{default} on the event id"
            );
        }
    }

    #[test]
    fn an_identity_that_is_made_of_a_random_value_is_never_a_duplicate() {
        let made = DefaultExpr::Expression("md5(rand())".to_owned());
        let severity = |event_id, fresh| {
            let place = Place {
                event_id,
                fresh,
                ..place(Some(&DataType::Uuid))
            };
            judge(&made, place).severity
        };
        assert_eq!(severity(true, true), Severity::Critical);
        assert_eq!(severity(true, false), Severity::Error);
        assert_eq!(severity(false, true), Severity::Warning);
    }

    #[test]
    fn any_spelling_of_the_nil_uuid_is_one() {
        for spelling in [
            NIL,
            "{00000000-0000-0000-0000-000000000000}",
            "00000000000000000000000000000000",
        ] {
            let cost = judge(&text(spelling), place(Some(&DataType::Uuid)));
            assert_eq!(cost.severity, Severity::Warning, "{spelling}");
        }
    }
}
