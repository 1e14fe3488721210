//! SQLite's words: the text of a statement or an expression, cut into tokens.
//!
//! The cuts are those of SQLite's own tokenizer: four kinds of quotes, two kinds of comments, names that may hold
//! any character beyond ASCII, numbers with underscores.

/// One token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// What it is.
    pub(crate) kind: Kind,
    /// The text as written, quotes included.
    pub(crate) text: &'a str,
    /// Where it starts, in bytes.
    pub(crate) start: usize,
}

/// Kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or a bare name.
    Word,
    /// A name in double quotes, brackets or backticks.
    Quoted,
    /// A text in single quotes.
    Text,
    /// Bytes: `x'ab'`.
    Bytes,
    /// A number without sign.
    Number,
    /// A parameter: `?1`, `:name`.
    Parameter,
    /// An operator or a mark.
    Symbol,
}

/// A text that is no sequence of SQLite tokens: a quote that is never closed, a stray character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

impl Token<'_> {
    /// Returns whether the token is this keyword, in any letter case.
    pub(crate) fn is(&self, keyword: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(keyword)
    }

    /// Returns whether the token is this operator or mark.
    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// Returns the offset behind the token.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns the content of a quoted token, or the text of any other.
    pub(crate) fn unquoted(&self) -> String {
        let inner = |open: usize| self.text[open..self.text.len() - 1].to_owned();
        match (self.kind, self.text.as_bytes().first()) {
            (Kind::Quoted, Some(b'[')) => inner(1),
            (Kind::Quoted | Kind::Text, Some(&quote)) => {
                let quote = char::from(quote).to_string();
                inner(1).replace(&quote.repeat(2), &quote)
            }
            (Kind::Bytes, _) => inner(2),
            _ => self.text.to_owned(),
        }
    }
}

/// Cuts a text into tokens; white space and comments are dropped.
///
/// # Errors
///
/// A quote that is not closed, or a character that starts no token.
pub(crate) fn tokenize(sql: &str) -> Result<Vec<Token<'_>>, Unreadable> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < sql.len() {
        let rest = &sql[at..];
        let skipped = skip_blank(rest);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let (kind, length) = next_token(rest)?;
        tokens.push(Token {
            kind,
            text: &rest[..length],
            start: at,
        });
        at += length;
    }
    Ok(tokens)
}

/// Returns how many bytes of white space or of one comment the text starts with.
fn skip_blank(rest: &str) -> usize {
    if rest.starts_with("--") {
        return rest.find('\n').map_or(rest.len(), |n| n + 1);
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        // A comment that is not closed runs to the end of the text.
        return comment.find("*/").map_or(rest.len(), |n| n + 4);
    }
    rest.bytes()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c))
        .count()
}

fn next_token(rest: &str) -> Result<(Kind, usize), Unreadable> {
    let bytes = rest.as_bytes();
    let first = bytes[0];
    match first {
        b'\'' => closing_quote(bytes, 0).map(|end| (Kind::Text, end)),
        b'"' | b'`' => closing_quote(bytes, 0).map(|end| (Kind::Quoted, end)),
        b'[' => match rest.find(']') {
            Some(end) => Ok((Kind::Quoted, end + 1)),
            None => Err(Unreadable),
        },
        b'x' | b'X' if bytes.get(1) == Some(&b'\'') => {
            let end = closing_quote(bytes, 1)?;
            let digits = &bytes[2..end - 1];
            if digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit) {
                Ok((Kind::Bytes, end))
            } else {
                Err(Unreadable)
            }
        }
        b'0'..=b'9' => Ok((Kind::Number, number(bytes))),
        b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => Ok((Kind::Number, number(bytes))),
        b'?' | b':' | b'@' | b'$' | b'#' => Ok((Kind::Parameter, 1 + word(&bytes[1..]))),
        _ if is_word(first) => Ok((Kind::Word, word(bytes))),
        _ => symbol(rest).map(|length| (Kind::Symbol, length)),
    }
}

/// Returns the offset behind the quote that closes the one at `open`; a doubled quote is content.
fn closing_quote(bytes: &[u8], open: usize) -> Result<usize, Unreadable> {
    let quote = bytes[open];
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == quote {
            if bytes.get(at + 1) != Some(&quote) {
                return Ok(at + 1);
            }
            at += 1;
        }
        at += 1;
    }
    Err(Unreadable)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

