//! URLs of any kind, and mistakes in them.

use proptest::prelude::*;

use super::*;

fn shown(text: &str) -> String {
    DatabaseUrl::parse(text).unwrap().to_string()
}

fn refused(text: &str) -> UrlError {
    match DatabaseUrl::parse(text) {
        Ok(url) => panic!("{text} was taken as {url}"),
        Err(error) => error,
    }
}

#[test]
fn a_url_shows_everything_but_its_password() {
    for (text, display) in [
        ("postgres://app:pw1@db:5432/ledger", "postgres://app@db:5432/ledger"),
        (
            "postgresql://app:pw1@db/ledger?sslmode=require",
            "postgresql://app@db/ledger",
        ),
        ("mariadb://app:p%40ss@db:3306/ledger", "mariadb://app@db:3306/ledger"),
        (
            "postgres://db/ledger?user=app&password=pw1&port=6432",
            "postgres://app@db:6432/ledger",
        ),
        (
            "postgres://app:pw1@[::1]:5432/ledger",
            "postgres://app@[::1]:5432/ledger",
        ),
        (
            "postgres:///ledger?host=/run/postgresql",
            "postgres:///run/postgresql/ledger",
        ),
        ("postgres://app@%2Frun%2Fpg/ledger", "postgres://app@%2Frun%2Fpg/ledger"),
        ("MySQL://db/ledger", "mysql://db/ledger"),
        ("sqlite:ledger.db", "sqlite:ledger.db"),
        ("sqlite://data/ledger.db?mode=ro", "sqlite:data/ledger.db"),
        ("sqlite:///var/lib/ledger.db", "sqlite:/var/lib/ledger.db"),
        ("sqlite:my ledger.db", "sqlite:my ledger.db"),
    ] {
        assert_eq!(shown(text), display, "{text}");
        assert_eq!(
            format!("{:?}", DatabaseUrl::parse(text).unwrap()),
            format!("DatabaseUrl({display})")
        );
    }
}

#[test]
fn one_server_has_one_name() {
    for (text, server) in [
        ("postgres://app:pw1@DB/ledger", "db:5432"),
        ("postgres://other@db:5432/events?application_name=x", "db:5432"),
        ("postgres://db:6432/ledger", "db:6432"),
        ("postgres:///ledger?host=/run/postgresql", "/run/postgresql:5432"),
        ("mysql://db/ledger", "db:3306"),
        ("mysql://localhost/ledger?socket=/run/mysqld.sock", "/run/mysqld.sock"),
        ("sqlite://data/ledger.db?mode=ro", "data/ledger.db"),
    ] {
        assert_eq!(DatabaseUrl::parse(text).unwrap().server(), server, "{text}");
    }
}

#[test]
fn drivers_get_their_own_scheme_and_a_host() {
    for (text, driver) in [
        (
            "mariadb://app:x@db/ledger",
            "mysql://app:x@db/ledger?ssl-mode=verify_identity",
        ),
        ("postgresql://db/ledger", "postgres://db/ledger?sslmode=verify-full"),
        (
            "postgres://app@/ledger?host=/run/postgresql",
            "postgres://app@localhost/ledger?host=/run/postgresql",
        ),
        (
            "mysql://app:x@/ledger?socket=/run/mysqld.sock",
            "mysql://app:x@localhost/ledger?socket=/run/mysqld.sock",
        ),
        ("SQLITE:ledger.db", "sqlite:ledger.db"),
        (" sqlite:ledger.db\n", "sqlite:ledger.db"),
    ] {
        let url = DatabaseUrl::parse(text).unwrap();
        assert_eq!(url.expose(), driver, "{text}");
    }
}

#[test]
fn a_password_and_a_database_are_put_into_a_url_that_lacks_them() {
    for (text, with) in [
        ("postgres://app@localhost/a", "postgres://app:p%40w@localhost/b"),
        (
            "postgres://localhost:1/a?user=u",
            "postgres://:p%40w@localhost:1/b?user=u",
        ),
        (
            "postgres:///a?host=/run/pg&user=u",
            "postgres://:p%40w@/b?host=/run/pg&user=u",
        ),
        ("mysql://app:old@localhost/a", "mysql://app:p%40w@localhost/b"),
        (
            "mysql://app@/a?socket=/run/x",
            "mysql://app:p%40w@localhost/b?socket=/run/x",
        ),
    ] {
        let url = DatabaseUrl::parse(text).unwrap().with_password("p@w");
        let url = url.with_database("b").unwrap();
        assert_eq!(url.expose(), with);
        assert!(
            url.to_string().ends_with("/b") && !url.to_string().contains("p@w"),
            "{url}"
        );
        assert!(url.secrets().contains(&"p@w") && url.has_password());
    }
    assert!(DatabaseUrl::parse("sqlite:a").unwrap().with_database("b").is_err());
}

