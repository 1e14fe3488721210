//! Finds secrets in what is written, however many and however long they are.

use std::collections::BTreeSet;
use std::ops::{Bound, Range};

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::secrets::MASK;

/// So many bytes of a secret are searched for; only where they are found is the rest compared. Tokens have thousands of
/// bytes, and a fleet has thousands of tokens.
const HEAD: usize = 32;

/// What finds secrets.
pub(super) struct Finder {
    heads: AhoCorasick,
    forms: BTreeSet<Vec<u8>>,
    longest: usize,
}

impl Finder {
    /// Makes one for secrets in all their forms; nothing if there are none.
    pub(super) fn new<'f>(forms: impl IntoIterator<Item = &'f String>) -> Option<Self> {
        let forms: BTreeSet<Vec<u8>> = forms.into_iter().map(|form| form.clone().into_bytes()).collect();
        let longest = forms.iter().map(Vec::len).max()?;
        let heads: BTreeSet<&[u8]> = forms.iter().map(|form| head(form)).collect();
        let heads = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(heads)
            .ok()?;
        Some(Self { heads, forms, longest })
    }

    /// Returns the length of the longest form in bytes.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Returns where the first secret is that begins at some byte or behind it.
    pub(super) fn next(&self, text: &[u8], mut from: usize) -> Option<Range<usize>> {
        loop {
            let start = self.heads.find(Input::new(text).range(from..))?.start();
            if let Some(length) = self.length_of(&text[start..]) {
                return Some(start..start + length);
            }
            from = start + 1;
        }
    }

    /// Returns the length of the longest secret that a text begins with.
    fn length_of(&self, text: &[u8]) -> Option<usize> {
        let head = head(text);
        let from = (Bound::Included(head), Bound::Unbounded);
        let with_head = self
            .forms
            .range::<[u8], _>(from)
            .take_while(|form| form.starts_with(head));
        let whole = with_head.filter(|form| text.starts_with(form)).map(Vec::len).max();
        whole.or_else(|| {
            (1..head.len())
                .rev()
                .find(|length| self.forms.contains(&head[..*length]))
        })
    }

    /// Returns a text with every secret in it masked; nothing if there is none.
    pub(super) fn mask(&self, text: &str) -> Option<String> {
        let mut found = self.next(text.as_bytes(), 0)?;
        let (mut shown, mut from) = (String::with_capacity(text.len()), 0);
        loop {
            shown.push_str(&text[from..found.start]);
            shown.push_str(MASK);
            from = found.end;
            match self.next(text.as_bytes(), from) {
                Some(next) => found = next,
                None => break,
            }
        }
        shown.push_str(&text[from..]);
        Some(shown)
    }
}

fn head(text: &[u8]) -> &[u8] {
    &text[..text.len().min(HEAD)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(forms: &[&str], text: &str) -> String {
        let forms: Vec<String> = forms.iter().map(|form| (*form).to_owned()).collect();
        let finder = Finder::new(&forms).unwrap();
        finder.mask(text).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn long_secrets_with_one_beginning_are_told_apart() {
        let head = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.";
        let (one, other) = (format!("{head}one"), format!("{head}other"));
        let forms = [one.as_str(), &other];
        assert_eq!(masked(&forms, &format!("a {one} b {other} c")), "a *** b *** c");
        let neither = format!("a {head}neither");
        assert_eq!(masked(&forms, &neither), neither);
    }

    #[test]
    fn the_longest_secret_counts_and_a_shorter_one_where_it_is_not_whole() {
        let long = "secret-".repeat(10);
        let forms = ["secret-", long.as_str()];
        assert_eq!(masked(&forms, &format!("x{long}y")), "x***y");
        assert_eq!(masked(&forms, "xsecret-y"), "x***y");
        assert_eq!(
            masked(&forms, &format!("x{}", &long[..69])),
            format!("x{}secret", "***".repeat(9))
        );
        assert_eq!(
            masked(&["ab-secret", "secret-2"], "ab-secre ab-secret-2 secret-2"),
            "ab-secre ***-2 ***"
        );
    }

    #[test]
    fn one_of_many_long_secrets_is_found() {
        let tokens: Vec<String> = (0..2_000)
            .map(|at| format!("{at:05}{}", "ß-token-".repeat(250)))
            .collect();
        let finder = Finder::new(&tokens).unwrap();
        let text = format!("a {} b", tokens[1_999]);
        assert_eq!(finder.mask(&text).unwrap(), "a *** b");
    }
}
