//! Columns: what `information_schema.columns` says of one.

use crate::dialect::Dialect;
use crate::dialect::mysql::{Token, collation, enum_values, parse_type, tokens};
use crate::schema::{Column, DataType, Generated, Identity};

use super::rows::{CheckRow, ColumnRow};

/// Makes a column from its row, given the table's checks and its collation.
pub(super) fn column(row: &ColumnRow, checks: &[&CheckRow], table_collation: Option<&str>, mariadb: bool) -> Column {
    let mut ty = parse_type(&row.ty);
    if checks.iter().any(|check| validates_json(check, &row.name)) && ty.data == DataType::LongText {
        ty.data = DataType::Json;
        ty.spelling = "json".to_owned();
    }
    let extra = row.extra.as_deref().unwrap_or_default().to_ascii_lowercase();
    let generated = row
        .generation
        .clone()
        .filter(|sql| !sql.is_empty())
        .map(|sql| Generated {
            sql: if mariadb { sql } else { unescaped(&sql) },
            stored: extra.contains("stored generated") || extra.contains("persistent"),
        });
    let default_text = if mariadb {
        mariadb_default(row)
    } else {
        mysql_default(row, &extra)
    };
    let default_text = default_text.filter(|_| generated.is_none());
    let dialect = if mariadb { Dialect::MariaDb } else { Dialect::MySql };
    let default = default_text
        .as_deref()
        .and_then(|sql| dialect.facts().default_expr(sql, &ty));
    let is_json = ty.data == DataType::Json;
    Column {
        name: row.name.clone(),
        nullable: row.nullable != "NO",
        not_null_by: None,
        not_null_unproved: None,
        default,
        default_text,
        generated,
        identity: extra.contains("auto_increment").then_some(Identity::Auto),
        on_update: on_update(row.extra.as_deref().unwrap_or_default()),
        collation: row.collation.as_deref().filter(|_| !is_json).map(|name| {
            let explicit = table_collation.is_some_and(|table| !table.eq_ignore_ascii_case(name));
            collation(name, row.charset.as_deref(), explicit)
        }),
        invisible: extra.contains("invisible"),
        not_null_conflict: None,
        allowed_values: enum_values(&row.ty),
        ty,
    }
}

/// MariaDB keeps JSON in LONGTEXT with a check of this very form, which it prints with the column.
pub(super) fn validates_json(check: &CheckRow, column: &str) -> bool {
    check.level.as_deref() == Some("Column")
        && check.name == column
        && matches!(
            &tokens(&check.sql)[..],
            [function, open, Token::Name(name), close]
                if function.is_word("json_valid") && open.is("(") && name == column && close.is(")")
        )
}

/// MariaDB prints defaults as SQL, and `NULL` for a nullable column without one.
fn mariadb_default(row: &ColumnRow) -> Option<String> {
    row.default.clone().filter(|sql| !sql.eq_ignore_ascii_case("null"))
}

/// MySQL prints constants bare and expressions with `DEFAULT_GENERATED` in EXTRA: this puts the quotes back
/// (manual of MySQL 8.0, "The INFORMATION_SCHEMA COLUMNS Table").
fn mysql_default(row: &ColumnRow, extra: &str) -> Option<String> {
    let text = row.default.as_deref()?;
    if extra.contains("default_generated") {
        return Some(unescaped(text));
    }
    let data = parse_type(&row.ty).data;
    let is_time = matches!(data, DataType::Timestamp { .. } | DataType::DateTime { .. });
    let is_bare = match data {
        DataType::Bit(_) => text.starts_with("b'"),
        DataType::Binary(_) | DataType::Varbinary(_) | DataType::Bytes => text.starts_with("0x"),
        _ => is_time && text.to_ascii_lowercase().starts_with("current_timestamp"),
    };
    Some(if is_bare {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
    })
}

/// Takes away the escapes in which MySQL wraps the expressions of its catalog once more: `_utf8mb4\'x\'`.
pub(super) fn unescaped(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut chars = sql.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some('\'' | '"' | '\\') if c == '\\' => out.extend(chars.next()),
            _ => out.push(c),
        }
    }
    out
}

