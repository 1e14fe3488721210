//! Reads single values out of the tree: each answers with a value, or records what is wrong and answers nothing.

use chrono::NaiveDate;

use super::grammar::{Block, Word, nearest};
use super::problem::{Problem, Problems, shorten};
use super::tree::{Entry, Kind, Node};
use super::{At, Position};

/// The version of each format that this program reads.
pub(crate) const VERSION: &str = "1";

/// Gives a tree its meaning; holds what is wrong so far.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) problems: Problems,
    /// Every block of the format, for advice.
    pub(crate) blocks: &'static [&'static Block],
}

/// The keys of a map, checked against a block of the grammar.
#[derive(Debug)]
pub(crate) struct Fields<'n> {
    block: &'static Block,
    entries: &'n [Entry],
}

impl<'n> Fields<'n> {
    /// Returns a key with its value.
    pub(crate) fn get(&self, name: &str) -> Option<&'n Entry> {
        debug_assert!(self.block.names().contains(&name), "`{name}` is not in the grammar");
        self.entries.iter().find(|entry| entry.key.value == name)
    }

    /// Returns the keys that are written.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'n str> {
        self.entries.iter().map(|entry| entry.key.value.as_str())
    }

    /// Returns whether a key that is not known is nearly one of these names.
    fn is_misspelt(&self, names: &[&'static str]) -> bool {
        /// So many unknown keys are looked at: a file of nothing else is no typing error.
        const FEW: usize = 20;
        let known = self.block.names();
        let mut unknown = self.names().filter(|name| !known.contains(name)).take(FEW);
        unknown.any(|key| nearest(key, &known).is_some_and(|(_, near)| names.contains(&near)))
    }

    /// Returns where a key is written, or else the given place.
    pub(crate) fn key_at(&self, name: &str, owner: Position) -> Position {
        self.get(name).map_or(owner, |entry| entry.key.at)
    }
}

impl Reader {
    /// Records a problem, which the caller may then describe further.
    pub(crate) fn add(&mut self, at: Position, message: String) -> &mut Problem {
        self.problems.add(at, message)
    }

