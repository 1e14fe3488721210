//! Scenes of retention: the ledger with a horizon of 30 days, and jobs of `pg_cron`.

use std::time::Duration;

use super::{Position, Scene};
use crate::catalog::TableData;
use crate::dialect::Dialect;
use crate::retention::{Caller, Evidence, Fate, Job, Record, Runs, Schedule, Scheduler, Span, Task};
use crate::spec::{At, RetentionSpec};

/// Makes the ledger of a PostgreSQL database whose rows must go after 30 days, with these jobs.
pub(in crate::rules) fn ledger(jobs: Vec<Job>) -> Scene {
    let at = |line| Position {
        line,
        column: 1,
        length: 1,
    };
    let minutes = |line, minutes: u64| At::new(Duration::from_secs(minutes * 60), at(line));
    Scene::ledger(Dialect::Postgres)
        .wanted(|table| {
            table.retention = Some(RetentionSpec {
                at: at(900),
                horizon: minutes(901, 30 * 24 * 60),
                column: At::new("ProcessedOnUtc".to_owned(), at(902)),
                confirmed: true,
            });
            let ledger = table.ledger.as_mut().expect("the scene is about a ledger");
            ledger.clock_skew = Some(minutes(903, 5));
            ledger.future_dating = Some(minutes(904, 5));
        })
        .evidence(|evidence| {
            evidence.looked = true;
            evidence.jobs = jobs;
        })
}

/// Makes a daily job of `pg_cron` that removes rows of this age, and ran well an hour ago.
pub(in crate::rules) fn cron(name: &str, days: u32) -> Job {
    let hour = Duration::from_secs(60 * 60);
    Job {
        name: name.to_owned(),
        scheduler: Scheduler::PgCron,
        role: Some("app".to_owned()),
        task: Task::Statements {
            sql: format!(
                r#"DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '{days} days'"#
            ),
            path: vec!["public".to_owned()],
        },
        schedule: Schedule::Cron("17 3 * * *".to_owned()),
        stops: Vec::new(),
        runs: Runs {
            record: Record::Kept,
            recorded: 5,
            last_started: Some(hour),
            last_success: Some(hour),
            ..Runs::default()
        },
    }
}

/// Makes a job that runs another statement.
pub(in crate::rules) fn statement(sql: &str) -> Job {
    Job {
        task: Task::Statements {
            sql: sql.to_owned(),
            path: vec!["public".to_owned()],
        },
        ..cron("purge", 30)
    }
}

/// Makes the policy of `pg_partman` for the ledger, which drops partitions of this age.
pub(in crate::rules) fn partman(days: u32) -> Job {
    let days = i64::from(days);
    Job {
        name: "partman.part_config".to_owned(),
        scheduler: Scheduler::PgPartman,
        role: None,
        task: Task::Partitions {
            namespace: Some("public".to_owned()),
            table: super::TABLE.to_owned(),
            column: None,
            after: Some((format!("{days} days"), Some(Span::days(days)))),
            width: Some(Span::days(1)),
            fate: Fate::Dropped,
            caller: Caller::Others("Nothing was seen that calls it.".to_owned()),
            only_by_name: false,
        },
        schedule: Schedule::Unknown,
        stops: Vec::new(),
        runs: Runs::default(),
    }
}

impl Scene {
    /// Changes what was seen of jobs.
    pub(in crate::rules) fn evidence(mut self, change: impl FnOnce(&mut Evidence)) -> Self {
        change(&mut self.catalog.retention);
        self
    }

    /// Changes what the rows say.
    pub(in crate::rules) fn data(mut self, change: impl FnOnce(&mut TableData)) -> Self {
        change(self.catalog.data.entry(super::TABLE.to_owned()).or_default());
        self
    }
}
