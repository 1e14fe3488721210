//! From what a user names to targets: database URLs, their secrets, and time limits.

mod choose;
mod environment;
pub mod file;
mod finder;
mod forms;
pub mod glob;
mod interpolate;
mod limit;
mod parameters;
mod passfile;
mod pem;
mod place;
mod redact;
mod relay;
mod secrets;
mod settle;
mod source;
mod target;
mod tls;
mod url;

pub use choose::{Choice, ChoiceError};
pub use environment::Environment;
pub use limit::parse_limit;
pub use place::Place;
pub(crate) use redact::CUT;
pub use redact::redact;
pub use secrets::Secrets;
pub(crate) use settle::scalar;
pub use settle::{Fact, Origin, Overrides, Settled};
pub use source::Source;
pub use target::Target;
pub use tls::{Tls, TlsMode};
pub use url::{DatabaseUrl, Scheme, UrlError};
