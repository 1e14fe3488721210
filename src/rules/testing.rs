//! Scenes for the tests of rules: a ledger's spec and a table that keeps every promise of it, on any dialect.
//!
//! A test changes one fact on one side and runs one rule:
//!
//! ```ignore
//! Scene::ledger(Dialect::Postgres)
//!     .column("EventId", |c| c.nullable = true)
//!     .run(&RULE)
//!     .finding();
//! ```
//!
//! [`Scene::run`] asks the dialect's own facts. Rules that judge types, defaults or collations can be run with
//! [`PlainFacts`] instead: a few facts that fit on this page, so that such a test fails for its rule's sake only.

pub(super) mod keys;
pub(super) mod retention;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::catalog::{Catalog, Found, Likeness, Lookalike, Namespace, Server, Sighting};
use crate::compare::pair;
use crate::dialect::{Condition, Degree, Dialect, Facts, Fit, KeyEffect, Misfit, Row, TypeAspect, is_text};
use crate::finding::{Finding, Severity};
use crate::schema::{
    Clock, Collation, Column, DataType, DefaultExpr, Equality, Index, KeyPart, Literal, NativeType, PrimaryKey, Table,
    TimeForm,
};
use crate::spec::{
    At, ColumnSpec, DefaultSpec, DesiredType, IndexSpec, KeyExprSpec, KeyPartSpec, LedgerSpec, Position, Role, Spec,
    Status, TableSpec, TypeSpec, Wanted,
};

use super::engine::{Rule, Unconfirmed, Unverified, Verdict, check_with, check_with_facts};

/// The table that scenes are about.
pub(super) const TABLE: &str = "ProcessedIntegrationEvents";
/// The unique index that protects it.
pub(super) const UNIQUE: &str = "UX_ProcessedEvents_EventId";

/// A spec beside a catalog that keeps it, until a test changes something.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    spec: Spec,
    catalog: Catalog,
}

impl Scene {
    /// Makes a ledger of eight columns, one primary key and one unique index, and the table that a clean database
    /// of this dialect has for it.
    pub(super) fn ledger(dialect: Dialect) -> Self {
        let mut lines = Lines::default();
        let wanted = ledger_spec(&mut lines);
        let namespace = namespace_of(dialect);
        let table = table_for(&wanted, dialect, namespace);
        Self {
            spec: Spec {
                file: "specs/asset.yaml".to_owned(),
                text: Arc::from(""),
                service: lines.at("asset".to_owned()),
                summary: None,
                owner: None,
                sources: Vec::new(),
                tables: vec![wanted],
            },
            catalog: Catalog {
                server: Server {
                    dialect,
                    version: "1".to_owned(),
                    database: "asset".to_owned(),
                    role: None,
                    settings: BTreeMap::new(),
                    replica: false,
                    remarks: Vec::new(),
                    rights: crate::catalog::Rights::default(),
                },
                namespace: Namespace {
                    name: namespace.map(str::to_owned),
                    exists: true,
                    visible_tables: 1,
                    alternatives: Vec::new(),
                },
                sightings: vec![Sighting {
                    wanted: TABLE.to_owned(),
                    found: Found::Object(Box::new(table)),
                    lookalikes: Vec::new(),
                    index_elsewhere: Vec::new(),
                    shadowed_by: None,
                }],
                unseen: Vec::new(),
                retention: crate::retention::Evidence::default(),
                data: BTreeMap::new(),
                queries: 1,
            },
        }
    }

    /// Changes the wanted table.
    pub(super) fn wanted(mut self, change: impl FnOnce(&mut TableSpec)) -> Self {
        change(&mut self.spec.tables[0]);
        self
    }

    /// Changes one wanted column.
    pub(super) fn wanted_column(self, name: &str, change: impl FnOnce(&mut ColumnSpec)) -> Self {
        self.wanted(|table| {
            let column = table.columns.iter_mut().find(|c| c.name.value == name);
            change(column.expect("the spec has this column"));
        })
    }

