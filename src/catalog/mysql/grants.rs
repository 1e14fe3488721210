//! What the role is allowed to see, read from `SHOW GRANTS`.
//!
//! `information_schema` hides what a role has no privilege on, without a word. Which privilege shows what was
//! measured on MariaDB 10.11 with one account per privilege and level; for MySQL it is the manual's word.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::dialect::mysql::{Token, tokens};

/// Privileges that make a table visible. The others (EVENT, EXECUTE, LOCK TABLES …) show nothing of it.
const TABLE_PRIVILEGES: &[&str] = &[
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "REFERENCES",
    "INDEX",
    "ALTER",
    "CREATE VIEW",
    "SHOW VIEW",
    "TRIGGER",
    "DELETE HISTORY",
    "DELETE VERSIONING ROWS",
];

/// Privileges that change rows, or the table that they are in.
const WRITING: &[&str] = &["INSERT", "UPDATE", "DELETE", "DROP", "ALTER"];

/// Privileges that show columns.
const COLUMN_PRIVILEGES: &[&str] = &["SELECT", "INSERT", "UPDATE", "REFERENCES"];

/// The role's privileges.
#[derive(Clone, Debug, Default)]
pub(super) struct Privileges {
    grants: Vec<Grant>,
    /// Roles that were granted.
    roles: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct Grant {
    grantee: String,
    scope: Scope,
    /// `REVOKE …`: a restriction of a global privilege (MySQL's partial revokes).
    revoked: bool,
    /// Privileges on the whole object.
    whole: BTreeSet<String>,
    /// Whether there are privileges on single columns.
    on_columns: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    Global,
    /// A pattern with `%` and `_`.
    Database(String),
    Table(String, String),
    Other,
}

/// What of one table the role sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sight {
    /// The table itself, so that not seeing it means that it is not there.
    pub(super) table: bool,
    /// All of its columns.
    pub(super) columns: bool,
    /// All of its indexes with all parts, and the columns of foreign keys.
    pub(super) indexes: bool,
    /// Its check constraints.
    pub(super) checks: bool,
    /// Its triggers.
    pub(super) triggers: bool,
}

