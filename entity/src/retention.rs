//! The evidence of trimming runs: policy, watermark and heartbeat, one row per ledger.
//!
//! `seadrift retention trim` writes it where the table exists, and the checker reads it. A service needs it only to watch
//! its own retention.

pub use ledger_retention::Entity as LedgerRetention;

/// The table `ledger_retention`.
pub mod ledger_retention {
    use sea_orm::entity::prelude::*;

    /// What is known of the trimming of one ledger.
    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "ledger_retention")]
    pub struct Model {
        /// The name of the ledger's table, at most 63 characters.
        #[sea_orm(primary_key, auto_increment = false, column_type = "String(StringLen::N(63))")]
        pub ledger: String,
        /// The age in seconds at which rows are removed.
        pub horizon_seconds: i64,
        /// How old an event may be for the consumer's guard, in seconds. The table's check wants it above zero.
        pub staleness_seconds: i64,
        /// The bound on each clock's error, in seconds.
        #[sea_orm(default_value = 300)]
        pub skew_seconds: i64,
        /// How long a new admission floor must have been visible before rows below it are removed, in seconds.
        #[sea_orm(default_value = 120)]
        pub grace_seconds: i64,
        /// Every event whose row was removed happened at or before this time.
        pub admission_floor_utc: DateTimeUtc,
        /// When the floor was raised last.
        pub floor_advanced_utc: DateTimeUtc,
        /// Rows recorded before this time are gone.
        pub trimmed_through_utc: DateTimeUtc,
        /// When the last run began.
        pub last_started_utc: Option<DateTimeUtc>,
        /// When the last run that came to its end did so.
        pub last_finished_utc: Option<DateTimeUtc>,
        /// How many rows the last run removed.
        pub last_deleted: Option<i64>,
        /// Why the last run failed; empty if it did not.
        #[sea_orm(column_type = "Text", nullable)]
        pub last_error: Option<String>,
        /// Who ran last: role, database and host, at most 120 characters.
        #[sea_orm(column_type = "String(StringLen::N(120))", nullable)]
        pub runner: Option<String>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}
