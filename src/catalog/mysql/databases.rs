//! Which databases a server has.

use super::session::{Session, options, text};
use crate::catalog::{Error, Limits};
use crate::config::DatabaseUrl;

/// Reads the names of the databases that the user can see, in a read-only session; those of the server itself are left
/// out.
pub(in crate::catalog) async fn databases(url: &DatabaseUrl, limits: Limits) -> Result<Vec<String>, Error> {
    let mut session = Session::open(&options(url)?, &limits).await?;
    let answer = async {
        let identity = session.identify().await?;
        session.secure(&identity, &limits).await?;
        let sql = include_str!("queries/databases.sql").to_owned();
        let rows = session.read(sql, &[]).await?;
        rows.iter().map(|row| text(row, "name")).collect()
    };
    let answer = answer.await;
    session.close().await;
    answer
}
