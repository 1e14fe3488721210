//! Data types in standard SQL spelling.

use std::fmt;

/// A data type, independent of any server. [`fmt::Display`] prints the canonical spelling, which
/// [`str::parse`] reads back to the same value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataType {
    /// `boolean`
    Boolean,
    /// `tinyint` (MySQL)
    TinyInt,
    /// `smallint`
    SmallInt,
    /// `mediumint` (MySQL)
    MediumInt,
    /// `integer`
    Integer,
    /// `bigint`
    BigInt,
    /// `numeric(p,s)`; without precision it is unconstrained
    Numeric {
        /// Total number of digits.
        precision: Option<u32>,
        /// Digits after the point; `numeric(p)` has scale 0.
        scale: Option<u32>,
    },
    /// `real`
    Real,
    /// `double`
    Double,
    /// `char(n)`, blank-padded; a bare `char` is `char(1)`
    Char(u32),
    /// `varchar(n)`; without a length it is unlimited
    Varchar(Option<u32>),
    /// `tinytext` (MySQL, 255 bytes)
    TinyText,
    /// `text`
    Text,
    /// `mediumtext` (MySQL)
    MediumText,
    /// `longtext` (MySQL)
    LongText,
    /// `uuid`
    Uuid,
    /// `binary(n)` (MySQL)
    Binary(u32),
    /// `varbinary(n)` (MySQL)
    Varbinary(u32),
    /// `bytea`, `blob` and kin: bytes of any length
    Bytes,
    /// `date`
    Date,
    /// `time(p)`
    Time {
        /// Fraction digits; the server's own where absent.
        precision: Option<u32>,
        /// Whether a zone is kept.
        zoned: bool,
    },
    /// `timestamp(p)` or `timestamptz(p)`
    Timestamp {
        /// Fraction digits; the server's own where absent.
        precision: Option<u32>,
        /// Whether the value is an instant (`timestamptz`).
        zoned: bool,
    },
    /// `datetime(p)` (MySQL, SQLite declared)
    DateTime {
        /// Fraction digits; the server's own where absent.
        precision: Option<u32>,
    },
    /// `interval`
    Interval,
    /// `json`
    Json,
    /// `jsonb`
    Jsonb,
    /// `bit(n)`
    Bit(u32),
    /// A type this model has no word for: enum, array, extension or affinity-only types, in the server's spelling.
    Other(String),
}

/// A type spelling that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ParseTypeError {
    /// What is wrong, as a lower-case fragment.
    pub reason: String,
    /// A spelling that is close, if there is one.
    pub suggestion: Option<String>,
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |f: &mut fmt::Formatter<'_>, name: &str, n: Option<u32>| match n {
            Some(n) => write!(f, "{name}({n})"),
            None => f.write_str(name),
        };
        match self {
            Self::Boolean => f.write_str("boolean"),
            Self::TinyInt => f.write_str("tinyint"),
            Self::SmallInt => f.write_str("smallint"),
            Self::MediumInt => f.write_str("mediumint"),
            Self::Integer => f.write_str("integer"),
            Self::BigInt => f.write_str("bigint"),
            Self::Numeric {
                precision: Some(p),
                scale,
            } => write!(f, "numeric({p},{})", scale.unwrap_or(0)),
            Self::Numeric { precision: None, .. } => f.write_str("numeric"),
            Self::Real => f.write_str("real"),
            Self::Double => f.write_str("double"),
            Self::Char(n) => write!(f, "char({n})"),
            Self::Varchar(n) => with(f, "varchar", *n),
            Self::TinyText => f.write_str("tinytext"),
            Self::Text => f.write_str("text"),
            Self::MediumText => f.write_str("mediumtext"),
            Self::LongText => f.write_str("longtext"),
            Self::Uuid => f.write_str("uuid"),
            Self::Binary(n) => write!(f, "binary({n})"),
            Self::Varbinary(n) => write!(f, "varbinary({n})"),
            Self::Bytes => f.write_str("bytea"),
            Self::Date => f.write_str("date"),
            Self::Time { precision, zoned } => with(f, if *zoned { "timetz" } else { "time" }, *precision),
            Self::Timestamp { precision, zoned } => {
                with(f, if *zoned { "timestamptz" } else { "timestamp" }, *precision)
            }
            Self::DateTime { precision } => with(f, "datetime", *precision),
            Self::Interval => f.write_str("interval"),
            Self::Json => f.write_str("json"),
            Self::Jsonb => f.write_str("jsonb"),
            Self::Bit(n) => write!(f, "bit({n})"),
            Self::Other(native) => f.write_str(native),
        }
    }
}

