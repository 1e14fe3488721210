//! Asks what the rows of tables say.

use std::collections::BTreeMap;

use tokio::time::timeout;

use super::fetch::{GRACE, Session};
use crate::catalog::data::{Failure, Query, Reader, read};
use crate::catalog::{Catalog, DataQuestion, TableData};

impl Session {
    /// Reads rows in the snapshot that read the catalog.
    pub(super) async fn read_data(
        &mut self,
        catalog: &Catalog,
        questions: &[DataQuestion],
    ) -> BTreeMap<String, TableData> {
        // A policy that hides rows would make the answers wrong, so that it must be an error. And what an index answers
        // is not to be looked up row by row because statistics are old.
        let settings = "SET LOCAL row_security = off; SET LOCAL enable_sort = off";
        let _ = self.command(settings).await;
        read(self, catalog, questions).await
    }
}

impl Reader for Session {
    async fn number(&mut self, query: &Query) -> Result<Option<i64>, Failure> {
        let gone = |_| Failure::Other("connection".to_owned());
        self.command("SAVEPOINT seadrift_data").await.map_err(gone)?;
        self.queries += 1;
        let mut statement =
            sqlx::query_scalar::<_, Option<i64>>(sqlx::AssertSqlSafe(query.sql.clone())).persistent(false);
        for value in &query.values {
            statement = statement.bind(value);
        }
        let deadline = self.limits.statement.saturating_add(GRACE);
        let answer = timeout(deadline, statement.fetch_optional(&mut self.connection)).await;
        self.command("ROLLBACK TO SAVEPOINT seadrift_data")
            .await
            .map_err(gone)?;
        match answer {
            Err(_) => Err(Failure::Slow(self.limits.statement)),
            Ok(Ok(number)) => Ok(number.flatten()),
            Ok(Err(error)) => Err(self.data_failure(&error)),
        }
    }
}

impl Session {
    fn data_failure(&self, error: &sqlx::Error) -> Failure {
        let database = error.as_database_error();
        let code = database.and_then(|e| e.code()).unwrap_or_default();
        match code.as_ref() {
            "42501" if database.is_some_and(|e| e.message().contains("row-level security")) => Failure::Hidden,
            "42501" => Failure::Denied,
            "57014" | "55P03" => Failure::Slow(self.limits.statement),
            code => Failure::Other(code.to_owned()),
        }
    }
}
