//! What one job does to one table: its removals of that table, and what of it is not understood.

use std::borrow::Cow;
use std::time::Duration;

use super::maintenance::Call;
use super::model::{
    Caller, Evidence, Fate, Job, Record, Runs, Schedule, Scheduler, Span, Stop, StopKind, TableGrant, TableTrigger,
    Task,
};
use super::statement::{self, Age, Maintained, Means, Reading, Removal, Rows, Setting, Store, TableName, Unread};
use crate::catalog::{Likeness, Sighting, TableData};
use crate::dialect::Dialect;
use crate::dialect::sqlite::Affinity;
use crate::schema::{DataType, NativeType, Table, Trigger};
use crate::spec::{RetentionSpec, TableSpec};

/// One table and everything that is known around it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) desired: &'a TableSpec,
    pub(super) retention: &'a RetentionSpec,
    pub(super) sighting: &'a Sighting,
    pub(super) table: &'a Table,
    pub(super) namespace: Option<&'a str>,
    pub(super) dialect: Dialect,
    pub(super) evidence: &'a Evidence,
    pub(super) data: Option<&'a TableData>,
}

/// What a job does to the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach<'a> {
    /// Removals of the table.
    pub(super) removals: Vec<Removal>,
    /// Stretches that may touch the table.
    pub(super) unread: Vec<Unread>,
    /// Names that are meant for the table and are not its own, in the form in which they fail.
    pub(super) broken: Vec<String>,
    /// How partitions of the table are removed.
    pub(super) partitions: Option<Partitions<'a>>,
    /// Stretches that may touch anything, this table included.
    pub(super) vague: Vec<Unread>,
    /// Calls of routines that do not exist.
    pub(super) missing: Vec<String>,
    /// Whether the text names the table without touching it.
    pub(super) only_names: bool,
}

/// How partitions of the table are removed.
#[derive(Clone, Debug)]
pub(super) struct Partitions<'a> {
    pub(super) column: Option<String>,
    pub(super) text: String,
    pub(super) after: Option<Span>,
    pub(super) fate: Fate,
    pub(super) caller: &'a Caller,
    /// The jobs that call the maintenance of this table.
    pub(super) calls: Vec<Call<'a>>,
    pub(super) only_by_name: bool,
}

impl Reach<'_> {
    /// Returns whether the job has to do with the table.
    pub(super) fn concerns(&self) -> bool {
        !self.removals.is_empty() || !self.unread.is_empty() || !self.broken.is_empty() || self.partitions.is_some()
    }

    /// Returns how old a row can become under the job, where its statements tell.
    pub(super) fn longest(&self) -> Option<Duration> {
        let ages = self.removals.iter().filter_map(|removal| match &removal.rows {
            Rows::Older(age) => Some(age.span),
            _ => None,
        });
        let partitions = self.partitions.iter().filter_map(|partitions| partitions.after);
        ages.chain(partitions).map(Span::longest).max()
    }
}

/// What a removed table's name stands for.
enum Meant {
    /// The table.
    Table,
    /// Another one.
    Other,
    /// Nothing, although the table is meant.
    Nothing,
}

