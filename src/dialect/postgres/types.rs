//! Spellings of types, and how one type serves for another.

use crate::dialect::{Degree, Fit, Misfit, TypeAspect};
use crate::schema::{Column, DataType};

/// Fraction digits of a second that PostgreSQL keeps where none are written.
const DEFAULT_PRECISION: u32 = 6;

/// Reads a type as `format_type` prints it while `pg_catalog` is the search path.
///
/// Types outside of `pg_catalog` come out qualified, so an enum named `uuid` is never taken for the real one.
pub(crate) fn parse_type(spelling: &str) -> DataType {
    // One that is restricted to some fields or digits is another type.
    if spelling == "interval(6)" {
        return DataType::Interval;
    }
    spelling
        .parse()
        .unwrap_or_else(|_| DataType::Other(spelling.to_owned()))
}

/// Returns the type that stores a desired one here: types that only other servers have are replaced.
pub(super) fn native(data: &DataType) -> DataType {
    match data {
        DataType::TinyInt => DataType::SmallInt,
        DataType::MediumInt => DataType::Integer,
        DataType::TinyText | DataType::MediumText | DataType::LongText => DataType::Text,
        DataType::Binary(_) | DataType::Varbinary(_) => DataType::Bytes,
        DataType::DateTime { precision } => DataType::Timestamp {
            precision: *precision,
            zoned: false,
        },
        other => other.clone(),
    }
}

/// Returns the server's own spelling of a type.
pub(super) fn spell(data: &DataType) -> String {
    let times = |name: &str, precision: Option<u32>, zoned: bool| {
        let digits = precision.map(|p| format!("({p})")).unwrap_or_default();
        let zone = if zoned { "with time zone" } else { "without time zone" };
        format!("{name}{digits} {zone}")
    };
    match data {
        DataType::Varchar(None) => "character varying".to_owned(),
        DataType::Varchar(Some(n)) => format!("character varying({n})"),
        DataType::Char(n) => format!("character({n})"),
        DataType::Double => "double precision".to_owned(),
        DataType::Timestamp { precision, zoned } => times("timestamp", *precision, *zoned),
        DataType::Time { precision, zoned } => times("time", *precision, *zoned),
        other => other.to_string(),
    }
}

/// Says how a column's type serves a desired one.
pub(super) fn fit(desired: &DataType, column: &Column) -> Fit {
    let mut fit = base_fit(desired, column);
    if let Some(outermost) = column.ty.domains.first() {
        fit.push(Misfit {
            aspect: TypeAspect::Type,
            degree: Degree::Note,
            impact: format!(
                "The type is the domain {}: a change of the domain changes this column.",
                chain(&outermost.name, column)
            ),
        });
    }
    fit
}

/// Writes `outer over inner over base`.
fn chain(outermost: &str, column: &Column) -> String {
    let mut text = outermost.to_owned();
    for domain in column.ty.domains.iter().skip(1) {
        text.push_str(" over ");
        text.push_str(&domain.name);
    }
    text.push_str(" over ");
    text.push_str(&spell(&column.ty.data));
    text
}

fn base_fit(desired: &DataType, column: &Column) -> Fit {
    use DataType::{Char, Double, Interval, Numeric, Real, Text, Time, Timestamp, Uuid, Varchar};
    let found = &column.ty.data;
    match (desired, found) {
        (a, b) if a == b => Vec::new(),
        (Varchar(a), Varchar(b)) => length_fit(*a, *b),
        (Char(a), Char(b)) => length_fit(Some(*a), Some(*b)),
        (Text, Varchar(None)) | (Varchar(None), Text) => one(
            TypeAspect::Type,
            Degree::Note,
            "text and varchar without a limit hold the same values.",
        ),
        (Text, Varchar(Some(n))) => one(
            TypeAspect::Length,
            Degree::Narrower,
            format!("Values longer than {n} characters are refused."),
        ),
        (Timestamp { precision: a, zoned: x }, Timestamp { precision: b, zoned: y })
        | (Time { precision: a, zoned: x }, Time { precision: b, zoned: y })
            if x == y =>
        {
            time_fit(*a, *b)
        }
        (Timestamp { zoned: true, .. }, Timestamp { zoned: false, .. }) => one(
            TypeAspect::Type,
            Degree::Unrelated,
            "The time zone is not kept: an instant is stored as a local time and read back in each session's own zone.",
        ),
        (Timestamp { zoned: false, .. }, Timestamp { zoned: true, .. }) => one(
            TypeAspect::Type,
            Degree::Unrelated,
            "Times without a zone are read as instants in each session's own zone and shift when it differs.",
        ),
        (Numeric { precision: a, scale: x }, Numeric { precision: b, scale: y }) => {
            numeric_fit(digits(*a, *x), digits(*b, *y))
        }
        (Double, Real) => one(
            TypeAspect::Precision,
            Degree::Narrower,
            "Only about 6 significant digits are kept instead of 15.",
        ),
        (Real, Double) => one(
            TypeAspect::Precision,
            Degree::Wider,
            "More digits are kept than readers of a real can hold.",
        ),
        (Interval, DataType::Other(spelling)) if spelling.starts_with("interval") => interval_fit(spelling),
        (Uuid, stored) if is_loose_uuid(stored) => one(TypeAspect::Type, Degree::Ambiguous, loose_uuid(stored)),
        _ => match (integer_limit(desired), integer_limit(found)) {
            (Some(a), Some(b)) => integer_fit(desired, a, b),
            _ => one(TypeAspect::Type, Degree::Unrelated, unrelated(desired, column)),
        },
    }
}

