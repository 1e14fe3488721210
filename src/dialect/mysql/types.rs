//! How types are spelled: the server's `column_type` read, and the types that migrations make.

use crate::schema::{DataType, NativeType};

use super::token::{Token, tokens};

/// Reads a `column_type` of `information_schema`: `int(10) unsigned`, `enum('a','b')`.
pub(crate) fn parse_type(spelling: &str) -> NativeType {
    let lower = spelling.trim().to_ascii_lowercase();
    let end = lower
        .find(|c: char| c == '(' || c.is_whitespace())
        .unwrap_or(lower.len());
    let name = &lower[..end];
    let (args, suffix) = match lower[end..].strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((args, suffix)) => (args, suffix),
        None => ("", &lower[end..]),
    };
    let args: Vec<u32> = args.split(',').map_while(|arg| arg.trim().parse().ok()).collect();
    let first = args.first().copied();
    let data = match name {
        "tinyint" => DataType::TinyInt,
        "smallint" => DataType::SmallInt,
        "mediumint" => DataType::MediumInt,
        "int" | "integer" => DataType::Integer,
        "bigint" => DataType::BigInt,
        "decimal" | "numeric" => DataType::Numeric {
            precision: Some(first.unwrap_or(10)),
            scale: Some(args.get(1).copied().unwrap_or(0)),
        },
        "float" => DataType::Real,
        "double" => DataType::Double,
        "char" => DataType::Char(first.unwrap_or(1)),
        "varchar" => DataType::Varchar(first),
        "tinytext" => DataType::TinyText,
        "text" => DataType::Text,
        "mediumtext" => DataType::MediumText,
        "longtext" => DataType::LongText,
        "uuid" => DataType::Uuid,
        "binary" => DataType::Binary(first.unwrap_or(1)),
        "varbinary" => DataType::Varbinary(first.unwrap_or(0)),
        "tinyblob" | "blob" | "mediumblob" | "longblob" => DataType::Bytes,
        "date" => DataType::Date,
        "time" => DataType::Time {
            precision: Some(first.unwrap_or(0)),
            zoned: false,
        },
        "datetime" => DataType::DateTime {
            precision: Some(first.unwrap_or(0)),
        },
        // Stored in UTC and shown in the session's zone: an instant.
        "timestamp" => DataType::Timestamp {
            precision: Some(first.unwrap_or(0)),
            zoned: true,
        },
        "json" => DataType::Json,
        "bit" => DataType::Bit(first.unwrap_or(1)),
        _ => DataType::Other(spelling.trim().to_owned()),
    };
    let is_integer = integer_bits(&data).is_some();
    let is_number = is_integer || matches!(data, DataType::Numeric { .. } | DataType::Real | DataType::Double);
    NativeType {
        spelling: spelling.trim().to_owned(),
        unsigned: is_number && (suffix.contains("unsigned") || suffix.contains("zerofill")),
        width: first.filter(|_| is_integer),
        data,
        domains: Vec::new(),
    }
}

/// Returns the values that an `enum` allows.
pub(crate) fn enum_values(spelling: &str) -> Option<Vec<String>> {
    let words = tokens(spelling);
    words.first().filter(|word| word.is_word("enum"))?;
    let values = words.iter().filter_map(|word| match word {
        Token::Text(value) => Some(value.clone()),
        _ => None,
    });
    Some(values.collect())
}

/// Returns how many bits an integer type has.
pub(super) fn integer_bits(data: &DataType) -> Option<u32> {
    match data {
        DataType::TinyInt => Some(8),
        DataType::SmallInt => Some(16),
        DataType::MediumInt => Some(24),
        DataType::Integer => Some(32),
        DataType::BigInt => Some(64),
        _ => None,
    }
}

/// Returns how many bytes a type of the text family holds.
pub(super) fn text_bytes(data: &DataType) -> Option<u64> {
    match data {
        DataType::TinyText => Some(255),
        DataType::Text => Some(65_535),
        DataType::MediumText => Some(16_777_215),
        DataType::LongText => Some(4_294_967_295),
        _ => None,
    }
}