impl Privileges {
    /// Reads the lines of `SHOW GRANTS`. Lines may hold password hashes: nothing of them is kept but names.
    pub(super) fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut privileges = Self::default();
        for line in lines {
            privileges.read(&tokens(line));
        }
        privileges
    }

    /// Makes privileges of rows of `information_schema`, each of which holds one.
    pub(super) fn of_rows<'a>(rows: impl IntoIterator<Item = &'a PrivilegeRow>) -> Self {
        let mut grants: Vec<Grant> = Vec::new();
        for row in rows {
            let scope = match (&row.schema, &row.table) {
                (None, _) => Scope::Global,
                (Some(schema), None) => Scope::Database(schema.clone()),
                (Some(schema), Some(table)) => Scope::Table(schema.clone(), table.clone()),
            };
            let known = grants.iter().position(|g| g.grantee == row.grantee && g.scope == scope);
            let at = known.unwrap_or_else(|| {
                grants.push(Grant {
                    grantee: row.grantee.clone(),
                    scope,
                    revoked: false,
                    whole: BTreeSet::new(),
                    on_columns: false,
                });
                grants.len() - 1
            });
            grants[at].whole.insert(row.privilege.to_ascii_uppercase());
        }
        Self {
            grants,
            roles: BTreeSet::new(),
        }
    }

    /// Returns whether a privilege holds for a table.
    pub(super) fn may(&self, privilege: &str, database: &str, table: &str, folds: bool) -> bool {
        self.on_database(database, folds).contains(privilege)
            || self.grants.iter().any(|grant| {
                let here = matches!(&grant.scope, Scope::Table(d, t)
                    if same_name(d, database, folds) && same_name(t, table, folds));
                here && grant.whole.contains(privilege)
            })
    }

    /// Returns whether the role may change rows of a table, or the table itself.
    pub(super) fn may_change_rows(&self, database: &str, table: &str, folds: bool) -> bool {
        WRITING.iter().any(|p| self.may(p, database, table, folds))
    }

    /// Returns what the role may do on the whole server that a check does not need, in words.
    pub(super) fn powers(&self) -> Vec<String> {
        let global = self.global();
        let writes = WRITING.iter().any(|p| global.contains(*p));
        let mut powers = Vec::new();
        if global.contains("SUPER") {
            powers.push("an administrator (SUPER)".to_owned());
        }
        if writes {
            powers.push("allowed to change every database".to_owned());
        }
        powers
    }

    fn read(&mut self, words: &[Token]) {
        let Some((verb, rest)) = words.split_first() else {
            return;
        };
        let revoked = verb.is_word("revoke");
        if !revoked && !verb.is_word("grant") {
            return;
        }
        let Some(on) = position(rest, "on") else {
            // `GRANT role TO user` has no object.
            let to = position(rest, "to").unwrap_or(rest.len());
            let is_host = |at: usize| at > 0 && rest[at - 1].is("@");
            let names = (0..to).filter(|at| !is_host(*at)).filter_map(|at| quoted(&rest[at]));
            self.roles.extend(names.map(str::to_owned));
            return;
        };
        let (whole, on_columns) = listed(&rest[..on]);
        let object = &rest[on + 1..];
        let to = position(object, if revoked { "from" } else { "to" }).unwrap_or(object.len());
        let grantee = object.get(to + 1..).unwrap_or_default();
        let end = grantee
            .iter()
            .position(|word| ["with", "identified", "require"].iter().any(|w| word.is_word(w)));
        self.grants.push(Grant {
            grantee: grantee[..end.unwrap_or(grantee.len())]
                .iter()
                .filter_map(quoted)
                .collect::<Vec<_>>()
                .join("@"),
            scope: scope(&object[..to]),
            revoked,
            whole,
            on_columns,
        });
    }

    /// Returns what the role sees of a table.
    pub(super) fn sight(&self, mariadb: bool, database: &str, table: &str, folds: bool) -> Sight {
        let same = |a: &str, b: &str| same_name(a, b, folds);
        let wide = self.on_database(database, folds);
        let on_table = |g: &&Grant| matches!(&g.scope, Scope::Table(d, t) if same(d, database) && same(t, table));
        let mut all = wide.clone();
        all.extend(
            self.grants
                .iter()
                .filter(on_table)
                .flat_map(|g| g.whole.iter().cloned()),
        );
        let any = |have: &BTreeSet<String>, of: &[&str]| of.iter().any(|p| have.contains(*p));
        let shown = any(&all, TABLE_PRIVILEGES);
        Sight {
            table: shown || self.grants.iter().filter(on_table).any(|g| g.on_columns),
            columns: any(&all, COLUMN_PRIVILEGES),
            indexes: shown,
            // MariaDB shows them to no one who has privileges on the table alone.
            checks: if mariadb { any(&wide, TABLE_PRIVILEGES) } else { shown },
            // Some versions of MariaDB also show triggers to those who may write the table; others do not.
            triggers: all.contains("TRIGGER"),
        }
    }

    /// Returns whether the role sees every account.
    pub(super) fn sees_accounts(&self) -> bool {
        self.on_database("mysql", false).contains("SELECT")
    }

    /// Returns whether the role sees every routine with its body.
    pub(super) fn sees_routines(&self, mariadb: bool) -> bool {
        let global = self.global();
        global.contains("SELECT") || global.contains("SHOW_ROUTINE") || (mariadb && self.sees_accounts())
    }

    /// Returns whether the role sees the events of a database.
    pub(super) fn sees_events(&self, database: &str, folds: bool) -> bool {
        self.on_database(database, folds).contains("EVENT")
    }

    /// Returns whether the role sees the events of every database, those included that it does not see.
    pub(super) fn sees_all_events(&self) -> bool {
        let restricted = self.grants.iter().any(|g| g.revoked && g.whole.contains("EVENT"));
        self.global().contains("EVENT") && !restricted
    }

    /// Returns whether the role sees every database.
    pub(super) fn sees_all_databases(&self) -> bool {
        let global = self.global();
        global.contains("SHOW DATABASES") || TABLE_PRIVILEGES.iter().any(|p| global.contains(*p))
    }

    /// Returns the roles that were granted to the user.
    pub(super) fn roles(&self) -> Vec<&str> {
        self.roles.iter().map(String::as_str).collect()
    }

    fn global(&self) -> BTreeSet<String> {
        let global = self.grants.iter().filter(|g| g.scope == Scope::Global && !g.revoked);
        global.flat_map(|g| g.whole.iter().cloned()).collect()
    }

    /// Returns the privileges on every table of a database.
    fn on_database(&self, database: &str, folds: bool) -> BTreeSet<String> {
        let mut all = self.global();
        // Of several patterns that match, only the most specific one of each grantee counts.
        let mut best: BTreeMap<&str, (usize, &Grant)> = BTreeMap::new();
        for grant in &self.grants {
            let Scope::Database(pattern) = &grant.scope else {
                continue;
            };
            let (pattern, name) = if folds {
                (pattern.to_lowercase(), database.to_lowercase())
            } else {
                (pattern.clone(), database.to_owned())
            };
            if !matches(&pattern, &name) {
                continue;
            }
            if grant.revoked {
                for privilege in &grant.whole {
                    all.remove(privilege);
                }
                continue;
            }
            let rank = specificity(&pattern);
            let entry = best.entry(&grant.grantee).or_insert((rank, grant));
            if rank > entry.0 {
                *entry = (rank, grant);
            }
        }
        all.extend(best.values().flat_map(|(_, grant)| grant.whole.iter().cloned()));
        all
    }
}

