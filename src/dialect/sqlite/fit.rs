//! How a declared type serves a desired one: by affinity, since SQLite enforces nothing else.

use super::affinity::Affinity;
use crate::dialect::{Degree, Fit, Misfit, TypeAspect, is_text};
use crate::schema::{Column, DataType};
use crate::spec::DesiredType;

/// What a desired type needs of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Text,
    Uuid,
    Bytes,
    Time,
    Interval,
    Integer,
    Boolean,
    Decimal,
    Float,
    Json,
    Jsonb,
    Native,
}

impl Need {
    fn of(data: &DataType) -> Self {
        match data {
            data if is_text(data) => Self::Text,
            DataType::Uuid => Self::Uuid,
            DataType::Bytes | DataType::Binary(_) | DataType::Varbinary(_) => Self::Bytes,
            DataType::Timestamp { .. } | DataType::DateTime { .. } | DataType::Date | DataType::Time { .. } => {
                Self::Time
            }
            DataType::Interval => Self::Interval,
            DataType::TinyInt
            | DataType::SmallInt
            | DataType::MediumInt
            | DataType::Integer
            | DataType::BigInt
            | DataType::Bit(_) => Self::Integer,
            DataType::Boolean => Self::Boolean,
            DataType::Numeric { .. } => Self::Decimal,
            DataType::Real | DataType::Double => Self::Float,
            DataType::Json => Self::Json,
            DataType::Jsonb => Self::Jsonb,
            _ => Self::Native,
        }
    }
}

/// What kind of thing the words of a declaration with NUMERIC affinity speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    Identifier,
    Time,
    Truth,
    Text,
    Json,
    Number,
}

impl Words {
    fn of(declared: &str) -> Self {
        let declared = declared.to_ascii_uppercase();
        let has = |words: &[&str]| words.iter().any(|w| declared.contains(w));
        if has(&["UUID", "GUID", "UNIQUEIDENTIFIER"]) {
            Self::Identifier
        } else if has(&["DATE", "TIME"]) {
            Self::Time
        } else if has(&["BOOL"]) {
            Self::Truth
        } else if has(&["STRING", "STR"]) {
            Self::Text
        } else if has(&["JSON"]) {
            Self::Json
        } else {
            Self::Number
        }
    }
}

/// Judges a column's declared type.
pub(super) fn fit(desired: &DesiredType, column: &Column) -> Fit {
    let affinity = Affinity::of(&column.ty);
    match degree(desired, column, affinity) {
        Some(degree) => vec![Misfit {
            aspect: TypeAspect::Type,
            degree,
            impact: impact(Need::of(&desired.data), affinity, degree),
        }],
        None => size(&desired.data, &column.ty.data),
    }
}

/// Returns how far the type is from the desired one, or nothing if it is right.
fn degree(desired: &DesiredType, column: &Column, affinity: Affinity) -> Option<Degree> {
    let need = Need::of(&desired.data);
    let words = Words::of(&column.ty.spelling);
    if affinity == Affinity::Untyped {
        // Nothing is converted, so every value comes back as it went in; bytes are even declared this way.
        return match need {
            Need::Bytes => Some(Degree::Note),
            _ => Some(Degree::Wider),
        };
    }
    match (need, affinity) {
        (Need::Text, _) => text(desired.pinned, affinity, words),
        (Need::Uuid, Affinity::Text | Affinity::Blob) => None,
        (Need::Uuid, Affinity::Numeric) => Some(Degree::Wider),
        (Need::Bytes, Affinity::Blob) => None,
        (Need::Bytes, Affinity::Text) if desired.pinned => Some(Degree::Ambiguous),
        (Need::Time, Affinity::Text) => None,
        (Need::Time, Affinity::Numeric) if words == Words::Time => None,
        (Need::Interval, Affinity::Text) => None,
        (Need::Interval, Affinity::Numeric) if column.ty.spelling.eq_ignore_ascii_case("interval") => None,
        (Need::Integer, Affinity::Integer) => None,
        (Need::Integer, Affinity::Numeric) => Some(Degree::Wider),
        (Need::Integer, Affinity::Real) => Some(Degree::Narrower),
        (Need::Boolean, Affinity::Integer) => None,
        (Need::Boolean, Affinity::Numeric) if words == Words::Truth => None,
        (Need::Boolean, Affinity::Numeric) => Some(Degree::Wider),
        (Need::Decimal, Affinity::Numeric | Affinity::Real) => None,
        // Digits kept as text lose nothing, and this is how EF Core keeps a decimal.
        (Need::Decimal, Affinity::Text) if !desired.pinned => None,
        (Need::Decimal | Need::Float, Affinity::Integer) => Some(Degree::Wider),
        (Need::Float, Affinity::Real) => None,
        (Need::Float, Affinity::Numeric) => Some(Degree::Wider),
        (Need::Json | Need::Jsonb, Affinity::Text) => None,
        (Need::Jsonb, Affinity::Blob) => None,
        (Need::Json | Need::Jsonb, Affinity::Numeric) if words == Words::Json => Some(Degree::Wider),
        (Need::Native, _) if column.ty.spelling.eq_ignore_ascii_case(&desired.data.to_string()) => None,
        _ => Some(Degree::Unrelated),
    }
}

