use super::*;
use crate::compare::{ideal, pair};
use crate::finding::{Finding, Location};
use crate::rules::{self, Unverified};
use crate::schema::{KeyPart, NativeType, ObjectPath};
use crate::spec::{self, Spec};

const SPEC: &str = "version: 1
service: s
tables:
  T:
    role: ledger
    columns:
      Id: { type: uuid }
      EventId: { type: uuid }
      At: { type: timestamptz }
    primary_key: [Id]
    indexes:
      UX: { columns: [EventId], unique: true }
    ledger: { event_id: EventId, recorded_at: At, staleness_window: 168h, clock_skew: 5m, future_dating: 5m }
    retention: { horizon: 14d, column: At }
";

fn parse(text: &str) -> Spec {
    spec::parse("s.yaml", text).unwrap()
}

fn policy(spec: &Spec) -> Result<Policy, Refusal> {
    Policy::of(&spec.tables[0], None)
}

fn kind_of(text: &str) -> Option<RefusalKind> {
    policy(&parse(text)).err().map(|refusal| refusal.kind)
}

#[test]
fn a_horizon_must_be_longer_than_window_skew_and_future_dating_together() {
    // 168 h + 4 × 5 min + 5 min = 10105 min.
    for (horizon, refused) in [
        ("14d", false),
        ("10106m", false),
        ("10105m", true),
        ("168h", true),
        ("1d", true),
    ] {
        let text = SPEC.replace("14d", horizon);
        assert_eq!(kind_of(&text).is_some(), refused, "{horizon}");
    }
}

#[test]
fn no_horizon_is_safe_without_a_staleness_guard() {
    for window in ["staleness_window: 0, ", ""] {
        let text = SPEC.replace("staleness_window: 168h, ", window).replace("14d", "3650d");
        assert_eq!(kind_of(&text), Some(RefusalKind::Unsafe), "{window:?}");
    }
}

#[test]
fn a_given_horizon_may_only_be_longer() {
    let spec = parse(SPEC);
    let of = |days: u64| Policy::of(&spec.tables[0], Some(Duration::from_secs(days * 86_400)));
    assert_eq!(of(13).unwrap_err().kind, RefusalKind::Usage);
    assert_eq!(of(30).unwrap().horizon, Duration::from_secs(30 * 86_400));
}

#[test]
fn a_table_without_retention_or_ledger_is_a_mistake_of_the_user() {
    let text = SPEC.replace("    retention: { horizon: 14d, column: At }\n", "");
    assert_eq!(kind_of(&text), Some(RefusalKind::Usage));
}

fn plan_over(spec: &Spec, dialect: Dialect, change: impl FnOnce(&mut Table)) -> Result<Plan, Refusal> {
    let mut catalog = ideal(spec, dialect);
    let crate::catalog::Found::Object(table) = &mut catalog.sightings[0].found else {
        panic!("an ideal catalog has the table")
    };
    change(table);
    let comparison = pair(spec, &catalog);
    let verdict = rules::check(&comparison, "t");
    plan(policy(spec)?, &comparison, &verdict)
}

fn index(name: &str, column: &str) -> Index {
    Index {
        key: vec![KeyPart::column(column)],
        ..Index::plain(name)
    }
}

#[test]
fn a_clean_ledger_is_walked_by_place_until_its_column_has_an_index() {
    let spec = parse(SPEC);
    for dialect in [Dialect::Postgres, Dialect::MySql, Dialect::MariaDb, Dialect::Sqlite] {
        let plain = plan_over(&spec, dialect, |_| {}).unwrap();
        assert_eq!((plain.walk, plain.column.as_str()), (Walk::ByPlace, "At"), "{dialect}");
        let indexed = plan_over(&spec, dialect, |table| table.indexes.push(index("IX", "At"))).unwrap();
        assert_eq!(indexed.walk, Walk::ByTime, "{dialect}");
        let partial = plan_over(&spec, dialect, |table| {
            table.indexes.push(Index {
                predicate: Some("x".to_owned()),
                ..index("IX", "At")
            });
        });
        assert_eq!(partial.unwrap().walk, Walk::ByPlace, "{dialect}");
    }
}

