//! What the rows themselves say, with the checker allowed to read them.

use seadrift::retention::{Oldest, Verdict};

use crate::harness::*;
use crate::jobs::PURGE;

impl Seen {
    fn oldest_days(&self) -> Option<u64> {
        match &self.ledger.rows.as_ref().unwrap().oldest {
            Oldest::Row(age) => Some(age.as_secs() / 86_400),
            Oldest::NoRow => None,
            Oldest::Unknown { reason, .. } => panic!("{reason}"),
        }
    }

    fn unknown(&self) -> &str {
        match &self.ledger.rows.as_ref().unwrap().oldest {
            Oldest::Unknown { reason, .. } => reason,
            other => panic!("{other:?}"),
        }
    }
}

/// A ledger on some database, and SQL of that database.
trait Place {
    async fn sql(&self, sql: &str);
    async fn look(&self) -> Seen;
}

impl Place for Cron {
    async fn sql(&self, sql: &str) {
        let sql = format!("SET search_path TO {}; {sql}", self.name);
        run_postgres(&self.home, &sql).await;
    }

    async fn look(&self) -> Seen {
        look_at_rows(self.home.as_str(), Some(&self.name)).await
    }
}

impl Place for Events {
    async fn sql(&self, sql: &str) {
        let sql = format!("USE {}; {}", self.name, sql.replace('"', "`"));
        Events::sql(self, &sql).await;
    }

    async fn look(&self) -> Seen {
        look_at_rows(with_path(&self.root, &self.name).as_str(), None).await
    }
}

impl Place for File {
    async fn sql(&self, sql: &str) {
        File::sql(self, sql).await;
    }

    async fn look(&self) -> Seen {
        look_at_rows(&self.url, None).await
    }
}

/// The ledger has one row of 90 days and one of today. `many` adds as many young rows as are read from end to end.
async fn tells_ages(place: &impl Place, many: &str) {
    let seen = place.look().await;
    assert_eq!(seen.oldest_days(), Some(90));
    seen.assert_finding("retention-overdue", "90d old");
    // No index is needed for a small table; a big one is not read without.
    place.sql(many).await;
    let seen = place.look().await;
    assert!(seen.unknown().contains("more than 100000 rows"), "{}", seen.unknown());
    assert!(
        seen.unverified
            .iter()
            .any(|reason| reason.contains("more than 100000 rows"))
    );
    assert!(seen.findings.iter().all(|(rule, _)| rule != "retention-overdue"));
    place
        .sql("CREATE INDEX ix_age ON \"ProcessedIntegrationEvents\" (\"ProcessedOnUtc\")")
        .await;
    assert_eq!(place.look().await.oldest_days(), Some(90));
    place.sql("DELETE FROM \"ProcessedIntegrationEvents\"").await;
    let seen = place.look().await;
    assert_eq!(seen.oldest_days(), None);
    assert!(seen.findings.iter().all(|(rule, _)| rule != "retention-overdue"));
}

#[tokio::test]
async fn the_oldest_row_tells_beside_pg_cron() {
    let Some(cron) = Cron::namespace().await else { return };
    tells_ages(
        &cron,
        "INSERT INTO \"ProcessedIntegrationEvents\" SELECT gen_random_uuid(), gen_random_uuid(), now()
         FROM generate_series(1, 100000)",
    )
    .await;
    let seen = Place::look(&cron).await;
    // The server's own statistics come a moment later.
    assert!(seen.ledger.rows.unwrap().deleted.is_some());
    // Rows without a known time have no age.
    Place::sql(
        &cron,
        "INSERT INTO \"ProcessedIntegrationEvents\" VALUES (gen_random_uuid(), gen_random_uuid(), '-infinity'),
         (gen_random_uuid(), gen_random_uuid(), 'infinity')",
    )
    .await;
    assert_eq!(Place::look(&cron).await.oldest_days(), None);
    cron.drop().await;
}

#[tokio::test]
async fn the_oldest_row_tells_on_mariadb() {
    let Some(events) = Events::database().await else { return };
    tells_ages(
        &events,
        "INSERT INTO ProcessedIntegrationEvents SELECT uuid(), uuid(), utc_timestamp(6) FROM seq_1_to_100000",
    )
    .await;
    // An instant is told in any time zone of the server.
    Place::sql(
        &events,
        "ALTER TABLE ProcessedIntegrationEvents MODIFY ProcessedOnUtc timestamp(6) NOT NULL;
         INSERT INTO ProcessedIntegrationEvents VALUES (uuid(), uuid(), now() - INTERVAL 50 HOUR)",
    )
    .await;
    assert_eq!(Place::look(&events).await.oldest_days(), Some(2));
    events.drop().await;
}

