//! Repairs as people read them in a finding's help: one sentence with the SQL for the server at hand.
//!
//! The SQL is made of names and values from the spec alone. What the live catalog says is not part of it, since
//! somebody will paste it into a shell. Nothing here is ever executed, and this is the one place below
//! `src/rules/` that knows how dialects differ in it.

use crate::dialect::{Dialect, is_text};
use crate::schema::{DataType, Identity, Index, Literal, Partitioning};
use crate::spec::{ColumnSpec, DefaultSpec, DesiredType};

use super::engine::Context;

/// What a repair does to a column that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change<'a> {
    /// Give it the spec's type; the present one decides how values are converted.
    Type(&'a DataType),
    /// Keep NULL out.
    SetNotNull,
    /// Let NULL in.
    DropNotNull,
    /// Give it the spec's default.
    SetDefault,
    /// Take its default away.
    DropDefault,
    /// Keep the default of its domain away.
    HideDefault,
    /// Make it an ordinary column that the service writes.
    DropGenerated {
        /// Whether its values are stored; otherwise there are none to keep.
        stored: bool,
    },
    /// Stop the server from numbering it.
    DropIdentity,
    /// Let the server number it; it does not now.
    AddIdentity(Identity),
    /// Change who may give the number.
    SetIdentity(Identity),
    /// Give it the spec's collation.
    Collate(&'a str),
    /// Restate it as the spec has it, without any clause that is not there.
    Restate,
}

/// Returns the sentence that says how to change a column.
pub(super) fn change_column(ctx: &Context<'_>, column: &ColumnSpec, change: Change<'_>) -> String {
    let dialect = ctx.dialect();
    let table = ctx.facts.quote(&ctx.desired().name.value);
    let name = ctx.facts.quote(&column.name.value);
    if change == (Change::DropGenerated { stored: false }) && dialect != Dialect::Sqlite {
        return anew(ctx, column);
    }
    let action = match dialect {
        Dialect::Postgres => postgres(ctx, column, &name, change),
        Dialect::MySql | Dialect::MariaDb => match change {
            Change::SetDefault => {
                default_sql(dialect, column).map(|sql| format!("ALTER COLUMN {name} SET DEFAULT {sql}"))
            }
            Change::DropDefault => Some(format!("ALTER COLUMN {name} DROP DEFAULT")),
            Change::Collate(collation) => {
                definition(ctx, column).map(|definition| format!("MODIFY COLUMN {definition} COLLATE {collation}"))
            }
            _ => definition(ctx, column).map(|definition| format!("MODIFY COLUMN {definition}")),
        },
        Dialect::Sqlite => {
            let shape = definition(ctx, column).map_or_else(String::new, |d| format!(" with `{d}`"));
            return format!(
                "SQLite cannot change a column in place: create the table anew{shape}, copy the rows, drop the old \
                 table and rename the new one, all in one transaction."
            );
        }
    };
    match action {
        Some(action) => format!("Run `ALTER TABLE {table} {action};`."),
        None => "Restate the column in a migration of the service.".to_owned(),
    }
}

/// Returns the sentence that says how to put an ordinary column in the place of one that is computed on each read.
fn anew(ctx: &Context<'_>, column: &ColumnSpec) -> String {
    let table = ctx.facts.quote(&ctx.desired().name.value);
    let name = ctx.facts.quote(&column.name.value);
    let Some(definition) = definition(ctx, column) else {
        return "Drop the column and add it anew in a migration of the service.".to_owned();
    };
    format!(
        "No value is stored, so make the column anew: drop the indexes over it, run `ALTER TABLE {table} DROP COLUMN \
         {name}, ADD COLUMN {definition};`, fill it, and create the indexes again."
    )
}

/// Returns the sentence that says how to add a column that is missing.
pub(super) fn add_column(ctx: &Context<'_>, column: &ColumnSpec) -> String {
    let table = ctx.facts.quote(&ctx.desired().name.value);
    let Some(definition) = definition(ctx, column) else {
        return "Add the column in a migration of the service.".to_owned();
    };
    let required = definition.contains(" NOT NULL") && !definition.contains(" DEFAULT ");
    let caution = if required {
        " If the table holds rows, add it nullable, fill it, and set it NOT NULL afterwards."
    } else {
        ""
    };
    format!("Run the service's migrations, or `ALTER TABLE {table} ADD COLUMN {definition};`.{caution}")
}

/// Returns the sentence that says how to drop a constraint that the spec does not name. Its live name is left out.
pub(super) fn drop_constraint(ctx: &Context<'_>) -> String {
    if ctx.dialect() == Dialect::Sqlite {
        return "SQLite cannot drop a constraint in place: create the table anew without it.".to_owned();
    }
    let table = ctx.facts.quote(&ctx.desired().name.value);
    format!("Drop it with `ALTER TABLE {table} DROP CONSTRAINT …;`.")
}

/// Returns the sentence that says how to drop a check that the spec does not name. MariaDB names one that is part of a
/// column's definition after the column, and drops it with the definition alone.
pub(super) fn drop_check(ctx: &Context<'_>, check: &str) -> String {
    let is_it = |c: &&ColumnSpec| ctx.facts.same_name(check, ctx.facts.stored_name(&c.name.value));
    match ctx.desired().columns.iter().find(is_it) {
        Some(column) if ctx.dialect() == Dialect::MariaDb => {
            format!(
                "It goes when the column is restated. {}",
                change_column(ctx, column, Change::Restate)
            )
        }
        _ => drop_constraint(ctx),
    }
}

/// Returns the sentence that says how to give the table the spec's primary key.
pub(super) fn set_primary_key(ctx: &Context<'_>, columns: &[String], has_another: bool) -> String {
    let names: Vec<String> = columns.iter().map(|name| ctx.facts.quote(name)).collect();
    let key = format!("PRIMARY KEY ({})", names.join(", "));
    let table = ctx.facts.quote(&ctx.desired().name.value);
    let wanted: Vec<&str> = columns.iter().map(String::as_str).collect();
    if lacks_partition_key(ctx, &wanted) {
        return UNDIVIDED.to_owned();
    }
    match ctx.dialect() {
        Dialect::Sqlite => format!(
            "SQLite cannot change the key in place: create the table anew with `{key}`, and copy the rows into it."
        ),
        _ if has_another => format!(
            "Look for rows that break the spec's key, then write a migration that drops the present one and runs \
             `ALTER TABLE {table} ADD {key};`."
        ),
        _ => format!("Look for rows that break the key, then run `ALTER TABLE {table} ADD {key};`."),
    }
}

/// What to do about a unique key that a partitioned table cannot have.
pub(super) const UNDIVIDED: &str = "While the table is partitioned, a unique key must hold the partition columns: \
    partition by the key itself, or keep the ledger unpartitioned.";

/// Returns whether the table is divided by something that a key does not hold.
pub(super) fn lacks_partition_key(ctx: &Context<'_>, columns: &[&str]) -> bool {
    let holds = |name: &String| {
        let name = name.trim_matches(['"', '`']);
        let mut stored = columns.iter().map(|column| ctx.facts.stored_name(column));
        stored.any(|column| ctx.facts.same_name(name, column))
    };
    let mut open: Vec<&Partitioning> = ctx.table().partitioning.iter().collect();
    while let Some(divided) = open.pop() {
        if !divided.key.iter().all(holds) {
            return true;
        }
        open.extend(divided.partitions.iter().filter_map(|part| part.divided.as_deref()));
    }
    false
}

/// Returns the sentence that says how to make the optimizer use an index again.
pub(super) fn heed_index(ctx: &Context<'_>, wanted: &str, index: &Index) -> String {
    if !ctx.facts.same_name(&index.name, ctx.facts.stored_name(wanted)) {
        return "Make the index visible to the optimizer again.".to_owned();
    }
    let word = match ctx.dialect() {
        Dialect::MariaDb => "NOT IGNORED",
        Dialect::MySql | Dialect::Postgres | Dialect::Sqlite => "VISIBLE",
    };
    let table = ctx.facts.quote(&ctx.desired().name.value);
    format!(
        "Run `ALTER TABLE {table} ALTER INDEX {} {word};`.",
        ctx.facts.quote(wanted)
    )
}

fn postgres(ctx: &Context<'_>, column: &ColumnSpec, name: &str, change: Change<'_>) -> Option<String> {
    let action = match change {
        Change::Type(present) => {
            let wanted = desired_type(ctx, column)?;
            let native = ctx.facts.native_type(&wanted).spelling;
            let using = conversion(&wanted.data, present, name, &native);
            format!("TYPE {native}{using}")
        }
        Change::Collate(collation) => {
            let native = ctx.facts.native_type(&desired_type(ctx, column)?).spelling;
            format!("TYPE {native} COLLATE {}", ctx.facts.quote(collation))
        }
        Change::SetNotNull => "SET NOT NULL".to_owned(),
        Change::DropNotNull => "DROP NOT NULL".to_owned(),
        Change::SetDefault => format!("SET DEFAULT {}", default_sql(ctx.dialect(), column)?),
        Change::DropDefault => "DROP DEFAULT".to_owned(),
        Change::HideDefault => "SET DEFAULT NULL".to_owned(),
        Change::DropGenerated { .. } => "DROP EXPRESSION".to_owned(),
        Change::DropIdentity => "DROP IDENTITY".to_owned(),
        Change::AddIdentity(identity) => format!("ADD GENERATED {} AS IDENTITY", identity_words(identity)),
        Change::SetIdentity(identity) => format!("SET GENERATED {}", identity_words(identity)),
        Change::Restate => return None,
    };
    Some(format!("ALTER COLUMN {name} {action}"))
}

fn identity_words(identity: Identity) -> &'static str {
    match identity {
        Identity::Always => "ALWAYS",
        Identity::ByDefault | Identity::Auto => "BY DEFAULT",
    }
}

