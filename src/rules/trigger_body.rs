//! What the body of a trigger can do, read from its words. Never a proof: a body that looks harmless may call a function.

/// Returns whether a trigger with this body can make the row at hand vanish without an error.
pub(crate) fn can_swallow(body: &str) -> bool {
    Body::parse(body).swallows()
}

/// Returns whether a trigger with this body refuses each row with an error.
pub(crate) fn always_refuses(body: &str) -> bool {
    let Body(words) = Body::parse(body);
    let depends = |word: &String| ["if", "case", "when", "while", "return"].contains(&word.as_str());
    let head: Vec<String> = words.iter().take_while(|word| !depends(word)).cloned().collect();
    Body(head).refuses() && !words.iter().any(|word| word == "where")
}

/// Returns whether a trigger with this body deletes rows of some table.
pub(crate) fn can_delete(body: &str) -> bool {
    Body::parse(body).deletes()
}

/// A trigger's body as a list of words and signs: comments gone, names bare and in lower case, constants as `'`.
pub(super) struct Body(Vec<String>);

impl Body {
    /// Splits a body into words.
    pub(super) fn parse(text: &str) -> Self {
        let mut words = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
                '#' => rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
                '\'' => {
                    words.push("'".to_owned());
                    quoted_length(rest, '\'')
                }
                '"' | '`' => {
                    let length = quoted_length(rest, c);
                    words.push(rest[..length].trim_matches(c).to_lowercase());
                    length
                }
                ':' if rest.starts_with(":=") => {
                    words.push(":=".to_owned());
                    2
                }
                c if c.is_alphanumeric() || c == '_' => {
                    let length = rest
                        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                        .unwrap_or(rest.len());
                    words.push(rest[..length].to_lowercase());
                    length
                }
                c if c.is_whitespace() || matches!(c, '[' | ']') => c.len_utf8(),
                c => {
                    words.push(c.to_string());
                    c.len_utf8()
                }
            };
            rest = &rest[length.max(c.len_utf8())..];
        }
        Self(words)
    }

    /// Returns whether these words stand side by side.
    fn says(&self, words: &[&str]) -> bool {
        self.0
            .windows(words.len())
            .any(|window| window.iter().zip(words).all(|(a, b)| a == b))
    }

    /// Returns whether the body can make the row vanish without an error.
    pub(super) fn swallows(&self) -> bool {
        self.says(&["return", "null"]) || self.says(&["raise", "(", "ignore"])
    }

    /// Returns whether the body can refuse the row with an error.
    pub(super) fn refuses(&self) -> bool {
        self.says(&["raise", "exception"])
            || self.says(&["signal", "sqlstate"])
            || ["abort", "fail", "rollback"]
                .iter()
                .any(|how| self.says(&["raise", "(", how]))
    }

    /// Returns whether the body deletes rows of some table.
    pub(super) fn deletes(&self) -> bool {
        self.says(&["delete", "from"]) || self.says(&["truncate"])
    }

    /// Returns whether the body gives a column of the new row another value.
    pub(super) fn assigns(&self, column: &str) -> bool {
        let column = column.to_lowercase();
        let target = ["new", ".", column.as_str()];
        self.0
            .windows(3)
            .enumerate()
            .filter(|(_, w)| w.iter().zip(target).all(|(a, b)| a == b))
            .any(|(at, _)| {
                let before = at
                    .checked_sub(1)
                    .and_then(|i| self.0.get(i))
                    .map_or(";", String::as_str);
                match self.0.get(at + 3).map(String::as_str) {
                    Some(":=") => true,
                    // `=` also compares; at the start of a statement or behind SET it assigns.
                    Some("=") => matches!(before, ";" | "begin" | "then" | "else" | "loop" | "do" | "set" | ","),
                    _ => before == "into",
                }
            })
    }
}

/// Returns the length of a quoted stretch at the start of the text, doubled quotes included.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            if chars.peek().is_some_and(|(_, next)| *next == quote) {
                chars.next();
            } else {
                return at + c.len_utf8();
            }
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_is_told_from_a_comparison() {
        for (body, assigns) in [
            ("SET NEW.`EventId` = uuid()", true),
            ("BEGIN NEW.\"EventId\" := gen_random_uuid(); RETURN NEW; END", true),
            ("BEGIN NEW.\"EventId\" = gen_random_uuid(); RETURN NEW; END", true),
            ("SET NEW.Outcome = 'x', NEW.EventId = uuid()", true),
            ("SELECT gen_random_uuid() INTO NEW.\"EventId\";", true),
            (
                "BEGIN IF NEW.\"EventId\" = OLD.\"EventId\" THEN RETURN NEW; END IF; END",
                false,
            ),
            (
                "BEGIN IF NEW.\"Outcome\" = 'Stale' THEN RETURN NULL; END IF; RETURN NEW; END",
                false,
            ),
            ("-- NEW.EventId := x\nRETURN NEW", false),
            ("RAISE NOTICE 'NEW.EventId := x'", false),
            ("SET NEW.EventIdCopy = 'x'", false),
        ] {
            assert_eq!(Body::parse(body).assigns("EventId"), assigns, "{body}");
        }
    }

    #[test]
    fn words_count_only_outside_comments_and_constants() {
        assert!(Body::parse("IF x THEN RETURN\n  NULL; END").swallows());
        assert!(Body::parse("SELECT RAISE(IGNORE)").swallows());
        assert!(!Body::parse("RETURN NEW; -- RETURN NULL").swallows());
        assert!(!Body::parse("/* return null */ RETURN NEW;").swallows());
        assert!(!Body::parse("RAISE NOTICE 'return null'; RETURN NEW;").swallows());
        assert!(Body::parse("RAISE EXCEPTION 'no'").refuses());
        assert!(Body::parse("SELECT RAISE ( ABORT, 'no')").refuses());
        assert!(Body::parse("DELETE FROM \"T\" WHERE 1").deletes());
        assert!(!Body::parse("'it''s DELETE FROM'").deletes());
    }
}
