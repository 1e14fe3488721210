//! Whether a ledger may be trimmed, and how: pure judgement over the spec, the comparison and the verdict of a check.

use std::time::Duration;

use crate::compare::{Comparison, Effect, Standing, TablePair, worst};
use crate::dialect::{Dialect, Facts, TimeKind};
use crate::finding::Severity;
use crate::retention::{Margin, margin, print_length, safe_bound};
use crate::rules::Verdict;
use crate::schema::{Aspect, Column, DataType, Index, IndexState, OnConflict, Table};
use crate::spec::{At, LedgerSpec, TableSpec, print_duration};

/// Why a ledger is not trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of reason it is; decides the exit code.
    pub kind: RefusalKind,
    /// What is wrong, as a lower-case sentence without a full stop.
    pub message: String,
    /// Particulars, such as findings, one a line. Their text may come from a database.
    pub details: Vec<String>,
    /// What to do next, in the imperative.
    pub help: String,
}

/// Kinds of reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The spec or the command line does not say what is needed.
    Usage,
    /// Trimming would not be safe.
    Unsafe,
    /// Something that decides about safety could not be seen.
    Unseen,
}

impl Refusal {
    fn new(kind: RefusalKind, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: Vec::new(),
            help: help.into(),
        }
    }
}

/// What the spec says about a ledger's retention, found safe by its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The ledger's table, as the spec names it.
    pub table: String,
    /// The column that holds the age.
    pub column: String,
    /// The column that identifies an event.
    pub event_id: String,
    /// The age at which rows are removed.
    pub horizon: Duration,
    /// How old an event may be.
    pub staleness: Duration,
    /// The bound on each clock's error.
    pub skew: Duration,
    /// How far in the future an event may be dated.
    pub future: Duration,
    /// Whether the spec confirms these numbers.
    pub confirmed: bool,
}

impl Policy {
    /// Takes the numbers of a ledger from its spec, with a longer horizon if one is given.
    ///
    /// # Errors
    ///
    /// The table has no retention or is no ledger, the given horizon is shorter than the spec's, or the numbers do not
    /// make trimming safe.
    pub fn of(table: &TableSpec, longer: Option<Duration>) -> Result<Self, Refusal> {
        let name = &table.name.value;
        let usage = |message: String, help: &str| Refusal::new(RefusalKind::Usage, message, help);
        let Some(retention) = &table.retention else {
            return Err(usage(
                format!("the spec states no retention of `{name}`"),
                "add a `retention` block with the horizon and the column",
            ));
        };
        let Some(ledger) = table.ledger.as_ref().filter(|_| table.is_ledger()) else {
            return Err(usage(
                format!("`{name}` is no ledger"),
                "name a table with `role: ledger` and a `ledger` block; others have no rule for when rows may go",
            ));
        };
        let horizon = match longer {
            Some(longer) if longer < retention.horizon.value => {
                return Err(usage(
                    format!(
                        "the horizon {} is shorter than the spec's {}",
                        print_duration(longer),
                        print_duration(retention.horizon.value)
                    ),
                    "give a longer one, or change the spec and have it reviewed",
                ));
            }
            Some(longer) => longer,
            None => retention.horizon.value,
        };
        refuse_unsafe(name, horizon, ledger)?;
        let seconds = |of: &Option<At<Duration>>| of.as_ref().map_or(Duration::ZERO, |duration| duration.value);
        Ok(Self {
            table: name.clone(),
            column: retention.column.value.clone(),
            event_id: ledger.event_id.value.clone(),
            horizon,
            staleness: seconds(&ledger.staleness_window),
            skew: seconds(&ledger.clock_skew),
            future: seconds(&ledger.future_dating),
            confirmed: table.confirmed && ledger.confirmed && retention.confirmed,
        })
    }
}

fn refuse_unsafe(table: &str, horizon: Duration, ledger: &LedgerSpec) -> Result<(), Refusal> {
    let refuse = |message: String, help: &str| Err(Refusal::new(RefusalKind::Unsafe, message, help));
    match margin(horizon, ledger) {
        Margin::Safe => Ok(()),
        Margin::Unknown => refuse(
            format!("the spec states no staleness window of `{table}`, so no row is known to be unneeded"),
            "state `staleness_window`: how old an event may be before the consumer skips it",
        ),
        Margin::NoGuard => refuse(
            format!("the staleness guard of `{table}` is disabled, so no horizon is safe: any old event may come back"),
            "enable the guard in the consumer, and state its `staleness_window`",
        ),
        Margin::Thin | Margin::Short => refuse(
            format!(
                "the horizon {} of `{table}` is not longer than {}: a late event could find its row gone and be \
                 processed again",
                print_duration(horizon),
                print_length(safe_bound(ledger).unwrap_or_default()),
            ),
            "make it longer than the staleness window, four times the clock skew and the future dating together",
        ),
    }
}

