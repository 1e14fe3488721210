//! A spec as a page that people read: Markdown with a Mermaid diagram, and a list of what is still open.
//!
//! Pure, and the same spec gives the same page. Every name is encoded for the place it stands in.

mod diagram;
mod open;
mod page;

pub use page::describe;
