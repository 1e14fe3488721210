//! Rows to [`Catalog`]. Pure.

use std::collections::BTreeMap;

use crate::catalog::{Ask, AskTable, Catalog, Error, Found, Namespace, Rights, Server, Sighting, Unseen, near};
use crate::retention::Evidence;
use crate::schema::{Aspect, Table};

use super::failure;
use super::grants::{Privileges, Sight};
use super::jobs::{JobSight, Wanted};
use super::lookalike::{is_system, lookalikes};
use super::rows::{Rows, Session};
use super::session::Identity;
use super::table::{Surroundings, table};

/// What was read.
pub(super) struct Seen<'a> {
    pub(super) ask: &'a Ask,
    pub(super) namespace: &'a str,
    pub(super) identity: &'a Identity,
    pub(super) privileges: &'a Privileges,
    pub(super) rows: &'a Rows,
    pub(super) jobs: Option<&'a super::job_rows::JobRows>,
}

/// Puts the catalog together.
pub(super) fn assemble(seen: &Seen<'_>) -> Result<Catalog, Error> {
    let ask = seen.ask;
    let session = seen.rows.session.as_ref().ok_or_else(failure::unsafe_session)?;
    let view = View { seen, session };
    let sightings: Vec<Sighting> = ask.tables.iter().map(|wanted| view.sighting(wanted)).collect();
    let sightings = near::without_wanted(sightings);
    let unseen = sightings
        .iter()
        .filter_map(|s| match &s.found {
            Found::Object(table) => Some(view.unseen(table)),
            Found::Nothing | Found::Hidden { .. } => None,
        })
        .flatten()
        .collect();
    Ok(Catalog {
        server: view.server(),
        namespace: view.namespace(ask),
        sightings,
        unseen,
        retention: view.evidence(),
        data: BTreeMap::new(),
        queries: 0,
    })
}

/// The rows, seen by a role on a server.
struct View<'a> {
    seen: &'a Seen<'a>,
    session: &'a Session,
}

