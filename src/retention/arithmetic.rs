//! When rows of a ledger may be forgotten: arithmetic over durations, and nothing else.
//!
//! A ledger's row may go once every copy of its event would be refused as stale. Let `W` be the staleness window,
//! `H` the age at which rows are removed, `δ` the bound on each clock's error and `φ` how far in the future an event
//! may be dated. The row holds only the time of recording `p`, and the guard runs in the consumer, so four clocks
//! take part: the one that admitted the event, the one that recorded it, the one that trims and the one that
//! judges the redelivery.
//!
//! ```text
//! t ≤ p′ + δ + φ     the event's own time t, admitted at the true time p′
//! p ≥ p′ − δ         the recorded time
//! D ≤ D′ + δ         the trimming clock at the true time D′; the row goes when p ≤ D − H
//! age ≥ D′ − δ − t   as the guard sees it after D′
//! ⇒ age ≥ H − 4δ − φ
//! ```
//!
//! The guard refuses what is older than `W`. So trimming is safe if `W > 0` and `H > W + 4δ + φ`, and in the worst
//! case of the clocks only then. With 168 h, 5 min and 5 min the bound is 168 h 25 min.

use std::time::Duration;

use crate::spec::LedgerSpec;

/// How many clocks stand between an event's own time and the guard's judgement of a redelivery.
const CLOCKS: u32 = 4;

/// How a horizon stands to a ledger's windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    /// Above the safe bound: every copy of a trimmed event is refused as stale.
    Safe,
    /// At least the staleness window, but not above the bound: safe only if the clocks agree better than promised.
    Thin,
    /// Below the staleness window: copies of trimmed events are let in, whatever the clocks show.
    Short,
    /// The guard is off (a window of zero): no horizon is safe.
    NoGuard,
    /// The spec states no window, so nothing can be said.
    Unknown,
}

/// Returns `W + 4δ + φ`, which a horizon must exceed; nothing where no window is stated or the guard is off.
///
/// A skew or a future dating that the spec does not state counts as zero.
pub fn safe_bound(ledger: &LedgerSpec) -> Option<Duration> {
    let window = window(ledger).filter(|window| !window.is_zero())?;
    let skew = ledger.clock_skew.as_ref().map_or(Duration::ZERO, |skew| skew.value);
    let ahead = ledger
        .future_dating
        .as_ref()
        .map_or(Duration::ZERO, |ahead| ahead.value);
    Some(window.saturating_add(skew.saturating_mul(CLOCKS)).saturating_add(ahead))
}

/// Writes a length as people read it, however odd it is: `14d`, `168h 25m`.
pub fn print_length(length: Duration) -> String {
    const HOUR: u64 = 60 * 60;
    const DAY: u64 = 24 * HOUR;
    let seconds = length.as_secs();
    if seconds >= DAY && seconds.is_multiple_of(DAY) {
        return format!("{}d", seconds / DAY);
    }
    let parts = [(seconds / HOUR, "h"), (seconds % HOUR / 60, "m"), (seconds % 60, "s")];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, unit)| format!("{number}{unit}"))
        .collect();
    if parts.is_empty() {
        return "0s".to_owned();
    }
    parts.join(" ")
}

/// Returns whether removing rows of this age is safe; nothing where the spec states no window.
pub fn is_safe(horizon: Duration, ledger: &LedgerSpec) -> Option<bool> {
    match margin(horizon, ledger) {
        Margin::Unknown => None,
        margin => Some(margin == Margin::Safe),
    }
}

/// Says how a horizon stands to a ledger's windows.
pub fn margin(horizon: Duration, ledger: &LedgerSpec) -> Margin {
    let Some(window) = window(ledger) else {
        return Margin::Unknown;
    };
    match safe_bound(ledger) {
        None => Margin::NoGuard,
        Some(bound) if horizon > bound => Margin::Safe,
        Some(_) if horizon >= window => Margin::Thin,
        Some(_) => Margin::Short,
    }
}

