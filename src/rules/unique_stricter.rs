//! I004: a unique index refuses rows with different keys.

use crate::compare::{Effect, IndexPair, Standing, Strictness, strictness};
use crate::finding::Severity;
use crate::schema::{Aspect, Column, Index, KeyPart};
use crate::spec::ColumnSpec;

use super::consequence::{of_refusals, print_found, print_found_beside, print_wanted, replacement};
use super::{Check, Context, Draft, Plant, Rule, Sink, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "I004",
    name: "unique-stricter",
    severity: Severity::Critical,
    summary: "a unique index refuses rows that the spec takes for different",
    page: include_str!("unique_stricter.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| ground.index("IX_ProcessedEvents_Correlation").unique = true),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    for pair in &context.pair.indexes {
        sink.for_index(context, pair, |sink| wanted(pair, context, sink));
    }
    let Some(table) = context.pair.table else { return };
    let strict = |index: &Index| strictness(index, context.desired(), table, context.facts);
    let unwanted = table.indexes.iter().filter(|index| {
        index.unique && !index.primary && !answered(index, context) && !is_out_of_reach(index, context)
    });
    for index in unwanted {
        unwanted_index(index, strict(index), &[], context, sink);
    }
    // Many partitions have the same one; that is said once.
    let mut groups: Vec<(String, &Index, Vec<&str>)> = Vec::new();
    for part in &table.partition_indexes {
        let found = print_found(&part.index);
        match groups.iter_mut().find(|(other, ..)| *other == found) {
            Some((.., names)) => names.push(&part.partition),
            None => groups.push((found, &part.index, vec![&part.partition])),
        }
    }
    for (_, index, partitions) in groups {
        unwanted_index(index, strict(index), &partitions, context, sink);
    }
}

/// Returns whether an index is looked at as the answer to a wanted one.
fn answered(index: &Index, context: &Context<'_>) -> bool {
    context.pair.indexes.iter().any(|pair| match &pair.standing {
        Standing::Nearest { index: used, .. } | Standing::Other { index: used, .. } => {
            let named = pair.named.is_some_and(|n| std::ptr::eq(n, index));
            std::ptr::eq(*used, index) && (pair.desired.unique.value || named)
        }
        Standing::Nothing => false,
    })
}

/// Returns whether no row of the service gets as far as an index: it is over a required column that the service does not
/// know, such as one under another name, and nobody fills.
fn is_out_of_reach(index: &Index, context: &Context<'_>) -> bool {
    let columns = &context.table().columns;
    let unknown = |name: &str| {
        let written = |c: &ColumnSpec| context.facts.same_name(name, context.facts.stored_name(&c.name.value));
        !context.desired().columns.iter().any(written)
    };
    let empty = |c: &Column| !c.takes_null() && c.default.is_none() && c.generated.is_none() && c.identity.is_none();
    let required = |name: &str| columns.iter().any(|c| c.name == name && empty(c));
    let mut names = index.key.iter().filter_map(KeyPart::as_column);
    names.any(|name| unknown(name) && required(name))
}

/// A wanted index that takes different keys for equal.
fn wanted(pair: &IndexPair<'_>, context: &Context<'_>, sink: &mut Sink<'_>) {
    let (Standing::Nearest { index, differences } | Standing::Other { index, differences }) = &pair.standing else {
        return;
    };
    if pair.desired.unique.value && index.has_own_comparison() {
        unknown(index, &pair.desired.name.value, &[], context, sink);
    }
    let refusing: Vec<_> = differences
        .iter()
        .filter(|d| matches!(d.effect, Effect::Refuses | Effect::RefusesPadded))
        .collect();
    let Some(worst) = refusing.iter().map(|d| d.effect).max() else {
        return;
    };
    let (mut severity, mut impact) = of_refusals(context);
    if worst == Effect::RefusesPadded {
        severity = Severity::Warning;
        "Keys that differ only in trailing blanks, or in how a character is spelled, are taken for one; senders rarely make \
         such keys."
            .clone_into(&mut impact);
    }
    let what: Vec<&str> = refusing.iter().map(|d| d.what.as_str()).collect();
    let expected = print_wanted(pair.desired);
    sink.report(Draft {
        severity,
        object: context.path().index(&pair.desired.name.value),
        at: if pair.desired.unique.value {
            pair.desired.key.at
        } else {
            pair.desired.name.at
        },
        expected: Some(expected.clone()),
        found: Some(print_found_beside(index, &expected, &what)),
        message: format!(
            "the index `{}` {}; the spec wants `{expected}`",
            index.name,
            what.join("; ")
        ),
        impact,
        help: help(index, pair, context),
    });
}

