//! Catalog rows of any content, and what holds of them all: no panic, no hang, and a report that is safe to print
//! and valid to read.
//!
//! Rows are made of [`Choices`]: a string of bytes that decides which branch is taken at each step. It runs out, so
//! rows are finite, and proptest can shorten it to the bytes that matter.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{Ask, AskTable, Catalog, Limits};
use crate::compare::{canonical, pair};
use crate::config::{DatabaseUrl, Target};
use crate::finding::Severity;
use crate::report::{self, Look, Outcome, Policy, Times};
use crate::rules;
use crate::spec::Spec;
use crate::text::is_deceptive;

/// The spec that hostile catalogs are compared with.
pub(super) static SPEC: LazyLock<Spec> = LazyLock::new(|| rules::clean_spec().unwrap());

/// Names that the spec wants, and near misses.
pub(super) const NAMES: &[&str] = &[
    "ProcessedIntegrationEvents",
    "processedintegrationevents",
    "ProcessedIntegrationEvent",
    "EventId",
    "eventid",
    "Id",
    "Number",
    "TenantId",
    "Outcome",
    "ProcessedOnUtc",
    "UX_ProcessedEvents_EventId",
    "IX_ProcessedEvents_Correlation",
    "CK_ProcessedEvents_Cost",
    "PRIMARY",
    "public",
];

/// Texts that no server would print, and some that it would.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "\0",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{9b}2J",
    "\u{202e}reversed\u{2066}",
    "\u{200b}\u{feff}",
    "line\r\nbreak\n::error::x",
    "'",
    "\"",
    "`",
    "\\",
    "''\"\"``",
    "('a' || \"b\") = `c`",
    "((((((((((",
    "))))))))))",
    "NULL",
    "now()",
    "nextval('s'::regclass)",
    "'Processed'::character varying",
    "uuid()",
    "character varying(160)",
    "varchar(4294967296)",
    "numeric(99999999999,1)",
    "enum('a','b",
    "timestamp(99)",
    "FOR VALUES FROM ('2026-01-01') TO ('2020-01-01')",
    "FOR VALUES FROM (MINVALUE) TO (MAXVALUE)",
    "FOR VALUES WITH (modulus 18446744073709551615, remainder 0)",
    "FOR VALUES WITH (modulus 1, remainder 0)",
    "FOR VALUES WITH (modulus 0, remainder 0)",
    "DEFAULT",
    "CREATE TABLE t (a, PRIMARY KEY (a))",
    "CREATE UNIQUE INDEX i ON t (a) WHERE b",
    "CREATE TRIGGER t BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END",
    "Größe ß İ ﬁ",
    "e\u{301}\u{301}\u{301}",
    "\u{10ffff}",
    "-9223372036854775808",
    "99999999999999999999999999",
    "1e999999",
    "0x",
    "$$ $a$",
    "/* --",
];

/// Decisions, one byte each; where they have run out, the first choice is taken.
pub(super) struct Choices<'a> {
    bytes: &'a [u8],
    texts: usize,
    huge: Option<usize>,
}

impl<'a> Choices<'a> {
    /// Makes decisions of bytes. The text of the given number, if any, is a mebibyte long.
    pub(super) fn new(bytes: &'a [u8], huge: Option<usize>) -> Self {
        Self { bytes, texts: 0, huge }
    }

    /// Returns how many texts were asked for.
    pub(super) fn texts(&self) -> usize {
        self.texts
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    pub(super) fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Returns a number: mostly small, sometimes at the end of its range.
    pub(super) fn number(&mut self) -> i64 {
        match self.byte() {
            255 => i64::MAX,
            254 => i64::MIN,
            253 => -1,
            byte => i64::from(byte % 5),
        }
    }

    pub(super) fn unsigned(&mut self) -> u32 {
        match self.byte() {
            255 => u32::MAX,
            byte => u32::from(byte % 5),
        }
    }

    /// Returns a text: one of those that the server could say, a name of the spec, or a hostile one.
    pub(super) fn text(&mut self, said: &[&str]) -> String {
        self.texts += 1;
        if self.huge == Some(self.texts) {
            return "('a\\' \u{1b}AND ".repeat((1 << 20) / 12);
        }
        let at = self.byte();
        match self.byte() % 8 {
            0..=3 if !said.is_empty() => pick(said, at).to_owned(),
            0..=5 => pick(NAMES, at).to_owned(),
            6 => pick(HOSTILE, at).to_owned(),
            _ => format!("{}{}", pick(HOSTILE, at), pick(HOSTILE, at.wrapping_mul(7))),
        }
    }

    pub(super) fn name(&mut self) -> String {
        self.text(NAMES)
    }

    pub(super) fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    /// Returns a short list, or now and then a longer one.
    pub(super) fn list<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let length = match self.byte() {
            255 => 40,
            byte => byte % 5,
        };
        (0..length).map(|_| make(self)).collect()
    }
}

fn pick<'t>(list: &[&'t str], at: u8) -> &'t str {
    list.get(usize::from(at) % list.len().max(1))
        .copied()
        .unwrap_or_default()
}

/// Returns the question that the spec asks.
pub(super) fn ask() -> Ask {
    Ask {
        namespace: None,
        tables: SPEC
            .tables
            .iter()
            .map(|table| AskTable {
                name: table.name.value.clone(),
                indexes: table.indexes.iter().map(|i| i.name.value.clone()).collect(),
            })
            .collect(),
        limits: Limits::default(),
    }
}

/// Judges and reports a catalog, and checks what holds of every report.
pub(super) fn examine(catalog: Catalog) {
    let spec = &*SPEC;
    let dialect = catalog.server.dialect;
    let comparison = pair(spec, &catalog);
    let verdict = rules::check(&comparison, "hostile");
    for finding in &verdict.findings {
        let rule = rules::find(&finding.rule).unwrap();
        assert!(finding.severity <= rule.severity, "{finding:?}");
    }
    for pair in &comparison.tables {
        let _ = canonical(pair, dialect);
    }
    let target = Target {
        name: "hostile".to_owned(),
        ..Target::new(&spec.service.value, DatabaseUrl::parse("postgres://a@b/c").unwrap())
    };
    let outcome = Outcome {
        target: &target,
        spec,
        result: Ok((catalog, verdict)),
    };
    let policy = Policy {
        fail_on: Some(Severity::Error),
        allow_incomplete: false,
    };
    let times = Times {
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        finished_at: "2026-01-01T00:00:01.000Z".to_owned(),
    };
    let report = report::build(vec![outcome], policy, times);
    let look = Look {
        width: 100,
        color: false,
        quiet: false,
        verbose: true,
    };
    let text = report::render_text(&report, &look);
    let bad = text.chars().find(|&c| c != '\n' && is_deceptive(c));
    assert_eq!(bad, None, "a control character reached the screen");
    let json: serde_json::Value = serde_json::from_str(&report::render_json(&report).unwrap()).unwrap();
    static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = serde_json::from_str(&report::render_schema().unwrap()).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    });
    assert!(SCHEMA.is_valid(&json), "{:?}", SCHEMA.validate(&json).err());
}

/// Runs something that must end soon, even in a debug build on a busy machine.
pub(super) fn in_time(run: impl FnOnce()) {
    let started = Instant::now();
    run();
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

/// Makes bytes to decide by.
pub(super) fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..1_500)
}

/// Makes bytes that fill every list, without chance.
pub(super) fn full_bytes() -> Vec<u8> {
    (0_u32..4_000)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 11).to_le_bytes()[0] | 1)
        .collect()
}