    /// Gives the wanted table another role. Only a ledger keeps its ledger block.
    pub(super) fn role(self, role: Role) -> Self {
        self.wanted(|table| {
            table.role = role;
            if role != Role::Ledger {
                table.ledger = None;
            }
        })
    }

    /// Changes the observed table.
    ///
    /// # Panics
    ///
    /// If [`Scene::sighting`] has taken it away.
    pub(super) fn table(self, change: impl FnOnce(&mut Table)) -> Self {
        self.sighting(|sighting| match &mut sighting.found {
            Found::Object(table) => {
                change(table);
                table.normalize();
            }
            Found::Nothing | Found::Hidden { .. } => panic!("there is no table to change"),
        })
    }

    /// Changes one observed column.
    pub(super) fn column(self, name: &str, change: impl FnOnce(&mut Column)) -> Self {
        self.table(|table| {
            let column = table.columns.iter_mut().find(|c| c.name == name);
            change(column.expect("the table has this column"));
        })
    }

    /// Adds a nullable text column to the observed table.
    pub(super) fn extra_column(self, name: &str, change: impl FnOnce(&mut Column)) -> Self {
        self.table(|table| {
            let mut extra = column(name, NativeType::plain(DataType::Text));
            extra.nullable = true;
            change(&mut extra);
            table.columns.push(extra);
        })
    }

    /// Takes a column out of the observed table.
    pub(super) fn without_column(self, name: &str) -> Self {
        self.table(|table| table.columns.retain(|c| c.name != name))
    }

    /// Changes what was seen under the table's name.
    pub(super) fn sighting(mut self, change: impl FnOnce(&mut Sighting)) -> Self {
        change(&mut self.catalog.sightings[0]);
        self
    }

    /// Takes the table away.
    pub(super) fn without_table(self) -> Self {
        self.sighting(|sighting| sighting.found = Found::Nothing)
    }

    /// Puts an object of a similar name beside the table.
    pub(super) fn lookalike(self, namespace: Option<&str>, name: &str, kind: &str, likeness: Likeness) -> Self {
        self.sighting(|sighting| {
            sighting.lookalikes.push(Lookalike {
                namespace: namespace.map(str::to_owned),
                name: name.to_owned(),
                kind: kind.to_owned(),
                likeness,
            });
        })
    }

    /// Returns the wanted table, to compare positions with.
    pub(super) fn spec_table(&self) -> &TableSpec {
        &self.spec.tables[0]
    }

    /// Returns a wanted column, to compare positions with.
    pub(super) fn spec_column(&self, name: &str) -> &ColumnSpec {
        self.spec_table().column(name).expect("the spec has this column")
    }

    /// Runs one rule with the dialect's own facts.
    pub(super) fn run(&self, rule: &'static Rule) -> Said {
        Said(check_with(&[rule], &pair(&self.spec, &self.catalog), "test"))
    }

    /// Runs one rule with the given facts.
    pub(super) fn run_with(&self, rule: &'static Rule, facts: &'static dyn Facts) -> Said {
        Said(check_with_facts(
            &[rule],
            &pair(&self.spec, &self.catalog),
            "test",
            facts,
        ))
    }
}

/// What one rule said of a scene.
#[derive(Debug)]
pub(super) struct Said(Verdict);

impl Said {
    /// Returns the only finding.
    ///
    /// # Panics
    ///
    /// If there is none, or more than one.
    pub(super) fn finding(&self) -> &Finding {
        match &self.0.findings[..] {
            [finding] => finding,
            other => panic!("expected one finding, got {other:#?}"),
        }
    }

    /// Returns all findings.
    pub(super) fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    /// Returns the severity of the only finding.
    pub(super) fn severity(&self) -> Severity {
        self.finding().severity
    }

