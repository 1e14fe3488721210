//! What a rule is, and how rules are run over a comparison.

use serde::{Deserialize, Serialize};

use crate::catalog::{Found, Server, TableData};
use crate::compare::{ColumnPair, Comparison, IndexPair, TablePair};
use crate::dialect::{Dialect, Facts};
use crate::finding::{Finding, Location, Severity, fingerprint};
use crate::retention::{self, Ledger};
use crate::schema::{Aspect, ObjectPath, Table};
use crate::spec::{Position, Spec, TableSpec, Wanted};
use crate::text::Text;

use super::RULES;
use super::plant::Plant;

/// One check with its facts.
#[derive(Debug)]
pub struct Rule {
    /// The code, for grep and SARIF: `C005`.
    pub code: &'static str,
    /// The name, which is its identity: `column-length`.
    pub name: &'static str,
    /// The worst severity it reports.
    pub severity: Severity,
    /// One line: what is wrong when it fires, as a lower-case fragment.
    pub summary: &'static str,
    /// Its page: what it checks, why it matters, how to fix it, example.
    pub page: &'static str,
    /// Its judgement.
    pub check: Check,
    /// The drift that the self-test tries it with. What cannot be planted cannot be shown to be caught.
    pub plant: Plant,
}

/// A rule's judgement, by what it looks at.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Called once for each wanted table, there or not.
    Table(fn(&Context<'_>, &mut Sink<'_>)),
    /// Called for each pair of columns of a table that is there.
    Column(fn(&ColumnPair<'_>, &Context<'_>, &mut Sink<'_>)),
    /// Called for each wanted index of a table that is there.
    Index(fn(&IndexPair<'_>, &Context<'_>, &mut Sink<'_>)),
}

/// What a rule may look at beside its pair.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The spec.
    pub spec: &'a Spec,
    /// The server that answered.
    pub server: &'a Server,
    /// The dialect's answers.
    pub facts: &'static dyn Facts,
    /// The table that is being judged.
    pub pair: &'a TablePair<'a>,
    /// What is known of its retention; absent where the spec is silent about it or the table is not there.
    pub retention: Option<&'a Ledger>,
    /// What the table's rows say; absent unless they were asked.
    pub data: Option<&'a TableData>,
}

impl<'a> Context<'a> {
    /// Returns the wanted table.
    pub fn desired(&self) -> &'a TableSpec {
        self.pair.desired
    }

    /// Returns the observed table. Only column and index rules may rely on it.
    ///
    /// # Panics
    ///
    /// If there is none, which the walker rules out for column and index rules.
    pub fn table(&self) -> &'a Table {
        self.pair
            .table
            .expect("column and index rules run only where the table is there")
    }

    /// Returns the dialect, for names in messages. Ask [`Context::facts`] for anything else.
    pub fn dialect(&self) -> Dialect {
        self.server.dialect
    }

    /// Returns the table's path.
    pub fn path(&self) -> &ObjectPath {
        &self.pair.path
    }

    /// Returns whether a column identifies an event in a ledger.
    pub fn is_event_id(&self, column: &str) -> bool {
        self.desired().is_ledger() && self.desired().event_id() == Some(column)
    }

    /// Returns whether a column holds a ledger's time of recording, or its retention's age.
    pub fn is_recorded_at(&self, column: &str) -> bool {
        let table = self.desired();
        table
            .ledger
            .as_ref()
            .and_then(|l| l.recorded_at.as_ref())
            .is_some_and(|c| c.value == column)
            || table.retention.as_ref().is_some_and(|r| r.column.value == column)
    }
}

/// What a rule says about one broken promise. Every field is given on purpose.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What it costs here.
    pub severity: Severity,
    /// The object it is about.
    pub object: ObjectPath,
    /// The place in the spec: the very key or value that is broken.
    pub at: Position,
    /// What the spec wants.
    pub expected: Option<String>,
    /// What the database has.
    pub found: Option<String>,
    /// One sentence that says what is wrong, without a full stop.
    pub message: String,
    /// What follows for the service or an event: full sentences.
    pub impact: String,
    /// What to do next, in the imperative: full sentences.
    pub help: String,
}

