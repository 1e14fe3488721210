//! The sample: one target full of drift, and others that could not be seen.

use std::collections::BTreeMap;
use std::sync::Arc;

use seadrift::catalog::{Catalog, Error, ErrorKind, Found, Namespace, Server, Sighting};
use seadrift::config::{DatabaseUrl, Target};
use seadrift::dialect::Dialect;
use seadrift::finding::{Finding, Known, Location, Severity, Waived, fingerprint};
use seadrift::report::{self, BaselineReport, Outcome, Policy, Report, Times, WaiverReport, WaiverState};
use seadrift::rules::{Unconfirmed, Unverified, Verdict};
use seadrift::schema::{Aspect, Column, DataType, NativeType, ObjectPath, Part, Table};
use seadrift::spec::{At, Position, RetentionSpec, Role, Spec, TableSpec, Wanted};
use seadrift::text::Text;

pub(crate) const FILE: &str = "specs/notification.yaml";

pub(crate) const TEXT: &str = "version: 1
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
pub(crate) const HOSTILE: &str = "x\u{1b}[2J\r\n::error::y\u{202e}\u{9b}31m";

pub(crate) fn place(line: u32, column: u32, length: u32) -> Position {
    Position { line, column, length }
}

pub(crate) fn location(line: u32, column: u32, length: u32) -> Location {
    Location {
        file: FILE.to_owned(),
        line,
        column,
        end_column: column + length,
    }
}

pub(crate) fn spec(tables: &[&str]) -> Spec {
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

pub(crate) fn target(name: &str) -> Target {
    let url = DatabaseUrl::parse("postgres://app:S3cr3t-canary@db:5432/notification").unwrap();
    Target {
        name: name.to_owned(),
        ..Target::new("notification", url)
    }
}

pub(crate) fn column(name: &str) -> Column {
    Column::plain(name, NativeType::plain(DataType::Uuid))
}

pub(crate) fn catalog(tables: &[&str]) -> Catalog {
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
            rights: seadrift::catalog::Rights::default(),
        },
        namespace: Namespace {
            name: Some("public".to_owned()),
            exists: true,
            visible_tables: 3,
            alternatives: Vec::new(),
        },
        sightings,
        unseen: Vec::new(),
        retention: seadrift::retention::Evidence::default(),
        data: std::collections::BTreeMap::new(),
        queries: 4,
    }
}

pub(crate) fn table() -> ObjectPath {
    ObjectPath::table(Some("public"), "ProcessedIntegrationEvents")
}

pub(crate) fn finding(
    rule: (&str, &str),
    severity: Severity,
    object: ObjectPath,
    at: Location,
    message: &str,
) -> Finding {
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
        expired_waiver: None,
        baseline: None,
    }
}

