//! Sentences in which code stands between backticks.

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span<'a> {
    /// Prose.
    Words(&'a str),
    /// What stood between backticks.
    Code(&'a str),
}

/// Cuts a sentence at the backticks around its code. Those within a statement are part of it: MySQL quotes names with
/// them. Where backticks do not come out even, all of it is words.
pub(super) fn spans(text: &str) -> Vec<Span<'_>> {
    cut(text, end_of_code)
        .or_else(|| cut(text, |code| code.find('`')))
        .unwrap_or_else(|| vec![Span::Words(text)])
}

/// Cuts a sentence where `end` says that code ends; nothing if some of it has no end.
fn cut<'a>(text: &'a str, end: fn(&str) -> Option<usize>) -> Option<Vec<Span<'a>>> {
    let mut spans = Vec::new();
    let mut rest = text;
    while let Some((words, behind)) = rest.split_once('`') {
        let end = end(behind)?;
        spans.push(Span::Words(words));
        spans.push(Span::Code(&behind[..end]));
        rest = &behind[end + 1..];
    }
    spans.push(Span::Words(rest));
    spans.retain(|(Span::Words(part) | Span::Code(part))| !part.is_empty());
    Some(spans)
}

/// Returns where code ends that begins here.
fn end_of_code(code: &str) -> Option<usize> {
    let is_sql = is_sql(code);
    let (mut is_quoted, mut before) = (false, None);
    for (at, c) in code.char_indices() {
        match c {
            '`' if is_quoted => is_quoted = false,
            '`' if is_sql && matches!(before, None | Some(' ' | '(' | ',' | '.' | '`')) => is_quoted = true,
            '`' => return Some(at),
            _ => {}
        }
        before = Some(c);
    }
    None
}

/// Returns whether code is SQL with more than a word in it: it begins with a key word, or with a quoted name.
fn is_sql(code: &str) -> bool {
    let is_quoted = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let word = code.split(' ').next().unwrap_or_default();
    let is_key_word = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    (is_key_word && code.len() > word.len()) || code.strip_prefix('`').is_some_and(is_quoted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Span::{Code, Words};

    #[test]
    fn backticks_make_code_and_a_lone_one_stays() {
        assert_eq!(spans("run `a < b` now"), [Words("run "), Code("a < b"), Words(" now")]);
        assert_eq!(spans("a ` b"), [Words("a ` b")]);
        assert_eq!(spans("`a`, `b` (`c`)").len(), 6);
        assert_eq!(spans("`TABLE` is `A`"), [Code("TABLE"), Words(" is "), Code("A")]);
        assert_eq!(spans("`` and `x`"), [Words(" and "), Code("x")]);
    }

    #[test]
    fn names_that_mysql_quotes_stay_in_their_statement() {
        let statement = "CREATE UNIQUE INDEX `U``X` ON `db`.`T` (`A`,`B`);";
        assert_eq!(
            spans(&format!("Drop `U` first. Run `{statement}`. It is `a`.")),
            [
                Words("Drop "),
                Code("U"),
                Words(" first. Run "),
                Code(statement),
                Words(". It is "),
                Code("a"),
                Words(".")
            ]
        );
        assert_eq!(
            spans("with ``TenantId` int NOT NULL`, and"),
            [Words("with "), Code("`TenantId` int NOT NULL"), Words(", and")]
        );
    }

    #[test]
    fn a_name_that_looks_like_a_statement_loses_no_letter() {
        for text in ["column `DROP ` is `b`", "`A `", "``x`y`", "`A `b`", "`````", ""] {
            let joined: String = spans(text).iter().map(|(Words(part) | Code(part))| *part).collect();
            let letters = |text: &str| text.replace('`', "");
            assert_eq!(letters(&joined), letters(text));
        }
    }
}
