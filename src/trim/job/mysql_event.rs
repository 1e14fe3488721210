//! An event of MySQL or MariaDB.

use sha2::{Digest as _, Sha256};

use super::Job;
use crate::dialect::Dialect;

/// The longest name of an event.
const LONGEST: usize = 64;

/// The event's name, unique for the table.
pub(super) fn name(job: &Job) -> String {
    let name = format!("seadrift_trim_{}", job.policy.table);
    if name.chars().count() <= LONGEST {
        return name;
    }
    let digest: String = Sha256::digest(name.as_bytes())
        .iter()
        .take(4)
        .map(|b| format!("{b:02x}"))
        .collect();
    let head: String = name.chars().take(LONGEST - 9).collect();
    format!("{head}_{digest}")
}

/// The statement that the event runs.
pub(super) fn command(job: &Job) -> String {
    let facts = Dialect::MySql.facts();
    let prefix = job
        .namespace
        .as_deref()
        .map_or_else(String::new, |name| facts.quote(name) + ".");
    let column = facts.quote(&job.policy.column);
    let (number, unit) = job.interval();
    // An instant (`timestamp`) is compared in the session's zone, a date and time is in UTC as it stands.
    let now = if job.instant {
        "CURRENT_TIMESTAMP(6)"
    } else {
        "UTC_TIMESTAMP(6)"
    };
    format!(
        "DELETE FROM {prefix}{table} WHERE {column} < {now} - INTERVAL {number} {unit} ORDER BY {column} LIMIT {batch}",
        table = facts.quote(&job.policy.table),
        unit = unit.to_ascii_uppercase(),
        batch = job.batch,
    )
}

/// The schedule, status and statement, as both `CREATE EVENT` and `ALTER EVENT` take them.
pub(super) fn definition(job: &Job) -> String {
    format!(
        "ON SCHEDULE EVERY {} ON COMPLETION PRESERVE ENABLE COMMENT 'seadrift: ledger retention' DO {}",
        job.every.event(),
        command(job)
    )
}

/// The event's qualified, quoted name.
pub(super) fn path(job: &Job) -> String {
    let facts = Dialect::MySql.facts();
    let prefix = job
        .namespace
        .as_deref()
        .map_or_else(String::new, |name| facts.quote(name) + ".");
    format!("{prefix}{}", facts.quote(&name(job)))
}

pub(super) fn render(job: &Job) -> String {
    format!(
        "-- Run this in the ledger's database, as a user with EVENT on it and DELETE on the table.\n\
         -- The event runs only while the server's event_scheduler is ON, which MariaDB's is not by default.\n\
         CREATE EVENT {} {};\n",
        path(job),
        definition(job)
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::job;
    use super::*;

    #[test]
    fn the_command_is_bounded_and_in_utc() {
        let mut job = job();
        job.namespace = Some("led`ger".to_owned());
        job.instant = false;
        assert_eq!(
            command(&job),
            "DELETE FROM `led``ger`.`ProcessedIntegrationEvents` WHERE `ProcessedOnUtc` < UTC_TIMESTAMP(6) - INTERVAL 336 \
             HOUR ORDER BY `ProcessedOnUtc` LIMIT 10000"
        );
    }

    #[test]
    fn a_long_table_has_an_event_of_its_own() {
        let named = |table: String| {
            let mut job = job();
            job.policy.table = table;
            name(&job)
        };
        assert_eq!(named("T".to_owned()), "seadrift_trim_T");
        let (a, b) = (named("x".repeat(60) + "a"), named("x".repeat(60) + "b"));
        assert_ne!(a, b);
        assert!(a.chars().count() <= LONGEST && b.chars().count() <= LONGEST);
    }
}
