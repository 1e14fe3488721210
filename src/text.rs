//! Text that may come from a database or a spec, and so may be hostile.
//!
//! [`Text`] has no `Display`: whoever writes it somewhere must choose the encoder of that place.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Text of unknown origin. Print it with the encoder of the place it goes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// Wraps text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text as it is, for machine formats that encode it themselves and for comparisons.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Returns the text as one line that is safe on a terminal.
    pub fn terminal(&self) -> Terminal<'_> {
        Terminal(&self.0)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Prints text as one line without control, bidirectional or invisible characters: each is shown as `\u{1b}`. No text
/// gives orders to a pipeline, wherever a line is broken.
#[derive(Clone, Copy, Debug)]
pub struct Terminal<'a>(pub &'a str);

impl fmt::Display for Terminal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0;
        let mut written = 0;
        // What stands before: nothing and a blank are where a line can begin.
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            let is_order = matches!(c, ':' | '#') && gives_order(before, c, text[end..].chars().next());
            before = if c.is_control() { '_' } else { c };
            if !is_order && !is_deceptive(c) {
                continue;
            }
            f.write_str(&text[written..at])?;
            written = end;
            match c {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            }
        }
        f.write_str(&text[written..])
    }
}

/// Returns whether a character makes its text an order to the pipeline that reads what is printed: GitHub's runner takes
/// a line that begins with `::` after blanks, and it and Azure's agent take `##[` and `##vso[` anywhere.
pub fn gives_order(before: char, c: char, next: Option<char>) -> bool {
    match c {
        ':' => before.is_whitespace() && next == Some(':'),
        '#' => before == '#' && matches!(next, Some('[' | 'v' | 'V')),
        _ => false,
    }
}

/// Returns whether a character does something to a screen, or does not show on it.
pub fn is_deceptive(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{00ad}' | '\u{180e}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the known names that a mistyped one may stand for, nearest first and at most three.
pub fn near_names<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// Less alike than this, and a suggestion is more puzzling than none.
    const ALIKE: f32 = 0.6;
    let typed = typed.to_lowercase();
    let mut near: Vec<(f32, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let part_of = typed.chars().count() >= 3 && lower.contains(&typed);
            let ratio = similar::TextDiff::from_chars(typed.as_str(), lower.as_str()).ratio();
            (part_of || ratio >= ALIKE).then_some((ratio, name))
        })
        .collect();
    near.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Returns whether a name is as a pattern says: `*` stands for any text, `?` for any character.
pub fn glob_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut n) = (0, 0);
    // The last star, and how much of the name it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, n));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                at += 1;
                n += 1;
            }
            _ => {
                let Some((place, taken)) = star else { return false };
                star = Some((place, taken + 1));
                (at, n) = (place + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_names_what_it_describes_and_nothing_else() {
        for (pattern, name, matches) in [
            ("*", "", true),
            ("Processed*", "ProcessedIntegrationEvents", true),
            ("*Events", "ProcessedIntegrationEvents", true),
            ("*a*b*", "xxaxxbxx", true),
            ("t?", "t1", true),
            ("t?", "t", false),
            ("t", "T", false),
            ("a*b", "ab c", false),
            ("", "a", false),
        ] {
            assert_eq!(glob_matches(pattern, name), matches, "{pattern} {name}");
        }
    }

    #[test]
    fn a_terminal_sees_no_control_character() {
        let hostile = "a\u{1b}[31mred\u{9b}2J\u{202e}x\r\n::error::y\u{200b}Größe";
        assert_eq!(
            Text::new(hostile).terminal().to_string(),
            "a\\u{1b}[31mred\\u{9b}2J\\u{202e}x\\r\\n::error::y\\u{200b}Größe"
        );
    }

    #[test]
    fn no_text_gives_orders_to_a_pipeline() {
        for (raw, shown) in [
            ("::error::x", "\\u{3a}:error::x"),
            ("a ::error::x", "a \\u{3a}:error::x"),
            ("\u{a0}::error::x", "\u{a0}\\u{3a}:error::x"),
            ("##vso[task.complete]", "#\\u{23}vso[task.complete]"),
            ("a##[add-mask]b", "a#\\u{23}[add-mask]b"),
            ("'x'::text and C##", "'x'::text and C##"),
        ] {
            assert_eq!(Terminal(raw).to_string(), shown);
        }
    }

    #[test]
    fn a_typo_finds_its_name_and_nonsense_finds_none() {
        let known = ["unique-missing", "unique-weaker", "column-type"];
        assert_eq!(near_names("unique-mising", known)[0], "unique-missing");
        assert_eq!(near_names("UNIQUE", known), ["unique-weaker", "unique-missing"]);
        assert_eq!(near_names("zebra", known), Vec::<&str>::new());
    }
}
