//! How a column serves a wanted type.
//!
//! Pinned types are exact; of the others any storage counts that holds all values and keeps equal ones equal.

use super::types::{integer_bits, text_bytes};
use crate::dialect::{Degree, Fit, Misfit, TypeAspect, is_text};
use crate::schema::{Column, DataType, Equality, NativeType};
use crate::spec::DesiredType;

/// Judges a column.
pub(super) fn fit(desired: &DesiredType, column: &Column) -> Fit {
    let ty = &column.ty;
    match &desired.data {
        DataType::Uuid => uuid(column, if desired.pinned { Some(Storage::Native) } else { None }),
        DataType::Char(36) if desired.pinned => uuid(column, Some(Storage::Text)),
        DataType::Binary(16) if desired.pinned => uuid(column, Some(Storage::Bytes)),
        DataType::Timestamp { precision, .. } if desired.pinned => pinned_timestamp(*precision, &ty.data),
        DataType::DateTime { precision } if desired.pinned => pinned_datetime(precision.unwrap_or(0), &ty.data),
        DataType::Timestamp { precision, .. } | DataType::DateTime { precision } => {
            time(precision.unwrap_or(6), &ty.data)
        }
        wanted if is_text(wanted) => text(wanted, desired.pinned, column),
        wanted if integer_bits(wanted).is_some() => integer(wanted, ty),
        DataType::Boolean => boolean(ty),
        DataType::Numeric { precision, scale } => numeric(precision.zip(*scale), ty),
        DataType::Real | DataType::Double => floating(&desired.data, ty),
        DataType::Bytes => bytes(ty),
        DataType::Binary(wanted) | DataType::Varbinary(wanted) => binary(&desired.data, *wanted, &ty.data),
        DataType::Date => match &ty.data {
            DataType::Date => Fit::new(),
            DataType::DateTime { .. } | DataType::Timestamp { .. } => wider(
                TypeAspect::Type,
                "A time of day is stored with each date, so equal dates may differ.",
            ),
            other => unrelated(other),
        },
        DataType::Time { precision, .. } => match &ty.data {
            DataType::Time { precision: found, .. } => fraction(precision.unwrap_or(6), found.unwrap_or(0)),
            other => unrelated(other),
        },
        DataType::Json | DataType::Jsonb => json(ty),
        // This server has no such type; a time is the nearest, and what migrations make.
        DataType::Interval => match &ty.data {
            DataType::Time { .. } => Fit::new(),
            other => unrelated(other),
        },
        DataType::Bit(wanted) => match &ty.data {
            DataType::Bit(found) => length(*wanted, *found, "bits"),
            other => unrelated(other),
        },
        DataType::Other(wanted) => {
            if wanted.eq_ignore_ascii_case(&ty.spelling) {
                Fit::new()
            } else {
                unrelated(&ty.data)
            }
        }
        _ => Fit::new(),
    }
}

fn one(aspect: TypeAspect, degree: Degree, impact: impl Into<String>) -> Fit {
    vec![Misfit {
        aspect,
        degree,
        impact: impact.into(),
    }]
}

fn wider(aspect: TypeAspect, impact: impl Into<String>) -> Fit {
    one(aspect, Degree::Wider, impact)
}

fn narrower(aspect: TypeAspect, impact: impl Into<String>) -> Fit {
    one(aspect, Degree::Narrower, impact)
}

fn unrelated(found: &DataType) -> Fit {
    let impact = format!("A column of type {found} stores other values than the service reads and writes.");
    one(TypeAspect::Type, Degree::Unrelated, impact)
}

fn length(wanted: u32, found: u32, unit: &str) -> Fit {
    match found.cmp(&wanted) {
        std::cmp::Ordering::Less => narrower(
            TypeAspect::Length,
            format!("Values longer than {found} {unit} are refused, or cut without strict mode."),
        ),
        std::cmp::Ordering::Equal => Fit::new(),
        std::cmp::Ordering::Greater => wider(
            TypeAspect::Length,
            format!("Values of up to {found} {unit} are accepted, more than is promised to readers."),
        ),
    }
}

