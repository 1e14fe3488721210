//! What the body of a trigger can do, read from its words. Never a proof: a body that looks harmless may call a function.

/// Returns whether a trigger with this body can keep a row from being deleted, without an error.
pub(crate) fn can_keep_rows(body: &str) -> bool {
    let body = Body::parse(body);
    body.swallows() || body.says(&["return", "new"])
}

/// Returns whether a trigger with this body keeps each row from being deleted, without an error.
pub(crate) fn keeps_every_row(body: &str) -> bool {
    let Body(words) = Body::parse(body);
    let depends = |word: &String| ["if", "case", "when", "while", "for", "loop", "where"].contains(&word.as_str());
    let head: Vec<&str> = words.iter().take_while(|w| !depends(w)).map(String::as_str).collect();
    let returns = head.iter().position(|word| *word == "return");
    // There is no new row, so that NEW is NULL.
    let nothing = returns
        .and_then(|at| head.get(at + 1))
        .is_some_and(|what| ["null", "new"].contains(what));
    nothing || (head.windows(3).any(|w| w == ["raise", "(", "ignore"]) && head.len() == words.len())
}

/// Returns whether a trigger with this body refuses each row with an error.
pub(crate) fn always_refuses(body: &str) -> bool {
    Body::parse(body).always(|words| match words {
        ["signal" | "resignal", rest @ ..] => !rest.contains(&NO_ERROR),
        ["raise", level, ..] if MESSAGES.contains(level) => false,
        ["select", "raise", "(", "ignore", ..] => false,
        ["raise", ..] | ["select", "raise", "(", _, ",", "'", ")"] => true,
        _ => false,
    })
}

/// Returns whether a trigger with this body makes each row vanish without an error.
pub(super) fn always_swallows(body: &str) -> bool {
    Body::parse(body).always(|words| matches!(words, ["return", "null"] | ["select", "raise", "(", "ignore", ")"]))
}

/// Returns whether a trigger with this body deletes rows of some table.
pub(crate) fn can_delete(body: &str) -> bool {
    Body::parse(body).deletes()
}

/// Levels of RAISE that are a message (PostgreSQL).
const MESSAGES: &[&str] = &["notice", "warning", "info", "log", "debug"];

/// Stands for an SQLSTATE that is a warning, or says that there is no row.
const NO_ERROR: &str = "'0";

