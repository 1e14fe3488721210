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
            [only] => found.push(one(only).unwrap_or_else(|| Condition::Other(alternatives(only, &print)))),
            _ => rest.extend(parts),
        }
    }
    found
}

/// Prints a condition. What stands beside an OR comes in the order of its text, and a value that is compared with several
/// constants is compared with the list of them.
fn alternatives(words: &[String], print: &impl Fn(&[String]) -> String) -> String {
    let mut lists: Vec<(String, Vec<String>)> = Vec::new();
    let mut others = Vec::new();
    for part in split_at_or(words) {
        let layers = around::layers(part, |word| word == "(", |word| word == ")");
        let part = mirrored(&part[layers..part.len() - layers]);
        match listed(&part) {
            Some((value, constants)) => match lists.iter_mut().find(|(other, _)| *other == value) {
                Some((_, known)) => known.extend(constants),
                None => lists.push((value, constants)),
            },
            None => others.push(print(&part)),
        }
    }
    others.extend(lists.into_iter().map(|(value, mut constants)| {
        constants.sort();
        constants.dedup();
        match &constants[..] {
            [only] => print(&[value, "=".to_owned(), only.clone()]),
            _ => {
                let mut words = vec![value, "in".to_owned(), "(".to_owned()];
                for constant in constants {
                    words.extend([constant, ",".to_owned()]);
                }
                words.pop();
                words.push(")".to_owned());
                print(&words)
            }
        }
    }));
    others.sort();
    others.dedup();
    others.join(" or ")
}

/// Splits words at each OR outside of parentheses and of CASE.
fn split_at_or(words: &[String]) -> Vec<&[String]> {
    let mut depth = 0_usize;
    let at_or = |word: &String| {
        match word.as_str() {
            "(" | "case" => depth += 1,
            ")" | "end" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && word == "or"
    };
    words.split(at_or).collect()
}

/// Writes `0 < a` as `a > 0`.
fn mirrored(words: &[String]) -> Vec<String> {
    if let [left, op, right] = words
        && is_constant(left)
        && !is_constant(right)
    {
        let mirrored = match op.as_str() {
            "<" => ">",
            ">" => "<",
            "<=" => ">=",
            ">=" => "<=",
            "=" | "<>" => op,
            _ => return words.to_vec(),
        };
        return vec![right.clone(), mirrored.to_owned(), left.clone()];
    }
    words.to_vec()
}

/// Reads `a = 'x'` and `a in ('x', 'y')`.
fn listed(words: &[String]) -> Option<(String, Vec<String>)> {
    match words {
        [value, op, constant] if op == "=" && is_constant(constant) => Some((value.clone(), vec![constant.clone()])),
        [value, op, open, inner @ .., close] if op == "in" && open == "(" && close == ")" => {
            let separated = |(at, word): (usize, &String)| if at % 2 == 0 { is_constant(word) } else { word == "," };
            let whole = inner.len() % 2 == 1 && inner.iter().enumerate().all(separated);
            whole.then(|| (value.clone(), inner.iter().step_by(2).cloned().collect()))
        }
        _ => None,
    }
}

fn is_constant(word: &str) -> bool {
    word.starts_with(|c: char| c == '\'' || c.is_ascii_digit())
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
    fn what_means_the_same_reads_the_same() {
        for (a, b) in [
            ("a = 'x' or a = 'y'", "a in ( 'y' , 'x' )"),
            ("a = 'y' or b = 1 or a = 'x'", "b = 1 or a in ( 'x' , 'y' , 'x' )"),
            ("0 <= a", "a >= 0"),
            ("( a > 1 ) or b < 2", "b < 2 or 1 < a"),
            ("a in ( 'x' )", "a = 'x'"),
        ] {
            assert_eq!(read_text(a), read_text(b), "{a}  vs  {b}");
        }
        for (a, b) in [
            ("a = 'x' or b = 'y'", "a = 'y' or b = 'x'"),
            ("a in ( 'x' , b )", "a in ( b )"),
            ("a - 1", "1 - a"),
        ] {
            assert_ne!(read_text(a), read_text(b), "{a}  vs  {b}");
        }
    }

    #[test]
    fn a_long_predicate_is_one_condition() {
        let text = "a is not null and ".repeat(LONGEST) + "b";
        assert_eq!(read_text(&text), [other(&text)]);
    }
}
