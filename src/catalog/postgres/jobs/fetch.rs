//! The questions about jobs. Their number depends on which schedulers there are, not on the number of tables or jobs.
//!
//! Whatever goes wrong here is no reason to lose the catalog: what could not be read is listed as hidden.

use super::partitions::WORKER;
use super::rows::{CalledRow, CronRow, ExtensionRows, HeartbeatRows, JobRows, Probe, SchedulersRow};
use crate::catalog::postgres::fetch::Session;
use crate::catalog::{Ask, Error, heartbeat};
use crate::config::{Place, Scheme};
use crate::dialect::Dialect;
use crate::retention::Hidden;

/// Reads everything about jobs, in the transaction that read the catalog.
pub(in crate::catalog::postgres) async fn read(
    session: &mut Session,
    ask: &Ask,
    namespace: &str,
    scheduler: Option<&Place>,
) -> JobRows {
    let mut rows = JobRows::default();
    if let Err(error) = read_into(session, ask, namespace, scheduler, &mut rows).await {
        rows.hidden.push(Hidden {
            reason: format!("The jobs of the server could not be read: {}", error.reason),
            help: error.help,
        });
    }
    rows
}

async fn read_into(
    session: &mut Session,
    ask: &Ask,
    namespace: &str,
    scheduler: Option<&Place>,
    rows: &mut JobRows,
) -> Result<(), Error> {
    let mut schedulers = schedulers(session, namespace).await?;
    rows.cron_settings.clone_from(&schedulers.settings);
    let knows_cron = schedulers.settings.keys().any(|name| name.starts_with("cron."));
    if !schedulers.sees_settings && !knows_cron {
        rows.probe = session
            .has_setting("cron.database_name")
            .await
            .map_or(
                Probe::NotAsked,
                |there| {
                    if there { Probe::Present } else { Probe::Absent }
                },
            );
    }
    let here = schedulers.extensions.contains_key("pg_cron");
    if let (Some(place), false) = (scheduler, here) {
        match from_elsewhere(place, ask, &schedulers).await {
            Ok((cron, there)) => {
                rows.cron = Some(cron);
                rows.cron_settings = there.settings;
                rows.elsewhere = true;
                schedulers.tables.extend(there.tables);
            }
            Err(error) => rows.hidden.push(Hidden {
                reason: format!("The scheduler's database could not be read: {}", error.reason),
                help: error.help,
            }),
        }
    } else if here && is_readable(&schedulers, "cron.job") {
        rows.cron = Some(session.document(&cron_query(&schedulers), ["", ""]).await?);
    }
    let worker = schedulers.settings.get(&format!("{WORKER}.role"));
    rows.called = called(session, ask, namespace, rows.cron.as_ref(), worker).await?;
    if let Some(space) = schedulers.extensions.get("pg_partman") {
        rows.partitions = extension(session, &schedulers, space, "part_config").await?;
    }
    if schedulers.extensions.contains_key("timescaledb") {
        let space = "timescaledb_information";
        rows.policies = extension(session, &schedulers, space, "jobs").await?;
        rows.policy_runs = extension(session, &schedulers, space, "job_stats").await?;
    }
    let table = format!("{namespace}.{}", heartbeat::TABLE);
    if is_readable(&schedulers, &table) {
        let sql = include_str!("../queries/heartbeats.sql").replace("{table}", &quoted(namespace, heartbeat::TABLE));
        rows.schedulers = Some(schedulers);
        let answer: HeartbeatRows = session.document(&sql, ["", ""]).await?;
        rows.heartbeats = answer.rows;
    } else {
        if schedulers.tables.contains_key(&table) {
            rows.hidden.push(heartbeat::hidden());
        }
        rows.schedulers = Some(schedulers);
    }
    Ok(())
}

async fn schedulers(session: &mut Session, namespace: &str) -> Result<SchedulersRow, Error> {
    session
        .document(include_str!("../queries/schedulers.sql"), ["", namespace])
        .await
}

fn is_readable(schedulers: &SchedulersRow, table: &str) -> bool {
    schedulers.tables.get(table).is_some_and(|sight| sight != "hidden")
}