#[tokio::test]
async fn the_oldest_row_tells_in_a_file() {
    let file = File::ledger().await;
    tells_ages(
        &file,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         INSERT INTO \"ProcessedIntegrationEvents\" SELECT i, i, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now') FROM n",
    )
    .await;
    for form in ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%fZ", "%Y-%m-%d"] {
        file.sql(&format!(
            "DELETE FROM \"ProcessedIntegrationEvents\"; INSERT INTO \"ProcessedIntegrationEvents\"
             VALUES ('a', 'a', strftime('{form}', 'now', '-20 days')), ('b', 'b', 'soon')"
        ))
        .await;
        assert_eq!(Place::look(&file).await.oldest_days(), Some(20), "{form}");
    }
}

#[tokio::test]
async fn a_job_that_removes_nothing_is_not_effective_whatever_its_history_says() {
    let Some(cron) = Cron::namespace().await else { return };
    cron.schedule("17 3 * * *", &PURGE.replace("'14 days'", "'20 days'"))
        .await;
    cron.sql(&format!(
        "INSERT INTO cron.job_run_details (jobid, runid, database, username, command, status, return_message, start_time, end_time)
         SELECT jobid, nextval('cron.runid_seq'), database, username, command, 'succeeded', 'DELETE 0', now() - n * interval '1 day', now()
         FROM cron.job, generate_series(0, 2) AS n WHERE jobname = '{}'",
        cron.name
    ))
    .await;
    let promised = cron.look().await;
    assert_eq!(promised.ledger.verdict, Verdict::Effective);
    let seen = Place::look(&cron).await;
    assert!(
        matches!(seen.ledger.verdict, Verdict::NotEffective(_)),
        "{:#?}",
        seen.ledger
    );
    seen.assert_finding("retention-overdue", "3 times in a row and removed nothing");
    cron.drop().await;
}

#[tokio::test]
async fn rows_that_may_not_be_read_are_unverified() {
    let Some(cron) = Cron::namespace().await else { return };
    let role = unique("plain");
    let (name, table) = (&cron.name, format!("{}.\"{TABLE}\"", cron.name));
    cron.sql(&format!(
        "CREATE ROLE {role} LOGIN PASSWORD 'pw'; GRANT USAGE ON SCHEMA {name} TO {role}"
    ))
    .await;
    let mut url = cron.home.clone();
    url.set_username(&role).unwrap();
    url.set_password(Some("pw")).unwrap();
    let look = async || look_at_rows(url.as_str(), Some(name)).await;
    assert!(look().await.unknown().contains("may not read the rows"));
    cron.sql(&format!("GRANT SELECT ON {table} TO {role}")).await;
    assert_eq!(look().await.oldest_days(), Some(90));
    cron.sql(&format!(
        "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; CREATE POLICY none ON {table} USING (false)"
    ))
    .await;
    assert!(look().await.unknown().contains("Row security"));
    cron.sql(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await;
    cron.drop().await;
}

#[tokio::test]
async fn rows_that_may_not_be_read_on_mariadb_are_unverified() {
    let Some(events) = Events::database().await else { return };
    let (name, user) = (&events.name, unique("ro"));
    Events::sql(
        &events,
        &format!(
            "CREATE USER '{user}'@'localhost' IDENTIFIED BY 'pw'; GRANT REFERENCES, EVENT, TRIGGER ON {name}.* TO '{user}'@'localhost';
             CREATE USER '{user}'@'%' IDENTIFIED BY 'pw'; GRANT REFERENCES, EVENT, TRIGGER ON {name}.* TO '{user}'@'%'"
        ),
    )
    .await;
    let mut url = with_path(&events.root, name);
    url.set_username(&user).unwrap();
    url.set_password(Some("pw")).unwrap();
    let seen = look_at_rows(url.as_str(), None).await;
    assert!(seen.unknown().contains("may not read the rows"), "{}", seen.unknown());
    Events::sql(&events, &format!("DROP USER '{user}'@'localhost', '{user}'@'%'")).await;
    events.drop().await;
}