/// Findings of each severity, in no order, one of them twice.
pub(crate) fn findings() -> Vec<Finding> {
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

pub(crate) fn unconfirmed() -> Vec<Unconfirmed> {
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

pub(crate) fn unverified(required: bool) -> Unverified {
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

pub(crate) fn policy() -> Policy {
    Policy {
        fail_on: Some(Severity::Error),
        allow_incomplete: false,
    }
}

pub(crate) fn build(outcomes: Vec<Outcome<'_>>, policy: Policy) -> Report {
    let times = Times {
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        finished_at: "2026-01-01T00:00:01.000Z".to_owned(),
    };
    report::build(outcomes, policy, times)
}

/// Builds the report of one target that could be seen.
pub(crate) fn one(catalog: Catalog, verdict: Verdict, policy: Policy) -> Report {
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
pub(crate) fn awkward() -> Report {
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

/// What names can hold: orders to terminals and pipelines, markup of every format, and what ends a string, a cell, a
/// label or an element in one.
pub(crate) const CORPUS: &[&str] = &[
    HOSTILE,
    "\u{1b}]0;title\u{7}\u{9d}8;;http://evil\u{9c}",
    "\u{202e}gnp.exe\u{2066}\u{200b}\u{2028}\u{feff}",
    "::error file=x,line=1::forged",
    "a\n::set-output name=x::y",
    "a ::stop-commands::z",
    "##vso[task.setvariable variable=x]y",
    "a ##[add-mask]b %0A::error::c",
    "<script>alert(1)</script><img src=x onerror=y>",
    "]]><failure/>&amp;&#0;\u{0}\u{ffff}",
    "a|b`c`*d*_e_[f](http://evil)~~g~~ @everyone #1 !2 www.evil.example",
    "``` </code></details> | --- |",
    "\"} 1\nseadrift_target_checked{target=\"x",
    "back\\slash 'single' \"double\" $(cmd) {0} {{1}}",
    "=cmd|' /C calc'!A0",
    " leading and trailing ",
    "Größe 漢字 🦀",
];

/// A report in which every text of a database or a spec is hostile: one finding per name of the corpus.
pub(crate) fn hostile() -> Report {
    with_names(CORPUS)
}

/// A report with these names wherever a database or a spec can put one, and one finding for each.
pub(crate) fn with_names(names: &[&str]) -> Report {
    let all = names.iter().enumerate().map(|(i, name)| {
        let severity = Severity::ALL[i % 4];
        let object = ObjectPath::table(Some(name), name).column(name);
        let mut made = finding(("column-extra", "C002"), severity, object, location(8, 30, 12), "");
        made.message = Text::new(format!("column `{name}` is not in {name}"));
        made.expected = Some(Text::from(*name));
        made.found = Some(Text::from(*name));
        made.impact = Text::from(*name);
        made.help = Text::from(*name);
        made
    });
    let verdict = Verdict {
        findings: all.collect(),
        unverified: Vec::new(),
        unconfirmed: unconfirmed(),
    };
    let mut report = mixed(verdict);
    let mut tables = names.iter().cycle();
    for target in &mut report.targets {
        for entry in &mut target.unverified {
            entry.reason = Text::from(names.concat());
            entry.object = ObjectPath::table(None, tables.next().unwrap());
        }
    }
    report
}

/// Three targets: one that was fully checked and has findings, a clean one, and one that does not answer.
pub(crate) fn mixed(verdict: Verdict) -> Report {
    let (drifted, clean, down) = (
        target("prod/notification"),
        target("staging"),
        target("dr/notification"),
    );
    let spec = spec(&["ProcessedIntegrationEvents", "OutboxMessages"]);
    let mut one = spec.clone();
    one.tables.truncate(1);
    let mut verdict = verdict;
    for finding in &mut verdict.findings {
        finding.target = Text::new(&drifted.name);
    }
    let see = || catalog(&["ProcessedIntegrationEvents"]);
    let error = Error::new(
        ErrorKind::Unreachable,
        "no answer from db:5432 within 10s",
        "Check host and port.",
    );
    let outcomes = vec![
        Outcome {
            target: &drifted,
            spec: &one,
            result: Ok((see(), verdict)),
        },
        Outcome {
            target: &clean,
            spec: &one,
            result: Ok((see(), Verdict::default())),
        },
        Outcome {
            target: &down,
            spec: &spec,
            result: Err(error),
        },
    ];
    let mut report = build(outcomes, policy());
    report.tool.version = "0.0.0".to_owned();
    report
}

/// The usual drift in three targets.
pub(crate) fn drifted() -> Report {
    mixed(Verdict {
        findings: findings(),
        unverified: vec![unverified(false)],
        unconfirmed: unconfirmed(),
    })
}

/// What a finding says of a waiver, in these words.
pub(crate) fn waived(words: &str, days_left: i64) -> Waived {
    Waived {
        id: Text::new(format!("W-1{words}")),
        owner: Text::new(format!("@team{words}")),
        reason: Text::new(format!("its repair is planned{words}")),
        ticket: Some(Text::new(format!("https://tickets/1{words}"))),
        expires: "2026-01-09".to_owned(),
        days_left,
    }
}

/// Excuses findings of a report in these words: one is waived, the waiver of one has expired, one was known before.
pub(crate) fn excuse(report: &mut Report, words: &str) {
    let [first, second, .., last] = report.findings.as_mut_slice() else {
        return;
    };
    first.expired_waiver = Some(waived(words, -3));
    second.waiver = Some(waived(words, 8));
    last.baseline = Some(Known {
        first_seen: "2025-12-24".to_owned(),
        age_days: 8,
    });
    let waiver = |finding: &Finding, state, days_left| WaiverReport {
        state,
        rule: Text::new(&finding.rule),
        target: finding.target.clone(),
        object: finding.object.dotted(),
        found: Some(Text::new(words)),
        waiver: waived(words, days_left),
        matched: 1,
        note: Some(Text::new(format!("nothing is as it says{words}"))),
        location: location(3, 5, 4),
    };
    report.waivers = vec![
        waiver(first, WaiverState::Expired, -3),
        waiver(second, WaiverState::Expiring, 8),
        waiver(last, WaiverState::Stale, 90),
    ];
    report.baseline = Some(BaselineReport {
        file: format!("seadrift.baseline.json{words}"),
        created: "2025-12-24".to_owned(),
        known: 1,
        new: 2,
        gone: 1,
    });
}

/// The usual drift in three targets, some of it excused.
pub(crate) fn excused() -> Report {
    let mut report = drifted();
    excuse(&mut report, "");
    let summary = &mut report.summary;
    (summary.error, summary.info) = (0, 0);
    (summary.waived, summary.known) = (1, 1);
    report
}

/// One target with so many findings.
pub(crate) fn many(number: usize) -> Report {
    let usual = findings();
    let all = (0..number).map(|i| {
        let mut made = usual[i % usual.len()].clone();
        made.object = table().column(&format!("Column{i:06}"));
        made.fingerprint = fingerprint(&made.rule, "notification", "notification", &made.object);
        made
    });
    mixed(Verdict {
        findings: all.collect(),
        ..Verdict::default()
    })
}
