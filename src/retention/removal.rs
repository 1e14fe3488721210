//! Judges one removal: too early, without margin, other than the spec says, or not of every row.

use super::arithmetic::Margin;
use super::judge::{Case, ahead, bound, gap_of, stand};
use super::maintenance;
use super::model::{Fate, Span};
use super::reach::{Partitions, Reach, View};
use super::statement::{Age, Filter, Means, Removal, Rows};
use super::verdict::{Basis, Gap, Issue, Kind};
use crate::dialect::{Given, Row};
use crate::finding::Severity;
use crate::schema::Column;
use crate::spec::print_duration;

/// Says what a job does, as a clause.
pub(super) fn describe(reach: &Reach) -> String {
    if let Some(partitions) = &reach.partitions {
        let how = match &partitions.fate {
            Fate::Dropped => "drops".to_owned(),
            Fate::Detached => "detaches".to_owned(),
            Fate::Moved(space) => format!("moves to {space}"),
        };
        return format!("{how} partitions older than {}", partitions.text);
    }
    let mut said: Vec<String> = reach.removals.iter().map(describe_one).collect();
    said.dedup();
    if said.is_empty() {
        return "is not understood".to_owned();
    }
    said.join(", and ")
}

fn describe_one(removal: &Removal) -> String {
    let rows = match &removal.rows {
        Rows::Older(age) => format!("removes rows older than {} by `{}`", age.span.print(), age.column),
        Rows::Younger(age) => format!("removes rows younger than {} by `{}`", age.span.print(), age.column),
        Rows::All => match removal.means {
            Means::Delete => "removes every row".to_owned(),
            Means::Truncate => "empties the table (TRUNCATE)".to_owned(),
            Means::Cascade => format!("empties the table (TRUNCATE {} CASCADE)", removal.table.name),
            Means::Drop => "drops the table".to_owned(),
            Means::Replace => "puts an empty table in its place".to_owned(),
        },
        Rows::Some => "removes rows whatever their age".to_owned(),
        Rows::Fixed(text) => format!("removes rows by a time that never changes: {text}"),
        Rows::Nothing(_) => "removes no row".to_owned(),
        Rows::Unknown(text) => format!("removes rows by a test that is not understood: {text}"),
    };
    let tests: Vec<&str> = removal.filters.iter().map(|f| f.text.as_str()).collect();
    let tests = if tests.is_empty() {
        String::new()
    } else {
        format!(" where {}", tests.join(" and "))
    };
    let via = removal.via.as_ref().map(|v| format!(" in {v}()")).unwrap_or_default();
    format!("{rows}{tests}{via}")
}

/// Judges one removal by statements.
pub(super) fn judge(view: &View<'_>, case: &mut Case<'_>, removal: &Removal, stopped: bool) {
    let why = describe_one(removal);
    if let Some(reason) = &removal.fails {
        if !stopped {
            let issue = case.issue(Kind::Failing, Severity::Error, Basis::Retention);
            case.issues.push(Issue {
                message: format!("no run of the job `{}` removes a row: {reason}", case.job.name),
                help: "Run the statement by hand as the job's role, and mend what the server says.".to_owned(),
                ..issue
            });
        }
        return;
    }
    match &removal.rows {
        Rows::Older(age) => {
            by_age(view, case, age, stopped);
            coverage(view, case, removal);
            if removal.conditional && !stopped {
                case.gaps.push((sometimes(case), false));
            }
        }
        Rows::Younger(_) => too_early(
            view,
            case,
            stopped,
            &format!("{why}: the comparison is the wrong way round"),
        ),
        Rows::All | Rows::Some => too_early(view, case, stopped, &why),
        Rows::Nothing(reason) => {
            let issue = case.issue(Kind::Partial, Severity::Error, Basis::Retention);
            case.issues.push(Issue {
                message: format!("the job `{}` removes no row: {reason}", case.job.name),
                help: format!(
                    "Compare `{}` with a value of its own kind: the present minus the horizon.",
                    view.retention.column.value
                ),
                ..issue
            });
        }
        Rows::Fixed(_) => {
            let issue = case.issue(Kind::Partial, Severity::Error, Basis::Retention);
            case.issues.push(Issue {
                message: format!(
                    "the job `{}` {why}: rows of the present never become old enough",
                    case.job.name
                ),
                help: "Compare with the present minus the horizon.".to_owned(),
                ..issue
            });
        }
        Rows::Unknown(text) => {
            let gap = gap_of(Some(&case.job.name), "its condition is not understood", text);
            case.gaps.push((gap, !stopped));
        }
    }
}

