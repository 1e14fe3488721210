//! A format as data: which keys stand where, and what each of them takes.
//!
//! The reader refuses every key that is not in the tables of a format, and its JSON Schema is made from them alone, so
//! that the two cannot drift apart.

use super::problem::shorten;

/// A kind of map: its keys and which of them belong together.
#[derive(Debug)]
pub(crate) struct Block {
    /// What it is called in messages and in the JSON Schema: `an index`.
    pub(crate) name: &'static str,
    /// What it is for, as a sentence.
    pub(crate) about: &'static str,
    /// Its keys in the order in which people write them.
    pub(crate) keys: &'static [Key],
    /// Keys of which exactly one is written.
    pub(crate) one_of: &'static [&'static str],
}

/// A key of a block.
#[derive(Debug)]
pub(crate) struct Key {
    /// The key.
    pub(crate) name: &'static str,
    /// What it says, as a sentence.
    pub(crate) about: &'static str,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it takes.
    pub(crate) form: Form,
}

/// What a key takes.
#[derive(Debug)]
pub(crate) enum Form {
    /// The number 1.
    Version,
    /// A text that is not blank.
    Text,
    /// A name or another text, of which even blanks count.
    Name,
    /// A value of any kind: text, number or truth value.
    Constant,
    /// A date like `2026-07-21`.
    Date,
    /// `true` or `false`.
    Boolean,
    /// A duration like `168h`.
    Duration,
    /// A limit of time like `500ms` or `10s`.
    Limit,
    /// A whole number from 1 on.
    Count,
    /// A data type.
    Type,
    /// One of a few words.
    Word(&'static dyn Words),
    /// A list that is not empty.
    List(&'static Form),
    /// A list that may be empty.
    Items(&'static Form),
    /// A map of fixed keys.
    Block(&'static Block),
    /// A map from names of the author's choice.
    Named(&'static Block),
    /// A map from names of the author's choice to values of one form.
    Pairs(&'static Form),
    /// A map from some of a few words to values of one form.
    Chosen(&'static dyn Words, &'static Form),
    /// Any of several forms.
    Either(&'static [Form]),
    /// A fact that may be open: the form itself, `unconfirmed`, or `{ unconfirmed: … }` with a guess.
    Fact(&'static Form),
}

/// The word that makes a fact an open one.
pub(crate) const UNCONFIRMED: &str = "unconfirmed";

/// A word and what it stands for.
#[derive(Debug)]
pub(crate) struct Word<T: 'static> {
    pub(crate) name: &'static str,
    pub(crate) value: T,
}

/// A list of words whose meaning does not matter.
pub(crate) trait Words: std::fmt::Debug + Sync {
    /// Returns the words in the order in which they are offered.
    fn names(&self) -> Vec<&'static str>;
}

impl<T: std::fmt::Debug + Sync, const N: usize> Words for [Word<T>; N] {
    fn names(&self) -> Vec<&'static str> {
        self.iter().map(|word| word.name).collect()
    }
}

/// A word with its meaning.
pub(crate) const fn word<T>(name: &'static str, value: T) -> Word<T> {
    Word { name, value }
}

/// A key that may be left out.
pub(crate) const fn key(name: &'static str, form: Form, about: &'static str) -> Key {
    Key {
        name,
        about,
        required: false,
        form,
    }
}

/// A key that must be there.
pub(crate) const fn required(name: &'static str, form: Form, about: &'static str) -> Key {
    Key {
        name,
        about,
        required: true,
        form,
    }
}

impl Block {
    /// Returns the keys' names in order.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }

    /// Says what somebody who wrote an unknown key here probably wants; `blocks` are all of the format.
    pub(crate) fn advise(&self, unknown: &str, blocks: &[&'static Block]) -> String {
        // `type:uuid` is one word to YAML, where a blank makes it two.
        if let Some((name, value)) = unknown.split_once(':')
            && self.names().contains(&name)
        {
            return format!("put a blank behind the colon: `{name}: {}`", shorten(value));
        }
        if let Some((ratio, name)) = nearest(unknown, &self.names())
            && (ratio >= 0.8 || owner_of(unknown, self, blocks).is_none())
        {
            return format!("did you mean `{name}`?");
        }
        if let Some(owner) = owner_of(unknown, self, blocks) {
            return format!("`{unknown}` is a key of {}", owner.name);
        }
        let list: Vec<String> = self.names().iter().map(|name| format!("`{name}`")).collect();
        format!("the keys of {} are {}", self.name, list.join(", "))
    }
}

/// Returns another block that has a key.
fn owner_of(unknown: &str, here: &Block, blocks: &[&'static Block]) -> Option<&'static Block> {
    let elsewhere = |block: &&&'static Block| block.name != here.name && block.keys.iter().any(|k| k.name == unknown);
    blocks.iter().find(elsewhere).copied()
}

/// Returns the known word that a misspelt one is closest to, and how close: 1 is equal but for letter case,
/// hyphens and blanks.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<(f32, &'a str)> {
    /// Longer words are not misspelt names, and comparing them costs the square of their length.
    const LONGEST: usize = 64;
    /// So many known words are looked at; a spec with more columns than that is not written by hand.
    const MOST: usize = 300;
    if word.len() > LONGEST {
        return None;
    }
    let fold = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let folded = fold(word);
    let mut best: Option<(f32, &'a str)> = None;
    for &name in known.iter().take(MOST).filter(|name| name.len() <= LONGEST) {
        let ratio = similar::TextDiff::from_chars(folded.as_str(), fold(name).as_str()).ratio();
        if ratio >= 0.6 && best.is_none_or(|(best, _)| ratio > best) {
            best = Some((ratio, name));
        }
    }
    best
}