/// Finds `on update current_timestamp(6)` among the words of EXTRA.
fn on_update(extra: &str) -> Option<String> {
    let at = extra.to_ascii_lowercase().find("on update ")?;
    let rest = extra.get(at + "on update ".len()..)?;
    let end = rest.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Clock, DefaultExpr, Literal, TimeForm};
    use serde_json::json;

    fn row(ty: &str, default: Option<&str>, extra: &str) -> ColumnRow {
        serde_json::from_value(json!({
            "table": "T", "name": "c", "default": default, "nullable": "YES", "type": ty, "charset": "utf8mb4",
            "collation": "utf8mb4_bin", "extra": extra, "generation": null
        }))
        .unwrap()
    }

    fn default_of(row: &ColumnRow, mariadb: bool) -> Option<DefaultExpr> {
        column(row, &[], None, mariadb).default
    }

    fn text(t: &str) -> Option<DefaultExpr> {
        Some(DefaultExpr::Literal(Literal::Text(t.to_owned())))
    }

    #[test]
    fn the_two_servers_print_defaults_differently() {
        assert_eq!(default_of(&row("varchar(5)", Some("'x'"), ""), true), text("x"));
        assert_eq!(default_of(&row("varchar(5)", Some("x"), ""), false), text("x"));
        assert_eq!(default_of(&row("varchar(5)", Some("NULL"), ""), true), None);
        assert_eq!(default_of(&row("varchar(5)", Some("NULL"), ""), false), text("NULL"));
        assert_eq!(default_of(&row("varchar(5)", None, ""), false), None);
        assert_eq!(
            default_of(&row("varchar(9)", Some("it's \\ a"), ""), false),
            text("it's \\ a")
        );
        assert_eq!(default_of(&row("varchar(5)", Some("now()"), ""), false), text("now()"));
    }

    #[test]
    fn an_expression_of_mysql_is_told_by_its_mark() {
        let now = Some(DefaultExpr::Now {
            clock: Clock::Statement,
            form: TimeForm::Native,
        });
        assert_eq!(
            default_of(
                &row("datetime(6)", Some("CURRENT_TIMESTAMP(6)"), "DEFAULT_GENERATED"),
                false
            ),
            now
        );
        assert_eq!(
            default_of(&row("datetime(6)", Some("CURRENT_TIMESTAMP(6)"), ""), false),
            now
        );
        assert_eq!(
            default_of(&row("varchar(9)", Some("_utf8mb4\\'x\\'"), "DEFAULT_GENERATED"), false),
            text("x")
        );
        assert_eq!(
            default_of(&row("int", Some("0"), ""), false),
            default_of(&row("int(11)", Some("0"), ""), true)
        );
        assert_eq!(
            default_of(&row("bit(1)", Some("b'1'"), ""), false),
            default_of(&row("bit(1)", Some("b'1'"), ""), true)
        );
    }

    #[test]
    fn mysql_escapes_its_expressions_once_more() {
        assert_eq!(unescaped(r"(`a` <> _utf8mb4\'it\\\'s\')"), r"(`a` <> _utf8mb4'it\'s')");
        assert_eq!(unescaped("(`a` > 1)"), "(`a` > 1)");
    }

    #[test]
    fn extra_holds_what_has_no_column_of_its_own() {
        let facts = column(
            &row("timestamp(6)", None, "on update current_timestamp(6), INVISIBLE"),
            &[],
            None,
            true,
        );
        assert_eq!(facts.on_update.as_deref(), Some("current_timestamp(6)"));
        assert!(facts.invisible);
        let facts = column(
            &row(
                "datetime(6)",
                Some("CURRENT_TIMESTAMP(6)"),
                "DEFAULT_GENERATED on update CURRENT_TIMESTAMP(6)",
            ),
            &[],
            None,
            false,
        );
        assert_eq!(facts.on_update.as_deref(), Some("CURRENT_TIMESTAMP(6)"));
        let facts = column(&row("bigint(20)", None, "auto_increment"), &[], None, true);
        assert_eq!(facts.identity, Some(Identity::Auto));
    }

    #[test]
    fn a_generated_column_has_no_default() {
        let mut generated = row("varchar(50)", Some("NULL"), "STORED GENERATED");
        generated.generation = Some("concat(`a`,'x')".to_owned());
        let facts = column(&generated, &[], None, true);
        assert!(facts.generated.as_ref().is_some_and(|g| g.stored));
        assert_eq!(facts.default, None);
        generated.extra = Some("VIRTUAL GENERATED, INVISIBLE".to_owned());
        assert!(column(&generated, &[], None, true).generated.is_some_and(|g| !g.stored));
    }

    #[test]
    fn json_is_told_by_its_check() {
        let check = |name: &str, sql: &str, level: &str| CheckRow {
            table: "T".to_owned(),
            name: name.to_owned(),
            sql: sql.to_owned(),
            level: Some(level.to_owned()),
            enforced: "YES".to_owned(),
        };
        let longtext = row("longtext", None, "");
        let json = column(&longtext, &[&check("c", "json_valid(`c`)", "Column")], None, true);
        assert_eq!(json.ty.data, DataType::Json);
        assert_eq!(json.collation, None);
        for other in [
            check("c", "json_valid(`d`)", "Column"),
            check("c", "json_valid(`c`) or `c` = ''", "Column"),
            check("CONSTRAINT_1", "json_valid(`c`)", "Table"),
        ] {
            assert_eq!(column(&longtext, &[&other], None, true).ty.data, DataType::LongText);
        }
    }

    #[test]
    fn a_collation_is_explicit_when_the_tables_is_another() {
        let explicit = |table| {
            column(&row("varchar(5)", None, ""), &[], table, true)
                .collation
                .unwrap()
                .explicit
        };
        assert!(explicit(Some("utf8mb4_general_ci")));
        assert!(!explicit(Some("utf8mb4_bin")));
    }
}