fn text(pinned: bool, affinity: Affinity, words: Words) -> Option<Degree> {
    match affinity {
        Affinity::Text => None,
        Affinity::Untyped => Some(Degree::Wider),
        // The same characters can be stored as a text and as bytes, and the two are not equal.
        Affinity::Blob => Some(Degree::Ambiguous),
        // UUIDs and times written as text hold dashes and colons, which no number does.
        Affinity::Numeric if pinned && matches!(words, Words::Identifier | Words::Time) => Some(Degree::Wider),
        Affinity::Numeric if words != Words::Number => Some(Degree::Narrower),
        Affinity::Numeric | Affinity::Integer | Affinity::Real => Some(Degree::Unrelated),
    }
}

/// Says what follows for a service.
fn impact(need: Need, affinity: Affinity, degree: Degree) -> String {
    let title = affinity.title();
    let sentence = match (need, affinity) {
        (_, Affinity::Untyped) => "Values are stored as they come, without any conversion: a number stays a number.",
        (Need::Uuid | Need::Text, Affinity::Numeric) if degree == Degree::Wider => {
            "The type has NUMERIC affinity: a value without dashes that looks like a number (digits only, or 12e5) is \
             stored as a number, so that two different ones can become equal."
        }
        (Need::Text, Affinity::Blob) | (Need::Bytes, Affinity::Text) => {
            "The same value can be stored as text and as bytes, and the two are not equal: one writer does not find \
             what the other has recorded."
        }
        (Need::Text | Need::Uuid | Need::Json | Need::Jsonb, _) => {
            return format!(
                "The type has {title} affinity: a text that looks like a number is stored as a number, '007' as 7 and \
                 '1.50' as 1.5."
            );
        }
        (Need::Integer, Affinity::Real) => "Whole numbers beyond 2^53 lose their last digits.",
        (Need::Integer | Need::Boolean | Need::Decimal | Need::Float, _) if degree == Degree::Wider => {
            return format!("The type has {title} affinity: every promised value fits, and others do as well.");
        }
        (Need::Time, Affinity::Integer | Affinity::Real | Affinity::Numeric) => {
            "The declaration speaks of a number: times kept as numbers and times kept as text are not equal and do not \
             sort together."
        }
        _ => {
            return format!("The type has {title} affinity: values are kept in another form than the spec asks for.");
        }
    };
    sentence.to_owned()
}