#[test]
fn a_ledger_without_its_guard_is_not_trimmed() {
    let drop = |table: &mut Table| table.indexes.retain(|index| index.primary);
    let refusal = plan_over(&parse(SPEC), Dialect::Postgres, drop).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Unsafe);
    assert!(
        refusal.details.iter().any(|d| d.starts_with("unique-missing")),
        "{refusal:?}"
    );
    // A spec that leaves the index open has no rule that speaks of it.
    let open = SPEC.replace("unique: true }", "unique: true, confirmed: false }");
    let refusal = plan_over(&parse(&open), Dialect::Postgres, drop).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Unsafe);
    assert!(refusal.message.contains("EventId"), "{refusal:?}");
    assert!(plan_over(&parse(&open), Dialect::Postgres, |_| {}).is_ok());
}

#[test]
fn a_column_that_does_not_tell_the_time_is_not_gone_by() {
    let set = |ty: DataType| {
        move |table: &mut Table| {
            let column = table.columns.iter_mut().find(|c| c.name == "At").unwrap();
            column.ty = NativeType::plain(ty);
        }
    };
    let local = DataType::Timestamp {
        precision: None,
        zoned: false,
    };
    let open = SPEC.replace("At: { type: timestamptz }", "At: { type: { unconfirmed: timestamp } }");
    assert_eq!(
        plan_over(&parse(&open), Dialect::Postgres, set(local.clone()))
            .unwrap()
            .time,
        TimeKind::Utc
    );
    let open = SPEC.replace(
        "At: { type: timestamptz }",
        "At: { type: { unconfirmed: timestamptz } }",
    );
    for (dialect, ty) in [
        (Dialect::Postgres, local),
        (Dialect::Postgres, DataType::Text),
        (Dialect::MySql, DataType::Varchar(Some(40))),
        (Dialect::Sqlite, DataType::Integer),
    ] {
        let refusal = plan_over(&parse(&open), dialect, set(ty)).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::Unsafe, "{dialect}");
    }
}

#[test]
fn only_required_facts_about_this_ledger_stand_in_the_way() {
    let spec = parse(SPEC);
    let entry = |table: &str, aspect, required| Unverified {
        object: ObjectPath::table(None, table).aspect(aspect),
        reason: "not seen".into(),
        help: "look".into(),
        required,
    };
    for (entry, refused) in [
        (entry("T", Aspect::Indexes, true), true),
        (entry("T", Aspect::WritePath, false), false),
        (entry("T", Aspect::Retention, true), false),
        (entry("U", Aspect::Indexes, true), false),
    ] {
        let verdict = Verdict {
            unverified: vec![entry.clone()],
            ..Verdict::default()
        };
        assert_eq!(
            refuse_unseen(&policy(&spec).unwrap(), &verdict).is_err(),
            refused,
            "{entry:?}"
        );
    }
}

#[test]
fn what_asks_for_trimming_does_not_stand_in_its_way() {
    let spec = parse(SPEC);
    for (code, refused) in [("R008", false), ("I003", true)] {
        let finding = Finding {
            rule: "x".to_owned(),
            code: code.to_owned(),
            severity: Severity::Critical,
            fingerprint: String::new(),
            target: "t".into(),
            object: ObjectPath::table(None, "T"),
            expected: None,
            found: None,
            message: "m".into(),
            impact: "i".into(),
            help: "h".into(),
            location: Location {
                file: String::new(),
                line: 1,
                column: 1,
                end_column: 2,
            },
            waiver: None,
            expired_waiver: None,
            baseline: None,
        };
        let verdict = Verdict {
            findings: vec![finding],
            ..Verdict::default()
        };
        assert_eq!(
            refuse_findings(&policy(&spec).unwrap(), &verdict).is_err(),
            refused,
            "{code}"
        );
    }
}
