//! A hot standby: it takes no writes, and is judged as its primary is.

use std::time::Duration;

use seadrift::catalog::fetch;
use seadrift::config::DatabaseUrl;
use sqlx::{Connection, PgConnection};

use crate::lab::{ask, standby_url, with_lab};
use crate::{LEDGER, TABLE};

#[tokio::test]
async fn a_hot_standby_gives_the_answer_of_its_primary() {
    with_lab("standby", async |lab| {
        let Some(url) = standby_url(&lab) else { return lab };
        lab.setup(LEDGER).await;
        let mut primary = lab.connect().await;
        let written: String = sqlx::query_scalar("SELECT pg_current_wal_lsn()::text")
            .fetch_one(&mut primary)
            .await
            .unwrap();
        wait_for(&url, &written).await;

        let ask = ask(&[TABLE, "Missing"]);
        let from_primary = lab.fetch(&ask).await.unwrap();
        let from_standby = fetch(&DatabaseUrl::parse(&url).unwrap(), &ask).await.unwrap();
        assert!(!from_primary.server.replica);
        assert!(from_standby.server.replica);
        assert_eq!(from_standby.sightings, from_primary.sightings);
        assert_eq!(from_standby.namespace, from_primary.namespace);
        assert_eq!(from_standby.unseen, from_primary.unseen);
        lab
    })
    .await;
}

/// Waits until the standby has the database, and all that was written up to a place in the log.
async fn wait_for(url: &str, written: &str) {
    for _ in 0..1200 {
        if let Ok(mut standby) = PgConnection::connect(url).await {
            let there: bool = sqlx::query_scalar("SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn")
                .bind(written)
                .fetch_one(&mut standby)
                .await
                .unwrap();
            if there {
                return;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the standby did not follow its primary within two minutes");
}
