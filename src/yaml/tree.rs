//! A spec file as a tree of YAML nodes, each with its place.
//!
//! The tree is built from the parser's events and not through serde, for three reasons: serde stops at the first
//! error where an author wants all of them, it forgets where keys are written, and it cannot tell the plain word
//! `no` from the quoted one. Aliases and tags are refused, so a file's tree is never larger than its text.

use std::collections::BTreeMap;

use serde_yaml::granit_parser::{ErrorKind, Event, Marker, Options, Parser, ScalarStyle, ScanError, Span, options};

use super::problem::{Problems, shorten};
use super::{At, Position};

/// How deep a spec may nest. The format itself needs eight levels.
const MAX_DEPTH: usize = 32;

/// How many keys, values and lists a spec may have.
const MAX_NODES: usize = 50_000;

/// A YAML node and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Where it is written; of a block, its first key or item; of a missing value, its key.
    pub(crate) at: Position,
    /// What it is.
    pub(crate) kind: Kind,
}

/// Kinds of YAML nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One value.
    Scalar {
        /// Its text after escapes are undone.
        text: String,
        /// Whether it is written without quotes, so that `true`, `null` and numbers have their meaning.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map, in file order and without duplicate keys.
    Map(Vec<Entry>),
    /// Something that was refused already; nothing more is said about it.
    Broken,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The key; its text is kept as written, whatever YAML would make of it (`no`, `1e3`).
    pub(crate) key: At<String>,
    /// The value.
    pub(crate) value: Node,
}

impl Node {
    /// Returns whether the node is a plain null, or no value at all.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.word(), Some("" | "~" | "null" | "Null" | "NULL"))
    }

    /// Returns the text of a value that is written without quotes.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, plain: true } => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a key, if this is a map that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|e| e.key.value == key).map(|e| &e.value),
            _ => None,
        }
    }
}

/// Reads the YAML of a spec. Problems that do not hide the rest are collected; after others there is no tree.
pub(crate) fn parse(problems: &mut Problems) -> Option<Node> {
    let text = std::sync::Arc::clone(problems.source.text());
    let mut tree = Tree {
        problems,
        open: Vec::new(),
        root: None,
        nodes: 0,
        aliases_refused: false,
        tags_refused: false,
    };
    let mut documents = 0;
    for next in Parser::new_from_str_with_options(&text, parser_options()) {
        let (event, span) = match next {
            Ok(next) => next,
            Err(error) => {
                tree.refuse_syntax(&error);
                return None;
            }
        };
        if matches!(event, Event::DocumentStart(..)) {
            documents += 1;
            if documents > 1 {
                tree.problems
                    .add(point(&span.start), "a second YAML document starts here")
                    .set_help("leave one document in the file");
                return None;
            }
            continue;
        }
        tree.take(event, &span)?;
    }
    let root = tree.root;
    if root.as_ref().is_none_or(Node::is_null) {
        let start = Position {
            line: 1,
            column: 1,
            length: 1,
        };
        problems
            .add(start, "the file is empty")
            .set_help("begin it with `version: 1`");
        return None;
    }
    root
}

fn parser_options() -> Options {
    options! {
        // Reported by this module, so that the rest of the file is still read.
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH + 1,
        block_nesting_limit: MAX_DEPTH + 1,
    }
}

/// A collection that is not closed yet.
enum Open {
    List {
        start: Marker,
        items: Vec<Node>,
    },
    Map {
        start: Marker,
        entries: Vec<Entry>,
        /// Where each key was first written.
        seen: BTreeMap<String, Position>,
        key: Key,
    },
}

/// The key whose value comes next.
enum Key {
    /// The next node is a key.
    None,
    /// The next node is this key's value.
    Read(At<String>),
    /// The next node is the value of a key that was refused.
    Refused,
}

struct Tree<'p> {
    problems: &'p mut Problems,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
    aliases_refused: bool,
    tags_refused: bool,
}

