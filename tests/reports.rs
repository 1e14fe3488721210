//! Golden reports over one awkward sample: hostile names, many findings, targets that could not be seen.
//!
//! `UPDATE_EXPECT=1 cargo test --test reports` rewrites the expected files.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use seadrift::catalog::{Catalog, Error, ErrorKind, Found, Limits, Namespace, Server, Sighting};
use seadrift::config::{DatabaseUrl, Target};
use seadrift::dialect::Dialect;
use seadrift::finding::{Finding, Location, Severity, fingerprint};
use seadrift::report::{self, Look, Outcome, Policy, Report, Sources, Status, Times};
use seadrift::rules::{Unconfirmed, Unverified, Verdict};
use seadrift::schema::{Aspect, Column, DataType, NativeType, ObjectPath, Part, Table};
use seadrift::spec::{At, Position, RetentionSpec, Role, Spec, TableSpec, Wanted};
use seadrift::text::Text;

const FILE: &str = "specs/notification.yaml";

const TEXT: &str = "version: 1
service: notification
tables:
  ProcessedIntegrationEvents:
    role: ledger
    columns:
      EventId:       { type: uuid }
      EventType:     { type: varchar(160) }
      SourceService: { type: varchar(120), nullable: unconfirmed }
      \"\u{202e}\u{1b}[31mred\":  { type: text }
    indexes:
      UX_ProcessedEvents_EventId: { columns: [EventId], unique: true }
";

/// A name that tries to clear the screen, break the line, give orders to a pipeline and turn the text around.
const HOSTILE: &str = "x\u{1b}[2J\r\n::error::y\u{202e}\u{9b}31m";

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

fn place(line: u32, column: u32, length: u32) -> Position {
    Position { line, column, length }
}

fn location(line: u32, column: u32, length: u32) -> Location {
    Location {
        file: FILE.to_owned(),
        line,
        column,
        end_column: column + length,
    }
}

fn spec(tables: &[&str]) -> Spec {
    let tables = tables
        .iter()
        .map(|name| TableSpec {
            name: At::new((*name).to_owned(), place(4, 3, 26)),
            confirmed: true,
            role: Role::Ledger,
            status: seadrift::spec::Status::Implemented,
            columns_at: place(6, 5, 7),
            columns: Vec::new(),
            primary_key: At::new(Wanted::Silent, place(4, 3, 26)),
            indexes_at: place(11, 5, 7),
            indexes: Vec::new(),
            checks: Vec::new(),
            ledger: None,
            retention: None,
        })
        .collect();
    Spec {
        file: FILE.to_owned(),
        text: Arc::from(TEXT),
        service: At::new("notification".to_owned(), place(2, 10, 12)),
        summary: None,
        owner: None,
        sources: Vec::new(),
        tables,
    }
}

fn target(name: &str) -> Target {
    Target {
        name: name.to_owned(),
        url: DatabaseUrl::parse("postgres://app:S3cr3t-canary@db:5432/notification").unwrap(),
        service: "notification".to_owned(),
        namespace: None,
        limits: Limits::default(),
    }
}

fn column(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        ty: NativeType::plain(DataType::Uuid),
        nullable: false,
        not_null_by: None,
        not_null_unproved: None,
        default: None,
        default_text: None,
        generated: None,
        identity: None,
        on_update: None,
        collation: None,
        invisible: false,
        not_null_conflict: None,
        allowed_values: None,
    }
}

fn catalog(tables: &[&str]) -> Catalog {
    let sightings = tables
        .iter()
        .map(|name| {
            let mut table = Table::new(Some("public"), name);
            table.columns = vec![column("EventId"), column("EventType")];
            Sighting {
                wanted: (*name).to_owned(),
                found: Found::Object(Box::new(table)),
                lookalikes: Vec::new(),
                index_elsewhere: Vec::new(),
                shadowed_by: None,
            }
        })
        .collect();
    Catalog {
        server: Server {
            dialect: Dialect::Postgres,
            version: "15.18".to_owned(),
            database: "notification".to_owned(),
            role: Some("drift_ro".to_owned()),
            settings: BTreeMap::from([
                ("lock_timeout".to_owned(), "2s".to_owned()),
                ("transaction_read_only".to_owned(), "on".to_owned()),
            ]),
            replica: false,
            remarks: Vec::new(),
        },
        namespace: Namespace {
            name: Some("public".to_owned()),
            exists: true,
            visible_tables: 3,
            alternatives: Vec::new(),
        },
        sightings,
        unseen: Vec::new(),
        queries: 4,
    }
}

fn table() -> ObjectPath {
    ObjectPath::table(Some("public"), "ProcessedIntegrationEvents")
}