/// Words of which it depends what is done: branches, loops, and what catches errors.
const BRANCHES: &[&str] = &[
    "if",
    "case",
    "when",
    "while",
    "for",
    "foreach",
    "loop",
    "repeat",
    "leave",
    "iterate",
    "exit",
    "handler",
    "exception",
];

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
                    let state = matches!(words.last().map(String::as_str), Some("sqlstate" | "value"));
                    let no_error = state && (rest.starts_with("'01") || rest.starts_with("'02"));
                    words.push(if no_error { NO_ERROR } else { "'" }.to_owned());
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

    /// Returns whether a statement that ends it all is surely reached: it is the last one, and nothing depends.
    fn always(&self, ends: impl Fn(&[&str]) -> bool) -> bool {
        for words in self.0.split(|word| word == ";") {
            let words = words.iter().map(String::as_str).skip_while(|word| *word == "begin");
            let words: Vec<&str> = words.collect();
            let raises = words.first() == Some(&"raise");
            let depends = |word: &&&str| BRANCHES.contains(*word) && !(raises && **word == "exception");
            if words.iter().any(|word| depends(&word)) {
                return false;
            }
            if ends(&words) {
                return !self.says(&["exception", "when"]);
            }
            if words.first() == Some(&"return") {
                return false;
            }
        }
        false
    }

    /// Returns whether the body can make the row vanish without an error.
    pub(super) fn swallows(&self) -> bool {
        self.says(&["return", "null"]) || self.says(&["raise", "(", "ignore"])
    }

    /// Returns whether the body can refuse the row with an error.
    pub(super) fn refuses(&self) -> bool {
        let raises = |(at, word): (usize, &String)| {
            // RAISE alone is an error in PostgreSQL; with another level it is a message, and in SQLite it is a call.
            let next = |by: usize| self.0.get(at + by).map_or("", String::as_str);
            match (word.as_str(), next(1)) {
                ("signal" | "resignal", "sqlstate") => next(2) != NO_ERROR && next(3) != NO_ERROR,
                ("signal" | "resignal" | "assert", _) => true,
                ("raise", "(") => next(2) != "ignore",
                ("raise", level) => !MESSAGES.contains(&level),
                _ => false,
            }
        };
        self.0.iter().enumerate().any(raises)
    }

    /// Returns whether the body updates a table; if a column is given, that column.
    pub(super) fn updates(&self, table: &str, column: Option<&str>) -> bool {
        let (table, column) = (table.to_lowercase(), column.map(str::to_lowercase));
        let statements = self.0.split(|word| word == ";");
        statements.into_iter().any(|words| {
            let Some(update) = words.iter().position(|word| word == "update") else {
                return false;
            };
            let words = &words[update..];
            let Some(set) = words.iter().position(|word| word == "set") else {
                return false;
            };
            let end = words.iter().position(|word| word == "where").unwrap_or(words.len());
            let assigned = |column: &String| {
                let set = words.get(set..end).unwrap_or_default();
                let gives = |w: &[String]| matches!(w[0].as_str(), "set" | ",") && w[1] == *column && w[2] == "=";
                set.windows(3).any(gives)
            };
            words[1..set].contains(&table) && column.as_ref().is_none_or(assigned)
        })
    }

    /// Returns whether the body deletes from a table the very row that fires the trigger: `WHERE Id = NEW.Id`.
    pub(super) fn deletes_new(&self, table: &str) -> bool {
        let table = table.to_lowercase();
        self.0.split(|word| word == ";").any(|words| {
            let Some(delete) = words.windows(2).position(|w| w == ["delete", "from"]) else {
                return false;
            };
            let words = &words[delete + 2..];
            let Some(place) = words.iter().position(|word| word == "where") else {
                return false;
            };
            let condition: Vec<&str> = words[place + 1..].iter().map(String::as_str).collect();
            let the_row = match condition[..] {
                [column, "=", "new", ".", of] | ["new", ".", of, "=", column] => column == of,
                _ => false,
            };
            words[..place].contains(&table) && the_row
        })
    }

    /// Returns whether the body deletes all rows of a table.
    pub(super) fn empties(&self, table: &str) -> bool {
        let table = table.to_lowercase();
        self.0.split(|word| word == ";").any(|words| {
            let words: Vec<&str> = words.iter().map(String::as_str).skip_while(|w| *w == "begin").collect();
            let ["delete", "from", rest @ ..] = &words[..] else {
                return false;
            };
            let ([name] | [_, ".", name] | [name, "where", "1" | "true"] | [_, ".", name, "where", "1" | "true"]) =
                rest
            else {
                return false;
            };
            *name == table
        })
    }

    /// Returns whether the body deletes rows of some table.
    pub(super) fn deletes(&self) -> bool {
        self.says(&["delete", "from"]) || self.says(&["truncate"])
    }

    /// Returns whether the body deletes rows that have nothing to do with the new one, and does nothing else.
    pub(super) fn only_purges(&self) -> bool {
        let bare = |words: &[String]| -> Vec<String> {
            let frame = |word: &&String| !matches!(word.as_str(), "begin" | "end");
            words.iter().filter(frame).cloned().collect()
        };
        let statements = self.0.split(|word| word == ";").map(bare);
        let mut others = statements.filter(|words| !words.is_empty() && *words != ["return", "new"]);
        let is_purge = |words: Vec<String>| {
            let acts = |word: &String| ["new", "raise", "signal", "return", "call"].contains(&word.as_str());
            words.starts_with(&["delete".to_owned(), "from".to_owned()]) && !words.iter().any(acts)
        };
        self.deletes() && others.all(is_purge)
    }

    /// Returns the columns of the new row that the body gives values to, if it does nothing else, whatever the row is.
    pub(super) fn only_assigns(&self) -> Option<Vec<&str>> {
        let mut columns = Vec::new();
        let (mut sets, mut returned) = (false, false);
        for words in self.0.split(|word| word == ";") {
            match plain_words(words)[..] {
                [] | ["null"] => {}
                ["return", "new"] => returned = true,
                ["raise", "notice" | "warning" | "info" | "log" | "debug", ..] => {}
                ["new", ".", column, ":=" | "=", ..] => columns.push(column),
                ["set", "new", ".", column, "=", ref rest @ ..] if !rest.contains(&",") => {
                    sets = true;
                    columns.push(column);
                }
                _ => return None,
            }
        }
        // A function must give the row back; a trigger that is a statement cannot.
        (returned != sets).then_some(columns)
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
                if self.0.get(at + 4..).is_some_and(|value| is_respelled(value, &column)) {
                    return false;
                }
                match self.0.get(at + 3).map(String::as_str) {
                    Some(":=") => true,
                    // `=` also compares; at the start of a statement or behind SET it assigns.
                    Some("=") => matches!(before, ";" | "begin" | "then" | "else" | "loop" | "do" | "set" | ","),
                    _ => before == "into",
                }
            })
    }
}