fn sometimes(case: &Case<'_>) -> Gap {
    Gap {
        job: Some(case.job.name.clone()),
        reason: format!(
            "The job `{}` removes rows only under a condition that this program does not understand.",
            case.job.name
        ),
        help: "Take the condition out, or let the job keep its row of `ledger_retention`.".to_owned(),
    }
}

/// Judges partitions that are taken away as a whole.
pub(super) fn judge_partitions(view: &View<'_>, case: &mut Case<'_>, partitions: &Partitions<'_>, stopped: bool) {
    match partitions.after {
        Some(span) => {
            let column = partitions
                .column
                .clone()
                .unwrap_or_else(|| view.retention.column.value.clone());
            let age = Age {
                column,
                span,
                local: false,
            };
            by_age(view, case, &age, stopped);
        }
        None => case.gaps.push((
            gap_of(Some(&case.job.name), "its age is not understood", &partitions.text),
            !stopped,
        )),
    }
    let kept = match &partitions.fate {
        Fate::Dropped => None,
        Fate::Detached => Some("are detached and stay as tables of their own".to_owned()),
        Fate::Moved(space) => Some(format!("are moved to the namespace {space} and stay there")),
    };
    if let Some(kept) = kept {
        let issue = case.issue(Kind::Partial, Severity::Warning, Basis::Retention);
        case.issues.push(Issue {
            found: Some(kept.clone()),
            message: format!("old partitions of the table {kept} (`{}`)", case.job.name),
            impact: "The ledger forgets their events, as it should, and the disk keeps them.".to_owned(),
            help: "Set retention_keep_table to false, and drop the tables that were detached before.".to_owned(),
            ..issue
        });
    }
    if !stopped {
        maintenance::judge(view, case, partitions);
    }
}

/// Reports that rows go whatever their age.
fn too_early(view: &View<'_>, case: &mut Case<'_>, stopped: bool, what: &str) {
    let bound = bound(view);
    let ledger = view.desired.is_ledger();
    let name = &case.job.name;
    if stopped {
        let issue = case.issue(Kind::Differs, Severity::Info, Basis::Retention);
        case.issues.push(Issue {
            message: format!("the job `{name}` is off; switched on, it {what}"),
            impact: "Nothing, until somebody switches it on.".to_owned(),
            help: "Drop it.".to_owned(),
            ..issue
        });
        return;
    }
    let issue = case.issue(
        Kind::TooShort,
        if ledger { Severity::Critical } else { Severity::Error },
        Basis::Table,
    );
    let expected = bound.unwrap_or_else(|| print_duration(view.retention.horizon.value));
    case.issues.push(Issue {
        expected: Some(format!("only rows older than {expected} are removed")),
        message: format!("the job `{name}` {what}"),
        impact: impact_of_loss(ledger),
        help: format!(
            "Stop it now; then let it remove only rows whose `{}` is older than {}.",
            view.retention.column.value,
            print_duration(view.retention.horizon.value)
        ),
        ..issue
    });
}

fn impact_of_loss(ledger: bool) -> String {
    if ledger {
        "An event whose row is gone looks new: its next copy is let in and processed a second time.".to_owned()
    } else {
        "Rows are gone before the spec allows it.".to_owned()
    }
}

