//! Partition keys and bounds as the server prints them.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use crate::dialect::postgres::outside_quotes;

/// Reads the parts of `RANGE ("ProcessedOnUtc", lower(x))`.
pub(super) fn key_parts(definition: &str) -> Vec<String> {
    key_texts(definition).into_iter().map(unquote).collect()
}

/// Returns the parts of a key as the server prints them, names with their quotes.
pub(super) fn key_texts(definition: &str) -> Vec<&str> {
    let list = definition
        .split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'))
        .unwrap_or(definition);
    split(list)
}

/// Splits a list at its commas, quotes and parentheses aside.
pub(super) fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, depth, c) in outside_quotes(list) {
        if depth == 0 && c == ',' {
            parts.push(list[start..at].trim());
            start = at + 1;
        }
    }
    parts.push(list[start..].trim());
    parts
}

/// Returns a name without its quotes; anything else as it is.
fn unquote(part: &str) -> String {
    let inner = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(name) if !name.replace("\"\"", "").contains('"') => name.replace("\"\"", "\""),
        _ => part.to_owned(),
    }
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Edge {
    /// Nothing is below.
    Lowest,
    /// A point in time.
    Time(NaiveDateTime),
    /// A value of a type that is not read here.
    Value(String),
    /// Nothing is above.
    Highest,
}

impl Edge {
    fn parse(text: &str) -> Self {
        match text {
            "MINVALUE" => return Self::Lowest,
            "MAXVALUE" => return Self::Highest,
            _ => {}
        }
        let value = text.trim_matches('\'');
        match value {
            "-infinity" => Self::Lowest,
            "infinity" => Self::Highest,
            _ => read_time(value).map_or_else(|| Self::Value(value.to_owned()), Self::Time),
        }
    }
}

impl std::fmt::Display for Edge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lowest => f.write_str("the beginning"),
            Self::Highest => f.write_str("the end"),
            Self::Time(time) => write!(f, "{}", time.format("%Y-%m-%d %H:%M:%S UTC")),
            Self::Value(value) => f.write_str(value),
        }
    }
}

/// Reads a time as a session in UTC prints it.
pub(super) fn read_time(text: &str) -> Option<NaiveDateTime> {
    let text = text.strip_suffix("+00").unwrap_or(text);
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f")
        .ok()
        .or_else(|| {
            Some(
                NaiveDate::parse_from_str(text, "%Y-%m-%d")
                    .ok()?
                    .and_time(NaiveTime::MIN),
            )
        })
}

/// What a partition takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Default,
    Range { from: Vec<Edge>, to: Vec<Edge> },
    Hash { modulus: u64, remainder: u64 },
    List(String),
    Unread,
}

impl Bound {
    pub(super) fn parse(text: &str) -> Self {
        if text == "DEFAULT" {
            return Self::Default;
        }
        let Some(values) = text.strip_prefix("FOR VALUES ") else {
            return Self::Unread;
        };
        if let Some(list) = values.strip_prefix("IN (").and_then(|rest| rest.strip_suffix(')')) {
            return Self::List(list.to_owned());
        }
        if let Some(hash) = values
            .strip_prefix("WITH (modulus ")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            let read = hash
                .split_once(", remainder ")
                .and_then(|(m, r)| Some((m.parse().ok()?, r.parse().ok()?)));
            return read.map_or(Self::Unread, |(modulus, remainder)| Self::Hash { modulus, remainder });
        }
        Self::range(values).unwrap_or(Self::Unread)
    }

    /// Reads `FROM ('2026-01-01') TO ('2026-02-01')`.
    fn range(values: &str) -> Option<Self> {
        let rest = values.strip_prefix("FROM (")?;
        let (close, ..) = outside_quotes(rest).find(|(_, depth, c)| *depth == 0 && *c == ')')?;
        let to = rest[close..].strip_prefix(") TO (")?.strip_suffix(')')?;
        let edges = |list: &str| split(list).into_iter().map(Edge::parse).collect();
        Some(Self::Range {
            from: edges(&rest[..close]),
            to: edges(to),
        })
    }

    /// Ranges by their beginning, hash partitions by remainder, the default last.
    pub(super) fn order(&self) -> (u8, Vec<Edge>, u64) {
        match self {
            Self::Range { from, .. } => (0, from.clone(), 0),
            Self::Hash { remainder, .. } => (0, Vec::new(), *remainder),
            Self::List(_) | Self::Unread => (0, Vec::new(), 0),
            Self::Default => (1, Vec::new(), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_parts_are_split_outside_of_quotes_and_parentheses() {
        assert_eq!(key_parts(r#"RANGE ("ProcessedOnUtc")"#), ["ProcessedOnUtc"]);
        assert_eq!(
            key_parts(r#"LIST (COALESCE("a,b", 'x,y'::text), "c""d")"#),
            [r#"COALESCE("a,b", 'x,y'::text)"#, "c\"d"]
        );
    }
}
