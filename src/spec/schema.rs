//! The JSON Schema of spec files.

use serde_json::Value;

use super::grammar::BLOCKS;

/// Makes the JSON Schema of spec files.
pub fn json_schema() -> Value {
    crate::yaml::json_schema("seadrift spec", &BLOCKS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use serde_json::json;

    use super::super::grammar::SPEC;
    use super::super::resolve::resolve;
    use super::*;
    use crate::yaml::grammar::{Block, Form, Key};
    use crate::yaml::{Kind, Node, Problems, SourceFile, parse};

    /// A spec with every key of the format.
    const WHOLE: &str = r#"
version: 1
service: everything
summary: One of each.
owner: Nobody
sources:
  - { title: The book, reviewed: 2026-07-21 }
tables:
  Ledger:
    role: ledger
    status: unused
    confirmed: true
    columns:
      Id: { type: { any: uuid, postgres: uuid, mysql: char(36), mariadb: uuid, sqlite: text, confirmed: false } }
      Number: { type: bigint, identity: always, confirmed: true }
      EventId: { type: uuid, nullable: false }
      Kind: { type: varchar(9), collation: C, compare: bytes, values: [a, 1], default: { value: a, confirmed: false } }
      Twice: { type: integer, generated: { sql: Number * 2, confirmed: true } }
      At: { type: timestamptz, default: { sql: now() } }
    primary_key: [Id]
    indexes:
      UX: { columns: [EventId, { column: Kind, order: desc }], unique: true, nulls_distinct: false, include: [At] }
      IX: { columns: [{ sql: lower(Kind) }], where: Kind <> 'a', confirmed: false }
    checks:
      CK: { sql: Number > 0, confirmed: false }
    ledger:
      event_id: EventId
      recorded_at: At
      staleness_window: 168h
      clock_skew: 5m
      future_dating: 5m
      confirmed: false
    retention: { horizon: 14d, column: At, confirmed: false }
"#;

    fn tree(text: &str) -> Node {
        let mut problems = Problems::new(Arc::new(SourceFile::new("a.yaml", text)));
        parse(&mut problems).unwrap()
    }

    fn is_resolved(tree: &Node) -> Result<(), String> {
        let problems = Problems::new(Arc::new(SourceFile::new("a.yaml", "")));
        resolve(tree, problems)
            .map(drop)
            .map_err(|problems| format!("{problems:?}"))
    }

    /// Reads a tree as an editor's language server does.
    fn to_json(node: &Node) -> Value {
        match &node.kind {
            Kind::List(items) => items.iter().map(to_json).collect(),
            Kind::Map(entries) => {
                let entries = entries.iter().map(|e| (e.key.value.clone(), to_json(&e.value)));
                Value::Object(entries.collect())
            }
            Kind::Scalar { text, plain: true } => match serde_json::from_str(text) {
                Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
                _ if node.is_null() => Value::Null,
                _ => json!(text),
            },
            Kind::Scalar { text, .. } => json!(text),
            Kind::Broken => Value::Null,
        }
    }

    /// Calls `visit` with the path of each key of the grammar that the tree holds.
    fn walk(node: &Node, form: &Form, path: &[String], visit: &mut dyn FnMut(&Block, &Key, &[String])) {
        let below = |name: &str| [path, &[name.to_owned()]].concat();
        match (form, &node.kind) {
            (Form::Block(block), Kind::Map(entries)) => {
                for entry in entries {
                    let key = block.keys.iter().find(|key| key.name == entry.key.value).unwrap();
                    let path = below(key.name);
                    visit(block, key, &path);
                    walk(&entry.value, &key.form, &path, visit);
                }
            }
            (Form::Named(block), Kind::Map(entries)) => {
                for entry in entries {
                    walk(&entry.value, &Form::Block(block), &below(&entry.key.value), visit);
                }
            }
            (Form::List(item), Kind::List(items)) => {
                for (i, node) in items.iter().enumerate() {
                    walk(node, item, &below(&i.to_string()), visit);
                }
            }
            (Form::Fact(inner), _) => walk(node, inner, path, visit),
            (Form::Either(forms), Kind::Map(_)) => forms
                .iter()
                .filter(|form| matches!(form, Form::Block(_)))
                .for_each(|form| walk(node, form, path, visit)),
            _ => {}
        }
    }

    fn at_path<'n>(node: &'n mut Node, path: &[String]) -> &'n mut Node {
        path.iter().fold(node, |node, step| match &mut node.kind {
            Kind::Map(entries) => &mut entries.iter_mut().find(|e| e.key.value == *step).unwrap().value,
            Kind::List(items) => &mut items[step.parse::<usize>().unwrap()],
            _ => panic!("no such path"),
        })
    }

    #[test]
    fn the_program_reads_every_key_of_the_schema_and_both_refuse_the_same_nonsense() {
        let validator = jsonschema::validator_for(&json_schema()).unwrap();
        let whole = tree(WHOLE);
        assert_eq!(is_resolved(&whole), Ok(()));
        assert!(
            validator.is_valid(&to_json(&whole)),
            "{:?}",
            validator.validate(&to_json(&whole))
        );

        let mut paths = Vec::new();
        let mut visited = BTreeSet::new();
        walk(&whole, &Form::Block(&SPEC), &[], &mut |block, key, path| {
            visited.insert((block.name, key.name));
            paths.push(path.to_vec());
        });
        let all: BTreeSet<_> = BLOCKS
            .iter()
            .flat_map(|block| block.keys.iter().map(|key| (block.name, key.name)))
            .collect();
        assert_eq!(visited, all, "the sample does not hold every key");

        let inner = Node {
            at: whole.at,
            kind: Kind::List(Vec::new()),
        };
        for path in paths {
            let mut broken = whole.clone();
            at_path(&mut broken, &path).kind = Kind::List(vec![inner.clone()]);
            assert!(
                is_resolved(&broken).is_err(),
                "the program accepts nonsense at {path:?}"
            );
            assert!(
                !validator.is_valid(&to_json(&broken)),
                "the schema accepts nonsense at {path:?}"
            );
        }
    }

    #[test]
    fn an_unknown_or_missing_key_is_refused_by_both() {
        let validator = jsonschema::validator_for(&json_schema()).unwrap();
        let whole = tree(WHOLE);
        let entry = tree("unheard_of: 1\n");
        let Kind::Map(unheard_of) = entry.kind else {
            panic!("not a map")
        };
        let mut blocks = vec![Vec::new()];
        walk(&whole, &Form::Block(&SPEC), &[], &mut |_, _, path| {
            blocks.push(path[..path.len() - 1].to_vec());
        });
        blocks.dedup();
        for path in blocks {
            let mut broken = whole.clone();
            if let Kind::Map(entries) = &mut at_path(&mut broken, &path).kind {
                entries.extend(unheard_of.clone());
            }
            assert!(is_resolved(&broken).is_err(), "{path:?}");
            assert!(!validator.is_valid(&to_json(&broken)), "{path:?}");
        }
        for key in ["version", "service", "tables"] {
            let mut broken = whole.clone();
            if let Kind::Map(entries) = &mut broken.kind {
                entries.retain(|entry| entry.key.value != key);
            }
            assert!(is_resolved(&broken).is_err(), "{key}");
            assert!(!validator.is_valid(&to_json(&broken)), "{key}");
        }
    }

    #[test]
    fn what_may_be_open_is_open_in_both() {
        let validator = jsonschema::validator_for(&json_schema()).unwrap();
        for facts in [
            "type: unconfirmed",
            "type: { unconfirmed: varchar(9) }",
            "type: { unconfirmed: { any: uuid, mysql: char(36) } }",
            "type: text, nullable: unconfirmed",
            "type: text, nullable: { unconfirmed: true }",
            "type: text, default: unconfirmed",
            "type: text, default: { unconfirmed: none }",
            "type: text, default: { unconfirmed: { value: a } }",
            "type: text, values: { unconfirmed: [a, b] }",
            "type: integer, identity: unconfirmed",
            "type: text, collation: unconfirmed, compare: unconfirmed, generated: unconfirmed",
        ] {
            let spec = tree(&format!(
                "version: 1\nservice: a\ntables:\n  T:\n    columns:\n      C: {{ {facts} }}\n"
            ));
            assert_eq!(is_resolved(&spec), Ok(()), "{facts}");
            assert!(validator.is_valid(&to_json(&spec)), "{facts}");
        }
    }
}