/// Returns PostgreSQL's `USING` clause where values cannot be converted without one.
fn conversion(wanted: &DataType, present: &DataType, name: &str, native: &str) -> String {
    match (wanted, present) {
        (DataType::Uuid, DataType::Bytes) => format!(" USING encode({name}, 'hex')::uuid"),
        (DataType::Boolean, DataType::SmallInt | DataType::Integer | DataType::BigInt) => format!(" USING {name} <> 0"),
        (DataType::Timestamp { zoned: true, .. }, DataType::Timestamp { zoned: false, .. }) => {
            format!(" USING {name} AT TIME ZONE 'UTC'")
        }
        (DataType::Varchar(_) | DataType::Text, DataType::Char(_) | DataType::Varchar(_) | DataType::Text) => {
            String::new()
        }
        _ if casts_directly(wanted, present) => format!(" USING {name}::{native}"),
        // Every type is written as a text and read from one, unless a value is none of the other type.
        _ => format!(" USING {name}::text::{native}"),
    }
}

fn casts_directly(wanted: &DataType, present: &DataType) -> bool {
    use DataType::{BigInt, Date, Double, Integer, Json, Jsonb, Numeric, Real, SmallInt, Time, Timestamp};
    let family = |data: &DataType| match data {
        SmallInt | Integer | BigInt | Numeric { .. } | Real | Double => Some(0),
        Timestamp { .. } | Date | Time { .. } => Some(1),
        Json | Jsonb => Some(2),
        _ => None,
    };
    let alike = family(wanted).is_some() && family(wanted) == family(present);
    alike || wanted == present || is_text(wanted) || is_text(present)
}

