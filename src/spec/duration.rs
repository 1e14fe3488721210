//! Durations as specs write them: `168h`, `14d`, `P14D`.

use std::time::Duration;

use crate::yaml::shorten;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;

/// A hundred years; leaves room for sums.
const LONGEST: u64 = 36_525 * DAY;

/// A text that is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ParseDurationError {
    /// What is wrong, as a lower-case fragment.
    pub reason: String,
    /// What to write instead.
    pub help: String,
}

/// Parses a duration: whole numbers with the units `w`, `d`, `h`, `m`, `s`, largest first (`1d12h`), or ISO 8601
/// (`P14D`, `PT168H`).
///
/// # Errors
///
/// Months and years are refused, since their length depends on the calendar, and so is everything above 100 years.
pub fn parse_duration(text: &str) -> Result<Duration, ParseDurationError> {
    let seconds = match text.strip_prefix('P') {
        Some(iso) => parse_iso(iso)?,
        None => sum(text, &[('w', WEEK), ('d', DAY), ('h', HOUR), ('m', MINUTE), ('s', 1)])?,
    };
    if seconds > LONGEST {
        return Err(fail("it is longer than 100 years".to_owned()));
    }
    Ok(Duration::from_secs(seconds))
}

/// Prints a duration in the shortest single unit that loses nothing: `168h`, `14d`, `90s`, `0`.
///
/// Days are preferred over hours from two weeks on, as people write them.
pub fn print_duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 => "0".to_owned(),
        s if s.is_multiple_of(DAY) && s >= 2 * WEEK => format!("{}d", s / DAY),
        s if s.is_multiple_of(HOUR) => format!("{}h", s / HOUR),
        s if s.is_multiple_of(MINUTE) => format!("{}m", s / MINUTE),
        s => format!("{s}s"),
    }
}

fn parse_iso(text: &str) -> Result<u64, ParseDurationError> {
    let (days, time) = match text.split_once('T') {
        Some((_, "")) => return Err(fail("nothing follows the `T`".to_owned())),
        Some((days, time)) => (days, Some(time)),
        None => (text, None),
    };
    if days.is_empty() && time.is_none() {
        return Err(fail("nothing follows the `P`".to_owned()));
    }
    let days = if days.is_empty() {
        0
    } else {
        sum(days, &[('W', WEEK), ('D', DAY)])?
    };
    let time = match time {
        Some(time) => sum(time, &[('H', HOUR), ('M', MINUTE), ('S', 1)])?,
        None => 0,
    };
    Ok(days.saturating_add(time))
}

/// Adds up numbers with units, each unit at most once and in the given order.
fn sum(text: &str, units: &[(char, u64)]) -> Result<u64, ParseDurationError> {
    let mut rest = text;
    let mut units = units;
    let mut total: u64 = 0;
    if rest.is_empty() {
        return Err(fail("it is empty".to_owned()));
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, tail) = rest.split_at(digits);
        if number.is_empty() {
            return Err(fail("it does not start with a whole number".to_owned()));
        }
        let word = tail.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
        let mut letters = word.chars();
        let place = match (letters.next(), letters.next()) {
            (None, _) => return Err(fail("it has no unit".to_owned())),
            (Some(unit), None) => units.iter().position(|(name, _)| *name == unit),
            (Some(_), Some(_)) => None,
        };
        let Some(place) = place else {
            return Err(unknown_unit(word));
        };
        let number: u64 = number.parse().unwrap_or(u64::MAX);
        total = total.saturating_add(number.saturating_mul(units[place].1));
        units = &units[place + 1..];
        rest = &tail[word.len()..];
    }
    Ok(total)
}

fn unknown_unit(word: &str) -> ParseDurationError {
    let unit = word.trim().to_lowercase();
    if ["mo", "mon", "month", "months", "y", "yr", "year", "years"].contains(&unit.as_str()) || word == "M" {
        return ParseDurationError {
            reason: "months and years have no fixed length".to_owned(),
            help: "write days: `30d`, `365d`".to_owned(),
        };
    }
    if word == "." || word == "," {
        return fail("only whole numbers are allowed".to_owned());
    }
    fail(format!("`{}` is not a unit here", shorten(word.trim())))
}

fn fail(reason: String) -> ParseDurationError {
    ParseDurationError {
        reason,
        help: "write a number with `d`, `h`, `m` or `s`, for example `168h` or `14d`, or ISO 8601: `P14D`".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_both_notations() {
        for (text, seconds) in [
            ("168h", 604_800),
            ("14d", 1_209_600),
            ("30m", 1_800),
            ("45s", 45),
            ("2w", 1_209_600),
            ("1d12h", 129_600),
            ("P14D", 1_209_600),
            ("PT168H", 604_800),
            ("P1DT12H30M5S", 131_405),
            ("P2W", 1_209_600),
            ("0s", 0),
            ("36525d", 36_525 * 86_400),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn what_has_no_fixed_length_or_no_unit_is_refused() {
        for (text, reason) in [
            ("P1M", "no fixed length"),
            ("P1Y", "no fixed length"),
            ("1y", "no fixed length"),
            ("6months", "no fixed length"),
            ("3 months", "no fixed length"),
            ("30M", "no fixed length"),
            ("168", "no unit"),
            ("14 days", "not a unit"),
            ("1.5h", "whole numbers"),
            ("-5m", "whole number"),
            ("12h1d", "not a unit"),
            ("1h1h", "not a unit"),
            ("", "empty"),
            ("P", "nothing follows"),
            ("PT", "nothing follows"),
            ("P1DT", "nothing follows"),
            ("PT1D", "not a unit"),
            ("h", "whole number"),
            ("1.5.2h", "whole numbers"),
            ("36526d", "100 years"),
            ("99999999999999999999999d", "100 years"),
        ] {
            let error = parse_duration(text).unwrap_err();
            assert!(error.reason.contains(reason), "{text}: {}", error.reason);
        }
    }

    #[test]
    fn a_printed_duration_reads_back() {
        for text in ["168h", "14d", "5m", "90s", "30d", "1h"] {
            assert_eq!(print_duration(parse_duration(text).unwrap()), text);
        }
        assert_eq!(print_duration(Duration::ZERO), "0");
    }
}
