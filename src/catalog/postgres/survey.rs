//! What a PostgreSQL database is like.

use std::time::Duration;

use serde::Deserialize;
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tokio::time::timeout;

use super::fetch::{Session, default_namespace};
use crate::catalog::survey::{Survey, Tls, compare_clocks};
use crate::catalog::{Error, Limits};
use crate::config::DatabaseUrl;

/// A setting that a server takes from anybody, since nothing reads it, and that a pooler does not know.
const PROBE: [(&str, &str); 1] = [("seadrift.probe", "1")];

#[derive(Deserialize)]
struct SurveyRow {
    tables: Vec<String>,
    tls: Option<String>,
    port: Option<u16>,
    lag: Option<f64>,
    cron: bool,
}

/// Looks at a database.
pub(in crate::catalog) async fn survey(
    url: &DatabaseUrl,
    namespace: Option<&str>,
    limits: Limits,
) -> Result<Survey, Error> {
    let mut session = Session::open(url, limits).await?;
    let namespace = namespace
        .map(str::to_owned)
        .or_else(default_namespace)
        .unwrap_or_default();
    let answer = look(&mut session, &namespace).await;
    session.close().await;
    answer
}

async fn look(session: &mut Session, namespace: &str) -> Result<Survey, Error> {
    session.begin().await?;
    let row: SurveyRow = session
        .document(include_str!("queries/survey.sql"), [namespace, ""])
        .await?;
    let clock = "SELECT pg_catalog.to_json(extract(EPOCH FROM pg_catalog.clock_timestamp()))::pg_catalog.text
                 WHERE $1 = $2";
    let ahead = compare_clocks(session.document::<f64>(clock, ["", ""])).await?;
    session.end().await?;
    Ok(Survey {
        tables: row.tables,
        tls: row.tls.map(|version| Tls {
            version,
            certificate_ends: None,
        }),
        port: row.port,
        clock_ahead: Some(ahead),
        lag: row.lag.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.0, 1e9))),
        has_cron: row.cron,
        ..Survey::default()
    })
}

/// Returns whether a pooler answers: it refuses a setting that it does not know before anything reaches the server.
pub(in crate::catalog) async fn goes_through_pooler(url: &DatabaseUrl, limits: Limits) -> Option<bool> {
    let options = url.expose().parse::<PgConnectOptions>().ok()?;
    let options = options
        .options(PROBE)
        .extra_float_digits(None)
        .disable_statement_logging();
    match timeout(limits.connect, options.connect()).await.ok()? {
        Ok(connection) => {
            let _ = timeout(limits.connect, sqlx::Connection::close(connection)).await;
            Some(false)
        }
        Err(error) => {
            let said = error.as_database_error()?.message().to_owned();
            said.contains("startup parameter").then_some(true)
        }
    }
}