/// How a ledger is trimmed on one live database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The numbers.
    pub policy: Policy,
    /// The database's dialect.
    pub dialect: Dialect,
    /// The namespace of the table; absent on SQLite.
    pub namespace: Option<String>,
    /// The table's exact name.
    pub table: String,
    /// The retention column's exact name.
    pub column: String,
    /// How that column stores times.
    pub time: TimeKind,
    /// In which order rows are found.
    pub walk: Walk,
    /// The name by which SQLite's row number can be had.
    pub row_number: Option<&'static str>,
    /// Who runs, for the evidence: role and database.
    pub runner: String,
}

/// In which order rows are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Oldest first, through an index.
    ByTime,
    /// As they lie in the table: no index leads with the column.
    ByPlace,
}

/// Decides whether and how to trim, after a check of the live database.
///
/// # Errors
///
/// A critical finding about the ledger, a fact about it that could not be seen, or a table that cannot be trimmed safely.
pub fn plan(policy: Policy, comparison: &Comparison<'_>, verdict: &Verdict) -> Result<Plan, Refusal> {
    let server = &comparison.catalog.server;
    let found = comparison
        .tables
        .iter()
        .find(|pair| pair.desired.name.value == policy.table);
    let Some(pair) = found else {
        return Err(Refusal::new(
            RefusalKind::Usage,
            format!("the spec has no table `{}`", policy.table),
            "name one of the spec's tables",
        ));
    };
    refuse_findings(&policy, verdict)?;
    refuse_unseen(&policy, verdict)?;
    let Some(table) = pair.table else {
        return Err(Refusal::new(
            RefusalKind::Unsafe,
            format!("there is no table `{}` to trim", policy.table),
            "run `seadrift check` for what is there instead",
        ));
    };
    if server.replica {
        return Err(Refusal::new(
            RefusalKind::Unseen,
            "the server is a replica and takes no changes",
            "give the URL of the primary",
        ));
    }
    let facts = server.dialect.facts();
    refuse_without_guard(&policy, pair, table, facts)?;
    refuse_divided(table, server.dialect)?;
    let column = table.columns.iter().find(|c| facts.same_name(&c.name, &policy.column));
    let Some(column) = column else {
        return Err(Refusal::new(
            RefusalKind::Unsafe,
            format!("there is no column `{}` that tells a row's age", policy.column),
            "run `seadrift check` for what is there instead",
        ));
    };
    Ok(Plan {
        dialect: server.dialect,
        namespace: comparison
            .catalog
            .namespace
            .name
            .clone()
            .filter(|name| !name.is_empty()),
        table: table.name.clone(),
        column: column.name.clone(),
        time: time_kind(pair.desired, column, server.dialect)?,
        walk: if table.indexes.iter().any(|index| index.leads_with(&column.name)) {
            Walk::ByTime
        } else {
            Walk::ByPlace
        },
        row_number: match server.dialect {
            Dialect::Sqlite => Some(row_number(table)?),
            _ => None,
        },
        runner: match &server.role {
            Some(role) => format!("{role} on {}", server.database),
            None => server.database.clone(),
        },
        policy,
    })
}

/// Findings about retention are left out: trimming is what they ask for.
fn refuse_findings(policy: &Policy, verdict: &Verdict) -> Result<(), Refusal> {
    let details: Vec<String> = verdict
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Critical && f.object.table == policy.table && !f.code.starts_with('R'))
        .map(|finding| format!("{}: {}", finding.rule, finding.message.raw()))
        .collect();
    if details.is_empty() {
        return Ok(());
    }
    Err(Refusal {
        details,
        ..Refusal::new(
            RefusalKind::Unsafe,
            format!("`{}` does not protect against double processing as it is", policy.table),
            "repair it first; `seadrift check` says how",
        )
    })
}

