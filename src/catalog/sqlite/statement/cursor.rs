//! A place in a tokenized statement.

use crate::dialect::sqlite::token::{Kind, Token, Unreadable, tokenize};
use crate::schema::OnConflict;

/// A statement and how far it has been read.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    sql: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(sql: &'a str) -> Result<Self, Unreadable> {
        Ok(Self {
            sql,
            tokens: tokenize(sql)?,
            at: 0,
        })
    }

    pub(super) fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at)
    }

    /// Returns whether the next tokens are these keywords.
    pub(super) fn sees(&self, keywords: &[&str]) -> bool {
        keywords
            .iter()
            .enumerate()
            .all(|(i, keyword)| self.tokens.get(self.at + i).is_some_and(|t| t.is(keyword)))
    }

    pub(super) fn sees_symbol(&self, symbol: &str) -> bool {
        self.peek().is_some_and(|t| t.is_symbol(symbol))
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.at).copied();
        self.at += usize::from(token.is_some());
        token
    }

    /// Passes these keywords, if they are next.
    pub(super) fn pass(&mut self, keywords: &[&str]) -> bool {
        let seen = self.sees(keywords);
        if seen {
            self.at += keywords.len();
        }
        seen
    }

    pub(super) fn pass_symbol(&mut self, symbol: &str) -> bool {
        let seen = self.sees_symbol(symbol);
        self.at += usize::from(seen);
        seen
    }

    pub(super) fn expect(&mut self, keywords: &[&str]) -> Result<(), Unreadable> {
        if self.pass(keywords) { Ok(()) } else { Err(Unreadable) }
    }

    pub(super) fn expect_symbol(&mut self, symbol: &str) -> Result<(), Unreadable> {
        if self.pass_symbol(symbol) {
            Ok(())
        } else {
            Err(Unreadable)
        }
    }

    /// Reads a name: bare or in any of the four quotes.
    pub(super) fn name(&mut self) -> Result<String, Unreadable> {
        match self.next() {
            Some(token) if matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Text) => Ok(token.unquoted()),
            _ => Err(Unreadable),
        }
    }

    /// Reads a name that may have its schema in front, and returns the name alone.
    pub(super) fn qualified_name(&mut self) -> Result<String, Unreadable> {
        let first = self.name()?;
        if self.pass_symbol(".") { self.name() } else { Ok(first) }
    }

    /// Reads `CREATE`, the words of the object and an optional `IF NOT EXISTS`.
    pub(super) fn create(&mut self, object: &str) -> Result<(), Unreadable> {
        self.expect(&["create"])?;
        let _ = self.pass(&["temp"]) || self.pass(&["temporary"]) || self.pass(&["unique"]) || self.pass(&["virtual"]);
        self.expect(&[object])?;
        self.pass(&["if", "not", "exists"]);
        Ok(())
    }

    /// Reads a parenthesis with everything in it, and returns a cursor over the inside.
    pub(super) fn group(&mut self) -> Result<Self, Unreadable> {
        self.expect_symbol("(")?;
        let start = self.at;
        let mut depth = 1_usize;
        while depth > 0 {
            let token = self.next().ok_or(Unreadable)?;
            if token.is_symbol("(") {
                depth += 1;
            } else if token.is_symbol(")") {
                depth -= 1;
            }
        }
        Ok(self.part(start, self.at - 1))
    }

    /// Returns what is left as lists between commas outside of parentheses.
    pub(super) fn split_at_commas(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut start = self.at;
        let mut depth = 0_usize;
        for at in self.at..self.tokens.len() {
            let token = self.tokens[at];
            if token.is_symbol("(") {
                depth += 1;
            } else if token.is_symbol(")") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && token.is_symbol(",") {
                parts.push(self.part(start, at));
                start = at + 1;
            }
        }
        parts.push(self.part(start, self.tokens.len()));
        parts
    }

    /// Cuts off the last tokens that satisfy a condition, one by one.
    pub(super) fn cut_last(&mut self, count: usize) {
        self.tokens
            .truncate(self.tokens.len().saturating_sub(count).max(self.at));
    }

    /// Returns the tokens that are left.
    pub(super) fn rest(&self) -> &[Token<'a>] {
        &self.tokens[self.at..]
    }

    /// Returns the text that is left, as written.
    pub(super) fn text(&self) -> &'a str {
        match self.rest() {
            [] => "",
            [first, .., last] => &self.sql[first.start..last.end()],
            [only] => only.text,
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Reads up to the first token outside of parentheses that satisfies the condition, and returns what was passed.
    pub(super) fn until(&mut self, stop: impl Fn(&[Token<'a>]) -> bool) -> Self {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            if token.is_symbol("(") {
                depth += 1;
            } else if token.is_symbol(")") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && stop(self.rest()) {
                break;
            }
            self.at += 1;
        }
        self.part(start, self.at)
    }

    /// Reads an optional `ON CONFLICT …`. `ABORT` is what happens without one and counts as none.
    pub(super) fn conflict_clause(&mut self) -> Result<Option<OnConflict>, Unreadable> {
        if !self.pass(&["on", "conflict"]) {
            return Ok(None);
        }
        let word = self.next().ok_or(Unreadable)?;
        match word.text.to_ascii_lowercase().as_str() {
            "abort" => Ok(None),
            "rollback" => Ok(Some(OnConflict::Rollback)),
            "fail" => Ok(Some(OnConflict::Fail)),
            "ignore" => Ok(Some(OnConflict::Ignore)),
            "replace" => Ok(Some(OnConflict::Replace)),
            _ => Err(Unreadable),
        }
    }

    fn part(&self, start: usize, end: usize) -> Self {
        Self {
            sql: self.sql,
            tokens: self.tokens[start..end].to_vec(),
            at: 0,
        }
    }
}

