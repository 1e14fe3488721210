//! Whether the rows that a spec promises find a place in a table that is divided.

use crate::dialect::{Facts, Given, Row};
use crate::schema::{Column, DefaultExpr, Literal, Partition, PartitionCover, Partitioning, Table, Takes};
use crate::spec::{ColumnSpec, DefaultSpec, TableSpec, Wanted};

/// Which rows have no place, from nothing to worst. Each reason reads behind "rows find no partition: ".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// None.
    ForAll,
    /// Those of other times than the present.
    ForNow(String),
    /// Those with values that the spec does not speak of.
    ForPromised(String),
    /// Not known.
    Unknown,
    /// Some of which the spec does not say whether there are any.
    Doubtful(String),
    /// Some that the spec promises, or a part of all.
    Refuses(String),
}

impl Room {
    /// Changes what is said, and how bad it is, as that of a part of the table.
    fn of_partition(self, name: &str, certain: bool) -> Self {
        let within = |why: String| format!("in the partition `{name}`, {why}");
        match self {
            Self::Refuses(why) if certain => Self::Refuses(within(why)),
            Self::Refuses(why) | Self::Doubtful(why) => Self::Doubtful(within(why)),
            Self::ForNow(why) => Self::ForNow(within(why)),
            Self::ForPromised(why) => Self::ForPromised(within(why)),
            Self::ForAll | Self::Unknown => self,
        }
    }
}

/// Finds out which of the rows that a spec promises have no place.
pub fn room(divided: &Partitioning, desired: &TableSpec, table: &Table, facts: &dyn Facts) -> Room {
    let promises: Vec<Promise<'_>> = table
        .columns
        .iter()
        .map(|column| Promise::of(column, desired, facts))
        .collect();
    let columns = &table.columns;
    Rooms { columns, facts }.find(divided, &promises)
}

/// What a spec says of the values of a column.
#[derive(Clone)]
struct Promise<'a> {
    column: &'a Column,
    /// The values, NULL where absent, and whether the spec is sure of them.
    values: Vec<(Option<String>, bool)>,
    /// Whether there are no others.
    complete: bool,
}

impl<'a> Promise<'a> {
    fn of(column: &'a Column, desired: &TableSpec, facts: &dyn Facts) -> Self {
        let is_it = |c: &&ColumnSpec| facts.same_name(&column.name, facts.stored_name(&c.name.value));
        match desired.columns.iter().find(is_it) {
            Some(wanted) => Self::by_spec(column, wanted),
            None => Self::unwritten(column),
        }
    }

    fn by_spec(column: &'a Column, wanted: &ColumnSpec) -> Self {
        let listed = wanted.values.value.guess();
        let default = match wanted.default.value.stated() {
            Some(DefaultSpec::Value(literal)) => text(literal),
            _ => None,
        };
        let sure = wanted.confirmed && !wanted.values.value.is_unconfirmed();
        let mut values: Vec<(Option<String>, bool)> = match listed {
            Some(listed) => listed.iter().map(|value| (Some(value.clone()), sure)).collect(),
            None => default
                .into_iter()
                .map(|value| (Some(value), wanted.confirmed))
                .collect(),
        };
        if column.takes_null() && wanted.nullable.value != Wanted::Is(false) {
            values.push((None, wanted.confirmed && wanted.nullable.value == Wanted::Is(true)));
        }
        Self {
            column,
            values,
            complete: listed.is_some(),
        }
    }

    /// A column that the service does not write has its default, or NULL.
    fn unwritten(column: &'a Column) -> Self {
        let value = match &column.default {
            None => (column.takes_null() && column.identity.is_none() && column.generated.is_none()).then_some(None),
            Some(DefaultExpr::Literal(literal)) => text(literal).map(Some),
            Some(_) => None,
        };
        Self {
            column,
            complete: value.is_some(),
            values: value.into_iter().map(|value| (value, true)).collect(),
        }
    }
}

fn text(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Text(text) | Literal::Number(text) | Literal::Uuid(text) => Some(text.clone()),
        Literal::Boolean(_) | Literal::Time(_) | Literal::Bytes(_) => None,
    }
}

struct Rooms<'a> {
    columns: &'a [Column],
    facts: &'a dyn Facts,
}

