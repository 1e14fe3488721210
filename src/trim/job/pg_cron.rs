//! A job of `pg_cron`.

use super::{Job, literal};
use crate::dialect::Dialect;

/// The name that makes the job one of its kind for its role.
pub(super) fn name(job: &Job) -> String {
    let namespace = job.namespace.as_deref().unwrap_or("public");
    format!("seadrift trim {namespace}.{}", job.policy.table)
}

/// The statement that the job runs. The place of a row (`ctid`) makes it bounded; the outer condition is for a row that
/// changes while it is being looked for.
pub(super) fn command(job: &Job) -> String {
    let facts = Dialect::Postgres.facts();
    let namespace = job.namespace.as_deref().unwrap_or("public");
    let table = format!("{}.{}", facts.quote(namespace), facts.quote(&job.policy.table));
    let column = facts.quote(&job.policy.column);
    let now = if job.instant {
        "now()"
    } else {
        "(now() AT TIME ZONE 'UTC')"
    };
    let (number, unit) = job.interval();
    let old = format!("{column} < {now} - interval '{number} {unit}s'");
    let batch = job.batch;
    format!(
        "DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} WHERE {old} ORDER BY {column} LIMIT \
         {batch})) AND {old}"
    )
}

pub(super) fn render(job: &Job) -> String {
    format!(
        "-- Run this in the database that has the extension pg_cron, as a role that may delete from the table.\n\
         -- Elsewhere: cron.schedule_in_database, with the name of the ledger's database as fourth argument.\n\
         SELECT cron.schedule({}, {}, {});\n",
        literal(&name(job)),
        literal(&job.every.cron()),
        literal(&command(job))
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::job;
    use super::*;

    #[test]
    fn the_command_is_bounded_and_reads_as_a_plain_delete() {
        assert_eq!(
            command(&job()),
            r#"DELETE FROM "public"."ProcessedIntegrationEvents" WHERE ctid = ANY (ARRAY(SELECT ctid FROM "public"."ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < now() - interval '336 hours' ORDER BY "ProcessedOnUtc" LIMIT 10000)) AND "ProcessedOnUtc" < now() - interval '336 hours'"#
        );
    }

    #[test]
    fn hostile_names_stay_names() {
        let mut job = job();
        job.policy.table = "a'; DROP TABLE \"x\"; --".to_owned();
        let sql = render(&job);
        let parsed = sqlparser::parser::Parser::parse_sql(&sqlparser::dialect::PostgreSqlDialect {}, &sql).unwrap();
        assert_eq!(parsed.len(), 1, "{sql}");
        let command = command(&job);
        let parsed = sqlparser::parser::Parser::parse_sql(&sqlparser::dialect::PostgreSqlDialect {}, &command).unwrap();
        assert_eq!(parsed.len(), 1, "{command}");
    }
}