/// Type names without arguments, in the order in which near misses are suggested.
const NAMES: &[&str] = &[
    "uuid",
    "varchar",
    "text",
    "integer",
    "bigint",
    "smallint",
    "boolean",
    "timestamptz",
    "timestamp",
    "date",
    "time",
    "timetz",
    "numeric",
    "double",
    "real",
    "bytea",
    "jsonb",
    "json",
    "interval",
    "char",
    "binary",
    "varbinary",
    "datetime",
    "tinyint",
    "mediumint",
    "tinytext",
    "mediumtext",
    "longtext",
    "bit",
    "blob",
];

impl std::str::FromStr for DataType {
    type Err = ParseTypeError;

    /// Parses a spec's spelling: the canonical names and their aliases, in any letter case.
    fn from_str(text: &str) -> Result<Self, ParseTypeError> {
        let words = Words::split(text)?;
        let known = number(&words)
            .or_else(|| text_or_bytes(&words))
            .or_else(|| time(&words))
            .or_else(|| other(&words));
        known.unwrap_or_else(|| Err(unknown(&words)))
    }
}

/// A type's spelling, cut up: `timestamp(6) with time zone` has the name `timestamp with time zone` and one number.
struct Words {
    name: String,
    numbers: Vec<u32>,
}

/// What a group of types makes of a spelling: nothing, if the name is none of theirs.
type Reading = Option<Result<DataType, ParseTypeError>>;

impl Words {
    /// Splits a spelling, lower-cased.
    fn split(text: &str) -> Result<Self, ParseTypeError> {
        let text = text.trim().to_ascii_lowercase();
        let (name, rest) = text.split_once('(').unwrap_or((&text, ")"));
        let Some((numbers, suffix)) = rest.split_once(')') else {
            return Err(fail("the parenthesis is not closed".to_owned()));
        };
        let number = |n: &str| {
            let n = n.trim();
            n.parse::<u32>()
                .map_err(|_| fail(format!("`{}` is not a number", n.escape_debug())))
        };
        let numbers = match text.contains('(') {
            true => numbers.split(',').map(number).collect::<Result<Vec<u32>, _>>()?,
            false => Vec::new(),
        };
        let words: Vec<&str> = name.split_whitespace().chain(suffix.split_whitespace()).collect();
        Ok(Self {
            name: words.join(" "),
            numbers,
        })
    }

    /// Returns the type, if there is no number.
    fn bare(&self, ty: DataType) -> Result<DataType, ParseTypeError> {
        match self.numbers[..] {
            [] => Ok(ty),
            _ => Err(fail(format!("`{}` takes no number", self.name))),
        }
    }

    /// Returns the one number, if there is one.
    fn one(&self, max: u32) -> Result<Option<u32>, ParseTypeError> {
        match self.numbers[..] {
            [] => Ok(None),
            [n] if n <= max => Ok(Some(n)),
            [n] => Err(fail(format!("{n} is too large here; at most {max}"))),
            _ => Err(fail(format!("`{}` takes one number", self.name))),
        }
    }

    /// Returns the length, if there is one.
    fn length(&self) -> Result<Option<u32>, ParseTypeError> {
        match self.one(10_485_760)? {
            Some(0) => Err(fail("a length of 0 holds nothing".to_owned())),
            other => Ok(other),
        }
    }
}

fn number(words: &Words) -> Reading {
    // MySQL's display widths (`int(11)`) mean nothing, so they are accepted and dropped.
    let width = |ty: DataType| words.one(255).map(|_| ty);
    Some(match words.name.as_str() {
        "boolean" | "bool" => words.bare(DataType::Boolean),
        "tinyint" => width(DataType::TinyInt),
        "smallint" | "int2" => width(DataType::SmallInt),
        "mediumint" => width(DataType::MediumInt),
        "integer" | "int" | "int4" => width(DataType::Integer),
        "bigint" | "int8" => width(DataType::BigInt),
        "numeric" | "decimal" | "dec" => numeric(words),
        "real" | "float4" => words.bare(DataType::Real),
        "double" | "double precision" | "float8" | "float" => words.bare(DataType::Double),
        "bit" => words.one(64).map(|n| DataType::Bit(n.unwrap_or(1))),
        _ => return None,
    })
}

fn numeric(words: &Words) -> Result<DataType, ParseTypeError> {
    match words.numbers[..] {
        [] => Ok(DataType::Numeric {
            precision: None,
            scale: None,
        }),
        [p] => Ok(DataType::Numeric {
            precision: Some(p),
            scale: Some(0),
        }),
        [p, s] if s <= p => Ok(DataType::Numeric {
            precision: Some(p),
            scale: Some(s),
        }),
        [_, _] => Err(fail("the scale is larger than the precision".to_owned())),
        _ => Err(fail("`numeric` takes a precision and a scale".to_owned())),
    }
}

