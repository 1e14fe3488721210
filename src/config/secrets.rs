//! What the program knows and must not say.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use secrecy::ExposeSecret as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::DatabaseUrl;
use super::finder::Finder;
use super::forms::forms;
use super::redact::{redact, redact_parts};

/// What stands in place of a secret.
pub(super) const MASK: &str = "***";

/// The secrets of a run. Clones share what they know, so that a password obtained late is kept out of what is written
/// later, wherever it is written.
#[derive(Clone, Default)]
pub struct Secrets(Arc<RwLock<Known>>);

#[derive(Default)]
struct Known {
    /// The secrets in all their forms.
    forms: BTreeSet<String>,
    /// Words that are shown anyhow.
    public: BTreeSet<String>,
}

impl Known {
    /// Returns what must not be shown. A secret that equals a public word is none: masking it would hide nothing.
    fn hidden(&self) -> Vec<&String> {
        self.forms.difference(&self.public).collect()
    }
}

impl Secrets {
    /// Remembers a secret in all its forms.
    pub fn add(&self, secret: &str) {
        self.extend(forms(secret, &[]).iter().map(|form| form.expose_secret()));
    }

    /// Remembers the password of a URL, and its parts that are none.
    pub fn learn(&self, url: &DatabaseUrl) {
        self.extend(url.secrets());
        self.write().public.extend(url.public().iter().cloned());
    }

