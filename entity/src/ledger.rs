//! Recording an event once, on every database.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, SqlErr};

/// An idempotency ledger: an entity with one row for each consumed event.
pub trait Ledger: EntityTrait {
    /// The column of the event's identity, which has a unique index.
    const EVENT_ID: Self::Column;
}

/// What a delivery of an event is to its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the work of an event that was delivered before must not be done again"]
pub enum Delivery {
    /// The event was not recorded, and is now.
    First,
    /// The event was recorded before: it is a duplicate.
    Again,
}

/// Records an event, if it is not recorded already.
///
/// Call it first in the transaction that does the event's work. Of two consumers of one event the second waits for the
/// transaction of the first: if that one commits, the event is a duplicate; if it rolls back, the second does the work.
///
/// # Errors
///
/// The database refuses the row for any other reason than an event that is there. Roll back, and let the event be
/// delivered again: a deadlock, or a serialization failure of a transaction that is stricter than READ COMMITTED, is
/// what losing a race can look like.
pub async fn record<A>(db: &impl ConnectionTrait, row: A) -> Result<Delivery, DbErr>
where
    A: ActiveModelTrait,
    A::Entity: Ledger,
{
    let insert = <A::Entity as EntityTrait>::insert(row);
    let written = match db.get_database_backend() {
        // `do_nothing` would be INSERT IGNORE, which cuts values that are too long instead of refusing them.
        DbBackend::MySql => match insert.exec_without_returning(db).await {
            Err(error) if is_duplicate_event(&error) => 0,
            written => written?,
        },
        // A violation would be the end of a transaction on PostgreSQL.
        _ => {
            let once = OnConflict::column(A::Entity::EVENT_ID).do_nothing().to_owned();
            insert.on_conflict(once).exec_without_returning(db).await?
        }
    };
    Ok(if written == 0 { Delivery::Again } else { Delivery::First })
}

/// Returns whether MySQL refused a row for a key other than the primary one, which does not identify the event.
fn is_duplicate_event(error: &DbErr) -> bool {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(said)) => !said.trim_end_matches('\'').ends_with("PRIMARY"),
        _ => false,
    }
}
