//! Lengths of time as SQL writes them. Months and years are not a number of days, so a [`Span`] has two ends.

use std::time::Duration;

use super::model::Span;
use crate::spec::print_duration;

const MILLISECOND: i64 = 1_000;
pub(super) const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
pub(super) const DAY: i64 = 24 * HOUR;

/// The shortest and longest runs of 0 to 12 whole months, in days.
const MONTHS: [(i64, i64); 13] = [
    (0, 0),
    (28, 31),
    (59, 62),
    (89, 92),
    (120, 123),
    (150, 153),
    (181, 184),
    (212, 215),
    (242, 245),
    (273, 276),
    (303, 306),
    (334, 337),
    (365, 366),
];

impl Span {
    /// Makes a span of an exact length.
    pub(crate) fn exact(microseconds: i64) -> Self {
        Self {
            least: microseconds,
            most: microseconds,
        }
    }

    /// Makes a span of a number of days.
    pub(crate) fn days(days: i64) -> Self {
        Self::exact(days.saturating_mul(DAY))
    }

    /// Makes a span of whole months.
    pub(crate) fn months(months: i64) -> Self {
        let size = months.unsigned_abs();
        let years = i64::try_from(size / 12).unwrap_or(i64::MAX);
        let (least, most) = MONTHS[usize::try_from(size % 12).unwrap_or_default()];
        let least = years.saturating_mul(365).saturating_add(least).saturating_mul(DAY);
        // Of four years, one is a leap year.
        let leaps = years.saturating_add(3) / 4;
        let most = (years.saturating_mul(365).saturating_add(leaps))
            .saturating_add(most)
            .saturating_mul(DAY);
        let span = Self { least, most };
        if months < 0 { span.negated() } else { span }
    }

    /// Returns the span with its sign turned.
    pub(crate) fn negated(self) -> Self {
        Self {
            least: self.most.saturating_neg(),
            most: self.least.saturating_neg(),
        }
    }

    /// Adds two spans.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    /// Multiplies by a number.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "saturates, and is not exact"
    )]
    pub(crate) fn times(self, factor: f64) -> Self {
        let (a, b) = ((self.least as f64 * factor) as i64, (self.most as f64 * factor) as i64);
        Self {
            least: a.min(b),
            most: a.max(b),
        }
    }

    /// Returns the shortest length as a duration; nothing below zero.
    pub(crate) fn shortest(self) -> Duration {
        Duration::from_micros(u64::try_from(self.least).unwrap_or_default())
    }

    /// Returns the longest length as a duration.
    pub(crate) fn longest(self) -> Duration {
        Duration::from_micros(u64::try_from(self.most).unwrap_or_default())
    }

    /// Prints it: `30d`, `28d to 31d`.
    pub(crate) fn print(self) -> String {
        let (least, most) = (self.shortest(), self.longest());
        if least == most {
            print_duration(least)
        } else {
            format!("{} to {}", print_duration(least), print_duration(most))
        }
    }
}

/// Returns a number of units as a span.
pub(crate) fn of_unit(number: f64, unit: &str) -> Option<Span> {
    let unit = unit.to_ascii_lowercase();
    let singular = unit.strip_suffix('s').filter(|u| u.len() > 1).unwrap_or(&unit);
    let months = match singular {
        "mon" | "month" => 1,
        "quarter" | "qtr" => 3,
        "y" | "yr" | "year" => 12,
        "decade" | "dec" => 120,
        "century" | "centurie" | "c" => 1_200,
        "millennium" | "mil" => 12_000,
        _ => 0,
    };
    if months > 0 {
        let number = number * f64::from(months);
        // What is left of a month counts as days, thirty to the month.
        let rest = Span::days(30).times(number.fract());
        #[allow(clippy::cast_possible_truncation, reason = "saturates")]
        let whole = number.trunc() as i64;
        return Some(Span::months(whole).plus(rest));
    }
    let length = match singular {
        "us" | "usec" | "microsecond" => 1,
        "ms" | "msec" | "millisecond" => MILLISECOND,
        "s" | "sec" | "second" => SECOND,
        "m" | "min" | "minute" => MINUTE,
        "h" | "hr" | "hour" => HOUR,
        "d" | "day" => DAY,
        "w" | "week" => 7 * DAY,
        _ => return None,
    };
    Some(Span::exact(length).times(number))
}

/// Reads the distance of a recurring event: a number, or several of them, and the name of the unit.
///
/// The unit may be composed (`'1:30'` `HOUR_MINUTE`); of that only the first part counts, and one more of it.
pub(crate) fn unit_of_time(value: &str, unit: &str) -> Option<Duration> {
    let (unit, more) = match unit.split_once('_') {
        Some((first, _)) => (first, 1.0),
        None => (unit, 0.0),
    };
    let first = value
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .find(|p| !p.is_empty())?;
    of_unit(first.parse::<f64>().ok()? + more, unit).map(Span::longest)
}

/// Reads an interval as PostgreSQL does: `30 days`, `1 week 2 days`, `720:00:00`, `30 12:00`, `1-6` (years and months),
/// `P30D`, `-30 days`, `30` (seconds).
pub(crate) fn parse_interval(text: &str) -> Option<Span> {
    let text = text.trim();
    if let Some(iso) = text.strip_prefix(['P', 'p']) {
        return parse_iso(iso);
    }
    let lower = text.trim_start_matches('@').to_ascii_lowercase();
    let (body, ago) = match lower.trim().strip_suffix("ago") {
        Some(body) => (body.trim(), true),
        None => (lower.trim(), false),
    };
    let mut total = None;
    let mut rest = body;
    while !rest.is_empty() {
        let (span, tail) = next_part(rest)?;
        total = Some(total.map_or(span, |sum: Span| sum.plus(span)));
        rest = tail.trim_start_matches([' ', ',']);
    }
    total.map(|span| if ago { span.negated() } else { span })
}

