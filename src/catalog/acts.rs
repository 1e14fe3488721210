//! What the body of a trigger does to things by name, read from its words: which tables it writes and reads, and what it
//! calls. Nothing is guessed: what a body does under a condition is marked, and dynamic SQL is passed over.

use sqlparser::dialect::{Dialect as Grammar, MySqlDialect, PostgreSqlDialect};
use sqlparser::tokenizer::{Token, Tokenizer};

use crate::dialect::Dialect;

/// A longer text is no trigger that a person wrote.
const LONGEST: usize = 100_000;

/// Words of a body that can make what it names, catch the error, or choose where names are looked up.
const IN_DOUBT: &[&str] = &[
    "create",
    "execute",
    "prepare",
    "temp",
    "temporary",
    "handler",
    "set_config",
    "search_path",
];

/// One thing that a body does to something by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalog) struct Act {
    pub(in crate::catalog) verb: Verb,
    /// The parts of the name, the last one being its own.
    pub(in crate::catalog) name: Vec<String>,
    /// Whether it happens each time the trigger fires, and its failure is the trigger's.
    pub(in crate::catalog) certain: bool,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::catalog) enum Verb {
    /// Rows are added.
    Insert,
    /// Rows are changed.
    Update,
    /// Rows are removed.
    Delete,
    /// Rows are read.
    Read,
    /// A routine is called.
    Call,
}

impl Verb {
    /// Returns the privilege that it takes.
    pub(in crate::catalog) fn privilege(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Read => "SELECT",
            Self::Call => "EXECUTE",
        }
    }

    /// Returns what the trigger does, as a clause before the name.
    pub(in crate::catalog) fn said(self) -> &'static str {
        match self {
            Self::Insert => "it inserts into",
            Self::Update => "it updates",
            Self::Delete => "it deletes from",
            Self::Read => "it reads",
            Self::Call => "it calls",
        }
    }
}

impl Act {
    /// Returns the name in one piece.
    pub(in crate::catalog) fn dotted(&self) -> String {
        self.name.join(".")
    }
}

/// Reads what a body does. One that cannot be read does nothing that is known.
pub(in crate::catalog) fn read(body: &str, dialect: Dialect) -> Vec<Act> {
    let mysql = matches!(dialect, Dialect::MySql | Dialect::MariaDb);
    let grammar: &dyn Grammar = if mysql { &MySqlDialect {} } else { &PostgreSqlDialect {} };
    // What a query cut off may have been a handler.
    if body.len() >= LONGEST {
        return Vec::new();
    }
    let Ok(tokens) = Tokenizer::new(grammar, body).tokenize() else {
        return Vec::new();
    };
    let tokens: Vec<Token> = tokens
        .into_iter()
        .filter(|t| !matches!(t, Token::Whitespace(_) | Token::EOF))
        .collect();
    let mut walk = Walk {
        tokens: &tokens,
        at: 0,
        mysql,
        blocks: Vec::new(),
        may_have_ended: false,
        acts: Vec::new(),
    };
    walk.run();
    let catches = |pair: &[Token]| is(&pair[0], "exception") && is(&pair[1], "when");
    let doubt = tokens.windows(2).any(catches) || tokens.iter().any(|t| IN_DOUBT.iter().any(|word| is(t, word)));
    let mut acts = walk.acts;
    for act in &mut acts {
        act.certain &= !doubt;
    }
    acts
}

/// A block that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// What is in it happens.
    Plain,
    /// What is in it happens sometimes.
    Fork,
}

struct Walk<'a> {
    tokens: &'a [Token],
    at: usize,
    mysql: bool,
    blocks: Vec<Block>,
    may_have_ended: bool,
    acts: Vec<Act>,
}

