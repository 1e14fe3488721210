//! Triggers, and what keeps them from doing their work: what they name and is not there, and accounts that they run as
//! which are gone or may not do it.

use serde::Deserialize;

use super::grants::{PrivilegeRow, Privileges, account_matches, question};
use super::lookalike::is_system;
use super::mode::in_default_mode;
use super::rows::{Name, Rows, TriggerRow};
use super::session::{Session, text};
use super::table::Surroundings;
use crate::catalog::acts::{self, Act, Verb};
use crate::dialect::Dialect;
use crate::schema::{Timing, Trigger, TriggerFailure};

/// What stands around triggers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Around {
    /// Tables of other databases that they name.
    targets: Vec<Name>,
    /// Procedures of the names that they call.
    procedures: Vec<Name>,
    /// What the accounts may do that they run as.
    privileges: Vec<PrivilegeRow>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Row {
    Target(Name),
    Procedure(Name),
    Privilege(PrivilegeRow),
}

/// Asks for what stands around the triggers; nothing where that failed. Nothing is asked where there are none.
pub(super) async fn read(session: &mut Session, rows: &Rows, namespace: &str, accounts: bool) -> Option<Around> {
    let acts: Vec<Act> = rows.triggers.iter().flat_map(acts_of).collect();
    let of = |call: bool| acts.iter().filter(move |act| (act.verb == Verb::Call) == call);
    let own = |act: &Act| act.name.last().cloned().unwrap_or_default();
    let (tables, calls): (Vec<String>, Vec<String>) = (of(false).map(own).collect(), of(true).map(own).collect());
    let schemas: Vec<&str> = acts.iter().filter_map(|act| database(act)).chain([namespace]).collect();
    let lists = [
        ("{schemas}", list(schemas)),
        ("{tables}", list(tables.iter().map(String::as_str).collect())),
        ("{calls}", list(calls.iter().map(String::as_str).collect())),
    ];
    let mut sql = include_str!("queries/trigger_surroundings.sql").to_owned();
    let mut values: Vec<&str> = Vec::new();
    for (place, names) in &lists {
        sql = sql.replace(place, &vec!["?"; names.len()].join(", "));
        values.extend(names);
    }
    let definers = rows.triggers.iter().filter_map(|row| row.definer.as_deref());
    let privileges = question(definers).filter(|_| accounts);
    if let Some((further, users)) = &privileges {
        sql = format!("{sql}UNION ALL\n{further}");
        values.extend(users.iter().map(String::as_str));
    }
    let mut around = Around::default();
    for row in session.read(sql, &values).await.ok()? {
        let (kind, fact) = (text(&row, "kind").ok()?, text(&row, "fact").ok()?);
        let mut fact: serde_json::Value = serde_json::from_str(&fact).ok()?;
        fact.as_object_mut()?.insert("kind".to_owned(), kind.into());
        match serde_json::from_value(fact).ok()? {
            Row::Target(name) => around.targets.push(name),
            Row::Procedure(name) => around.procedures.push(name),
            Row::Privilege(row) => around.privileges.push(row),
        }
    }
    Some(around)
}

/// Puts names in order; an empty list is no SQL, and nothing has an empty name.
fn list(mut names: Vec<&str>) -> Vec<&str> {
    names.push("");
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns what a trigger does by name.
fn acts_of(row: &TriggerRow) -> Vec<Act> {
    acts::read(&body(row).unwrap_or_default(), Dialect::MariaDb)
}

fn body(row: &TriggerRow) -> Option<String> {
    Some(in_default_mode(row.body.as_deref()?, &row.mode))
}

/// Returns the database that a name is in, where it says so.
fn database(act: &Act) -> Option<&str> {
    match &act.name[..] {
        [database, _] => Some(database),
        _ => None,
    }
}

/// Makes the triggers of a table.
pub(super) fn triggers(table: &str, rows: &Rows, around: &Surroundings<'_>) -> Vec<Trigger> {
    let mine = rows.triggers.iter().filter(|t| t.table == table);
    mine.map(|row| Trigger {
        name: row.name.clone(),
        partition: None,
        timing: if row.timing == "BEFORE" {
            Timing::Before
        } else {
            Timing::After
        },
        events: row.event.split(',').map(|event| event.trim().to_owned()).collect(),
        per_row: true,
        enabled: true,
        condition: None,
        body: body(row),
        function: None,
        failure: Judge { rows, around, row }.failure(),
    })
    .collect()
}

struct Judge<'a> {
    rows: &'a Rows,
    around: &'a Surroundings<'a>,
    row: &'a TriggerRow,
}

/// Whether something is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    There,
    Missing,
    Unseen,
}

