//! The JSON Schema of a result, published in `docs/`.

use schemars::generate::SchemaSettings;

use crate::report::Report;

/// Identity of the schema: the major version of the format, within which fields are only added.
const ID: &str = "urn:seadrift:result:1";

/// Renders the JSON Schema of the result, ending with a newline.
///
/// # Errors
///
/// None in practice: a schema is plain JSON.
pub fn render() -> Result<String, serde_json::Error> {
    // What is written is described, so that a field that is always there is a required one.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<Report>();
    schema.insert("$id".to_owned(), ID.into());
    schema.insert("title".to_owned(), "Result of a seadrift run".into());
    let mut text = serde_json::to_string_pretty(&schema)?;
    text.push('\n');
    Ok(text)
}