/// One privilege, as `information_schema` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct PrivilegeRow {
    pub(super) grantee: String,
    pub(super) schema: Option<String>,
    pub(super) table: Option<String>,
    pub(super) privilege: String,
}

/// Returns the query for what accounts may do, with its values; nothing for no account.
pub(super) fn question<'a>(accounts: impl Iterator<Item = &'a str>) -> Option<(String, Vec<String>)> {
    let user = |account: &str| account.rsplit_once('@').map(|(user, _)| format!("'{user}"));
    let mut users: Vec<String> = accounts.filter_map(user).collect();
    if users.is_empty() {
        return None;
    }
    // Everybody has what nobody in particular was given.
    users.extend(["'", "PUBLIC", "'PUBLIC"].map(str::to_owned));
    users.sort();
    users.dedup();
    let sql = include_str!("queries/account_privileges.sql");
    let times = sql.matches("{users}").count();
    let values = std::iter::repeat_n(&users, times).flatten().cloned().collect();
    let sql = sql.replace("{users}", &vec!["?"; users.len()].join(", "));
    Some((sql, values))
}

/// Returns whether a grantee (`'app'@'%'`) may be meant by an account (`app@localhost`), or is everybody.
pub(super) fn account_matches(grantee: &str, account: &str) -> bool {
    let unquoted = |text: &str| text.trim_matches('\'').to_owned();
    let Some((user, host)) = grantee
        .rsplit_once('@')
        .map(|(user, host)| (unquoted(user), unquoted(host)))
    else {
        return unquoted(grantee).eq_ignore_ascii_case("PUBLIC");
    };
    let Some((own_user, own_host)) = account.rsplit_once('@') else {
        return true;
    };
    let everybody = user.is_empty() || user.eq_ignore_ascii_case("PUBLIC");
    everybody || (user == own_user && (host == own_host || host.contains(['%', '_', '/'])))
}

fn same_name(a: &str, b: &str, folds: bool) -> bool {
    if folds {
        a.to_lowercase() == b.to_lowercase()
    } else {
        a == b
    }
}

/// Finds a bare word outside parentheses.
fn position(words: &[Token], wanted: &str) -> Option<usize> {
    let mut open = 0_i64;
    words.iter().position(|word| {
        open += i64::from(word.is("(")) - i64::from(word.is(")"));
        open == 0 && word.is_word(wanted)
    })
}