/// Returns which of the known names an expression mentions, in the order in which they are known.
///
/// A word in front of a parenthesis is a function, and a text in single quotes is no name.
pub(in crate::catalog::sqlite) fn names_in(sql: &str, known: &[&str]) -> Vec<String> {
    let Ok(tokens) = tokenize(sql) else {
        return Vec::new();
    };
    let mentioned = |name: &str| {
        tokens.iter().enumerate().any(|(at, token)| {
            matches!(token.kind, Kind::Word | Kind::Quoted)
                && !tokens.get(at + 1).is_some_and(|next| next.is_symbol("("))
                && token.unquoted().eq_ignore_ascii_case(name)
        })
    };
    known
        .iter()
        .filter(|name| mentioned(name))
        .map(|name| (*name).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_ends_at_its_own_parenthesis() {
        let mut cursor = Cursor::new("(a, f(b, ')'), c) tail").unwrap();
        let group = cursor.group().unwrap();
        let parts: Vec<&str> = group.split_at_commas().iter().map(Cursor::text).collect();
        assert_eq!(parts, ["a", "f(b, ')')", "c"]);
        assert!(cursor.sees(&["tail"]));
        assert!(Cursor::new("(a").unwrap().group().is_err());
    }

    #[test]
    fn only_names_of_columns_count_as_read() {
        let known = ["EventId", "Outcome", "lower"];
        assert_eq!(names_in("lower(eventid) <> 'Outcome'", &known), ["EventId"]);
        assert_eq!(names_in("[Outcome] || \"EVENTID\"", &known), ["EventId", "Outcome"]);
    }

    #[test]
    fn conflict_clauses_read_in_any_letter_case() {
        let read = |sql| Cursor::new(sql).unwrap().conflict_clause();
        assert_eq!(read("on conflict Ignore"), Ok(Some(OnConflict::Ignore)));
        assert_eq!(read("ON CONFLICT ABORT"), Ok(None));
        assert_eq!(read("ON DELETE"), Ok(None));
        assert_eq!(read("ON CONFLICT maybe"), Err(Unreadable));
    }
}
