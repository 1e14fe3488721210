//! What happens to rows on their way in: checks, foreign keys, triggers, rules and row security.

use super::rows::{ConstraintRow, PolicyRow, RuleRow, TableRow, TriggerRow};
use super::triggers;
use crate::dialect::postgres::outside_quotes;
use crate::schema::{Check, ForeignKey, PartitionCheck, PartitionNotNull, PartitionRows, RewriteRule, Timing, Trigger};

/// Bits of `pg_trigger.tgtype`.
mod bit {
    pub(super) const ROW: u32 = 1;
    pub(super) const BEFORE: u32 = 1 << 1;
    pub(super) const INSERT: u32 = 1 << 2;
    pub(super) const DELETE: u32 = 1 << 3;
    pub(super) const UPDATE: u32 = 1 << 4;
    pub(super) const TRUNCATE: u32 = 1 << 5;
    pub(super) const INSTEAD: u32 = 1 << 6;
}

/// Returns a table's check constraints.
pub(super) fn checks(table: &TableRow) -> Vec<Check> {
    let own = table
        .constraints
        .iter()
        .filter(|k| k.kind == "c" && k.partition.is_none());
    own.map(check).collect()
}

/// Returns the check constraints of single partitions.
pub(super) fn partition_checks(table: &TableRow) -> Vec<PartitionCheck> {
    let checks = table.constraints.iter().filter(|k| k.kind == "c");
    checks
        .filter_map(|row| {
            Some(PartitionCheck {
                partition: PartitionRows {
                    name: row.partition.clone()?,
                    bound: row.partition_rows.clone(),
                },
                check: check(row),
            })
        })
        .collect()
}

fn check(row: &ConstraintRow) -> Check {
    Check {
        name: row.name.clone(),
        sql: row.sql.clone().unwrap_or_default(),
        columns: row.columns.clone(),
        validated: row.validated,
        enforced: row.enforced,
    }
}

/// Returns the columns that take NULL and do not on a single partition.
pub(super) fn partition_not_nulls(table: &TableRow) -> Vec<PartitionNotNull> {
    let rows = table.partition_not_nulls.iter();
    rows.map(|row| PartitionNotNull {
        partition: PartitionRows {
            name: row.partition.clone(),
            bound: row.rows.clone(),
        },
        column: row.column.clone(),
    })
    .collect()
}

/// Returns the foreign keys from a table.
pub(super) fn foreign_keys(table: &TableRow) -> Vec<ForeignKey> {
    let rows = table.constraints.iter().filter(|k| k.kind == "f");
    rows.map(|k| ForeignKey {
        name: k.name.clone(),
        partition: k.partition.clone(),
        columns: k.columns.clone(),
        referenced_table: k.referenced_table.clone().unwrap_or_default(),
        referenced_columns: k.referenced_columns.clone(),
        on_delete: match k.on_delete.as_deref() {
            Some("c") => "CASCADE",
            Some("n") => "SET NULL",
            Some("d") => "SET DEFAULT",
            Some("r") => "RESTRICT",
            _ => "NO ACTION",
        }
        .to_owned(),
        enforced: k.enforced,
    })
    .collect()
}

/// Makes a trigger of a table of this namespace.
pub(super) fn trigger(row: &TriggerRow, namespace: &str) -> Trigger {
    let has = |bit: u32| row.bits & bit != 0;
    let events = [
        (bit::INSERT, "INSERT"),
        (bit::UPDATE, "UPDATE"),
        (bit::DELETE, "DELETE"),
        (bit::TRUNCATE, "TRUNCATE"),
    ];
    Trigger {
        name: row.name.clone(),
        partition: row.partition.clone(),
        timing: if has(bit::INSTEAD) {
            Timing::InsteadOf
        } else if has(bit::BEFORE) {
            Timing::Before
        } else {
            Timing::After
        },
        events: events
            .iter()
            .filter(|(bit, _)| has(*bit))
            .map(|(_, name)| (*name).to_owned())
            .collect(),
        per_row: has(bit::ROW),
        enabled: fires_ordinarily(&row.enabled),
        condition: if row.conditional {
            condition(&row.definition)
        } else {
            None
        },
        body: row.body.clone(),
        function: Some(row.function.clone()),
        failure: triggers::failure(row, namespace),
    }
}

/// `O` fires in ordinary sessions and `A` always; `R` only in replication, `D` never.
fn fires_ordinarily(enabled: &str) -> bool {
    matches!(enabled, "O" | "A")
}