fn next_part(text: &str) -> Option<(Span, &str)> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | ':')))
        .unwrap_or(text.len());
    let (number, tail) = text.split_at(end);
    if number.contains(':') {
        return Some((parse_clock(number)?, tail));
    }
    if let Some(months) = parse_months(number) {
        return Some((months, tail));
    }
    let number: f64 = number.parse().ok()?;
    let tail = tail.trim_start();
    let end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
    let (unit, tail) = tail.split_at(end);
    let unit = match (unit, tail) {
        ("", "") => "s",
        // In front of hours and minutes stand days.
        ("", clock) => clock.split(' ').next().filter(|next| next.contains(':')).map(|_| "d")?,
        (unit, _) => unit,
    };
    Some((of_unit(number, unit)?, tail))
}

/// Reads `years-months`.
fn parse_months(text: &str) -> Option<Span> {
    let (years, months) = text.trim_start_matches(['+', '-']).split_once('-')?;
    let months = years
        .parse::<i64>()
        .ok()?
        .checked_mul(12)?
        .checked_add(months.parse().ok()?)?;
    Some(Span::months(if text.starts_with('-') { -months } else { months }))
}

/// Reads `HH:MM`, `HH:MM:SS` with a sign.
fn parse_clock(text: &str) -> Option<Span> {
    let (text, sign) = match text.strip_prefix('-') {
        Some(rest) => (rest, -1.0),
        None => (text.trim_start_matches('+'), 1.0),
    };
    let mut total = Span::exact(0);
    for (part, unit) in text.split(':').zip(["h", "m", "s"]) {
        total = total.plus(of_unit(part.parse().ok()?, unit)?);
    }
    Some(total.times(sign))
}

/// Reads what follows the `P` of ISO 8601: numbers with their units, or `YYYY-MM-DDTHH:MM:SS`.
fn parse_iso(text: &str) -> Option<Span> {
    let (date, time) = text.split_once(['T', 't']).unwrap_or((text, ""));
    if let [years, months, days] = date.split('-').collect::<Vec<_>>()[..] {
        let months = years
            .parse::<i64>()
            .ok()?
            .checked_mul(12)?
            .checked_add(months.parse().ok()?)?;
        let clock = if time.is_empty() {
            Span::exact(0)
        } else {
            parse_clock(time)?
        };
        return Some(Span::months(months).plus(of_unit(days.parse().ok()?, "d")?).plus(clock));
    }
    let mut total = None;
    for (part, in_time) in [(date, false), (time, true)] {
        let mut rest = part;
        while !rest.is_empty() {
            let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
            let number: f64 = rest[..end].parse().ok()?;
            let unit = match (rest.as_bytes()[end].to_ascii_uppercase(), in_time) {
                (b'Y', false) => "year",
                (b'M', false) => "month",
                (b'W', false) => "week",
                (b'D', false) => "day",
                (b'H', true) => "hour",
                (b'M', true) => "minute",
                (b'S', true) => "second",
                _ => return None,
            };
            let span = of_unit(number, unit)?;
            total = Some(total.map_or(span, |sum: Span| sum.plus(span)));
            rest = &rest[end + 1..];
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_length_has_many_spellings() {
        for text in [
            "30 days",
            "30 day",
            "30d",
            "4 weeks 2 days",
            "720 hours",
            "720:00:00",
            "2592000 seconds",
            "2592000",
            "P30D",
            "PT720H",
            "P4W2D",
            "@ 30 days",
            "-30 days ago",
            "29 days 24:00:00",
            "43200 min",
            "30 00:00:00",
            "29 24:00",
            "P0000-00-30T00:00:00",
            " 30  DAYS ",
            "1 mon 2 days -1 mon",
        ] {
            let wanted = Span::days(30);
            let span = parse_interval(text).unwrap_or(Span::exact(-1));
            if text.contains("mon") {
                assert!(span.least <= wanted.least, "{text}");
            } else {
                assert_eq!(span, wanted, "{text}");
            }
        }
    }

    #[test]
    fn a_month_is_not_thirty_days() {
        assert_eq!(
            parse_interval("1 month"),
            Some(Span {
                least: 28 * DAY,
                most: 31 * DAY
            })
        );
        assert_eq!(
            parse_interval("1 year"),
            Some(Span {
                least: 365 * DAY,
                most: 366 * DAY
            })
        );
        assert_eq!(parse_interval("P1M"), parse_interval("1 mon"));
        assert_eq!(parse_interval("P1M1DT1H").unwrap().least, 29 * DAY + HOUR);
        assert_eq!(parse_interval("4 years").unwrap().most, 1461 * DAY);
        assert_eq!(parse_interval("1-1"), parse_interval("13 months"));
        assert_eq!(parse_interval("-0-2"), parse_interval("-2 months"));
        assert_eq!(parse_interval("0.25 months"), Some(Span::exact(180 * HOUR)));
        assert_eq!(parse_interval("1.5 years"), parse_interval("18 months"));
    }

    #[test]
    fn nonsense_is_no_interval() {
        for text in [
            "",
            "days",
            "30 fortnights",
            "soon",
            "P",
            "PT",
            "1:x",
            "30 days x",
            "30 12",
            "1-x",
            "--1",
        ] {
            assert_eq!(parse_interval(text), None, "{text}");
        }
    }
}