fn by_age(view: &View<'_>, case: &mut Case<'_>, age: &Age, stopped: bool) {
    column(view, case, age);
    let span = ahead(view, age);
    let name = case.job.name.clone();
    let horizon = view.retention.horizon.value;
    // A clock that may be ahead is a risk, not a fact.
    let certain = stand(view, age.span.shortest());
    let early = span.shortest();
    let is_short = match certain {
        Margin::Short | Margin::NoGuard => true,
        Margin::Unknown => age.span.longest() < horizon,
        Margin::Safe | Margin::Thin => false,
    };
    let window = view.desired.ledger.as_ref().and_then(|l| l.staleness_window.as_ref());
    if is_short && stopped {
        too_early(
            view,
            case,
            true,
            &format!("removes rows older than {}", age.span.print()),
        );
    } else if is_short {
        let (severity, basis) = match certain {
            Margin::Unknown => (Severity::Error, Basis::Retention),
            _ => (Severity::Critical, Basis::Windows),
        };
        let than = match certain {
            Margin::NoGuard => "while the staleness guard is off, so that no age is safe".to_owned(),
            Margin::Unknown => format!("instead of {}", print_duration(horizon)),
            _ => format!(
                "which is below the staleness window of {}",
                window.map_or_else(String::new, |w| print_duration(w.value))
            ),
        };
        let issue = case.issue(Kind::TooShort, severity, basis);
        case.issues.push(Issue {
            expected: Some(print_duration(horizon)),
            message: format!("the job `{name}` {}, {than}", case.does),
            impact: impact_of_loss(view.desired.is_ledger()),
            help: format!("Stop it now, and let it keep rows for {}.", print_duration(horizon)),
            ..issue
        });
    } else if matches!(stand(view, early), Margin::Thin | Margin::Short) && !stopped {
        boundary(view, case, age, certain);
        differs(view, case, age, true);
    } else {
        differs(view, case, age, stopped);
    }
}

fn boundary(view: &View<'_>, case: &mut Case<'_>, age: &Age, certain: Margin) {
    let name = &case.job.name;
    let bound = bound(view).unwrap_or_default();
    let why = if certain == Margin::Safe {
        format!(
            "which may be {} less, because it compares `{}` with a local clock",
            print_duration(view.evidence.local_ahead),
            age.column
        )
    } else {
        format!("which leaves no margin for clocks that differ: it must be more than {bound}")
    };
    let issue = case.issue(Kind::Boundary, Severity::Warning, Basis::Windows);
    case.issues.push(Issue {
        expected: Some(format!("more than {bound}")),
        message: format!("the job `{name}` removes rows older than {}, {why}", age.span.print()),
        impact: "If the clocks of producer, consumer and server differ, the copy of a trimmed event can still be let \
                 in."
        .to_owned(),
        help: format!(
            "Let it keep rows for {}, and compare with UTC.",
            print_duration(view.retention.horizon.value)
        ),
        ..issue
    });
}

/// Compares with the spec's own horizon. What is shorter and still safe is worth a line, no more.
fn differs(view: &View<'_>, case: &mut Case<'_>, age: &Age, only_note: bool) {
    let wanted = view.retention.horizon.value;
    let (shortest, longest) = (age.span.shortest(), age.span.longest());
    let is_off = wanted < shortest || wanted > longest;
    if !is_off {
        if shortest != longest {
            note_range(view, case, age.span);
        }
        return;
    }
    let longer = wanted < shortest;
    let severity = if longer && !only_note {
        Severity::Warning
    } else {
        Severity::Info
    };
    let issue = case.issue(Kind::Differs, severity, Basis::Retention);
    case.issues.push(Issue {
        expected: Some(print_duration(wanted)),
        message: format!(
            "the job `{}` removes rows older than {} instead of {}",
            case.job.name,
            age.span.print(),
            print_duration(wanted)
        ),
        impact: if longer {
            "Rows stay longer than the spec says.".to_owned()
        } else {
            "Rows go earlier than the spec says, but not before their events would be refused as stale.".to_owned()
        },
        help: "Let the job and the spec say the same.".to_owned(),
        ..issue
    });
}

/// An age that is known only within limits, such as a month, around the wanted one.
fn note_range(view: &View<'_>, case: &mut Case<'_>, span: Span) {
    const SMALL: i64 = 2 * super::judge::DAY;
    if span.most.saturating_sub(span.least) <= SMALL {
        return;
    }
    let issue = case.issue(Kind::Differs, Severity::Info, Basis::Retention);
    case.issues.push(Issue {
        expected: Some(print_duration(view.retention.horizon.value)),
        message: format!(
            "the job `{}` removes rows older than {}: its age is no fixed length",
            case.job.name,
            span.print()
        ),
        impact: "How long rows stay depends on the calendar.".to_owned(),
        help: "Write the age in days or hours.".to_owned(),
        ..issue
    });
}