fn fraction(wanted: u32, found: u32) -> Fit {
    match found.cmp(&wanted) {
        std::cmp::Ordering::Less => narrower(
            TypeAspect::Precision,
            format!("Fractions of a second are rounded to {found} digits when a row is written."),
        ),
        std::cmp::Ordering::Equal => Fit::new(),
        std::cmp::Ordering::Greater => wider(
            TypeAspect::Precision,
            format!("Fractions of a second are kept with {found} digits, more than is promised to readers."),
        ),
    }
}

/// Where a UUID is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    Native,
    Text,
    Bytes,
}

/// Judges a store for UUIDs; a pinned one is judged as another store than the service writes.
fn uuid(column: &Column, pinned: Option<Storage>) -> Fit {
    let found = match &column.ty.data {
        DataType::Uuid => Storage::Native,
        DataType::Char(36) => Storage::Text,
        DataType::Binary(16) => Storage::Bytes,
        DataType::Char(n) | DataType::Varchar(Some(n)) if *n >= 36 => {
            return wider(
                TypeAspect::Type,
                "Text that is no UUID is accepted as well, and clients may read the column as text instead of a UUID.",
            );
        }
        // Too short for the text of one, so whoever stores a UUID here stores its bytes.
        DataType::Varbinary(16..36) if matches!(pinned, Some(Storage::Text | Storage::Native)) => Storage::Bytes,
        DataType::Varbinary(_) if pinned == Some(Storage::Text) => return mixed("bytes of any kind", "text"),
        DataType::Varbinary(n) if *n >= 16 => {
            return wider(TypeAspect::Type, "Byte strings of other lengths are accepted as well.");
        }
        DataType::Char(n) if pinned == Some(Storage::Text) => return length(36, *n, "characters"),
        other if is_text(other) => return free_text(column),
        other => return unrelated(other),
    };
    match pinned {
        None => Fit::new(),
        Some(wanted) if wanted == found => Fit::new(),
        // Bytes and text: each writer orders the bytes in its own way, so one UUID has two stored forms.
        Some(Storage::Text) if found == Storage::Bytes => mixed("16 bytes", "text"),
        Some(Storage::Bytes) if found == Storage::Text => mixed("text", "16 bytes"),
        Some(Storage::Native) if found == Storage::Bytes => mixed("16 bytes", "the uuid type"),
        Some(_) => wider(
            TypeAspect::Type,
            "Both types hold UUIDs, but the client must be told how to read and write this one.",
        ),
    }
}

fn mixed(found: &str, wanted: &str) -> Fit {
    one(
        TypeAspect::Type,
        Degree::Ambiguous,
        format!(
            "UUIDs are kept as {found} instead of {wanted}: clients order the bytes in different ways, so one UUID can \
             be stored in two forms that are not equal."
        ),
    )
}

/// Judges free text as a store for UUIDs.
fn free_text(column: &Column) -> Fit {
    let distinguishes = column
        .collation
        .as_ref()
        .is_some_and(|c| matches!(c.equality, Equality::Bytes | Equality::CaseSensitive));
    if distinguishes {
        let impact = "The same UUID in upper and in lower case is stored as two different values.";
        one(TypeAspect::Type, Degree::Ambiguous, impact)
    } else {
        unrelated(&column.ty.data)
    }
}

fn time(wanted: u32, found: &DataType) -> Fit {
    match found {
        DataType::DateTime { precision } | DataType::Timestamp { precision, .. } => {
            fraction(wanted, precision.unwrap_or(0))
        }
        DataType::Date => narrower(TypeAspect::Type, "The time of day is lost when a row is written."),
        other => unrelated(other),
    }
}

