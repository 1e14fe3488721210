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
#![cfg_attr(feature = "notification", doc = "```")]
#![cfg_attr(not(feature = "notification"), doc = "```ignore")]
//! use chrono::Utc;
//! use sea_orm::sea_query::OnConflict;
//! use sea_orm::{ActiveValue::Set, ConnectionTrait, Database, EntityTrait, Schema};
//! use seadrift_entity::notification::processed_event::{self, Outcome};
//! use uuid::Uuid;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), sea_orm::DbErr> {
//! let db = Database::connect("sqlite::memory:").await?;
//! let schema = Schema::new(db.get_database_backend());
//! db.execute(&schema.create_table_from_entity(processed_event::Entity)).await?;
//!
//! let event_id = Uuid::new_v4();
//! let row = processed_event::ActiveModel {
//!     id: Set(Uuid::new_v4()),
//!     event_id: Set(event_id),
//!     event_type: Set("invoice.issued".to_owned()),
//!     tenant_id: Set(None),
//!     correlation_id: Set(None),
//!     source_service: Set("billing".to_owned()),
//!     outcome: Set(Outcome::Processed),
//!     messages_created: Set(1),
//!     processed_on_utc: Set(Utc::now()),
//! };
//! let once = OnConflict::column(processed_event::Column::EventId).do_nothing().to_owned();
//! let insert = |row| processed_event::Entity::insert(row).on_conflict(once.clone());
//!
//! // The first delivery writes a row.
//! assert_eq!(insert(row.clone()).exec_without_returning(&db).await?, 1);
//!
//! let seen = processed_event::Entity::find_by_event_id(event_id).one(&db).await?;
//! assert_eq!(seen.map(|row| row.outcome), Some(Outcome::Processed));
//!
//! // A redelivery, with a primary key of its own, writes none: it is a duplicate.
//! let again = processed_event::ActiveModel { id: Set(Uuid::new_v4()), ..row };
//! assert_eq!(insert(again).exec_without_returning(&db).await?, 0);
//! # Ok(())
//! # }
//! ```
//!
//! # Databases
//!
//! | | PostgreSQL | MySQL, MariaDB | SQLite |
//! |---|---|---|---|
//! | [`Uuid`](uuid::Uuid) | `uuid` | `binary(16)` | 16 bytes in a column declared `uuid_text` |
//! | `DateTimeUtc` | `timestamp with time zone` | `datetime(6)` | RFC 3339 text |
//! | strings and outcomes | `character varying(n)` | `varchar(n)` | text |
//!
//! **MySQL and MariaDB.** SeaORM writes `do_nothing` as `INSERT IGNORE` there, which turns a value that
//! is too long or missing into a warning. Insert without a conflict clause instead, and take
//! [`SqlErr::UniqueConstraintViolation`](sea_orm::SqlErr::UniqueConstraintViolation) from
//! [`DbErr::sql_err`](sea_orm::DbErr::sql_err) for the duplicate. Ids that EF Core stored as `char(36)`
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
#[cfg(feature = "notification")]
pub mod notification;
#[cfg(feature = "payroll")]
pub mod payroll;
#[cfg(feature = "retention")]
pub mod retention;
