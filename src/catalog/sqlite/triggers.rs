//! Triggers, and the names in them that stand for nothing.
//!
//! SQLite compiles every trigger of a table into each statement that fires one of them, so that a name that stands for
//! nothing makes the statement fail, whatever the trigger's condition.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{ColumnRow, StatementRow};
use super::statement::{TriggerText, read_trigger};
use crate::dialect::sqlite::token::{Kind, Token, tokenize};
use crate::schema::{Trigger, TriggerFailure};

/// Tables that exist without being made.
const BUILT_IN: &[&str] = &[
    "bytecode",
    "carray",
    "completion",
    "dbstat",
    "generate_series",
    "json_each",
    "json_tree",
    "jsonb_each",
    "jsonb_tree",
    "stmt",
    "tables_used",
    "wholenumber",
];

/// Words of conditions that are no names.
const KEYWORDS: &[&str] = &[
    "and",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "cast",
    "collate",
    "current_date",
    "current_time",
    "current_timestamp",
    "desc",
    "distinct",
    "else",
    "end",
    "escape",
    "exists",
    "false",
    "from",
    "glob",
    "in",
    "is",
    "isnull",
    "like",
    "limit",
    "match",
    "new",
    "not",
    "notnull",
    "null",
    "of",
    "offset",
    "old",
    "or",
    "order",
    "regexp",
    "returning",
    "then",
    "true",
    "when",
    "where",
    "rowid",
    "oid",
    "_rowid_",
];

/// What a file holds, by names in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct Holdings<'a> {
    /// All tables and views as they are spelled.
    pub(super) objects: BTreeMap<String, &'a str>,
    /// The columns of tables, where they were asked for.
    pub(super) columns: BTreeMap<String, Vec<&'a ColumnRow>>,
}

/// Makes a trigger.
pub(super) fn trigger(name: &str, text: TriggerText) -> Trigger {
    Trigger {
        name: name.to_owned(),
        partition: None,
        timing: text.timing,
        events: vec![text.event.to_owned()],
        per_row: true,
        enabled: true,
        condition: text.condition,
        body: Some(text.body),
        function: None,
        failure: None,
    }
}

/// Makes the trigger of a statement, and says what it names in vain; nothing if it is not understood.
pub(super) fn judged(row: &StatementRow, holdings: &Holdings<'_>) -> Option<Trigger> {
    let text = read_trigger(row.sql.as_deref()?).ok()?;
    let failure = holdings.fault(&text, &row.table).map(TriggerFailure::Always);
    Some(Trigger {
        failure,
        ..trigger(&row.name, text)
    })
}

/// Returns the words of triggers that may be names of tables, in lower case.
pub(super) fn mentioned(statements: &[StatementRow]) -> BTreeSet<String> {
    let triggers = statements.iter().filter(|s| s.kind == "trigger");
    let mut names = BTreeSet::new();
    for sql in triggers.filter_map(|s| s.sql.as_deref()) {
        let words = tokenize(sql).unwrap_or_default();
        names.extend(words.iter().filter(|t| is_name(t)).map(folded));
    }
    names
}

fn is_name(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Text)
}

fn folded(token: &Token<'_>) -> String {
    token.unquoted().to_ascii_lowercase()
}