fn pinned_datetime(wanted: u32, found: &DataType) -> Fit {
    match found {
        DataType::Timestamp { .. } => one(
            TypeAspect::Type,
            Degree::Unrelated,
            "A timestamp is converted between UTC and the time zone of each session, and ends in January 2038.",
        ),
        _ => time(wanted, found),
    }
}

fn pinned_timestamp(wanted: Option<u32>, found: &DataType) -> Fit {
    match found {
        DataType::Timestamp { precision, .. } => {
            let found = precision.unwrap_or(0);
            match wanted {
                Some(wanted) if wanted != found => fraction(wanted, found),
                _ if found == 0 => one(
                    TypeAspect::Precision,
                    Degree::Note,
                    "Fractions of a second are not kept, and the type ends in January 2038.",
                ),
                _ => Fit::new(),
            }
        }
        DataType::DateTime { .. } => one(
            TypeAspect::Type,
            Degree::Unrelated,
            "A datetime is stored as written, without conversion from the session's time zone to UTC.",
        ),
        other => time(wanted.unwrap_or(0), other),
    }
}

fn text(wanted: &DataType, pinned: bool, column: &Column) -> Fit {
    let found = &column.ty.data;
    let Some(promised) = promise(wanted) else {
        return Fit::new();
    };
    match found {
        DataType::Char(n) => match wanted {
            DataType::Char(m) => length(*m, *n, "characters"),
            _ if u64::from(*n) < promised => length(u32::try_from(promised).unwrap_or(u32::MAX), *n, "characters"),
            _ => narrower(TypeAspect::Type, "Blanks at the end of a value are lost."),
        },
        DataType::Varchar(n) => {
            let n = n.unwrap_or(u32::MAX);
            match wanted {
                DataType::Varchar(Some(m)) => length(*m, n, "characters"),
                DataType::Char(m) if n >= *m => wider(
                    TypeAspect::Type,
                    "Values shorter than the promised length are kept as they are, with their blanks.",
                ),
                _ => length(u32::try_from(promised).unwrap_or(u32::MAX), n, "characters"),
            }
        }
        other if text_bytes(other).is_some() => text_family(wanted, pinned, promised, other),
        DataType::Json => narrower(TypeAspect::Type, "Text that is not JSON is refused."),
        DataType::Other(spelling) if column.allowed_values.is_some() => {
            narrower(TypeAspect::Type, format!("Only the values of {spelling} are accepted."))
        }
        other => unrelated(other),
    }
}

/// Returns how many characters or bytes a text type promises to hold.
fn promise(wanted: &DataType) -> Option<u64> {
    match wanted {
        DataType::Char(n) | DataType::Varchar(Some(n)) => Some(u64::from(*n)),
        // What the smallest unlimited store of this server holds.
        DataType::Varchar(None) => text_bytes(&DataType::Text),
        family => text_bytes(family),
    }
}

fn text_family(wanted: &DataType, pinned: bool, promised: u64, found: &DataType) -> Fit {
    let holds = text_bytes(found).unwrap_or(0);
    if holds < promised {
        let impact = format!("Values longer than {holds} bytes are refused, or cut without strict mode.");
        return narrower(TypeAspect::Length, impact);
    }
    match wanted {
        DataType::Char(_) | DataType::Varchar(Some(_)) => wider(
            TypeAspect::Type,
            format!(
                "The length is not limited to what is promised: {found} takes up to {holds} bytes, and cannot be indexed as a whole."
            ),
        ),
        // A pinned type is exact; otherwise one unlimited text is as good as another.
        _ if pinned && wanted != found => {
            wider(TypeAspect::Type, format!("Values of up to {holds} bytes are accepted."))
        }
        _ => Fit::new(),
    }
}

