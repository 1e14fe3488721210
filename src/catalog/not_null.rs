//! What keeps NULL out of a column beside its own NOT NULL: a domain, or a check. Pure, and the same for every
//! database: the dialect says which rows a check lets in.

use crate::dialect::{Facts, Given, Row};
use crate::schema::{Check, Column, Domain, NotNullBy, Table};

/// Notes in a table's columns what keeps NULL out of them; their own NOT NULL and the checks are there before.
pub(super) fn note(table: &mut Table, facts: &dyn Facts) {
    for at in 0..table.columns.len() {
        let column = &table.columns[at];
        if column.nullable && column.not_null_by.is_none() {
            let (by, unproved) = keepers(table, column, facts);
            let column = &mut table.columns[at];
            column.nullable = by.is_none();
            column.not_null_unproved = column.not_null_unproved.take().or(unproved).filter(|_| by.is_none());
            column.not_null_by = by;
        }
    }
}

/// Returns what keeps NULL out of a column, and the check that would if older rows had been held to it.
fn keepers(table: &Table, column: &Column, facts: &dyn Facts) -> (Option<NotNullBy>, Option<String>) {
    let stand_in = Column {
        name: Domain::VALUE.to_owned(),
        ..column.clone()
    };
    let mut unproved = None;
    for domain in &column.ty.domains {
        let checks = domain.checks.iter();
        let holding: Vec<&Check> = checks.filter(|c| refuses_null(c, &[], &stand_in, facts)).collect();
        if domain.not_null || holding.iter().any(|check| check.validated) {
            return (Some(NotNullBy::Domain(domain.name.clone())), None);
        }
        unproved = unproved.or_else(|| holding.first().map(|check| check.name.clone()));
    }
    let own = table.checks.iter().filter(|check| check.columns.contains(&column.name));
    for check in own.filter(|check| refuses_null(check, &table.columns, column, facts)) {
        if check.validated {
            return (Some(NotNullBy::Check(check.name.clone())), None);
        }
        unproved = unproved.or_else(|| Some(check.name.clone()));
    }
    (None, unproved)
}

fn refuses_null(check: &Check, columns: &[Column], column: &Column, facts: &dyn Facts) -> bool {
    let row = Row {
        columns,
        known: Some((column, Given::Null)),
    };
    check.enforced && facts.admits(&check.sql, &row) == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::schema::{DataType, NativeType};

    fn check(name: &str, sql: &str) -> Check {
        Check {
            name: name.to_owned(),
            sql: sql.to_owned(),
            columns: vec!["a".to_owned()],
            validated: true,
            enforced: true,
        }
    }

    /// A nullable column `a` under checks, as it is noted.
    fn noted(dialect: Dialect, checks: Vec<Check>, domains: Vec<Domain>) -> Column {
        let mut table = Table::new(None, "t");
        let mut column = Column::plain("a", NativeType::plain(DataType::Text));
        column.nullable = true;
        column.ty.domains = domains;
        table.columns.push(column);
        table.checks = checks;
        note(&mut table, dialect.facts());
        table.columns.remove(0)
    }

    #[test]
    fn a_check_that_is_false_for_null_keeps_it_out_on_every_database() {
        for dialect in Dialect::ALL {
            for (sql, keeps) in [
                ("a IS NOT NULL", true),
                ("(a IS NOT NULL) AND length(a) > 0", true),
                ("NOT (a IS NULL)", true),
                ("coalesce(a, '') <> ''", true),
                ("CASE WHEN a IS NULL THEN 1 = 0 ELSE length(a) > 3 END", true),
                // NULL passes what is unknown of it.
                ("a <> ''", false),
                ("a IN ('x', 'y')", false),
                ("a IS NOT NULL OR b IS NOT NULL", false),
                ("b IS NOT NULL", false),
                ("something(a)", false),
            ] {
                let column = noted(dialect, vec![check("ck", sql)], Vec::new());
                let by = keeps.then(|| NotNullBy::Check("ck".to_owned()));
                assert_eq!((column.not_null_by, column.nullable), (by, !keeps), "{dialect}: {sql}");
            }
        }
    }

    #[test]
    fn what_was_never_validated_holds_for_new_rows_only() {
        let not_valid = Check {
            validated: false,
            ..check("new", "a IS NOT NULL")
        };
        let column = noted(Dialect::Postgres, vec![not_valid.clone()], Vec::new());
        assert_eq!((column.takes_null(), column.refuses_null()), (true, true));
        let both = vec![not_valid.clone(), check("all", "a IS NOT NULL")];
        let column = noted(Dialect::Postgres, both, Vec::new());
        assert_eq!(
            (column.not_null_by, column.not_null_unproved),
            (Some(NotNullBy::Check("all".to_owned())), None)
        );
        let not_enforced = Check {
            enforced: false,
            ..not_valid
        };
        let column = noted(Dialect::Postgres, vec![not_enforced], Vec::new());
        assert!(!column.refuses_null());
    }

    #[test]
    fn a_domain_keeps_null_out_by_its_own_not_null_or_by_a_check() {
        let by_word = Domain {
            not_null: true,
            ..Domain::plain("word")
        };
        let by_check = Domain {
            checks: vec![check("ck", "VALUE IS NOT NULL")],
            ..Domain::plain("checked")
        };
        for (domain, holds) in [
            (Domain::plain("loose"), false),
            (by_word, true),
            (by_check.clone(), true),
        ] {
            let by = holds.then(|| NotNullBy::Domain(domain.name.clone()));
            let chain = vec![Domain::plain("outer"), domain];
            assert_eq!(noted(Dialect::Postgres, Vec::new(), chain).not_null_by, by);
        }
        let mut unproved = by_check;
        unproved.checks[0].validated = false;
        let column = noted(Dialect::Postgres, Vec::new(), vec![unproved]);
        assert_eq!(
            (column.nullable, column.not_null_unproved.as_deref()),
            (true, Some("ck"))
        );
    }
}