impl Holdings<'_> {
    /// Returns what a trigger names in vain, as a clause.
    fn fault(&self, text: &TriggerText, table: &str) -> Option<String> {
        let condition = tokenize(text.condition.as_deref().unwrap_or_default()).ok()?;
        let body = tokenize(&text.body).ok()?;
        let own = |words: &[Token<'_>]| self.row_of(words, table);
        own(&condition).or_else(|| own(&body)).or_else(|| {
            body.split(|t| t.is_symbol(";"))
                .find_map(|words| self.of_statement(words))
        })
    }

    /// Looks at `NEW.x` and `OLD.x`.
    fn row_of(&self, words: &[Token<'_>], table: &str) -> Option<String> {
        words.windows(3).enumerate().find_map(|(at, w)| {
            let of_row = (w[0].is("new") || w[0].is("old")) && w[1].is_symbol(".") && is_name(&w[2]);
            let qualified = at > 0 && words[at - 1].is_symbol(".");
            (of_row && !qualified).then(|| self.column(table, &w[2])).flatten()
        })
    }

    fn of_statement(&self, words: &[Token<'_>]) -> Option<String> {
        let first = words.first()?;
        let mut at = 1;
        if words.get(at).is_some_and(|t| t.is("or")) {
            at += 2;
        }
        if words.get(at).is_some_and(|t| t.is("into") || t.is("from")) {
            at += 1;
        }
        let writes = ["insert", "replace", "update", "delete"]
            .iter()
            .any(|verb| first.is(verb));
        if !writes {
            return self.sources(words);
        }
        let target = words.get(at).filter(|t| is_name(t))?;
        let table = folded(target);
        let rest = &words[at + 1..];
        if !self.objects.contains_key(&table) {
            return (!is_built_in(&table)).then(|| no_table("it writes into", target));
        }
        let columns = if first.is("update") {
            assigned(rest)
        } else if first.is("delete") {
            Vec::new()
        } else {
            listed(rest)
        };
        let column = columns.iter().find_map(|column| self.column(&table, column));
        let condition = || match first.is("update") || first.is("delete") {
            true => self.condition(rest, &table),
            false => None,
        };
        let row = || self.row_given(&table, &columns, rest).filter(|_| !first.is("update"));
        column.or_else(|| self.sources(rest)).or_else(condition).or_else(row)
    }

    /// Says that an INSERT gives a row more or fewer values than it has room for.
    fn row_given(&self, table: &str, listed: &[&Token<'_>], words: &[Token<'_>]) -> Option<String> {
        let columns = self.columns.get(table)?;
        let start = words.iter().position(|t| t.is("values"))?;
        let given = values(&words[start + 1..])?;
        let room = match listed.len() {
            0 => columns.iter().filter(|c| c.hidden == 0).count(),
            some => some,
        };
        let spelled = self.objects.get(table).copied().unwrap_or(table);
        (given != room).then(|| format!("it gives {given} values for {room} columns of `{spelled}`"))
    }

    /// Says that a table has no column of a name; nothing if it has, or if its columns are not known.
    fn column(&self, table: &str, name: &Token<'_>) -> Option<String> {
        let table = table.to_ascii_lowercase();
        let columns = self.columns.get(&table)?;
        let spelled = self.objects.get(&table).copied().unwrap_or(&table);
        let wanted = name.unquoted();
        let is_number = ["rowid", "oid", "_rowid_"]
            .iter()
            .any(|own| wanted.eq_ignore_ascii_case(own));
        let known = is_number || columns.iter().any(|c| c.name.eq_ignore_ascii_case(&wanted));
        (!known).then(|| format!("it names a column `{wanted}` that `{spelled}` does not have"))
    }

    /// Looks at the tables that are read: names behind FROM and JOIN. Names of WITH stand for something else.
    fn sources(&self, words: &[Token<'_>]) -> Option<String> {
        if words.iter().any(|t| t.is("with")) {
            return None;
        }
        words.windows(2).enumerate().find_map(|(at, pair)| {
            let opens = (pair[0].is("from") || pair[0].is("join")) && is_name(&pair[1]);
            let distinct = at > 0 && words[at - 1].is("distinct");
            let qualified_or_called = words.get(at + 2).is_some_and(|t| t.is_symbol(".") || t.is_symbol("("));
            let name = folded(&pair[1]);
            let found =
                !opens || distinct || qualified_or_called || self.objects.contains_key(&name) || is_built_in(&name);
            (!found).then(|| no_table("it reads", &pair[1]))
        })
    }

    /// Looks at the condition of an UPDATE or DELETE of one table. A name in double quotes that is no column's is a text.
    fn condition(&self, words: &[Token<'_>], table: &str) -> Option<String> {
        let start = words.iter().position(|t| t.is("where"))?;
        if words.iter().any(|t| t.is("select") || t.is("from") || t.is("indexed")) {
            return None;
        }
        let condition = &words[start..];
        condition.iter().enumerate().find_map(|(at, token)| {
            let before = at.checked_sub(1).map(|b| &condition[b]);
            let next = condition.get(at + 1);
            let bare = token.kind == Kind::Word && !KEYWORDS.iter().any(|word| token.is(word));
            let quoted = token.kind == Kind::Quoted && !token.text.starts_with('"');
            let part = next.is_some_and(|t| t.is_symbol(".") || t.is_symbol("("))
                || before.is_some_and(|t| t.is_symbol(".") || t.is("collate") || t.is("as"));
            ((bare || quoted) && !part).then(|| self.column(table, token)).flatten()
        })
    }
}

fn is_built_in(name: &str) -> bool {
    name.starts_with("pragma_") || name.starts_with("sqlite_") || BUILT_IN.contains(&name)
}

fn no_table(what: &str, name: &Token<'_>) -> String {
    format!("{what} `{}`, which does not exist", name.unquoted())
}

/// Returns the columns of `(a, b)` behind the table of an INSERT.
fn listed<'t, 's>(words: &'t [Token<'s>]) -> Vec<&'t Token<'s>> {
    let words = match words {
        [alias, _, rest @ ..] if alias.is("as") => rest,
        words => words,
    };
    match words {
        [open, rest @ ..] if open.is_symbol("(") => {
            let inside = rest.iter().take_while(|t| !t.is_symbol(")"));
            inside.filter(|t| is_name(t)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns how many values stand in the parentheses at the start.
fn values(words: &[Token<'_>]) -> Option<usize> {
    let (mut depth, mut count) = (0_usize, 1);
    for token in words {
        match (depth, token) {
            (0, t) if !t.is_symbol("(") => return None,
            (_, t) if t.is_symbol("(") => depth += 1,
            (1, t) if t.is_symbol(")") => return Some(count),
            (_, t) if t.is_symbol(")") => depth -= 1,
            (1, t) if t.is_symbol(",") => count += 1,
            _ => {}
        }
    }
    None
}

/// Returns the columns that an UPDATE sets.
fn assigned<'t, 's>(words: &'t [Token<'s>]) -> Vec<&'t Token<'s>> {
    let Some(start) = words.iter().position(|t| t.is("set")) else {
        return Vec::new();
    };
    let (mut depth, mut found) = (0_usize, Vec::new());
    for w in words[start..].windows(3) {
        if depth == 0 && (w[0].is("where") || w[0].is("from")) {
            break;
        }
        if depth == 0 && (w[0].is("set") || w[0].is_symbol(",")) && is_name(&w[1]) && w[2].is_symbol("=") {
            found.push(&w[1]);
        }
        if w[0].is_symbol("(") {
            depth += 1;
        } else if w[0].is_symbol(")") {
            depth = depth.saturating_sub(1);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn column(table: &str, name: &str, hidden: i64) -> ColumnRow {
        ColumnRow {
            table: table.to_owned(),
            name: name.to_owned(),
            declared: String::new(),
            not_null: false,
            default: None,
            key_place: 0,
            hidden,
        }
    }

    fn fault(condition: &str, body: &str) -> Option<String> {
        let rows = [
            ("L", "Id", 0),
            ("L", "Outcome", 0),
            ("A", "Id", 0),
            ("A", "Note", 0),
            ("A", "Made", 2),
        ]
        .map(|(table, name, hidden)| column(table, name, hidden));
        let mut holdings = Holdings {
            objects: ["L", "A", "v"].map(|name| (name.to_lowercase(), name)).into(),
            ..Holdings::default()
        };
        for row in &rows {
            holdings.columns.entry(row.table.to_lowercase()).or_default().push(row);
        }
        let sql = format!("CREATE TRIGGER t AFTER INSERT ON L {condition} BEGIN {body} END");
        let row = StatementRow {
            kind: "trigger".to_owned(),
            name: "t".to_owned(),
            table: "L".to_owned(),
            sql: Some(sql),
        };
        match judged(&row, &holdings).unwrap().failure {
            Some(TriggerFailure::Always(why)) => Some(why),
            _ => None,
        }
    }

    #[test]
    fn names_that_stand_for_nothing_make_each_insert_fail() {
        for (condition, body, name) in [
            ("", "INSERT INTO gone VALUES (1);", "`gone`"),
            ("", "INSERT INTO A VALUES (1);", "1 values for 2 columns"),
            (
                "",
                "INSERT INTO A VALUES (1, coalesce(2, 3), (4));",
                "3 values for 2 columns",
            ),
            (
                "",
                "REPLACE INTO A (Note) VALUES (1, 2), (3, 4);",
                "2 values for 1 columns",
            ),
            ("WHEN NEW.Id > 7", "INSERT INTO \"gone\" VALUES (1);", "`gone`"),
            ("WHEN NEW.nothing", "SELECT 1;", "`nothing`"),
            ("", "INSERT INTO A (Id, nothing) VALUES (1, 2);", "`nothing`"),
            ("", "INSERT OR IGNORE INTO A SELECT 1, x FROM gone;", "`gone`"),
            (
                "",
                "INSERT INTO A VALUES (1, (SELECT max(x) FROM main JOIN gone));",
                "`main`",
            ),
            ("", "UPDATE OR IGNORE a SET Id = 1, nothing = 2;", "`nothing`"),
            ("", "DELETE FROM A WHERE nothing < 1;", "`nothing`"),
            ("", "DELETE FROM A WHERE [nothing] < 1;", "`nothing`"),
            ("", "SELECT 1; DELETE FROM gone;", "`gone`"),
            ("", "SELECT OLD.nothing;", "`nothing`"),
        ] {
            let found = fault(condition, body);
            assert!(
                found.as_ref().is_some_and(|why| why.contains(name)),
                "{body}: {found:?}"
            );
        }
    }

    #[test]
    fn names_that_stand_for_something_make_none_fail() {
        for (condition, body) in [
            (
                "WHEN NEW.outcome = 'gone'",
                "INSERT INTO A (id, [note]) VALUES (NEW.rowid, NEW.Id);",
            ),
            ("", "INSERT INTO v VALUES (1, 2, 3);"),
            ("", "INSERT INTO A VALUES (1, (SELECT count(*), 2 FROM l));"),
            ("", "INSERT OR IGNORE INTO A (Note) VALUES (')');"),
            (
                "",
                "INSERT INTO A SELECT * FROM (WITH c AS (SELECT 1, 2) SELECT * FROM c);",
            ),
            ("", "INSERT INTO A SELECT value, 1 FROM json_each('[]');"),
            (
                "",
                "INSERT INTO A SELECT name, 1 FROM sqlite_master JOIN pragma_database_list;",
            ),
            (
                "",
                "DELETE FROM A WHERE \"text\" < note COLLATE nocase AND CAST(Id AS varying) > lower(Note);",
            ),
            (
                "",
                "DELETE FROM A WHERE Id IN (SELECT anything FROM l WHERE x.y IS DISTINCT FROM z);",
            ),
            (
                "",
                "UPDATE A SET Note = CASE WHEN Id = 1 THEN 2 END WHERE a.Id = rowid;",
            ),
            ("", "UPDATE A SET Note = l.x FROM l WHERE unknown;"),
            ("", "SELECT RAISE(IGNORE) WHERE NOT EXISTS (SELECT 1 FROM l);"),
        ] {
            assert_eq!(fault(condition, body), None, "{body}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(body in "\\PC{0,60}") {
            let text = TriggerText {
                timing: crate::schema::Timing::After,
                event: "INSERT",
                condition: Some(body.clone()),
                body,
            };
            Holdings::default().fault(&text, "t");
        }
    }
}