#[test]
fn the_driver_reads_what_was_meant() {
    use sqlx::postgres::PgConnectOptions;
    for (text, host, database) in [
        ("postgres://app:x@db:5432/ledger", "db", "ledger"),
        ("postgres://app@db/ledger%2Fold", "db", "ledger/old"),
        ("postgres://app:p%40ss%2Fw%23rd@db/ledger", "db", "ledger"),
    ] {
        let url = DatabaseUrl::parse(text).unwrap();
        let options: PgConnectOptions = url.expose().parse().unwrap();
        assert_eq!(options.get_host(), host, "{text}");
        assert_eq!(options.get_database(), Some(database), "{text}");
    }
    for text in [
        "postgres:///ledger?host=/run/postgresql",
        "postgres://app@/ledger?host=/run/postgresql",
        "postgres://%2Frun%2Fpostgresql/ledger",
    ] {
        let url = DatabaseUrl::parse(text).unwrap();
        let options: PgConnectOptions = url.expose().parse().unwrap();
        let socket = options.get_socket().unwrap();
        assert!(socket.starts_with("/run/postgresql"), "{text}: {socket:?}");
    }
}

#[test]
fn raw_separators_in_a_password_are_refused_with_the_way_to_write_them() {
    for text in [
        "postgres://app:p@ss/w#rd@db/ledger",
        "postgres://app:p/w@db/ledger",
        "postgres://app:p#w@db/ledger",
        "postgres://app:p?w@db/ledger",
        "postgres://app:p@w@db/ledger",
        "postgres://app:100%@db/ledger",
        "postgres://app:%zz@db/ledger",
        "mysql://app:p#w@rd@db/ledger",
    ] {
        let error = refused(text);
        assert!(error.help.contains("percent-encode the password"), "{text}: {error:?}");
    }
}

#[test]
fn each_mistake_has_its_own_message() {
    for (text, reason) in [
        ("", "empty"),
        ("ledger.db", "no scheme"),
        ("Host=db;Username=app;Password=S3cr3t-canary", "connection string"),
        ("Server=tcp:db;Password=S3cr3t-canary", "connection string"),
        ("jdbc:postgresql://db/ledger", "JDBC"),
        ("\"postgres://db/ledger\"", "in quotes"),
        ("oracle://db/ledger", "scheme is not supported"),
        ("postgres:db/ledger", "lacks `//`"),
        ("postgres://app:x@db:port/ledger", "port"),
        ("postgres://app:x@db:0/ledger", "port"),
        ("postgres://app:x@db:70000/ledger", "port"),
        ("postgres://app:x@db:/ledger", "port"),
        ("postgres://app:S3cr3t-canary", "port"),
        ("postgres:///ledger", "no host"),
        ("mysql://app:x@/ledger", "no host"),
        ("postgres://app:x@db", "no database"),
        ("mysql://app:x@db/", "no database"),
        ("postgres://db/ledger/public", "more than a database"),
        ("postgres://a:1,b:2/ledger", "several hosts"),
        ("postgres://db/ledger#1", "`#`"),
        ("postgres://app:x@[::g]/ledger", "IPv6"),
        ("postgres://app:pass word@db/ledger", "blank"),
        ("mysql://%2Frun%2Fmysqld.sock/ledger", "host is a path"),
        ("sqlite:", "no file"),
        ("sqlite://app:S3cr3t-canary@db/ledger", "no user"),
        ("postgres://app:%ff@db/ledger", "UTF-8"),
    ] {
        let error = refused(text);
        assert!(error.reason.contains(reason), "{text}: {error:?}");
        assert!(!format!("{error:?}").contains("S3cr3t"), "{error:?}");
        assert!(!error.help.is_empty());
    }
}

#[test]
fn a_password_that_equals_the_user_is_not_masked_away() {
    let url = DatabaseUrl::parse("postgres://postgres:postgres@db/ledger").unwrap();
    assert_eq!(url.secrets(), Vec::<&str>::new());
}

#[test]
fn a_password_among_the_parameters_is_a_secret_too() {
    let url = DatabaseUrl::parse("postgres://db/ledger?password=S3cr3t%2Fcanary").unwrap();
    for form in ["S3cr3t%2Fcanary", "S3cr3t/canary"] {
        assert!(url.secrets().contains(&form), "{:?}", url.secrets());
    }
}

proptest! {
    #[test]
    fn an_encoded_password_is_never_shown(password in "[A-Z]{6}[ -~äß]{2,20}", scheme in "postgres|mysql|mariadb") {
        let encoded = utf8_percent_encode(&password, NON_ALPHANUMERIC).to_string();
        let url = DatabaseUrl::parse(&format!("{scheme}://user:{encoded}@host:5432/db")).unwrap();
        for text in [url.to_string(), format!("{url:?}")] {
            prop_assert!(!text.contains(&password) && !text.contains(&encoded), "{}", text);
        }
        prop_assert!(url.secrets().contains(&password.as_str()));
        prop_assert!(url.secrets().contains(&encoded.as_str()));
        prop_assert!(url.expose().contains(&encoded));
    }

    #[test]
    fn a_raw_password_is_never_shown_nor_repeated_in_an_error(
        password in "[A-Z]{6}[ -~]{2,20}",
        scheme in "postgres|mysql|mariadb|sqlite|postgress",
        tail in "@host/db|@host:5432/db\\?sslmod=x|@host|@/db",
    ) {
        let shown = match DatabaseUrl::parse(&format!("{scheme}://user:{password}{tail}")) {
            Ok(url) => format!("{url}{url:?}"),
            Err(error) => format!("{error}{error:?}"),
        };
        prop_assert!(!shown.contains(&password[..6]), "{}", shown);
    }
}
