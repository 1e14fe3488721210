//! Asks what the rows of tables say.

use sqlx::{AssertSqlSafe, Row as _};

use super::fetch::{self, Session};
use crate::catalog::data::{Failure, Query, Reader};

/// The result code of a statement that was cut off.
const INTERRUPTED: &str = "9";

impl Reader for Session {
    async fn number(&mut self, query: &Query) -> Result<Option<i64>, Failure> {
        let mut statement = sqlx::query(AssertSqlSafe(query.sql.clone()));
        for value in &query.values {
            statement = statement.bind(value);
        }
        let limit = self.limits.lock + self.limits.statement;
        let code = |error: &sqlx::Error| {
            let code = error.as_database_error().and_then(|e| e.code());
            code.map_or_else(|| "file".to_owned(), |code| code.into_owned())
        };
        match self.send(statement).await {
            Ok(rows) => match rows.first().map(|row| row.try_get(0)) {
                Some(Ok(number)) => Ok(number),
                Some(Err(error)) => Err(Failure::Other(code(&error))),
                None => Ok(None),
            },
            Err(fetch::Failure::Silent) => Err(Failure::Slow(limit)),
            Err(fetch::Failure::Driver(error)) => match code(&error) {
                cut_off if cut_off == INTERRUPTED => Err(Failure::Slow(limit)),
                other => Err(Failure::Other(other)),
            },
        }
    }
}
