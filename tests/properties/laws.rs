//! What holds of a spec and the database that it describes.

use proptest::prelude::*;
use seadrift::catalog::{Catalog, Found};
use seadrift::compare::{ideal, pair};
use seadrift::config::{DatabaseUrl, Target};
use seadrift::dialect::Dialect;
use seadrift::finding::Severity;
use seadrift::report::{Look, Outcome, Policy, Times, build, render_json, render_text};
use seadrift::rules::{Verdict, check};
use seadrift::schema::Table;
use seadrift::spec::{Spec, parse, print_spec};

use crate::drift::{Drift, any_drift, plant};
use crate::specs::{any_spec, shipped};

pub(crate) fn judge(spec: &Spec, catalog: &Catalog) -> Verdict {
    check(&pair(spec, catalog), "any")
}

/// Builds the report as it is printed and saved.
fn report(spec: &Spec, catalog: &Catalog) -> (String, String) {
    let target = Target::new("any", DatabaseUrl::parse("postgres://a@b/c").unwrap());
    let outcome = Outcome {
        target: &target,
        spec,
        result: Ok((catalog.clone(), judge(spec, catalog))),
    };
    let policy = Policy {
        fail_on: Some(Severity::Error),
        allow_incomplete: false,
    };
    let times = Times {
        started_at: String::new(),
        finished_at: String::new(),
    };
    let report = build(vec![outcome], policy, times);
    let look = Look {
        width: 100,
        color: false,
        quiet: false,
        verbose: true,
    };
    (render_text(&report, &look), render_json(&report).unwrap())
}

fn tables(catalog: &mut Catalog) -> impl Iterator<Item = &mut Table> {
    catalog
        .sightings
        .iter_mut()
        .filter_map(|sighting| match &mut sighting.found {
            Found::Object(table) => Some(&mut **table),
            Found::Nothing | Found::Hidden { .. } => None,
        })
}

/// The database that a spec describes gives no finding at all, not even a remark, and hides nothing.
fn assert_clean(spec: &Spec, dialect: Dialect) {
    let verdict = judge(spec, &ideal(spec, dialect));
    let said: Vec<String> = verdict
        .findings
        .iter()
        .map(|f| format!("{} {}: {}", f.severity, f.rule, f.message.raw()))
        .collect();
    assert!(said.is_empty(), "{dialect}: {said:#?}");
    assert!(verdict.unverified.is_empty(), "{dialect}: {:#?}", verdict.unverified);
}

#[test]
fn the_database_of_a_shipped_spec_is_clean() {
    for spec in shipped() {
        for dialect in Dialect::ALL {
            assert_clean(&spec, dialect);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_database_of_any_spec_is_clean(spec in any_spec()) {
        for dialect in Dialect::ALL {
            assert_clean(&spec, dialect);
        }
    }

    #[test]
    fn a_printed_spec_reads_back_to_the_same(spec in any_spec()) {
        let printed = print_spec(&spec);
        let again = parse("again.yaml", &printed).unwrap();
        prop_assert_eq!(&print_spec(&again), &printed);
        for dialect in Dialect::ALL {
            prop_assert_eq!(ideal(&spec, dialect), ideal(&again, dialect));
            let open = |spec: &Spec| judge(spec, &ideal(spec, dialect)).unconfirmed.len();
            prop_assert_eq!(open(&spec), open(&again));
        }
    }

    #[test]
    fn the_order_of_what_was_observed_changes_nothing(
        spec in any_spec(), drift in any_drift(), seed in any::<u64>()
    ) {
        for dialect in Dialect::ALL {
            let mut catalog = ideal(&spec, dialect);
            plant(&mut catalog, &spec, &drift);
            let before = report(&spec, &catalog);
            for table in tables(&mut catalog) {
                shuffle(&mut table.columns, seed);
                shuffle(&mut table.indexes, seed);
                shuffle(&mut table.checks, seed);
                shuffle(&mut table.triggers, seed);
                shuffle(&mut table.foreign_keys, seed);
            }
            shuffle(&mut catalog.sightings, seed);
            prop_assert_eq!(&before, &report(&spec, &catalog), "{}", dialect);
        }
    }

    #[test]
    fn the_order_of_tables_in_the_spec_changes_no_output(spec in any_spec(), drift in any_drift(), seed in any::<u64>()) {
        for dialect in Dialect::ALL {
            let mut catalog = ideal(&spec, dialect);
            plant(&mut catalog, &spec, &drift);
            let mut other = spec.clone();
            shuffle(&mut other.tables, seed);
            prop_assert_eq!(report(&spec, &catalog), report(&other, &catalog), "{}", dialect);
        }
    }

    #[test]
    fn a_changed_fact_is_never_taken_for_the_same(spec in any_spec(), drift in any_drift()) {
        for dialect in Dialect::ALL {
            assert_noticed(&spec, &drift, dialect);
        }
    }

    #[test]
    fn nothing_is_worse_than_the_worst_that_its_rule_says(spec in any_spec(), drift in any_drift()) {
        for dialect in Dialect::ALL {
            let mut catalog = ideal(&spec, dialect);
            plant(&mut catalog, &spec, &drift);
            for finding in judge(&spec, &catalog).findings {
                let rule = seadrift::rules::find(&finding.rule).unwrap();
                prop_assert!(finding.severity <= rule.severity, "{finding:?}");
                prop_assert_eq!(finding.code, rule.code);
            }
        }
    }
}

#[test]
fn a_changed_fact_of_a_shipped_spec_is_never_taken_for_the_same() {
    for spec in shipped() {
        for dialect in Dialect::ALL {
            for drift in Drift::all() {
                assert_noticed(&spec, &drift, dialect);
            }
        }
    }
}

/// Types of which each database has one store only, and a type that is kept in another way.
#[test]
fn a_type_that_has_one_store_is_not_taken_for_another() {
    for ty in ["numeric(12,2)", "interval"] {
        let column = format!("\"back`tick\": {{ type: \"{ty}\", nullable: true, default: none }}");
        let text = format!(
            "version: 1\nservice: any\ntables:\n  T:\n    columns:\n      {column}\n    primary_key: unconfirmed\n"
        );
        let spec = parse("any.yaml", &text).unwrap();
        for dialect in Dialect::ALL {
            assert_clean(&spec, dialect);
            for drift in Drift::all() {
                assert_noticed(&spec, &drift, dialect);
            }
        }
    }
}

/// Plants a drift of a stated fact; something must be said that is not said of the clean database.
fn assert_noticed(spec: &Spec, drift: &Drift, dialect: Dialect) {
    let mut catalog = ideal(spec, dialect);
    let Some(what) = plant(&mut catalog, spec, drift) else {
        return;
    };
    let verdict = judge(spec, &catalog);
    assert!(
        !verdict.findings.is_empty() || !verdict.unverified.is_empty(),
        "{dialect}: {what} went unnoticed"
    );
}

/// Puts a list into another order. The generator is of no quality and needs none.
fn shuffle<T>(list: &mut [T], mut seed: u64) {
    for at in (1..list.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let other = usize::try_from(seed >> 33).unwrap() % (at + 1);
        list.swap(at, other);
    }
}