/// Returns a column's definition as the spec has it, or nothing if the spec does not speak of its type.
fn definition(ctx: &Context<'_>, column: &ColumnSpec) -> Option<String> {
    if ctx.dialect() == Dialect::Sqlite && column.identity.value.stated().is_some() {
        // SQLite numbers rows by this very declaration and by no other.
        return Some(format!("{} INTEGER PRIMARY KEY", ctx.facts.quote(&column.name.value)));
    }
    let wanted = desired_type(ctx, column)?;
    let mut sql = format!(
        "{} {}",
        ctx.facts.quote(&column.name.value),
        ctx.facts.native_type(&wanted).spelling
    );
    if let Some(collation) = ctx.facts.usual_collation(&wanted).filter(|c| c.explicit)
        && let Some(charset) = &collation.charset
    {
        sql.push_str(&format!(" CHARACTER SET {charset} COLLATE {}", collation.name));
    }
    if column.nullable.value.guess() == Some(&false) {
        sql.push_str(" NOT NULL");
    }
    if let Some(default) = default_sql(ctx.dialect(), column) {
        sql.push_str(&format!(" DEFAULT {default}"));
    }
    if let Some(expression) = column.generated.value.stated() {
        sql.push_str(&format!(" GENERATED ALWAYS AS ({expression}) STORED"));
    }
    if let Some(&identity) = column.identity.value.stated() {
        match ctx.dialect() {
            Dialect::Postgres => sql.push_str(&format!(" GENERATED {} AS IDENTITY", identity_words(identity))),
            Dialect::MySql | Dialect::MariaDb => sql.push_str(" AUTO_INCREMENT"),
            Dialect::Sqlite => {}
        }
    }
    Some(sql)
}