fn integer(wanted: &DataType, ty: &NativeType) -> Fit {
    let bits = integer_bits(wanted).unwrap_or(64);
    match (&ty.data, integer_bits(&ty.data)) {
        (_, Some(found)) if found < bits => {
            // What an unsigned type gains above, it loses below zero.
            let limit = if ty.unsigned {
                (1_u64 << found) - 1
            } else {
                (1_u64 << (found - 1)) - 1
            };
            narrower(TypeAspect::Type, format!("Numbers above {limit} are refused."))
        }
        (_, Some(_)) if ty.unsigned => wider(
            TypeAspect::Type,
            "Negative numbers are refused, and numbers are accepted that are too large for the service to read.",
        ),
        (_, Some(found)) if found > bits => wider(
            TypeAspect::Type,
            "Numbers are accepted that are too large for the service to read.",
        ),
        (_, Some(_)) => Fit::new(),
        (
            DataType::Numeric {
                precision: Some(p),
                scale: Some(0),
            },
            None,
        ) if *p >= digits(bits) => wider(
            TypeAspect::Type,
            "Numbers are accepted that are too large for the service to read, and clients read decimals differently.",
        ),
        (other, None) => unrelated(other),
    }
}

/// Returns how many decimal digits the largest number of so many bits has.
fn digits(bits: u32) -> u32 {
    match bits {
        8 => 3,
        16 => 5,
        24 => 7,
        32 => 10,
        _ => 19,
    }
}

fn boolean(ty: &NativeType) -> Fit {
    match &ty.data {
        DataType::TinyInt if ty.width == Some(1) && !ty.unsigned => Fit::new(),
        data if integer_bits(data).is_some() => wider(
            TypeAspect::Type,
            "Other numbers than 0 and 1 are accepted, and clients take only tinyint(1) for a truth value.",
        ),
        other => unrelated(other),
    }
}

fn numeric(wanted: Option<(u32, u32)>, ty: &NativeType) -> Fit {
    let DataType::Numeric { precision, scale } = &ty.data else {
        return unrelated(&ty.data);
    };
    let (found_p, found_s) = (precision.unwrap_or(10), scale.unwrap_or(0));
    let mut fit = match wanted {
        // This server has no unlimited decimal. Without a fraction the promise is broken all the same.
        None if found_s == 0 => narrower(TypeAspect::Precision, "Fractions are rounded away."),
        None => Fit::new(),
        Some((p, s)) if found_s < s => {
            let _ = p;
            narrower(
                TypeAspect::Precision,
                format!("Fractions are rounded to {found_s} digits."),
            )
        }
        Some((p, s)) if found_p - found_s.min(found_p) < p - s => narrower(
            TypeAspect::Precision,
            format!(
                "Numbers of more than {} digits before the point are refused.",
                found_p - found_s.min(found_p)
            ),
        ),
        Some((p, s)) if (found_p, found_s) != (p, s) => wider(
            TypeAspect::Precision,
            "More digits are kept than is promised to readers, so sums may differ in the last digits.",
        ),
        Some(_) => Fit::new(),
    };
    if ty.unsigned {
        fit.extend(narrower(TypeAspect::Type, "Negative numbers are refused."));
    }
    fit
}

fn floating(wanted: &DataType, ty: &NativeType) -> Fit {
    match (wanted, &ty.data) {
        (DataType::Real, DataType::Real) | (DataType::Double, DataType::Double) => Fit::new(),
        (DataType::Real, DataType::Double) => wider(
            TypeAspect::Precision,
            "More digits are kept than is promised to readers.",
        ),
        (_, DataType::Real) => narrower(TypeAspect::Precision, "Numbers are rounded to about 7 digits."),
        (_, other) => unrelated(other),
    }
}

fn bytes(ty: &NativeType) -> Fit {
    match &ty.data {
        DataType::Bytes if ty.spelling.eq_ignore_ascii_case("tinyblob") => narrower(
            TypeAspect::Length,
            "Values longer than 255 bytes are refused, or cut without strict mode.",
        ),
        DataType::Bytes => Fit::new(),
        DataType::Varbinary(n) => {
            let impact = format!("Values longer than {n} bytes are refused, or cut without strict mode.");
            narrower(TypeAspect::Length, impact)
        }
        other => unrelated(other),
    }
}

