use super::*;
use crate::catalog::Found;
use crate::compare::ideal;
use crate::dialect::Dialect;
use crate::schema::{Check, Collation};
use crate::spec::parse;

/// A table with one wanted index, and the table that a clean database has for it.
struct Case {
    spec: TableSpec,
    table: Table,
    facts: &'static dyn Facts,
}

impl Case {
    /// Makes a case of the wanted index's facts in YAML, such as `{ columns: [A], unique: true }`.
    fn new(dialect: Dialect, index: &str) -> Self {
        let text = format!(
            "version: 1\nservice: s\ntables:\n  T:\n    columns:\n      A: {{ type: text }}\n      B: {{ type: integer, nullable: true }}\n      \
             C: {{ type: text, compare: case_sensitive }}\n    indexes:\n      IX: {index}\n"
        );
        let mut spec = parse("s.yaml", &text).unwrap();
        let mut catalog = ideal(&spec, dialect);
        let Found::Object(table) = catalog.sightings.remove(0).found else {
            panic!("the clean database has the table");
        };
        Self {
            spec: spec.tables.remove(0),
            table: *table,
            facts: dialect.facts(),
        }
    }

    fn unique() -> Self {
        Self::new(Dialect::Postgres, "{ columns: [A], unique: true }")
    }

    fn lookup() -> Self {
        Self::new(Dialect::Postgres, "{ columns: [A] }")
    }

    /// Changes the index of the wanted name.
    fn index(mut self, change: impl FnOnce(&mut Index)) -> Self {
        change(&mut self.table.indexes[0]);
        self
    }

    /// Adds a copy of the clean index under another name.
    fn with(mut self, name: &str, change: impl FnOnce(&mut Index)) -> Self {
        let mut other = self.table.indexes[0].clone();
        name.clone_into(&mut other.name);
        change(&mut other);
        self.table.indexes.push(other);
        self
    }

    fn stand(&self) -> Standing<'_> {
        let wanted = &self.spec.indexes[0];
        let named = self.table.indexes.iter().find(|i| i.name == wanted.name.value);
        stand(wanted, named, &self.spec, &self.table, self.facts)
    }

    /// Returns the worst effect and what differs, where the index of the wanted name is the answer.
    fn differs(&self) -> (Effect, Vec<String>) {
        match self.stand() {
            Standing::Nearest { differences, .. } => (
                worst(&differences),
                differences.iter().map(|d| d.what.clone()).collect(),
            ),
            other => panic!("{other:?}"),
        }
    }

    fn other(&self) -> String {
        match self.stand() {
            Standing::Other { index, .. } => index.name.clone(),
            other => panic!("{other:?}"),
        }
    }
}

fn expression(sql: &str, columns: &[&str]) -> KeyPart {
    KeyPart {
        expr: KeyExpr::Expression {
            sql: sql.to_owned(),
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
        },
        ..KeyPart::column("")
    }
}

fn collation(name: &str, equality: Equality) -> Collation {
    Collation {
        name: name.to_owned(),
        charset: None,
        explicit: true,
        equality,
        pads: false,
        full_unicode: true,
    }
}

#[test]
fn the_clean_index_differs_in_nothing() {
    for dialect in Dialect::ALL {
        for index in [
            "{ columns: [A], unique: true }",
            "{ columns: [A, B], unique: true, where: \"\\\"B\\\" > 0\" }",
            "{ columns: [{ column: B, order: desc }, A], include: [C] }",
            "{ columns: [B], unique: true, nulls_distinct: false }",
            "{ columns: [{ sql: lower(\"A\") }], unique: true }",
            "{ columns: [{ sql: lower(\"A\") }] }",
        ] {
            assert_eq!(
                Case::new(dialect, index).differs(),
                (Effect::Cosmetic, Vec::new()),
                "{index}"
            );
        }
    }
}

#[test]
fn what_a_unique_index_lets_in_or_refuses_decides_its_effect() {
    type Change = fn(&mut Index);
    let cases: [(&str, Effect, Change); 9] = [
        ("longer key", Effect::LetsIn, |i| i.key.push(KeyPart::column("B"))),
        ("partial", Effect::LetsIn, |i| {
            i.predicate = Some("\"B\" > 0".to_owned())
        }),
        ("prefix", Effect::Refuses, |i| i.key[0].prefix = Some(8)),
        ("invalid", Effect::Unenforced, |i| i.state = IndexState::Building),
        ("deferrable", Effect::Impaired, |i| i.deferrable = true),
        ("hash that serves nothing", Effect::Degraded, |i| {
            i.serves_equality = false
        }),
        ("descending", Effect::Cosmetic, |i| i.key[0].descending = true),
        ("payload", Effect::Cosmetic, |i| i.include = vec!["B".to_owned()]),
        ("constraint", Effect::Cosmetic, |i| i.constraint = Some("UQ".to_owned())),
    ];
    for (what, effect, change) in cases {
        let (found, differences) = Case::unique().index(change).differs();
        assert_eq!(found, effect, "{what}: {differences:?}");
        assert_eq!(differences.len(), 1, "{what}: {differences:?}");
    }
}

