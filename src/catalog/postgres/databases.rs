//! Which databases a server has.

use super::fetch::Session;
use crate::catalog::{Error, Limits};
use crate::config::DatabaseUrl;

/// Reads the names of the databases that can be connected to, in a read-only snapshot. Those that the role may not use
/// are among them: that they cannot be checked has to be said.
pub(in crate::catalog) async fn databases(url: &DatabaseUrl, limits: Limits) -> Result<Vec<String>, Error> {
    let mut session = Session::open(url, limits).await?;
    let answer = async {
        session.begin().await?;
        let names = session
            .document(include_str!("queries/databases.sql"), ["", ""])
            .await?;
        session.end().await?;
        Ok(names)
    };
    let answer = answer.await;
    session.close().await;
    answer
}
