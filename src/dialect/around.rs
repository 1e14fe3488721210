//! Parentheses around the whole of a text: they mean nothing, and a hostile text has a million of them.

/// Returns how many pairs of parentheses stand around all of the words, in one pass; none where they do not match.
pub(super) fn layers<T>(words: &[T], opens: impl Fn(&T) -> bool, closes: impl Fn(&T) -> bool) -> usize {
    let opening = words.iter().take_while(|word| opens(word)).count();
    let closing = words[opening..].iter().rev().take_while(|word| closes(word)).count();
    // A parenthesis of the beginning that is closed in the middle is not around the whole, and the same at the end.
    let mut open_at_end = 0_usize;
    let mut closed_before = 0_usize;
    for word in &words[opening..words.len() - closing] {
        if opens(word) {
            open_at_end += 1;
        } else if closes(word) {
            match open_at_end.checked_sub(1) {
                Some(less) => open_at_end = less,
                None => closed_before += 1,
            }
        }
    }
    match (opening.checked_sub(closed_before), closing.checked_sub(open_at_end)) {
        (Some(begun), Some(ended)) if begun == ended => begun,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_around_the_whole_count() {
        for (text, expected) in [
            ("a", 0),
            ("", 0),
            ("(a)", 1),
            ("((a))", 2),
            ("(())", 2),
            ("(a)(b)", 0),
            ("((a)(b))", 1),
            ("((a)+b)", 1),
            ("(a+(b))", 1),
            ("((a)", 0),
            ("(a))", 0),
            ("(a))((b)", 0),
            (")(", 0),
            ("((", 0),
            ("))", 0),
        ] {
            let chars: Vec<char> = text.chars().collect();
            assert_eq!(layers(&chars, |c| *c == '(', |c| *c == ')'), expected, "{text}");
        }
    }
}
