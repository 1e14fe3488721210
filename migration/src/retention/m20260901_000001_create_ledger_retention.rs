//! Creates `ledger_retention`: policy, watermark and heartbeat, one row per ledger.
//!
//! The checks hold the numbers to what makes trimming safe. A trigger that keeps the watermarks from moving back is not
//! part of it: MySQL with a binary log demands rights for one that a migrating role does not have.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::ledger::{instant, text};

/// Creates the table.
#[derive(DeriveMigrationName)]
pub(super) struct Migration;

const TABLE: &str = "ledger_retention";

fn seconds(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().to_owned()
}

/// A watermark: the beginning of 1970 until something is known.
fn watermark(name: &'static str, backend: DbBackend) -> ColumnDef {
    let epoch = match backend {
        DbBackend::Postgres => Expr::cust("to_timestamp(0)"),
        DbBackend::MySql => Expr::cust("'1970-01-01 00:00:00'"),
        _ => Expr::cust("'1970-01-01T00:00:00+00:00'"),
    };
    instant(name, backend).not_null().default(epoch).to_owned()
}

fn table(backend: DbBackend) -> TableCreateStatement {
    let mut table = Table::create();
    table
        .table(TABLE)
        .col(text("ledger", 63).not_null())
        .col(seconds("horizon_seconds"))
        .col(seconds("staleness_seconds"))
        .col(seconds("skew_seconds").default(300))
        .col(seconds("grace_seconds").default(120))
        .col(watermark("admission_floor_utc", backend))
        .col(watermark("floor_advanced_utc", backend))
        .col(watermark("trimmed_through_utc", backend))
        .col(instant("last_started_utc", backend).null())
        .col(instant("last_finished_utc", backend).null())
        .col(ColumnDef::new("last_deleted").big_integer().null())
        .col(ColumnDef::new("last_error").text().null())
        .col(text("runner", 120).null())
        .primary_key(Index::create().name("pk_ledger_retention").col("ledger"))
        .check((
            "ck_lr_horizon",
            Expr::cust("staleness_seconds > 0 AND horizon_seconds >= staleness_seconds + 4 * skew_seconds"),
        ))
        .check(("ck_lr_order", Expr::cust("trimmed_through_utc <= admission_floor_utc")));
    if backend == DbBackend::MySql {
        table.engine("InnoDB").character_set("utf8mb4").collate("utf8mb4_bin");
    }
    table
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(table(manager.get_database_backend())).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table(TABLE).if_exists().to_owned())
            .await
    }
}