#[test]
fn a_key_in_another_order_is_as_unique() {
    let case = Case::new(Dialect::Postgres, "{ columns: [A, B], unique: true }").index(|i| i.key.reverse());
    assert_eq!(case.differs().0, Effect::Degraded);
}

#[test]
fn half_of_a_key_refuses_what_the_whole_lets_in() {
    let case = Case::new(Dialect::Postgres, "{ columns: [A, B], unique: true }").index(|i| {
        i.key.pop();
    });
    assert_eq!(case.differs().0, Effect::Refuses);
}

#[test]
fn half_of_a_key_with_a_stranger_is_another_index() {
    let case = Case::new(Dialect::Postgres, "{ columns: [A, B], unique: true }")
        .index(|i| i.key = vec![KeyPart::column("A"), KeyPart::column("C")]);
    assert!(matches!(case.stand(), Standing::Nothing));
}

#[test]
fn an_expression_over_the_column_is_judged_by_what_it_loses() {
    for (sql, effect) in [
        ("md5(\"A\")", Effect::Impaired),
        ("lower(\"A\")", Effect::Refuses),
        ("left(\"A\", 8)", Effect::Refuses),
        ("NULLIF(\"A\", ''::text)", Effect::LetsIn),
        ("mystery(\"A\")", Effect::Impaired),
    ] {
        let case = Case::unique().index(|i| i.key = vec![expression(sql, &["A"])]);
        assert_eq!(case.differs().0, effect, "{sql}");
    }
}

#[test]
fn a_merge_of_letter_case_breaks_a_promise_where_the_spec_tells_case_apart() {
    let on = |column: &str| {
        let case = Case::new(Dialect::Sqlite, &format!("{{ columns: [{column}], unique: true }}"));
        let part = expression(&format!("lower(\"{column}\")"), &[column]);
        case.index(|i| i.key = vec![part]).differs().0
    };
    assert_eq!(on("A"), Effect::Impaired, "the spec is silent about letter case");
    assert_eq!(on("C"), Effect::Refuses);
}

#[test]
fn a_collation_counts_by_what_it_takes_for_equal() {
    let with = |column: &str, equality: Equality| {
        let case = Case::new(Dialect::Postgres, &format!("{{ columns: [{column}], unique: true }}"));
        case.index(|i| i.key[0].collation = Some(collation("other", equality)))
            .differs()
            .0
    };
    assert_eq!(with("C", Equality::CaseInsensitive), Effect::Refuses);
    assert_eq!(with("C", Equality::Bytes), Effect::Degraded);
    assert_eq!(with("A", Equality::CaseInsensitive), Effect::Degraded);
}

#[test]
fn nulls_count_where_the_column_takes_them() {
    let not_distinct = |column: &str| {
        Case::new(Dialect::Postgres, &format!("{{ columns: [{column}], unique: true }}"))
            .index(|i| i.nulls_not_distinct = true)
            .differs()
            .0
    };
    assert_eq!(not_distinct("A"), Effect::Cosmetic);
    assert_eq!(not_distinct("B"), Effect::Refuses);
    let distinct = Case::new(
        Dialect::Postgres,
        "{ columns: [B], unique: true, nulls_distinct: false }",
    )
    .index(|i| i.nulls_not_distinct = false);
    assert_eq!(distinct.differs().0, Effect::LetsIn);
}

#[test]
fn another_predicate_lets_in_and_a_missing_one_refuses() {
    let case = || {
        Case::new(
            Dialect::Sqlite,
            "{ columns: [A], unique: true, where: \"\\\"B\\\" > 0\" }",
        )
    };
    assert_eq!(
        case().index(|i| i.predicate = Some("\"B\" > 1".to_owned())).differs().0,
        Effect::LetsIn
    );
    assert_eq!(case().index(|i| i.predicate = None).differs().0, Effect::Refuses);
}

