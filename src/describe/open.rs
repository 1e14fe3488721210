//! What a spec leaves open, and what follows as long as it does.

use crate::spec::{ColumnSpec, Spec, TableSpec, Wanted, print_duration};

/// One open point.
pub(super) struct Open {
    /// The table.
    pub(super) table: String,
    /// The part of it, if it is one.
    pub(super) part: Option<String>,
    /// The fact.
    pub(super) fact: &'static str,
    /// What the spec takes it for, if it does.
    pub(super) guess: Option<String>,
    /// What follows.
    pub(super) consequence: &'static str,
}

/// Lists what a spec leaves open, in its own order.
pub(super) fn open_points(spec: &Spec) -> Vec<Open> {
    spec.tables.iter().flat_map(of_table).collect()
}

fn of_table(table: &TableSpec) -> Vec<Open> {
    let point = |part: Option<&str>, fact, guess, consequence| Open {
        table: table.name.value.clone(),
        part: part.map(str::to_owned),
        fact,
        guess,
        consequence,
    };
    let mut points = Vec::new();
    if !table.confirmed {
        points.push(point(
            None,
            "whether the service needs it",
            None,
            "Nothing about the table fails, not even that it is missing.",
        ));
        return points;
    }
    for column in &table.columns {
        points.extend(of_column(table, column));
    }
    if let Wanted::Unconfirmed(guess) = &table.primary_key.value {
        let guess = guess.as_ref().map(|names| names.join(", "));
        let consequence = "A missing or another primary key is not reported.";
        points.push(point(None, "primary key", guess, consequence));
    }
    for index in table.indexes.iter().filter(|index| !index.confirmed) {
        let consequence = match index.unique.value {
            true => {
                "Nothing says that duplicates are refused: an index that is missing or lets them in is not reported."
            }
            false => "A missing index is not reported: look-ups may read the whole table.",
        };
        points.push(point(Some(&index.name.value), "index", None, consequence));
    }
    for check in table.checks.iter().filter(|check| !check.confirmed) {
        let consequence = "Values that the check would refuse may be stored, and nobody is told.";
        points.push(point(Some(&check.name.value), "check", None, consequence));
    }
    points.extend(of_windows(table));
    if let Some(retention) = table.retention.as_ref().filter(|retention| !retention.confirmed) {
        let guess = Some(print_duration(retention.horizon.value));
        let consequence = "Rows may be removed too early or never, and no check fails for it.";
        points.push(point(None, "retention", guess, consequence));
    }
    points
}

fn of_windows(table: &TableSpec) -> Option<Open> {
    let ledger = table.ledger.as_ref()?;
    let is_open = !ledger.confirmed || ledger.staleness_window.is_none();
    is_open.then(|| Open {
        table: table.name.value.clone(),
        part: None,
        fact: "how late an event may come",
        guess: ledger
            .staleness_window
            .as_ref()
            .map(|window| print_duration(window.value)),
        consequence: "No horizon can be shown to be safe: an event whose row is gone may be processed again.",
    })
}

fn of_column(table: &TableSpec, column: &ColumnSpec) -> Vec<Open> {
    let point = |fact, guess, consequence| Open {
        table: table.name.value.clone(),
        part: Some(column.name.value.clone()),
        fact,
        guess,
        consequence,
    };
    if !column.confirmed {
        return vec![point(
            "column",
            None,
            "Nothing about the column fails, not even that it is missing.",
        )];
    }
    let mut points = Vec::new();
    let mut add = |open: Option<Option<String>>, fact, consequence| {
        points.extend(open.map(|guess| point(fact, guess, consequence)));
    };
    add(
        opened(&column.ty.value, |ty| {
            ty.any.as_ref().map(ToString::to_string).unwrap_or_default()
        }),
        "type",
        "Any type is taken: values may be cut, refused or compared in another way.",
    );
    add(
        opened(&column.nullable.value, |null| {
            if *null { "NULL" } else { "not NULL" }.to_owned()
        }),
        "nullability",
        "Rows without a value may be stored that the service cannot read, or be refused.",
    );
    add(
        opened(&column.default.value, crate::spec::DefaultSpec::print),
        "default",
        "What an insert that leaves the column out stores is anybody's guess.",
    );
    add(
        opened(&column.identity.value, |_| "numbered".to_owned()),
        "identity",
        "Rows may be numbered by the server or not.",
    );
    add(
        opened(&column.generated.value, Clone::clone),
        "generated value",
        "The value may be computed in another way.",
    );
    let texts = "Texts that the service holds apart may be one key to the server, or the other way round.";
    add(opened(&column.collation.value, Clone::clone), "collation", texts);
    add(
        opened(&column.compare.value, |_| "told apart".to_owned()),
        "comparison",
        texts,
    );
    add(
        opened(&column.values.value, |values| values.join(", ")),
        "values",
        "Values that nobody expects may be stored.",
    );
    points
}

/// Returns the guess of an open fact; nothing if it is not open.
fn opened<T>(fact: &Wanted<T>, print: impl Fn(&T) -> String) -> Option<Option<String>> {
    match fact {
        Wanted::Unconfirmed(guess) => Some(guess.as_ref().map(print)),
        _ => None,
    }
}