fn window(ledger: &LedgerSpec) -> Option<Duration> {
    ledger.staleness_window.as_ref().map(|window| window.value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spec::{At, Position};

    const HERE: Position = Position {
        line: 1,
        column: 1,
        length: 1,
    };

    fn ledger(window: Option<u64>, skew: u64, ahead: u64) -> LedgerSpec {
        let at = |seconds| At::new(Duration::from_secs(seconds), HERE);
        LedgerSpec {
            event_id: At::new("EventId".to_owned(), HERE),
            recorded_at: None,
            staleness_window: window.map(at),
            clock_skew: Some(at(skew)),
            future_dating: Some(at(ahead)),
            confirmed: true,
        }
    }

    const HOUR: u64 = 3600;
    const MINUTE: u64 = 60;

    #[test]
    fn the_documented_windows_need_168_hours_and_25_minutes() {
        let ledger = ledger(Some(168 * HOUR), 5 * MINUTE, 5 * MINUTE);
        let bound = Duration::from_secs(168 * HOUR + 25 * MINUTE);
        assert_eq!(safe_bound(&ledger), Some(bound));
        for (seconds, margin_is) in [
            (24 * HOUR, Margin::Short),
            (168 * HOUR - 1, Margin::Short),
            (168 * HOUR, Margin::Thin),
            (168 * HOUR + 25 * MINUTE, Margin::Thin),
            (168 * HOUR + 25 * MINUTE + 1, Margin::Safe),
            (14 * 24 * HOUR, Margin::Safe),
        ] {
            assert_eq!(margin(Duration::from_secs(seconds), &ledger), margin_is, "{seconds}");
        }
    }

    #[test]
    fn lengths_are_written_in_hours_and_minutes_unless_they_are_whole_days() {
        for (seconds, text) in [
            (168 * HOUR + 25 * MINUTE, "168h 25m"),
            (14 * 24 * HOUR, "14d"),
            (61, "1m 1s"),
            (0, "0s"),
        ] {
            assert_eq!(print_length(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn without_a_guard_no_horizon_is_safe() {
        let off = ledger(Some(0), 0, 0);
        assert_eq!(safe_bound(&off), None);
        assert_eq!(
            margin(Duration::from_secs(100 * 365 * 24 * HOUR), &off),
            Margin::NoGuard
        );
        assert_eq!(is_safe(Duration::MAX, &off), Some(false));
    }

    #[test]
    fn without_a_window_nothing_is_said() {
        let silent = ledger(None, 300, 300);
        assert_eq!(is_safe(Duration::from_secs(HOUR), &silent), None);
        assert_eq!(margin(Duration::from_secs(HOUR), &silent), Margin::Unknown);
    }

    #[test]
    fn huge_windows_do_not_wrap_around() {
        let huge = ledger(Some(u64::MAX), u64::MAX, u64::MAX);
        assert_eq!(safe_bound(&huge), Some(Duration::MAX));
        assert_eq!(is_safe(Duration::MAX, &huge), Some(false));
    }

    /// One event's life in true seconds, with the errors of the four clocks.
    #[derive(Clone, Copy, Debug)]
    struct Life {
        /// How far the event is dated behind what the admitting clock still takes.
        dated_before_limit: i64,
        admitting: i64,
        recording: i64,
        trimming: i64,
        guarding: i64,
        /// How long after the row has gone the copy arrives.
        late: i64,
    }

    /// Returns whether a copy that arrives after trimming is let in: an independent model of the service, which
    /// knows nothing of the formula.
    fn is_repeated(life: Life, horizon: i64, window: i64, ahead: i64) -> bool {
        let admitted_at = 1_000_000_000;
        let dated = admitted_at + life.admitting + ahead - life.dated_before_limit;
        let recorded = admitted_at + life.recording;
        // The first true second at which the trimming clock shows an age of the horizon.
        let trimmed_at = (recorded + horizon - life.trimming).max(admitted_at);
        let arrives_at = trimmed_at + life.late;
        let age = arrives_at + life.guarding - dated;
        age <= window
    }

    proptest! {
        #[test]
        fn a_safe_horizon_lets_no_copy_in(
            window in 1..1_000_000_i64, skew in 0..5_000_i64, ahead in 0..5_000_i64, above in 1..100_000_i64,
            errors in prop::array::uniform4(-1.0..=1.0_f64), dated in 0..100_000_i64, late in 0..1_000_000_i64,
        ) {
            let spec = ledger(
                Some(window.unsigned_abs()), skew.unsigned_abs(), ahead.unsigned_abs(),
            );
            let horizon = i64::try_from(safe_bound(&spec).unwrap().as_secs()).unwrap() + above;
            prop_assert_eq!(is_safe(Duration::from_secs(horizon.unsigned_abs()), &spec), Some(true));
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "below 5000")]
            let [admitting, recording, trimming, guarding] = errors.map(|e| (e * skew as f64) as i64);
            let life = Life { dated_before_limit: dated, admitting, recording, trimming, guarding, late };
            prop_assert!(!is_repeated(life, horizon, window, ahead), "{life:?}");
        }

        #[test]
        fn an_unsafe_horizon_lets_some_copy_in(
            window in 1..1_000_000_i64, skew in 0..5_000_i64, ahead in 0..5_000_i64, share in 0.0..=1.0_f64,
        ) {
            let spec = ledger(
                Some(window.unsigned_abs()), skew.unsigned_abs(), ahead.unsigned_abs(),
            );
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and the bound")]
            let horizon = (safe_bound(&spec).unwrap().as_secs_f64() * share) as u64;
            prop_assert_eq!(is_safe(Duration::from_secs(horizon), &spec), Some(false));
            let worst = Life {
                dated_before_limit: 0, admitting: skew, recording: -skew, trimming: skew, guarding: -skew, late: 0,
            };
            prop_assert!(is_repeated(worst, i64::try_from(horizon).unwrap(), window, ahead));
        }
    }
}