#[test]
fn what_an_ordinary_index_serves_decides_its_effect() {
    type Change = fn(&mut Index);
    let cases: [(&str, Effect, Change); 7] = [
        ("longer key", Effect::Cosmetic, |i| i.key.push(KeyPart::column("B"))),
        ("prefix", Effect::Cosmetic, |i| i.key[0].prefix = Some(8)),
        ("partial", Effect::Impaired, |i| i.predicate = Some("true".to_owned())),
        ("method", Effect::Impaired, |i| i.serves_equality = false),
        ("invalid", Effect::Impaired, |i| i.state = IndexState::Building),
        ("unique", Effect::Refuses, |i| i.unique = true),
        ("operator class", Effect::Degraded, |i| {
            i.key[0].operator_class = Some("text_pattern_ops".to_owned());
        }),
    ];
    for (what, effect, change) in cases {
        let (found, differences) = Case::lookup().index(change).differs();
        assert_eq!(found, effect, "{what}: {differences:?}");
    }
}

#[test]
fn an_order_that_the_spec_states_counts_in_a_key_of_several_columns() {
    let order = |index: &str| {
        Case::new(Dialect::Postgres, index)
            .index(|i| i.key[0].descending = !i.key[0].descending)
            .differs()
            .0
    };
    assert_eq!(order("{ columns: [{ column: A, order: asc }, B] }"), Effect::Degraded);
    assert_eq!(order("{ columns: [A, B] }"), Effect::Cosmetic);
    assert_eq!(order("{ columns: [{ column: A, order: asc }] }"), Effect::Cosmetic);
}

#[test]
fn another_index_does_the_work_of_a_namesake_that_does_not() {
    let weak = || Case::unique().index(|i| i.key.push(KeyPart::column("B")));
    assert!(matches!(weak().stand(), Standing::Nearest { .. }));
    let good = |i: &mut Index| i.key.truncate(1);
    assert_eq!(weak().with("good", good).other(), "good");
}

#[test]
fn an_index_that_refuses_too_much_stays_the_answer() {
    let case = Case::unique().with("good", |_| {}).index(|i| i.key[0].prefix = Some(8));
    assert_eq!(case.differs().0, Effect::Refuses);
}

#[test]
fn an_index_of_its_own_goes_before_the_primary_key() {
    let mut case = Case::unique()
        .with("a_primary", |i| i.primary = true)
        .with("z_own", |_| {});
    case.table.indexes.remove(0);
    assert_eq!(case.other(), "z_own");
    case.table.indexes.retain(|i| i.primary);
    assert_eq!(case.other(), "a_primary");
}

#[test]
fn without_any_index_for_the_key_nothing_stands() {
    for index in ["{ columns: [A], unique: true }", "{ columns: [A] }"] {
        let case = Case::new(Dialect::MariaDb, index).index(|i| i.key = vec![KeyPart::column("B")]);
        assert!(matches!(case.stand(), Standing::Nothing), "{index}");
    }
    let ordinary = Case::unique().index(|i| i.unique = false);
    assert!(matches!(ordinary.stand(), Standing::Nothing));
}

#[test]
fn names_of_columns_are_compared_as_the_server_compares_them() {
    let lower =
        |dialect| Case::new(dialect, "{ columns: [A], unique: true }").index(|i| i.key = vec![KeyPart::column("a")]);
    assert_eq!(lower(Dialect::Sqlite).differs().0, Effect::Cosmetic);
    assert!(matches!(lower(Dialect::Postgres).stand(), Standing::Nothing));
}

/// Adds a predicate to the index of the wanted name, on a table whose `B` takes NULL and whose `A` and `C` do not.
fn partial(wanted: &str, predicate: &str) -> Effect {
    let case = Case::new(Dialect::Postgres, wanted).index(|i| i.predicate = Some(predicate.to_owned()));
    case.differs().0
}

#[test]
fn a_predicate_matters_to_a_unique_index_if_it_leaves_out_rows_that_can_be_duplicates() {
    let unique = "{ columns: [A], unique: true }";
    for (predicate, effect) in [
        ("\"A\" IS NOT NULL", Effect::Impaired),
        ("(\"C\" IS NOT NULL) AND (1 = 1)", Effect::Impaired),
        ("\"B\" IS NOT NULL", Effect::LetsIn),
        ("(\"A\" IS NOT NULL) AND (\"B\" > 0)", Effect::LetsIn),
    ] {
        assert_eq!(partial(unique, predicate), effect, "{predicate}");
    }
    // Without a value in the key, rows are never duplicates, unless NULLs are equal.
    let nullable = "{ columns: [B], unique: true }";
    assert_eq!(partial(nullable, "\"B\" IS NOT NULL"), Effect::Impaired);
    let equal = "{ columns: [B], unique: true, nulls_distinct: false }";
    assert_eq!(partial(equal, "\"B\" IS NOT NULL"), Effect::LetsIn);
}