    /// Returns the only open fact, where nothing else was said.
    pub(super) fn open(&self) -> &Unconfirmed {
        match (&self.0.unconfirmed[..], &self.0.findings[..]) {
            ([open], []) => open,
            other => panic!("expected one open fact, got {other:#?}"),
        }
    }

    /// Returns the only unseen fact, where nothing else was said.
    pub(super) fn unverified(&self) -> &Unverified {
        match (&self.0.unverified[..], &self.0.findings[..]) {
            ([unverified], []) => unverified,
            other => panic!("expected one unseen fact, got {other:#?}"),
        }
    }

    /// Asserts that nothing at all was said.
    pub(super) fn assert_quiet(&self) {
        let Verdict {
            findings,
            unverified,
            unconfirmed,
        } = &self.0;
        assert!(
            findings.is_empty() && unverified.is_empty() && unconfirmed.is_empty(),
            "expected silence, got {self:#?}"
        );
    }
}

/// Hands out one line of the spec file after another, so that every key has a position of its own.
#[derive(Default)]
struct Lines(u32);

impl Lines {
    fn next(&mut self) -> Position {
        self.0 += 1;
        Position {
            line: self.0,
            column: 1,
            length: 1,
        }
    }

    fn at<T>(&mut self, value: T) -> At<T> {
        At::new(value, self.next())
    }
}

fn ledger_spec(lines: &mut Lines) -> TableSpec {
    let uuid = || TypeSpec {
        any: Some(DataType::Uuid),
        pins: BTreeMap::from([(Dialect::MySql, DataType::Char(36)), (Dialect::Sqlite, DataType::Text)]),
    };
    let time = TypeSpec {
        any: Some(DataType::Timestamp {
            precision: None,
            zoned: true,
        }),
        pins: BTreeMap::from([
            (Dialect::MySql, DataType::DateTime { precision: Some(6) }),
            (Dialect::Sqlite, DataType::Text),
        ]),
    };
    let plain = |data: DataType| TypeSpec {
        any: Some(data),
        pins: BTreeMap::new(),
    };
    let varchar = |n: u32| plain(DataType::Varchar(Some(n)));
    let processed = DefaultSpec::Value(Literal::Text("Processed".to_owned()));
    TableSpec {
        name: lines.at(TABLE.to_owned()),
        confirmed: true,
        role: Role::Ledger,
        status: Status::Implemented,
        columns_at: lines.next(),
        columns: vec![
            column_spec(lines, "Id", uuid(), false, DefaultSpec::None),
            column_spec(lines, "EventId", uuid(), false, DefaultSpec::None),
            column_spec(lines, "EventType", varchar(160), false, DefaultSpec::None),
            column_spec(lines, "TenantId", plain(DataType::Integer), true, DefaultSpec::None),
            column_spec(lines, "CorrelationId", varchar(160), true, DefaultSpec::None),
            column_spec(lines, "SourceService", varchar(120), false, DefaultSpec::None),
            column_spec(lines, "Outcome", varchar(40), false, processed),
            column_spec(lines, "ProcessedOnUtc", time, false, DefaultSpec::None),
        ],
        primary_key: lines.at(Wanted::Is(vec!["Id".to_owned()])),
        indexes_at: lines.next(),
        indexes: vec![IndexSpec {
            name: lines.at(UNIQUE.to_owned()),
            confirmed: true,
            key: lines.at(vec![KeyPartSpec {
                expr: KeyExprSpec::Column("EventId".to_owned()),
                descending: None,
            }]),
            unique: lines.at(true),
            predicate: None,
            include: None,
            nulls_distinct: None,
        }],
        checks: Vec::new(),
        ledger: Some(LedgerSpec {
            event_id: lines.at("EventId".to_owned()),
            recorded_at: Some(lines.at("ProcessedOnUtc".to_owned())),
            staleness_window: Some(lines.at(Duration::from_secs(168 * 3600))),
            clock_skew: None,
            future_dating: None,
            confirmed: true,
        }),
        retention: None,
    }
}