impl Walk<'_> {
    /// Reads from the beginning of a statement to that of the next.
    fn run(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            let Some(word) = word(token) else {
                self.label();
                continue;
            };
            if matches!(self.tokens.get(self.at + 1), Some(Token::Colon)) {
                self.at += 2;
                continue;
            }
            self.statement(&word);
        }
    }

    /// Passes `<<label>>`, or whatever stands where a statement should begin.
    fn label(&mut self) {
        match self.tokens.get(self.at) {
            Some(Token::ShiftLeft) => self.pass(|t| matches!(t, Token::ShiftRight)),
            Some(Token::SemiColon) => self.at += 1,
            _ => self.pass(|t| matches!(t, Token::SemiColon)),
        }
    }

    fn statement(&mut self, word: &str) {
        match word {
            "begin" => {
                self.blocks.push(Block::Plain);
                self.at += 1;
                if is_at(self.tokens, self.at, "not") {
                    self.at += 2;
                }
            }
            // Declarations have no BEGIN of their own, and end where the block begins.
            "declare" if self.mysql => self.pass(|t| matches!(t, Token::SemiColon)),
            "declare" => {
                while self.at < self.tokens.len() && !is_at(self.tokens, self.at, "begin") {
                    self.at += 1;
                }
            }
            "if" | "case" => self.fork(&["then"]),
            "while" | "for" | "foreach" => self.fork(&["loop", "do"]),
            "loop" | "repeat" => {
                self.blocks.push(Block::Fork);
                self.at += 1;
            }
            "elsif" | "elseif" | "when" => self.pass(|t| is(t, "then")),
            "else" | "exception" => self.at += 1,
            "end" | "until" => {
                self.blocks.pop();
                self.pass(|t| matches!(t, Token::SemiColon));
            }
            "leave" | "iterate" | "exit" | "continue" | "return" | "raise" | "signal" | "resignal" => {
                self.may_have_ended = true;
                self.pass(|t| matches!(t, Token::SemiColon));
            }
            _ => self.plain(word),
        }
    }

    fn fork(&mut self, ends: &[&str]) {
        self.blocks.push(Block::Fork);
        self.pass(|t| ends.iter().any(|end| is(t, end)));
    }

    /// Goes behind the next token of a kind, or to the end.
    fn pass(&mut self, stop: impl Fn(&Token) -> bool) {
        let rest = &self.tokens[self.at..];
        self.at += rest.iter().position(stop).map_or(rest.len(), |at| at + 1);
    }

    /// Reads a statement that opens and closes no block.
    fn plain(&mut self, word: &str) {
        let start = self.at;
        self.pass(|t| matches!(t, Token::SemiColon));
        let end = if matches!(self.tokens.get(self.at - 1), Some(Token::SemiColon)) {
            self.at - 1
        } else {
            self.at
        };
        let words = &self.tokens[start..end];
        if words.iter().any(|t| is(t, "with")) {
            return;
        }
        let behind = |keyword: &str| {
            words
                .iter()
                .position(|t| is(t, keyword))
                .map_or(words.len(), |at| at + 1)
        };
        let (verb, from) = match word {
            "insert" | "replace" => (Some(Verb::Insert), behind("into").min(behind_modifiers(words))),
            "update" => (Some(Verb::Update), behind_modifiers(words)),
            // `DELETE t FROM …` and `DELETE FROM t USING …` of MySQL name aliases.
            "delete" if !(self.mysql && words.iter().any(|t| is(t, "using"))) => {
                let from = behind_modifiers(words);
                (is_at(words, from, "from").then_some(Verb::Delete), from + 1)
            }
            "call" => (Some(Verb::Call), 1),
            "perform" if matches!(words.get(2), Some(Token::LParen | Token::Period)) => (Some(Verb::Call), 1),
            "select" | "perform" | "set" => (None, 0),
            "fetch" | "move" | "copy" | "open" | "revoke" | "get" | "truncate" | "alter" | "drop" => return,
            _ => (None, 0),
        };
        let from = if is_at(words, from, "only") { from + 1 } else { from };
        let mut rest = from;
        if let Some(verb) = verb
            && let Some((name, length)) = name(&words[from.min(words.len())..], self.mysql)
        {
            rest = from + length;
            let is_call = matches!(words.get(rest), Some(Token::LParen));
            if verb != Verb::Call || self.mysql || is_call {
                self.add(verb, name);
            }
        }
        self.sources(
            words.get(rest..).unwrap_or_default(),
            matches!(word, "select" | "perform"),
        );
    }

    fn add(&mut self, verb: Verb, name: Vec<String>) {
        let certain = !self.may_have_ended && self.blocks.iter().all(|b| *b == Block::Plain);
        self.acts.push(Act { verb, name, certain });
    }

    /// Finds the tables behind FROM and JOIN of queries; `is_query` says whether the statement itself is one.
    fn sources(&mut self, words: &[Token], is_query: bool) {
        let mut queries = vec![is_query];
        let mut is_query = is_query || words.iter().any(|t| is(t, "select"));
        for (at, token) in words.iter().enumerate() {
            match token {
                Token::LParen => {
                    queries.push(is_query);
                    is_query = is_at(words, at + 1, "select");
                }
                Token::RParen => is_query = queries.pop().unwrap_or_default(),
                token if is_query && (is(token, "from") || is(token, "join")) => {
                    let distinct = at > 0 && is(&words[at - 1], "distinct");
                    let first = at + 1 + usize::from(is_at(words, at + 1, "only"));
                    if !distinct
                        && let Some((name, length)) = name(words.get(first..).unwrap_or_default(), self.mysql)
                        && !matches!(words.get(first + length), Some(Token::LParen))
                    {
                        self.add(Verb::Read, name);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns how many words stand in front of what INSERT, UPDATE or DELETE names.
fn behind_modifiers(words: &[Token]) -> usize {
    const MODIFIERS: &[&str] = &["low_priority", "delayed", "high_priority", "quick", "ignore"];
    let is_modifier = |t: &&Token| MODIFIERS.iter().any(|word| is(t, word));
    let count = words.iter().skip(1).take_while(is_modifier).count() + 1;
    count + usize::from(is_at(words, count, "into"))
}

/// Reads a name of one or more parts; answers also how many words it takes.
fn name(words: &[Token], mysql: bool) -> Option<(Vec<String>, usize)> {
    let mut parts = vec![part(words.first()?, mysql)?];
    let mut length = 1;
    while matches!(words.get(length), Some(Token::Period)) {
        parts.push(part(words.get(length + 1)?, mysql)?);
        length += 2;
    }
    // `U&"…"` spells a name by its numbers.
    let spelled = matches!(words.get(length), Some(Token::Ampersand));
    (!spelled).then_some((parts, length))
}

fn part(token: &Token, mysql: bool) -> Option<String> {
    const NO_NAMES: &[&str] = &["select", "lateral", "values", "dual", "unnest", "rows"];
    match token {
        Token::Word(word) if word.quote_style.is_some() || mysql => {
            let bare = word.quote_style.is_none();
            let reserved = bare && NO_NAMES.iter().any(|w| word.value.eq_ignore_ascii_case(w));
            (!reserved && !word.value.starts_with('@')).then(|| word.value.clone())
        }
        Token::Word(word) => {
            let folded = word.value.to_lowercase();
            (!NO_NAMES.contains(&folded.as_str())).then_some(folded)
        }
        _ => None,
    }
}

/// Returns a bare word in lower case.
fn word(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_lowercase()),
        _ => None,
    }
}

fn is(token: &Token, wanted: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted))
}

fn is_at(words: &[Token], at: usize, wanted: &str) -> bool {
    words.get(at).is_some_and(|t| is(t, wanted))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Says each act as `insert a.b`, with a question mark where it is not certain.
    fn said(body: &str, dialect: Dialect) -> Vec<String> {
        let say = |act: &Act| {
            let verb = format!("{:?}", act.verb).to_lowercase();
            let mark = if act.certain { "" } else { "?" };
            format!("{verb} {}{mark}", act.dotted())
        };
        read(body, dialect).iter().map(say).collect()
    }

    #[test]
    fn what_a_trigger_of_mariadb_does_is_told() {
        for (body, acts) in [
            ("INSERT INTO `Audit` VALUES (NEW.`Id`)", &["insert Audit"][..]),
            (
                "INSERT IGNORE INTO other.audit (a) SELECT b FROM `b c` JOIN d ON 1",
                &["insert other.audit", "read b c", "read d"],
            ),
            ("REPLACE a VALUES (1)", &["insert a"]),
            (
                "BEGIN UPDATE LOW_PRIORITY a SET x = 1; DELETE FROM b WHERE c; CALL p(1); END",
                &["update a", "delete b", "call p"],
            ),
            (
                "BEGIN IF NEW.x THEN INSERT INTO a VALUES (1); ELSE CALL q; END IF; INSERT INTO b VALUES (1); END",
                &["insert a?", "call q?", "insert b"],
            ),
            (
                "BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @x = 1; INSERT INTO a VALUES (1); END",
                &["insert a?"],
            ),
            (
                "x: BEGIN IF NEW.a THEN LEAVE x; END IF; INSERT INTO a VALUES (1); END",
                &["insert a?"],
            ),
            (
                "BEGIN CASE NEW.a WHEN 1 THEN CALL p(); ELSE CALL q(); END CASE; CALL r(); END",
                &["call p?", "call q?", "call r"],
            ),
            (
                "BEGIN WHILE @i DO CALL p(); END WHILE; REPEAT CALL q(); UNTIL 1 END REPEAT; CALL r(); END",
                &["call p?", "call q?", "call r"],
            ),
            (
                "SET NEW.a = (SELECT max(x) FROM b), NEW.c = extract(YEAR FROM d)",
                &["read b"],
            ),
            ("DELETE a FROM b AS a JOIN c", &[]),
            ("DELETE FROM a USING b AS a", &[]),
            (
                "BEGIN CREATE TEMPORARY TABLE t (a int); INSERT INTO t VALUES (1); END",
                &["insert t?"],
            ),
            ("SET NEW.a = 'INSERT INTO b'", &[]),
            ("SET @a = (SELECT 1 FROM dual)", &[]),
        ] {
            assert_eq!(said(body, Dialect::MariaDb), acts, "{body}");
        }
    }

    #[test]
    fn what_a_trigger_of_postgres_does_is_told() {
        for (body, acts) in [
            (
                "BEGIN INSERT INTO Audit VALUES (NEW.*); RETURN NEW; END",
                &["insert audit"][..],
            ),
            (
                "DECLARE n int; c CURSOR FOR SELECT 1 FROM x; BEGIN INSERT INTO s.\"Audit\" VALUES (1); END;",
                &["insert s.Audit"],
            ),
            (
                "BEGIN IF TG_OP = 'INSERT' THEN INSERT INTO a VALUES (1); END IF; RETURN NEW; END",
                &["insert a?"],
            ),
            (
                "BEGIN INSERT INTO a VALUES (1); EXCEPTION WHEN others THEN NULL; END",
                &["insert a?"],
            ),
            (
                "BEGIN IF a THEN RAISE EXCEPTION 'no'; END IF; INSERT INTO a VALUES (1); END",
                &["insert a?"],
            ),
            ("BEGIN RETURN NEW; INSERT INTO a VALUES (1); END", &["insert a?"]),
            (
                "BEGIN EXECUTE 'CREATE TEMP TABLE a (b int)'; INSERT INTO a VALUES (1); END",
                &["insert a?"],
            ),
            (
                "BEGIN FOR r IN SELECT 1 LOOP DELETE FROM ONLY a; END LOOP; UPDATE ONLY b SET c = 1 FROM d; END",
                &["delete a?", "update b"],
            ),
            (
                "BEGIN PERFORM pg_notify('a', 'b'); PERFORM s.f(); PERFORM 1 FROM t; RETURN NULL; END",
                &["call pg_notify", "call s.f", "read t"],
            ),
            (
                "BEGIN NEW.a := (SELECT b FROM c WHERE d IS DISTINCT FROM e); RETURN NEW; END",
                &["read c"],
            ),
            ("BEGIN WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a; END", &[]),
            (
                "BEGIN SELECT x INTO y FROM generate_series(1, 2); FETCH NEXT FROM c INTO y; END",
                &[],
            ),
            ("BEGIN INSERT INTO U&\"d\\0061t\" VALUES (1); END", &[]),
        ] {
            assert_eq!(said(body, Dialect::Postgres), acts, "{body}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "\\PC{0,60}",
            words in proptest::collection::vec(proptest::sample::select(vec![
                "begin", "end", "if", "then", "insert", "into", "delete", "from", "a", "\"B\"", "`c`", ";", "(", ")", ".",
                "select", "only", "declare", "call", "perform", "update", "loop", "<<", ">>", ":", "with", "join",
            ]), 0..16),
        ) {
            for dialect in Dialect::ALL {
                read(&text, dialect);
                read(&words.join(" "), dialect);
            }
        }
    }
}