fn one(aspect: TypeAspect, degree: Degree, impact: impl Into<String>) -> Fit {
    vec![Misfit {
        aspect,
        degree,
        impact: impact.into(),
    }]
}

fn length_fit(desired: Option<u32>, found: Option<u32>) -> Fit {
    let (degree, impact) = match (desired, found) {
        (Some(wanted), None) => (
            Degree::Narrower,
            format!("The limit of {wanted} characters is not enforced at all: values of any length are stored."),
        ),
        (Some(wanted), Some(limit)) if limit > wanted => (
            Degree::Wider,
            format!("Values of {wanted} to {limit} characters, which the spec rules out, are stored."),
        ),
        (_, Some(limit)) => (
            Degree::Narrower,
            format!("Values longer than {limit} characters are refused."),
        ),
        (None, None) => return Vec::new(),
    };
    one(TypeAspect::Length, degree, impact)
}

fn time_fit(desired: Option<u32>, found: Option<u32>) -> Fit {
    let wanted = desired.unwrap_or(DEFAULT_PRECISION);
    let kept = found.unwrap_or(DEFAULT_PRECISION);
    match kept.cmp(&wanted) {
        std::cmp::Ordering::Equal => Vec::new(),
        std::cmp::Ordering::Less => one(
            TypeAspect::Precision,
            Degree::Narrower,
            format!("Times are rounded to {kept} digits after the second's point instead of {wanted}."),
        ),
        std::cmp::Ordering::Greater => one(
            TypeAspect::Precision,
            Degree::Wider,
            format!("Times keep {kept} digits after the second's point instead of {wanted}."),
        ),
    }
}

/// Judges `interval day to hour` or `interval second(3)`: what is finer than the last field is cut off, coarser parts
/// are kept.
fn interval_fit(spelling: &str) -> Fit {
    let (fields, digits) = spelling.split_once('(').unwrap_or((spelling, ")"));
    let last = fields.split_whitespace().last().unwrap_or_default();
    if !matches!(last, "second" | "interval") {
        let impact = format!("Whatever of an interval is smaller than one {last} is cut off without an error.");
        return one(TypeAspect::Precision, Degree::Narrower, impact);
    }
    match digits.trim_end_matches(')').parse::<u32>() {
        Ok(digits) if digits < DEFAULT_PRECISION => one(
            TypeAspect::Precision,
            Degree::Narrower,
            format!(
                "Intervals are rounded to {digits} digits after the second's point instead of {DEFAULT_PRECISION}."
            ),
        ),
        _ => one(
            TypeAspect::Type,
            Degree::Note,
            "It holds the same intervals; only a bare number or time in a text is read in other fields.",
        ),
    }
}

/// Digits before and after the point; nothing for an unconstrained number.
fn digits(precision: Option<u32>, scale: Option<u32>) -> Option<(u32, u32)> {
    let scale = scale.unwrap_or(0);
    precision.map(|p| (p.saturating_sub(scale), scale))
}

fn numeric_fit(desired: Option<(u32, u32)>, found: Option<(u32, u32)>) -> Fit {
    let (degree, impact) = match (desired, found) {
        (None, None) => return Vec::new(),
        (Some((_, scale)), None) => (
            Degree::Narrower,
            format!("Numbers are stored as they come: nothing is rounded to {scale} digits after the point."),
        ),
        (None, Some((whole, scale))) => (
            Degree::Narrower,
            format!(
                "Numbers of more than {whole} digits are refused, and only {scale} digits after the point are kept."
            ),
        ),
        (Some((_, wanted)), Some((_, kept))) if kept < wanted => (
            Degree::Narrower,
            format!("Numbers are rounded to {kept} digits after the point instead of {wanted}."),
        ),
        (Some((wanted, _)), Some((whole, _))) if whole < wanted => (
            Degree::Narrower,
            format!("Numbers of more than {whole} digits before the point are refused."),
        ),
        (Some(wanted), Some(kept)) if wanted == kept => return Vec::new(),
        (Some((wanted, scale)), Some(_)) => (
            Degree::Wider,
            format!("Numbers beyond {wanted} digits before and {scale} after the point are stored."),
        ),
    };
    one(TypeAspect::Precision, degree, impact)
}

