//! Reads what a view looks at.

use crate::dialect::sqlite::token::{Kind, Token, tokenize};

/// Returns which of the known tables a view reads: names after FROM or JOIN, or after a comma between them.
pub(in crate::catalog::sqlite) fn tables_read(sql: &str, known: &[&str]) -> Vec<String> {
    let Ok(tokens) = tokenize(sql) else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    let mut in_list = false;
    for (at, token) in tokens.iter().enumerate() {
        if token.is("from") || token.is("join") {
            in_list = true;
        } else if ends_list(token) {
            in_list = false;
        }
        let opens = token.is("from") || token.is("join") || (in_list && token.is_symbol(","));
        if opens && let Some(name) = name_after(&tokens[at + 1..]) {
            found.extend(
                known
                    .iter()
                    .filter(|k| k.eq_ignore_ascii_case(&name))
                    .map(|k| (*k).to_owned()),
            );
        }
    }
    found.sort();
    found.dedup();
    found
}

fn ends_list(token: &Token<'_>) -> bool {
    [
        "where",
        "select",
        "group",
        "order",
        "limit",
        "union",
        "except",
        "intersect",
        "on",
        "using",
    ]
    .iter()
    .any(|word| token.is(word))
}

fn name_after(tokens: &[Token<'_>]) -> Option<String> {
    let is_name = |t: &&Token<'_>| matches!(t.kind, Kind::Word | Kind::Quoted | Kind::Text);
    let first = tokens.iter().find(|t| !t.is_symbol("("))?;
    match tokens {
        [_, dot, name, ..] if dot.is_symbol(".") && is_name(&name) => Some(name.unquoted()),
        _ => Some(first).filter(is_name).map(Token::unquoted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_behind_from_and_join_are_read() {
        let known = ["Ledger", "Old", "Outcome", "third"];
        for (sql, tables) in [
            ("CREATE VIEW v AS SELECT Outcome FROM \"Ledger\"", vec!["Ledger"]),
            (
                "CREATE VIEW v AS SELECT a, Outcome FROM main.[ledger] l, old JOIN (third) ON 1",
                vec!["Ledger", "Old", "third"],
            ),
            ("CREATE VIEW v AS SELECT 'FROM Ledger'", vec![]),
            ("CREATE VIEW v AS SELECT 1 FROM x WHERE y IN (1, Outcome)", vec![]),
            ("'open", vec![]),
        ] {
            assert_eq!(tables_read(sql, &known), tables, "{sql}");
        }
    }
}
