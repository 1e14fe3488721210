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
        let (name, args, suffix) = split(text)?;
        let one = |max: u32| -> Result<Option<u32>, ParseTypeError> {
            match args[..] {
                [] => Ok(None),
                [n] if n <= max => Ok(Some(n)),
                [n] => Err(fail(format!("{n} is too large here; at most {max}"))),
                _ => Err(fail(format!("`{name}` takes one number"))),
            }
        };
        let length = || match one(10_485_760)? {
            Some(0) => Err(fail("a length of 0 holds nothing".to_owned())),
            other => Ok(other),
        };
        let none = |ty: Self| {
            if args.is_empty() {
                Ok(ty)
            } else {
                Err(fail(format!("`{name}` takes no number")))
            }
        };
        // MySQL's display widths (`int(11)`) mean nothing, so they are accepted and dropped.
        let width = |ty: Self| one(255).map(|_| ty);
        let full = if suffix.is_empty() {
            name.clone()
        } else {
            format!("{name} {suffix}")
        };
        match full.as_str() {
            "uuid" | "guid" => none(Self::Uuid),
            "varchar" | "character varying" | "string" | "nvarchar" => length().map(Self::Varchar),
            "char" | "character" | "nchar" => Ok(Self::Char(length()?.unwrap_or(1))),
            "text" => none(Self::Text),
            "tinytext" => none(Self::TinyText),
            "mediumtext" => none(Self::MediumText),
            "longtext" => none(Self::LongText),
            "boolean" | "bool" => none(Self::Boolean),
            "tinyint" => width(Self::TinyInt),
            "smallint" | "int2" => width(Self::SmallInt),
            "mediumint" => width(Self::MediumInt),
            "integer" | "int" | "int4" => width(Self::Integer),
            "bigint" | "int8" => width(Self::BigInt),
            "numeric" | "decimal" | "dec" => match args[..] {
                [] => Ok(Self::Numeric {
                    precision: None,
                    scale: None,
                }),
                [p] => Ok(Self::Numeric {
                    precision: Some(p),
                    scale: Some(0),
                }),
                [p, s] if s <= p => Ok(Self::Numeric {
                    precision: Some(p),
                    scale: Some(s),
                }),
                [_, _] => Err(fail("the scale is larger than the precision".to_owned())),
                _ => Err(fail("`numeric` takes a precision and a scale".to_owned())),
            },
            "real" | "float4" => none(Self::Real),
            "double" | "double precision" | "float8" | "float" => none(Self::Double),
            "binary" => Ok(Self::Binary(length()?.unwrap_or(1))),
            "varbinary" => match length()? {
                Some(n) => Ok(Self::Varbinary(n)),
                None => Err(fail("`varbinary` needs a length".to_owned())),
            },
            "bytea" | "blob" | "bytes" => none(Self::Bytes),
            "date" => none(Self::Date),
            "time" | "time without time zone" => Ok(Self::Time {
                precision: one(6)?,
                zoned: false,
            }),
            "timetz" | "time with time zone" => Ok(Self::Time {
                precision: one(6)?,
                zoned: true,
            }),
            "timestamp" | "timestamp without time zone" => Ok(Self::Timestamp {
                precision: one(6)?,
                zoned: false,
            }),
            "timestamptz" | "timestamp with time zone" => Ok(Self::Timestamp {
                precision: one(6)?,
                zoned: true,
            }),
            "datetime" => Ok(Self::DateTime { precision: one(6)? }),
            "interval" => none(Self::Interval),
            "json" => none(Self::Json),
            "jsonb" => none(Self::Jsonb),
            "bit" => Ok(Self::Bit(one(64)?.unwrap_or(1))),
            "serial" | "bigserial" | "smallserial" | "serial4" | "serial8" | "serial2" => Err(ParseTypeError {
                reason: format!("`{name}` is a way to create a column, not a type"),
                suggestion: Some("type: integer (or bigint) with `identity: by_default`".to_owned()),
            }),
            _ => Err(ParseTypeError {
                reason: format!("unknown type `{}`", full.escape_debug()),
                suggestion: nearest(&name).map(str::to_owned),
            }),
        }
    }
}

fn fail(reason: String) -> ParseTypeError {
    ParseTypeError {
        reason,
        suggestion: None,
    }
}

/// Splits `timestamp(6) with time zone` into name, numbers and suffix, lower-cased.
fn split(text: &str) -> Result<(String, Vec<u32>, String), ParseTypeError> {
    let text = text.trim().to_ascii_lowercase();
    let Some((name, rest)) = text.split_once('(') else {
        let words: Vec<&str> = text.split_whitespace().collect();
        return Ok((words.join(" "), Vec::new(), String::new()));
    };
    let Some((args, suffix)) = rest.split_once(')') else {
        return Err(fail("the parenthesis is not closed".to_owned()));
    };
    let args = args
        .split(',')
        .map(|a| {
            a.trim()
                .parse::<u32>()
                .map_err(|_| fail(format!("`{}` is not a number", a.trim().escape_debug())))
        })
        .collect::<Result<Vec<u32>, _>>()?;
    let suffix: Vec<&str> = suffix.split_whitespace().collect();
    Ok((name.trim().to_owned(), args, suffix.join(" ")))
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
