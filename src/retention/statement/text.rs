//! Functions that make texts: what is built of constants is read as if it stood there.

use sqlparser::ast::Expr;

use super::value::{Scope, Value};
use crate::dialect::Dialect;

impl Scope<'_> {
    /// Evaluates a function that makes a text.
    pub(super) fn text_of(&self, name: &str, args: &[&Expr]) -> Option<Value> {
        let postgres = self.dialect == Dialect::Postgres;
        let text = |at: usize| self.text(args.get(at)?);
        let made = match (name, args.len()) {
            ("concat", 1..) => args.iter().map(|arg| self.text(arg)).collect::<Option<String>>()?,
            ("concat_ws", 2..) => {
                let parts: Option<Vec<String>> = args[1..].iter().map(|arg| self.text(arg)).collect();
                parts?.join(&text(0)?)
            }
            ("lower", 1) => text(0)?.to_lowercase(),
            ("upper", 1) => text(0)?.to_uppercase(),
            ("trim" | "btrim", 1) => text(0)?.trim().to_owned(),
            ("quote_ident", 1) if postgres => identifier(&text(0)?),
            ("quote_literal" | "quote_nullable", 1) if postgres => literal(&text(0)?),
            ("format", 1..) if postgres => {
                let parts: Option<Vec<String>> = args[1..].iter().map(|arg| self.text(arg)).collect();
                format(&text(0)?, &parts?)?
            }
            _ => return None,
        };
        Some(Value::Text(made))
    }

    fn text(&self, expr: &Expr) -> Option<String> {
        match self.value(expr) {
            Value::Text(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

/// Fills `%I`, `%L`, `%s` and `%2$I` in, as `format()` of PostgreSQL does; nothing where a value is missing.
fn format(pattern: &str, values: &[String]) -> Option<String> {
    let mut made = String::new();
    let mut next = 0;
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        made.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(tail) = rest.strip_prefix('%') {
            made.push('%');
            rest = tail;
            continue;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if rest[digits..].starts_with('$') {
            next = rest[..digits].parse::<usize>().ok()?.checked_sub(1)?;
            rest = &rest[digits + 1..];
        }
        let value = values.get(next)?;
        next += 1;
        made.push_str(&match rest.chars().next()? {
            'I' => identifier(value),
            'L' => literal(value),
            's' => value.clone(),
            _ => return None,
        });
        rest = &rest[1..];
    }
    Some(made + rest)
}

/// Quotes a name if it needs it. A word of the language is quoted by the server, and means the same.
fn identifier(name: &str) -> String {
    let bare = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.chars().all(bare) && name.starts_with(|c: char| !c.is_ascii_digit()) {
        name.to_owned()
    } else {
        Dialect::Postgres.facts().quote(name)
    }
}

fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    // A backslash needs the form in which it stands for itself.
    match quoted.contains('\\') {
        true => format!("E'{}'", quoted.replace('\\', "\\\\")),
        false => format!("'{quoted}'"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_pattern_is_filled_in_as_the_server_does_it() {
        let filled = |pattern: &str, values: &[&str]| {
            let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
            super::format(pattern, &values)
        };
        for (pattern, values, made) in [
            ("DELETE FROM %I", &["Ledger"][..], r#"DELETE FROM "Ledger""#),
            ("%I.%I", &["public", "a\"b"], r#"public."a""b""#),
            ("%s %% %L", &["x", "it's"], "x % 'it''s'"),
            ("%2$s%1$s", &["a", "b"], "ba"),
            ("%2$s%s", &["a", "b", "c"], "bc"),
        ] {
            assert_eq!(filled(pattern, values).as_deref(), Some(made), "{pattern}");
        }
        assert_eq!(filled("%I", &[]), None);
        assert_eq!(filled("%x", &["a"]), None);
        assert_eq!(filled("%", &["a"]), None);
    }
}