/// Returns the type that migrations make for a wanted type, as the server prints it.
pub(super) fn native_type(wanted: &DataType, mariadb: bool) -> NativeType {
    // MySQL stopped printing display widths with 8.0.19, except for tinyint(1); MariaDB still prints them.
    let integer = |name: &str, width: u32| {
        if mariadb {
            format!("{name}({width})")
        } else {
            name.to_owned()
        }
    };
    let with_fraction = |name: &str, digits: u32| match digits {
        0 => name.to_owned(),
        _ => format!("{name}({digits})"),
    };
    let spelling = match wanted {
        DataType::Uuid => "binary(16)".to_owned(),
        DataType::Boolean => "tinyint(1)".to_owned(),
        DataType::TinyInt => integer("tinyint", 4),
        DataType::SmallInt => integer("smallint", 6),
        DataType::MediumInt => integer("mediumint", 9),
        DataType::Integer => integer("int", 11),
        DataType::BigInt => integer("bigint", 20),
        DataType::Numeric {
            precision: Some(p),
            scale,
        } => format!("decimal({p},{})", scale.unwrap_or(0)),
        DataType::Numeric { precision: None, .. } => "decimal(65,30)".to_owned(),
        DataType::Real => "float".to_owned(),
        DataType::Double => "double".to_owned(),
        DataType::Varchar(None) => "text".to_owned(),
        DataType::Bytes => "blob".to_owned(),
        DataType::Timestamp { precision, .. } | DataType::DateTime { precision } => {
            with_fraction("datetime", precision.unwrap_or(6))
        }
        DataType::Time { precision, .. } => with_fraction("time", precision.unwrap_or(6)),
        DataType::Interval => "time(6)".to_owned(),
        DataType::Json | DataType::Jsonb => "json".to_owned(),
        DataType::Bit(n) => format!("bit({n})"),
        other => other.to_string(),
    };
    parse_type(&spelling)
}

/// Returns the native form of a type that a spec pins: the very words of this server.
pub(super) fn pinned_type(wanted: &DataType, mariadb: bool) -> NativeType {
    match wanted {
        DataType::Uuid if mariadb => parse_type("uuid"),
        DataType::Timestamp {
            precision: None | Some(0),
            ..
        } => parse_type("timestamp"),
        DataType::Timestamp { precision: Some(p), .. } => parse_type(&format!("timestamp({p})")),
        DataType::DateTime { precision: None } => parse_type("datetime"),
        other => native_type(other, mariadb),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_types_are_read() {
        for (spelling, canonical, unsigned, width) in [
            ("int(11)", "integer", false, Some(11)),
            ("int", "integer", false, None),
            ("int(10) unsigned", "integer", true, Some(10)),
            ("int unsigned", "integer", true, None),
            ("int(5) unsigned zerofill", "integer", true, Some(5)),
            ("tinyint(1)", "tinyint", false, Some(1)),
            ("bigint(20) unsigned", "bigint", true, Some(20)),
            ("decimal(18,2)", "numeric(18,2)", false, None),
            ("float(7,3)", "real", false, None),
            ("varchar(160)", "varchar(160)", false, None),
            ("char(36)", "char(36)", false, None),
            ("datetime", "datetime(0)", false, None),
            ("datetime(6)", "datetime(6)", false, None),
            ("timestamp", "timestamptz(0)", false, None),
            ("mediumblob", "bytea", false, None),
            ("bit(3)", "bit(3)", false, None),
            ("uuid", "uuid", false, None),
            ("enum('A','b''x')", "enum('A','b''x')", false, None),
        ] {
            let ty = parse_type(spelling);
            assert_eq!(
                (
                    ty.data.to_string().as_str(),
                    ty.unsigned,
                    ty.width,
                    ty.spelling.as_str()
                ),
                (canonical, unsigned, width, spelling)
            );
        }
    }

    #[test]
    fn enum_values_keep_their_quotes_and_case() {
        assert_eq!(
            enum_values("enum('Processed','it''s')"),
            Some(vec!["Processed".to_owned(), "it's".to_owned()])
        );
        assert_eq!(enum_values("varchar(5)"), None);
    }

    #[test]
    fn migrations_make_what_sea_query_writes() {
        for (wanted, mariadb, made) in [
            ("uuid", true, "binary(16)"),
            ("boolean", true, "tinyint(1)"),
            ("integer", true, "int(11)"),
            ("integer", false, "int"),
            ("timestamptz", true, "datetime(6)"),
            ("varchar(160)", true, "varchar(160)"),
            ("jsonb", false, "json"),
            ("numeric(18,2)", true, "decimal(18,2)"),
        ] {
            assert_eq!(
                native_type(&wanted.parse().unwrap(), mariadb).spelling,
                made,
                "{wanted}"
            );
        }
    }
}