/// A fact that could not be seen, as results have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Unverified {
    /// Which fact of which object.
    pub object: ObjectPath,
    /// Why it could not be seen.
    pub reason: Text,
    /// What to do about it.
    pub help: Text,
    /// Whether the spec states the fact, so that the target counts as incomplete. Otherwise a risk could not be
    /// looked at which no fact of the spec depends on.
    pub required: bool,
}

/// An open fact of the spec, with what the database shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Unconfirmed {
    /// Which fact of which object.
    pub object: ObjectPath,
    /// What the spec guesses, if it does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Text>,
    /// What the database shows.
    pub found: Text,
    /// Where the spec says that it is open.
    pub location: Location,
}

/// Everything that the rules said of one target.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Broken promises, unsorted.
    pub findings: Vec<Finding>,
    /// Facts that could not be seen.
    pub unverified: Vec<Unverified>,
    /// Open facts.
    pub unconfirmed: Vec<Unconfirmed>,
}

/// Takes what a rule says and puts the rule's name and place to it.
pub struct Sink<'a> {
    rule: &'static Rule,
    spec: &'a Spec,
    target: &'a str,
    database: &'a str,
    confirmed: bool,
    verdict: &'a mut Verdict,
}

impl Sink<'_> {
    /// Reports a broken promise; one about an unconfirmed object is listed as open instead.
    pub fn report(&mut self, draft: Draft) {
        if !self.confirmed {
            let found = draft.found.unwrap_or(draft.message);
            self.open(draft.object, draft.expected, found, draft.at);
            return;
        }
        let Draft {
            severity,
            object,
            at,
            expected,
            found,
            message,
            impact,
            help,
        } = draft;
        self.verdict.findings.push(Finding {
            rule: self.rule.name.to_owned(),
            code: self.rule.code.to_owned(),
            severity,
            fingerprint: fingerprint(self.rule.name, &self.spec.service.value, self.database, &object),
            target: Text::new(self.target),
            object,
            expected: expected.map(Text::new),
            found: found.map(Text::new),
            message: Text::new(message),
            impact: Text::new(impact),
            help: Text::new(help),
            location: location(self.spec, at),
            waiver: None,
            expired_waiver: None,
            baseline: None,
        });
    }

    /// Judges a fact of the spec: silent facts pass, open ones are listed with what was found, stated ones are
    /// handed to `judge`, which answers a draft if they are broken.
    pub fn judge<T>(
        &mut self,
        wanted: &Wanted<T>,
        object: ObjectPath,
        at: Position,
        found: impl FnOnce() -> String,
        print: impl FnOnce(&T) -> String,
        judge: impl FnOnce(&T) -> Option<Draft>,
    ) {
        match wanted {
            Wanted::Silent => {}
            Wanted::Unconfirmed(guess) => self.open(object, guess.as_ref().map(print), found(), at),
            Wanted::Is(value) => {
                if let Some(draft) = judge(value) {
                    self.report(draft);
                }
            }
        }
    }

    /// Runs a part of a table rule for one wanted index, so that unconfirmed ones are listed as open.
    pub fn for_index(&mut self, context: &Context<'_>, pair: &IndexPair<'_>, run: impl FnOnce(&mut Self)) {
        let confirmed = self.confirmed;
        self.confirmed = context.desired().confirmed && pair.desired.confirmed;
        run(self);
        self.confirmed = confirmed;
    }

    /// Runs a part of a table rule for facts that rest on others of the spec, so that what rests on open ones is
    /// listed as open.
    pub fn resting_on(&mut self, confirmed: bool, run: impl FnOnce(&mut Self)) {
        let outer = self.confirmed;
        self.confirmed = outer && confirmed;
        run(self);
        self.confirmed = outer;
    }

    /// Lists an open fact with what the database shows.
    pub fn open(&mut self, object: ObjectPath, expected: Option<String>, found: String, at: Position) {
        let location = location(self.spec, at);
        let entry = Unconfirmed {
            object,
            expected: expected.map(Text::new),
            found: Text::new(found),
            location,
        };
        if !self.verdict.unconfirmed.contains(&entry) {
            self.verdict.unconfirmed.push(entry);
        }
    }

    /// Lists a fact that could not be seen.
    pub fn unverified(
        &mut self,
        object: ObjectPath,
        reason: impl Into<String>,
        help: impl Into<String>,
        required: bool,
    ) {
        let entry = Unverified {
            object,
            reason: Text::new(reason),
            help: Text::new(help),
            required: required && self.confirmed,
        };
        if !self.verdict.unverified.contains(&entry) {
            self.verdict.unverified.push(entry);
        }
    }
}

