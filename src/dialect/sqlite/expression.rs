//! The normal form of SQLite expressions, and what they do to a unique key.

use super::token::{Kind, Token, tokenize};
use crate::dialect::{Condition, KeyEffect, around, conjunction};

/// Words that SQLite never takes for a bare name, so that a name of these letters keeps its quotes.
const RESERVED: &[&str] = &[
    "and", "as", "between", "case", "check", "collate", "default", "distinct", "else", "escape", "exists", "from",
    "in", "is", "isnull", "limit", "not", "notnull", "null", "on", "or", "order", "select", "then", "when", "where",
];

/// Keywords in front of a parenthesis that holds an operand, not arguments.
const OPERATORS: &[&str] = &[
    "and", "or", "not", "when", "then", "else", "case", "is", "like", "glob", "between", "where", "escape",
];

/// Brings an expression to normal form: names and keywords in lower case without superfluous quotes, one spelling of
/// each operator, no comments, single blanks, no parentheses around a whole expression or a single word.
///
/// A text that is not understood comes back with its white space tidied.
pub(super) fn normalize(sql: &str) -> String {
    match words(sql) {
        Some(words) => print(&words),
        None => sql.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Returns the words of an expression in normal form, or nothing if it cannot be read.
pub(super) fn words(sql: &str) -> Option<Vec<String>> {
    let tokens = tokenize(sql).ok()?;
    let words: Vec<String> = tokens.iter().flat_map(normal_word).collect();
    Some(without_parentheses(words))
}

/// Returns the conditions that a predicate joins by AND.
pub(super) fn conditions(sql: &str) -> Vec<Condition> {
    match words(sql) {
        Some(words) => conjunction::read(&words, print),
        None => vec![Condition::Other(normalize(sql))],
    }
}

/// Returns whether an expression without columns is made of texts and numbers alone. A name in double quotes that is
/// no column's is a text.
pub(super) fn is_constant(sql: &str) -> bool {
    let Some(words) = words(sql) else { return false };
    let is_value = |word: &str| {
        let first = word.chars().next();
        first.is_some_and(|c| matches!(c, '\'' | '"' | '0'..='9' | '_') || c.is_alphabetic())
            && !RESERVED.contains(&word)
    };
    !words.is_empty()
        && words.iter().enumerate().all(|(at, word)| match word.as_str() {
            "||" | "+" | "-" | "*" => true,
            "(" => at == 0 || is_symbol(&words[at - 1]),
            ")" => true,
            word => is_value(word),
        })
}

fn normal_word(token: &Token<'_>) -> Vec<String> {
    let word = match token.kind {
        Kind::Word => match token.text.to_ascii_lowercase().as_str() {
            "notnull" => return ["is", "not", "null"].map(str::to_owned).to_vec(),
            "isnull" => return ["is", "null"].map(str::to_owned).to_vec(),
            word => word.to_owned(),
        },
        Kind::Quoted => name(&token.unquoted()),
        Kind::Bytes | Kind::Number => token.text.to_ascii_lowercase(),
        Kind::Symbol => match token.text {
            "!=" => "<>",
            "==" => "=",
            symbol => symbol,
        }
        .to_owned(),
        Kind::Text | Kind::Parameter => token.text.to_owned(),
    };
    vec![word]
}

/// Returns a name as normal form writes it: SQLite ignores the case of ASCII letters in names.
fn name(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let plain = lower
        .chars()
        .enumerate()
        .all(|(i, c)| c == '_' || c.is_ascii_lowercase() || !c.is_ascii() || (i > 0 && c.is_ascii_digit()));
    if plain && !lower.is_empty() && !RESERVED.contains(&lower.as_str()) {
        lower
    } else {
        format!("\"{}\"", lower.replace('"', "\"\""))
    }
}

/// Takes away parentheses around everything and around single words, in one pass: the text can be long and deep.
fn without_parentheses(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        kept.push(word);
        if let [before @ .., open, atom, close] = &kept[..]
            && (open.as_str(), close.as_str()) == ("(", ")")
            && is_atom(atom)
            && !takes_arguments(before)
        {
            kept.pop();
            kept.swap_remove(kept.len() - 2);
        }
    }
    let layers = around::layers(&kept, |word| word == "(", |word| word == ")");
    kept.truncate(kept.len() - layers);
    kept.split_off(layers)
}

/// Returns the place of the parenthesis that closes the one at `open`.
fn closing(words: &[String], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn is_atom(word: &str) -> bool {
    !is_symbol(word) && word != "select"
}

fn is_symbol(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_ascii_punctuation() && !matches!(c, '_' | '\'' | '"' | '$' | '?' | ':' | '@' | '#'))
}

/// Returns whether a parenthesis after these words holds arguments or a list.
fn takes_arguments(before: &[String]) -> bool {
    before
        .last()
        .is_some_and(|word| !is_symbol(word) && !OPERATORS.contains(&word.as_str()))
}

fn print(words: &[String]) -> String {
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|b| words[b].as_str());
        let tight = match before {
            None | Some("(" | ".") => true,
            Some(_) if matches!(word.as_str(), ")" | "," | ".") => true,
            Some(previous) => {
                word == "(" && takes_arguments(&words[..at]) && !matches!(previous, "in" | "values" | "as" | "exists")
            }
        };
        if !tight {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Keys of more words are not judged: the walk goes as deep as they nest, and a database can choose how deep.
const LONGEST_KEY: usize = 256;

/// Says what a unique key over an expression does to the equality of the column that it reads.
pub(super) fn key_effect(sql: &str, column: &str, takes_null: bool) -> KeyEffect {
    let column = &Key {
        name: name(column),
        takes_null,
    };
    match words(sql) {
        Some(words) if words.len() <= LONGEST_KEY => effect_of(&words, column),
        Some(_) | None => KeyEffect::Unknown,
    }
}

/// The column that a key is over.
struct Key {
    /// In normal form.
    name: String,
    takes_null: bool,
}

fn effect_of(words: &[String], column: &Key) -> KeyEffect {
    let words = &without_parentheses(words.to_vec())[..];
    if let [only] = words {
        return if *only == column.name {
            KeyEffect::Faithful
        } else {
            KeyEffect::Unknown
        };
    }
    if let [inner @ .., collate, collation] = words
        && collate == "collate"
    {
        return worse(effect_of(inner, column), of_collation(collation));
    }
    if words.first().is_none_or(|first| first == "(") {
        return KeyEffect::Unknown;
    }
    if words[0] == "case" {
        return KeyEffect::Forgets("rows for which the CASE has no branch are not held apart".to_owned());
    }
    if let Some(effect) = of_affix(words, column) {
        return effect;
    }
    let is_call = words.len() > 2 && words[1] == "(" && closing(words, 1) == Some(words.len() - 1);
    if is_call {
        of_call(&words[0], &words[2..words.len() - 1], column)
    } else {
        KeyEffect::Unknown
    }
}

fn of_collation(collation: &str) -> KeyEffect {
    match collation {
        "binary" => KeyEffect::Faithful,
        "nocase" => KeyEffect::MergesCase,
        "rtrim" => KeyEffect::Merges("texts that differ in trailing blanks become equal".to_owned()),
        _ => KeyEffect::Unknown,
    }
}

/// Judges `x || 'constant'` and `'constant' || x`, which keep different values different.
fn of_affix(words: &[String], column: &Key) -> Option<KeyEffect> {
    let is_text = |word: &String| word.starts_with('\'');
    match words {
        [constant, join, rest @ ..] if join == "||" && is_text(constant) => Some(effect_of(rest, column)),
        [rest @ .., join, constant] if join == "||" && is_text(constant) => Some(effect_of(rest, column)),
        _ => None,
    }
}

fn of_call(function: &str, arguments: &[String], column: &Key) -> KeyEffect {
    let mut depth = 0_usize;
    let first: Vec<String> = arguments
        .iter()
        .take_while(|word| {
            match word.as_str() {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > 0 || !matches!(word.as_str(), "," | "as")
        })
        .cloned()
        .collect();
    if first.is_empty() {
        return KeyEffect::Unknown;
    }
    let own = match function {
        "hex" | "quote" => KeyEffect::Faithful,
        "lower" | "upper" => KeyEffect::MergesCase,
        "cast" => match arguments.last().map(String::as_str) {
            Some("text" | "blob") => KeyEffect::Faithful,
            _ => KeyEffect::Merges("texts that begin with the same number become equal".to_owned()),
        },
        "substr" | "substring" => KeyEffect::Merges("values that agree in the part that is cut out collide".to_owned()),
        "replace" if replaces_dashes(arguments) => KeyEffect::MergesDashes,
        "trim" | "ltrim" | "rtrim" | "replace" => {
            KeyEffect::Merges("values that differ only in what is taken away collide".to_owned())
        }
        "length" | "octet_length" | "instr" | "unicode" | "abs" | "round" | "typeof" | "soundex" | "date" | "time"
        | "datetime" | "strftime" | "unixepoch" | "julianday" | "sign" | "floor" | "ceil" => {
            KeyEffect::Merges(format!("different values with the same {function}() collide"))
        }
        "coalesce" | "ifnull" if !column.takes_null => KeyEffect::Faithful,
        "coalesce" | "ifnull" => KeyEffect::Merges("NULL and its replacement become equal".to_owned()),
        "nullif" => {
            KeyEffect::Forgets("values equal to the second argument become NULL, which is never a duplicate".to_owned())
        }
        "iif" | "if" => {
            KeyEffect::Forgets("rows for which the condition does not hold may not be held apart".to_owned())
        }
        _ => return KeyEffect::Unknown,
    };
    worse(effect_of(&first, column), own)
}

/// Returns whether the last two arguments are a dash and the text in its place.
fn replaces_dashes(arguments: &[String]) -> bool {
    matches!(arguments, [.., first, dash, second, to] if first == "," && dash == "'-'" && second == "," && to.starts_with('\''))
}

/// Returns what two effects after another amount to.
fn worse(inner: KeyEffect, outer: KeyEffect) -> KeyEffect {
    fn rank(effect: &KeyEffect) -> u8 {
        match effect {
            KeyEffect::Faithful => 0,
            KeyEffect::MergesCase => 1,
            KeyEffect::MergesDashes => 2,
            KeyEffect::Merges(_) => 3,
            KeyEffect::Forgets(_) => 4,
            KeyEffect::Unknown => 5,
        }
    }
    if rank(&inner) >= rank(&outer) { inner } else { outer }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_expression_have_one_normal_form() {
        for (a, b) in [
            ("\"Outcome\" <> 'Stale'", "outcome != 'Stale'"),
            ("( ( [Outcome] = 'x' ) )", "`OUTCOME`=='x'"),
            ("lower ( \"EventId\" )", "LOWER(EventId)"),
            ("\"EventId\" IS NOT NULL", "EventId NOTNULL"),
            ("a /* why */ AND\n b -- no", "a and b"),
            ("(\"a\") = ('b')", "a = 'b'"),
            ("NOT (a)", "not a"),
            ("x IN ( 'A' , 'B' )", "X in ('A','B')"),
            ("a AND (b)", "(a AND b)"),
        ] {
            assert_eq!(normalize(a), normalize(b));
        }
        assert_eq!(normalize("lower ( \"EventId\" )"), "lower(eventid)");
        assert_eq!(normalize("x IN ( 'A' , 'B' )"), "x in ('A', 'B')");
    }

    #[test]
    fn what_differs_in_meaning_differs_in_normal_form() {
        for (a, b) in [
            ("x = 'Stale'", "x = 'stale'"),
            ("x IN ('a')", "x = 'a'"),
            ("(a OR b) AND c", "a OR (b AND c)"),
            ("\"null\" = 1", "null = 1"),
            ("'x'", "\"x\""),
            ("f(a)", "f a"),
            ("\"Ü\" = 1", "\"ü\" = 1"),
        ] {
            assert_ne!(normalize(a), normalize(b), "{a} / {b}");
        }
    }

    #[test]
    fn a_key_expression_is_judged_by_what_it_makes_equal() {
        use KeyEffect::{Faithful, Forgets, Merges, MergesCase, Unknown};
        let kind = |sql: &str| match key_effect(sql, "EventId", true) {
            Merges(_) => "merges",
            Forgets(_) => "forgets",
            Faithful => "faithful",
            MergesCase => "merges case",
            KeyEffect::MergesDashes => "merges dashes",
            Unknown => "unknown",
        };
        for (sql, effect) in [
            ("\"EventId\"", "faithful"),
            ("(eventid)", "faithful"),
            ("lower(\"EventId\")", "merges case"),
            ("upper(trim(\"EventId\"))", "merges"),
            ("\"EventId\" COLLATE NOCASE", "merges case"),
            ("\"EventId\" COLLATE BINARY", "faithful"),
            ("\"EventId\" COLLATE custom", "unknown"),
            ("substr(\"EventId\", 1, 8)", "merges"),
            ("hex(\"EventId\")", "faithful"),
            ("replace(lower(\"EventId\"), '-', '')", "merges dashes"),
            ("substr(replace(\"EventId\", '-', ''), 1, 8)", "merges"),
            ("replace(\"EventId\", 'a', '')", "merges"),
            ("CAST(\"EventId\" AS TEXT)", "faithful"),
            ("CAST(\"EventId\" AS INTEGER)", "merges"),
            ("nullif(\"EventId\", '')", "forgets"),
            ("CASE WHEN \"Outcome\" = 'x' THEN \"EventId\" END", "forgets"),
            ("coalesce(\"EventId\", '')", "merges"),
            ("\"EventId\" || '-'", "faithful"),
            ("'x' || lower(\"EventId\")", "merges case"),
            ("\"EventId\" || \"TenantId\"", "unknown"),
            ("my_function(\"EventId\")", "unknown"),
            ("lower(\"Other\")", "unknown"),
            ("lower()", "unknown"),
            ("", "unknown"),
            ("'open", "unknown"),
        ] {
            assert_eq!(kind(sql), effect, "{sql}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "['\"`\\[\\](),. =<>|a-cA-C0-9\\PC]{0,40}") {
            let _ = normalize(&text);
            let _ = key_effect(&text, "a", true);
        }

        #[test]
        fn the_normal_form_is_its_own_normal_form(text in "[a-c()=<>!,' \"0-9]{0,24}") {
            if tokenize(&text).is_ok() {
                let once = normalize(&text);
                prop_assert_eq!(normalize(&once), once);
            }
        }
    }
}
