//! Asks what the rows of tables say.

use sqlx::AssertSqlSafe;
use sqlx::mysql::MySqlDatabaseError;
use tokio::time::timeout;

use super::session::Session;
use crate::catalog::data::{Failure, Query, Reader};

impl Reader for Session {
    async fn number(&mut self, query: &Query) -> Result<Option<i64>, Failure> {
        self.queries += 1;
        let mut statement = sqlx::query_scalar::<_, Option<i64>>(AssertSqlSafe(query.sql.clone()));
        for value in &query.values {
            statement = statement.bind(value);
        }
        match timeout(self.deadline, statement.fetch_optional(&mut self.connection)).await {
            Err(_) => Err(Failure::Slow(self.deadline)),
            Ok(Ok(number)) => Ok(number.flatten()),
            Ok(Err(error)) => Err(self.data_failure(&error)),
        }
    }
}

impl Session {
    fn data_failure(&self, error: &sqlx::Error) -> Failure {
        let server = error
            .as_database_error()
            .and_then(|e| e.try_downcast_ref::<MySqlDatabaseError>());
        match server.map(MySqlDatabaseError::number) {
            Some(1142 | 1143 | 1044 | 1227) => Failure::Denied,
            Some(1969 | 3024 | 1205) => Failure::Slow(self.deadline),
            Some(number) => Failure::Other(number.to_string()),
            None => Failure::Other("connection".to_owned()),
        }
    }
}
