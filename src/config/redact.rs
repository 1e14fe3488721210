//! The last filter before text leaves the program.

/// What stands in place of a secret.
pub(super) const MASK: &str = "***";

/// Shorter secrets are left alone: masking every `a` of a message destroys it and still tells the password.
const SHORTEST: usize = 3;

/// Returns a text with every secret in it masked.
///
/// No message of this program holds a secret on purpose. This is for texts that others wrote: drivers and servers.
pub fn redact<S: AsRef<str>>(text: &str, secrets: &[S]) -> String {
    let mut secrets: Vec<&str> = secrets.iter().map(AsRef::as_ref).collect();
    // A secret can be part of another form of itself, so the longest goes first.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
        .into_iter()
        .filter(|secret| secret.chars().count() >= SHORTEST)
        .fold(text.to_owned(), |text, secret| text.replace(secret, MASK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_is_masked() {
        assert_eq!(redact("hunter2 and hunter2!", &["hunter2"]), "*** and ***!");
    }

    #[test]
    fn the_longer_form_goes_first_so_that_no_rest_of_it_stays() {
        assert_eq!(redact("pass%40word", &["pass", "pass%40word"]), "***");
    }

    #[test]
    fn a_secret_of_one_letter_does_not_destroy_the_message() {
        assert_eq!(redact("a banana", &["a", ""]), "a banana");
    }
}
