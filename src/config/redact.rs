//! The last filter before text leaves the program.

use std::collections::HashSet;

use super::secrets::MASK;

/// Shorter secrets are left alone: masking every `a` of a message destroys it and still tells the password.
const SHORTEST: usize = 3;

/// So many characters of a secret in a row are masked even where the rest of it was cut off.
const PART: usize = 8;

/// Stands where a message was cut.
pub(crate) const CUT: char = '…';

/// Words of this program's own messages that people put into passwords.
const WORDS: [&str; 3] = ["password", "postgresql", "database"];

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
        .fold(text.to_owned(), |text, secret| match text.contains(secret) {
            true => text.replace(secret, MASK),
            false => text,
        })
}

/// Returns a text without parts of secrets either: servers cut what they repeat. Parts of public words stay.
pub(super) fn redact_parts<S: AsRef<str>>(text: &str, secrets: &[S], public: &[S]) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut hidden = vec![false; letters.len()];
    let known = parts_in(&letters, secrets, public);
    for (at, part) in letters.windows(PART).enumerate() {
        if known.contains(part) {
            hidden[at..at + PART].fill(true);
        }
    }
    for (at, _) in letters.iter().enumerate().filter(|(_, letter)| **letter == CUT) {
        let begun = begun_before(&letters[..at], secrets);
        hidden[at - begun..at].fill(true);
    }
    let mut shown = String::with_capacity(text.len());
    for (at, letter) in letters.iter().enumerate() {
        match hidden[at] {
            false => shown.push(*letter),
            true if at == 0 || !hidden[at - 1] => shown.push_str(MASK),
            true => {}
        }
    }
    shown
}

/// Returns the parts of secrets that are in a text.
fn parts_in<'t, S: AsRef<str>>(letters: &'t [char], secrets: &[S], public: &[S]) -> HashSet<&'t [char]> {
    let mut parts: HashSet<&[char]> = letters.windows(PART).collect();
    let of = |texts: &[S]| -> Vec<Vec<char>> { texts.iter().map(|text| text.as_ref().chars().collect()).collect() };
    for word in of(public).into_iter().chain(WORDS.map(|word| word.chars().collect())) {
        for part in word.windows(PART) {
            parts.remove(part);
        }
    }
    let secrets = of(secrets);
    let secret: HashSet<&[char]> = secrets.iter().flat_map(|secret| secret.windows(PART)).collect();
    parts.retain(|part| secret.contains(part));
    parts
}

/// Returns how many letters at the end of a text are the beginning of a secret.
fn begun_before<S: AsRef<str>>(letters: &[char], secrets: &[S]) -> usize {
    let begun = |secret: &S| {
        let secret: Vec<char> = secret.as_ref().chars().take(PART).collect();
        (SHORTEST..=secret.len())
            .rev()
            .find(|length| letters.ends_with(&secret[..*length]))
            .unwrap_or_default()
    };
    secrets.iter().map(begun).max().unwrap_or_default()
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

    #[test]
    fn what_was_cut_out_of_a_secret_is_masked() {
        const SECRET: [&str; 1] = ["Größe/S3cr3t-canary"];
        for (text, shown) in [
            ("near \"Größe/S3\" at 1", "near \"***\" at 1"),
            ("near \"3t-canary\"", "near \"***\""),
            ("xx/S3cr3t-yy", "xx***yy"),
            ("Größe/S and 3t-cana", "Größe/S and 3t-cana"),
            ("it ends in Größ…", "it ends in ***…"),
            ("it ends in Gr…", "it ends in Gr…"),
            ("Größe/S3cr3t-canary", "***"),
            ("short", "short"),
        ] {
            assert_eq!(redact_parts(text, &SECRET, &[]), shown);
        }
    }

    #[test]
    fn public_words_stay_even_where_a_password_begins_with_them() {
        let secrets = ["notification-S3cr3t", "password-1"];
        let text = "user notification gave a wrong password, notification-S3c";
        assert_eq!(
            redact_parts(text, &secrets, &["notification"]),
            "user notification gave a wrong password, notif***"
        );
    }
}