impl Tree<'_> {
    /// Takes one event; answers `None` when reading has to stop.
    fn take(&mut self, event: Event<'_>, span: &Span) -> Option<()> {
        if event.is_node() {
            self.count(span)?;
            self.refuse_tag(&event, span);
        }
        if event.anchor_id().is_some_and(|id| id != 0) || event.is_alias() {
            self.refuse_alias(span);
        }
        match event {
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain;
                // The parser gives a missing value the text `~`, which nobody wrote.
                let missing = plain && span.start.index() == span.end.index();
                let text = if missing { String::new() } else { text.into_owned() };
                let at = self.extent(&span.start, &span.end);
                self.put(Node {
                    at,
                    kind: Kind::Scalar { text, plain },
                });
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let at = self.extent(&span.start, &span.end);
                self.put(Node { at, kind: Kind::Broken });
            }
            Event::SequenceStart(..) => self.open(
                span,
                Open::List {
                    start: span.start,
                    items: Vec::new(),
                },
            )?,
            Event::MappingStart(..) => self.open(
                span,
                Open::Map {
                    start: span.start,
                    entries: Vec::new(),
                    seen: BTreeMap::new(),
                    key: Key::None,
                },
            )?,
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            _ => {}
        }
        Some(())
    }

    fn count(&mut self, span: &Span) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.problems
                .add(
                    point(&span.start),
                    format!("the file has more than {MAX_NODES} keys and values"),
                )
                .set_help("split the spec: one file per service");
            return None;
        }
        Some(())
    }

    fn open(&mut self, span: &Span, open: Open) -> Option<()> {
        if self.open.len() == MAX_DEPTH {
            self.problems.add(
                point(&span.start),
                format!("the file nests deeper than {MAX_DEPTH} levels"),
            );
            return None;
        }
        self.open.push(open);
        Some(())
    }

    fn close(&mut self, span: &Span) {
        let (start, first, kind) = match self.open.pop() {
            Some(Open::List { start, items }) => (start, items.first().map(|n| n.at), Kind::List(items)),
            Some(Open::Map { start, entries, .. }) => (start, entries.first().map(|e| e.key.at), Kind::Map(entries)),
            None => return,
        };
        // Only a collection in brackets has an end of its own.
        let bracketed = span.end.index() > span.start.index();
        let at = match first {
            Some(first) if !bracketed => first,
            _ => self.extent(&start, &span.end),
        };
        self.put(Node { at, kind });
    }

    /// Puts a finished node where it belongs.
    fn put(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Map { entries, seen, key, .. }) => match std::mem::replace(key, Key::None) {
                Key::None => *key = read_key(self.problems, node),
                Key::Refused => {}
                Key::Read(name) => match seen.get(&name.value) {
                    Some(&first) => {
                        self.problems
                            .add_pair(
                                name.at,
                                format!("the key `{}` is written twice", shorten(&name.value)),
                                first,
                                "first written here",
                            )
                            .set_help("keep one of the two");
                    }
                    None => {
                        seen.insert(name.value.clone(), name.at);
                        entries.push(Entry {
                            value: beside(node, name.at),
                            key: name,
                        });
                    }
                },
            },
        }
    }

    fn refuse_alias(&mut self, span: &Span) {
        if !std::mem::replace(&mut self.aliases_refused, true) {
            let at = self.extent(&span.start, &span.end);
            self.problems
                .add(at, "anchors (`&name`) and aliases (`*name`) are not part of the format")
                .set_help("write the value out, or put a text that starts with `&` or `*` into quotes");
        }
    }

    fn refuse_tag(&mut self, event: &Event<'_>, span: &Span) {
        if let Some(tag) = event.tag()
            && !std::mem::replace(&mut self.tags_refused, true)
        {
            let at = point(span.tag_start.as_ref().unwrap_or(&span.start));
            self.problems
                .add(
                    at,
                    format!("YAML tags (`{}`) are not part of the format", shorten(&tag.original())),
                )
                .set_help("remove the tag, or put a text that starts with `!` into quotes");
        }
    }

    fn refuse_syntax(&mut self, error: &ScanError) {
        let at = point(error.marker());
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            self.problems
                .add(at, format!("the file nests deeper than {MAX_DEPTH} levels"));
            return;
        }
        self.problems
            .add(at, format!("not YAML: {}", error.kind()))
            .set_help(syntax_help(error.kind()));
    }

    /// Measures a piece of the file; of one over several lines, the part on its first line.
    fn extent(&self, start: &Marker, end: &Marker) -> Position {
        let mut at = point(start);
        let end = if start.line() == end.line() {
            end.col()
        } else {
            self.problems.source.line(at.line).trim_end().chars().count()
        };
        at.length = narrow(end.saturating_sub(start.col())).max(1);
        at
    }
}

