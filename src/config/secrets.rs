//! What the program knows and must not say.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::redact;

/// The secrets of a run. Clones share what they know, so that a password obtained late is kept out of what is written
/// later, wherever it is written.
#[derive(Clone, Default)]
pub struct Secrets(Arc<RwLock<BTreeSet<String>>>);

impl Secrets {
    /// Remembers forms of a secret, as [`DatabaseUrl::secrets`](super::DatabaseUrl::secrets) tells them.
    pub fn extend<S: Into<String>>(&self, forms: impl IntoIterator<Item = S>) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.extend(forms.into_iter().map(Into::into));
    }

    /// Returns a text with every known secret in it masked.
    pub fn mask(&self, text: &str) -> String {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let known: Vec<&String> = known.iter().collect();
        redact(text, &known)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_what_they_know_and_none_tells_it() {
        let secrets = Secrets::default();
        let other = secrets.clone();
        other.extend(["S3cr3t-canary"]);
        assert_eq!(secrets.mask("login with S3cr3t-canary failed"), "login with *** failed");
        assert!(!format!("{secrets:?}").contains("canary"));
    }
}