/// Returns the expression of `WHEN (…)` in a trigger's definition. Names and texts in quotes are passed over.
fn condition(definition: &str) -> Option<String> {
    let start = outside_quotes(definition)
        .find(|(at, depth, _)| *depth == 0 && definition[*at..].starts_with("WHEN ("))
        .map(|(at, ..)| at + "WHEN (".len())?;
    let rest = &definition[start..];
    let end = outside_quotes(rest)
        .find(|(_, depth, c)| *depth == 0 && *c == ')')
        .map(|(at, ..)| at)?;
    Some(rest[..end].to_owned())
}

/// Makes a rewrite rule.
pub(super) fn rule(row: &RuleRow) -> RewriteRule {
    RewriteRule {
        name: row.name.clone(),
        event: match row.event.as_str() {
            "2" => "UPDATE",
            "3" => "INSERT",
            "4" => "DELETE",
            _ => "SELECT",
        }
        .to_owned(),
        instead: row.instead,
        enabled: fires_ordinarily(&row.enabled),
        definition: row.definition.clone(),
    }
}

/// Says a row security policy in words.
pub(super) fn policy(row: &PolicyRow) -> String {
    let command = match row.command.as_str() {
        "r" => "SELECT",
        "a" => "INSERT",
        "w" => "UPDATE",
        "d" => "DELETE",
        _ => "ALL",
    };
    let force = if row.permissive { "permissive" } else { "restrictive" };
    format!("{} ({force}, for {command}, to {})", row.name, row.roles.join(", "))
}

/// Returns whether policies show every role every row, and take every row of every role.
pub(super) fn is_open(policies: &[PolicyRow]) -> bool {
    let yes = |condition: &Option<String>| condition.as_deref() == Some("true");
    let shows = |row: &PolicyRow| yes(&row.shown);
    let takes = |row: &PolicyRow| {
        if row.taken.is_some() {
            yes(&row.taken)
        } else {
            yes(&row.shown)
        }
    };
    let of = |row: &PolicyRow, command: &str| row.command == "*" || row.command == command;
    let to_all = |row: &&PolicyRow| row.permissive && row.roles.iter().any(|role| role == "public");
    let open = || policies.iter().filter(to_all);
    let narrows =
        |row: &&PolicyRow| !row.permissive && ((of(row, "r") && !shows(row)) || (of(row, "a") && !takes(row)));
    open().any(|row| of(row, "r") && shows(row))
        && open().any(|row| of(row, "a") && takes(row))
        && !policies.iter().any(|row| narrows(&row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trigger_row(bits: u32, enabled: &str, definition: &str) -> Trigger {
        let row = TriggerRow {
            name: "t".to_owned(),
            partition: None,
            bits,
            enabled: enabled.to_owned(),
            conditional: definition.contains("WHEN"),
            definition: definition.to_owned(),
            function: "f".to_owned(),
            body: None,
            language: "plpgsql".to_owned(),
            definer: None,
            settings: Vec::new(),
            relations: Vec::new(),
            routines: Vec::new(),
        };
        trigger(&row, "public")
    }

    #[test]
    fn bits_say_when_a_trigger_fires() {
        let before = trigger_row(7, "O", "");
        assert_eq!((before.timing, before.per_row), (Timing::Before, true));
        assert_eq!(before.events, ["INSERT"]);
        let after = trigger_row(4 + 16 + 8, "A", "");
        assert_eq!((after.timing, after.per_row), (Timing::After, false));
        assert_eq!(after.events, ["INSERT", "UPDATE", "DELETE"]);
        assert_eq!(trigger_row(69, "O", "").timing, Timing::InsteadOf);
        for (enabled, fires) in [("O", true), ("A", true), ("R", false), ("D", false)] {
            assert_eq!(trigger_row(7, enabled, "").enabled, fires, "{enabled}");
        }
    }

    #[test]
    fn a_condition_is_read_behind_hostile_names() {
        let definition = r#"CREATE TRIGGER "x WHEN (1) " BEFORE INSERT ON public."T" FOR EACH ROW WHEN ((new."A)" = ')'::text)) EXECUTE FUNCTION f()"#;
        assert_eq!(
            trigger_row(7, "O", definition).condition.as_deref(),
            Some(r#"(new."A)" = ')'::text)"#)
        );
        let escaped =
            r"CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW WHEN ((new.a = E'\')'::text)) EXECUTE FUNCTION f()";
        assert_eq!(
            trigger_row(7, "O", escaped).condition.as_deref(),
            Some(r"(new.a = E'\')'::text)")
        );
    }

    #[test]
    fn a_policy_is_said_in_words() {
        let row = PolicyRow {
            name: "tenant".to_owned(),
            command: "a".to_owned(),
            permissive: false,
            shown: None,
            taken: None,
            roles: vec!["app".to_owned(), "public".to_owned()],
        };
        assert_eq!(policy(&row), "tenant (restrictive, for INSERT, to app, public)");
    }
}