fn refuse_unseen(policy: &Policy, verdict: &Verdict) -> Result<(), Refusal> {
    let details: Vec<String> = verdict
        .unverified
        .iter()
        .filter(|entry| {
            let about = entry.object.table == policy.table || entry.object.aspect == Some(Aspect::Target);
            entry.required && about && entry.object.aspect != Some(Aspect::Retention)
        })
        .map(|entry| entry.reason.raw().to_owned())
        .collect();
    if details.is_empty() {
        return Ok(());
    }
    Err(Refusal {
        details,
        ..Refusal::new(
            RefusalKind::Unseen,
            format!(
                "not everything that the spec states of `{}` could be seen",
                policy.table
            ),
            "give the role the right to see it; `seadrift check` says which",
        )
    })
}

/// Refuses a ledger whose guard is not there. The spec may leave the index open, so that no rule speaks of it.
fn refuse_without_guard(
    policy: &Policy,
    pair: &TablePair<'_>,
    table: &Table,
    facts: &dyn Facts,
) -> Result<(), Refusal> {
    let wanted = pair.indexes.iter().any(|index| {
        let covers = index
            .desired
            .columns()
            .is_some_and(|key| key.contains(&policy.event_id.as_str()));
        let enforced = match &index.standing {
            Standing::Nearest { differences, .. } | Standing::Other { differences, .. } => {
                worst(differences) < Effect::LetsIn
            }
            Standing::Nothing => false,
        };
        index.desired.unique.value && covers && enforced
    });
    if wanted
        || table
            .indexes
            .iter()
            .any(|index| is_guard(index, &policy.event_id, facts))
    {
        return Ok(());
    }
    Err(match table.sees(Aspect::Indexes) {
        true => Refusal::new(
            RefusalKind::Unsafe,
            format!(
                "no unique index guards `{}`: events can be recorded twice already",
                policy.event_id
            ),
            "create the guard first; `seadrift check` says how",
        ),
        false => Refusal::new(
            RefusalKind::Unseen,
            format!(
                "the indexes of `{}` could not be seen, so the guard may be missing",
                policy.table
            ),
            "give the role the right to see them",
        ),
    })
}

fn is_guard(index: &Index, event_id: &str, facts: &dyn Facts) -> bool {
    let [part] = &index.key[..] else {
        return false;
    };
    let swallows = matches!(index.on_conflict, Some(OnConflict::Ignore | OnConflict::Replace));
    index.unique
        && index.state == IndexState::Valid
        && index.predicate.is_none()
        && part.prefix.is_none()
        && !swallows
        && part.as_column().is_some_and(|column| facts.same_name(column, event_id))
}

/// A row's place does not identify it across the parts of a divided table, and batches go by place.
fn refuse_divided(table: &Table, dialect: Dialect) -> Result<(), Refusal> {
    if dialect != Dialect::Postgres || (table.partitioning.is_none() && table.children.is_empty()) {
        return Ok(());
    }
    Err(Refusal::new(
        RefusalKind::Unsafe,
        format!("`{}` is divided into several tables", table.name),
        "trim it by dropping partitions, once every event in them is older than the horizon",
    ))
}

fn time_kind(desired: &TableSpec, column: &Column, dialect: Dialect) -> Result<TimeKind, Refusal> {
    let stated = desired
        .column(desired.retention.as_ref().map_or("", |r| &r.column.value))
        .and_then(|spec| spec.ty.value.guess())
        .and_then(|ty| ty.on(dialect));
    let says_utc = stated.is_some_and(|ty| matches!(ty.data, DataType::Timestamp { zoned: false, .. }));
    TimeKind::of(dialect, &column.ty.data, says_utc).ok_or_else(|| {
        Refusal::new(
            RefusalKind::Unsafe,
            format!(
                "`{}` is {}, which does not tell the time of a row for certain",
                column.name, column.ty.spelling
            ),
            "give it a type that holds an instant, or state `type: timestamp` in the spec if its values are in UTC",
        )
    })
}

/// Finds a name for SQLite's row number that no column has.
fn row_number(table: &Table) -> Result<&'static str, Refusal> {
    let none = || {
        Refusal::new(
            RefusalKind::Unsafe,
            format!("the rows of `{}` have no row number to go by", table.name),
            "make the table anew without WITHOUT ROWID",
        )
    };
    if table
        .engine
        .as_ref()
        .is_some_and(|engine| engine.name.contains("WITHOUT ROWID"))
    {
        return Err(none());
    }
    let taken = |name: &str| table.columns.iter().any(|c| c.name.eq_ignore_ascii_case(name));
    ["_rowid_", "rowid", "oid"]
        .into_iter()
        .find(|name| !taken(name))
        .ok_or_else(none)
}

#[cfg(test)]
mod tests;
