//! The report as one page in one file, for people: it needs no network, no script and no style sheet.
//!
//! Everything is written into the page by this program. The script only filters, opens and copies; with scripts off the
//! page is complete, without its style it reads from top to bottom. A policy in the page lets no other script and no
//! other style run, and nothing be fetched, whatever a name in the database says.

/// Writes to a string, which cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        use std::fmt::Write as _;
        let _ = write!($out, $($arg)*);
    }};
}

mod assets;
mod chapter;
mod difference;
mod encode;
mod evidence;
mod excuses;
mod filters;
mod finding;
mod fleet;
mod guide;
mod headline;
mod overview;
mod page;
mod pair;
mod sentence;
mod target;

pub use page::render;
pub(super) use page::write;

use encode::{Attribute, Content};

use super::format::Setting;
use crate::finding::Location;

/// A sign and the blank before the word that says the same; so the sign is hidden from readers that speak.
struct Icon(&'static str);

impl std::fmt::Display for Icon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.0;
        write!(
            f,
            "<svg class=\"i\" width=\"12\" height=\"12\" aria-hidden=\"true\"><use href=\"#i-{name}\"/></svg> "
        )
    }
}

/// Writes a place in a file, and links to it where it is known to be on the web.
fn place(at: &Location, setting: &Setting<'_>) -> String {
    let shown = code(&format!("{}:{}", setting.path(&at.file), at.line));
    match setting.address(at) {
        Some(address) => format!(
            "<a href=\"{}\" rel=\"noopener noreferrer\">{shown}</a>",
            Attribute(&address)
        ),
        None => shown,
    }
}

/// Writes code.
fn code(text: &str) -> String {
    format!("<code>{}</code>", Content(text))
}