impl<'a> View<'a> {
    /// Returns every job that may have to do with the table, triggers of the table included.
    pub(super) fn jobs(&self) -> Vec<Cow<'a, Job>> {
        let listed = self.evidence.jobs.iter().map(Cow::Borrowed);
        let own = self.table.triggers.iter().filter_map(trigger_job);
        let others = self.evidence.triggers.iter().filter(|of| !self.is_own(of));
        let others = others.filter_map(|of| trigger_job(&of.trigger).map(|job| on_other_table(job, &of.table)));
        listed.chain(own.chain(others).map(Cow::Owned)).collect()
    }

    fn is_own(&self, of: &TableTrigger) -> bool {
        let here = of.namespace.is_none() || of.namespace.as_deref() == self.namespace;
        here && self.dialect.facts().same_name(&of.table, &self.table.name)
    }

    /// Reads what a job does to the table.
    pub(super) fn reach<'j>(&self, job: &'j Job) -> Reach<'j>
    where
        'a: 'j,
    {
        match &job.task {
            Task::Statements { sql, path } => self.of_statements(job, sql, path),
            Task::Partitions { .. } => Reach {
                partitions: self.of_partitions(job),
                ..Reach::default()
            },
            Task::Declared { table, horizon } => self.of_row(table, *horizon),
        }
    }

    fn of_statements<'j>(&self, job: &Job, sql: &str, path: &[String]) -> Reach<'j> {
        let is_trigger = job.scheduler == Scheduler::Trigger;
        // The row that fires a trigger of another table is none of this one.
        let reading = self.read(sql, path, !is_trigger || job.schedule == Schedule::OnWrite);
        let mut reach = Reach {
            missing: reading.missing,
            ..Reach::default()
        };
        let haystack = sql.to_lowercase();
        let name = self.desired.name.value.to_lowercase();
        for mut removal in reading.removals {
            match self.meant(&removal.table) {
                Meant::Table => {
                    // What is named itself needs no cascade.
                    if removal.means == Means::Cascade {
                        removal.means = Means::Truncate;
                    }
                    reach.removals.push(removal);
                }
                Meant::Other if removal.means == Means::Cascade && self.references(&removal.table, false) => {
                    reach.removals.push(removal);
                }
                Meant::Other if removal.means == Means::Delete && self.references(&removal.table, true) => {
                    if removal.fails.is_none() && !matches!(removal.rows, Rows::Nothing(_)) {
                        reach.unread.push(of_parent(&removal));
                    }
                }
                Meant::Other if self.may_be_partition(&removal) => reach.unread.push(of_partition(&removal)),
                Meant::Other => {}
                Meant::Nothing => reach.broken.push(removal.table.name.clone()),
            }
        }
        for unread in reading.unread {
            if unread.haystack.contains(&name) {
                reach.unread.push(unread);
            } else if !unread.names_all && !is_trigger {
                reach.vague.push(unread);
            }
        }
        reach.only_names = !reach.concerns() && haystack.contains(&name);
        // A trigger is a job only if it removes rows of the table, or may do so.
        let may_remove = |unread: &Unread| ["delete", "truncate"].iter().any(|word| unread.haystack.contains(word));
        if is_trigger && reach.removals.is_empty() && !reach.unread.iter().any(may_remove) {
            return Reach::default();
        }
        reach
    }

    fn read(&self, sql: &str, path: &[String], own_row: bool) -> Reading {
        let mut identity: Vec<String> = self.desired.event_id().map(str::to_owned).into_iter().collect();
        if let Some(key) = &self.table.primary_key
            && let [only] = key.columns.as_slice()
        {
            identity.push(only.clone());
        }
        let facts = self.dialect.facts();
        let age = &self.retention.column.value;
        let column = self.table.columns.iter().find(|c| facts.same_name(&c.name, age));
        let names = |all: bool| -> Vec<String> {
            let columns = self.table.columns.iter().filter(|c| all || !c.takes_null());
            columns.map(|c| c.name.clone()).collect()
        };
        let (columns, required) = (names(true), names(false));
        let setting = Setting {
            dialect: self.dialect,
            path,
            routines: &self.evidence.routines,
            identity: &identity,
            age,
            store: column.map_or(Store::Any, |c| store(self.dialect, &c.ty)),
            columns: &columns,
            required: &required,
            views: &self.evidence.views,
            sees_routines: self.evidence.sees_routines,
            own_row,
        };
        statement::read(sql, &setting)
    }

    fn of_partitions<'j>(&self, job: &'j Job) -> Option<Partitions<'j>>
    where
        'a: 'j,
    {
        let Task::Partitions {
            namespace,
            table,
            column,
            after: Some((text, after)),
            width,
            fate,
            caller,
            only_by_name,
        } = &job.task
        else {
            return None;
        };
        let same_space = namespace.as_deref().is_none_or(|n| Some(n) == self.namespace);
        if !same_space || *table != self.table.name {
            return None;
        }
        Some(Partitions {
            column: column.clone(),
            text: text.clone(),
            // A partition goes when all of it is old enough.
            after: after.map(|span| Span {
                least: span.least,
                most: span.most.saturating_add(width.map_or(0, |w| w.most)),
            }),
            fate: fate.clone(),
            caller,
            calls: self.calls(*only_by_name),
            only_by_name: *only_by_name,
        })
    }

    /// Returns the jobs of this database that call the maintenance of this table's partitions.
    fn calls(&self, only_by_name: bool) -> Vec<Call<'a>> {
        let full = format!("{}.{}", self.namespace.unwrap_or_default(), self.table.name);
        let mut calls = Vec::new();
        for job in self.evidence.jobs.iter().filter(|job| !is_elsewhere(job)) {
            let Task::Statements { sql, path } = &job.task else {
                continue;
            };
            for call in self.read(sql, path, true).maintains {
                let unclear = match call.of {
                    Maintained::All if only_by_name => continue,
                    Maintained::Table(table) if table != full => continue,
                    Maintained::Unknown => Some("it names the table by a value that is not known"),
                    _ if call.conditional => Some("it happens under a condition that is not understood"),
                    _ => None,
                };
                let role = call.role;
                calls.push(Call { job, role, unclear });
            }
        }
        calls
    }

    /// Returns what a role may do with the table, where that is known.
    pub(super) fn grant(&self, role: &str) -> Option<&'a TableGrant> {
        let grants = self.evidence.grants.iter().find(|grants| grants.role == role)?;
        grants.tables.get(&self.desired.name.value)
    }

    /// Returns whether the table references another one; if asked, so that its rows go with those of that one.
    fn references(&self, name: &TableName, cascading: bool) -> bool {
        let spaces: Vec<Option<&str>> = match &name.namespace {
            Some(space) => vec![Some(space)],
            None if name.path.is_empty() => vec![self.namespace],
            None => name.path.iter().map(|space| Some(space.as_str())).collect(),
        };
        let keys = self.table.foreign_keys.iter();
        let mut keys = keys.filter(|key| !cascading || key.on_delete.eq_ignore_ascii_case("CASCADE"));
        keys.any(|key| {
            spaces.iter().any(|space| match space {
                Some(space) if Some(*space) != self.namespace => {
                    key.referenced_table == format!("{space}.{}", name.name)
                }
                _ => key.referenced_table == name.name,
            })
        })
    }

    /// Returns whether rows may be removed together with a partition of the table.
    fn may_be_partition(&self, removal: &Removal) -> bool {
        let name = removal.table.name.to_lowercase();
        let partitions = self.table.partitioning.iter().flat_map(|p| &p.partitions);
        let listed = partitions.map(|p| p.name.to_lowercase());
        let drops = removal.means == Means::Drop && self.table.partitioning.is_some();
        (drops && name.contains(&self.table.name.to_lowercase())) || listed.into_iter().any(|p| p == name)
    }

    fn of_row<'j>(&self, table: &str, horizon: Option<Duration>) -> Reach<'j> {
        let full = format!("{}.{}", self.namespace.unwrap_or_default(), self.table.name);
        if !table.eq_ignore_ascii_case(&self.table.name) && table != full {
            return Reach::default();
        }
        let removal = |rows| Removal {
            table: TableName {
                namespace: None,
                name: self.table.name.clone(),
                path: Vec::new(),
            },
            rows,
            filters: Vec::new(),
            ceiling: None,
            conditional: false,
            via: None,
            role: None,
            means: Means::Delete,
            fails: None,
            closed_to: Vec::new(),
        };
        let rows = match horizon {
            Some(horizon) => Rows::Older(Age {
                column: self.retention.column.value.clone(),
                span: Span::exact(i64::try_from(horizon.as_micros()).unwrap_or(i64::MAX)),
                local: false,
            }),
            None => Rows::Unknown("its row states no horizon".to_owned()),
        };
        Reach {
            removals: vec![removal(rows)],
            ..Reach::default()
        }
    }

    /// Decides which table a name in a statement stands for.
    fn meant(&self, name: &TableName) -> Meant {
        let folds = self.evidence.folds_names || self.dialect == Dialect::Sqlite;
        let same = |a: &str, b: &str| if folds { a.eq_ignore_ascii_case(b) } else { a == b };
        let alike = name.name.eq_ignore_ascii_case(&self.table.name);
        let exact = same(&name.name, &self.table.name);
        if !alike || self.dialect == Dialect::Sqlite {
            return if exact { Meant::Table } else { Meant::Other };
        }
        let ours = self.namespace.unwrap_or_default();
        let elsewhere = |space: &str| {
            exact
                && self.sighting.lookalikes.iter().any(|l| {
                    l.likeness == Likeness::OtherNamespace && l.namespace.as_deref().is_some_and(|n| same(n, space))
                })
        };
        let spaces: Vec<&str> = match &name.namespace {
            Some(space) => vec![space],
            None => name.path.iter().map(String::as_str).collect(),
        };
        if spaces.is_empty() && exact {
            return Meant::Table;
        }
        for space in spaces {
            if same(space, ours) {
                return if exact {
                    Meant::Table
                } else if self.sighting.lookalikes.iter().any(|l| l.name == name.name) {
                    Meant::Other
                } else {
                    Meant::Nothing
                };
            }
            if elsewhere(space) {
                return Meant::Other;
            }
        }
        match (&name.namespace, self.dialect) {
            // Another namespace, which is written down or which is the job's own.
            (Some(_), _) | (None, Dialect::MySql | Dialect::MariaDb) => Meant::Other,
            (None, _) => Meant::Nothing,
        }
    }
}