fn integer_limit(data: &DataType) -> Option<i64> {
    match data {
        DataType::SmallInt => Some(i64::from(i16::MAX)),
        DataType::Integer => Some(i64::from(i32::MAX)),
        DataType::BigInt => Some(i64::MAX),
        _ => None,
    }
}

fn integer_fit(desired: &DataType, wanted: i64, limit: i64) -> Fit {
    if limit < wanted {
        one(
            TypeAspect::Type,
            Degree::Narrower,
            format!("Numbers above {limit} are refused."),
        )
    } else {
        one(
            TypeAspect::Type,
            Degree::Wider,
            format!("Numbers above {wanted} are stored, which readers of {desired} cannot hold."),
        )
    }
}

/// Returns whether a type can hold one UUID in several forms that the server takes for different values.
fn is_loose_uuid(data: &DataType) -> bool {
    matches!(
        data,
        DataType::Bytes | DataType::Text | DataType::Varchar(_) | DataType::Char(_)
    )
}

fn loose_uuid(data: &DataType) -> String {
    if *data == DataType::Bytes {
        "Any bytes are accepted, and writers differ in the byte order of a UUID: one identifier can be stored in two \
         forms that count as different."
            .to_owned()
    } else {
        "Any text is accepted and letter case counts: one identifier can be stored in several spellings (upper case, \
         braces, without dashes) that count as different."
            .to_owned()
    }
}

fn unrelated(desired: &DataType, column: &Column) -> String {
    if let Some(values) = &column.allowed_values {
        return format!(
            "Values outside the list ({}) are refused, and drivers that send text need a mapping for the enum type.",
            values.join(", ")
        );
    }
    match (desired, &column.ty.data) {
        (DataType::Varchar(Some(n)), DataType::Text) => {
            format!("The limit of {n} characters is not enforced: values of any length are stored.")
        }
        (_, DataType::Char(n)) if crate::dialect::is_text(desired) => {
            format!("Values come back padded with blanks to {n} characters, and trailing blanks do not count.")
        }
        (_, DataType::Other(name)) if name == "\"char\"" => {
            "One byte is kept: longer values are cut without an error.".to_owned()
        }
        (_, DataType::Other(name)) if is_citext(name) => {
            "No length is enforced, and texts that differ only in letter case count as equal.".to_owned()
        }
        (DataType::Jsonb, DataType::Json) | (DataType::Json, DataType::Jsonb) => {
            "json keeps the text as written and cannot be compared; jsonb keeps the value alone.".to_owned()
        }
        (DataType::Boolean, _) => {
            format!(
                "A truth value is not accepted as {}: statements of the service fail.",
                column.ty.spelling
            )
        }
        _ => format!(
            "Values are stored and compared as {}: statements and readers made for {desired} fail or see other values.",
            column.ty.spelling
        ),
    }
}

