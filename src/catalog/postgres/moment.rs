//! What the key of a table that is divided by time gives for a row of the present.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use crate::dialect::postgres::outside_quotes;

use super::bounds::split;

/// Deeper expressions are not read.
const DEEPEST: usize = 8;

/// Returns the value of a key for a row whose times are this one; nothing where that is not known.
pub(super) fn moment(key: &str, times: &[&str], now: NaiveDateTime) -> Option<NaiveDateTime> {
    read(key, times, now, DEEPEST)
}

fn read(key: &str, times: &[&str], now: NaiveDateTime, depth: usize) -> Option<NaiveDateTime> {
    let key = bare(key);
    if times
        .iter()
        .any(|name| *name == key || format!("\"{}\"", name.replace('"', "\"\"")) == key)
    {
        return Some(now);
    }
    let inner = |key: &str| read(key, times, now, depth.checked_sub(1)?);
    if let Some(value) = key.strip_suffix(" AT TIME ZONE 'UTC'::text") {
        return inner(value);
    }
    if let Some(value) = key.strip_suffix("::date") {
        return inner(value).map(midnight);
    }
    if let Some(value) = key.strip_suffix("::timestamp without time zone") {
        return inner(value);
    }
    let (function, arguments) = key.strip_suffix(')')?.split_once('(')?;
    match (function, &split(arguments)[..]) {
        ("date", [value]) => inner(value).map(midnight),
        ("timezone", ["'UTC'::text", value]) => inner(value),
        ("date_trunc", [unit, value] | [unit, value, "'UTC'::text"]) => {
            truncated(unit.strip_suffix("::text")?.trim_matches('\''), inner(value)?)
        }
        _ => None,
    }
}

/// Takes away parentheses around the whole.
fn bare(mut key: &str) -> &str {
    loop {
        key = key.trim();
        let Some(inner) = key.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
            return key;
        };
        // The last parenthesis may belong to another one than the first.
        if outside_quotes(inner).any(|(_, depth, c)| c == ')' && depth == 0) {
            return key;
        }
        key = inner;
    }
}

fn midnight(time: NaiveDateTime) -> NaiveDateTime {
    time.date().and_time(NaiveTime::MIN)
}

fn truncated(unit: &str, time: NaiveDateTime) -> Option<NaiveDateTime> {
    let day = |month: u32, day: u32| Some(NaiveDate::from_ymd_opt(time.year(), month, day)?.and_time(NaiveTime::MIN));
    let whole = time.with_nanosecond(0)?;
    match unit {
        "second" => Some(whole),
        "minute" => whole.with_second(0),
        "hour" => whole.with_second(0)?.with_minute(0),
        "day" => Some(midnight(time)),
        "week" => {
            let back = u64::from(time.weekday().num_days_from_monday());
            midnight(time).checked_sub_days(chrono::Days::new(back))
        }
        "month" => day(time.month(), 1),
        "quarter" => day((time.month() - 1) / 3 * 3 + 1, 1),
        "year" => day(1, 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::read_time;
    use super::*;

    #[test]
    fn a_key_is_computed_for_the_present_or_not_known() {
        let now = read_time("2026-11-18 12:34:56.5").unwrap();
        for (key, expected) in [
            ("At", Some("2026-11-18 12:34:56.5")),
            ("\"At\"", Some("2026-11-18 12:34:56.5")),
            ("(\"At\")::date", Some("2026-11-18")),
            ("((\"At\" AT TIME ZONE 'UTC'::text))::date", Some("2026-11-18")),
            ("date_trunc('month'::text, \"At\")", Some("2026-11-01")),
            (
                "date_trunc('month'::text, (\"At\" AT TIME ZONE 'UTC'::text))",
                Some("2026-11-01"),
            ),
            (
                "date_trunc('quarter'::text, timezone('UTC'::text, \"At\"))",
                Some("2026-10-01"),
            ),
            ("date_trunc('week'::text, \"At\")", Some("2026-11-16")),
            ("date_trunc('hour'::text, \"At\")", Some("2026-11-18 12:00:00")),
            ("(\"At\" - '1 year'::interval)", None),
            (
                "date_trunc('month'::text, (\"At\" AT TIME ZONE 'Asia/Tokyo'::text))",
                None,
            ),
            ("\"Other\"", None),
            ("(\"At\") + (\"At\")", None),
            ("", None),
        ] {
            let expected = expected.map(|text| read_time(text).unwrap());
            assert_eq!(moment(key, &["At"], now), expected, "{key}");
        }
        let deep = format!("{}\"At\"{}", "date(".repeat(99_999), ")".repeat(99_999));
        assert_eq!(moment(&deep, &["At"], now), None);
    }
}
