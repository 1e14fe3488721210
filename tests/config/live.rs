//! Targets of `seadrift.yaml` on live servers. The servers are those of `SEADRIFT_TEST_POSTGRES_URL` and
//! `SEADRIFT_TEST_MARIADB_URL`, see `tests/run`.

use sqlx::Connection as _;
use url::Url;

use super::Place;
use super::harness::database::{Database, Kind, Session, block_on};

const CANARY: &str = "S3cr3t-canary";

/// Writes how to reach a database's server, without database and password.
fn server(database: &Database, user: &str) -> String {
    let url = Url::parse(&database.administrator_url()).unwrap();
    let engine = if database.kind == Kind::Postgres {
        "postgres"
    } else {
        "mariadb"
    };
    format!(
        "service: ledger, engine: {engine}, host: {}, port: {}, user: {user}",
        url.host_str().unwrap(),
        url.port().unwrap()
    )
}

fn administrator(database: &Database) -> String {
    Url::parse(&database.administrator_url()).unwrap().username().to_owned()
}

#[test]
fn a_pattern_stands_for_the_databases_of_the_server_that_match() {
    for kind in [Kind::Postgres, Kind::Mariadb] {
        if !kind.is_here() {
            continue;
        }
        let (one, two) = (Database::create(kind), Database::create(kind));
        let message = match kind {
            Kind::Postgres => "CREATE TABLE \"Events\" (\"Id\" text NOT NULL PRIMARY KEY)",
            _ => "CREATE TABLE Events (Id varchar(40) NOT NULL PRIMARY KEY)",
        };
        for database in [&one, &two] {
            let made = block_on(async {
                let mut session = Session::connect(kind, &database.administrator_url()).await?;
                session.run(message).await
            });
            made.unwrap();
        }
        let user = administrator(&one);
        let pattern = format!("{}*", one.name.rsplit_once('_').unwrap().0);
        let place = Place::new(&format!(
            "version: 1
specs: spec.yaml
targets:
  'p/{{database}}': {{ {}, databases: '{pattern}' }}
  'none/{{database}}': {{ {}, databases: 'no_such_{pattern}' }}
  'listed/{{database}}': {{ {}, databases_file: names.txt }}
  'named/{{database}}': {{ {}, databases: ['{pattern}', no_such_database] }}
  'some/{{database}}': {{ {}, databases: ['{pattern}', 'no_such_{pattern}'] }}
",
            server(&one, &user),
            server(&one, &user),
            server(&one, &user),
            server(&one, &user),
            server(&one, &user)
        ));
        place.write(
            "names.txt",
            &format!("# tenants\n{}\n\n{} # the second\n", one.name, two.name),
        );
        place.write(
            "spec.yaml",
            &super::SPEC.replace("type: text", "type: { any: text, mariadb: varchar(40) }"),
        );
        for group in ["p", "listed"] {
            for database in [&one, &two] {
                place.run(&["diff", &format!("{group}/{}", database.name)]).ends(0, &[]);
            }
        }
        place
            .run(&["retention", "trim", "listed/*"])
            .ends(2, &["2 targets are chosen", &format!("listed/{}", one.name)]);
        place
            .run(&["diff", "p/no_such"])
            .ends(2, &["there is no target `p/no_such`"]);
        // What cannot be listed is a target that was not checked, and not nothing.
        place
            .run(&["diff", "none/*"])
            .ends(4, &["No database of the server matches"]);
        // A database that is named is wanted, whether it is there or not.
        place.run(&["diff", "named/*"]).ends(
            4,
            &["named/no_such_database", "There is no such database on the server"],
        );
        // A pattern that stands for nothing is not left out because another one stands for something.
        let idle = format!("No database of the server matches `no_such_{pattern}`");
        place.run(&["diff", "some/*"]).ends(4, &[&idle, "some/{database}"]);
        place.run(&["diff", &format!("some/{}", one.name)]).ends(0, &[]);
    }
}

#[test]
fn a_server_that_cannot_be_asked_for_its_databases_is_one_target_that_cannot_be_reached() {
    let place = Place::new(
        "version: 1
specs: spec.yaml
targets:
  'p/{database}': { service: ledger, engine: postgres, host: 127.0.0.1, port: 1, databases: '*' }
  clean: { service: ledger, engine: sqlite, file: clean.db }
",
    );
    place
        .run(&["diff", "p/*"])
        .ends(4, &["The databases are not all known", "p/{database}"]);
    place
        .run(&["diff", "p/tenant_1"])
        .ends(4, &["The databases are not all known"]);
    place.run(&["diff", "clean"]).ends(0, &[]);
}

#[test]
fn a_password_from_a_command_logs_in_and_a_wrong_one_is_not_repeated() {
    if !Kind::Mariadb.is_here() {
        return;
    }
    let database = Database::create(Kind::Mariadb);
    let role = database.role();
    for sql in [
        format!("CREATE USER {role} IDENTIFIED BY '{CANARY}'"),
        format!("GRANT ALL ON {}.* TO {role}", database.name),
        format!(
            "CREATE TABLE {}.Events (Id varchar(40) NOT NULL PRIMARY KEY)",
            database.name
        ),
    ] {
        database.administer(&sql).unwrap();
    }
    let config = |command: &str| {
        format!(
            "version: 1\nspecs: spec.yaml\ntargets:\n  t: {{ {}, database: {}, password: {{ command: [{command}] }} }}\n",
            server(&database, &role),
            database.name
        )
    };
    // The command counts how often it is asked: once for each connection.
    let place = Place::new(&config("sh, -c, 'echo asked >> asked; cat secret'"));
    place.write(
        "spec.yaml",
        &super::SPEC.replace("type: text", "type: { any: text, mariadb: varchar(40) }"),
    );
    place.write("secret", &format!("{CANARY}\n"));
    let run = |extra: &[&str]| {
        let mut command = place.command(&[&["diff", "t"], extra].concat());
        super::Run::of(command.env("PATH", "/usr/bin:/bin"))
    };
    run(&[]).ends(0, &[]);
    run(&[]).ends(0, &[]);
    let asked = std::fs::read_to_string(place.path("asked")).unwrap();
    assert_eq!(asked.lines().count(), 2);
    place.write("secret", &format!("{CANARY}-expired\n"));
    run(&[]).ends(4, &["password is wrong or missing"]);
    std::fs::remove_file(place.path("secret")).unwrap();
    run(&[]).ends(4, &["The command `sh` ended with code 1"]);
}

#[test]
fn a_statement_with_values_is_one_statement() {
    if !Kind::Mariadb.is_here() {
        return;
    }
    let database = Database::create(Kind::Mariadb);
    let refused = block_on(async {
        let mut session = sqlx::MySqlConnection::connect(&database.url()).await.unwrap();
        let stacked = "SELECT 1; CREATE TABLE stacked (a int)";
        let prepared = sqlx::query(stacked).fetch_all(&mut session).await;
        let file = sqlx::raw_sql("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE x")
            .execute(&mut session)
            .await;
        (prepared.is_err(), file.is_err())
    });
    assert_eq!(refused, (true, true), "a second statement, a file of the client");
    assert_eq!(
        database.read("SELECT CAST(count(*) AS char) FROM information_schema.tables WHERE table_schema = DATABASE()"),
        "0"
    );
}
