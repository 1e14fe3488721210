//! What the predicate of a partial index does to its work, beside that of the wanted index.

use crate::dialect::{Condition, Facts, Row};
use crate::schema::{Index, KeyPart, Table};
use crate::spec::IndexSpec;

use super::difference::{Difference, Effect};

/// The rows that predicates choose from.
pub(super) struct Rows<'a> {
    /// The observed table.
    pub(super) table: &'a Table,
    /// The dialect.
    pub(super) facts: &'a dyn Facts,
}

impl Rows<'_> {
    /// Compares the predicate of an index with the wanted one.
    pub(super) fn compare(&self, wanted: &IndexSpec, index: &Index) -> Option<Difference> {
        let wanted_sql = wanted.predicate.as_ref().map(|p| p.value.as_str());
        let found_sql = index.predicate.as_deref();
        let normal = |sql: &str| self.normal(sql);
        if wanted_sql.map(normal) == found_sql.map(normal) {
            return None;
        }
        let stated = wanted_sql.map(|sql| self.conditions(sql)).unwrap_or_default();
        let held = found_sql.map(|sql| self.conditions(sql)).unwrap_or_default();
        if let (Some(wanted_sql), Some(_)) = (wanted_sql, found_sql)
            && self.is_unproved(&stated, &held)
        {
            return Some(unproved(index, wanted_sql));
        }
        if wanted.unique.value {
            self.uniqueness(index, wanted_sql, &stated, &held)
        } else {
            self.look_ups(wanted, index, wanted_sql, &stated, &held)
        }
    }

    /// Rows that no predicate leaves out, or that are never duplicates, make no difference to uniqueness.
    fn uniqueness(
        &self,
        index: &Index,
        wanted_sql: Option<&str>,
        stated: &[Condition],
        held: &[Condition],
    ) -> Option<Difference> {
        let matters = |c: &&Condition| !self.always(c) && !self.spares_missing(index, c);
        if held.iter().filter(matters).any(|c| !stated.contains(c)) {
            return Some(partial(index, Effect::LetsIn, ""));
        }
        if stated.iter().filter(matters).any(|c| !held.contains(c)) {
            return Some(every_row(index, wanted_sql, Effect::Refuses));
        }
        match &index.predicate {
            None => Some(every_row(index, wanted_sql, Effect::Cosmetic)),
            // An upsert looks for an index whose predicate it can prove, and knows neither the table nor its rows.
            Some(_) if held.iter().any(|c| !stated.contains(c)) => Some(partial(
                index,
                Effect::Impaired,
                ", which are all that can be duplicates, but ON CONFLICT on the key does not find it",
            )),
            Some(_) => None,
        }
    }

    /// A server reads a partial index if the look-up itself says that the predicate holds: a value is not NULL.
    fn look_ups(
        &self,
        wanted: &IndexSpec,
        index: &Index,
        wanted_sql: Option<&str>,
        stated: &[Condition],
        held: &[Condition],
    ) -> Option<Difference> {
        let columns = wanted.columns().unwrap_or_default();
        let in_key = |c: &Condition| matches!(c, Condition::Present(name) if columns.iter().any(|column| self.facts.same_name(name, self.facts.stored_name(column))));
        let further: Vec<&Condition> = held.iter().filter(|c| !stated.contains(c)).collect();
        if further.iter().any(|c| !in_key(c)) {
            return Some(partial(index, Effect::Impaired, ""));
        }
        if !further.is_empty() {
            let what = ": look-ups of a value use it, those of rows without one and scans in its order do not";
            return Some(partial(index, Effect::Degraded, what));
        }
        stated
            .iter()
            .any(|c| !held.contains(c))
            .then(|| every_row(index, wanted_sql, Effect::Cosmetic))
    }

    /// Returns the conditions of a predicate. A name that is no column's is a text, which is always there.
    fn conditions(&self, sql: &str) -> Vec<Condition> {
        let known = |name: &str| self.table.columns.iter().any(|c| self.facts.same_name(&c.name, name));
        let resolve = |condition| match condition {
            Condition::Present(name) if !known(&name) => Condition::Always,
            condition => condition,
        };
        self.facts
            .conditions(&self.normal(sql))
            .into_iter()
            .map(resolve)
            .collect()
    }

    fn normal(&self, sql: &str) -> String {
        self.facts.predicate(sql, &self.table.columns)
    }

    /// Returns whether two predicates may well mean the same: each has conditions of its own, some of which compute
    /// something of a column that both read.
    fn is_unproved(&self, stated: &[Condition], held: &[Condition]) -> bool {
        let alone = |ours: &[Condition], theirs: &[Condition]| -> Vec<String> {
            let others = ours.iter().filter(|c| !theirs.contains(c) && !self.always(c));
            others.map(text_of).collect()
        };
        let (stated, held) = (alone(stated, held), alone(held, stated));
        let computes = |text: &String| COMPUTING.iter().any(|sign| text.to_lowercase().contains(sign)) || calls(text);
        let reads = |text: &str, column: &str| text.to_lowercase().contains(&column.to_lowercase());
        let shares = |a: &String, b: &String| {
            let mut columns = self.table.columns.iter();
            columns.any(|c| reads(a, &c.name) && reads(b, &c.name))
        };
        let may_agree = |a: &String| held.iter().any(|b| shares(a, b) && (computes(a) || computes(b)));
        !held.is_empty() && !stated.is_empty() && stated.iter().all(may_agree)
    }

    /// Returns whether a condition holds for every row that the table can have.
    fn always(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Present(name) => self.is_required(name),
            Condition::Other(text) => self.is_checked(text) || self.never_fails(text),
        }
    }

    /// Returns whether a condition is true whatever the row is: not even its opposite is ever unknown.
    fn never_fails(&self, text: &str) -> bool {
        let row = Row {
            columns: &self.table.columns,
            known: None,
        };
        self.facts.admits(&format!("NOT ({text})"), &row) == Some(false)
    }

    fn is_required(&self, name: &str) -> bool {
        let column = self.table.columns.iter().find(|c| self.facts.same_name(&c.name, name));
        column.is_some_and(|c| !c.takes_null())
    }

    /// Returns whether a check holds every row to a condition. A check lets rows pass for which it is NULL, so the
    /// condition must be one that is not, for columns that have values.
    fn is_checked(&self, text: &str) -> bool {
        self.table.checks.iter().any(|check| {
            check.enforced
                && check.validated
                && !check.columns.is_empty()
                && check.columns.iter().all(|name| self.is_required(name))
                && is_plain(text)
                && self
                    .facts
                    .conditions(&check.sql)
                    .contains(&Condition::Other(text.to_owned()))
        })
    }

    /// Returns whether a condition leaves out only rows that the index would not hold apart anyhow: those without a
    /// value in its key.
    fn spares_missing(&self, index: &Index, condition: &Condition) -> bool {
        let in_key = |name: &str| {
            let mut columns = index.key.iter().filter_map(KeyPart::as_column);
            columns.any(|column| self.facts.same_name(column, name))
        };
        !index.nulls_not_distinct && matches!(condition, Condition::Present(name) if in_key(name))
    }
}

