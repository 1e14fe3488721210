//! What a database file is like.

use super::fetch::{Session, inspect};
use super::file::DatabaseFile;
use super::{failure, file};
use crate::catalog::survey::{Journal, Survey};
use crate::catalog::{Error, Limits, Stage};
use crate::config::DatabaseUrl;

/// Looks at a file.
pub(in crate::catalog) async fn survey(url: &DatabaseUrl, limits: Limits) -> Result<Survey, Error> {
    let file = DatabaseFile::locate(url.expose()).map_err(|error| error.at(Stage::Reach))?;
    let condition = inspect(&file, limits).await.map_err(|error| error.at(Stage::Reach))?;
    let immutable = file
        .opens_immutable(&condition)
        .map_err(|error| error.at(Stage::Login))?;
    let explain = |failure| failure::explain(&failure, &file, &condition, limits).at(Stage::Login);
    let mut session = Session::open(&file, immutable, limits).await.map_err(explain)?;
    let objects = session.tables().await;
    session.close().await;
    let tables = objects.map_err(explain)?;
    Ok(Survey {
        tables,
        journal: Some(journal(&condition)),
        ..Survey::default()
    })
}

fn journal(condition: &file::Condition) -> Journal {
    match condition.uses_wal {
        true => Journal::WriteAhead {
            bytes: condition.wal.unwrap_or(0),
        },
        false => Journal::Rollback {
            present: condition.has_journal(),
        },
    }
}