impl Judge<'_> {
    /// Returns what keeps the trigger from its work: what is certain before what is not, and that before what is not seen.
    fn failure(&self) -> Option<TriggerFailure> {
        let acts = acts_of(self.row);
        let mut found: Vec<TriggerFailure> = self.of_account(&acts).into_iter().collect();
        found.extend(acts.iter().filter_map(|act| self.of_act(act)));
        found.into_iter().min_by_key(|failure| match failure {
            TriggerFailure::Always(_) => 0,
            TriggerFailure::Sometimes(_) => 1,
            TriggerFailure::Unseen(_) => 2,
        })
    }

    /// Looks for what an act names.
    fn of_act(&self, act: &Act) -> Option<TriggerFailure> {
        let (said, name) = (act.verb.said(), act.dotted());
        match self.presence(act) {
            Presence::There => None,
            Presence::Missing => Some(failure(act, format!("{said} `{name}`, which does not exist"))),
            Presence::Unseen => Some(TriggerFailure::Unseen(format!(
                "The server does not show this user whether `{name}` exists, on which the trigger works."
            ))),
        }
    }

    fn presence(&self, act: &Act) -> Presence {
        let Some(name) = act.name.last().filter(|_| act.name.len() < 3) else {
            return Presence::There;
        };
        let space = database(act).unwrap_or(self.around.namespace);
        if is_system(space) {
            return Presence::There;
        }
        let around = self.rows.around.as_ref();
        let (listed, sees_all) = if act.verb == Verb::Call {
            let listed = around.map(|around| has(&around.procedures, Some(space), name, true));
            (listed, self.around.privileges.sees_routines(self.around.mariadb))
        } else if self.same(space, self.around.namespace) {
            (
                Some(has(&self.rows.own, None, name, self.folds())),
                self.sees(space, name),
            )
        } else {
            let listed = around.map(|around| has(&around.targets, Some(space), name, self.folds()));
            (listed, self.sees(space, name))
        };
        match listed {
            Some(true) => Presence::There,
            Some(false) if sees_all => Presence::Missing,
            _ => Presence::Unseen,
        }
    }

    fn sees(&self, space: &str, name: &str) -> bool {
        let around = self.around;
        around.privileges.sight(around.mariadb, space, name, self.folds()).table
    }

    fn folds(&self) -> bool {
        self.around.session.lower_case_table_names != 0
    }

    fn same(&self, a: &str, b: &str) -> bool {
        a == b || (self.folds() && a.to_lowercase() == b.to_lowercase())
    }

    /// Looks at the account that the trigger runs as, and at what it may do.
    fn of_account(&self, acts: &[Act]) -> Option<TriggerFailure> {
        let account = self.row.definer.as_deref()?;
        if !self.around.privileges.sees_accounts() {
            let own = account == self.around.session.user;
            return (!own).then(|| {
                TriggerFailure::Unseen(format!(
                    "This user cannot see whether the trigger's DEFINER `{account}` exists and may do what the trigger does."
                ))
            });
        }
        match self.row.definer_known? {
            0 => {
                return Some(TriggerFailure::Always(format!(
                    "its DEFINER `{account}` does not exist"
                )));
            }
            _ if !self.around.mariadb => return None,
            _ => {}
        }
        let rows = &self.rows.around.as_ref()?.privileges;
        let mine = rows.iter().filter(|row| account_matches(&row.grantee, account));
        let privileges = Privileges::of_rows(mine);
        let may = |privilege: &str, space: &str, name: &str| privileges.may(privilege, space, name, self.folds());
        if !may("TRIGGER", self.around.namespace, &self.row.table) {
            let why = format!("its DEFINER `{account}` has no TRIGGER privilege on the table");
            return Some(TriggerFailure::Always(why));
        }
        let forbidden = acts.iter().filter(|act| act.verb != Verb::Call).filter(|act| {
            let space = database(act).unwrap_or(self.around.namespace);
            let name = act.name.last().map_or("", String::as_str);
            !is_system(space) && !may(act.verb.privilege(), space, name)
        });
        let worst = forbidden.min_by_key(|act| !act.certain)?;
        let (said, name) = (worst.verb.said(), worst.dotted());
        Some(failure(
            worst,
            format!("{said} `{name}`, which its DEFINER `{account}` may not"),
        ))
    }
}

fn failure(act: &Act, why: String) -> TriggerFailure {
    if act.certain {
        TriggerFailure::Always(why)
    } else {
        TriggerFailure::Sometimes(why)
    }
}

fn has(names: &[Name], space: Option<&str>, name: &str, folds: bool) -> bool {
    let same = |a: &str, b: &str| a == b || (folds && a.to_lowercase() == b.to_lowercase());
    names.iter().any(|found| {
        let here = space.is_none_or(|space| found.namespace.as_deref().is_some_and(|found| same(found, space)));
        here && same(&found.name, name)
    })
}