impl Rooms<'_> {
    fn find(&self, divided: &Partitioning, promises: &[Promise<'_>]) -> Room {
        let mut worst = match &divided.cover {
            PartitionCover::Complete => Room::ForAll,
            PartitionCover::OtherTimes(why) => Room::ForNow(why.clone()),
            PartitionCover::Gaps(why) => Room::Doubtful(why.clone()),
            PartitionCover::RefusesNow(why) => Room::Refuses(why.clone()),
            PartitionCover::Unknown => Room::Unknown,
        };
        let of_key: Vec<&Promise<'_>> = promises.iter().filter(|p| self.is_read(p.column, divided)).collect();
        if divided.partitions.iter().all(|p| matches!(p.takes, Takes::Rows { .. })) {
            worst = self.by_values(divided, &of_key, worst);
        }
        for partition in &divided.partitions {
            if let Some(inner) = &partition.divided
                && let Some(certain) = self.reaches(divided, partition, &of_key)
            {
                let promises: Vec<Promise<'_>> = promises.iter().map(|p| self.within(p, partition)).collect();
                worst = worst.max(self.find(inner, &promises).of_partition(&partition.name, certain));
            }
        }
        worst
    }

    /// Looks for each promised value of the key among partitions that take only what their bounds say.
    fn by_values(&self, divided: &Partitioning, of_key: &[&Promise<'_>], worst: Room) -> Room {
        let (mut refused, mut doubtful, mut taken) = (Vec::new(), Vec::new(), true);
        for promise in of_key {
            for (value, sure) in &promise.values {
                match self.any_takes(divided, promise.column, value.as_deref()) {
                    Some(false) if *sure => refused.push((promise.column, value)),
                    Some(false) => doubtful.push((promise.column, value)),
                    Some(true) => continue,
                    None => {}
                }
                taken = false;
            }
        }
        let told = divided.key.len() == of_key.len() && of_key.iter().all(|p| p.complete);
        match (worst, refused.is_empty(), doubtful.is_empty()) {
            (Room::Refuses(why), ..) => Room::Refuses(why),
            (_, false, _) => Room::Refuses(those(&refused)),
            (_, _, false) => Room::Doubtful(those(&doubtful)),
            (Room::Doubtful(why), ..) if taken && told => Room::ForPromised(why),
            (worst, ..) => worst,
        }
    }

    /// Returns whether some partition takes a row with this value; nothing if that depends on what is not known.
    fn any_takes(&self, divided: &Partitioning, column: &Column, value: Option<&str>) -> Option<bool> {
        let mut known = Some(false);
        for partition in &divided.partitions {
            match self.takes(partition, column, value) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = None,
            }
        }
        known
    }

    fn takes(&self, partition: &Partition, column: &Column, value: Option<&str>) -> Option<bool> {
        let Takes::Rows { condition, .. } = &partition.takes else {
            return None;
        };
        let row = Row {
            columns: self.columns,
            known: Some((column, value.map_or(Given::Null, Given::Text))),
        };
        self.facts.admits(condition, &row)
    }

    /// Returns whether rows that the spec promises get into a partition: surely, perhaps, or (nothing) never.
    fn reaches(&self, divided: &Partitioning, partition: &Partition, of_key: &[&Promise<'_>]) -> Option<bool> {
        let mut present = divided.partitions.iter().filter_map(|p| match p.takes {
            Takes::Rows { now, .. } => now,
            _ => None,
        });
        match &partition.takes {
            Takes::Share => Some(true),
            Takes::Unknown => Some(false),
            Takes::Rows { now: Some(now), .. } => now.then_some(true),
            Takes::Rows { now: None, .. } => {
                let taken = |p: &&Promise<'_>, value: &(Option<String>, bool)| {
                    self.takes(partition, p.column, value.0.as_deref())
                };
                let surely = |p: &&Promise<'_>| p.values.iter().any(|v| v.1 && taken(p, v) == Some(true));
                let never = |p: &&Promise<'_>| p.complete && p.values.iter().all(|v| taken(p, v) == Some(false));
                match of_key.iter().any(never) {
                    true => None,
                    false => Some(of_key.iter().any(surely)),
                }
            }
            Takes::Rest => match present.next() {
                Some(first) => (!first && present.all(|now| !now)).then_some(true),
                None => {
                    let others: Vec<&Partition> =
                        divided.partitions.iter().filter(|p| p.takes != Takes::Rest).collect();
                    let left = |p: &&Promise<'_>, value: &(Option<String>, bool)| {
                        let taken = |other: &&Partition| self.takes(other, p.column, value.0.as_deref()) == Some(false);
                        value.1 && others.iter().all(taken)
                    };
                    Some(of_key.iter().any(|p| p.values.iter().any(|value| left(p, value))))
                }
            },
        }
    }

    /// Returns whether the key of a divided table is a column, or an expression that may read it.
    fn is_read(&self, column: &Column, divided: &Partitioning) -> bool {
        let is = |name: &str, part: &str| name.to_lowercase() == part.to_lowercase();
        divided.key.iter().any(|part| {
            let plain = self.columns.iter().any(|c| is(&c.name, part));
            is(&column.name, part) || (!plain && part.to_lowercase().contains(&column.name.to_lowercase()))
        })
    }

    /// Leaves out the values that do not get into a partition.
    fn within<'p>(&self, promise: &Promise<'p>, partition: &Partition) -> Promise<'p> {
        let mut promise = promise.clone();
        let column = promise.column;
        promise
            .values
            .retain(|(value, _)| self.takes(partition, column, value.as_deref()) != Some(false));
        promise
    }
}

/// Says which rows have no place, the first few of them.
fn those(values: &[(&Column, &Option<String>)]) -> String {
    const SHOWN: usize = 5;
    let one = |(column, value): &(&Column, &Option<String>)| match value {
        Some(value) => format!("those whose `{}` is `{value}`", column.name),
        None => format!("those without `{}`", column.name),
    };
    let mut all: Vec<String> = values.iter().take(SHOWN).map(one).collect();
    if values.len() > SHOWN {
        all.push(format!("those with {} more values", values.len() - SHOWN));
    }
    all.join(", ")
}
