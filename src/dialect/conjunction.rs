//! Predicates as lists of conditions, read from the words of a normal form.

use super::around;

/// One of the conditions that a predicate joins by AND.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It holds for every row.
    Always,
    /// A column has a value: `"EventId" IS NOT NULL`. Where the name is no column's, it is a text (SQLite).
    Present(String),
    /// Anything else, in normal form.
    Other(String),
}

/// Longer predicates are one condition: each pair of parentheses is walked over again, and the text can be hostile.
const LONGEST: usize = 256;

/// Reads the conditions of a predicate given as words in normal form. `print` writes words as the normal form does.
pub(super) fn read(words: &[String], print: impl Fn(&[String]) -> String) -> Vec<Condition> {
    if words.len() > LONGEST {
        return vec![Condition::Other(print(words))];
    }
    let mut found = Vec::new();
    let mut rest = vec![words];
    while let Some(words) = rest.pop() {
        let layers = around::layers(words, |word| word == "(", |word| word == ")");
        let parts = split(&words[layers..words.len() - layers]);
        match parts[..] {
            [only] => found.push(one(only).unwrap_or_else(|| Condition::Other(print(only)))),
            _ => rest.extend(parts),
        }
    }
    found
}

/// Splits words at each AND outside of parentheses; that of a BETWEEN and those inside of a CASE join nothing.
fn split(words: &[String]) -> Vec<&[String]> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut between) = (0, 0_usize, false);
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" | "case" => depth += 1,
            ")" | "end" => depth = depth.saturating_sub(1),
            "between" if depth == 0 => between = true,
            // Whatever stands beside an OR holds together.
            "or" if depth == 0 => return vec![words],
            "and" if depth == 0 && !std::mem::take(&mut between) => {
                parts.push(&words[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&words[start..]);
    parts
}

fn one(words: &[String]) -> Option<Condition> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["true"] => Some(Condition::Always),
        [number] => (number.parse::<f64>().ok()? != 0.0).then_some(Condition::Always),
        [operand, "is", "not", "null"] => of_operand(operand),
        [left, "=" | "<=" | ">=", right] if left == right => of_operand(left),
        _ => None,
    }
}

/// Returns what it says that an operand has a value.
fn of_operand(word: &str) -> Option<Condition> {
    let first = word.chars().next()?;
    match first {
        '\'' | '0'..='9' => Some(Condition::Always),
        '"' | '`' => {
            let inner = word.strip_prefix(first)?.strip_suffix(first)?;
            Some(Condition::Present(
                inner.replace(&format!("{first}{first}"), &first.to_string()),
            ))
        }
        _ if first.is_alphabetic() || first == '_' => {
            (!matches!(word, "null" | "true" | "false")).then(|| Condition::Present(word.to_owned()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Vec<Condition> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let mut found = read(&words, |words| words.join(" "));
        found.reverse();
        found
    }

    fn other(text: &str) -> Condition {
        Condition::Other(text.to_owned())
    }

    fn present(name: &str) -> Condition {
        Condition::Present(name.to_owned())
    }

    #[test]
    fn conditions_are_what_and_joins() {
        for (text, expected) in [
            ("a is not null", vec![present("a")]),
            (
                "( a is not null ) and ( b > 0 and \"c\"\"d\" is not null )",
                vec![present("a"), other("b > 0"), present("c\"d")],
            ),
            (
                "a between 1 and 2 and 1 and true",
                vec![other("a between 1 and 2"), Condition::Always, Condition::Always],
            ),
            ("a is not null or b", vec![other("a is not null or b")]),
            ("a and b or c", vec![other("a and b or c")]),
            (
                "case when a and b then 1 end",
                vec![other("case when a and b then 1 end")],
            ),
            ("'x' is not null and 1 = 1", vec![Condition::Always, Condition::Always]),
            (
                "a = a and 0 and null is not null",
                vec![present("a"), other("0"), other("null is not null")],
            ),
        ] {
            assert_eq!(read_text(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_predicate_is_one_condition() {
        let text = "a is not null and ".repeat(LONGEST) + "b";
        assert_eq!(read_text(&text), [other(&text)]);
    }
}
