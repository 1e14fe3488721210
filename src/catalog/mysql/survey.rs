//! What a MySQL or MariaDB database is like. Measured on MariaDB 10.11; what is asked of MySQL alone is its manual's word.

use std::time::Duration;

use super::failure;
use super::session::{Identity, Session, options, text};
use crate::catalog::survey::{Survey, Tls, compare_clocks};
use crate::catalog::{Error, Limits};
use crate::config::DatabaseUrl;

/// Looks at a database.
pub(in crate::catalog) async fn survey(
    url: &DatabaseUrl,
    namespace: Option<&str>,
    limits: Limits,
) -> Result<Survey, Error> {
    let options = options(url)?;
    let namespace = namespace.or(options.get_database()).unwrap_or_default().to_owned();
    let mut session = Session::open(&options, &limits).await?;
    let answer = look(&mut session, &namespace, &limits).await;
    session.close().await;
    answer
}

async fn look(session: &mut Session, namespace: &str, limits: &Limits) -> Result<Survey, Error> {
    let identity = session.identify().await?;
    session.secure(&identity, limits).await?;
    Ok(Survey {
        tables: tables(session, namespace).await?,
        tls: tls(session).await?,
        port: Some(one(session, "SELECT CAST(@@port AS CHAR) AS answer").await?),
        clock_ahead: Some(
            compare_clocks(one(
                session,
                "SELECT CAST(unix_timestamp(sysdate(6)) AS CHAR) AS answer",
            ))
            .await?,
        ),
        lag: lag(session, &identity).await,
        ..Survey::default()
    })
}

async fn tables(session: &mut Session, namespace: &str) -> Result<Vec<String>, Error> {
    let sql = "SELECT CAST(table_name AS CHAR) AS name FROM information_schema.tables
               WHERE table_schema = ? AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')";
    let rows = session.read(sql.to_owned(), &[namespace]).await?;
    rows.iter().map(|row| text(row, "name")).collect()
}

async fn tls(session: &mut Session) -> Result<Option<Tls>, Error> {
    let sql = "SHOW SESSION STATUS WHERE variable_name IN ('Ssl_version', 'Ssl_server_not_after')";
    let mut found: Vec<(String, String)> = Vec::new();
    for row in session.show(sql).await? {
        let name = text(&row, "Variable_name")?;
        found.push((name.to_ascii_lowercase(), text(&row, "Value")?));
    }
    let value = |name: &str| {
        let (_, value) = found.iter().find(|(n, value)| n == name && !value.is_empty())?;
        Some(value.clone())
    };
    Ok(value("ssl_version").map(|version| Tls {
        version,
        certificate_ends: value("ssl_server_not_after"),
    }))
}

/// Returns how far a replica is behind; nothing where there is no primary, or the role may not know.
async fn lag(session: &mut Session, identity: &Identity) -> Option<Duration> {
    let (sql, column) = match identity.is_mariadb() {
        true => ("SHOW SLAVE STATUS", "Seconds_Behind_Master"),
        false => ("SHOW REPLICA STATUS", "Seconds_Behind_Source"),
    };
    let rows = session.show(sql).await.ok()?;
    let seconds: String = sqlx::Row::try_get_unchecked(rows.first()?, column).ok()?;
    seconds.parse().ok().map(Duration::from_secs)
}

/// Reads one number.
async fn one<T: std::str::FromStr>(session: &mut Session, sql: &str) -> Result<T, Error> {
    let rows = session.read(sql.to_owned(), &[]).await?;
    let row = rows.first().ok_or_else(|| failure::unsupported("unknown"))?;
    let answer = text(row, "answer")?;
    answer.parse().map_err(|_| failure::unsupported(&answer))
}
