//! SeaORM entities of the services' idempotency ledgers.
//!
//! An idempotency ledger holds one row for each integration event that a service has consumed. The
//! unique index on the event's identifier is what turns a redelivered event away. The names in the
//! database are those that EF Core gave them (`ProcessedIntegrationEvents`, `EventId`), so the
//! entities work on the live tables as they are.
//!
//! ```toml
//! [dependencies]
//! seadrift-entity = { version = "0.1", default-features = false, features = ["notification"] }
//! ```
//!
//! There is one Cargo feature and one module per service: `notification`, `asset` and `payroll`. All
//! are on by default. The driver is the choice of the service: it enables `sqlx-postgres`,
//! `sqlx-mysql` or `sqlx-sqlite` in its own dependency on `sea-orm`. The feature `retention`, which is off by
//! default, adds the table in which trimming runs leave their evidence.
//!
//! # Recording an event once
//!
//! [`record`] writes the event's row, in the transaction that does its work, and tells a first delivery from another one:
//!
#![cfg_attr(feature = "notification", doc = "```")]
#![cfg_attr(not(feature = "notification"), doc = "```ignore")]
//! use chrono::Utc;
//! use sea_orm::{ActiveValue::Set, ConnectionTrait, Database, EntityTrait, Schema, TransactionTrait};
//! use seadrift_entity::notification::processed_event::{self, Outcome};
//! use seadrift_entity::{Delivery, record};
//! use uuid::Uuid;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), sea_orm::DbErr> {
//! let db = Database::connect("sqlite::memory:").await?;
//! # let schema = Schema::new(db.get_database_backend());
//! # db.execute(&schema.create_table_from_entity(processed_event::Entity)).await?;
//! let event_id = Uuid::new_v4();
//! for expected in [Delivery::First, Delivery::Again] {
//!     let transaction = db.begin().await?;
//!     let delivery = record(&transaction, processed_event::ActiveModel {
//!         id: Set(Uuid::new_v4()),
//!         event_id: Set(event_id),
//!         event_type: Set("invoice.issued".to_owned()),
//!         tenant_id: Set(None),
//!         correlation_id: Set(None),
//!         source_service: Set("billing".to_owned()),
//!         outcome: Set(Outcome::Processed),
//!         messages_created: Set(1),
//!         processed_on_utc: Set(Utc::now()),
//!     }).await?;
//!     if delivery == Delivery::First {
//!         // The work of the event, through the same transaction.
//!     }
//!     transaction.commit().await?;
//!     assert_eq!(delivery, expected);
//! }
//!
//! let seen = processed_event::Entity::find_by_event_id(event_id).one(&db).await?;
//! assert_eq!(seen.map(|row| row.outcome), Some(Outcome::Processed));
//! # Ok(())
//! # }
//! ```
//!
//! A service with a ledger of its own implements [`Ledger`] for its entity.
//!
//! # Databases
//!
//! | | PostgreSQL | MySQL, MariaDB | SQLite |
//! |---|---|---|---|
//! | [`Uuid`](uuid::Uuid) | `uuid` | `binary(16)` | 16 bytes in a column declared `uuid_text` |
//! | `DateTimeUtc` | `timestamp with time zone` | `datetime(6)` | RFC 3339 text |
//! | strings and outcomes | `character varying(n)` | `varchar(n)` | text |
//!
//! **MySQL and MariaDB.** Insert with [`record`], not with SeaORM's `do_nothing`: that is `INSERT IGNORE` there, which
//! turns a value that is too long or missing into a warning. Ids that EF Core stored as `char(36)`
//! can be read, but not be found or written: a `binary(16)` column is needed.
//!
//! **SQLite.** The driver writes a `Uuid` as 16 bytes, whatever type the column declares, and reads
//! nothing else. EF Core writes upper-case text, and takes 16 bytes for a GUID in the byte order of
//! .NET, which gives a different identifier. No stored form is right for both. Strings and numbers are
//! read alike by both; so are times, but each writes them in a format of its own, which do not sort
//! together. So a SQLite ledger has one kind of writer: where EF Core and SeaORM must share a ledger, it
//! has to be on PostgreSQL. A SQLite ledger that already has rows of EF Core cannot be read by these
//! entities, although its columns look the same.

#[cfg(feature = "asset")]
pub mod asset;
mod ledger;
#[cfg(feature = "notification")]
pub mod notification;
#[cfg(feature = "payroll")]
pub mod payroll;
#[cfg(feature = "retention")]
pub mod retention;

pub use ledger::{Delivery, Ledger, record};
