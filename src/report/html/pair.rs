//! The two values of a finding, with the words that differ marked.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::encode::Content;

/// Longer values than this many words are not compared word by word: nobody reads marks in them.
const LONGEST: usize = 400;

/// Encodes the expected and the found value for a page. What only the first has is in `<del>`, what only the second
/// has in `<ins>`; nothing is marked where no word is common.
pub(super) fn mark(expected: &str, found: &str) -> (String, String) {
    let (old, new) = (words(expected), words(found));
    if old.len() > LONGEST || new.len() > LONGEST {
        return (Content(expected).to_string(), Content(found).to_string());
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let equal = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
    let common = equal.flat_map(|op| &old[op.old_range()]).any(|word| is_word(word));
    if !common {
        return (Content(expected).to_string(), Content(found).to_string());
    }
    let (mut left, mut right) = (String::new(), String::new());
    for op in ops {
        let (from, to) = (old[op.old_range()].concat(), new[op.new_range()].concat());
        match op.tag() {
            DiffTag::Equal => {
                put!(left, "{}", Content(&from));
                put!(right, "{}", Content(&to));
            }
            DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                write_mark(&mut left, "del", &from);
                write_mark(&mut right, "ins", &to);
            }
        }
    }
    (left, right)
}

/// Marks a text, without the blanks at its ends.
fn write_mark(out: &mut String, tag: &str, text: &str) {
    let inner = text.trim();
    let (before, after) = match inner.is_empty() {
        true => (text, ""),
        false => text.split_once(inner).unwrap_or((text, "")),
    };
    put!(out, "{}", Content(before));
    if !inner.is_empty() {
        put!(out, "<{tag}>{}</{tag}>", Content(inner));
    }
    put!(out, "{}", Content(after));
}

fn is_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Cuts text into words, blanks between them, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 'a',
        c if c.is_whitespace() => ' ',
        _ => '.',
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let new = kind(c);
        if last.is_some_and(|last| last != new || new == '.') {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(new);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_marks(expected: &str, found: &str, left: &str, right: &str) {
        assert_eq!(mark(expected, found), (left.to_owned(), right.to_owned()));
    }

    #[test]
    fn only_the_words_that_differ_are_marked() {
        assert_marks(
            "varchar(160)",
            "varchar(100)",
            "varchar(<del>160</del>)",
            "varchar(<ins>100</ins>)",
        );
        assert_marks(
            "unique (EventId)",
            "unique (EventId, TenantId)",
            "unique (EventId)",
            "unique (EventId<ins>, TenantId</ins>)",
        );
        assert_marks("unique (a)", "(a)", "<del>unique</del> (a)", "(a)");
    }

    #[test]
    fn values_without_a_common_word_are_not_marked() {
        assert_marks("not null", "nullable", "not null", "nullable");
        assert_marks("(a)", "(b)", "(a)", "(b)");
        assert_marks("", "x", "", "x");
    }

    #[test]
    fn marks_do_not_break_the_encoding() {
        assert_marks(
            "a <b>",
            "a &\u{202e}",
            "a <del>&lt;b&gt;</del>",
            "a <ins>&amp;<span class=\"esc\">\\u{202e}</span></ins>",
        );
    }

    #[test]
    fn a_very_long_value_is_shown_without_marks_at_once() {
        let (long, other) = ("a,".repeat(100_000), "b,".repeat(100_000));
        assert_eq!(mark(&long, &other), (long, other));
    }
}