impl View<'_> {
    /// Returns whether names of databases and tables depend on letter case (`lower_case_table_names` is 0).
    fn folds(&self) -> bool {
        self.session.lower_case_table_names != 0
    }

    fn same(&self, a: &str, b: &str) -> bool {
        if self.folds() {
            a.to_lowercase() == b.to_lowercase()
        } else {
            a == b
        }
    }

    fn evidence(&self) -> Evidence {
        let Some(rows) = self.seen.jobs else {
            return Evidence::default();
        };
        let (privileges, folds) = (self.seen.privileges, self.folds());
        let others = self.seen.rows.namespaces.iter().filter(|n| !is_system(&n.name));
        let mut others = others.map(|n| n.name.as_str());
        let sight = JobSight {
            events: privileges.sees_events(self.seen.namespace, folds),
            // What hides a database from a role hides its events too.
            elsewhere: privileges.sees_all_events()
                || (privileges.sees_all_databases() && others.all(|name| privileges.sees_events(name, folds))),
            accounts: privileges.sees_accounts(),
            routines: privileges.sees_routines(self.seen.identity.is_mariadb()),
        };
        let wanted = Wanted {
            namespace: self.seen.namespace,
            tables: &self.seen.ask.tables,
            folds,
        };
        super::jobs::assemble(rows, sight, &self.session.user, wanted)
    }

    fn sight(&self, table: &str) -> Sight {
        let mariadb = self.seen.identity.is_mariadb();
        self.seen
            .privileges
            .sight(mariadb, self.seen.namespace, table, self.folds())
    }

    fn sighting(&self, wanted: &AskTable) -> Sighting {
        let rows = self.seen.rows;
        // The query compares without letter case, the server perhaps with it.
        let row = rows.tables.iter().find(|row| self.same(&row.name, &wanted.name));
        let sight = self.sight(&wanted.name);
        let found = match row {
            Some(row) => {
                let around = Surroundings {
                    namespace: self.seen.namespace,
                    session: self.session,
                    sight,
                    privileges: self.seen.privileges,
                    mariadb: self.seen.identity.is_mariadb(),
                };
                Found::Object(Box::new(table(row, &wanted.name, rows, &around)))
            }
            None if sight.table => Found::Nothing,
            None if !self.exists() && self.seen.privileges.sees_all_databases() => Found::Nothing,
            None => self.hidden(),
        };
        let same = |a: &str, b: &str| self.same(a, b);
        Sighting {
            wanted: wanted.name.clone(),
            found,
            lookalikes: lookalikes(&wanted.name, self.seen.namespace, &rows.own, &rows.elsewhere, &same),
            // Index names belong to their table here. To find a namesake, the server would have to open every
            // table of the database, and would wait for any lock on any of them.
            index_elsewhere: Vec::new(),
            shadowed_by: None,
        }
    }

    fn hidden(&self) -> Found {
        let user = &self.session.user;
        let namespace = self.seen.namespace;
        let roles = self.seen.privileges.roles();
        let help = if self.session.role.is_none() && !roles.is_empty() {
            format!(
                "The user has roles that are not active ({}): make one the user's default role, or run {}.",
                roles.join(", "),
                grant(namespace)
            )
        } else {
            format!("Run {} for this user.", grant(namespace))
        };
        Found::Hidden {
            reason: format!(
                "The user {user} has no privilege on the table, and the server shows tables only to those who have one."
            ),
            help,
        }
    }

    /// Returns whether the database exists, as far as the role can see.
    fn exists(&self) -> bool {
        let namespace = self.seen.namespace;
        self.session
            .database
            .as_deref()
            .is_some_and(|d| self.same(d, namespace))
            || self.seen.rows.namespaces.iter().any(|n| self.same(&n.name, namespace))
    }

    fn namespace(&self, ask: &Ask) -> Namespace {
        let name = self.seen.namespace;
        let rows = self.seen.rows;
        let exists = self.exists();
        let holds_wanted = rows
            .elsewhere
            .iter()
            .filter(|n| ask.tables.iter().any(|wanted| self.same(&wanted.name, &n.name)))
            .filter_map(|n| n.namespace.clone());
        let near = rows
            .namespaces
            .iter()
            .filter(|n| !exists && near::is_near(&n.name, name))
            .map(|n| n.name.clone());
        let mut alternatives: Vec<String> = holds_wanted
            .chain(near)
            .filter(|other| !self.same(other, name) && !is_system(other))
            .collect();
        alternatives.sort();
        alternatives.dedup();
        Namespace {
            name: Some(name.to_owned()),
            exists,
            visible_tables: u64::try_from(rows.own.len()).unwrap_or(u64::MAX),
            alternatives,
        }
    }

    fn server(&self) -> Server {
        let session = self.session;
        let identity = self.seen.identity;
        let limit = if identity.is_mariadb() {
            ("max_statement_time", format!("{} s", session.statement_limit))
        } else {
            ("max_execution_time", format!("{} ms", session.statement_limit))
        };
        let settings = BTreeMap::from(
            [
                ("transaction_read_only", "on".to_owned()),
                ("lock_wait_timeout", format!("{} s", session.lock_wait_timeout)),
                ("sql_mode", session.sql_mode.clone()),
                limit,
            ]
            .map(|(name, value)| (name.to_owned(), value)),
        );
        let mut remarks = Vec::new();
        if !identity.sql_mode.to_ascii_uppercase().contains("STRICT_") {
            remarks.push(
                "sql_mode is not strict: values that do not fit a column are cut or changed with a warning only, so \
                 lengths and types are kept by damaging data"
                    .to_owned(),
            );
        }
        Server {
            dialect: identity.dialect,
            version: identity.version.clone(),
            database: self.seen.namespace.to_owned(),
            role: Some(match &session.role {
                Some(role) => format!("{} ({role})", session.user),
                None => session.user.clone(),
            }),
            settings,
            // Roles without further privileges cannot see the state of replication, but this they can.
            replica: session.read_only != 0,
            remarks,
            rights: self.rights(),
        }
    }

    fn rights(&self) -> Rights {
        let folds = self.folds();
        let seen = self.seen;
        let writes = seen
            .rows
            .tables
            .iter()
            .filter(|t| seen.privileges.may_change_rows(seen.namespace, &t.name, folds))
            .map(|t| t.name.clone())
            .collect();
        Rights {
            powers: seen.privileges.powers(),
            owns: Vec::new(),
            writes,
        }
    }

    /// Explains what could not be seen of a table.
    fn unseen(&self, table: &Table) -> Vec<Unseen> {
        let namespace = self.seen.namespace;
        let user = &self.session.user;
        let entry = |aspect: &Aspect| {
            let (what, privilege) = match aspect {
                Aspect::Columns => ("columns that it has no privilege on", "REFERENCES"),
                Aspect::WritePath if table.triggers.is_empty() => ("triggers", "TRIGGER"),
                Aspect::WritePath => ("what the triggers do", "TRIGGER"),
                Aspect::Checks => ("check constraints", "REFERENCES"),
                Aspect::ForeignKeys if table.foreign_keys.is_empty() => ("foreign keys", "REFERENCES"),
                Aspect::ForeignKeys => ("what the foreign keys do", "REFERENCES"),
                Aspect::PrimaryKey => ("the whole primary key", "REFERENCES"),
                _ => ("all indexes", "REFERENCES"),
            };
            let reason = format!("The server does not show {user} {what}.");
            let help = format!("Run GRANT {privilege} ON {}.* for this user.", quote(namespace));
            Unseen::of_table(Some(namespace), &table.name, *aspect, &reason, &help)
        };
        table.unseen.iter().map(entry).collect()
    }
}

/// The least that shows everything but triggers, without showing a row.
fn grant(namespace: &str) -> String {
    format!("GRANT REFERENCES, SHOW VIEW ON {}.*", quote(namespace))
}

fn quote(name: &str) -> String {
    crate::dialect::Dialect::MariaDb.facts().quote(name)
}