#[test]
fn a_check_that_holds_every_row_to_the_predicate_makes_it_leave_none_out() {
    let with_check = |sql: &str, columns: &[&str], change: fn(&mut Check)| {
        let mut check = Check {
            name: "ck".to_owned(),
            sql: sql.to_owned(),
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            validated: true,
            enforced: true,
        };
        change(&mut check);
        let mut case = Case::unique().index(|i| i.predicate = Some(sql.to_owned()));
        case.table.checks.push(check);
        case.differs().0
    };
    assert_eq!(with_check("\"C\" <> ''", &["C"], |_| {}), Effect::Impaired);
    assert_eq!(with_check("\"C\" IN ('a', 'b')", &["C"], |_| {}), Effect::Impaired);
    assert_eq!(with_check("\"B\" > 0", &["B"], |_| {}), Effect::LetsIn);
    assert_eq!(with_check("f(\"C\") > 0", &["C"], |_| {}), Effect::LetsIn);
    assert_eq!(
        with_check("\"C\" <> ''", &["C"], |c| c.validated = false),
        Effect::LetsIn
    );
    assert_eq!(
        with_check("\"C\" <> ''", &["C"], |c| c.enforced = false),
        Effect::LetsIn
    );
}

#[test]
fn a_wanted_predicate_is_looked_at_by_what_it_leaves_out() {
    let whole = |column: &str, unique: bool, predicate: &str| {
        let wanted = format!("{{ columns: [{column}], unique: {unique}, where: '{predicate}' }}");
        let case = Case::new(Dialect::Postgres, &wanted).index(|i| i.predicate = None);
        case.differs().0
    };
    assert_eq!(whole("A", true, "\"A\" is not null"), Effect::Cosmetic);
    assert_eq!(whole("B", true, "\"B\" is not null"), Effect::Cosmetic);
    assert_eq!(whole("A", true, "\"B\" is not null"), Effect::Refuses);
    assert_eq!(whole("A", false, "\"B\" is not null"), Effect::Cosmetic);
}

#[test]
fn look_ups_of_values_use_an_index_without_the_rows_that_have_none() {
    let lookup = "{ columns: [B] }";
    assert_eq!(partial(lookup, "\"B\" IS NOT NULL"), Effect::Degraded);
    assert_eq!(partial(lookup, "\"A\" IS NOT NULL"), Effect::Impaired);
    assert_eq!(partial(lookup, "\"B\" > 0"), Effect::Impaired);
}

#[test]
fn only_an_index_that_serves_look_ups_stands_in_for_one() {
    let only = |change: fn(&mut Index)| {
        let mut case = Case::lookup().with("ix_other", change);
        case.table.indexes.retain(|i| i.name == "ix_other");
        matches!(case.stand(), Standing::Other { .. })
    };
    assert!(only(|_| {}));
    assert!(!only(|i| i.serves_equality = false));
    assert!(!only(|i| i.predicate = Some("\"B\" > 0".to_owned())));
    assert!(!only(|i| i.state = IndexState::Building));
}

#[test]
fn what_adds_nothing_to_a_key_lets_nothing_in() {
    for (sql, columns, effect) in [
        ("1", &[][..], Effect::Impaired),
        ("md5(\"A\")", &["A"], Effect::Impaired),
        ("\"left\"(\"A\", 8)", &["A"], Effect::Impaired),
        ("NULLIF(\"A\", ''::text)", &["A"], Effect::LetsIn),
        ("NULL::text", &[], Effect::LetsIn),
        ("(\"B\" + 1)", &["B"], Effect::LetsIn),
    ] {
        let case = Case::unique().index(|i| i.key.push(expression(sql, columns)));
        let (found, differences) = case.differs();
        assert_eq!(found, effect, "{sql}: {differences:?}");
    }
}

#[test]
fn a_constant_key_takes_one_row() {
    for dialect in [Dialect::Postgres, Dialect::Sqlite] {
        let case =
            Case::new(dialect, "{ columns: [A], unique: true }").index(|i| i.key = vec![expression("'A_'", &[])]);
        assert_eq!(case.differs().0, Effect::Refuses);
    }
}
