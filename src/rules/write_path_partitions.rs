//! The part of `write-path` about rows that find no partition, or that a table refuses because it is one.

use crate::compare::{Room, room};
use crate::finding::Severity;
use crate::schema::{Aspect, Membership, Partitioning};

use super::write_path::{Step, report};
use super::{Context, Sink, wording};

const REFUSED: &str =
    "Their inserts are refused: the events cannot be recorded, and each is processed again on every redelivery.";
const OTHER_TIMES: &str =
    "Rows of today are taken; those of other times are refused. The next partition must be made in time.";
const UNSPOKEN: &str = "Nothing, for as long as the service writes no other value; a new one needs a partition first.";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    if let Some(divided) = &context.table().partitioning {
        of_divided(divided, context, sink);
    }
    if let Some(membership) = &context.table().membership {
        of_partition(membership, context, sink);
    }
}

/// A table whose partitions may not take every row.
fn of_divided(divided: &Partitioning, context: &Context<'_>, sink: &mut Sink<'_>) {
    let found = format!(
        "partitioned by {} ({}), {}",
        divided.strategy,
        divided.key.join(", "),
        wording::partitions(divided.partitions.len())
    );
    let help = "Create the missing partition or a default one, and look at why the job that makes them stopped.";
    let unknown = "Look at the bounds, and see that there is a partition for every row or a default one.";
    let room = room(divided, context.desired(), context.table(), context.facts);
    say(room, "rows find no partition", found, [help, unknown], context, sink);
}

/// A table that is a partition itself: what goes into it by its own name must be within its bounds.
fn of_partition(membership: &Membership, context: &Context<'_>, sink: &mut Sink<'_>) {
    let rooms = membership.levels.iter();
    let rooms = rooms.map(|level| room(level, context.desired(), context.table(), context.facts));
    let Some(room) = rooms.max() else { return };
    let bound = membership.levels.first().and_then(|level| level.partitions.first());
    let parent = wording::name(&membership.parent);
    let found = format!(
        "partition of {}: {}",
        membership.parent,
        bound.map_or("", |b| b.bound.as_str())
    );
    let what = format!("the table is a partition of {parent} and refuses rows");
    let help = format!("Let the service write to {parent}, or detach the partition from it.");
    let unknown = "Look at the bounds, and see that they take every row that the service writes.";
    say(room, &what, found, [&help, unknown], context, sink);
}

