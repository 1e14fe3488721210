//! Databases for one test each, services made for tests, and races.

use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

use sea_orm::sqlx::{self, AssertSqlSafe, Connection as _, Executor as _};
use sea_orm_migration::prelude::*;
use seadrift::config::DatabaseUrl;
use seadrift::migrate::{self, Adoption, Applied, Event, MigrateError, Options};
use seadrift::services::{self, Service};

/// The only migration of every shipped service.
pub(crate) const CREATE: &str = "m20260801_000001_create_processed_integration_events";

pub(crate) const LEDGER: &str = "ProcessedIntegrationEvents";

pub(crate) fn service(name: &str) -> Service {
    services::shipped()
        .into_iter()
        .find(|service| service.name() == name)
        .unwrap()
}

pub(crate) fn parse(url: &str) -> DatabaseUrl {
    DatabaseUrl::parse(url).unwrap()
}

/// Runs `up` where nothing may have to be compared.
pub(crate) async fn up(service: &Service, url: &DatabaseUrl) -> Result<Applied, MigrateError> {
    let never = async |_: migrate::Existing<'_>| panic!("there is nothing to compare");
    migrate::up(service, url, &Options::default(), never, &mut |_| ()).await
}

/// Runs `up`, answering the question about existing tables with `answer`.
pub(crate) async fn up_over(service: &Service, url: &DatabaseUrl, answer: Adoption) -> Result<Applied, MigrateError> {
    let mut asked = 0;
    let compare = async |existing: migrate::Existing<'_>| {
        asked += 1;
        assert_eq!(existing.tables, [LEDGER]);
        // The comparison reads the database through a session of its own while the run holds the lock.
        let status = migrate::status(service, url, &Options::default()).await.unwrap();
        assert_eq!(status.unmanaged.len(), 1);
        answer
    };
    let result = migrate::up(service, url, &Options::default(), compare, &mut |_| ()).await;
    assert_eq!(asked, 1);
    result
}

pub(crate) async fn down(service: &Service, url: &DatabaseUrl) -> Result<Vec<String>, MigrateError> {
    migrate::down(service, url, &Options::default(), None, &mut |_| ()).await
}

/// The names of the migrations that `status` calls applied.
pub(crate) async fn applied(service: &Service, url: &DatabaseUrl) -> Vec<String> {
    let status = migrate::status(service, url, &Options::default()).await.unwrap();
    let applied = |m: &migrate::MigrationState| matches!(m.state, migrate::State::Applied(Some(_)));
    status.migrations.into_iter().filter(applied).map(|m| m.name).collect()
}

/// Runs `up` from two threads at the same moment, as two pipelines would, and returns what they did.
pub(crate) fn race(service: &Service, url: &DatabaseUrl) -> Vec<Result<Applied, MigrateError>> {
    let start = Barrier::new(2);
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        start.wait();
        runtime.block_on(up(service, url))
    };
    std::thread::scope(|scope| {
        let runs = [scope.spawn(run), scope.spawn(run)];
        runs.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Asserts that both runs of a race succeeded, and that one of them did all the work.
pub(crate) fn assert_one_did_it(service: &Service, results: Vec<Result<Applied, MigrateError>>) {
    let mut applied: Vec<Vec<String>> = results.into_iter().map(|result| result.unwrap().applied).collect();
    applied.sort();
    assert_eq!(applied, [Vec::new(), service.migrations().names()]);
}

/// Runs `up`, and drops it in the middle of its first migration, without a goodbye to the database.
pub(crate) async fn cut_off(service: &Service, url: &DatabaseUrl) {
    let events = Events::default();
    let never = async |_: migrate::Existing<'_>| panic!("there is nothing to compare");
    let options = Options::default();
    let mut progress = |event| events.push(event);
    let run = migrate::up(service, url, &options, never, &mut progress);
    let middle = async {
        while events.take().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    tokio::select! {
        ended = run => panic!("{ended:?} before it was cut off"),
        () = middle => {}
    }
}

/// A progress callback that keeps the events.
#[derive(Default)]
pub(crate) struct Events(Mutex<Vec<Event>>);

impl Events {
    pub(crate) fn push(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }

    pub(crate) fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Two migrations, the first of which takes long enough for a second run to collide with it.
pub(crate) fn slow_service() -> Service {
    Service::new::<SlowMigrator>("slow")
}

struct SlowMigrator;

impl MigratorTrait for SlowMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Slow), Box::new(Second)]
    }

    fn migration_table_name() -> DynIden {
        "seaql_migrations_slow".into_iden()
    }
}

