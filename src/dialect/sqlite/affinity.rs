//! What a declared type means: its affinity, and the neutral type that makers spell this way.
//!
//! SQLite takes any words for a type and looks only for a few letters in them
//! (<https://sqlite.org/datatype3.html#determination_of_column_affinity>).

use crate::schema::{DataType, NativeType};

/// How a column treats values that are stored in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Affinity {
    /// Text that looks like a whole number becomes one.
    Integer,
    /// Numbers become text.
    Text,
    /// Values stay as they are; the declaration says bytes.
    Blob,
    /// Values stay as they are; nothing is declared.
    Untyped,
    /// Text that looks like a number becomes a floating-point number.
    Real,
    /// Text that looks like a number becomes a number.
    Numeric,
}

/// What a type without declaration is called in front of people.
const UNDECLARED: &str = "no declared type";

impl Affinity {
    /// Returns the affinity of a declared type. The order of the tests is SQLite's: `CHARINT` is an integer.
    pub(crate) fn of_declaration(declared: &str) -> Self {
        let declared = declared.to_ascii_uppercase();
        let has = |word: &&str| declared.contains(word);
        if declared.trim().is_empty() {
            Self::Untyped
        } else if has(&"INT") {
            Self::Integer
        } else if ["CHAR", "CLOB", "TEXT"].iter().any(has) {
            Self::Text
        } else if has(&"BLOB") {
            Self::Blob
        } else if ["REAL", "FLOA", "DOUB"].iter().any(has) {
            Self::Real
        } else {
            Self::Numeric
        }
    }

    /// Returns the affinity of an observed column's type.
    pub(crate) fn of(ty: &NativeType) -> Self {
        match &ty.data {
            // Also `ANY` of a STRICT table, which converts nothing although the letters say NUMERIC.
            DataType::Other(declared) if declared.is_empty() => Self::Untyped,
            _ => Self::of_declaration(&ty.spelling),
        }
    }

    /// Returns whether texts can be in the column, so that their collation matters.
    pub(crate) fn keeps_text(self) -> bool {
        !matches!(self, Self::Integer | Self::Real)
    }

    /// Returns the affinity's name as SQLite's manual writes it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Integer => "INTEGER",
            Self::Text => "TEXT",
            Self::Blob | Self::Untyped => "BLOB",
            Self::Real => "REAL",
            Self::Numeric => "NUMERIC",
        }
    }
}

/// Makes the native type of a declaration, which may be empty.
pub(crate) fn native(declared: &str, strict: bool) -> NativeType {
    let declared = declared.trim();
    let untyped = declared.is_empty() || (strict && declared.eq_ignore_ascii_case("any"));
    let data = if untyped {
        DataType::Other(String::new())
    } else {
        neutral(declared)
    };
    NativeType {
        spelling: if declared.is_empty() { UNDECLARED } else { declared }.to_owned(),
        ..NativeType::plain(data)
    }
}

/// Returns the neutral type that a declaration spells: standard words, or the words of sea-query's SQLite builder.
fn neutral(declared: &str) -> DataType {
    let lower = declared.to_ascii_lowercase();
    let (name, args) = match lower.split_once('(') {
        Some((name, args)) => (name.trim(), args.trim_end().trim_end_matches(')')),
        None => (lower.trim(), ""),
    };
    let timestamp = |zoned| DataType::Timestamp { precision: None, zoned };
    match name {
        "uuid_text" | "uuid_blob" | "uniqueidentifier" => DataType::Uuid,
        "timestamp_with_timezone_text" => timestamp(true),
        "timestamp_text" => timestamp(false),
        "datetime_text" => DataType::DateTime { precision: None },
        "date_text" => DataType::Date,
        "time_text" => DataType::Time {
            precision: None,
            zoned: false,
        },
        "json_text" => DataType::Json,
        "jsonb_text" | "jsonb_blob" => DataType::Jsonb,
        "varbinary_blob" | "blob" => DataType::Bytes,
        // sea-query declares `decimal(18, 2)` as `real(18, 2)`.
        "real" | "real_decimal" if !args.is_empty() => numeric(args),
        "real_decimal" => DataType::Numeric {
            precision: None,
            scale: None,
        },
        _ => declared
            .parse()
            .unwrap_or_else(|_| DataType::Other(declared.to_owned())),
    }
}

fn numeric(args: &str) -> DataType {
    let mut numbers = args.split(',').map(|n| n.trim().parse().ok());
    let precision = numbers.next().flatten();
    DataType::Numeric {
        precision,
        scale: precision.map(|_| numbers.next().flatten().unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_decide_the_affinity_in_sqlites_order() {
        for (declared, affinity) in [
            ("INT", Affinity::Integer),
            ("unsigned big int", Affinity::Integer),
            ("CHARINT", Affinity::Integer),
            ("FLOATING POINT", Affinity::Integer),
            ("EVENT_POINT", Affinity::Integer),
            ("varchar(160)", Affinity::Text),
            ("uuid_text", Affinity::Text),
            ("timestamp_with_timezone_text", Affinity::Text),
            ("CLOB", Affinity::Text),
            ("BLOB", Affinity::Blob),
            ("uuid_blob", Affinity::Blob),
            ("", Affinity::Untyped),
            ("  ", Affinity::Untyped),
            ("REAL", Affinity::Real),
            ("double precision", Affinity::Real),
            ("real_decimal(18, 2)", Affinity::Real),
            ("UNIQUEIDENTIFIER", Affinity::Numeric),
            ("STRING", Affinity::Numeric),
            ("DATETIME", Affinity::Numeric),
            ("BOOLEAN", Affinity::Numeric),
            ("NUMERIC(18,2)", Affinity::Numeric),
            ("json", Affinity::Numeric),
            ("ANY", Affinity::Numeric),
        ] {
            assert_eq!(Affinity::of_declaration(declared), affinity, "{declared}");
            assert_eq!(Affinity::of(&native(declared, false)), affinity, "{declared}");
        }
    }

    #[test]
    fn any_of_a_strict_table_converts_nothing() {
        let ty = native("ANY", true);
        assert_eq!(ty.spelling, "ANY");
        assert_eq!(Affinity::of(&ty), Affinity::Untyped);
    }

    #[test]
    fn makers_words_read_as_the_type_they_stand_for() {
        for (declared, data) in [
            ("uuid_text", "uuid"),
            ("UNIQUEIDENTIFIER", "uuid"),
            ("timestamp_with_timezone_text", "timestamptz"),
            ("real(18, 2)", "numeric(18,2)"),
            ("real", "real"),
            ("VARCHAR(160)", "varchar(160)"),
            ("INTEGER", "integer"),
            ("blob(16)", "bytea"),
            ("EVENT_POINT", "EVENT_POINT"),
        ] {
            assert_eq!(native(declared, false).data.to_string(), data, "{declared}");
        }
        assert_eq!(native("", false).spelling, "no declared type");
    }
}
