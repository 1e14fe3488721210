//! Small changes to sentences. They look at characters only and encode nothing.

/// Makes the first letter a capital.
pub(super) fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Puts a full stop behind text that does not end a sentence.
pub(super) fn stop(text: &str) -> String {
    match text.chars().last() {
        Some('.' | '!' | '?' | ':') | None => text.to_owned(),
        _ => format!("{text}."),
    }
}

/// Joins parts to `a, b and c`.
pub(super) fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_with_a_capital_and_ends_once() {
        assert_eq!(capitalise("ärger"), "Ärger");
        assert_eq!(capitalise(""), "");
        assert_eq!([stop("a"), stop("a."), stop("")], ["a.", "a.", ""]);
    }

    #[test]
    fn lists_are_joined_as_in_a_sentence() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(join(&parts), "a, b and c");
        assert_eq!(join(&parts[..2]), "a and b");
        assert_eq!(join(&parts[..1]), "a");
    }
}