fn say(room: Room, what: &str, found: String, [help, unknown]: [&str; 2], context: &Context<'_>, sink: &mut Sink<'_>) {
    let (severity, reason, impact) = match room {
        Room::ForAll => return,
        Room::Unknown => {
            sink.unverified(
                context.path().clone().aspect(Aspect::Partitions),
                "Whether every row finds a place could not be told from the bounds of the partitions.",
                unknown,
                false,
            );
            return;
        }
        Room::ForNow(reason) => (Severity::Info, reason, OTHER_TIMES),
        Room::ForPromised(reason) => (Severity::Info, reason, UNSPOKEN),
        Room::Doubtful(reason) => (Severity::Warning, reason, REFUSED),
        Room::Refuses(reason) => (Severity::Critical, reason, REFUSED),
    };
    let step = Step {
        severity,
        object: context.path().clone(),
        at: context.desired().name.at,
        found,
        message: format!("{what}: {reason}"),
        impact,
        help: help.to_owned(),
    };
    report(step, context, sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::{Said, Scene};
    use crate::rules::write_path::RULE;
    use crate::schema::{DefaultExpr, Literal, Partition, PartitionCover, Takes};
    use crate::spec::{Role, Wanted};

    fn part(name: &str, takes: Takes, divided: Option<Partitioning>) -> Partition {
        Partition {
            name: name.to_owned(),
            bound: String::new(),
            takes,
            divided: divided.map(Box::new),
        }
    }

    fn rows(condition: &str) -> Takes {
        Takes::Rows {
            condition: condition.to_owned(),
            now: None,
        }
    }

    fn at(now: bool) -> Takes {
        Takes::Rows {
            condition: "\"ProcessedOnUtc\" IS NOT NULL".to_owned(),
            now: Some(now),
        }
    }

    fn by(key: &str, partitions: Vec<Partition>, cover: PartitionCover) -> Partitioning {
        Partitioning {
            strategy: "list".to_owned(),
            key: vec![key.to_owned()],
            partitions,
            cover,
        }
    }

    fn gaps() -> PartitionCover {
        PartitionCover::Gaps("those with other values".to_owned())
    }

    fn none() -> PartitionCover {
        PartitionCover::RefusesNow("there is none".to_owned())
    }

    fn outcomes(listed: &str) -> Takes {
        rows(&format!("\"Outcome\" IS NOT NULL AND \"Outcome\" IN ({listed})"))
    }

    fn scene(divided: Partitioning) -> Scene {
        Scene::ledger(Dialect::Postgres)
            .table(|table| table.partitioning = Some(divided))
            .wanted_column("Outcome", |c| {
                c.values.value = Wanted::Is(["Processed", "Stale"].map(str::to_owned).to_vec());
            })
    }

    fn severity(divided: Partitioning) -> Option<Severity> {
        scene(divided).run(&RULE).findings().first().map(|f| f.severity)
    }

    fn message(said: &Said) -> &str {
        said.finding().message.raw()
    }

    #[test]
    fn what_the_bounds_say_alone() {
        let of = |cover| severity(by("EventId", Vec::new(), cover));
        let why = || "x".to_owned();
        assert_eq!(of(PartitionCover::RefusesNow(why())), Some(Severity::Critical));
        assert_eq!(of(PartitionCover::Gaps(why())), Some(Severity::Warning));
        // Rows of long ago or far ahead are no events of today.
        assert_eq!(of(PartitionCover::OtherTimes(why())), Some(Severity::Info));
        assert_eq!(of(PartitionCover::Complete), None);
        let unknown = scene(by("EventId", Vec::new(), PartitionCover::Unknown)).run(&RULE);
        assert!(!unknown.unverified().required);
        let projection = scene(by("EventId", Vec::new(), none())).role(Role::Projection);
        assert_eq!(projection.run(&RULE).severity(), Severity::Error);
    }

    #[test]
    fn a_promised_value_without_a_partition_is_refused() {
        let lists = |lists: &[&str]| {
            let parts = lists.iter().map(|list| part("p", outcomes(list), None)).collect();
            by("Outcome", parts, gaps())
        };
        let said = scene(lists(&["'Processed'", "'Failed'"])).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            message(&said),
            "rows find no partition: those whose `Outcome` is `Stale`"
        );
        assert_eq!(severity(lists(&["'Processed'", "'Stale'"])), Some(Severity::Info));
        let guessed = scene(lists(&["'Processed'"])).wanted_column("Outcome", |c| {
            c.values.value = Wanted::Unconfirmed(Some(vec!["Stale".to_owned()]));
        });
        assert_eq!(guessed.run(&RULE).severity(), Severity::Warning);
        let silent = scene(lists(&["'Processed'"])).wanted_column("Outcome", |c| c.values.value = Wanted::Silent);
        assert_eq!(silent.run(&RULE).severity(), Severity::Warning);
        let mut with_default = lists(&["'Processed'"]);
        with_default.partitions.push(part("rest", Takes::Rest, None));
        with_default.cover = PartitionCover::Complete;
        assert_eq!(severity(with_default), None);
    }

    #[test]
    fn null_needs_a_partition_where_the_spec_lets_it_in() {
        let tenants = |null: &str| {
            let takes = rows(&format!("\"TenantId\" {null} \"TenantId\" IN (1, 2)"));
            by("TenantId", vec![part("p", takes, None)], gaps())
        };
        let with = |divided, nullable: Wanted<bool>| {
            scene(divided)
                .wanted_column("TenantId", |c| c.nullable.value = nullable)
                .column("TenantId", |c| c.nullable = true)
                .run(&RULE)
        };
        let refused = with(tenants("IS NOT NULL AND"), Wanted::Is(true));
        assert_eq!(refused.severity(), Severity::Critical);
        assert_eq!(message(&refused), "rows find no partition: those without `TenantId`");
        for (null, nullable) in [
            ("IS NULL OR", Wanted::Is(true)),
            ("IS NOT NULL AND", Wanted::Is(false)),
            ("IS NOT NULL AND", Wanted::Unconfirmed(None)),
        ] {
            assert_eq!(with(tenants(null), nullable).severity(), Severity::Warning, "{null}");
        }
        // Whatever its ends, no range takes NULL.
        let chain = by(
            "TenantId",
            vec![part("p", rows("\"TenantId\" IS NOT NULL"), None)],
            PartitionCover::Complete,
        );
        assert_eq!(with(chain.clone(), Wanted::Is(true)).severity(), Severity::Critical);
        with(chain, Wanted::Is(false)).assert_quiet();
    }

    #[test]
    fn a_column_that_the_service_does_not_write_has_its_default() {
        let with = |default: &str| {
            let divided = by("Region", vec![part("p", rows("\"Region\" IN ('eu')"), None)], gaps());
            scene(divided).extra_column("Region", |c| {
                c.nullable = false;
                c.collation = crate::rules::testing::column("x", c.ty.clone()).collation;
                c.default = Some(DefaultExpr::Literal(Literal::Text(default.to_owned())));
            })
        };
        assert_ne!(with("eu").run(&RULE).severity(), Severity::Critical);
    }

    #[test]
    fn a_partition_that_is_divided_again_must_take_what_gets_into_it() {
        let hole = || {
            by(
                "EventId",
                vec![part("h", Takes::Share, None)],
                PartitionCover::RefusesNow("x".to_owned()),
            )
        };
        let inside = |takes, inner: Partitioning, cover| {
            let stale = part("p2", outcomes("'Processed', 'Stale'"), None);
            severity(by("Outcome", vec![part("p1", takes, Some(inner)), stale], cover))
        };
        let all = || PartitionCover::Complete;
        assert_eq!(inside(outcomes("'Stale'"), hole(), all()), Some(Severity::Critical));
        assert_eq!(inside(Takes::Share, hole(), all()), Some(Severity::Critical));
        assert_eq!(inside(Takes::Unknown, hole(), all()), Some(Severity::Warning));
        // No row that the spec knows of gets there.
        assert_eq!(inside(outcomes("'Failed'"), hole(), all()), None);
        assert_eq!(inside(Takes::Rest, hole(), all()), Some(Severity::Warning));
        assert_eq!(inside(at(false), hole(), all()), None);
        assert_eq!(inside(at(true), hole(), all()), Some(Severity::Critical));
        // What the outer list keeps out needs no place in the inner one.
        let inner = || by("Outcome", vec![part("q", outcomes("'Stale'"), None)], gaps());
        assert_eq!(inside(outcomes("'Stale'"), inner(), all()), Some(Severity::Info));
        assert_eq!(
            inside(outcomes("'Stale', 'Processed'"), inner(), all()),
            Some(Severity::Critical)
        );
    }

    #[test]
    fn a_default_partition_that_is_divided_gets_what_is_left() {
        let hole = by("EventId", Vec::new(), none());
        let with = |other: Takes| {
            let parts = vec![part("rest", Takes::Rest, Some(hole.clone())), part("p", other, None)];
            severity(by("Outcome", parts, PartitionCover::Complete))
        };
        assert_eq!(with(outcomes("'Processed'")), Some(Severity::Critical));
        assert_eq!(with(at(true)), None);
        assert_eq!(with(at(false)), Some(Severity::Critical));
    }

    #[test]
    fn a_ledger_that_is_a_partition_refuses_what_is_outside_of_its_bounds() {
        let member = |takes: Takes, cover: PartitionCover| {
            scene(by("x", Vec::new(), PartitionCover::Complete)).table(|table| {
                table.partitioning = None;
                table.membership = Some(Membership {
                    parent: "whole".to_owned(),
                    levels: vec![by("Outcome", vec![part("t", takes, None)], cover)],
                });
            })
        };
        let said = member(at(false), PartitionCover::RefusesNow("those of the present".to_owned())).run(&RULE);
        assert_eq!(said.severity(), Severity::Critical);
        assert_eq!(
            message(&said),
            "the table is a partition of `whole` and refuses rows: those of the present"
        );
        let list = |listed: &str| member(outcomes(listed), gaps()).run(&RULE).severity();
        assert_eq!(list("'Processed'"), Severity::Critical);
        assert_eq!(list("'Processed', 'Stale'"), Severity::Info);
    }
}
