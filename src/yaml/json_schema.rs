//! The JSON Schema of a format, made from the key tables of the grammar.
//!
//! Draft 7, since the language servers of editors know it best.

use serde_json::{Map, Value, json};

use super::grammar::{Block, Form, Key, UNCONFIRMED};

/// Types that an editor offers; others are accepted as well.
const COMMON_TYPES: [&str; 15] = [
    "uuid",
    "varchar(160)",
    "text",
    "smallint",
    "integer",
    "bigint",
    "boolean",
    "timestamptz",
    "timestamp",
    "date",
    "numeric(18,2)",
    "double",
    "bytea",
    "jsonb",
    "json",
];

/// Makes the JSON Schema of a format from its blocks, of which the first one is the whole file.
pub(crate) fn json_schema(title: &str, blocks: &[&Block]) -> Value {
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
    });
    let Some((whole, rest)) = blocks.split_first() else {
        return schema;
    };
    let definitions: Map<String, Value> = rest
        .iter()
        .map(|block| (definition_name(block), block_schema(block)))
        .collect();
    if let (Some(schema), Value::Object(root)) = (schema.as_object_mut(), block_schema(whole)) {
        schema.extend(root);
        if !definitions.is_empty() {
            schema.insert("definitions".to_owned(), Value::Object(definitions));
        }
    }
    schema
}

/// Names a block among the definitions: `a part of a key` is `part-of-a-key`.
fn definition_name(block: &Block) -> String {
    let name = block.name;
    let name = name.strip_prefix("an ").or(name.strip_prefix("a ")).unwrap_or(name);
    name.replace(' ', "-")
}

fn block_schema(block: &Block) -> Value {
    let properties: Map<String, Value> = block
        .keys
        .iter()
        .map(|key| (key.name.to_owned(), key_schema(key)))
        .collect();
    let required: Vec<&str> = block
        .keys
        .iter()
        .filter(|key| key.required)
        .map(|key| key.name)
        .collect();
    let mut schema = json!({
        "description": block.about,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !block.one_of.is_empty() {
        let choices: Vec<Value> = block.one_of.iter().map(|name| json!({ "required": [name] })).collect();
        schema["oneOf"] = json!(choices);
    } else if required.is_empty() {
        schema["minProperties"] = json!(1);
    }
    schema
}

fn key_schema(key: &Key) -> Value {
    let mut schema = form_schema(&key.form);
    // Draft 7 ignores what stands beside a reference.
    if schema.get("$ref").is_some() {
        schema = json!({ "allOf": [schema] });
    }
    schema["description"] = json!(key.about);
    schema
}

fn form_schema(form: &Form) -> Value {
    match form {
        Form::Version => json!({ "const": 1 }),
        Form::Text => json!({ "type": ["string", "number", "boolean"], "pattern": "\\S" }),
        // YAML reads names like `1e3` as numbers; the program keeps their text.
        Form::Name | Form::Constant => json!({ "type": ["string", "number", "boolean"] }),
        Form::Date => json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
        Form::Boolean => json!({ "type": "boolean" }),
        Form::Duration => json!({
            "type": ["string", "integer"],
            "pattern": "^([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$\
                        |^P([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$|^0$",
            "minLength": 1,
            "minimum": 0,
            "maximum": 0,
            "examples": ["168h", "14d", "5m", "P14D"],
        }),
        Form::Limit => json!({ "type": "string", "pattern": "^[0-9]+(ms|s|m|h)$", "examples": ["500ms", "10s", "5m"] }),
        Form::Count => json!({ "type": "integer", "minimum": 1 }),
        Form::Type => json!({ "anyOf": [
            { "enum": COMMON_TYPES },
            { "type": "string", "pattern": "^ *[A-Za-z][A-Za-z0-9 ]*(\\([0-9, ]*\\)[A-Za-z ]*)?$" },
        ] }),
        Form::Word(words) => json!({ "enum": words.names() }),
        Form::List(item) => json!({ "type": "array", "minItems": 1, "items": form_schema(item) }),
        Form::Items(item) => json!({ "type": "array", "items": form_schema(item) }),
        Form::Block(block) => json!({ "$ref": format!("#/definitions/{}", definition_name(block)) }),
        Form::Named(block) => json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "minLength": 1 },
            "additionalProperties": form_schema(&Form::Block(block)),
        }),
        Form::Pairs(form) => json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "minLength": 1 },
            "additionalProperties": form_schema(form),
        }),
        Form::Chosen(words, form) => {
            let form = form_schema(form);
            let properties: Map<String, Value> = words
                .names()
                .into_iter()
                .map(|name| (name.to_owned(), form.clone()))
                .collect();
            json!({ "type": "object", "minProperties": 1, "additionalProperties": false, "properties": properties })
        }
        Form::Either(forms) => {
            let choices: Vec<Value> = forms.iter().map(form_schema).collect();
            json!({ "anyOf": choices })
        }
        Form::Fact(inner) => {
            let inner = form_schema(inner);
            json!({ "anyOf": [
                inner,
                { "const": UNCONFIRMED },
                {
                    "type": "object",
                    "description": "An open fact with the present guess.",
                    "additionalProperties": false,
                    "required": [UNCONFIRMED],
                    "properties": { UNCONFIRMED: inner },
                },
            ] })
        }
    }
}
