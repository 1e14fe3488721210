//! The spec's own numbers: whether a job that does exactly what the spec says would be safe.

use super::arithmetic::{Margin, margin, print_length, safe_bound};
use crate::finding::Severity;
use crate::spec::{Position, TableSpec, print_duration};

/// Numbers of a spec that are not safe together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Danger {
    /// What it costs.
    pub severity: Severity,
    /// Whether both the horizon and the windows are confirmed; otherwise it is worth a line and never a failure.
    pub confirmed: bool,
    /// The number that is to be changed first.
    pub at: Position,
    /// What would be safe.
    pub expected: String,
    /// What the spec says.
    pub found: String,
    /// One sentence without a full stop.
    pub message: String,
    /// What follows: full sentences.
    pub impact: String,
    /// What to do: full sentences.
    pub help: String,
}

/// Judges the horizon of a ledger by its windows; nothing where it is safe, or where nothing can be said.
pub fn danger(table: &TableSpec) -> Option<Danger> {
    let retention = table.retention.as_ref()?;
    let ledger = table.ledger.as_ref().filter(|_| table.is_ledger())?;
    let horizon = print_duration(retention.horizon.value);
    let window = ledger.staleness_window.as_ref()?;
    let name = &table.name.value;
    let bound = safe_bound(ledger).map(print_length).unwrap_or_default();
    let (severity, message, expected, help) = match margin(retention.horizon.value, ledger) {
        Margin::Safe | Margin::Unknown => return None,
        Margin::NoGuard => (
            Severity::Critical,
            format!("rows of `{name}` are removed after {horizon} while the staleness guard is off (a window of 0)"),
            "a staleness window above 0".to_owned(),
            "Switch the guard on in the service and state its window, or keep all rows: without a guard no horizon is \
             safe."
                .to_owned(),
        ),
        Margin::Short => (
            Severity::Critical,
            format!(
                "the horizon of `{name}` is {horizon}, below its staleness window of {}",
                print_duration(window.value)
            ),
            format!("more than {bound}"),
            format!("Raise the horizon above {bound}; 14d is usual for a window of 168h."),
        ),
        Margin::Thin => (
            Severity::Error,
            format!("the horizon of `{name}` is {horizon}, and must be more than {bound} for clocks that may differ"),
            format!("more than {bound}"),
            format!("Raise the horizon above {bound}: the window, four times the clock skew, and the future dating."),
        ),
    };
    Some(Danger {
        severity,
        confirmed: table.confirmed && retention.confirmed && ledger.confirmed,
        at: retention.horizon.at,
        expected,
        found: horizon,
        message,
        impact: "An event whose row is gone looks new: a copy that the guard still lets in is processed a second time."
            .to_owned(),
        help,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::arithmetic::is_safe;
    use super::*;
    use crate::spec;

    /// Makes a ledger with these numbers of minutes.
    fn ledger(window: u64, skew: u64, ahead: u64, horizon: u64) -> TableSpec {
        let text = format!(
            "version: 1\nservice: s\ntables:\n  L:\n    role: ledger\n    columns:\n      E: {{ type: uuid }}\n      P: {{ type: \
             timestamptz }}\n    primary_key: [E]\n    ledger: {{ event_id: E, staleness_window: {window}m, clock_skew: {skew}m, \
             future_dating: {ahead}m }}\n    retention: {{ horizon: {horizon}m, column: P }}\n"
        );
        spec::parse("specs/s.yaml", &text).expect("a spec").tables.remove(0)
    }

    #[test]
    fn the_documented_windows_need_168_hours_and_25_minutes() {
        let said = |horizon| danger(&ledger(168 * 60, 5, 5, horizon)).map(|danger| danger.severity);
        assert_eq!(said(168 * 60 - 1), Some(Severity::Critical));
        assert_eq!(said(168 * 60), Some(Severity::Error));
        assert_eq!(said(168 * 60 + 25), Some(Severity::Error));
        assert_eq!(said(168 * 60 + 26), None);
        let off = danger(&ledger(0, 5, 5, 1_000_000)).expect("no horizon is safe");
        assert_eq!(off.severity, Severity::Critical);
    }

    proptest! {
        /// What is simulated beside the arithmetic holds for the rule: it is silent only over numbers that are safe.
        #[test]
        fn the_rule_is_silent_exactly_over_safe_numbers(
            window in prop_oneof![1 => Just(0), 5 => 1..30_000_u64], skew in 0..500_u64, ahead in 0..500_u64,
            share in 0.0..2.0_f64,
        ) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "small")]
            let horizon = ((window + 4 * skew + ahead) as f64 * share) as u64 + 1;
            let table = ledger(window, skew, ahead, horizon);
            let safe = is_safe(Duration::from_secs(horizon * 60), table.ledger.as_ref().expect("a ledger"));
            prop_assert_eq!(danger(&table).is_none(), safe == Some(true));
        }
    }
}