fn location(spec: &Spec, at: Position) -> Location {
    Location {
        file: spec.file.clone(),
        line: at.line,
        column: at.column,
        end_column: at.column + at.length.max(1),
    }
}

/// Runs every rule over a comparison.
pub fn check(comparison: &Comparison<'_>, target: &str) -> Verdict {
    check_with(RULES, comparison, target)
}

pub(super) fn check_with(rules: &[&'static Rule], comparison: &Comparison<'_>, target: &str) -> Verdict {
    check_with_facts(rules, comparison, target, comparison.dialect().facts())
}

/// Runs rules with a dialect's facts given by hand, so that tests of rules do not hang on those of a dialect.
pub(super) fn check_with_facts(
    rules: &[&'static Rule],
    comparison: &Comparison<'_>,
    target: &str,
    facts: &'static dyn Facts,
) -> Verdict {
    let mut verdict = Verdict::default();
    for pair in &comparison.tables {
        let server = &comparison.catalog.server;
        let retention = retention::judge(pair.desired, pair.sighting, comparison.catalog);
        let context = Context {
            spec: comparison.spec,
            server,
            facts,
            pair,
            retention: retention.as_ref(),
            data: comparison.catalog.data.get(&pair.desired.name.value),
        };
        if let Found::Hidden { reason, help } = &pair.sighting.found {
            verdict.unverified.push(Unverified {
                object: pair.path.aspect(Aspect::Existence),
                reason: Text::new(reason),
                help: Text::new(help),
                required: pair.desired.confirmed,
            });
            continue;
        }
        for rule in rules {
            let mut sink = Sink {
                rule,
                spec: comparison.spec,
                target,
                database: &comparison.catalog.server.database,
                confirmed: pair.desired.confirmed,
                verdict: &mut verdict,
            };
            run(rule, pair, &context, &mut sink);
        }
    }
    for unseen in &comparison.catalog.unseen {
        // The catalog knows the reason; a rule that missed the same fact does not.
        verdict.unverified.retain(|entry| entry.object != unseen.object);
        verdict.unverified.push(Unverified {
            object: unseen.object.clone(),
            reason: Text::new(&unseen.reason),
            help: Text::new(&unseen.help),
            required: is_stated(unseen.object.aspect),
        });
    }
    verdict
}

/// Returns whether a fact of this kind is one that specs state, so that not seeing it leaves the check incomplete.
fn is_stated(aspect: Option<Aspect>) -> bool {
    !matches!(
        aspect,
        Some(Aspect::WritePath | Aspect::ForeignKeys | Aspect::Partitions)
    )
}

fn run(rule: &Rule, pair: &TablePair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let table_confirmed = sink.confirmed;
    match rule.check {
        Check::Table(check) => check(context, sink),
        Check::Column(check) => {
            for column in &pair.columns {
                let confirmed = match column {
                    ColumnPair::Both { desired, .. }
                    | ColumnPair::Missing { desired, .. }
                    | ColumnPair::Unseen { desired } => desired.confirmed,
                    ColumnPair::Extra { .. } => true,
                };
                sink.confirmed = table_confirmed && confirmed;
                check(column, context, sink);
            }
        }
        Check::Index(check) => {
            for index in &pair.indexes {
                sink.for_index(context, index, |sink| check(index, context, sink));
            }
        }
    }
    sink.confirmed = table_confirmed;
}