/// Returns whether a value is that of the new row in other letters alone: `upper(NEW.x)`.
fn is_respelled(value: &[String], column: &str) -> bool {
    const FUNCTIONS: &[&str] = &["upper", "ucase", "lower", "lcase", "trim", "ltrim", "rtrim"];
    let words: Vec<&str> = value.iter().take(7).map(String::as_str).collect();
    match words[..] {
        [function, "(", "new", ".", of, ")", ref rest @ ..] => {
            FUNCTIONS.contains(&function) && of == column && matches!(rest.first(), None | Some(&";" | &"," | &"end"))
        }
        _ => false,
    }
}

/// Returns the words of a statement without what stands around it: the frame of the body, and the branch it is in.
fn plain_words(words: &[String]) -> Vec<&str> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    loop {
        match words[..] {
            ["end", "if"] => words.clear(),
            ["begin" | "else", ..] => drop(words.remove(0)),
            [.., "end"] => drop(words.pop()),
            ["if" | "elsif" | "elseif", ..] => match words.iter().position(|word| *word == "then") {
                Some(then) => drop(words.drain(..=then)),
                None => return words,
            },
            _ => return words,
        }
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
            ("SET NEW.EventId = UPPER(NEW.EventId)", false),
            ("BEGIN NEW.\"EventId\" := trim(NEW.\"EventId\"); RETURN NEW; END", false),
            ("SET NEW.EventId = lower(NEW.EventId) || uuid()", true),
            ("SET NEW.EventId = upper(NEW.CorrelationId)", true),
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

    #[test]
    fn a_message_is_no_refusal() {
        for (body, refuses) in [
            ("RAISE 'no'", true),
            ("RAISE unique_violation USING MESSAGE = 'no'", true),
            ("EXCEPTION WHEN others THEN RAISE; END", true),
            ("SIGNAL no_such_tenant", true),
            ("ASSERT NEW.tenant > 0, 'no'", true),
            ("SELECT RAISE(FAIL, 'no')", true),
            ("RAISE NOTICE 'x'", false),
            ("raise warning 'x'", false),
            ("SELECT RAISE(IGNORE)", false),
        ] {
            assert_eq!(Body::parse(body).refuses(), refuses, "{body}");
        }
    }

    #[test]
    fn what_ends_every_row_is_told_from_what_depends_on_it() {
        for (body, refuses, swallows) in [
            ("SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'", true, false),
            ("BEGIN SET @n = @n + 1; SIGNAL SQLSTATE VALUE '45000'; END", true, false),
            ("BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '23000'; END", true, false),
            ("DECLARE n int; BEGIN n := 1; RAISE 'no'; END", true, false),
            ("SELECT RAISE(ABORT, 'no');", true, false),
            ("SELECT 1; SELECT RAISE(FAIL, 'it''s no');", true, false),
            ("SELECT RAISE(IGNORE);", false, true),
            ("BEGIN RETURN NULL; END", false, true),
            ("SIGNAL SQLSTATE '01000'", false, false),
            ("IF NEW.Outcome = '' THEN SIGNAL SQLSTATE '45000'; END IF", false, false),
            (
                "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN END; SIGNAL SQLSTATE '45000'; END",
                false,
                false,
            ),
            (
                "BEGIN RAISE EXCEPTION 'no'; EXCEPTION WHEN others THEN RETURN NEW; END",
                false,
                false,
            ),
            ("BEGIN RAISE NOTICE 'row'; RETURN NEW; END", false, false),
            ("BEGIN IF x THEN RETURN NULL; END IF; RETURN NEW; END", false, false),
            ("BEGIN RETURN NEW; RAISE EXCEPTION 'no'; END", false, false),
            (
                "BEGIN FOR r IN SELECT 1 FROM t LOOP RAISE EXCEPTION 'no'; END LOOP; RETURN NEW; END",
                false,
                false,
            ),
            ("SELECT RAISE(ABORT, 'no') WHERE NEW.Outcome = '';", false, false),
            ("SELECT RAISE(IGNORE) FROM t;", false, false),
            (
                "SELECT CASE WHEN NEW.Outcome = '' THEN RAISE(ABORT, 'no') END;",
                false,
                false,
            ),
            ("SELECT iif(NEW.Outcome = '', RAISE(ABORT, 'no'), 0);", false, false),
        ] {
            assert_eq!(
                (always_refuses(body), always_swallows(body)),
                (refuses, swallows),
                "{body}"
            );
        }
    }

    #[test]
    fn a_table_that_is_emptied_is_told_from_one_that_loses_rows() {
        for (body, empties) in [
            ("DELETE FROM \"Ledger\"", true),
            ("BEGIN DELETE FROM main.Ledger WHERE 1; END", true),
            ("DELETE FROM Ledger WHERE Id = NEW.Id", false),
            ("DELETE FROM Pending", false),
            ("DELETE FROM Ledger LIMIT 5", false),
        ] {
            assert_eq!(Body::parse(body).empties("Ledger"), empties, "{body}");
        }
    }

    #[test]
    fn an_update_of_the_table_is_told_from_one_of_another() {
        for (body, any, identity) in [
            (
                "UPDATE \"Ledger\" SET \"EventId\" = 'x' WHERE \"Id\" = NEW.\"Id\"",
                true,
                true,
            ),
            (
                "UPDATE ONLY public.ledger AS l SET outcome = 'x', eventid = uuid()",
                true,
                true,
            ),
            (
                "UPDATE OR IGNORE [Ledger] SET Outcome = 'x' WHERE EventId = NEW.EventId",
                true,
                false,
            ),
            (
                "UPDATE Other SET EventId = 'x' WHERE Id IN (SELECT Id FROM Ledger)",
                false,
                false,
            ),
            (
                "INSERT INTO Other VALUES (1) ON CONFLICT DO UPDATE SET EventId = 'x'",
                false,
                false,
            ),
            ("RETURN NEW", false, false),
        ] {
            let words = Body::parse(body);
            let found = (words.updates("Ledger", None), words.updates("Ledger", Some("EventId")));
            assert_eq!(found, (any, identity), "{body}");
        }
    }

    #[test]
    fn the_new_row_is_told_from_old_ones() {
        for (body, is_new) in [
            ("DELETE FROM \"Ledger\" WHERE \"Id\" = NEW.\"Id\"", true),
            ("BEGIN x; DELETE FROM Ledger WHERE NEW.rowid = rowid; END", true),
            ("DELETE FROM Ledger WHERE rowid <= NEW.rowid - 1000", false),
            ("DELETE FROM Ledger WHERE EventId = NEW.EventId AND Id <> NEW.Id", false),
            ("DELETE FROM Pending WHERE EventId = NEW.EventId", false),
            ("DELETE FROM Ledger", false),
        ] {
            assert_eq!(Body::parse(body).deletes_new("Ledger"), is_new, "{body}");
        }
    }
}
