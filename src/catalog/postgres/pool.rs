//! Whether a session of the server is the client's own. Behind a pooler in transaction or statement mode it is not: what
//! is set in it, and a lock that it holds, is there for whoever gets it next.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::timeout;

/// How often two clients compare their sessions. Once tells a pooler that nobody else uses; where others do, sessions change.
const ROUNDS: usize = 3;

/// Returns whether something in between hands the session of `first` to other clients as well. Leaves nothing behind.
///
/// # Errors
///
/// The connection fails.
pub(crate) async fn is_session_shared(
    first: &mut PgConnection,
    options: &PgConnectOptions,
    limit: Duration,
) -> Result<bool, sqlx::Error> {
    // Poolers take further clients; a server that refuses one counts its sessions, and shares none.
    let Ok(Ok(mut second)) = timeout(limit, options.connect()).await else {
        return Ok(false);
    };
    let is_shared = compare(first, &mut second, limit).await;
    // The server notices by itself where the goodbye does not get through.
    timeout(limit, second.close()).await.ok();
    is_shared
}

async fn compare(first: &mut PgConnection, second: &mut PgConnection, limit: Duration) -> Result<bool, sqlx::Error> {
    let own = backend(first).await?;
    for _ in 0..ROUNDS {
        // One that waits for a session does so since the first client keeps its own.
        let Ok(other) = timeout(limit, backend(second)).await else {
            return Ok(false);
        };
        if other? == own || backend(first).await? != own {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns which process of the server answers. Asked in the simple protocol, which prepares no statement.
async fn backend(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    let row = sqlx::raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await?;
    sqlx::Row::try_get(&row, 0)
}