fn column_spec(lines: &mut Lines, name: &str, ty: TypeSpec, nullable: bool, default: DefaultSpec) -> ColumnSpec {
    ColumnSpec {
        name: lines.at(name.to_owned()),
        confirmed: true,
        ty: lines.at(Wanted::Is(ty)),
        nullable: lines.at(Wanted::Is(nullable)),
        default: lines.at(Wanted::Is(default)),
        identity: lines.at(Wanted::Silent),
        generated: lines.at(Wanted::Silent),
        collation: lines.at(Wanted::Silent),
        compare: lines.at(Wanted::Silent),
        values: lines.at(Wanted::Silent),
    }
}

fn namespace_of(dialect: Dialect) -> Option<&'static str> {
    match dialect {
        Dialect::Postgres => Some("public"),
        Dialect::MySql | Dialect::MariaDb => Some("asset"),
        Dialect::Sqlite => None,
    }
}

/// Makes the table that a clean database has for a spec made here.
fn table_for(spec: &TableSpec, dialect: Dialect, namespace: Option<&str>) -> Table {
    let mut table = Table::new(namespace, &spec.name.value);
    for wanted in &spec.columns {
        let data = wanted.ty.value.stated().and_then(|ty| ty.any.clone());
        let uuid = data == Some(DataType::Uuid);
        let ty = native_type(dialect, data.expect("every type of the scene is stated"));
        let mut column = column(&wanted.name.value, ty);
        column.nullable = wanted.nullable.value == Wanted::Is(true);
        column.collation = is_text(&column.ty.data).then(|| collation(dialect, uuid));
        if let Some(DefaultSpec::Value(literal)) = wanted.default.value.stated() {
            column.default = Some(DefaultExpr::Literal(literal.clone()));
            column.default_text = Some(literal.to_string());
        }
        table.columns.push(column);
    }
    table.primary_key = Some(PrimaryKey {
        name: None,
        columns: vec!["Id".to_owned()],
        row_number: false,
    });
    table.indexes = vec![index("PRIMARY", "Id"), index(UNIQUE, "EventId")];
    table.indexes[0].primary = true;
    table.normalize();
    table
}

fn native_type(dialect: Dialect, data: DataType) -> NativeType {
    NativeType::plain(match (dialect, data) {
        (Dialect::MySql | Dialect::MariaDb, DataType::Uuid) => DataType::Char(36),
        (Dialect::MySql | Dialect::MariaDb, DataType::Timestamp { .. }) => DataType::DateTime { precision: Some(6) },
        (Dialect::Sqlite, DataType::Integer) => DataType::Integer,
        (Dialect::Sqlite, _) => DataType::Text,
        (_, data) => data,
    })
}

/// Makes the collation that a text column of a clean database has.
fn collation(dialect: Dialect, uuid: bool) -> Collation {
    let (name, charset, equality) = match dialect {
        Dialect::Postgres => ("default", None, Equality::Bytes),
        Dialect::MySql | Dialect::MariaDb if uuid => ("ascii_general_ci", Some("ascii"), Equality::CaseInsensitive),
        Dialect::MySql | Dialect::MariaDb => ("utf8mb4_general_ci", Some("utf8mb4"), Equality::CaseInsensitive),
        Dialect::Sqlite => ("BINARY", None, Equality::Bytes),
    };
    Collation {
        name: name.to_owned(),
        charset: charset.map(str::to_owned),
        explicit: charset == Some("ascii"),
        equality,
        pads: charset.is_some(),
        full_unicode: charset != Some("ascii"),
    }
}

/// Makes a column without peculiarities.
pub(super) fn column(name: &str, ty: NativeType) -> Column {
    Column::plain(name, ty)
}

/// Makes a valid unique index over one column.
pub(super) fn index(name: &str, column: &str) -> Index {
    Index {
        unique: true,
        key: vec![KeyPart::column(column)],
        ..Index::plain(name)
    }
}

