//! The result as JSON: the master of every other format.

use std::fmt::Write as _;

use serde::Serialize;

use crate::text::is_deceptive;

/// Renders a report as indented JSON that ends with a newline.
///
/// JSON needs an escape only for quotes, backslashes and the first 32 characters. The others that do something to a
/// screen are escaped as well, so that a result can be looked at in a terminal. They stand in strings only.
///
/// # Errors
///
/// None in practice: every map of a report has text for its keys.
pub fn render(report: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string_pretty(report)?;
    let mut safe = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        if c != '\n' && is_deceptive(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    Ok(safe)
}