    /// Reads a map of fixed keys; `what` names it in messages. Unknown and missing keys are recorded.
    pub(crate) fn fields<'n>(
        &mut self,
        node: &'n Node,
        block: &'static Block,
        what: &str,
        owner: Position,
    ) -> Option<Fields<'n>> {
        let entries = self.entries(node, what)?;
        let mut before = None;
        for entry in entries {
            let known = block.names().contains(&entry.key.value.as_str());
            if !known && !is_rest_of_type(before, entry) {
                self.refuse_key(entry, block, what);
            }
            before = Some(entry);
        }
        let fields = Fields { block, entries };
        for key in block.keys.iter().filter(|key| key.required) {
            if fields.get(key.name).is_none() && !fields.is_misspelt(&[key.name]) {
                self.add(owner, format!("{what} has no `{}`", key.name))
                    .set_help(format!("add `{}:`, {}", key.name, inside_a_sentence(key.about)));
            }
        }
        if !block.one_of.is_empty() {
            self.check_choice(&fields, what, owner);
        }
        Some(fields)
    }

    fn refuse_key(&mut self, entry: &Entry, block: &Block, what: &str) {
        let advice = (!self.problems.is_full()).then(|| block.advise(&entry.key.value, self.blocks));
        let name = shorten(&entry.key.value);
        let problem = self.add(entry.key.at, format!("unknown key `{name}` in {what}"));
        if let Some(advice) = advice {
            problem.set_help(advice);
        }
    }

    /// Records that not exactly one of a block's alternatives is written.
    fn check_choice(&mut self, fields: &Fields<'_>, what: &str, owner: Position) {
        let names = fields.block.one_of;
        let written: Vec<&Entry> = names.iter().filter_map(|name| fields.get(name)).collect();
        match written[..] {
            // An unknown key that is nearly one of them is a problem already.
            [] if fields.is_misspelt(names) => {}
            [] => {
                self.add(owner, format!("{what} has neither `{}`", names.join("` nor `")))
                    .set_help(match names.len() {
                        2 => "write one of the two",
                        _ => "write one of them",
                    });
            }
            [_] => {}
            [first, second, ..] => {
                let message = format!("{what} has both `{}` and `{}`", first.key.value, second.key.value);
                self.problems
                    .add_pair(second.key.at, message, first.key.at, "the other one")
                    .set_help("keep one of the two");
            }
        }
    }

    /// Reads a map of names of the author's choice. Names that no database can hold are recorded.
    pub(crate) fn named<'n>(&mut self, entry: Option<&'n Entry>, one: &str) -> &'n [Entry] {
        let Some(entry) = entry else { return &[] };
        let what = format!("`{}`", entry.key.value);
        let Some(entries) = self.entries(&entry.value, &what) else {
            return &[];
        };
        if entries.is_empty() {
            self.add(entry.key.at, format!("{what} is empty"))
                .set_help("remove the key, or add something below it");
        }
        for entry in entries {
            self.check_name(&entry.key, one);
        }
        entries
    }

    fn entries<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [Entry]> {
        match &node.kind {
            Kind::Map(entries) => Some(entries),
            Kind::Broken => None,
            _ => {
                self.add(node.at, format!("{what} must be a map, not {}", describe(node)))
                    .set_help("write keys and values: `key: value`, one on each line or between braces");
                None
            }
        }
    }

    /// Records a name that no database can hold.
    pub(crate) fn check_name(&mut self, name: &At<String>, one: &str) {
        if name.value.is_empty() {
            self.add(name.at, format!("the name of {one} is empty"));
        } else if name.value.contains('\0') {
            self.add(
                name.at,
                format!("the name of {one} holds a NUL, which no database can store"),
            );
        }
    }

    /// Reads `true` or `false`.
    pub(crate) fn boolean(&mut self, what: &str, node: &Node) -> Option<bool> {
        match node.word() {
            Some("true") => return Some(true),
            Some("false") => return Some(false),
            _ => {}
        }
        let meant = match &node.kind {
            Kind::Broken => return None,
            Kind::Scalar { text, .. } => match text.to_lowercase().as_str() {
                "true" | "yes" | "on" | "y" | "1" => Some("true"),
                "false" | "no" | "off" | "n" | "0" => Some("false"),
                _ => None,
            },
            _ => None,
        };
        let problem = self.add(
            node.at,
            format!("{what} must be `true` or `false`, not {}", describe(node)),
        );
        match meant {
            Some(meant) => problem.set_help(format!("write `{meant}`")),
            None if what == "`nullable`" => problem.set_help("write `unconfirmed` if it is not known yet"),
            None => {}
        }
        None
    }

    /// Reads a whole number from 1 on.
    pub(crate) fn count(&mut self, what: &str, node: &Node) -> Option<usize> {
        let number = node
            .word()
            .and_then(|word| word.parse().ok())
            .filter(|&number| number > 0);
        if number.is_none() && !matches!(node.kind, Kind::Broken) {
            self.add(
                node.at,
                format!("{what} must be a whole number from 1 on, not {}", describe(node)),
            );
        }
        number
    }

    /// Reads one value as text, however it is written; even blanks count.
    pub(crate) fn name(&mut self, what: &str, node: &Node) -> Option<String> {
        match &node.kind {
            Kind::Broken => None,
            Kind::Scalar { text, .. } if !node.is_null() => Some(text.clone()),
            _ => {
                self.add(node.at, format!("{what} must be a text, not {}", describe(node)));
                None
            }
        }
    }

    /// Reads a text that is not blank.
    pub(crate) fn text(&mut self, what: &str, node: &Node) -> Option<String> {
        let text = self.name(what, node)?;
        if text.trim().is_empty() {
            self.add(node.at, format!("{what} is blank"));
            return None;
        }
        Some(text)
    }

    /// Reads a list that is not empty, each item through `read`.
    pub(crate) fn list<T>(
        &mut self,
        what: &str,
        node: &Node,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Option<Vec<T>> {
        match &node.kind {
            Kind::Broken => None,
            Kind::List(items) if items.is_empty() => {
                self.add(node.at, format!("{what} is an empty list"))
                    .set_help("name at least one, or leave the key out");
                None
            }
            Kind::List(items) => {
                let read: Vec<Option<T>> = items.iter().map(|item| read(self, item)).collect();
                read.into_iter().collect()
            }
            _ => {
                let item = node.word().map_or_else(|| "…".to_owned(), shorten);
                self.add(node.at, format!("{what} must be a list, not {}", describe(node)))
                    .set_help(format!("write a list even for one item: `[{item}]`"));
                None
            }
        }
    }

    /// Reads a list of different texts; `one` names an item in messages.
    pub(crate) fn names(&mut self, what: &str, one: &str, node: &Node) -> Option<Vec<At<String>>> {
        let names = self.list(what, node, |reader, item| {
            let name = reader.name(one, item)?;
            Some(At::new(name, item.at))
        })?;
        let mut seen = std::collections::BTreeMap::new();
        for name in &names {
            if let Some(first) = seen.insert(name.value.as_str(), name.at) {
                let message = format!("{what} holds `{}` twice", shorten(&name.value));
                self.problems.add_pair(name.at, message, first, "first written here");
            }
        }
        Some(names)
    }

    /// Checks the version of a format, of which there is one.
    pub(crate) fn version(&mut self, node: &Node) {
        if node.word() == Some(VERSION) || matches!(node.kind, Kind::Broken) {
            return;
        }
        let message = format!("`version` must be {VERSION}, not {}", describe(node));
        let help = match &node.kind {
            Kind::Scalar { text, plain: false } if text == VERSION => "remove the quotes",
            Kind::Scalar { text, .. } if text.parse::<u32>().is_ok_and(|version| version > 1) => {
                "this file is for a newer seadrift: update the program"
            }
            _ => "write `version: 1`",
        };
        self.add(node.at, message).set_help(help);
    }

    /// Reads a date.
    pub(crate) fn date(&mut self, what: &str, node: &Node) -> Option<NaiveDate> {
        let text = self.text(what, node)?;
        let date = NaiveDate::parse_from_str(&text, "%Y-%m-%d");
        let date = date.ok().filter(|_| text.len() == "2026-07-21".len());
        if date.is_none() {
            self.add(node.at, format!("{what} is not a date: `{}`", shorten(&text)))
                .set_help("write year, month and day: `2026-07-21`");
        }
        date
    }

    /// Reads one of a few words.
    pub(crate) fn word<T: Copy, const N: usize>(
        &mut self,
        what: &str,
        node: &Node,
        words: &'static [Word<T>; N],
    ) -> Option<T> {
        if matches!(node.kind, Kind::Broken) {
            return None;
        }
        if let Kind::Scalar { text, .. } = &node.kind
            && let Some(word) = words.iter().find(|word| word.name == text)
        {
            return Some(word.value);
        }
        let names: Vec<&'static str> = words.iter().map(|word| word.name).collect();
        let problem = self.add(
            node.at,
            format!("{what} must be `{}`, not {}", names.join("`, `"), describe(node)),
        );
        if let Kind::Scalar { text, .. } = &node.kind
            && let Some((_, name)) = nearest(text, &names)
        {
            problem.set_help(format!("did you mean `{name}`?"));
        }
        None
    }
}

/// Turns a sentence into a part of one.
fn inside_a_sentence(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// Returns whether a key is the second half of a type like `numeric(18,2)` that is written without quotes between
/// braces, where a comma ends the value. The type's own problem says so.
fn is_rest_of_type(before: Option<&Entry>, entry: &Entry) -> bool {
    let open = |word: &str| word.contains('(') && !word.contains(')');
    entry.key.value.ends_with(')') && entry.value.is_null() && before.and_then(|b| b.value.word()).is_some_and(open)
}

/// Names a node in a message.
pub(crate) fn describe(node: &Node) -> String {
    match &node.kind {
        _ if node.is_null() => "nothing".to_owned(),
        Kind::Scalar { text, plain: true } => format!("`{}`", shorten(text)),
        Kind::Scalar { text, plain: false } => format!("the text \"{}\"", shorten(text)),
        Kind::List(_) => "a list".to_owned(),
        Kind::Map(_) => "a map".to_owned(),
        Kind::Broken => "this".to_owned(),
    }
}
