//! From what a user names to targets: database URLs and their secrets.

mod url;

pub use url::{DatabaseUrl, Scheme, UrlError};
