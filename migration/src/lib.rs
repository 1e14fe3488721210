//! Migrations of the services' idempotency ledgers, for PostgreSQL, MySQL, MariaDB and SQLite.
//!
//! Each service has a migrator of its own with a history table of its own, so that several services
//! can live in one database without seeing each other's history. Run them with `seadrift migrate`,
//! which takes a lock and compares before it adopts existing tables, or from a program:
//!
//! ```no_run
//! # async fn run(db: sea_orm_migration::sea_orm::DatabaseConnection) -> Result<(), sea_orm_migration::DbErr> {
//! use sea_orm_migration::MigratorTrait;
//! use seadrift_migration::NotificationMigrator;
//!
//! NotificationMigrator::up(&db, None).await?;
//! # Ok(())
//! # }
//! ```
//!
//! The driver is the choice of the program: it enables `sqlx-postgres`, `sqlx-mysql` or `sqlx-sqlite`, and a runtime, in
//! its own dependency on `sea-orm-migration`. Two programs that start at the same time may both begin a migration, and one
//! of them then fails: nothing but `seadrift migrate` takes the lock.
//!
//! [`RetentionMigrator`] is opt-in and belongs to no service: it creates the table in which trimming runs leave their
//! evidence, with a history of its own as well.
//!
//! # Rules for migrations
//!
//! - A published migration is never changed; a new one follows it.
//! - On MySQL and MariaDB a DDL statement commits by itself, so a migration is one statement there.
//!   The other databases run the whole migration in one transaction.
//! - `up` does not say `IF NOT EXISTS`: a table that somebody else made must not be adopted unseen.
//! - `down` says `IF EXISTS`, so that one that was cut off can be repeated.

mod ledger;

pub mod asset;
pub mod notification;
pub mod payroll;
pub mod retention;

pub use asset::AssetMigrator;
pub use notification::NotificationMigrator;
pub use payroll::PayrollMigrator;
pub use retention::RetentionMigrator;