/// The column that the age is taken from.
fn column(view: &View<'_>, case: &mut Case<'_>, age: &Age) {
    let facts = view.dialect.facts();
    let wanted = &view.retention.column.value;
    let name = &case.job.name;
    let known = view.table.columns.iter().any(|c| facts.same_name(&c.name, &age.column));
    if !known && view.table.sees(crate::schema::Aspect::Columns) {
        let issue = case.issue(Kind::Failing, Severity::Error, Basis::Retention);
        case.issues.push(Issue {
            found: Some(age.column.clone()),
            message: format!(
                "the job `{name}` compares `{}`, a column that the table does not have",
                age.column
            ),
            help: format!("Compare {} instead.", facts.quote(wanted)),
            ..issue
        });
    } else if !facts.same_name(wanted, &age.column) {
        let issue = case.issue(Kind::Differs, Severity::Warning, Basis::Retention);
        case.issues.push(Issue {
            expected: Some(wanted.clone()),
            found: Some(age.column.clone()),
            message: format!(
                "the job `{name}` takes the age from `{}` instead of `{wanted}`",
                age.column
            ),
            impact: "When a row goes depends on another time than the spec's, so its safety is not the one that was \
                     calculated."
                .to_owned(),
            help: format!(
                "Compare {}, or let the spec name the other column.",
                facts.quote(wanted)
            ),
            ..issue
        });
    }
}

/// Rows that a removal leaves behind.
fn coverage(view: &View<'_>, case: &mut Case<'_>, removal: &Removal) {
    let name = case.job.name.clone();
    for filter in removal.filters.iter().filter(|f| !reaches_all(view, f)) {
        let severity = if filter.excludes {
            Severity::Warning
        } else {
            Severity::Error
        };
        let issue = case.issue(Kind::Partial, severity, Basis::Retention);
        case.issues.push(Issue {
            expected: Some("every old row".to_owned()),
            found: Some(filter.text.clone()),
            message: format!("the job `{name}` removes only rows where {}", filter.text),
            impact: "The other rows stay for ever, and the table grows without bound.".to_owned(),
            help: "Take the condition out, or add a job for the other rows.".to_owned(),
            ..issue
        });
    }
    if let Some(ceiling) = removal.ceiling {
        let issue = case.issue(Kind::Partial, Severity::Warning, Basis::Retention);
        case.issues.push(Issue {
            message: format!("the job `{name}` leaves rows older than {} behind", ceiling.print()),
            impact: "What one late run misses is never removed.".to_owned(),
            help: "Take the lower limit out.".to_owned(),
            ..issue
        });
    }
}

/// Returns whether a test lets every row through that the spec allows: for some column, NULL and each value.
fn reaches_all(view: &View<'_>, filter: &Filter) -> bool {
    let facts = view.dialect.facts();
    let Some(sql) = &filter.sql else {
        return false;
    };
    // What is neither true nor false keeps a row from being removed.
    let test = format!("({sql}) IS TRUE");
    let columns = &view.table.columns;
    let passes = |row: &Row<'_>| facts.admits(&test, row) == Some(true);
    let of = |column: &Column, given: Given<'_>| {
        passes(&Row {
            columns,
            known: Some((column, given)),
        })
    };
    let nulls = |column: &Column| !column.takes_null() || of(column, Given::Null);
    let values = |column: &Column| {
        let wanted = view
            .desired
            .columns
            .iter()
            .find(|c| facts.same_name(&c.name.value, &column.name));
        match wanted.and_then(|c| c.values.value.stated()) {
            Some(allowed) => allowed.iter().all(|value| of(column, Given::Text(value))),
            None => {
                let mut columns = columns.clone();
                let same = columns.iter_mut().filter(|c| c.name == column.name);
                same.for_each(|c| c.nullable = false);
                passes(&Row {
                    columns: &columns,
                    known: None,
                })
            }
        }
    };
    passes(&Row { columns, known: None }) || columns.iter().any(|column| nulls(column) && values(column))
}