/// Reads a node as a key.
fn read_key(problems: &mut Problems, node: Node) -> Key {
    match node.kind {
        Kind::Scalar { text, plain: true } if text == "<<" => {
            problems
                .add(node.at, "merge keys (`<<`) are not part of the format")
                .set_help("write the keys out");
            Key::Refused
        }
        Kind::Scalar { text, plain: true } if text.is_empty() => {
            problems.add(node.at, "a key is missing before the colon");
            Key::Refused
        }
        Kind::Scalar { text, .. } => Key::Read(At::new(text, node.at)),
        Kind::Broken => Key::Refused,
        Kind::List(_) | Kind::Map(_) => {
            problems
                .add(node.at, "a key must be a name, not a list or a map")
                .set_help("put a name that starts with a bracket or a brace into quotes");
            Key::Refused
        }
    }
}

/// Points a missing value to its key, since there is nothing to point to where it should be.
fn beside(mut node: Node, key: Position) -> Node {
    if node.word() == Some("") {
        node.at = key;
    }
    node
}

fn point(marker: &Marker) -> Position {
    Position {
        line: narrow(marker.line()).max(1),
        column: narrow(marker.col()).saturating_add(1),
        length: 1,
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Says what usually causes a syntax error.
fn syntax_help(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar => "indent with blanks; YAML does not allow tabs",
        ErrorKind::UnclosedQuotedScalar => "close the quote; inside single quotes, a quote is written twice: 'O''Neil'",
        ErrorKind::UnknownQuotedScalarEscape => "in single quotes a backslash is an ordinary character",
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => {
            "write a control character as an escape inside double quotes: \"\\e\", \"\\u0007\""
        }
        ErrorKind::UnexpectedCharacter { .. } | ErrorKind::PlainScalarStartsWithDashFlowIndicator => {
            "put a text that starts with a special character into quotes"
        }
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::MismatchedFlowCollectionEnd { .. }
        | ErrorKind::MisplacedFlowCollectionEnd
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator => {
            "close each bracket and brace, and put texts that hold them into quotes"
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            "put a text that holds a colon into quotes, and check the indentation"
        }
        _ => "check the indentation and the quotes of this line and the one above",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::problem::{Problem, SourceFile};
    use super::*;

    fn read(text: &str) -> (Option<Node>, Vec<Problem>) {
        let mut problems = Problems::new(Arc::new(SourceFile::new("a.yaml", text)));
        let tree = parse(&mut problems);
        (tree, problems.finish())
    }

    fn at(line: u32, column: u32, length: u32) -> Position {
        Position { line, column, length }
    }

    #[test]
    fn every_key_and_value_knows_its_place() {
        let text = "a: varchar(160)\nb: { x: 'q', Größe: [1, 2] }\nc:\n  d:\n    - one\n    - two\ne:\n";
        let (tree, problems) = read(text);
        assert_eq!(problems, []);
        let tree = tree.unwrap();
        let node = |path: &[&str]| path.iter().fold(&tree, |n, key| n.get(key).unwrap());
        for (path, place) in [
            (&["a"][..], at(1, 4, 12)),
            (&["b"], at(2, 4, 25)),
            (&["b", "x"], at(2, 9, 3)),
            (&["b", "Größe"], at(2, 21, 6)),
            (&["c"], at(4, 3, 1)),
            (&["c", "d"], at(5, 7, 3)),
            // A missing value is looked for at its key.
            (&["e"], at(7, 1, 1)),
        ] {
            assert_eq!(node(path).at, place, "{path:?}");
        }
    }

    #[test]
    fn a_value_over_several_lines_is_its_first_line() {
        let (tree, _) = read("a: { x: 1,\n  y: 2 }\nb: |\n  text\n  more\n");
        let tree = tree.unwrap();
        assert_eq!(tree.get("a").unwrap().at, at(1, 4, 7));
        let b = tree.get("b").unwrap();
        assert_eq!(b.at, at(4, 3, 4));
        assert!(matches!(&b.kind, Kind::Scalar { text, plain: false } if text == "text\nmore\n"));
    }

    #[test]
    fn names_keep_their_text() {
        let (tree, problems) = read("no: on\n1e3: 2026-01-01\n' a ': \"\\u00e9\"\nnull: ~\n");
        assert_eq!(problems, []);
        let Some(Node {
            kind: Kind::Map(entries),
            ..
        }) = tree
        else {
            panic!("not a map");
        };
        let keys: Vec<&str> = entries.iter().map(|e| e.key.value.as_str()).collect();
        assert_eq!(keys, ["no", "1e3", " a ", "null"]);
        assert_eq!(entries[0].value.word(), Some("on"));
        assert_eq!(entries[1].value.word(), Some("2026-01-01"));
        assert!(matches!(&entries[2].value.kind, Kind::Scalar { text, plain: false } if text == "é"));
        assert!(entries[3].value.is_null());
    }

    #[test]
    fn a_duplicate_key_names_both_places_and_the_first_one_counts() {
        let (tree, problems) = read("a: 1\nb: 2\na: 3\nb: 4\n");
        assert_eq!(tree.unwrap().get("a").unwrap().word(), Some("1"));
        let places: Vec<_> = problems
            .iter()
            .map(|p| (p.position.unwrap().line, p.related.as_ref().unwrap().position.line))
            .collect();
        assert_eq!(places, [(3, 1), (4, 2)]);
    }

    #[test]
    fn what_the_format_does_not_have_is_refused_once_with_its_place() {
        for (text, line, column, words) in [
            ("a: &x 1\nb: *x\nc: *x\n", 1, 7, "anchors"),
            ("a: 1\nb: *missing\n", 2, 4, "anchors"),
            ("a: !!str 1\nb: !x 2\n", 1, 4, "tags"),
            ("<<: { a: 1 }\n", 1, 1, "merge"),
            ("? [a, b]\n: 1\n", 1, 3, "must be a name"),
            (": 1\n", 1, 1, "missing before the colon"),
            ("a: 1\n---\nb: 2\n", 2, 1, "second YAML document"),
            ("", 1, 1, "empty"),
            ("# only a comment\n", 1, 1, "empty"),
            ("~\n", 1, 1, "empty"),
            ("a: 1\n b: 2\n", 2, 3, "not YAML"),
            ("a:\n\tb: 1\n", 2, 2, "not YAML"),
            ("a: \"b\n", 1, 4, "not YAML"),
        ] {
            let (_, problems) = read(text);
            assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
            let problem = &problems[0];
            assert!(problem.message.raw().contains(words), "{text:?}: {problem}");
            let position = problem.position.unwrap();
            assert_eq!((position.line, position.column), (line, column), "{text:?}: {problem}");
        }
    }

    #[test]
    fn hostile_files_end_in_one_problem_and_bounded_time() {
        let bomb = (0..20).fold("a0: &a0 [x]\n".to_owned(), |text, i| {
            format!(
                "{text}a{}: &a{} [{}]\n",
                i + 1,
                i + 1,
                vec![format!("*a{i}"); 9].join(",")
            )
        });
        let deep: String = (0..5_000).map(|i| format!("{}a:\n", " ".repeat(i % 400))).collect();
        let keys: String = (0..150_000).map(|i| format!("k{i}: \n")).collect();
        for (text, words) in [
            ("[".repeat(100_000), "nests deeper"),
            ("{a: ".repeat(100_000), "nests deeper"),
            ("- ".repeat(100_000), "nests deeper"),
            ("? ".repeat(100_000), "nests deeper"),
            (deep, "nests deeper"),
            (bomb, "anchors"),
            (keys, "more than 50000"),
            ("a: \"".to_owned() + &"x".repeat(1 << 20), "not YAML"),
        ] {
            let started = std::time::Instant::now();
            let (_, problems) = read(&text);
            let head = &text[..20];
            assert!(
                problems.iter().any(|p| p.message.raw().contains(words)),
                "{head:?}: {:?}",
                problems.first()
            );
            assert!(
                started.elapsed().as_secs() < 20,
                "{head:?} took {:?}",
                started.elapsed()
            );
        }
    }
}
