//! The idempotency ledger of the payroll service: one row per synchronised event, never updated.
//!
//! That there is a unique event identity is documented; the shapes of the columns are not. They follow
//! the asset service, without the correlation, which payroll does not keep for inbound events.

use sea_orm::entity::prelude::*;

use crate::Ledger;

/// A consumed integration event.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ProcessedIntegrationEvents")]
pub struct Model {
    /// The row's own key. It does not identify the event.
    #[sea_orm(primary_key, auto_increment = false, column_name = "Id")]
    pub id: Uuid,
    /// The event's identity. Its unique index is what turns a redelivery away.
    #[sea_orm(column_name = "EventId", unique)]
    pub event_id: Uuid,
    /// The name of the event's type, at most 160 characters.
    #[sea_orm(column_name = "EventType", column_type = "String(StringLen::N(160))")]
    pub event_type: String,
    /// The tenant the event belongs to. It is a number here, unlike in the notification service.
    #[sea_orm(column_name = "TenantId", nullable)]
    pub tenant_id: Option<i32>,
    /// The service that sent the event, at most 120 characters.
    #[sea_orm(column_name = "SourceService", column_type = "String(StringLen::N(120))")]
    pub source_service: String,
    /// What became of the event; the database fills in `Processed`.
    #[sea_orm(column_name = "Outcome", default_value = "Processed")]
    pub outcome: Outcome,
    /// The time at which the row was written.
    #[sea_orm(column_name = "ProcessedOnUtc")]
    pub processed_on_utc: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}

impl Ledger for Entity {
    const EVENT_ID: Column = Column::EventId;
}

/// What became of an event, stored as its name. Payroll records successes alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(40))")]
#[non_exhaustive]
pub enum Outcome {
    /// The event was synchronised.
    #[default]
    #[sea_orm(string_value = "Processed")]
    Processed,
}
