//! Compares live databases with the specs of the services that use them, and says what drifted, what it costs, and how
//! to repair it.
//!
//! ```text
//! specs/*.yaml ──spec──▶ Spec ──────────────────────────────────┐
//!                                                               ▼
//! live database ──catalog──▶ Catalog ──▶ compare::pair ──▶ Comparison ──▶ rules::check ──▶ Verdict ──▶ report
//! ```
//!
//! Left of the [`catalog::Catalog`] there is I/O, right of it there is none. Most people want the program; this library is
//! for organisations that ship their own with services of their own ([`cli::run`]), and for tests that check a database:
//!
//! ```
//! use seadrift::{catalog, compare, config, rules, spec};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("ledger.db");
//! # let url = format!("sqlite:{}", file.display());
//! # let sql = "CREATE TABLE Ledger (Id TEXT NOT NULL PRIMARY KEY, EventId TEXT NOT NULL)";
//! # let db = sea_orm::Database::connect(format!("{url}?mode=rwc")).await?;
//! # sea_orm::ConnectionTrait::execute_unprepared(&db, sql).await?;
//! # db.close().await?;
//! let spec = spec::parse(
//!     "orders.yaml",
//!     "version: 1
//! service: orders
//! tables:
//!   Ledger:
//!     role: ledger
//!     columns: { Id: { type: text }, EventId: { type: text } }
//!     primary_key: [Id]
//!     indexes: { UX_EventId: { columns: [EventId], unique: true } }
//!     ledger: { event_id: EventId }
//! ",
//! )
//! .map_err(|problems| problems[0].to_string())?;
//! let target = config::Target::new("orders", config::DatabaseUrl::parse(&url)?);
//!
//! let catalog = catalog::fetch(&target.open().await?, &target.ask(&spec)).await?;
//! let verdict = rules::check(&compare::pair(&spec, &catalog), &target.name);
//! assert_eq!(verdict.findings[0].rule, "unique-missing");
//! # Ok(())
//! # }
//! ```

pub mod baseline;
pub mod catalog;
pub mod cli;
pub mod compare;
pub mod config;
pub mod describe;
pub mod dialect;
pub mod doctor;
pub mod draft;
pub mod finding;
pub mod fleet;
pub mod migrate;
pub mod report;
pub mod retention;
pub mod rules;
pub mod schema;
pub mod services;
pub mod spec;
pub mod text;
pub mod trim;
pub mod verify;
pub mod waivers;
pub mod yaml;
