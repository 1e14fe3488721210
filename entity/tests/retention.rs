//! The entity of `ledger_retention` has the columns that trimming runs write.

use sea_orm::sea_query::StringLen;
use sea_orm::{ColumnTrait, ColumnType, EntityName, IdenStatic, Iterable, PrimaryKeyToColumn};
use seadrift_entity::retention::{LedgerRetention, ledger_retention};

#[test]
fn the_evidence_has_its_thirteen_columns() {
    let seconds = ColumnType::BigInteger;
    let time = ColumnType::TimestampWithTimeZone;
    let expected = [
        ("ledger", ColumnType::String(StringLen::N(63)), false),
        ("horizon_seconds", seconds.clone(), false),
        ("staleness_seconds", seconds.clone(), false),
        ("skew_seconds", seconds.clone(), false),
        ("grace_seconds", seconds.clone(), false),
        ("admission_floor_utc", time.clone(), false),
        ("floor_advanced_utc", time.clone(), false),
        ("trimmed_through_utc", time.clone(), false),
        ("last_started_utc", time.clone(), true),
        ("last_finished_utc", time, true),
        ("last_deleted", seconds, true),
        ("last_error", ColumnType::Text, true),
        ("runner", ColumnType::String(StringLen::N(120)), true),
    ];
    let columns: Vec<_> = ledger_retention::Column::iter()
        .map(|column| {
            let def = column.def();
            (column.as_str(), def.get_column_type().clone(), def.is_null())
        })
        .collect();
    assert_eq!(columns, expected);
    assert_eq!(LedgerRetention.table_name(), "ledger_retention");
    let key: Vec<_> = ledger_retention::PrimaryKey::iter()
        .map(|key| key.into_column().as_str())
        .collect();
    assert_eq!(key, ["ledger"]);
}
