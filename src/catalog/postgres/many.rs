//! What a fleet costs right of the rows: time and memory grow with the number of targets, and not faster.

use std::fmt::Write as _;

use super::assemble::assemble;
use super::tests::{rows, session};
use crate::compare;
use crate::config::{DatabaseUrl, Target};
use crate::finding::Severity;
use crate::report::{self, Look, Outcome, Policy, Report, Section, Times};
use crate::rules;
use crate::spec::{self, Spec};

/// A spec that the recorded table breaks in some places.
fn spec() -> Spec {
    let mut text = "version: 1\nservice: events\ntables:\n  Events:\n    columns:\n".to_owned();
    for (column, ty) in [
        ("Id", "uuid"),
        ("EventId", "uuid"),
        ("Source", "varchar(99)"),
        ("Lost", "text"),
    ] {
        let _ = writeln!(text, "      {column}: {{ type: {ty} }}");
    }
    spec::parse("events.yaml", &format!("{text}    primary_key: [Id]\n")).unwrap()
}

/// Judges so many targets by recorded rows, and renders the report for a terminal.
fn check(count: usize, spec: &Spec) -> (Report, usize) {
    let sections = (0..count).map(|number| {
        let url = DatabaseUrl::parse("postgres://checker@db/ledger").unwrap();
        let target = Target {
            name: format!("prod/tenant_{number:05}"),
            ..Target::new("events", url)
        };
        let mut rows = rows();
        if number % 100 == 7 {
            // The odd one out.
            rows.tables.clear();
        }
        let catalog = assemble(&session("2026-01-15T12:00:00"), &rows, "public");
        let verdict = rules::check(&compare::pair(spec, &catalog), &target.name);
        Section::new(Outcome {
            target: &target,
            spec,
            result: Ok((catalog, verdict)),
        })
    });
    let policy = Policy {
        fail_on: Some(Severity::Error),
        allow_incomplete: false,
    };
    let time = "2026-01-15T12:00:00Z".to_owned();
    let times = Times {
        started_at: time.clone(),
        finished_at: time,
    };
    let report = report::join(sections, None, policy, times);
    let text = report::render_text(&report, &Look::default());
    (report, text.lines().count())
}

/// The time that this thread has had a processor, in nanoseconds: other programs do not count.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

/// What a fleet of a size costs: nanoseconds, bytes of the result, lines of the text.
fn cost(count: usize, spec: &Spec) -> [f64; 3] {
    let start = processor_time();
    let (report, lines) = check(count, spec);
    let time = processor_time() - start;
    assert_eq!(report.targets.len(), count);
    assert!(report.findings.len() > count, "{}", report.findings.len());
    let bytes = report::render_json(&report).unwrap().len();
    [time, bytes as u64, lines as u64].map(|number| number as f64)
}

/// Returns how many times the processor time is that ten times the targets take. The result must grow as they do, and the
/// text must not.
fn growth(few: usize) -> f64 {
    let spec = spec();
    // The first run pays for what is made once.
    cost(few, &spec);
    let (small, large) = (cost(few, &spec), cost(few * 10, &spec));
    let [time, bytes, lines] = [0, 1, 2].map(|i| large[i] / small[i]);
    let line = format!(
        "{few} and {} targets: time x {time:.1}, result x {bytes:.1}, text x {lines:.1}",
        few * 10
    );
    std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes()).unwrap();
    assert!(bytes < 11.0, "{line}");
    assert!(lines < 1.2, "{line}");
    time
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_grows_as_the_targets_do_and_its_text_does_not() {
    growth(40);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "takes a minute; benches/fleet.sh runs it"]
fn time_and_memory_grow_as_ten_thousand_targets_do() {
    let time = growth(1_000);
    assert!(time < 13.0, "{time:.1} times the time for ten times the targets");
}
