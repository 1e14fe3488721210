//! The questions, in the order in which they are asked. Their number does not depend on the number of tables.

use super::assemble::{Seen, assemble};
use super::failure;
use super::grants::Privileges;
use super::rows::Rows;
use super::session::{Identity, Session, options, text};
use crate::catalog::{Ask, Catalog, Error, ErrorKind, Further, data};
use crate::config::DatabaseUrl;

/// A statement takes 65,535 values, and the longest one here names every table eight times.
const MAX_TABLES: usize = 8_000;

/// Reads the catalog through one read-only session.
pub(in crate::catalog) async fn fetch(url: &DatabaseUrl, ask: &Ask, further: &Further<'_>) -> Result<Catalog, Error> {
    if ask.tables.len() > MAX_TABLES {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!("The spec has more than {MAX_TABLES} tables."),
            "Divide the spec into several files.",
        ));
    }
    let options = options(url)?;
    let database = options.get_database().map(str::to_owned);
    let Some(namespace) = ask.namespace.clone().or(database) else {
        return Err(Error::new(
            ErrorKind::Refused,
            "The URL names no database.",
            "Add the database to the end of the URL: mysql://user@host/database.",
        ));
    };
    let mut session = Session::open(&options, &ask.limits).await?;
    let answer = look(&mut session, ask, further, &namespace).await;
    let queries = session.queries;
    session.close().await;
    answer.map(|catalog| Catalog { queries, ..catalog })
}

async fn look(session: &mut Session, ask: &Ask, further: &Further<'_>, namespace: &str) -> Result<Catalog, Error> {
    let (identity, privileges, rows) = read(session, ask, namespace).await?;
    let jobs = match further.jobs {
        true => Some(super::job_rows::read(session, &identity, namespace, privileges.sees_accounts()).await),
        false => None,
    };
    let seen = Seen {
        ask,
        namespace,
        identity: &identity,
        privileges: &privileges,
        rows: &rows,
        jobs: jobs.as_ref(),
    };
    let mut catalog = assemble(&seen)?;
    if !further.data.is_empty() {
        catalog.data = data::read(session, &catalog, &further.data).await;
    }
    Ok(catalog)
}

async fn read(session: &mut Session, ask: &Ask, namespace: &str) -> Result<(Identity, Privileges, Rows), Error> {
    let identity = session.identify().await?;
    session.secure(&identity, &ask.limits).await?;
    let lines = session.grants().await?;
    let privileges = Privileges::parse(lines.iter().map(String::as_str));
    let question = Question::new(ask, namespace);
    let mut rows = Rows::default();
    collect(session, &question, &names(&identity), &mut rows).await?;
    if rows.session.as_ref().is_none_or(|s| s.transaction_read_only != 1) {
        return Err(failure::unsafe_session());
    }
    if rows.session.as_ref().is_none_or(|s| s.whole_answers != 1) {
        return Err(failure::cut_short());
    }
    // Stops here, before each of the following questions waits for the same lock.
    let is_closed = |t: &super::rows::TableRow| t.engine.is_none() && !t.kind.contains("VIEW");
    if let Some(closed) = rows.tables.iter().find(|t| is_closed(t)) {
        let said = closed.comment.clone().unwrap_or_default();
        let warnings = session.warnings().await?;
        return Err(complaint(&warnings).unwrap_or_else(|| failure::unreadable(0, &said)));
    }
    collect(session, &question, &facts(&identity), &mut rows).await?;
    if let Some(error) = complaint(&session.warnings().await?) {
        return Err(error);
    }
    if !rows.triggers.is_empty() {
        let accounts = privileges.sees_accounts() && identity.is_mariadb();
        rows.around = super::triggers::read(session, &rows, namespace, accounts).await;
    }
    Ok((identity, privileges, rows))
}

/// Returns the queries that tell names, the wanted tables and the session itself.
fn names(identity: &Identity) -> String {
    let session = if identity.is_mariadb() {
        include_str!("queries/session.mariadb.sql")
    } else {
        include_str!("queries/session.mysql.sql")
    };
    union(&[
        session,
        include_str!("queries/names.sql"),
        include_str!("queries/tables.sql"),
    ])
}

/// Returns the queries that tell everything about the wanted tables.
fn facts(identity: &Identity) -> String {
    let mariadb = identity.is_mariadb();
    let indexes = match identity.release {
        _ if !mariadb => include_str!("queries/indexes.mysql.sql").to_owned(),
        release => {
            let ignored = if release >= (10, 6) { "ignored" } else { "'NO'" };
            include_str!("queries/indexes.mariadb.sql").replace("{ignored}", ignored)
        }
    };
    let checks = if mariadb {
        include_str!("queries/checks.mariadb.sql")
    } else {
        include_str!("queries/checks.mysql.sql")
    };
    union(&[
        include_str!("queries/columns.sql"),
        &indexes,
        checks,
        include_str!("queries/references.sql"),
        include_str!("queries/actions.sql"),
        include_str!("queries/triggers.sql"),
        include_str!("queries/partitions.sql"),
        include_str!("queries/views.sql"),
    ])
}

