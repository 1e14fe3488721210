//! Questions about single tokens.

use sqlparser::tokenizer::Token;

/// Functions whose answer decides only whether another run is at work.
const GUARDS: &[&str] = &[
    "pg_try_advisory_lock",
    "pg_try_advisory_xact_lock",
    "pg_advisory_lock",
    "get_lock",
    "is_free_lock",
    "pg_is_in_recovery",
    "found",
    "row_count",
];

/// Returns a bare word in lower case.
pub(super) fn word(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_lowercase()),
        _ => None,
    }
}

pub(super) fn is(token: &Token, wanted: &str) -> bool {
    word(token).is_some_and(|word| word == wanted)
}

/// Returns the name of a variable; MySQL's `@x` is tokenised as one word or two.
pub(super) fn name_of(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.value.trim_start_matches('@').to_lowercase()),
        Token::Placeholder(name) => Some(name.trim_start_matches('@').to_lowercase()),
        _ => None,
    }
}

pub(super) fn path_name(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) if word.quote_style.is_some() => Some(word.value.clone()),
        Token::Word(word) => Some(word.value.to_lowercase()),
        Token::SingleQuotedString(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns whether a statement gives a variable a value.
pub(super) fn is_assignment(tokens: &[Token]) -> bool {
    matches!(tokens.get(1), Some(Token::Assignment | Token::Eq))
        || (matches!(tokens.get(1), Some(Token::Period))
            && matches!(tokens.get(3), Some(Token::Assignment | Token::Eq)))
}

/// Returns whether a condition asks only whether another run is at work.
pub(super) fn is_guard(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|t| word(t).is_some_and(|w| GUARDS.contains(&w.as_str())))
}

pub(super) fn join(tokens: &[Token]) -> String {
    let words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    words.join(" ")
}
