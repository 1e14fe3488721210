//! The tables as a Mermaid diagram of entities.

use std::fmt::Write as _;

use crate::spec::{ColumnSpec, IndexSpec, Spec, TableSpec, Wanted};
use crate::text::Terminal;

/// Writes the diagram, in its fence.
pub(super) fn diagram(spec: &Spec) -> String {
    let mut out = "```mermaid\nerDiagram\n".to_owned();
    for (at, table) in spec.tables.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    t{}[\"{}\"] {{", at + 1, label(&table.name.value));
        for column in &table.columns {
            let _ = writeln!(out, "        {}", attribute(table, column));
        }
        out.push_str("    }\n");
    }
    out.push_str("```\n");
    out
}

fn attribute(table: &TableSpec, column: &ColumnSpec) -> String {
    let name = &column.name.value;
    let ty = match column.ty.value.guess() {
        Some(ty) => match (&ty.any, ty.pins.values().next()) {
            (Some(data), _) | (None, Some(data)) => word(&data.to_string().replace(',', "-")),
            (None, None) => "unknown".to_owned(),
        },
        None => "unknown".to_owned(),
    };
    let mut line = format!("{ty} {}", word(name));
    let keys = keys(table, name);
    if !keys.is_empty() {
        line.push_str(&format!(" {}", keys.join(",")));
    }
    if word(name) != *name {
        line.push_str(&format!(" \"{}\"", label(name)));
    }
    line
}

fn keys(table: &TableSpec, column: &str) -> Vec<&'static str> {
    let in_key = matches!(&table.primary_key.value, Wanted::Is(key) if key.iter().any(|name| name == column));
    let alone = |index: &IndexSpec| {
        index.unique.value && index.predicate.is_none() && index.columns().is_some_and(|columns| columns == [column])
    };
    let mut keys = Vec::new();
    if in_key {
        keys.push("PK");
    }
    if table.indexes.iter().any(alone) {
        keys.push("UK");
    }
    keys
}

/// Makes a word that Mermaid takes for a name or a type.
fn word(text: &str) -> String {
    let mut word: String = text
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '(' | ')') => c,
            _ => '_',
        })
        .collect();
    if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        word.insert(0, '_');
    }
    word
}

/// Writes a text so that it stands between quotes, ends no fence and is no markup: all but letters, digits and blanks by
/// their numbers, as Mermaid reads them.
fn label(text: &str) -> String {
    let mut label = String::new();
    for c in Terminal(text).to_string().chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.') {
            label.push(c);
        } else {
            let _ = write!(label, "#{};", u32::from(c));
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_neither_ends_the_label_nor_the_fence() {
        assert_eq!(label("a\"]\n```b"), "a#34;#93;#92;n#96;#96;#96;b");
        assert_eq!(word("a b\"{"), "a_b__");
        assert_eq!(word("1st"), "_1st");
        assert_eq!(word(""), "_");
    }
}
