//! The `sql_mode` under which an event or routine was made: it decides what its text means.

/// Writes a text in the words of the default mode: names in backticks, `OR` for the sign, backslashes doubled where
/// they stand for themselves.
pub(super) fn in_default_mode(sql: &str, mode: &str) -> String {
    let has = |wanted: &str| mode.split(',').any(|m| m.trim().eq_ignore_ascii_case(wanted));
    let (quotes_names, joins) = (has("ANSI_QUOTES"), has("PIPES_AS_CONCAT"));
    let escapes = !has("NO_BACKSLASH_ESCAPES");
    let mut plain = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let length = stretch(rest, first, escapes);
        let (piece, tail) = rest.split_at(length);
        match first {
            '"' if quotes_names => plain.push_str(&as_name(piece)),
            '\'' | '"' if !escapes => plain.push_str(&piece.replace('\\', "\\\\")),
            '|' if piece == "||" && !joins => plain.push_str(" OR "),
            _ => plain.push_str(piece),
        }
        rest = tail;
    }
    plain
}

/// Returns the length of what stands at the beginning: a quoted text, a comment, a sign of two, or one character.
fn stretch(text: &str, first: char, escapes: bool) -> usize {
    match first {
        '\'' | '"' | '`' => quoted(text, first, escapes && first != '`'),
        '#' => text.find('\n').unwrap_or(text.len()),
        '-' if text.starts_with("-- ") || text.starts_with("--\n") || text.starts_with("--\t") => {
            text.find('\n').unwrap_or(text.len())
        }
        // What stands in `/*! … */` is run.
        '/' if text.starts_with("/*") && !text.starts_with("/*!") && !text.starts_with("/*M!") => {
            text.find("*/").map_or(text.len(), |at| at + 2)
        }
        '|' if text.starts_with("||") => 2,
        _ => first.len_utf8(),
    }
}

/// Returns the length of a quoted stretch; doubled quotes belong to it.
fn quoted(text: &str, quote: char, escapes: bool) -> usize {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && escapes {
            chars.next();
        } else if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return at + 1;
        }
    }
    text.len()
}

fn as_name(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    format!("`{}`", inner.replace("\"\"", "\"").replace('`', "``"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_decides_what_signs_mean() {
        for (mode, sql, plain) in [
            ("", "a = \"x\" || b", "a = \"x\"  OR  b"),
            ("ANSI_QUOTES", "\"a\"\"b`c\" = 'x\"y'", "`a\"b``c` = 'x\"y'"),
            ("PIPES_AS_CONCAT,ANSI_QUOTES", "\"a\" || 'b'", "`a` || 'b'"),
            ("", r"'it\'s ||' || `||`", r"'it\'s ||'  OR  `||`"),
            ("NO_BACKSLASH_ESCAPES", r"a = '\' || b", r"a = '\\'  OR  b"),
            (
                "ANSI_QUOTES",
                "/* \"a\" || */ -- \"b\"\n# \"c\"\n\"d\"",
                "/* \"a\" || */ -- \"b\"\n# \"c\"\n`d`",
            ),
            ("ANSI_QUOTES", "/*! \"a\" */", "/*! `a` */"),
            ("ANSI_QUOTES", "\"open", "`open`"),
        ] {
            assert_eq!(in_default_mode(sql, mode), plain, "{mode}");
        }
    }
}
