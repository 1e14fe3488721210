//! When a cron expression comes round: whether it ever does, and how far apart its turns can be.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{Datelike as _, Days, NaiveDate};

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// How a schedule recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recurrence {
    /// The longest time between two turns.
    Every(Duration),
    /// It is well formed and never comes, such as 30 February.
    Never,
    /// Only when the server starts.
    AtStart,
    /// It cannot be read.
    Unreadable,
}

/// Reads a schedule of `pg_cron`: five fields, `30 seconds`, `@daily`.
pub(crate) fn recurrence(text: &str) -> Recurrence {
    let lower = text.trim().to_ascii_lowercase();
    let fields: Vec<&str> = match lower.as_str() {
        "@reboot" => return Recurrence::AtStart,
        "@yearly" | "@annually" => vec!["0", "0", "1", "1", "*"],
        "@monthly" => vec!["0", "0", "1", "*", "*"],
        "@weekly" => vec!["0", "0", "*", "*", "0"],
        "@daily" | "@midnight" => vec!["0", "0", "*", "*", "*"],
        "@hourly" => vec!["0", "*", "*", "*", "*"],
        other => other.split_whitespace().collect(),
    };
    if let [number, unit] = fields.as_slice()
        && unit.starts_with("second")
    {
        return match number.parse::<u64>() {
            Ok(seconds @ 1..=59) => Recurrence::Every(Duration::from_secs(seconds)),
            _ => Recurrence::Unreadable,
        };
    }
    let [minutes, hours, days, months, weekdays] = fields.as_slice() else {
        return Recurrence::Unreadable;
    };
    let read = || {
        Some(Expression {
            minutes: field(minutes, 0, 59, &[])?,
            hours: field(hours, 0, 23, &[])?,
            last_day: *days == "$",
            days: if *days == "$" {
                BTreeSet::new()
            } else {
                field(days, 1, 31, &[])?
            },
            any_day: days.starts_with('*'),
            months: field(months, 1, 12, &MONTHS)?,
            weekdays: field(weekdays, 0, 7, &WEEKDAYS)?.into_iter().map(|d| d % 7).collect(),
            any_weekday: weekdays.starts_with('*'),
        })
    };
    read().map_or(Recurrence::Unreadable, |expression| expression.recurrence())
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// Reads one field: a list of numbers, names, ranges and steps.
fn field(text: &str, least: u32, most: u32, names: &[&str]) -> Option<BTreeSet<u32>> {
    let number = |text: &str| -> Option<u32> {
        let named = names.iter().position(|n| text.starts_with(n) && text.len() >= 3);
        let value = match named {
            Some(at) => u32::try_from(at).ok()? + least,
            None => text.parse().ok()?,
        };
        (least..=most).contains(&value).then_some(value)
    };
    let mut all = BTreeSet::new();
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, step.parse::<usize>().ok().filter(|s| *s > 0)?),
            None => (part, 1),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (least, most),
            Some((from, to)) => (number(from)?, number(to)?),
            None if step > 1 => (number(range)?, most),
            None => (number(range)?, number(range)?),
        };
        if from > to {
            return None;
        }
        all.extend((from..=to).step_by(step));
    }
    Some(all)
}

struct Expression {
    minutes: BTreeSet<u32>,
    hours: BTreeSet<u32>,
    days: BTreeSet<u32>,
    last_day: bool,
    any_day: bool,
    months: BTreeSet<u32>,
    weekdays: BTreeSet<u32>,
    any_weekday: bool,
}

impl Expression {
    fn recurrence(&self) -> Recurrence {
        /// A cycle of leap years, and one more turn.
        const YEARS: u64 = 9;
        let Some(start) = NaiveDate::from_ymd_opt(2000, 1, 1) else {
            return Recurrence::Unreadable;
        };
        let turns: Vec<u64> = (0..YEARS * 366)
            .filter(|day| {
                start
                    .checked_add_days(Days::new(*day))
                    .is_some_and(|date| self.is_on(date))
            })
            .collect();
        let gap = turns.windows(2).map(|pair| pair[1] - pair[0]).max();
        match gap {
            None => Recurrence::Never,
            Some(1) => Recurrence::Every(Duration::from_secs(self.within_days() * MINUTE)),
            Some(days) => Recurrence::Every(Duration::from_secs(days * DAY)),
        }
    }

    /// Where both kinds of days are restricted, either will do.
    fn is_on(&self, date: NaiveDate) -> bool {
        let is_last = date
            .checked_add_days(Days::new(1))
            .is_some_and(|next| next.month() != date.month());
        let day = self.days.contains(&date.day()) || (self.last_day && is_last);
        let weekday = self.weekdays.contains(&date.weekday().num_days_from_sunday());
        let fits = if self.any_day || self.any_weekday {
            day && weekday
        } else {
            day || weekday
        };
        fits && self.months.contains(&date.month())
    }

    /// The longest time in minutes between two turns, if there are some on every day.
    fn within_days(&self) -> u64 {
        let turns: Vec<u64> = self
            .hours
            .iter()
            .flat_map(|h| self.minutes.iter().map(move |m| u64::from(h * 60 + m)))
            .collect();
        let over_night = turns
            .first()
            .zip(turns.last())
            .map_or(0, |(first, last)| first + DAY / MINUTE - last);
        let inside = turns.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default();
        inside.max(over_night)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(minutes: u64) -> Recurrence {
        Recurrence::Every(Duration::from_secs(minutes * MINUTE))
    }

    #[test]
    fn the_longest_gap_counts() {
        for (text, wanted) in [
            ("17 3 * * *", every(24 * 60)),
            ("*/10 * * * *", every(10)),
            ("0 8-18/2 * * *", every(14 * 60)),
            ("0 3 * * 1-5", every(3 * 24 * 60)),
            ("0 3 * * Sun", every(7 * 24 * 60)),
            ("0 3 * * 7", every(7 * 24 * 60)),
            ("0 0 1 * *", every(31 * 24 * 60)),
            ("0 0 $ * *", every(31 * 24 * 60)),
            ("0 0 1 1 *", every(366 * 24 * 60)),
            ("@daily", every(24 * 60)),
            ("0 0 29 2 *", every(1461 * 24 * 60)),
            ("0 0 13 * 5", every(7 * 24 * 60)),
            ("0 0 30 2 *", Recurrence::Never),
            ("0 0 31 4,6,9,11 *", Recurrence::Never),
            ("@reboot", Recurrence::AtStart),
        ] {
            assert_eq!(recurrence(text), wanted, "{text}");
        }
        assert_eq!(recurrence("30 seconds"), Recurrence::Every(Duration::from_secs(30)));
    }

    #[test]
    fn nonsense_is_unreadable() {
        for text in [
            "",
            "* * * *",
            "60 * * * *",
            "* * 0 * *",
            "*/0 * * * *",
            "5-1 * * * *",
            "a b c d e",
            "99 seconds",
        ] {
            assert_eq!(recurrence(text), Recurrence::Unreadable, "{text}");
        }
    }
}