/// Compares declared sizes, which SQLite prints and does not enforce.
fn size(desired: &DataType, observed: &DataType) -> Fit {
    let length = |data: &DataType| match data {
        DataType::Varchar(Some(n)) | DataType::Char(n) => Some(*n),
        _ => None,
    };
    let digits = |data: &DataType| match data {
        DataType::Numeric {
            precision: Some(p),
            scale,
        } => Some((*p, scale.unwrap_or(0))),
        _ => None,
    };
    let differs = if length(desired).zip(length(observed)).is_some_and(|(a, b)| a != b) {
        TypeAspect::Length
    } else if digits(desired).zip(digits(observed)).is_some_and(|(a, b)| a != b) {
        TypeAspect::Precision
    } else {
        return Vec::new();
    };
    vec![Misfit {
        aspect: differs,
        degree: Degree::Note,
        impact: "SQLite does not enforce the number: values of any size are stored.".to_owned(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::sqlite::affinity::native;
    use crate::dialect::sqlite::testing::column;

    fn judge(desired: &str, pinned: bool, declared: &str) -> Vec<(TypeAspect, Degree)> {
        let desired = DesiredType {
            data: desired.parse().unwrap(),
            pinned,
        };
        let column = Column {
            ty: native(declared, false),
            ..column("c", "")
        };
        fit(&desired, &column)
            .into_iter()
            .map(|m| {
                assert!(m.impact.ends_with('.'), "{}", m.impact);
                (m.aspect, m.degree)
            })
            .collect()
    }

    #[test]
    fn types_that_serve_are_no_misfit() {
        for (desired, declared) in [
            ("uuid", "TEXT"),
            ("uuid", "uuid_text"),
            ("uuid", "BLOB"),
            ("uuid", "uuid_blob"),
            ("uuid", "char(36)"),
            ("varchar(160)", "TEXT"),
            ("varchar(160)", "varchar(160)"),
            ("varchar(160)", "NVARCHAR"),
            ("text", "varchar"),
            ("smallint", "bigint"),
            ("bigint", "INT"),
            ("integer", "MEDIUMINT UNSIGNED"),
            ("boolean", "INTEGER"),
            ("boolean", "BOOLEAN"),
            ("timestamptz", "TEXT"),
            ("timestamptz", "DATETIME"),
            ("timestamp", "timestamp_text"),
            ("date", "DATE"),
            ("time", "time_text"),
            ("numeric(18,2)", "DECIMAL(18,2)"),
            ("numeric(18,2)", "real(18, 2)"),
            ("numeric(18,2)", "TEXT"),
            ("double", "REAL"),
            ("real", "FLOAT"),
            ("bytea", "BLOB"),
            ("json", "json_text"),
            ("jsonb", "BLOB"),
            ("interval", "TEXT"),
        ] {
            assert_eq!(judge(desired, false, declared), [], "{desired} in {declared}");
        }
    }

    #[test]
    fn types_that_do_not_serve_differ_by_as_much_as_they_harm() {
        for (desired, declared, degree) in [
            ("uuid", "UNIQUEIDENTIFIER", Degree::Wider),
            ("uuid", "GUID", Degree::Wider),
            ("uuid", "", Degree::Wider),
            ("uuid", "INTEGER", Degree::Unrelated),
            ("varchar(160)", "EVENT_POINT", Degree::Unrelated),
            ("varchar(40)", "CHARINT", Degree::Unrelated),
            ("varchar(160)", "", Degree::Wider),
            ("varchar(160)", "STRING", Degree::Narrower),
            ("varchar(160)", "NUMERIC", Degree::Unrelated),
            ("varchar(160)", "BLOB", Degree::Ambiguous),
            ("timestamptz", "INTEGER", Degree::Unrelated),
            ("timestamptz", "REAL", Degree::Unrelated),
            ("timestamptz", "NUMERIC", Degree::Unrelated),
            ("integer", "NUMERIC", Degree::Wider),
            ("integer", "TEXT", Degree::Unrelated),
            ("bigint", "REAL", Degree::Narrower),
            ("boolean", "TEXT", Degree::Unrelated),
            ("double", "TEXT", Degree::Unrelated),
            ("bytea", "", Degree::Note),
            ("bytea", "TEXT", Degree::Unrelated),
            ("json", "JSON", Degree::Wider),
            ("json", "BLOB", Degree::Unrelated),
        ] {
            assert_eq!(
                judge(desired, false, declared),
                [(TypeAspect::Type, degree)],
                "{desired} in {declared}"
            );
        }
    }

    #[test]
    fn a_pinned_type_is_exact() {
        for (desired, declared, expected) in [
            ("text", "TEXT", None),
            ("text", "uuid_text", None),
            ("text", "UNIQUEIDENTIFIER", Some(Degree::Wider)),
            ("text", "DATETIME", Some(Degree::Wider)),
            ("text", "NUMERIC(18,2)", Some(Degree::Unrelated)),
            ("text", "BLOB", Some(Degree::Ambiguous)),
            ("text", "INTEGER", Some(Degree::Unrelated)),
            ("bytea", "BLOB", None),
            ("bytea", "TEXT", Some(Degree::Ambiguous)),
            ("integer", "TEXT", Some(Degree::Unrelated)),
            ("numeric(18,2)", "TEXT", Some(Degree::Unrelated)),
        ] {
            let expected: Vec<_> = expected.map(|d| (TypeAspect::Type, d)).into_iter().collect();
            assert_eq!(judge(desired, true, declared), expected, "{desired} in {declared}");
        }
    }

    #[test]
    fn a_declared_size_is_only_worth_a_note() {
        assert_eq!(
            judge("varchar(160)", false, "varchar(100)"),
            [(TypeAspect::Length, Degree::Note)]
        );
        assert_eq!(
            judge("numeric(18,2)", false, "DECIMAL(10,4)"),
            [(TypeAspect::Precision, Degree::Note)]
        );
        assert_eq!(judge("text", false, "varchar(100)"), []);
        assert_eq!(judge("uuid", false, "char(32)"), []);
    }
}