/// Sends several queries as one statement: each gives a kind and a JSON object.
fn union(queries: &[&str]) -> String {
    queries.join("UNION ALL\n")
}

/// The values that every query is bound to.
struct Question<'a> {
    namespace: &'a str,
    names: Vec<&'a str>,
}

impl<'a> Question<'a> {
    fn new(ask: &'a Ask, namespace: &'a str) -> Self {
        // Names have no characters beyond the base plane, and comparing one that has is an error.
        let can_exist = |name: &&str| name.chars().all(|c| c <= '\u{ffff}');
        let mut names: Vec<&str> = ask.tables.iter().map(|t| t.name.as_str()).filter(can_exist).collect();
        // An empty list is no SQL, and no table has an empty name.
        if names.is_empty() {
            names.push("");
        }
        Self { namespace, names }
    }

    /// Puts placeholders where the query names the wanted tables, and lists the values in their order.
    fn bind(&self, template: &str) -> (String, Vec<&'a str>) {
        let list = vec!["?"; self.names.len()].join(", ");
        let mut sql = String::new();
        let mut values = Vec::new();
        for (at, piece) in template.split("{names}").enumerate() {
            if at > 0 {
                sql.push_str(&list);
                values.extend(&self.names);
            }
            values.extend(std::iter::repeat_n(self.namespace, piece.matches('?').count()));
            sql.push_str(piece);
        }
        (sql, values)
    }
}

async fn collect(session: &mut Session, question: &Question<'_>, template: &str, rows: &mut Rows) -> Result<(), Error> {
    let (sql, values) = question.bind(template);
    for row in session.read(sql, &values).await? {
        let (kind, fact) = (text(&row, "kind")?, text(&row, "fact")?);
        rows.push(&kind, &fact).map_err(|error| {
            Error::new(
                ErrorKind::Query,
                format!("The server described a {kind} in an unexpected form: {error}."),
                "Report it with the server's version.",
            )
        })?;
    }
    Ok(())
}

/// Finds the warning that says that a table's rows are missing, if there is one.
fn complaint(warnings: &[(u16, String)]) -> Option<Error> {
    warnings.iter().find_map(|(number, said)| match number {
        1205 | 1213 => Some(failure::locked()),
        1969 | 3024 => Some(failure::slow()),
        // Damaged, vanished or foreign files (manual, "Error Codes"). Below 1000 are the errors of engines, such as 145 of
        // a crashed table, and of the operating system.
        1..=999
        | 1016..=1018
        | 1030
        | 1033..=1035
        | 1146
        | 1168
        | 1194
        | 1195
        | 1286
        | 1459
        | 1707
        | 1812..=1814
        | 1932 => Some(failure::unreadable(*number, said)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{AskTable, Limits};

    #[test]
    fn placeholders_and_values_have_one_order() {
        let ask = Ask {
            namespace: None,
            tables: ["A", "B"]
                .map(|name| AskTable {
                    name: name.to_owned(),
                    indexes: Vec::new(),
                })
                .to_vec(),
            limits: Limits::default(),
        };
        let question = Question::new(&ask, "ledger");
        let (sql, values) = question.bind("x = ? AND y IN ({names}) UNION z IN ({names}) AND x = ?");
        assert_eq!(sql, "x = ? AND y IN (?, ?) UNION z IN (?, ?) AND x = ?");
        assert_eq!(values, ["ledger", "A", "B", "A", "B", "ledger"]);
    }

    #[test]
    fn every_query_is_restricted_and_bound() {
        for version in ["10.11.19-MariaDB", "10.5.2-MariaDB", "8.0.36"] {
            let identity = Identity::parse(version, "").unwrap();
            for query in facts(&identity).split("UNION ALL\n") {
                assert!(
                    query.contains("_schema = ? AND") && query.contains("IN ({names})"),
                    "{query}"
                );
                assert!(!query.contains("{ignored}"), "{query}");
            }
            assert!(
                !names(&identity).contains('"'),
                "a double quote is a name or a text, depending on the mode"
            );
        }
    }

    #[test]
    fn a_lock_is_told_from_a_broken_table() {
        let kind = |number| complaint(&[(1356, String::new()), (number, String::new())]).map(|e| e.kind);
        assert_eq!(kind(1205), Some(ErrorKind::TimedOut));
        assert_eq!(kind(1194), Some(ErrorKind::Query));
        for broken in [130, 145, 175, 1168] {
            assert_eq!(kind(broken), Some(ErrorKind::Query), "{broken}");
        }
        assert_eq!(kind(1287), None);
    }
}