fn binary(wanted: &DataType, promised: u32, found: &DataType) -> Fit {
    match (wanted, found) {
        (DataType::Binary(_), DataType::Binary(n)) | (DataType::Varbinary(_), DataType::Varbinary(n)) => {
            length(promised, *n, "bytes")
        }
        (DataType::Binary(_), DataType::Varbinary(n)) if *n >= promised => {
            wider(TypeAspect::Type, "Byte strings of other lengths are accepted as well.")
        }
        (DataType::Varbinary(_), DataType::Binary(_)) => {
            narrower(TypeAspect::Type, "Shorter values are filled up with zero bytes.")
        }
        (_, DataType::Bytes) => wider(TypeAspect::Type, "Byte strings of other lengths are accepted as well."),
        (_, other) => unrelated(other),
    }
}

fn json(ty: &NativeType) -> Fit {
    match &ty.data {
        DataType::Json => Fit::new(),
        DataType::Text | DataType::MediumText | DataType::LongText => {
            wider(TypeAspect::Type, "Text that is not JSON is accepted.")
        }
        other => unrelated(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::collation::collation;
    use super::super::types::{enum_values, parse_type};
    use super::*;
    use Degree::{Ambiguous, Narrower, Note, Unrelated, Wider};
    use TypeAspect::{Length, Precision, Type};

    fn column(spelling: &str, collated: &str) -> Column {
        let mut ty = parse_type(spelling);
        if spelling == "json" {
            ty.data = DataType::Json;
        }
        Column {
            collation: is_text(&ty.data).then(|| collation(collated, None, false)),
            allowed_values: enum_values(spelling),
            ..Column::plain("c", ty)
        }
    }

    fn judge(wanted: &str, pinned: bool, found: &str) -> Vec<(TypeAspect, Degree)> {
        let desired = DesiredType {
            data: wanted.parse().unwrap(),
            pinned,
        };
        let fit = fit(&desired, &column(found, "utf8mb4_general_ci"));
        assert!(
            fit.iter().all(|m| m.impact.ends_with('.')),
            "{wanted} in {found}: impacts are sentences"
        );
        fit.into_iter().map(|m| (m.aspect, m.degree)).collect()
    }

    #[test]
    fn free_choice_of_storage() {
        for (wanted, found, misfit) in [
            ("uuid", "char(36)", None),
            ("uuid", "binary(16)", None),
            ("uuid", "uuid", None),
            ("uuid", "varchar(36)", Some((Type, Wider))),
            ("uuid", "char(32)", Some((Type, Unrelated))),
            ("uuid", "text", Some((Type, Unrelated))),
            ("uuid", "bigint(20)", Some((Type, Unrelated))),
            ("varchar(160)", "varchar(160)", None),
            ("varchar(160)", "varchar(60)", Some((Length, Narrower))),
            ("varchar(160)", "varchar(255)", Some((Length, Wider))),
            ("varchar(160)", "text", Some((Type, Wider))),
            ("varchar(120)", "tinytext", Some((Type, Wider))),
            ("varchar(300)", "tinytext", Some((Length, Narrower))),
            ("varchar(160)", "char(160)", Some((Type, Narrower))),
            ("varchar(40)", "enum('Processed')", Some((Type, Narrower))),
            ("varchar(40)", "int(11)", Some((Type, Unrelated))),
            ("varchar(40)", "varbinary(40)", Some((Type, Unrelated))),
            ("text", "text", None),
            ("text", "longtext", None),
            ("text", "varchar(255)", Some((Length, Narrower))),
            ("text", "tinytext", Some((Length, Narrower))),
            ("integer", "int(11)", None),
            ("integer", "int", None),
            ("integer", "int(10) unsigned", Some((Type, Wider))),
            ("integer", "bigint(20)", Some((Type, Wider))),
            ("integer", "smallint(6)", Some((Type, Narrower))),
            ("integer", "smallint(5) unsigned", Some((Type, Narrower))),
            ("integer", "varchar(80)", Some((Type, Unrelated))),
            ("bigint", "bigint(20) unsigned", Some((Type, Wider))),
            ("bigint", "decimal(20,0)", Some((Type, Wider))),
            ("boolean", "tinyint(1)", None),
            ("boolean", "tinyint(4)", Some((Type, Wider))),
            ("boolean", "tinyint", Some((Type, Wider))),
            ("boolean", "bit(1)", Some((Type, Unrelated))),
            ("timestamptz", "datetime(6)", None),
            ("timestamptz", "timestamp(6)", None),
            ("timestamptz", "datetime", Some((Precision, Narrower))),
            ("timestamptz", "date", Some((Type, Narrower))),
            ("timestamptz", "varchar(40)", Some((Type, Unrelated))),
            ("timestamp(3)", "datetime(6)", Some((Precision, Wider))),
            ("numeric(18,2)", "decimal(18,2)", None),
            ("numeric(18,2)", "decimal(20,2)", Some((Precision, Wider))),
            ("numeric(18,2)", "decimal(18,4)", Some((Precision, Narrower))),
            ("numeric(18,6)", "decimal(18,0)", Some((Precision, Narrower))),
            ("numeric", "decimal(65,30)", None),
            ("numeric(18,2)", "double", Some((Type, Unrelated))),
            ("double", "double", None),
            ("double", "float", Some((Precision, Narrower))),
            ("bytea", "longblob", None),
            ("bytea", "varbinary(64)", Some((Length, Narrower))),
            ("jsonb", "json", None),
            ("jsonb", "longtext", Some((Type, Wider))),
            ("date", "date", None),
            ("date", "datetime(6)", Some((Type, Wider))),
        ] {
            assert_eq!(
                judge(wanted, false, found),
                Vec::from_iter(misfit),
                "{wanted} in {found}"
            );
        }
    }

    #[test]
    fn pinned_types_are_exact() {
        for (wanted, found, misfit) in [
            ("char(36)", "char(36)", None),
            ("char(36)", "uuid", Some((Type, Wider))),
            ("char(36)", "varchar(36)", Some((Type, Wider))),
            ("char(36)", "text", Some((Type, Unrelated))),
            ("char(36)", "binary(16)", Some((Type, Ambiguous))),
            ("char(36)", "char(20)", Some((Length, Narrower))),
            ("binary(16)", "binary(16)", None),
            ("binary(16)", "char(36)", Some((Type, Ambiguous))),
            ("binary(16)", "uuid", Some((Type, Wider))),
            ("uuid", "char(36)", Some((Type, Wider))),
            ("datetime(6)", "datetime(6)", None),
            ("datetime(6)", "datetime", Some((Precision, Narrower))),
            ("datetime(6)", "timestamp", Some((Type, Unrelated))),
            ("datetime", "datetime", None),
            ("timestamp", "timestamp", Some((Precision, Note))),
            ("timestamp", "timestamp(6)", None),
            ("timestamp(6)", "timestamp", Some((Precision, Narrower))),
            ("timestamp", "datetime(6)", Some((Type, Unrelated))),
            ("text", "text", None),
            ("text", "longtext", Some((Type, Wider))),
            ("longtext", "text", Some((Length, Narrower))),
            ("varchar(160)", "varchar(160)", None),
        ] {
            assert_eq!(
                judge(wanted, true, found),
                Vec::from_iter(misfit),
                "{wanted} in {found}"
            );
        }
    }

    #[test]
    fn text_whose_collation_tells_letter_case_makes_a_uuid_ambiguous() {
        let desired = DesiredType {
            data: DataType::Uuid,
            pinned: false,
        };
        assert_eq!(fit(&desired, &column("text", "utf8mb4_bin"))[0].degree, Ambiguous);
        assert_eq!(
            fit(&desired, &column("text", "utf8mb4_general_ci"))[0].degree,
            Unrelated
        );
    }
}
