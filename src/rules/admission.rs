//! What a check lets into one column, found out by asking for values. Shared by the rules about checks and types.

use crate::dialect::{Given, Row};
use crate::schema::{Check, Column, Domain, PartitionCheck, PartitionRows};

use super::Context;

/// A check that speaks of a column.
pub(super) struct Admission<'a> {
    check: &'a Check,
    /// The column under the name that the check has for it.
    column: Column,
    /// The table's columns; none where the check is a domain's.
    columns: &'a [Column],
    /// The rows that are held to the check, where those are of one partition.
    rows: Option<&'a PartitionRows>,
    context: &'a Context<'a>,
}

impl<'a> Admission<'a> {
    /// Returns the checks in force that speak of a column: those of the table and those of its domains.
    pub(super) fn all(column: &'a Column, context: &'a Context<'a>) -> impl Iterator<Item = Self> {
        let table = context.table();
        let own = table.checks.iter().filter(|check| check.columns.contains(&column.name));
        let domains = column.ty.domains.iter().flat_map(|domain| &domain.checks);
        own.map(move |check| Self::of_table(check, column, context))
            .chain(domains.map(move |check| Self::of_domain(check, column, context)))
            .filter(|admission| admission.check.enforced)
    }

    /// Makes the admission of a check of the table.
    pub(super) fn of_table(check: &'a Check, column: &Column, context: &'a Context<'a>) -> Self {
        Self {
            check,
            column: column.clone(),
            columns: &context.table().columns,
            rows: None,
            context,
        }
    }

    /// Makes the admission of a check of one partition.
    pub(super) fn of_partition(held: &'a PartitionCheck, column: &Column, context: &'a Context<'a>) -> Self {
        Self {
            rows: Some(&held.partition),
            ..Self::of_table(&held.check, column, context)
        }
    }

    /// Makes the admission of a check of the column's domain, which knows the value by a name of its own.
    pub(super) fn of_domain(check: &'a Check, column: &Column, context: &'a Context<'a>) -> Self {
        Self {
            check,
            column: Column {
                name: Domain::VALUE.to_owned(),
                ..column.clone()
            },
            columns: &[],
            rows: None,
            context,
        }
    }

    pub(super) fn check(&self) -> &'a Check {
        self.check
    }

    /// Returns whether a row with this value gets in; nothing if that is not known. What belongs into another partition
    /// is not held to the check.
    pub(super) fn admits(&self, given: Given<'_>) -> Option<bool> {
        if self
            .rows
            .is_some_and(|rows| !reaches(rows, &self.column, given, self.context))
        {
            return Some(true);
        }
        let row = Row {
            columns: self.columns,
            known: Some((&self.column, given)),
        };
        self.context.facts.admits(&self.check.sql, &row)
    }

    /// Returns whether a text of so many characters gets in, be its letters narrow or wide.
    fn admits_length(&self, length: u32) -> Option<bool> {
        // A limit in bytes is met sooner by letters of several bytes.
        let texts = ["x", "\u{1f4e8}"].map(|letter| letter.repeat(length as usize));
        let [narrow, wide] = texts.map(|text| self.admits(Given::Text(&text)));
        if narrow == wide {
            narrow
        } else {
            narrow.and(wide).map(|_| false)
        }
    }

    /// Returns whether every text of so many characters gets in.
    pub(super) fn admits_all_of(&self, count: u32) -> bool {
        // From one byte for a letter to four.
        let admits = |width| self.admits(Given::Letters { count, width }) == Some(true);
        admits(1) && admits(4)
    }

    /// Returns whether every UUID gets in that is kept as text. All have the same form, in letters of either case.
    pub(super) fn admits_uuids(&self) -> bool {
        const EACH_DIGIT: [&str; 4] = [
            "01234567-89ab-4cde-8f01-23456789abcd",
            "fedcba98-7654-7321-bfed-cba987654321",
            "89ABCDEF-0123-4567-89AB-CDEF01234567",
            "76543210-FEDC-4BA9-A765-43210FEDCBA9",
        ];
        let mut texts = EACH_DIGIT.iter();
        texts.all(|text| self.admits(Given::Text(text)) == Some(true))
    }

    /// Returns whether the check limits texts to fewer characters than this.
    pub(super) fn is_shorter_than(&self, length: u32) -> bool {
        let some_are_let_in = (0..u32::BITS)
            .map(|bit| 1 << bit)
            .take_while(|shorter| *shorter < length)
            .any(|shorter| self.admits_length(shorter) == Some(true));
        some_are_let_in && self.admits_length(length) == Some(false)
    }

    /// Returns whether the check keeps longer texts out than this, of the rows that were there before as well.
    pub(super) fn limits_to(&self, length: u32) -> bool {
        let longer = [length.saturating_add(1), length.saturating_mul(10)];
        // Whatever its characters are: a text that is cut or changed before it is counted may be longer than it counts.
        let refused = |count: u32| self.admits(Given::Letters { count, width: 1 }) == Some(false);
        self.check.validated && self.admits_length(length) == Some(true) && longer.into_iter().all(refused)
    }
}

/// Returns whether a row with this value may belong into a partition.
pub(super) fn reaches(rows: &PartitionRows, column: &Column, given: Given<'_>, context: &Context<'_>) -> bool {
    let row = Row {
        columns: &context.table().columns,
        known: Some((column, given)),
    };
    let bound = rows.bound.as_deref();
    bound.and_then(|bound| context.facts.admits(bound, &row)) != Some(false)
}

/// Returns whether a check of a partition says no more than the partition's bounds.
pub(super) fn is_of_bounds(held: &PartitionCheck, context: &Context<'_>) -> bool {
    let Some(bound) = held.partition.bound.as_deref() else {
        return false;
    };
    let bounds = context.facts.conditions(bound);
    context
        .facts
        .conditions(&held.check.sql)
        .iter()
        .all(|condition| bounds.contains(condition))
}
