//! Golden reports over one awkward sample: hostile names, many findings, targets that could not be seen.
//!
//! `UPDATE_EXPECT=1 cargo test --test reports` rewrites the expected files.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

mod fleet;
mod formats;
mod hostile;
mod limits;
mod sample;
mod xsd;

use std::collections::BTreeSet;
use std::path::Path;

use sample::*;
use seadrift::catalog::{Error, ErrorKind};
use seadrift::finding::{Finding, Severity};
use seadrift::report::{self, Look, Outcome, Policy, Report, Status};
use seadrift::rules::{Unconfirmed, Verdict};
use seadrift::schema::Aspect;

fn golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    snapbox::assert_data_eq!(actual, snapbox::Data::text(expected).raw());
}

fn text(report: &Report, width: usize) -> String {
    let look = Look {
        width,
        verbose: true,
        ..Look::default()
    };
    report::render_text(report, &look)
}

/// The verdict, where it is not wrapped.
fn last_line(report: &Report) -> String {
    text(report, 200).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn nothing_but_names_and_the_spec_is_wider_than_the_screen() {
    let verdict = Verdict {
        findings: findings(),
        unverified: vec![unverified(false)],
        unconfirmed: vec![Unconfirmed {
            found: "words ".repeat(40).trim_end().into(),
            ..unconfirmed().remove(0)
        }],
    };
    let report = one(catalog(&["ProcessedIntegrationEvents"]), verdict, policy());
    for width in [80, 100] {
        let text = text(&report, width);
        for line in text.lines().filter(|line| line.contains(' ') && !line.contains(" | ")) {
            let name = line.contains("ProcessedIntegrationEvents") || line.contains("-->");
            assert!(name || line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn text_at_80_columns() {
    golden("tests/reports/awkward-80.txt", &text(&awkward(), 80));
}

#[test]
fn text_at_100_columns() {
    golden("tests/reports/awkward-100.txt", &text(&awkward(), 100));
}

#[test]
fn text_of_a_clean_target() {
    let report = one(catalog(&["ProcessedIntegrationEvents"]), Verdict::default(), policy());
    golden("tests/reports/clean.txt", &text(&report, 80));
}

#[test]
fn quiet_text_has_findings_and_verdict_only() {
    let look = Look {
        width: 80,
        quiet: true,
        ..Look::default()
    };
    golden("tests/reports/quiet.txt", &report::render_text(&awkward(), &look));
}

#[test]
fn json() {
    golden("tests/reports/awkward.json", &report::render_json(&awkward()).unwrap());
}

#[test]
fn the_published_schema_is_the_schema_of_the_result() {
    golden("docs/seadrift-result.schema.json", &report::render_schema().unwrap());
}

#[test]
fn results_satisfy_the_published_schema_and_read_back() {
    let schema: serde_json::Value = serde_json::from_str(&report::render_schema().unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let clean = one(catalog(&["ProcessedIntegrationEvents"]), Verdict::default(), policy());
    for report in [awkward(), clean] {
        let json = report::render_json(&report).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(report::read(json.as_bytes()).unwrap(), report);
    }
    let mut broken: serde_json::Value = serde_json::to_value(awkward()).unwrap();
    broken["findings"][0]["severity"] = "fatal".into();
    assert!(
        !validator.is_valid(&broken),
        "a severity that does not exist must not pass"
    );
}

#[test]
fn no_format_lets_a_control_character_or_the_password_out() {
    let report = awkward();
    for text in [
        text(&report, 80),
        text(&report, 100),
        report::render_json(&report).unwrap(),
    ] {
        let bad: BTreeSet<char> = text
            .chars()
            .filter(|c| *c != '\n' && seadrift::text::is_deceptive(*c))
            .collect();
        assert!(bad.is_empty(), "{bad:?}");
        assert!(!text.lines().any(|line| line.starts_with("::")), "{text}");
        assert!(!text.contains("S3cr3t"), "{text}");
    }
}

#[test]
fn prose_keeps_to_the_width() {
    for width in [80, 100] {
        for line in text(&awkward(), width).lines() {
            // Names are never broken, and a summary is one line for whoever greps for it.
            let is_name = line.contains("public.Processed") || line.contains("x\\u{1b}[2J");
            let is_summary = line.starts_with("drift, and incomplete:") || line.contains("1 critical, 1 error");
            assert!(line.len() <= width || is_name || is_summary, "{width}: {line}");
        }
    }
}

#[test]
fn the_order_of_targets_and_findings_does_not_depend_on_the_order_of_the_work() {
    let build = |reverse: bool| {
        let mut all = findings();
        let mut open = unconfirmed();
        if reverse {
            all.reverse();
            open.reverse();
        }
        let verdict = Verdict {
            findings: all,
            unverified: Vec::new(),
            unconfirmed: open,
        };
        one(catalog(&["ProcessedIntegrationEvents"]), verdict, policy())
    };
    assert_eq!(build(false), build(true));
    let severities: Vec<Severity> = build(false).findings.iter().map(|f| f.severity).collect();
    assert_eq!(severities, Severity::ALL, "worst first, the double one folded");
}

fn fail_on(severity: Option<Severity>) -> Policy {
    Policy {
        fail_on: severity,
        ..policy()
    }
}

#[track_caller]
fn assert_verdict(verdict: Verdict, policy: Policy, code: u8, line: &str) {
    let report = one(catalog(&["ProcessedIntegrationEvents"]), verdict, policy);
    assert_eq!(last_line(&report), line);
    assert_eq!(report.run.exit_code, code, "{line}");
}

#[test]
fn clean_is_said_only_where_everything_was_seen() {
    let partly = |required| Verdict {
        unverified: vec![unverified(required)],
        ..Verdict::default()
    };
    let lenient = Policy {
        allow_incomplete: true,
        ..policy()
    };
    assert_verdict(
        Verdict::default(),
        policy(),
        0,
        "clean: every fact of the spec was seen and holds; 1 target checked",
    );
    assert_verdict(
        partly(false),
        policy(),
        0,
        "clean as far as could be seen: every fact of the spec was seen and holds; 1 risk was not looked at; 1 target \
         checked",
    );
    let unseen = "not every fact of the spec could be seen; 1 target incomplete";
    assert_verdict(partly(true), policy(), 4, &format!("incomplete: {unseen}"));
    assert_verdict(partly(true), lenient, 0, &format!("incomplete, but allowed: {unseen}"));
}

#[test]
fn the_verdict_counts_what_the_threshold_asks_for() {
    use Severity::{Critical, Error, Info, Warning};
    let with = |severities: &[Severity]| Verdict {
        findings: findings()
            .into_iter()
            .filter(|f| severities.contains(&f.severity))
            .collect(),
        ..Verdict::default()
    };
    for (severities, least, code, line) in [
        (
            &[Critical, Error][..],
            Some(Error),
            1,
            "drift: 2 findings at or above error (1 critical, 1 error)",
        ),
        (
            &[Critical, Error],
            Some(Critical),
            1,
            "drift: 1 finding of severity critical",
        ),
        (
            &[Warning, Info],
            Some(Warning),
            1,
            "drift: 1 finding at or above warning (1 warning)",
        ),
        (
            &[Warning, Info],
            Some(Error),
            0,
            "no drift that counts: nothing at or above error, but 1 warning, 1 info",
        ),
        (
            &[Critical],
            None,
            0,
            "no drift that counts: no severity does, but there is 1 critical",
        ),
    ] {
        assert_verdict(
            with(severities),
            fail_on(least),
            code,
            &format!("{line}; 1 target checked"),
        );
    }
    let everything = awkward();
    assert_eq!(everything.run.exit_code, 5);
    assert_eq!(
        last_line(&everything),
        "drift, and incomplete: 2 findings at or above error (1 critical, 1 error); 2 targets incomplete, 1 unreachable"
    );
}

#[test]
fn an_open_fact_is_not_claimed_to_hold() {
    let verdict = Verdict {
        unconfirmed: unconfirmed(),
        ..Verdict::default()
    };
    let report = one(catalog(&["ProcessedIntegrationEvents"]), verdict, policy());
    assert_eq!(
        last_line(&report),
        "clean: every confirmed fact was seen and holds, 2 are open; 1 target checked"
    );
}

#[test]
fn an_empty_or_absent_namespace_is_incomplete_and_never_a_missing_table() {
    for (exists, visible) in [(false, 0), (true, 0)] {
        let mut blind = catalog(&[]);
        blind.namespace.exists = exists;
        blind.namespace.visible_tables = visible;
        let verdict = Verdict {
            findings: findings(),
            ..Verdict::default()
        };
        let report = one(blind, verdict, policy());
        assert_eq!(report.findings, Vec::new());
        assert_eq!(report.run.exit_code, 4);
        assert_eq!(report.targets[0].status, Status::Incomplete);
        assert_eq!(report.targets[0].unverified[0].object.aspect, Some(Aspect::Target));
    }
}

#[test]
fn each_kind_of_failure_has_its_status() {
    for (kind, status) in [
        (ErrorKind::Unreachable, Status::Unreachable),
        (ErrorKind::Refused, Status::Unreachable),
        (ErrorKind::TimedOut, Status::Incomplete),
        (ErrorKind::NotADatabase, Status::Incomplete),
        (ErrorKind::Unsupported, Status::Incomplete),
        (ErrorKind::UnsafeSession, Status::Incomplete),
        (ErrorKind::Query, Status::Incomplete),
    ] {
        let target = target("notification");
        let spec = spec(&["ProcessedIntegrationEvents", "OutboxMessages"]);
        let outcome = Outcome {
            target: &target,
            spec: &spec,
            result: Err(Error::new(kind, "why", "what to do")),
        };
        let report = build(vec![outcome], policy());
        assert_eq!(report.targets[0].status, status, "{kind:?}");
        assert_eq!(report.targets[0].unverified.len(), 2, "one entry per wanted table");
        assert_eq!(report.run.exit_code, 4);
    }
}

#[test]
fn a_catalog_that_forgets_a_table_is_not_taken_for_clean() {
    let report = one(catalog(&[]), Verdict::default(), policy());
    assert_eq!(report.run.exit_code, 4);
    assert_eq!(report.targets[0].unverified[0].object.aspect, Some(Aspect::Existence));
}

#[test]
fn a_run_without_targets_is_incomplete() {
    assert_eq!(build(Vec::new(), policy()).run.exit_code, 4);
}

#[test]
fn every_key_of_the_result_is_on_its_page() {
    fn collect(schema: &serde_json::Value, keys: &mut BTreeSet<String>) {
        let properties = schema["properties"].as_object().into_iter().flatten();
        keys.extend(properties.map(|(name, _)| name.clone()));
        for definition in schema["$defs"].as_object().into_iter().flatten() {
            collect(definition.1, keys);
        }
    }
    let schema: serde_json::Value = serde_json::from_str(&report::render_schema().unwrap()).unwrap();
    let mut keys = BTreeSet::new();
    collect(&schema, &mut keys);
    assert!(keys.contains("end_column") && keys.contains("findings"), "{keys:?}");
    let page = include_str!("../../docs/result.md");
    keys.retain(|key| !page.contains(&format!("`{key}`")));
    assert_eq!(keys, BTreeSet::new(), "these keys are not on the page");
}

#[test]
fn many_foreign_columns_raise_the_question_whose_database_it_is() {
    let wrong = |rule: (&str, &str), column: &str| {
        finding(
            rule,
            Severity::Error,
            table().column(column),
            location(6, 5, 7),
            "differs",
        )
    };
    let extra = wrong(("column-extra", "C002"), "MessagesCreated");
    let kinds = wrong(("column-type", "C004"), "TenantId");
    let default = wrong(("column-default", "C008"), "Outcome");
    let asked = |findings: &[&Finding]| {
        let verdict = Verdict {
            findings: findings.iter().map(|f| (*f).clone()).collect(),
            ..Verdict::default()
        };
        let report = one(catalog(&["ProcessedIntegrationEvents"]), verdict, policy());
        let mut notes = report.targets[0].notes.iter();
        notes.any(|note| note.raw().contains("belongs to the service `notification`"))
    };
    assert!(asked(&[&extra, &kinds, &default]));
    assert!(!asked(&[&extra, &kinds]), "two can be one mistake");
    assert!(!asked(&[&extra, &extra, &kinds]), "a column counts once");
    let third = wrong(("column-nullability", "C007"), "EventType");
    assert!(
        !asked(&[&third, &kinds, &default]),
        "every column is there, and no other"
    );
}
