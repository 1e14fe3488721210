//! Times that SQLite stores as text, as SeaORM, EF Core and SQLite itself write them.
//!
//! | writer | text |
//! |---|---|
//! | SeaORM | `2026-08-01T12:00:00.123456+00:00`, with no, three, six or nine digits of fraction |
//! | EF Core | `2026-08-01 12:00:00.1234567`, trailing zeros left out; `…+00:00` behind a `DateTimeOffset` |
//! | SQLite | `2026-08-01 12:00:00` |
//!
//! Such texts do not sort by time where forms are mixed: a blank sorts before `T`, `Z` behind a fraction, and an offset
//! changes the hour. So a text bounds the search by its day only, and the row's own time is read before it is removed.

use chrono::{DateTime, Duration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

/// Reads a stored time; nothing if it is none. A text without an offset is in UTC.
pub(super) fn parse(text: &str) -> Option<DateTime<Utc>> {
    let date = NaiveDate::parse_from_str(text.get(..10)?, "%Y-%m-%d").ok()?;
    let rest = match text.get(10..) {
        None | Some("") => return Some(date.and_time(NaiveTime::MIN).and_utc()),
        Some(rest) => rest.strip_prefix([' ', 'T'])?,
    };
    let end = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (time, offset) = rest.split_at(end);
    let time = NaiveTime::parse_from_str(time, "%H:%M:%S%.f").ok()?;
    let local = NaiveDateTime::new(date, time);
    let offset = match offset {
        "" | "Z" => return Some(local.and_utc()),
        offset => offset.parse::<FixedOffset>().ok()?,
    };
    local.and_local_timezone(offset).single().map(|time| time.to_utc())
}

/// Writes a time as SeaORM does, always with six digits of fraction: texts of this form sort by time.
pub(super) fn print(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// Returns a text that sorts behind every stored form of every time before `cutoff`.
///
/// An offset moves a text's date by one day at most; the day after that bounds it.
pub(super) fn text_above(cutoff: DateTime<Utc>) -> String {
    let day = cutoff.date_naive().checked_add_signed(Duration::days(2));
    day.unwrap_or(NaiveDate::MAX).format("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(text: &str) -> Option<i64> {
        parse(text).map(|time| time.timestamp_micros())
    }

    #[test]
    fn every_writers_form_is_the_same_instant() {
        let expected = Some(1_785_585_600_500_000);
        for text in [
            "2026-08-01T12:00:00.500+00:00",
            "2026-08-01T12:00:00.500000+00:00",
            "2026-08-01 12:00:00.5",
            "2026-08-01 12:00:00.5000000",
            "2026-08-01T12:00:00.5Z",
            "2026-08-01 14:00:00.5+02:00",
            "2026-08-01T01:30:00.5-10:30",
        ] {
            assert_eq!(micros(text), expected, "{text}");
        }
        assert_eq!(micros("2026-08-01"), Some(1_785_542_400_000_000));
    }

    #[test]
    fn what_is_no_time_is_not_guessed() {
        for text in [
            "",
            "now",
            "1785585600",
            "2026-08-01x12:00:00",
            "2026-13-01 00:00:00",
            "2026-08-01 12:00:00 CET",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn printed_times_sort_and_are_read_back() {
        let early = DateTime::from_timestamp_micros(1_785_585_600_000_000).unwrap();
        let late = DateTime::from_timestamp_micros(1_785_585_600_000_001).unwrap();
        assert!(print(early) < print(late));
        assert_eq!(parse(&print(late)), Some(late));
    }

    #[test]
    fn the_bound_is_above_every_form_of_an_earlier_time() {
        let cutoff = parse("2026-08-01T23:59:59.999999Z").unwrap();
        let bound = text_above(cutoff);
        // The last microsecond before the cut-off, as late as an offset can make its date.
        for text in ["2026-08-02T13:59:59.999998+14:00", "2026-08-01 23:59:59.999998"] {
            assert!(parse(text).unwrap() < cutoff && *text < *bound, "{text}");
        }
    }
}