/// Which rows a partition holds is not read.
fn of_partition(removal: &Removal) -> Unread {
    let name = &removal.table.name;
    Unread {
        why: "it removes rows of a single partition".to_owned(),
        text: name.clone(),
        names_all: true,
        haystack: String::new(),
    }
}

/// Which rows reference those of another table is not known.
fn of_parent(removal: &Removal) -> Unread {
    let name = &removal.table.name;
    Unread {
        why: "rows of the table go with those that it references".to_owned(),
        text: format!("DELETE FROM {name}"),
        names_all: true,
        haystack: "delete".to_owned(),
    }
}

/// Tells how a column of this type keeps times.
fn store(dialect: Dialect, ty: &NativeType) -> Store {
    if dialect == Dialect::Sqlite {
        return match Affinity::of(ty) {
            Affinity::Text => Store::Text,
            Affinity::Integer | Affinity::Real => Store::Number,
            Affinity::Numeric => Store::Mixed,
            Affinity::Blob | Affinity::Untyped => Store::Any,
        };
    }
    match ty.data {
        DataType::Timestamp { .. } | DataType::DateTime { .. } | DataType::Date => Store::Time,
        DataType::Char(_) | DataType::Varchar(_) | DataType::Text => Store::Text,
        DataType::SmallInt
        | DataType::Integer
        | DataType::BigInt
        | DataType::Real
        | DataType::Double
        | DataType::Numeric { .. } => Store::Number,
        _ => Store::Any,
    }
}

