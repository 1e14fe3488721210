//! Handing a job to a scheduler inside a server. Doing it twice changes nothing.

use sqlx::mysql::{MySqlConnectOptions, MySqlConnection};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};

use super::{Job, Scheduler, mysql_event, pg_cron};
use crate::catalog::Limits;
use crate::config::{DatabaseUrl, Scheme};
use crate::migrate::DriverError;

/// What applying a job did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Whether anything was changed.
    pub changed: bool,
    /// What keeps the job from running all the same, with what to do, if anything does.
    pub obstacle: Option<(String, String)>,
}

/// Why a job could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The scheduler is outside the database.
    #[error("this scheduler cannot be reached through the database")]
    Outside,
    /// The URL is of another kind of database.
    #[error("the URL is not of a database that has this scheduler")]
    OtherDatabase,
    /// The database does not have the scheduler.
    #[error("the extension pg_cron is not in this database, or the role may not use it")]
    NoScheduler,
    /// The driver does not understand the URL.
    #[error("the database URL cannot be used: the driver does not understand it")]
    Url,
    /// The database could not be reached, or did not answer in time.
    #[error("the database cannot be reached: {0}")]
    Unreachable(#[source] DriverError),
    /// The database refused.
    #[error("the job cannot be set up: {0}")]
    Database(#[source] DriverError),
}

impl ApplyError {
    /// Returns what to do next, in the imperative.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Outside => "leave --apply out, and give what is printed to the scheduler's own tool",
            Self::OtherDatabase => "use pg-cron with postgres://, and mysql-event with mysql:// or mariadb://",
            Self::NoScheduler => {
                "leave --apply out, and run what is printed in the database that cron.database_name names"
            }
            Self::Url | Self::Unreachable(_) => "check the URL, and that the server is up",
            Self::Database(_) => "resolve what the database reports; the role needs the right to schedule jobs",
        }
    }

    /// Returns the exit code: 2 for usage, 4 where the database stood in the way.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Outside | Self::OtherDatabase | Self::Url => 2,
            Self::NoScheduler | Self::Unreachable(_) | Self::Database(_) => 4,
        }
    }
}

fn refused(error: sqlx::Error) -> ApplyError {
    ApplyError::Database(DriverError::from(&error))
}

/// Sets up a job, or changes the one of its name into it.
///
/// # Errors
///
/// The scheduler is not one of this database, or the database stands in the way.
pub async fn apply(url: &DatabaseUrl, job: &Job, scheduler: Scheduler, limits: Limits) -> Result<Applied, ApplyError> {
    let applied = async {
        match (scheduler, url.scheme()) {
            (Scheduler::Kubernetes | Scheduler::Systemd, _) => Err(ApplyError::Outside),
            (Scheduler::PgCron, Scheme::Postgres) => {
                let options: PgConnectOptions = url.expose().parse().map_err(|_| ApplyError::Url)?;
                let options = options.application_name("seadrift install").disable_statement_logging();
                let mut session = connect(options.connect()).await?;
                let applied = apply_pg_cron(&mut session, job).await;
                session.close().await.ok();
                applied
            }
            (Scheduler::MySqlEvent, Scheme::MySql) => {
                let options: MySqlConnectOptions = url.expose().parse().map_err(|_| ApplyError::Url)?;
                let mut session = connect(options.disable_statement_logging().connect()).await?;
                let applied = apply_event(&mut session, job).await;
                session.close().await.ok();
                applied
            }
            _ => Err(ApplyError::OtherDatabase),
        }
    };
    let limit = limits.connect + limits.statement;
    match tokio::time::timeout(limit, applied).await {
        Ok(applied) => applied,
        Err(_) => Err(ApplyError::Unreachable(DriverError::new(format!(
            "no answer within {} s",
            limit.as_secs_f64()
        )))),
    }
}

async fn connect<T>(connect: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, ApplyError> {
    connect
        .await
        .map_err(|error| ApplyError::Unreachable(DriverError::from(&error)))
}

async fn apply_pg_cron(session: &mut PgConnection, job: &Job) -> Result<Applied, ApplyError> {
    let there = sqlx::query("SELECT to_regclass('cron.job') IS NOT NULL AND has_schema_privilege('cron', 'USAGE')");
    let there = there.fetch_one(&mut *session).await;
    // Asking about the rights on a schema that is not there is an error.
    if !there.and_then(|row| row.try_get(0)).unwrap_or(false) {
        return Err(ApplyError::NoScheduler);
    }
    let (name, schedule, command) = (pg_cron::name(job), job.every.cron(), pg_cron::command(job));
    let present = sqlx::query(
        "SELECT jobid, active AND schedule = $2 AND command = $3 AND database = current_database() AS same, active \
         FROM cron.job WHERE jobname::text = $1 AND username = current_user",
    )
    .bind(&name)
    .bind(&schedule)
    .bind(&command)
    .fetch_optional(&mut *session)
    .await
    .map_err(refused)?;
    let active = match &present {
        Some(row) if row.try_get("same").map_err(refused)? => {
            return Ok(Applied {
                changed: false,
                obstacle: None,
            });
        }
        Some(row) => row.try_get("active").map_err(refused)?,
        None => true,
    };
    sqlx::raw_sql(AssertSqlSafe(pg_cron::render(job)))
        .execute(&mut *session)
        .await
        .map_err(refused)?;
    // Scheduling a job again does not switch it on again.
    if let Some(row) = present.filter(|_| !active) {
        sqlx::query("SELECT cron.alter_job(job_id := $1, active := true)")
            .bind(row.try_get::<i64, _>("jobid").map_err(refused)?)
            .execute(&mut *session)
            .await
            .map_err(refused)?;
    }
    Ok(Applied {
        changed: true,
        obstacle: None,
    })
}

async fn apply_event(session: &mut MySqlConnection, job: &Job) -> Result<Applied, ApplyError> {
    let present = sqlx::query(
        "SELECT CAST(event_definition AS CHAR), CAST(concat(interval_value, ' ', interval_field) AS CHAR), \
         CAST(status AS CHAR) FROM information_schema.events \
         WHERE event_schema = coalesce(?, DATABASE()) AND event_name = ?",
    )
    .bind(&job.namespace)
    .bind(mysql_event::name(job))
    .fetch_optional(&mut *session)
    .await
    .map_err(refused)?;
    let text = |row: &sqlx::mysql::MySqlRow, n: usize| row.try_get::<String, _>(n).map_err(refused);
    let verb = match &present {
        Some(row) => {
            let wanted = [mysql_event::command(job), job.every.event(), "ENABLED".to_owned()];
            let found = [text(row, 0)?, text(row, 1)?, text(row, 2)?];
            (found != wanted).then_some("ALTER")
        }
        None => Some("CREATE"),
    };
    if let Some(verb) = verb {
        let sql = format!(
            "{verb} EVENT {} {}",
            mysql_event::path(job),
            mysql_event::definition(job)
        );
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut *session)
            .await
            .map_err(refused)?;
    }
    let scheduler = sqlx::query("SELECT CAST(@@global.event_scheduler AS CHAR)")
        .fetch_one(&mut *session)
        .await
        .map_err(refused)?;
    let scheduler = scheduler.try_get::<String, _>(0).map_err(refused)?;
    let obstacle = (scheduler != "ON" && scheduler != "1").then(|| {
        (
            format!("the server's event_scheduler is {scheduler}, so no event runs"),
            "run `SET GLOBAL event_scheduler = ON`, and write it into the server's configuration".to_owned(),
        )
    });
    Ok(Applied {
        changed: verb.is_some(),
        obstacle,
    })
}