fn desired_type(ctx: &Context<'_>, column: &ColumnSpec) -> Option<DesiredType> {
    column.ty.value.guess().and_then(|ty| ty.on(ctx.dialect()))
}

fn default_sql(dialect: Dialect, column: &ColumnSpec) -> Option<String> {
    match column.default.value.stated()? {
        DefaultSpec::None => None,
        DefaultSpec::Sql(sql) => Some(sql.clone()),
        DefaultSpec::Value(Literal::Text(text)) if matches!(dialect, Dialect::MySql | Dialect::MariaDb) => {
            // A backslash escapes what follows it there.
            Some(format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''")))
        }
        DefaultSpec::Value(literal) => Some(literal.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::ColumnPair;
    use crate::finding::Severity;
    use crate::rules::engine::{Check, Draft, Rule, Sink};
    use crate::rules::plant::Plant;
    use crate::rules::testing::{CASE_SENSITIVE, Scene, UNIQUE};
    use crate::rules::unique_missing;
    use crate::schema::PartitionCover;
    use crate::spec::Wanted;

    /// Reports, for the column `Outcome`, how to give it the spec's default and how to restate it.
    static PROBE: Rule = Rule {
        code: "X001",
        name: "probe",
        severity: Severity::Info,
        summary: "shows repairs",
        page: "",
        check: Check::Column(probe),
        plant: Plant::everywhere(|_| {}),
    };

    fn probe(pair: &ColumnPair<'_>, ctx: &Context<'_>, sink: &mut Sink<'_>) {
        let ColumnPair::Both { desired, .. } = *pair else {
            return;
        };
        if desired.name.value == "Outcome" {
            sink.report(Draft {
                severity: Severity::Info,
                object: ctx.path().clone(),
                at: desired.name.at,
                expected: None,
                found: None,
                message: add_column(ctx, desired),
                impact: change_column(ctx, desired, Change::Restate),
                help: change_column(ctx, desired, Change::SetDefault),
            });
        }
    }

    fn default(dialect: Dialect, text: &str) -> Scene {
        Scene::ledger(dialect).wanted_column("Outcome", |c| {
            c.default.value = Wanted::Is(DefaultSpec::Value(Literal::Text(text.to_owned())));
        })
    }

    fn help(scene: &Scene) -> String {
        scene.run_with(&PROBE, &CASE_SENSITIVE).finding().help.raw().to_owned()
    }

    #[test]
    fn values_are_converted_by_a_cast_that_there_is() {
        let using = |wanted: &DataType, present: &DataType| conversion(wanted, present, "x", "t");
        for (wanted, present, expected) in [
            (DataType::Uuid, DataType::BigInt, " USING x::text::t"),
            (DataType::Boolean, DataType::Bit(1), " USING x::text::t"),
            (
                DataType::Integer,
                DataType::Other("int4range".to_owned()),
                " USING x::text::t",
            ),
            (DataType::Integer, DataType::SmallInt, " USING x::t"),
            (DataType::Uuid, DataType::Text, " USING x::t"),
            (DataType::Jsonb, DataType::Json, " USING x::t"),
            (DataType::Boolean, DataType::Integer, " USING x <> 0"),
        ] {
            assert_eq!(using(&wanted, &present), expected, "{present} to {wanted}");
        }
    }

    #[test]
    fn a_key_without_the_partition_columns_cannot_be() {
        let divided = |key: &str| Partitioning {
            strategy: "hash".to_owned(),
            key: vec![key.to_owned()],
            partitions: Vec::new(),
            cover: PartitionCover::Complete,
        };
        let help = |key: &str| {
            let scene = Scene::ledger(Dialect::Postgres)
                .without_index(UNIQUE)
                .table(|table| table.partitioning = Some(divided(key)));
            let said = scene.run(&unique_missing::RULE);
            said.finding().help.raw().to_owned()
        };
        assert!(help("ProcessedOnUtc").contains("partition by the key itself"));
        let possible = help("EventId");
        assert!(possible.contains("CREATE UNIQUE INDEX \"UX_"), "{possible}");
        assert!(!possible.contains("CONCURRENTLY"), "{possible}");
    }

    #[test]
    fn servers_that_change_columns_in_place_get_one_statement() {
        for dialect in [Dialect::Postgres, Dialect::MySql, Dialect::MariaDb] {
            assert_eq!(
                help(&default(dialect, "it's")),
                "Run `ALTER TABLE \"ProcessedIntegrationEvents\" ALTER COLUMN \"Outcome\" SET DEFAULT 'it''s';`."
            );
        }
    }

    #[test]
    fn sqlite_gets_the_way_round() {
        let help = help(&default(Dialect::Sqlite, "Processed"));
        assert!(help.contains("create the table anew"), "{help}");
        assert!(help.contains("NOT NULL DEFAULT 'Processed'"), "{help}");
    }

    #[test]
    fn a_backslash_is_doubled_where_it_escapes() {
        assert!(help(&default(Dialect::MySql, "a\\b")).contains("'a\\\\b'"));
        assert!(help(&default(Dialect::Postgres, "a\\b")).contains("'a\\b'"));
    }

    #[test]
    fn a_definition_restates_every_clause() {
        let scene = default(Dialect::MariaDb, "Processed");
        let said = scene.run_with(&PROBE, &CASE_SENSITIVE);
        let restated = said.finding().impact.raw();
        assert!(
            restated.contains("MODIFY COLUMN \"Outcome\" varchar(40) NOT NULL DEFAULT 'Processed'"),
            "{restated}"
        );
    }

    #[test]
    fn a_column_of_unknown_type_is_left_to_a_migration() {
        let scene = default(Dialect::MariaDb, "x").wanted_column("Outcome", |c| c.ty.value = Wanted::Silent);
        let said = scene.run_with(&PROBE, &CASE_SENSITIVE);
        assert!(said.finding().impact.raw().contains("in a migration"));
        assert!(said.finding().message.raw().contains("in a migration"));
    }
}