/// Reads the list of privileges: those on the whole object, and whether some are on single columns.
fn listed(words: &[Token]) -> (BTreeSet<String>, bool) {
    let mut whole = BTreeSet::new();
    let mut on_columns = false;
    for part in split_list(words) {
        let name: Vec<String> = part
            .iter()
            .map_while(|word| match word {
                Token::Word(word) => Some(word.to_ascii_uppercase()),
                _ => None,
            })
            .collect();
        if part.iter().any(|word| word.is("(")) {
            on_columns = true;
        } else if matches!(name.join(" ").as_str(), "ALL PRIVILEGES" | "ALL") {
            whole.extend(
                TABLE_PRIVILEGES
                    .iter()
                    .chain(&["EVENT", "SUPER"])
                    .map(|p| (*p).to_owned()),
            );
        } else {
            whole.insert(name.join(" "));
        }
    }
    (whole, on_columns)
}

/// Splits at commas outside parentheses.
fn split_list(words: &[Token]) -> Vec<&[Token]> {
    let mut open = 0_i64;
    words
        .split(|word| {
            open += i64::from(word.is("(")) - i64::from(word.is(")"));
            open == 0 && word.is(",")
        })
        .collect()
}

fn scope(words: &[Token]) -> Scope {
    // `GRANT … ON TABLE db.t` is not printed, but allowed.
    let words = match words {
        [first, rest @ ..] if first.is_word("table") => rest,
        other => other,
    };
    match words {
        [star, dot, star2] if star.is("*") && dot.is(".") && star2.is("*") => Scope::Global,
        [database, dot, star] if dot.is(".") && star.is("*") => database
            .name()
            .map_or(Scope::Other, |name| Scope::Database(name.to_owned())),
        [database, dot, table] if dot.is(".") => match (database.name(), table.name()) {
            (Some(database), Some(table)) => Scope::Table(database.to_owned(), table.to_owned()),
            _ => Scope::Other,
        },
        _ => Scope::Other,
    }
}

fn quoted(word: &Token) -> Option<&str> {
    match word {
        Token::Name(name) | Token::Text(name) | Token::Word(name) => Some(name),
        _ => None,
    }
}

/// Matches a grant's pattern: `%` is any text, `_` any character, a backslash takes either as it is.
fn matches(pattern: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // Entry `i` says whether the pattern so far matches the first `i` characters.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '%' {
            let first = reached.iter().position(|r| *r).unwrap_or(reached.len());
            reached[first..].fill(true);
            continue;
        }
        let literal = if c == '\\' {
            chars.next()
        } else {
            Some(c).filter(|c| *c != '_')
        };
        for i in (0..name.len()).rev() {
            reached[i + 1] = reached[i] && literal.is_none_or(|l| l == name[i]);
        }
        reached[0] = false;
    }
    reached[name.len()]
}