fn finding(rule: (&str, &str), severity: Severity, object: ObjectPath, at: Location, message: &str) -> Finding {
    Finding {
        rule: rule.0.to_owned(),
        code: rule.1.to_owned(),
        severity,
        fingerprint: fingerprint(rule.0, "notification", "notification", &object),
        target: "notification".into(),
        object,
        expected: None,
        found: None,
        message: message.into(),
        impact: "".into(),
        help: "".into(),
        location: at,
        waiver: None,
    }
}

/// Findings of each severity, in no order, one of them twice.
fn findings() -> Vec<Finding> {
    let mut length = finding(
        ("column-length", "C005"),
        Severity::Error,
        table().column("EventType"),
        location(8, 30, 12),
        "column `EventType` holds 100 characters, the spec promises 160",
    );
    length.expected = Some("varchar(160)".into());
    length.found = Some("varchar(100)".into());
    length.impact = "Events whose type is longer than 100 characters are refused by the database, and are delivered \
                     again and again."
        .into();
    length.help = "Widen the column; this rewrites no row: ALTER TABLE \"ProcessedIntegrationEvents\" ALTER COLUMN \
                   \"EventType\" TYPE varchar(160)."
        .into();
    let mut unique = finding(
        ("unique-missing", "I002"),
        Severity::Critical,
        table().index("UX_ProcessedEvents_EventId"),
        location(12, 7, 26),
        "no unique index over (EventId) is there, so nothing keeps an event from being recorded twice",
    );
    unique.expected = Some("unique (EventId)".into());
    unique.found = Some("nothing".into());
    unique.impact = "Two deliveries of one event at the same time are both processed.".into();
    unique.help = "Remove duplicates, then create the index.".into();
    let mut extra = finding(
        ("column-extra", "C002"),
        Severity::Warning,
        table().with(Part::Column(HOSTILE.to_owned())),
        location(6, 5, 7),
        &format!("column `{HOSTILE}` is not in the spec"),
    );
    extra.found = Some(Text::new(format!("text default '{HOSTILE}'")));
    extra.impact = "An insert that does not name it still works.".into();
    let mut type_note = finding(
        ("column-type", "C003"),
        Severity::Info,
        table().with(Part::Column("\u{202e}\u{1b}[31mred".to_owned())),
        location(10, 7, 8),
        "the column is varchar without a length, which is the same as text",
    );
    type_note.help = "Nothing needs to be done.".into();
    vec![length.clone(), extra, type_note, unique, length]
}

fn unconfirmed() -> Vec<Unconfirmed> {
    vec![
        Unconfirmed {
            object: table().column("SourceService").aspect(Aspect::Nullability),
            expected: None,
            found: "not null".into(),
            location: location(9, 44, 21),
        },
        Unconfirmed {
            object: table().column(HOSTILE).aspect(Aspect::Default),
            expected: Some("now()".into()),
            found: "no default".into(),
            location: location(10, 1, 1),
        },
    ]
}

fn unverified(required: bool) -> Unverified {
    let aspect = if required { Aspect::Checks } else { Aspect::WritePath };
    Unverified {
        object: table().aspect(aspect),
        reason:
            "role `drift_ro` may not read the triggers of the table, and the server does not say whether there are any"
                .into(),
        help: "Grant TRIGGER on the table.".into(),
        required,
    }
}

fn policy() -> Policy {
    Policy {
        fail_on: Some(Severity::Error),
        allow_incomplete: false,
    }
}

fn build(outcomes: Vec<Outcome<'_>>, policy: Policy) -> Report {
    let times = Times {
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        finished_at: "2026-01-01T00:00:01.000Z".to_owned(),
    };
    report::build(outcomes, policy, times)
}

/// Builds the report of one target that could be seen.
fn one(catalog: Catalog, verdict: Verdict, policy: Policy) -> Report {
    let target = target("notification");
    let spec = spec(&["ProcessedIntegrationEvents"]);
    let outcome = Outcome {
        target: &target,
        spec: &spec,
        result: Ok((catalog, verdict)),
    };
    build(vec![outcome], policy)
}