/// Signs and words of conditions that compute something.
const COMPUTING: &[&str] = &[
    " + ",
    " - ",
    " * ",
    " / ",
    " % ",
    "||",
    "~",
    "::",
    " like ",
    " between ",
    "case ",
];

/// Returns whether a word stands right in front of a parenthesis.
fn calls(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let last = std::mem::replace(&mut before, c);
        c == '(' && !last.is_whitespace() && last != '('
    })
}

fn text_of(condition: &Condition) -> String {
    match condition {
        Condition::Always => String::new(),
        Condition::Present(name) => format!("{name} is present"),
        Condition::Other(text) => text.clone(),
    }
}

/// Returns whether a condition compares columns with constants and lists of them, and computes nothing: then it is
/// NULL only for columns that are.
fn is_plain(text: &str) -> bool {
    let mut quote = None;
    let outside = |c: char| match quote {
        Some(open) => {
            if c == open {
                quote = None;
            }
            ' '
        }
        None => {
            if matches!(c, '\'' | '"' | '`') {
                quote = Some(c);
            }
            c.to_ascii_lowercase()
        }
    };
    let words: String = text.chars().map(outside).collect();
    words.matches('(').count() == words.matches(" in (").count() && !words.contains("null")
}

fn partial(index: &Index, effect: Effect, remark: &str) -> Difference {
    let predicate = index.predicate.as_deref().unwrap_or_default();
    Difference::new(
        effect,
        format!("is partial and holds only rows where `{predicate}`{remark}"),
    )
}

fn unproved(index: &Index, wanted: &str) -> Difference {
    let predicate = index.predicate.as_deref().unwrap_or_default();
    Difference::new(
        Effect::Unproved,
        format!("holds the rows where `{predicate}`, which this program cannot compare with the spec's `{wanted}`"),
    )
}

fn every_row(index: &Index, wanted: Option<&str>, effect: Effect) -> Difference {
    let holds = match &index.predicate {
        None => "every row".to_owned(),
        Some(predicate) => format!("the rows where `{predicate}`"),
    };
    let wanted = wanted.unwrap_or_default();
    Difference::new(effect, format!("holds {holds} and not only those where `{wanted}`"))
}
