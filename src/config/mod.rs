//! From what a user names to targets: database URLs, their secrets, and time limits.

mod parameters;
mod place;
mod redact;
mod secrets;
mod target;
mod url;

pub use place::Place;
pub use redact::redact;
pub use secrets::Secrets;
pub use target::Target;
pub use url::{DatabaseUrl, Scheme, UrlError};