/// A trigger of another table runs when that is written to, which nobody can foresee.
fn on_other_table(job: Job, table: &str) -> Job {
    Job {
        schedule: Schedule::Unknown,
        runs: Runs {
            record: Record::None(format!("it runs only when `{table}` is written to")),
            ..Runs::default()
        },
        ..job
    }
}

fn trigger_job(trigger: &Trigger) -> Option<Job> {
    let body = trigger.body.as_ref()?;
    if !crate::rules::can_delete(body) {
        return None;
    }
    let stop = Stop {
        kind: StopKind::Disabled,
        reason: "the trigger is disabled".to_owned(),
        help: "Run ALTER TABLE … ENABLE TRIGGER …, if it is still meant to work.".to_owned(),
    };
    // Rows of a ledger are written once. What waits for other changes may wait for ever.
    let waits = !trigger.events.is_empty() && !trigger.events.iter().any(|event| event == "INSERT");
    let record = match waits {
        true => Record::None(format!(
            "it runs only with each {}",
            trigger.events.join(" and each ").to_lowercase()
        )),
        false => Record::Kept,
    };
    // A condition is one more thing that must hold before rows go.
    let sql = match (&trigger.condition, trigger.function.is_some()) {
        (_, true) => format!("DO $seadrift${body}$seadrift$"),
        (None, false) => body.clone(),
        (Some(condition), false) => format!("IF {condition} THEN {body}; END IF"),
    };
    Some(Job {
        name: trigger.name.clone(),
        scheduler: Scheduler::Trigger,
        role: None,
        task: Task::Statements { sql, path: Vec::new() },
        schedule: Schedule::OnWrite,
        stops: if trigger.enabled { Vec::new() } else { vec![stop] },
        runs: Runs {
            record,
            ..Runs::default()
        },
    })
}

/// Returns whether a job is known to run on another database.
pub(super) fn is_elsewhere(job: &Job) -> bool {
    job.stops.iter().any(|s| s.kind == StopKind::Elsewhere)
}
