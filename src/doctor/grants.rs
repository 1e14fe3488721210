//! The script that makes a role with no more rights than a check needs.

use crate::dialect::Dialect;
use crate::text::is_deceptive;

/// What the script is for.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The database's dialect.
    pub dialect: Dialect,
    /// Its name; of a file, the path.
    pub database: &'a str,
    /// The namespace of the tables; on MySQL the database.
    pub namespace: &'a str,
    /// Whether `pg_cron` keeps its jobs here.
    pub has_cron: bool,
    /// The table in which runners outside leave their record, if it is there.
    pub heartbeats: Option<&'a str>,
}

/// Writes the script; nothing where a name has a character that does not show, which nobody should run unseen.
pub fn grants(ground: &Ground<'_>, role: &str) -> Option<String> {
    if [ground.database, ground.namespace, role]
        .iter()
        .any(|name| name.chars().any(is_deceptive))
    {
        return None;
    }
    Some(match ground.dialect {
        Dialect::Postgres => postgres(ground, role),
        Dialect::MySql | Dialect::MariaDb => mysql(ground, role),
        Dialect::Sqlite => sqlite(ground),
    })
}

fn postgres(ground: &Ground<'_>, role: &str) -> String {
    let quote = |name: &str| ground.dialect.facts().quote(name);
    let (role, database, namespace) = (quote(role), quote(ground.database), quote(ground.namespace));
    let mut script = format!(
        "-- The least that `seadrift check` needs on PostgreSQL. Run it in this database as an administrator, then give the
-- role a password: psql's \\password asks for one.
-- Where the role is there already, leave this line out.
CREATE ROLE {role} LOGIN NOINHERIT CONNECTION LIMIT 5;
GRANT CONNECT ON DATABASE {database} TO {role};
-- Belt and braces: a check sets these for itself.
ALTER ROLE {role} SET default_transaction_read_only = on;
ALTER ROLE {role} SET statement_timeout = '30s';
ALTER ROLE {role} SET lock_timeout = '2s';
ALTER ROLE {role} SET idle_in_transaction_session_timeout = '30s';
"
    );
    if ground.has_cron {
        script.push_str(&format!(
            "-- The jobs of pg_cron, for retention. Row security shows each role its own ones only.
GRANT USAGE ON SCHEMA cron TO {role};
GRANT SELECT ON cron.job, cron.job_run_details TO {role};
ALTER ROLE {role} BYPASSRLS;
"
        ));
    }
    if let Some(table) = ground.heartbeats {
        script.push_str(&format!(
            "-- The record of runners outside the database, for retention.
GRANT USAGE ON SCHEMA {namespace} TO {role};
GRANT SELECT ON {namespace}.{} TO {role};
",
            quote(table)
        ));
    }
    script.push_str(&format!(
        "-- Only for `--data`, which asks rows for their age and number, and only the tables of the spec:
-- GRANT USAGE ON SCHEMA {namespace} TO {role};
-- GRANT SELECT ON {namespace}.… TO {role};
"
    ));
    script
}

fn mysql(ground: &Ground<'_>, role: &str) -> String {
    let quote = |name: &str| ground.dialect.facts().quote(name);
    let account = format!("{}@`%`", quote(role));
    // Where a database is granted, `_` and `%` stand for other letters.
    let pattern = quote(&ground.namespace.replace('_', "\\_").replace('%', "\\%"));
    let mut script = format!(
        "-- The least that `seadrift check` needs on {}. Run it as an administrator. The account is locked at first:
-- ALTER USER {account} IDENTIFIED BY '…' ACCOUNT UNLOCK;
CREATE USER {account} ACCOUNT LOCK;
-- Tables, columns, keys, indexes and checks, and no row of them.
GRANT REFERENCES, SHOW VIEW ON {pattern}.* TO {account};
-- What happens to an insert, and the events that remove rows, of whatever database. Both rights also let the account
-- make triggers and events; without them a check lists what it could not see.
GRANT TRIGGER ON {pattern}.* TO {account};
GRANT EVENT ON *.* TO {account};
",
        ground.dialect.title()
    );
    if let Some(table) = ground.heartbeats {
        script.push_str(&format!(
            "-- The record of runners outside the database, for retention.
GRANT SELECT ON {}.{} TO {account};
",
            quote(ground.namespace),
            quote(table)
        ));
    }
    let routines = match ground.dialect {
        Dialect::MariaDb => "GRANT SELECT ON mysql.proc",
        _ => "GRANT SHOW_ROUTINE ON *.*",
    };
    script.push_str(&format!(
        "-- Only where events call procedures:
-- {routines} TO {account};
-- Only for `--data`, which asks rows for their age and number, and only the tables of the spec:
-- GRANT SELECT ON {}.… TO {account};
",
        quote(ground.namespace)
    ));
    script
}

fn sqlite(ground: &Ground<'_>) -> String {
    let file = format!("'{}'", ground.database.replace('\'', "'\\''"));
    format!(
        "# SQLite has no roles: who may read the file may check it, and a check opens it for nothing else. Run this as the
# file's owner, with the checking user in the file's group; that user must be able to enter the directories above.
chmod g+r -- {file}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(dialect: Dialect) -> Ground<'static> {
        Ground {
            dialect,
            database: "a_b",
            namespace: "a_b",
            has_cron: false,
            heartbeats: None,
        }
    }

    #[test]
    fn a_script_grants_nothing_that_changes_a_row() {
        for dialect in Dialect::ALL {
            let ground = Ground {
                has_cron: true,
                heartbeats: Some("ledger_retention"),
                ..ground(dialect)
            };
            let script = grants(&ground, "reader").unwrap();
            for word in ["INSERT", "UPDATE", "DELETE", "DROP", "ALL", "SUPERUSER", "CREATEROLE"] {
                assert!(
                    !script.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == word),
                    "{word}: {script}"
                );
            }
        }
    }

    #[test]
    fn names_are_quoted_and_stand_for_no_other_database() {
        let script = grants(&ground(Dialect::MariaDb), "x`; DROP").unwrap();
        assert!(
            script.contains("GRANT TRIGGER ON `a\\_b`.* TO `x``; DROP`@`%`;"),
            "{script}"
        );
        let script = grants(&ground(Dialect::Postgres), "x\"; DROP").unwrap();
        assert!(script.contains("DATABASE \"a_b\" TO \"x\"\"; DROP\";"), "{script}");
        let file = Ground {
            database: "it's.db",
            ..ground(Dialect::Sqlite)
        };
        assert!(grants(&file, "").unwrap().ends_with("chmod g+r -- 'it'\\''s.db'\n"));
    }

    #[test]
    fn a_name_that_does_not_show_makes_no_script() {
        assert_eq!(grants(&ground(Dialect::Postgres), "a\u{202e}b"), None);
        assert_eq!(grants(&ground(Dialect::Postgres), "a\nb"), None);
    }
}
