//! A partitioned table, for information.

use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::schema::{PartitionCover, Partitioning};

use super::engine::{Check, Context, Draft, Rule, Sink};
use super::plant::Plant;
use super::wording;

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "T007",
    name: "table-partitioned",
    severity: Severity::Info,
    summary: "the table is partitioned",
    page: include_str!("table_partitioned.md"),
    check: Check::Table(check),
    plant: Plant::only(
        &[Dialect::Postgres, Dialect::MySql, Dialect::MariaDb],
        "tables cannot be partitioned",
        |ground| {
            ground.table().partitioning = Some(Partitioning {
                strategy: "hash".to_owned(),
                key: vec!["EventId".to_owned()],
                partitions: Vec::new(),
                cover: PartitionCover::Complete,
            });
        },
    ),
};

fn check(ctx: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(partitioning) = ctx.pair.table.and_then(|table| table.partitioning.as_ref()) else {
        return;
    };
    let wanted = ctx.desired();
    let key = partitioning.key.join(", ");
    let count = wording::partitions(partitioning.partitions.len());
    let found = format!("{} ({key}), {count}", partitioning.strategy);
    sink.report(Draft {
        severity: Severity::Info,
        object: ctx.path().clone(),
        at: wanted.name.at,
        expected: None,
        message: format!("table {} is partitioned by {found}", wording::name(&wanted.name.value)),
        found: Some(found),
        impact:
            "Every unique key of a partitioned table must hold the partition key, so the event's identity alone can \
                 be unique only if the table is partitioned by it."
                .to_owned(),
        help: "Nothing, if it is meant; the findings about its keys say where a promise does not hold.".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::schema::{Partition, PartitionCover, Partitioning, Takes};

    #[test]
    fn quiet_for_undivided_tables() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn strategy_key_and_number_are_named() {
        let partition = |name: &str| Partition {
            name: name.to_owned(),
            bound: String::new(),
            takes: Takes::Unknown,
            divided: None,
        };
        let said = Scene::ledger(Dialect::Postgres)
            .table(|t| {
                t.partitioning = Some(Partitioning {
                    strategy: "hash".to_owned(),
                    key: vec!["EventId".to_owned()],
                    partitions: vec![partition("p0"), partition("p1")],
                    cover: PartitionCover::Complete,
                });
            })
            .run(&RULE);
        assert_eq!(said.severity(), Severity::Info);
        assert_eq!(
            said.finding().message.raw(),
            "table `ProcessedIntegrationEvents` is partitioned by hash (EventId), 2 partitions"
        );
    }
}