/// The facts of no server in particular, short enough to be seen through.
pub(super) struct PlainFacts {
    /// Which texts are equal where a column names no collation.
    usual: Equality,
}

/// Facts of a server whose texts differ in letter case by default.
pub(super) static CASE_SENSITIVE: PlainFacts = PlainFacts { usual: Equality::Bytes };
/// Facts of a server whose texts do not differ in letter case by default.
pub(super) static CASE_INSENSITIVE: PlainFacts = PlainFacts {
    usual: Equality::CaseInsensitive,
};

impl Facts for PlainFacts {
    fn fit(&self, desired: &DesiredType, column: &Column) -> Fit {
        use DataType::{BigInt, Bytes, Integer, Numeric, SmallInt, Uuid, Varchar};
        let observed = &column.ty.data;
        let (aspect, degree) = match (&desired.data, observed) {
            (a, b) if a == b && column.ty.domains.is_empty() => return Vec::new(),
            (a, b) if a == b => (TypeAspect::Type, Degree::Note),
            (Varchar(Some(a)), Varchar(Some(b))) if b > a => (TypeAspect::Length, Degree::Wider),
            (Varchar(_), Varchar(_)) => (TypeAspect::Length, Degree::Narrower),
            (Numeric { .. }, Numeric { .. }) => (TypeAspect::Precision, Degree::Narrower),
            (Integer, BigInt) => (TypeAspect::Type, Degree::Wider),
            (Integer, SmallInt) => (TypeAspect::Type, Degree::Narrower),
            (Uuid, Bytes) => (TypeAspect::Type, Degree::Ambiguous),
            _ => (TypeAspect::Type, Degree::Unrelated),
        };
        vec![Misfit {
            aspect,
            degree,
            impact: format!("{observed} is not {}.", desired.data),
        }]
    }

    fn native_type(&self, desired: &DesiredType) -> NativeType {
        NativeType::plain(desired.data.clone())
    }

    fn usual_collation(&self, desired: &DesiredType) -> Option<Collation> {
        is_text(&desired.data).then(|| Collation {
            name: "usual".to_owned(),
            charset: None,
            explicit: false,
            equality: self.usual,
            pads: false,
            full_unicode: true,
        })
    }

    fn default_expr(&self, sql: &str, _ty: &NativeType) -> Option<DefaultExpr> {
        let sql = sql.trim();
        Some(match sql {
            "NULL" => return None,
            "now()" => DefaultExpr::Now {
                clock: Clock::Statement,
                form: TimeForm::Native,
            },
            "gen_random_uuid()" => DefaultExpr::FreshUuid,
            _ => DefaultExpr::Expression(self.expression(sql)),
        })
    }

    fn literal(&self, value: &Literal, _ty: &NativeType) -> Literal {
        value.clone()
    }

    fn expression(&self, sql: &str) -> String {
        sql.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn conditions(&self, sql: &str) -> Vec<Condition> {
        vec![Condition::Other(self.expression(sql))]
    }

    fn is_constant(&self, _sql: &str) -> bool {
        false
    }

    fn same_table_name(&self, a: &str, b: &str) -> bool {
        a == b
    }

    fn same_name(&self, a: &str, b: &str) -> bool {
        a == b
    }

    fn stored_name<'a>(&self, name: &'a str) -> &'a str {
        name
    }

    fn quote(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    fn is_condition(&self, _sql: &str) -> bool {
        false
    }

    fn constant_text(&self, _sql: &str) -> Option<String> {
        None
    }

    fn admits(&self, _check: &str, _row: &Row<'_>) -> Option<bool> {
        None
    }

    fn only_keeps_null_out(&self, _check: &str) -> bool {
        false
    }

    fn key_effect(&self, _sql: &str, _column: &Column) -> KeyEffect {
        KeyEffect::Unknown
    }

    fn enforces_lengths(&self) -> bool {
        true
    }

    fn default_namespace(&self) -> Option<&'static str> {
        None
    }
}
