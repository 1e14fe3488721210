//! From what a user names to targets: database URLs, their secrets, and time limits.

mod parameters;
mod redact;
mod target;
mod url;

pub use redact::redact;
pub use target::Target;
pub use url::{DatabaseUrl, Scheme, UrlError};