/// Returns whether a type name, qualified or not, is that of the `citext` extension.
fn is_citext(name: &str) -> bool {
    name.rsplit('.').next() == Some("citext")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Domain, NativeType};

    fn column(spelling: &str) -> Column {
        let ty = NativeType {
            spelling: spelling.to_owned(),
            ..NativeType::plain(parse_type(spelling))
        };
        Column::plain("c", ty)
    }

    fn judge(desired: &str, found: &str) -> Vec<(TypeAspect, Degree)> {
        let desired: DataType = desired.parse().unwrap();
        fit(&native(&desired), &column(found))
            .into_iter()
            .map(|m| (m.aspect, m.degree))
            .collect()
    }

    #[test]
    fn spellings_of_one_type_fit_perfectly() {
        for (desired, found) in [
            ("uuid", "uuid"),
            ("varchar(160)", "character varying(160)"),
            ("int4", "integer"),
            ("timestamptz", "timestamp with time zone"),
            ("timestamptz", "timestamp(6) with time zone"),
            ("timestamptz(6)", "timestamp with time zone"),
            ("timestamp", "timestamp without time zone"),
            ("decimal(18,2)", "numeric(18,2)"),
            ("numeric(18)", "numeric(18,0)"),
            ("bool", "boolean"),
            ("double", "double precision"),
            ("tinyint", "smallint"),
            ("datetime(6)", "timestamp without time zone"),
            ("binary(16)", "bytea"),
            ("longtext", "text"),
            ("interval", "interval"),
        ] {
            assert_eq!(judge(desired, found), [], "{desired} in {found}");
        }
    }

    #[test]
    fn the_direction_of_a_difference_decides() {
        use Degree::{Ambiguous, Narrower, Note, Unrelated, Wider};
        use TypeAspect::{Length, Precision, Type};
        for (desired, found, aspect, degree) in [
            ("varchar(160)", "character varying(120)", Length, Narrower),
            ("varchar(40)", "character varying(64)", Length, Wider),
            ("varchar(160)", "character varying", Length, Narrower),
            ("varchar", "character varying(10)", Length, Narrower),
            ("varchar(160)", "text", Type, Unrelated),
            ("varchar(160)", "character(160)", Type, Unrelated),
            ("varchar(160)", "public.citext", Type, Unrelated),
            ("varchar(40)", "public.ledger_outcome", Type, Unrelated),
            ("varchar(40)", "\"char\"", Type, Unrelated),
            ("text", "character varying", Type, Note),
            ("text", "character varying(10)", Length, Narrower),
            ("timestamptz", "timestamp without time zone", Type, Unrelated),
            ("timestamp", "timestamp with time zone", Type, Unrelated),
            ("timestamptz", "timestamp(3) with time zone", Precision, Narrower),
            ("timestamptz(3)", "timestamp with time zone", Precision, Wider),
            ("integer", "smallint", Type, Narrower),
            ("integer", "bigint", Type, Wider),
            ("numeric(18,2)", "numeric", Precision, Narrower),
            ("numeric(18,6)", "numeric(18,0)", Precision, Narrower),
            ("numeric(18,2)", "numeric(10,2)", Precision, Narrower),
            ("numeric(10,2)", "numeric(18,2)", Precision, Wider),
            ("double", "real", Precision, Narrower),
            ("boolean", "smallint", Type, Unrelated),
            ("uuid", "bytea", Type, Ambiguous),
            ("uuid", "text", Type, Ambiguous),
            ("uuid", "character varying(36)", Type, Ambiguous),
            ("uuid", "character(36)", Type, Ambiguous),
            ("uuid", "public.uuid", Type, Unrelated),
            ("jsonb", "json", Type, Unrelated),
            ("interval", "interval year to month", Precision, Narrower),
            ("interval", "interval day to hour", Precision, Narrower),
            ("interval", "interval day to second(3)", Precision, Narrower),
            ("interval", "interval(0)", Precision, Narrower),
            ("interval", "interval day to second", Type, Note),
            ("interval", "interval second(6)", Type, Note),
            ("interval", "text", Type, Unrelated),
            ("integer", "character varying(80)", Type, Unrelated),
        ] {
            assert_eq!(judge(desired, found), [(aspect, degree)], "{desired} in {found}");
        }
    }

    #[test]
    fn a_domain_over_the_right_type_is_a_note_that_names_the_chain() {
        let mut column = column("character varying(40)");
        column.ty.domains = ["outcome_text", "short_text"].map(Domain::plain).to_vec();
        let fit = fit(&DataType::Varchar(Some(40)), &column);
        assert_eq!(fit.len(), 1);
        assert_eq!(fit[0].degree, Degree::Note);
        assert!(
            fit[0]
                .impact
                .contains("outcome_text over short_text over character varying(40)"),
            "{}",
            fit[0].impact
        );
    }

    #[test]
    fn an_enum_says_which_values_it_takes() {
        let mut column = column("public.ledger_outcome");
        column.allowed_values = Some(vec!["Processed".to_owned(), "Stale".to_owned()]);
        let fit = fit(&DataType::Varchar(Some(40)), &column);
        assert!(fit[0].impact.contains("Processed, Stale"), "{}", fit[0].impact);
    }

    #[test]
    fn types_of_other_schemas_and_arrays_are_no_base_types() {
        for spelling in [
            "public.uuid",
            "character varying(40)[]",
            "bit varying(5)",
            "\"char\"",
            "bpchar",
            "numeric(3,-2)",
        ] {
            assert_eq!(parse_type(spelling), DataType::Other(spelling.to_owned()));
        }
        assert_eq!(parse_type("interval"), DataType::Interval);
        assert_eq!(parse_type("interval(6)"), DataType::Interval);
    }
}