/// Makes one table, and then fails.
pub(crate) fn failing_service() -> Service {
    Service::new::<FailingMigrator>("failing")
}

struct FailingMigrator;

impl MigratorTrait for FailingMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Second), Box::new(Failing)]
    }

    fn migration_table_name() -> DynIden {
        "seaql_migrations_failing".into_iden()
    }
}

async fn create_table(manager: &SchemaManager<'_>, name: &'static str) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table(name)
                .col(ColumnDef::new("id").integer())
                .to_owned(),
        )
        .await
}

struct Slow;

impl MigrationName for Slow {
    fn name(&self) -> &str {
        "m1_slow"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Slow {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        tokio::time::sleep(Duration::from_millis(200)).await;
        create_table(manager, "slow").await
    }
}

struct Second;

impl MigrationName for Second {
    fn name(&self) -> &str {
        "m2_second"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Second {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_table(manager, "second").await
    }
}

struct Failing;

impl MigrationName for Failing {
    fn name(&self) -> &str {
        "m3_failing"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Failing {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_table(manager, "third").await?;
        create_table(manager, "second").await
    }
}

/// A driver that can create databases for tests.
pub(crate) trait Server: sqlx::Database + sized::Sealed {
    const VARIABLE: &'static str;
    const QUOTE: char;
}

mod sized {
    pub(crate) trait Sealed {}
    impl Sealed for sea_orm::sqlx::Postgres {}
    impl Sealed for sea_orm::sqlx::MySql {}
}

impl Server for sqlx::Postgres {
    const VARIABLE: &'static str = "SEADRIFT_TEST_POSTGRES_URL";
    const QUOTE: char = '"';
}

impl Server for sqlx::MySql {
    const VARIABLE: &'static str = "SEADRIFT_TEST_MARIADB_URL";
    const QUOTE: char = '`';
}

/// A database of its own for one test.
pub(crate) struct LiveDatabase {
    pub(crate) name: String,
    pub(crate) url: DatabaseUrl,
    pub(crate) server_url: String,
}

/// Runs a test in a database of its own, or says that it is skipped.
pub(crate) fn with_database<S>(test: impl AsyncFnOnce(&LiveDatabase))
where
    S: Server,
    for<'c> &'c mut S::Connection: sqlx::Executor<'c, Database = S>,
{
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let Ok(server_url) = std::env::var(S::VARIABLE) else {
        let required = std::env::var("SEADRIFT_REQUIRE_LIVE").is_ok_and(|value| value == "1");
        assert!(
            !required,
            "{} is not set, and SEADRIFT_REQUIRE_LIVE=1 asks for it",
            S::VARIABLE
        );
        // The test runner swallows what `eprintln!` prints in a test that passes.
        let notice = format!("SKIPPED: {} is not set\n", S::VARIABLE);
        std::io::stderr().write_all(notice.as_bytes()).unwrap();
        return;
    };
    let name = format!(
        "SeadriftTest_{}_{}",
        std::process::id(),
        COUNTER.fetch_add(1, Ordering::Relaxed)
    );
    let mut parts = url::Url::parse(&server_url).unwrap();
    parts.set_path(&name);
    let database = LiveDatabase {
        url: parse(parts.as_str()),
        server_url,
        name,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let quoted = format!("{0}{1}{0}", S::QUOTE, database.name);
        execute::<S>(&database.server_url, &format!("CREATE DATABASE {quoted}")).await;
        test(&database).await;
        execute::<S>(&database.server_url, &format!("DROP DATABASE {quoted}")).await;
    });
}

/// Executes SQL in a session of its own.
pub(crate) async fn execute<S>(url: &str, sql: &str)
where
    S: Server,
    for<'c> &'c mut S::Connection: sqlx::Executor<'c, Database = S>,
{
    let mut session = S::Connection::connect(url).await.unwrap();
    (&mut session).execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
    session.close().await.unwrap();
}

/// Reads a text column of every row of a query.
pub(crate) async fn texts(url: &DatabaseUrl, sql: &str) -> Vec<String> {
    let db = connect(url).await;
    let statement = sea_orm::Statement::from_string(db.get_database_backend(), sql);
    let rows = db.query_all_raw(statement).await.unwrap();
    let texts = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    db.close().await.unwrap();
    texts
}

pub(crate) async fn connect(url: &DatabaseUrl) -> sea_orm::DatabaseConnection {
    sea_orm::Database::connect(url.expose()).await.unwrap()
}