fn text_or_bytes(words: &Words) -> Reading {
    Some(match words.name.as_str() {
        "varchar" | "character varying" | "string" | "nvarchar" => words.length().map(DataType::Varchar),
        "char" | "character" | "nchar" => words.length().map(|n| DataType::Char(n.unwrap_or(1))),
        "text" => words.bare(DataType::Text),
        "tinytext" => words.bare(DataType::TinyText),
        "mediumtext" => words.bare(DataType::MediumText),
        "longtext" => words.bare(DataType::LongText),
        "binary" => words.length().map(|n| DataType::Binary(n.unwrap_or(1))),
        "varbinary" => match words.length() {
            Ok(Some(n)) => Ok(DataType::Varbinary(n)),
            Ok(None) => Err(fail("`varbinary` needs a length".to_owned())),
            Err(error) => Err(error),
        },
        "bytea" | "blob" | "bytes" => words.bare(DataType::Bytes),
        _ => return None,
    })
}

fn time(words: &Words) -> Reading {
    let fraction = || words.one(6);
    Some(match words.name.as_str() {
        "date" => words.bare(DataType::Date),
        "time" | "time without time zone" => fraction().map(|precision| DataType::Time {
            precision,
            zoned: false,
        }),
        "timetz" | "time with time zone" => fraction().map(|precision| DataType::Time { precision, zoned: true }),
        "timestamp" | "timestamp without time zone" => fraction().map(|precision| DataType::Timestamp {
            precision,
            zoned: false,
        }),
        "timestamptz" | "timestamp with time zone" => {
            fraction().map(|precision| DataType::Timestamp { precision, zoned: true })
        }
        "datetime" => fraction().map(|precision| DataType::DateTime { precision }),
        "interval" => words.bare(DataType::Interval),
        _ => return None,
    })
}

fn other(words: &Words) -> Reading {
    Some(match words.name.as_str() {
        "uuid" | "guid" => words.bare(DataType::Uuid),
        "json" => words.bare(DataType::Json),
        "jsonb" => words.bare(DataType::Jsonb),
        "serial" | "bigserial" | "smallserial" | "serial4" | "serial8" | "serial2" => Err(ParseTypeError {
            reason: format!("`{}` is a way to create a column, not a type", words.name),
            suggestion: Some("type: integer (or bigint) with `identity: by_default`".to_owned()),
        }),
        _ => return None,
    })
}

fn unknown(words: &Words) -> ParseTypeError {
    ParseTypeError {
        reason: format!("unknown type `{}`", words.name.escape_debug()),
        suggestion: nearest(words.name.split(' ').next().unwrap_or_default()).map(str::to_owned),
    }
}

fn fail(reason: String) -> ParseTypeError {
    ParseTypeError {
        reason,
        suggestion: None,
    }
}

fn nearest(name: &str) -> Option<&'static str> {
    let mut best: Option<(f32, &'static str)> = None;
    for &known in NAMES {
        let ratio = similar::TextDiff::from_chars(name, known).ratio();
        if ratio >= 0.6 && best.is_none_or(|(r, _)| ratio > r) {
            best = Some((ratio, known));
        }
    }
    best.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_read_as_the_canonical_type() {
        for (text, canonical) in [
            ("int4", "integer"),
            ("INTEGER", "integer"),
            ("character varying(160)", "varchar(160)"),
            ("varchar", "varchar"),
            ("timestamp with time zone", "timestamptz"),
            ("timestamp(6) with time zone", "timestamptz(6)"),
            ("decimal(18, 2)", "numeric(18,2)"),
            ("numeric(18)", "numeric(18,0)"),
            ("double precision", "double"),
            ("bool", "boolean"),
            ("int(11)", "integer"),
            ("datetime(6)", "datetime(6)"),
            ("binary(16)", "binary(16)"),
            ("char", "char(1)"),
        ] {
            let ty: DataType = text.parse().unwrap();
            assert_eq!(ty.to_string(), canonical);
            assert_eq!(canonical.parse::<DataType>().unwrap(), ty);
        }
    }

    #[test]
    fn a_misspelt_type_gets_a_suggestion() {
        let error = "varchr(80)".parse::<DataType>().unwrap_err();
        assert_eq!(error.suggestion.as_deref(), Some("varchar"));
        assert!(
            "serial"
                .parse::<DataType>()
                .unwrap_err()
                .suggestion
                .unwrap()
                .contains("identity")
        );
        assert!("varchar(0)".parse::<DataType>().is_err());
        assert!("varchar(8".parse::<DataType>().is_err());
        assert!("numeric(2,3)".parse::<DataType>().is_err());
    }
}