    /// Remembers forms of a secret.
    fn extend<S: Into<String>>(&self, forms: impl IntoIterator<Item = S>) {
        self.write().forms.extend(forms.into_iter().map(Into::into));
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a text with every known secret in it masked.
    pub fn mask(&self, text: &str) -> String {
        redact(text, &self.read().hidden())
    }

    /// Returns a text that holds words of others, servers above all, without known secrets and without parts of them.
    pub fn mask_parts(&self, text: &str) -> String {
        let text = self.mask(text);
        let known = self.read();
        let public: Vec<&String> = known.public.iter().collect();
        redact_parts(&text, &known.hidden(), &public)
    }

    /// Lets something write, and masks every secret that is known by now in what it writes.
    ///
    /// # Errors
    ///
    /// What is written to fails.
    pub fn filter(&self, out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let Some(finder) = self.finder() else {
            return write(out);
        };
        let mut filter = Filter::new(finder, out);
        write(&mut filter)?;
        filter.finish()
    }

    /// Returns a result without the secrets that are known by now; nothing if it holds none. Writers wrap and encode
    /// texts, so that what they have written may no longer be recognised.
    pub fn scrub<T: Serialize + DeserializeOwned>(&self, result: &T) -> Option<T> {
        let finder = self.finder()?;
        let mut detector = Detector::default();
        let mut filter = Filter::new(self.finder()?, &mut detector);
        serde_json::to_writer(&mut filter, result).ok()?;
        filter.finish().ok()?;
        if !detector.found {
            return None;
        }
        let mut value = serde_json::to_value(result).ok()?;
        scrub(&mut value, &finder);
        serde_json::from_value(value).ok()
    }

    /// Returns what finds the secrets; nothing if there are none.
    ///
    /// Results hold much that is no secret: a short or common word would be masked in the middle of others, and a
    /// number would be no number any more.
    fn finder(&self) -> Option<Finder> {
        const SHORTEST: usize = 6;
        const SHORTEST_NUMBER: usize = 10;
        let is_long_enough = |secret: &&String| match secret.bytes().all(|byte| byte.is_ascii_digit()) {
            true => secret.len() >= SHORTEST_NUMBER,
            false => secret.chars().count() >= SHORTEST,
        };
        Finder::new(self.read().hidden().into_iter().filter(is_long_enough))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(…)")
    }
}

/// Masks the texts of a JSON value, and leaves its structure alone.
fn scrub(value: &mut Value, finder: &Finder) {
    match value {
        Value::String(text) => {
            if let Some(masked) = finder.mask(text) {
                *text = masked;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| scrub(item, finder)),
        Value::Object(fields) => fields.values_mut().for_each(|field| scrub(field, finder)),
        _ => {}
    }
}

/// Takes what a filter writes, and tells whether it has masked something.
#[derive(Default)]
struct Detector {
    found: bool,
}

impl Write for Detector {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The filter writes its mask by itself, between what it lets through.
        self.found |= bytes == MASK.as_bytes();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Masks what passes through it.
struct Filter<'w> {
    finder: Finder,
    out: &'w mut dyn Write,
    held: Vec<u8>,
}

impl<'w> Filter<'w> {
    /// So much is collected before it is searched.
    const ENOUGH: usize = 64 * 1024;

    fn new(finder: Finder, out: &'w mut dyn Write) -> Self {
        Self {
            finder,
            out,
            held: Vec::new(),
        }
    }

    /// Passes on what is held, except for an end in which a secret may have begun.
    fn pass(&mut self, is_end: bool) -> io::Result<()> {
        let undecided = match is_end {
            true => self.held.len(),
            false => (self.held.len() + 1).saturating_sub(self.finder.longest()),
        };
        let mut passed = 0;
        while let Some(found) = self.finder.next(&self.held, passed)
            && found.start < undecided
        {
            self.out.write_all(&self.held[passed..found.start])?;
            self.out.write_all(MASK.as_bytes())?;
            passed = found.end;
        }
        let end = undecided.max(passed);
        self.out.write_all(&self.held[passed..end])?;
        self.held.drain(..end);
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.pass(true)
    }
}

impl Write for Filter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if self.held.len() >= Self::ENOUGH + self.finder.longest() {
            self.pass(false)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filtered(secrets: &Secrets, pieces: &[&str]) -> String {
        let mut out = Vec::new();
        let written = secrets.filter(&mut out, |out| {
            pieces.iter().try_for_each(|piece| out.write_all(piece.as_bytes()))
        });
        written.unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn clones_share_what_they_know_and_none_tells_it() {
        let secrets = Secrets::default();
        let other = secrets.clone();
        other.add("S3cr3t-canary");
        assert_eq!(secrets.mask("login with S3cr3t-canary failed"), "login with *** failed");
        assert!(!format!("{secrets:?}").contains("canary"));
    }

    #[test]
    fn a_password_that_equals_the_user_is_not_masked_away_wherever_it_was_learned() {
        let secrets = Secrets::default();
        secrets.add("notification");
        assert_eq!(secrets.mask("of notification"), "of ***");
        let url = DatabaseUrl::parse("mysql://notification:notification@db/ledger").unwrap();
        secrets.learn(&url);
        assert_eq!(secrets.mask_parts("of notification"), "of notification");
        assert_eq!(filtered(&secrets, &["of notification"]), "of notification");
    }

    #[test]
    fn what_a_server_cuts_is_masked_too() {
        let secrets = Secrets::default();
        secrets.learn(&DatabaseUrl::parse("mysql://notification:notification-S3cr3t@db/ledger").unwrap());
        let shown = secrets.mask_parts("user notification, near 'cation-S3cr': notification-S3cr3t");
        assert_eq!(shown, "user notification, near '***': ***");
    }

    #[test]
    fn a_secret_is_masked_in_every_encoding() {
        let secrets = Secrets::default();
        secrets.add("p\"@<w>/d'7");
        for text in [
            "p\"@<w>/d'7",
            "p%22%40%3Cw%3E%2Fd%277",
            "p\\\"@<w>/d'7",
            "p&quot;@&lt;w&gt;/d&#39;7",
            "cCJAPHc+L2QnNw==",
            "cCJAPHc-L2QnNw",
        ] {
            let shown = filtered(&secrets, &["a ", text, " b"]);
            assert!(shown.starts_with("a ***") && shown.ends_with(" b"), "{text}: {shown}");
        }
    }

    #[test]
    fn words_and_numbers_of_a_result_stay() {
        let secrets = Secrets::default();
        for common in ["error", "12345", "123456789"] {
            secrets.add(common);
        }
        let text = "{\"severity\": \"error\", \"line\": 12345, \"rows\": 123456789}";
        assert_eq!(filtered(&secrets, &[text]), text);
    }

    #[test]
    fn a_result_is_scrubbed_before_it_is_written() {
        let secrets = Secrets::default();
        secrets.add("S3cr3t \"canary\"");
        let result = serde_json::json!({ "found": ["default S3cr3t \"canary\""], "line": 3 });
        let scrubbed = secrets.scrub(&result).unwrap();
        assert_eq!(scrubbed, serde_json::json!({ "found": ["default ***"], "line": 3 }));
        assert_eq!(secrets.scrub(&scrubbed), None);
    }

    #[test]
    fn without_secrets_everything_passes_at_once() {
        assert_eq!(filtered(&Secrets::default(), &["a", "b"]), "ab");
    }

    proptest! {
        #[test]
        fn wherever_a_secret_lies_and_however_it_is_cut_it_does_not_pass(
            before in 0_usize..200_000,
            cuts in proptest::collection::vec(1_usize..70_000, 0..6),
            after in 0_usize..70_000,
        ) {
            let secrets = Secrets::default();
            secrets.extend(["S3cr3t-canary", "S3cr3t-canary-and-more"]);
            let text = "x".repeat(before) + "S3cr3t-canary" + &"y".repeat(after);
            let (mut pieces, mut rest) = (Vec::new(), text.as_str());
            for cut in cuts {
                let (piece, tail) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = tail;
            }
            pieces.push(rest);
            let shown = filtered(&secrets, &pieces);
            prop_assert!(shown == "x".repeat(before) + "***" + &"y".repeat(after));
        }
    }
}