fn cron_query(schedulers: &SchedulersRow) -> String {
    let runs = if is_readable(schedulers, "cron.job_run_details") {
        "cron.job_run_details"
    } else {
        "(SELECT NULL::bigint AS jobid, NULL::bigint AS runid, NULL::text AS status, NULL::text AS return_message, \
         NULL::timestamptz AS start_time, NULL::timestamptz AS end_time WHERE false)"
    };
    include_str!("../queries/cron_jobs.sql").replace("{runs}", runs)
}

/// Reads the jobs through a connection of their own, in a read-only snapshot as well.
async fn from_elsewhere(place: &Place, ask: &Ask, here: &SchedulersRow) -> Result<(CronRow, SchedulersRow), Error> {
    use crate::catalog::ErrorKind;
    let url = &place.open().await?;
    if url.scheme() != Scheme::Postgres {
        return Err(Error::new(
            ErrorKind::Refused,
            "The scheduler's URL is not one of PostgreSQL.",
            "Name the database in which pg_cron is installed.",
        ));
    }
    let mut session = Session::open(url, ask.limits).await?;
    let answer = async {
        session.begin().await?;
        let there = schedulers(&mut session, "").await?;
        if there.started != here.started {
            return Err(Error::new(
                ErrorKind::Refused,
                "The scheduler's URL leads to another server.",
                "Name the database in which pg_cron is installed, on the server that is checked.",
            ));
        }
        if !there.extensions.contains_key("pg_cron") || !is_readable(&there, "cron.job") {
            return Err(Error::new(
                ErrorKind::Refused,
                format!(
                    "The database {} has no jobs of pg_cron that this role may read.",
                    there.database
                ),
                "Name the database in which pg_cron is installed, and a role that may read cron.job.",
            ));
        }
        let cron: CronRow = session.document(&cron_query(&there), ["", ""]).await?;
        session.end().await?;
        Ok((cron, there))
    };
    let answer = answer.await;
    session.close().await;
    answer
}

/// Asks what the jobs may call, who they run as, and what stands around the tables.
async fn called(
    session: &mut Session,
    ask: &Ask,
    namespace: &str,
    cron: Option<&CronRow>,
    worker: Option<&String>,
) -> Result<CalledRow, Error> {
    let jobs = cron.map(|cron| cron.jobs.as_slice()).unwrap_or_default();
    let taken = jobs.iter().flat_map(|job| roles_taken(&job.command));
    let question = serde_json::json!({
        "commands": jobs.iter().map(|j| &j.command).collect::<Vec<_>>(),
        "roles": jobs.iter().map(|j| &j.role).chain(worker).cloned().chain(taken).collect::<std::collections::BTreeSet<_>>(),
        "tables": ask.tables.iter().map(|t| &t.name).collect::<Vec<_>>(),
    });
    session
        .document(
            include_str!("../queries/routines.sql"),
            [&question.to_string(), namespace],
        )
        .await
}

/// Returns the words behind `ROLE` in a text, one of which may be a role that it takes.
fn roles_taken(command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split(|c: char| c.is_whitespace() || c == ';').collect();
    let behind = words.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case("role"));
    behind
        .map(
            |pair| match pair[1].strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
                Some(quoted) => quoted.to_owned(),
                None => pair[1].trim_matches('\'').to_lowercase(),
            },
        )
        .collect()
}

/// Reads a relation of an extension; hidden ones give nothing.
async fn extension(
    session: &mut Session,
    schedulers: &SchedulersRow,
    space: &str,
    table: &str,
) -> Result<Option<ExtensionRows>, Error> {
    if !is_readable(schedulers, &format!("{space}.{table}")) {
        return Ok(None);
    }
    let sql = include_str!("../queries/extension_rows.sql").replace("{table}", &quoted(space, table));
    session.document(&sql, ["", ""]).await.map(Some)
}

/// Names that come from the server are quoted, since they cannot be bound.
fn quoted(space: &str, table: &str) -> String {
    let facts = Dialect::Postgres.facts();
    format!("{}.{}", facts.quote(space), facts.quote(table))
}