/// The awkward sample: a target full of drift, one that does not answer, and one that looks into the wrong place.
fn awkward() -> Report {
    let (full, down, blind) = (target("notification"), target("prod\u{1b}]0;x\u{7}"), target("staging"));
    let two = spec(&["ProcessedIntegrationEvents", "OutboxMessages"]);
    let mut one = spec(&["ProcessedIntegrationEvents"]);
    one.tables[0].retention = Some(RetentionSpec {
        at: place(4, 3, 26),
        horizon: At::new(std::time::Duration::from_secs(14 * 24 * 3600), place(4, 3, 26)),
        column: At::new("ProcessedOnUtc".to_owned(), place(4, 3, 26)),
        confirmed: false,
    });
    let mut empty = catalog(&[]);
    empty.namespace = Namespace {
        name: Some("app".to_owned()),
        exists: false,
        visible_tables: 0,
        alternatives: vec!["App".to_owned(), "public".to_owned()],
    };
    let verdict = Verdict {
        findings: findings(),
        unverified: vec![unverified(false), unverified(true), unverified(true)],
        unconfirmed: unconfirmed(),
    };
    let error = Error::new(
        ErrorKind::Unreachable,
        "no answer from db:5432 within 10s (S3cr3t-canary)",
        "Check host and port.",
    );
    let outcomes = vec![
        Outcome {
            target: &blind,
            spec: &two,
            result: Ok((empty, Verdict::default())),
        },
        Outcome {
            target: &down,
            spec: &two,
            result: Err(error),
        },
        Outcome {
            target: &full,
            spec: &one,
            result: Ok((catalog(&["ProcessedIntegrationEvents"]), verdict)),
        },
    ];
    let mut report = build(outcomes, policy());
    // A release does not change what reports look like.
    report.tool.version = "0.0.0".to_owned();
    report
}

fn text(report: &Report, width: usize) -> String {
    let sources = Sources::from([(FILE.to_owned(), Arc::from(TEXT))]);
    let look = Look {
        width,
        verbose: true,
        ..Look::default()
    };
    report::render_text(report, &sources, &look)
}

fn last_line(report: &Report) -> String {
    text(report, 100).lines().last().unwrap_or_default().to_owned()
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
    let sources = Sources::from([(FILE.to_owned(), Arc::from(TEXT))]);
    let look = Look {
        width: 80,
        quiet: true,
        ..Look::default()
    };
    golden(
        "tests/reports/quiet.txt",
        &report::render_text(&awkward(), &sources, &look),
    );
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
        assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
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

#[test]
fn the_verdict_says_what_was_and_what_was_not_seen() {
    let seen = || catalog(&["ProcessedIntegrationEvents"]);
    let with = |severities: &[Severity]| Verdict {
        findings: findings()
            .into_iter()
            .filter(|f| severities.contains(&f.severity))
            .collect(),
        ..Verdict::default()
    };
    let fail_on = |severity| Policy {
        fail_on: severity,
        allow_incomplete: false,
    };
    let partly = |required| Verdict {
        unverified: vec![unverified(required)],
        ..Verdict::default()
    };
    let lenient = Policy {
        allow_incomplete: true,
        ..policy()
    };
    for (verdict, policy, code, line) in [
        (
            Verdict::default(),
            policy(),
            0,
            "clean: every fact of the spec was seen and holds; 1 target checked",
        ),
        (
            partly(false),
            policy(),
            0,
            "clean as far as could be seen: every fact of the spec was seen and holds; 1 risk could not be looked at; 1 \
             target checked",
        ),
        (
            partly(true),
            policy(),
            4,
            "incomplete: not everything that the spec states could be seen; 1 target incomplete",
        ),
        (
            partly(true),
            lenient,
            0,
            "incomplete, but allowed: not everything that the spec states could be seen; 1 target incomplete",
        ),
        (
            with(&[Severity::Critical, Severity::Error]),
            policy(),
            1,
            "drift: 2 findings at or above error; 1 target checked",
        ),
        (
            with(&[Severity::Critical, Severity::Error]),
            fail_on(Some(Severity::Critical)),
            1,
            "drift: 1 finding of severity critical; 1 target checked",
        ),
        (
            with(&[Severity::Warning, Severity::Info]),
            policy(),
            0,
            "no drift that counts: nothing at or above error, but 1 warning, 1 info; 1 target checked",
        ),
        (
            with(&[Severity::Warning]),
            fail_on(Some(Severity::Warning)),
            1,
            "drift: 1 finding at or above warning; 1 target checked",
        ),
        (
            with(&[Severity::Critical]),
            fail_on(None),
            0,
            "no drift that counts: no severity does, but there is 1 critical; 1 target checked",
        ),
    ] {
        let report = one(seen(), verdict, policy);
        assert_eq!(last_line(&report), line);
        assert_eq!(report.run.exit_code, code, "{line}");
    }
    let everything = awkward();
    assert_eq!(everything.run.exit_code, 5);
    assert_eq!(
        last_line(&everything),
        "drift, and incomplete: 2 findings at or above error; 2 targets incomplete, 1 unreachable"
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
        "clean: every confirmed fact of the spec was seen and holds, 2 are open; 1 target checked"
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