fn word(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| is_word(**b)).count()
}

fn number(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let signed_exponent = matches!(byte, b'+' | b'-')
            && at > 0
            && matches!(bytes[at - 1], b'e' | b'E')
            && !matches!(bytes.get(1), Some(b'x' | b'X'));
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || signed_exponent) {
            break;
        }
        at += 1;
    }
    at
}

fn symbol(rest: &str) -> Result<usize, Unreadable> {
    const LONG: &[&str] = &["->>", "->", "||", "<=", ">=", "<>", "!=", "==", "<<", ">>"];
    if let Some(found) = LONG.iter().find(|s| rest.starts_with(**s)) {
        return Ok(found.len());
    }
    match rest.as_bytes()[0] {
        b'(' | b')' | b',' | b';' | b'.' | b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'<' | b'>' | b'&' | b'|'
        | b'~' => Ok(1),
        _ => Err(Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(sql: &str) -> Vec<(Kind, &str)> {
        tokenize(sql).unwrap().into_iter().map(|t| (t.kind, t.text)).collect()
    }

    #[test]
    fn each_kind_of_token_is_cut_where_sqlite_cuts_it() {
        for (sql, tokens) in [
            ("[a b]", vec![(Kind::Quoted, "[a b]")]),
            ("`a``b`", vec![(Kind::Quoted, "`a``b`")]),
            ("\"a\"\"b\"", vec![(Kind::Quoted, "\"a\"\"b\"")]),
            ("'it''s'", vec![(Kind::Text, "'it''s'")]),
            ("x'aB'", vec![(Kind::Bytes, "x'aB'")]),
            ("x", vec![(Kind::Word, "x")]),
            ("Größe$1", vec![(Kind::Word, "Größe$1")]),
            ("1.5e-3", vec![(Kind::Number, "1.5e-3")]),
            (".5", vec![(Kind::Number, ".5")]),
            ("0xFF", vec![(Kind::Number, "0xFF")]),
            (
                "1-2",
                vec![(Kind::Number, "1"), (Kind::Symbol, "-"), (Kind::Number, "2")],
            ),
            ("a.b", vec![(Kind::Word, "a"), (Kind::Symbol, "."), (Kind::Word, "b")]),
            ("a<>b", vec![(Kind::Word, "a"), (Kind::Symbol, "<>"), (Kind::Word, "b")]),
            ("a--b ' \n/* [ \" */c", vec![(Kind::Word, "a"), (Kind::Word, "c")]),
            ("a/* open", vec![(Kind::Word, "a")]),
            ("", vec![]),
        ] {
            assert_eq!(cut(sql), tokens, "{sql}");
        }
    }

    #[test]
    fn quotes_are_taken_off_and_doubled_ones_halved() {
        for (sql, content) in [
            ("\"a\"\"b\"", "a\"b"),
            ("`a``b`", "a`b"),
            ("'it''s'", "it's"),
            ("[c\"d]", "c\"d"),
            ("x'0aF0'", "0aF0"),
            ("\"\"", ""),
            ("plain", "plain"),
        ] {
            assert_eq!(tokenize(sql).unwrap()[0].unquoted(), content, "{sql}");
        }
    }

    #[test]
    fn what_sqlite_cannot_read_is_refused() {
        for sql in ["'open", "\"open", "[open", "x'abc'", "x'zz'", "a ^ b", "{", "!"] {
            assert_eq!(tokenize(sql), Err(Unreadable), "{sql}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            if let Ok(tokens) = tokenize(&text) {
                for token in tokens {
                    prop_assert_eq!(&text[token.start..token.end()], token.text);
                    let _ = token.unquoted();
                }
            }
        }

        #[test]
        fn a_quoted_name_comes_back(name in any::<String>()) {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            let tokens = tokenize(&quoted).unwrap();
            prop_assert_eq!(tokens.len(), 1);
            prop_assert_eq!(tokens[0].unquoted(), name);
        }

        #[test]
        fn quotes_comments_and_marks_in_any_order_do_not_panic(text in "['\"`\\[\\]xX(),;.\\-/*<>=|0-9e \n]{0,40}") {
            let _ = tokenize(&text);
        }
    }
}