fn help(index: &Index, pair: &IndexPair<'_>, context: &Context<'_>) -> String {
    if print_found(index) == print_wanted(pair.desired) {
        // The index compares as its column does.
        return "Give the column the type and collation of the spec; the index follows.".to_owned();
    }
    replacement(context, pair, index)
}

/// An index whose keys are compared in a way that a person made. It may refuse what is promised to get in, and let in
/// what is promised to be refused; nothing here can tell, and no promise of the spec is known to hold.
fn unknown(index: &Index, name: &str, partitions: &[&str], context: &Context<'_>, sink: &mut Sink<'_>) {
    let class = index.key.iter().filter(|part| part.own_comparison);
    let class = class
        .filter_map(|part| part.operator_class.as_deref())
        .next()
        .unwrap_or_default();
    sink.unverified(
        context.path().index(name).aspect(Aspect::Definition),
        format!(
            "The index `{}`{} compares keys by the operator class `{class}`, which is none of the server's own: which keys \
             it takes for equal cannot be told.",
            index.name,
            wording::on_partitions(partitions)
        ),
        "Build the index with the default operator class of its columns, and check again.",
        true,
    );
}

/// A unique index that the spec does not speak of.
fn unwanted_index(
    index: &Index,
    strictness: Strictness,
    partitions: &[&str],
    context: &Context<'_>,
    sink: &mut Sink<'_>,
) {
    let (mut severity, mut impact) = of_refusals(context);
    let mut why = "the spec promises no such uniqueness";
    match strictness {
        Strictness::Promised => return,
        Strictness::Unknown => return unknown(index, &index.name, partitions, context, sink),
        Strictness::LetterCase => {
            severity = Severity::Warning;
            why = "takes keys for equal that differ in letter case, which their column does not";
            "A genuine new event whose key differs from another one in letter case alone is refused. The spec does not say \
             whether such keys are different (`compare`)."
                .clone_into(&mut impact);
        }
        Strictness::More => {}
    }
    let named = context
        .pair
        .indexes
        .iter()
        .find(|pair| pair.named.is_some_and(|n| std::ptr::eq(n, index)));
    let (name, at) = match named {
        Some(pair) => (pair.desired.name.value.as_str(), pair.desired.name.at),
        None => (index.name.as_str(), context.desired().indexes_at),
    };
    sink.report(Draft {
        severity,
        object: context.path().index(name),
        at,
        expected: named.map(|pair| print_wanted(pair.desired)),
        found: Some(print_found(index)),
        message: format!(
            "the index `{}`{} is `{}`, and {why}",
            index.name,
            wording::on_partitions(partitions),
            print_found(index)
        ),
        impact,
        help: format!(
            "Drop the {}, or make it an ordinary index if it serves look-ups; if the promise is meant, add it to the spec.",
            if index.constraint.is_some() { "constraint" } else { "index" }
        ),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::keys::{LOOKUP, collation, expression, index_spec, key};
    use crate::rules::testing::{Scene, UNIQUE};
    use crate::schema::{DataType, DefaultExpr, Equality, Identity, Literal, NativeType, PartitionIndex};
    use crate::spec::{At, CompareSpec, Role, Wanted};

    fn index(dialect: Dialect, change: impl FnOnce(&mut Index)) -> Scene {
        Scene::ledger(dialect).index(UNIQUE, change)
    }

    #[test]
    fn just_the_key_is_quiet() {
        for dialect in Dialect::ALL {
            Scene::ledger(dialect).with_lookup().run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn a_prefix_takes_different_events_for_one() {
        let scene = index(Dialect::MariaDb, |index| index.key[0].prefix = Some(8));
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            format!(
                "the index `{UNIQUE}` compares only the first 8 characters of `EventId`; the spec wants `unique (EventId)`"
            )
        );
        assert_eq!(said.finding().location.line, scene.spec_index(UNIQUE).key.at.line);
    }

    #[test]
    fn a_shorter_key_refuses_what_the_longer_one_lets_in() {
        let scene = Scene::ledger(Dialect::Postgres)
            .wanted(|table| table.indexes = vec![index_spec(UNIQUE, &["EventId", "SourceService"], true, 900)]);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(
            said.finding().message.raw().contains("is unique on `(EventId)` alone"),
            "{said:?}"
        );
    }

    #[test]
    fn an_expression_that_merges_values_refuses_different_events() {
        for dialect in Dialect::ALL {
            let sql = format!("substr({}, 1, 8)", dialect.facts().quote("EventId"));
            let scene = index(dialect, |index| index.key = vec![expression(&sql, &["EventId"])]);
            assert_eq!(scene.run(&RULE).severity(), Severity::Critical, "{dialect}");
        }
    }

    #[test]
    fn letter_case_counts_only_where_the_spec_says_so() {
        let on_type = |compare| {
            Scene::ledger(Dialect::MariaDb)
                .wanted(|table| table.indexes = vec![index_spec(UNIQUE, &["EventType"], true, 900)])
                .index(UNIQUE, |index| index.key = key(&["EventType"]))
                .wanted_column("EventType", |c| c.compare.value = compare)
        };
        on_type(Wanted::Silent).run(&RULE).assert_quiet();
        for compare in [CompareSpec::CaseSensitive, CompareSpec::Bytes] {
            assert_eq!(on_type(Wanted::Is(compare)).run(&RULE).severity(), Severity::Critical);
        }
    }

    #[test]
    fn trailing_blanks_alone_are_a_warning() {
        let scene = |compare| {
            Scene::ledger(Dialect::MariaDb)
                .wanted(|table| table.indexes = vec![index_spec(UNIQUE, &["EventType"], true, 900)])
                .index(UNIQUE, |index| index.key = key(&["EventType"]))
                .wanted_column("EventType", |c| c.compare.value = Wanted::Is(compare))
                .column("EventType", |c| {
                    c.collation = Some(collation("utf8mb4_bin", Equality::Bytes, true))
                })
        };
        assert_eq!(scene(CompareSpec::Bytes).run(&RULE).severity(), Severity::Warning);
        scene(CompareSpec::CaseSensitive).run(&RULE).assert_quiet();
    }

    #[test]
    fn an_ordinary_index_that_was_made_unique_refuses_rows() {
        let scene = Scene::ledger(Dialect::Sqlite)
            .with_lookup()
            .index(LOOKUP, |index| index.unique = true);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert!(said.finding().message.raw().contains("is UNIQUE"));
        assert_eq!(said.finding().location.line, scene.spec_index(LOOKUP).name.at.line);
    }

    #[test]
    fn a_unique_index_that_nobody_asked_for_refuses_rows() {
        let extra = |columns: &[&str]| {
            let columns = key(columns);
            Scene::ledger(Dialect::Postgres).extra_index("UX_extra", "Outcome", |index| index.key = columns)
        };
        let scene = extra(&["CorrelationId"]);
        let said = scene.run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            "the index `UX_extra` is `unique (CorrelationId)`, and the spec promises no such uniqueness"
        );
        assert_eq!(said.finding().location.line, scene.spec_table().indexes_at.line);
        for harmless in [&["EventId"][..], &["CorrelationId", "EventId"], &["Outcome", "Id"]] {
            extra(harmless).run(&RULE).assert_quiet();
        }
    }

    #[test]
    fn a_unique_index_over_part_of_a_promised_key_refuses_more() {
        let scene = Scene::ledger(Dialect::Postgres)
            .wanted(|table| table.indexes = vec![index_spec(UNIQUE, &["EventId", "SourceService"], true, 900)])
            .index(UNIQUE, |index| index.key = key(&["EventId", "SourceService"]))
            .extra_index("UX_extra", "SourceService", |_| {});
        assert_eq!(scene.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn nulls_held_equal_refuse_a_second_row_without_a_value() {
        let wide = |nullable: bool| {
            index(Dialect::Postgres, |index| index.nulls_not_distinct = true)
                .column("EventId", |c| c.nullable = nullable)
        };
        assert_eq!(wide(true).run(&RULE).severity(), Severity::Critical);
        wide(false).run(&RULE).assert_quiet();
        wide(true)
            .wanted_index(UNIQUE, |index| {
                index.nulls_distinct = Some(At::new(false, index.name.at))
            })
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn a_whole_index_in_the_place_of_a_partial_one_refuses_more() {
        let scene = Scene::ledger(Dialect::Postgres).wanted_index(UNIQUE, |index| {
            index.predicate = Some(At::new("\"TenantId\" IS NOT NULL".to_owned(), index.name.at));
        });
        assert_eq!(scene.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn what_it_costs_depends_on_the_role() {
        let scene = index(Dialect::MariaDb, |index| index.key[0].prefix = Some(8));
        assert_eq!(
            scene.clone().role(Role::Outbox).run(&RULE).severity(),
            Severity::Critical
        );
        assert_eq!(
            scene.clone().role(Role::Projection).run(&RULE).severity(),
            Severity::Error
        );
        assert_eq!(scene.role(Role::Audit).run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn it_does_harm_beside_an_index_that_is_right() {
        let scene =
            index(Dialect::MariaDb, |index| index.key[0].prefix = Some(8)).extra_index("ix_evt", "EventId", |_| {});
        assert_eq!(scene.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn an_unconfirmed_index_is_listed() {
        let scene = index(Dialect::MariaDb, |index| index.key[0].prefix = Some(8))
            .wanted_index(UNIQUE, |index| index.confirmed = false);
        assert_eq!(
            scene.run(&RULE).open().object.dotted().raw(),
            format!("asset.ProcessedIntegrationEvents.{UNIQUE}")
        );
    }

    #[test]
    fn an_expression_that_nobody_asked_for_refuses_unless_it_tells_events_apart() {
        let over = |sql: &str, column: &str| {
            let part = expression(sql, &[column]);
            Scene::ledger(Dialect::Postgres).extra_index("UX_extra", "Outcome", |index| index.key = vec![part])
        };
        for (sql, column) in [
            ("lower(\"SourceService\")", "SourceService"),
            ("\"left\"((\"EventId\")::text, 8)", "EventId"),
        ] {
            assert_eq!(over(sql, column).run(&RULE).severity(), Severity::Critical, "{sql}");
        }
        over("(\"EventId\")::text", "EventId").run(&RULE).assert_quiet();
        // What it does to the event is not known.
        over("my_hash(\"EventId\")", "EventId").run(&RULE).assert_quiet();
    }

    #[test]
    fn a_prefix_that_nobody_asked_for_does_not_hold_the_event() {
        let scene =
            Scene::ledger(Dialect::MariaDb).extra_index("UX_extra", "EventId", |index| index.key[0].prefix = Some(8));
        assert_eq!(scene.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn a_further_index_that_holds_nulls_equal_refuses_a_second_row_without_a_value() {
        let further = |nullable: bool| {
            Scene::ledger(Dialect::Postgres)
                .extra_index("UX_extra", "EventId", |index| index.nulls_not_distinct = true)
                .column("EventId", |c| c.nullable = nullable)
        };
        assert_eq!(further(true).run(&RULE).severity(), Severity::Critical);
        further(false).run(&RULE).assert_quiet();
    }

    #[test]
    fn an_index_of_one_partition_refuses_its_rows() {
        let of_partition = |columns: &[&str]| {
            let key = key(columns);
            Scene::ledger(Dialect::Postgres).table(|table| {
                table.partition_indexes.push(PartitionIndex {
                    partition: "p0".to_owned(),
                    index: Index {
                        unique: true,
                        key,
                        ..Index::plain("ux_p0")
                    },
                });
            })
        };
        let said = of_partition(&["CorrelationId"]).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            said.finding().message.raw(),
            "the index `ux_p0` of the partition `p0` is `unique (CorrelationId)`, and the spec promises no such uniqueness"
        );
        of_partition(&["EventId"]).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_key_that_the_server_numbers_refuses_nothing() {
        let numbered = |change: fn(&mut crate::schema::Column)| {
            Scene::ledger(Dialect::Postgres)
                .table(|table| {
                    let ty = NativeType::plain(DataType::BigInt);
                    table.columns.push(crate::schema::Column::plain("Seq", ty));
                })
                .column("Seq", change)
                .extra_index("UX_seq", "Seq", |_| {})
        };
        numbered(|c| c.identity = Some(Identity::Always))
            .run(&RULE)
            .assert_quiet();
        numbered(|c| c.default = Some(DefaultExpr::FreshUuid))
            .run(&RULE)
            .assert_quiet();
        let constant = numbered(|c| c.default = Some(DefaultExpr::Literal(Literal::Number("1".to_owned()))));
        assert_eq!(constant.run(&RULE).severity(), Severity::Critical);
        // The service writes this one itself.
        let written = Scene::ledger(Dialect::Postgres)
            .column("TenantId", |c| c.identity = Some(Identity::ByDefault))
            .extra_index("UX_tenant", "TenantId", |_| {});
        assert_eq!(written.run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn what_was_found_never_reads_as_what_is_wanted() {
        let text = |change: fn(&mut Index)| {
            let scene = index(Dialect::MariaDb, change);
            let said = scene
                .wanted_column("EventId", |c| c.compare.value = Wanted::Is(CompareSpec::Bytes))
                .run(&RULE);
            said.finding().found.as_ref().unwrap().raw().to_owned()
        };
        assert_eq!(text(|i| i.key[0].prefix = Some(8)), "unique (EventId(8))");
        let collated = |explicit| {
            let mut own = collation("NOCASE", Equality::CaseInsensitive, false);
            own.explicit = explicit;
            own
        };
        let by = |explicit| {
            let scene = index(Dialect::Sqlite, |i| i.key[0].collation = Some(collated(explicit)));
            let said = scene
                .wanted_column("EventId", |c| c.compare.value = Wanted::Is(CompareSpec::Bytes))
                .run(&RULE);
            said.finding().found.as_ref().unwrap().raw().to_owned()
        };
        assert_eq!(by(true), "unique (EventId collate NOCASE)");
        let inherited = by(false);
        assert!(
            inherited.starts_with("unique (EventId), which takes texts"),
            "{inherited}"
        );
    }
}
