//! Words of MySQL's SQL, as far as catalogs print and people write expressions.
//!
//! The reader expects the session that the catalog sets up: `'` and `"` delimit text, backslashes escape.

/// One word of SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A bare word, as written.
    Word(String),
    /// A name in backticks, without them.
    Name(String),
    /// Text, without quotes and escapes. A character set introducer before it is dropped.
    Text(String),
    /// A decimal number without sign.
    Number(String),
    /// The bits of `b'101'` or `0b101`.
    Bits(String),
    /// The digits of `x'ff'` or `0xff`, in lower case.
    Hex(String),
    /// An operator or a piece of punctuation.
    Symbol(&'static str),
    /// A character that has no business in an expression, or a quote that is not closed; what follows that is one
    /// word.
    Stray(char),
}

impl Token {
    /// Returns whether this is the bare word, in any letter case.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::Word(w) if w.eq_ignore_ascii_case(word))
    }

    /// Returns whether this is the symbol.
    pub(crate) fn is(&self, symbol: &str) -> bool {
        matches!(self, Self::Symbol(s) if *s == symbol)
    }

    /// Returns a name, bare or in backticks.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Word(name) | Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// Longer symbols come before their beginnings.
const SYMBOLS: &[&str] = &[
    "<=>", "->>", "<=", ">=", "<>", "!=", "<<", ">>", "&&", "||", "->", ":=", "(", ")", ",", ".", "=", "<", ">", "+",
    "-", "*", "/", "%", "^", "&", "|", "~", "!", "@", ";", "?", ":",
];

/// Splits SQL into its words. Never fails: what is not understood comes out as [`Token::Stray`].
pub(crate) fn tokens(sql: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (token, left) = next(rest, c);
        let unclosed = matches!(token, Token::Stray('\'' | '"' | '`'));
        out.push(token);
        rest = left;
        // To look for further ends of further quotes would take for ever in a hostile text, and mean nothing.
        if unclosed && !rest.trim().is_empty() {
            out.push(Token::Word(rest.trim().to_owned()));
            break;
        }
    }
    out
}

fn next(rest: &str, c: char) -> (Token, &str) {
    if matches!(c, '\'' | '"') {
        return quoted(rest, c).map_or((Token::Stray(c), &rest[1..]), |(t, left)| (Token::Text(t), left));
    }
    if c == '`' {
        return quoted(rest, c).map_or((Token::Stray(c), &rest[1..]), |(t, left)| (Token::Name(t), left));
    }
    if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) {
        return number(rest);
    }
    if is_word_char(c) {
        return word(rest);
    }
    match SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
        Some(symbol) => (Token::Symbol(symbol), &rest[symbol.len()..]),
        None => (Token::Stray(c), &rest[c.len_utf8()..]),
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Reads a quoted piece; nothing if it is not closed.
fn quoted(rest: &str, quote: char) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            if chars.peek().is_some_and(|(_, d)| *d == quote) {
                chars.next();
                text.push(quote);
                continue;
            }
            return Some((text, &rest[at + c.len_utf8()..]));
        }
        if c == '\\' && quote != '`' {
            let (_, escaped) = chars.next()?;
            text.push_str(&unescape(escaped));
            continue;
        }
        text.push(c);
    }
    None
}

/// The manual's table of escapes; `\%` and `\_` keep their backslash.
fn unescape(c: char) -> String {
    match c {
        '0' => "\0".to_owned(),
        'b' => "\u{8}".to_owned(),
        'n' => "\n".to_owned(),
        'r' => "\r".to_owned(),
        't' => "\t".to_owned(),
        'Z' => "\u{1a}".to_owned(),
        '%' | '_' => format!("\\{c}"),
        other => other.to_string(),
    }
}

fn number(rest: &str) -> (Token, &str) {
    for (prefix, radix) in [("0x", 16), ("0b", 2)] {
        let digits = rest.strip_prefix(prefix).unwrap_or_default();
        let end = digits
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(digits.len());
        if end > 0 && digits[..end].chars().all(|c| c.is_digit(radix)) {
            let digits = &digits[..end];
            let token = if radix == 16 {
                Token::Hex(digits.to_ascii_lowercase())
            } else {
                Token::Bits(digits.to_owned())
            };
            return (token, &rest[2 + end..]);
        }
    }
    let bytes = rest.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    (Token::Number(rest[..end].to_owned()), &rest[end..])
}

/// Reads a bare word, or a literal that begins like one: `b'1'`, `x'ff'`, `N'…'`, `_utf8mb4'…'`.
fn word(rest: &str) -> (Token, &str) {
    let end = rest.find(|c: char| !is_word_char(c)).unwrap_or(rest.len());
    let (word, left) = rest.split_at(end);
    let introduced = match left.chars().next() {
        Some(quote @ ('\'' | '"')) => quoted(left, quote),
        _ => None,
    };
    if let Some((text, left)) = introduced {
        if word.eq_ignore_ascii_case("b") && text.chars().all(|c| matches!(c, '0' | '1')) {
            return (Token::Bits(text), left);
        }
        if word.eq_ignore_ascii_case("x") && text.len().is_multiple_of(2) && text.chars().all(|c| c.is_ascii_hexdigit())
        {
            return (Token::Hex(text.to_ascii_lowercase()), left);
        }
        if word.eq_ignore_ascii_case("n") || word.starts_with('_') {
            return (Token::Text(text), left);
        }
    }
    (Token::Word(word.to_owned()), left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(t: &str) -> Vec<Token> {
        vec![Token::Text(t.to_owned())]
    }

    #[test]
    fn quotes_and_escapes_are_undone() {
        assert_eq!(tokens(r"'it\'s'"), text("it's"));
        assert_eq!(tokens("'it''s'"), text("it's"));
        assert_eq!(tokens(r"'a\\b'"), text(r"a\b"));
        assert_eq!(tokens(r"_utf8mb4'x\ny'"), text("x\ny"));
        assert_eq!(tokens("N'x'"), text("x"));
        assert_eq!(tokens(r#""say ""hi""""#), text(r#"say "hi""#));
        assert_eq!(tokens("`a``b`"), vec![Token::Name("a`b".to_owned())]);
    }

    #[test]
    fn bits_bytes_and_numbers_are_told_apart() {
        assert_eq!(tokens("b'101'"), vec![Token::Bits("101".to_owned())]);
        assert_eq!(tokens("0b101"), vec![Token::Bits("101".to_owned())]);
        assert_eq!(tokens("X'00FF'"), vec![Token::Hex("00ff".to_owned())]);
        assert_eq!(tokens("0x6100ff"), vec![Token::Hex("6100ff".to_owned())]);
        assert_eq!(
            tokens("-1.50e3"),
            vec![Token::Symbol("-"), Token::Number("1.50e3".to_owned())]
        );
    }

    #[test]
    fn an_open_quote_is_a_stray_character() {
        assert_eq!(tokens("'abc"), vec![Token::Stray('\''), Token::Word("abc".to_owned())]);
    }

    proptest! {
        #[test]
        fn any_text_is_split_without_panic(sql in "\\PC*") {
            tokens(&sql);
        }

        #[test]
        fn near_sql_is_split_without_panic(sql in "[a-c0-9'\"`\\\\ .xXbB_eE+-]{0,30}") {
            tokens(&sql);
        }
    }
}
