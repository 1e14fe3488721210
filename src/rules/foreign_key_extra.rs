//! W003: a foreign key that the spec does not speak of.

use crate::finding::Severity;
use crate::schema::{ForeignKey, Part};

use super::{Check, Context, Draft, Plant, Rule, Sink, repair, wording};

/// The rule.
pub(super) static RULE: Rule = Rule {
    code: "W003",
    name: "foreign-key-extra",
    severity: Severity::Critical,
    summary: "a foreign key ties rows to another table",
    page: include_str!("foreign_key_extra.md"),
    check: Check::Table(check),
    plant: Plant::everywhere(|ground| {
        ground.table().foreign_keys.push(ForeignKey {
            name: "FK_Tenant".to_owned(),
            partition: None,
            columns: vec!["TenantId".to_owned()],
            referenced_table: "Tenants".to_owned(),
            referenced_columns: vec!["Id".to_owned()],
            on_delete: "CASCADE".to_owned(),
            enforced: true,
        });
    }),
};

fn check(context: &Context<'_>, sink: &mut Sink<'_>) {
    let Some(table) = context.pair.table else { return };
    for (key, partitions) in grouped(&table.foreign_keys) {
        let ledger = context.desired().is_ledger();
        let cascades = key.on_delete.eq_ignore_ascii_case("cascade");
        let impact = match (ledger, cascades) {
            (true, true) => format!(
                "An event whose row in `{0}` is missing cannot be recorded, and deleting a row of `{0}` deletes ledger rows: their events become new again.",
                key.referenced_table
            ),
            (true, false) => format!(
                "An event whose row in `{}` is missing cannot be recorded, and is processed again on each redelivery.",
                key.referenced_table
            ),
            (false, _) => format!("A row whose row in `{}` is missing is refused.", key.referenced_table),
        };
        sink.report(Draft {
            // A cascade forgets events too early.
            severity: if ledger && cascades {
                Severity::Critical
            } else {
                Severity::Warning
            },
            object: context.path().with(Part::Constraint(key.name.clone())),
            at: context.desired().name.at,
            expected: None,
            found: Some(format!(
                "({}) references {} on delete {}",
                key.columns.join(", "),
                referenced(key),
                key.on_delete.to_lowercase()
            )),
            message: format!(
                "the foreign key `{}`{} to `{}` is not in the spec",
                key.name,
                wording::on_partitions(&partitions),
                key.referenced_table
            ),
            impact,
            help: format!(
                "{} A ledger records what came in, whatever else is known.",
                repair::drop_constraint(context)
            ),
        });
    }
}

/// Names what a key refers to. One that names no columns (SQLite) means the primary key.
fn referenced(key: &ForeignKey) -> String {
    match key.referenced_columns.is_empty() {
        true => key.referenced_table.clone(),
        false => format!("{} ({})", key.referenced_table, key.referenced_columns.join(", ")),
    }
}

/// Returns the keys in force. Those that many partitions have alike are one, with the partitions' names.
fn grouped(keys: &[ForeignKey]) -> Vec<(&ForeignKey, Vec<&str>)> {
    let mut groups: Vec<(&ForeignKey, Vec<&str>)> = Vec::new();
    for key in keys.iter().filter(|key| key.enforced) {
        let alike = |other: &ForeignKey| {
            other.partition.is_some()
                && other.columns == key.columns
                && other.referenced_table == key.referenced_table
                && other.referenced_columns == key.referenced_columns
                && other.on_delete == key.on_delete
        };
        let partition = key.partition.as_deref();
        match groups.iter_mut().find(|(first, _)| partition.is_some() && alike(first)) {
            Some((_, names)) => names.extend(partition),
            None => groups.push((key, partition.into_iter().collect())),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::rules::testing::Scene;
    use crate::spec::Role;

    fn key(on_delete: &str) -> Scene {
        Scene::ledger(Dialect::MariaDb).table(|table| {
            table.foreign_keys.push(ForeignKey {
                name: "FK_Tenant".to_owned(),
                partition: None,
                columns: vec!["TenantId".to_owned()],
                referenced_table: "Tenants".to_owned(),
                referenced_columns: vec!["Id".to_owned()],
                on_delete: on_delete.to_owned(),
                enforced: true,
            });
        })
    }

    #[test]
    fn a_table_on_its_own_is_quiet() {
        Scene::ledger(Dialect::Postgres).run(&RULE).assert_quiet();
    }

    #[test]
    fn a_foreign_key_is_a_warning_and_a_cascade_on_a_ledger_forgets_events() {
        for (role, on_delete, severity) in [
            (Role::Ledger, "NO ACTION", Severity::Warning),
            (Role::Ledger, "RESTRICT", Severity::Warning),
            (Role::Ledger, "CASCADE", Severity::Critical),
            (Role::Ledger, "cascade", Severity::Critical),
            (Role::Outbox, "CASCADE", Severity::Warning),
            (Role::Plain, "CASCADE", Severity::Warning),
        ] {
            let said = key(on_delete).role(role).run(&RULE);
            assert_eq!(said.severity(), severity, "{role:?} {on_delete}");
        }
    }

    #[test]
    fn the_finding_names_both_ends() {
        let scene = key("SET NULL");
        let said = scene.run(&RULE);
        let finding = said.finding();
        assert_eq!(
            finding.message.raw(),
            "the foreign key `FK_Tenant` to `Tenants` is not in the spec"
        );
        assert_eq!(
            finding.found.as_ref().unwrap().raw(),
            "(TenantId) references Tenants (Id) on delete set null"
        );
        assert_eq!(finding.object.part, Some(Part::Constraint("FK_Tenant".to_owned())));
        assert_eq!(finding.location.line, scene.spec_table().name.at.line);
    }

    #[test]
    fn a_key_that_names_no_columns_has_no_empty_list_of_them() {
        let scene = key("NO ACTION").table(|table| table.foreign_keys[0].referenced_columns.clear());
        let said = scene.run(&RULE);
        let found = said.finding().found.as_ref().unwrap().raw();
        assert_eq!(found, "(TenantId) references Tenants on delete no action");
    }

    #[test]
    fn a_key_that_is_not_enforced_is_quiet() {
        key("CASCADE")
            .table(|table| table.foreign_keys[0].enforced = false)
            .run(&RULE)
            .assert_quiet();
    }

    #[test]
    fn an_unconfirmed_table_never_fails() {
        let scene = key("CASCADE").wanted(|t| t.confirmed = false);
        assert!(scene.run(&RULE).open().found.raw().contains("references Tenants"));
    }
}
