//! Consumers of events over what the migrations made: `record` on each database.

use std::sync::Barrier;
use std::time::Duration;

use sea_orm::sqlx::{MySql, Postgres};
use sea_orm::{ActiveValue::Set, EntityTrait, PaginatorTrait, TransactionTrait};
use seadrift::config::DatabaseUrl;
use seadrift_entity::asset::{ProcessedEvent, processed_event};
use seadrift_entity::{Delivery, record};
use uuid::Uuid;

use crate::harness::{connect, parse, service, up, with_database};

fn row(event_id: Uuid) -> processed_event::ActiveModel {
    processed_event::ActiveModel {
        id: Set(Uuid::new_v4()),
        event_id: Set(event_id),
        event_type: Set("asset.assigned".to_owned()),
        tenant_id: Set(Some(7)),
        correlation_id: Set(None),
        source_service: Set("hr".to_owned()),
        outcome: Set(processed_event::Outcome::Processed),
        processed_on_utc: Set(chrono::DateTime::from_timestamp(1_785_000_000, 0).unwrap()),
    }
}

/// Delivers one event to several consumers at the same moment, and returns what it was to each.
fn race(url: &DatabaseUrl, event_id: Uuid) -> Vec<Delivery> {
    const CONSUMERS: usize = 4;
    let start = Barrier::new(CONSUMERS);
    let consume = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let db = connect(url).await;
            start.wait();
            let transaction = db.begin().await.unwrap();
            let delivery = record(&transaction, row(event_id)).await.unwrap();
            if delivery == Delivery::First {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            transaction.commit().await.unwrap();
            db.close().await.unwrap();
            delivery
        })
    };
    std::thread::scope(|scope| {
        let consumers: Vec<_> = (0..CONSUMERS).map(|_| scope.spawn(consume)).collect();
        consumers.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

async fn one_consumer_does_the_work(url: &DatabaseUrl) {
    up(&service("asset"), url).await.unwrap();
    for _ in 0..3 {
        let deliveries = race(url, Uuid::new_v4());
        let first = deliveries.iter().filter(|delivery| **delivery == Delivery::First);
        assert_eq!(first.count(), 1, "{deliveries:?}");
    }
    let db = connect(url).await;
    assert_eq!(ProcessedEvent::find().count(&db).await.unwrap(), 3);

    // What was rolled back was not done.
    let event_id = Uuid::new_v4();
    let transaction = db.begin().await.unwrap();
    assert_eq!(record(&transaction, row(event_id)).await.unwrap(), Delivery::First);
    transaction.rollback().await.unwrap();
    // A duplicate leaves the transaction usable.
    let transaction = db.begin().await.unwrap();
    assert_eq!(record(&transaction, row(event_id)).await.unwrap(), Delivery::First);
    assert_eq!(record(&transaction, row(event_id)).await.unwrap(), Delivery::Again);
    assert_eq!(
        record(&transaction, row(Uuid::new_v4())).await.unwrap(),
        Delivery::First
    );
    transaction.commit().await.unwrap();
    assert_eq!(ProcessedEvent::find().count(&db).await.unwrap(), 5);

    // The key of another event's row is no sign of a duplicate.
    let taken = ProcessedEvent::find().one(&db).await.unwrap().unwrap().id;
    let other = processed_event::ActiveModel {
        id: Set(taken),
        ..row(Uuid::new_v4())
    };
    record(&db, other).await.unwrap_err();
    db.close().await.unwrap();
}

/// A row that does not fit is an error: cut to its column, it would be another event.
async fn what_does_not_fit_is_refused(url: &DatabaseUrl) {
    let db = connect(url).await;
    let long = processed_event::ActiveModel {
        event_type: Set("t".repeat(161)),
        ..row(Uuid::new_v4())
    };
    record(&db, long).await.unwrap_err();
    db.close().await.unwrap();
}

#[test]
fn one_consumer_does_the_work_on_postgres() {
    with_database::<Postgres>(async |database| {
        one_consumer_does_the_work(&database.url).await;
        what_does_not_fit_is_refused(&database.url).await;
    });
}

#[test]
fn one_consumer_does_the_work_on_mariadb() {
    with_database::<MySql>(async |database| {
        one_consumer_does_the_work(&database.url).await;
        what_does_not_fit_is_refused(&database.url).await;
    });
}

#[tokio::test]
async fn one_consumer_does_the_work_on_sqlite() {
    let directory = tempfile::tempdir().unwrap();
    let url = parse(&format!("sqlite://{}", directory.path().join("ledger.db").display()));
    one_consumer_does_the_work(&url).await;
}