/// The server's order of patterns: the later the first wildcard, the more specific.
fn specificity(pattern: &str) -> usize {
    let mut chars = pattern.chars();
    let mut length = 0;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '%' | '_' => return length,
            _ => {}
        }
        length += 1;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sight(lines: &[&str]) -> Sight {
        Privileges::parse(lines.iter().copied()).sight(true, "ledger", "T", false)
    }

    const ALL: Sight = Sight {
        table: true,
        columns: true,
        indexes: true,
        checks: true,
        triggers: true,
    };

    #[test]
    fn nothing_is_seen_without_a_privilege_on_tables() {
        for lines in [
            &["GRANT USAGE ON *.* TO `u`@`localhost`"][..],
            &["GRANT EVENT, EXECUTE, LOCK TABLES ON `ledger`.* TO `u`@`localhost`"][..],
            &["GRANT SELECT ON `other`.* TO `u`@`localhost`"][..],
            &["GRANT SELECT ON `ledger`.`U` TO `u`@`localhost`"][..],
            &["GRANT EXECUTE ON PROCEDURE `ledger`.`T` TO `u`@`localhost`"][..],
            &["GRANT PROXY ON ''@'%' TO 'root'@'localhost' WITH GRANT OPTION"][..],
            &["GRANT PROCESS, SUPER, FILE ON *.* TO `u`@`localhost`"][..],
        ] {
            assert_eq!(sight(lines), Sight::default(), "{lines:?}");
        }
    }

    #[test]
    fn every_privilege_shows_what_was_measured() {
        let select = Sight { triggers: false, ..ALL };
        let create = Sight {
            columns: false,
            triggers: false,
            ..ALL
        };
        for (privilege, on_database) in [
            ("SELECT", select),
            ("INSERT", select),
            ("REFERENCES, SHOW VIEW", select),
            ("CREATE", create),
            ("SHOW VIEW", create),
            ("TRIGGER", Sight { columns: false, ..ALL }),
            ("ALL PRIVILEGES", ALL),
        ] {
            let seen = |object: &str| sight(&[&format!("GRANT {privilege} ON {object} TO `u`@`h` WITH GRANT OPTION")]);
            assert_eq!(seen("*.*"), on_database, "{privilege}");
            assert_eq!(seen("`ledger`.*"), on_database, "{privilege}");
            // On MariaDB, constraints stay hidden from those who have privileges on the table alone.
            let on_table = Sight {
                checks: false,
                ..on_database
            };
            assert_eq!(seen("`ledger`.`T`"), on_table, "{privilege}");
        }
    }

    #[test]
    fn columns_alone_show_only_that_the_table_is_there() {
        let seen = sight(&["GRANT SELECT (`EventId`, `Id`), INSERT (`on`) ON `ledger`.`T` TO `u`@`localhost`"]);
        assert_eq!(
            seen,
            Sight {
                table: true,
                ..Sight::default()
            }
        );
    }

    #[test]
    fn patterns_cover_databases() {
        for (pattern, covered) in [
            ("`led%`", true),
            ("`l_dger`", true),
            ("`%`", true),
            (r"`l\_dger`", false),
            ("`ledger_`", false),
            (r"`ledger\%`", false),
        ] {
            let seen = sight(&[&format!("GRANT SELECT ON {pattern}.* TO `u`@`localhost`")]);
            assert_eq!(seen.table, covered, "{pattern}");
        }
    }

    #[test]
    fn the_most_specific_pattern_of_a_grantee_hides_the_others() {
        let lines = [
            "GRANT EVENT ON `ledger`.* TO `u`@`h`",
            "GRANT SELECT ON `%`.* TO `u`@`h`",
        ];
        assert!(!sight(&lines).table);
        let lines = [
            "GRANT EVENT ON `ledger`.* TO `u`@`h`",
            "GRANT SELECT ON `led%`.* TO `reader`",
        ];
        assert!(sight(&lines).table, "a role's own grants count beside the user's");
    }

    #[test]
    fn a_partial_revoke_takes_a_global_privilege_away() {
        let lines = [
            "GRANT SELECT ON *.* TO `u`@`%`",
            "REVOKE SELECT ON `ledger`.* FROM `u`@`%`",
        ];
        assert!(!sight(&lines).table);
    }

    #[test]
    fn roles_are_remembered_and_passwords_are_not() {
        let privileges = Privileges::parse([
            "GRANT `reader` TO `u`@`localhost`",
            "GRANT `a`@`%`,`b`@`%` TO `u`@`localhost`",
            "GRANT USAGE ON *.* TO `u`@`localhost` IDENTIFIED BY PASSWORD '*6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9'",
        ]);
        assert_eq!(privileges.roles(), ["a", "b", "reader"]);
        assert!(!format!("{privileges:?}").contains("6BB4837"));
    }

    #[test]
    fn names_fold_where_the_server_folds_them() {
        let privileges = Privileges::parse(["GRANT SELECT ON `ledger`.* TO `u`@`h`"]);
        assert!(privileges.sight(true, "Ledger", "T", true).table);
        assert!(!privileges.sight(true, "Ledger", "T", false).table);
    }

    proptest! {
        #[test]
        fn any_line_is_read_without_panic(line in "(GRANT|REVOKE)? ?\\PC{0,50}") {
            sight(&[&line]);
        }
    }
}
