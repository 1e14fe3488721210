//! The catalog of postgres.

use super::{Ask, Catalog, Error, ErrorKind};
use crate::config::DatabaseUrl;

/// Reads the catalog through one read-only snapshot.
pub(super) async fn fetch(_url: &DatabaseUrl, _ask: &Ask) -> Result<Catalog, Error> {
    Err(Error::new(ErrorKind::Unsupported, "not built yet", "wait"))
}
