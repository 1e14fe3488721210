//! Reads facts, which may be open, and durations.

use std::time::Duration;

use crate::yaml::grammar::UNCONFIRMED;
use crate::yaml::{Entry, Kind, Node, Reader, describe, shorten};

use super::duration::parse_duration;
use super::{At, Position, Wanted};

impl Reader {
    /// Reads a fact, which may be silent, stated or open. What `read` refuses counts as silent from there on.
    pub(crate) fn fact<T>(
        &mut self,
        entry: Option<&Entry>,
        owner: Position,
        absent: Wanted<T>,
        read: impl FnOnce(&mut Self, &Node) -> Option<T>,
    ) -> At<Wanted<T>> {
        let Some(entry) = entry else {
            return At::new(absent, owner);
        };
        let node = &entry.value;
        let value = if node.word() == Some(UNCONFIRMED) {
            Wanted::Unconfirmed(None)
        } else if let Some(guess) = node.get(UNCONFIRMED) {
            self.guess(node, &entry.key);
            match read(self, guess) {
                Some(value) => Wanted::Unconfirmed(Some(value)),
                None => Wanted::Silent,
            }
        } else {
            let confirmed = match node.get("confirmed") {
                Some(flag) => self.boolean("`confirmed`", flag) != Some(false),
                None => true,
            };
            match read(self, node) {
                Some(value) if confirmed => Wanted::Is(value),
                Some(value) => Wanted::Unconfirmed(Some(value)),
                None => Wanted::Silent,
            }
        };
        At::new(value, node.at)
    }

    /// Records keys beside `unconfirmed`.
    fn guess(&mut self, node: &Node, key: &At<String>) {
        let Kind::Map(entries) = &node.kind else { return };
        for entry in entries.iter().filter(|entry| entry.key.value != UNCONFIRMED) {
            let name = shorten(&entry.key.value);
            self.add(entry.key.at, format!("unknown key `{name}` beside `{UNCONFIRMED}`"))
                .set_help(format!("put it inside: `{}: {{ {UNCONFIRMED}: {{ … }} }}`", key.value));
        }
    }

    /// Reads a duration; `zero` says whether a bare `0` has a meaning here.
    pub(crate) fn duration(&mut self, what: &str, node: &Node, zero: bool) -> Option<Duration> {
        let text = match &node.kind {
            Kind::Broken => return None,
            Kind::Scalar { text, .. } if !node.is_null() => text.trim(),
            _ => {
                self.add(node.at, format!("{what} must be a duration, not {}", describe(node)))
                    .set_help("write a number and a unit: `168h`");
                return None;
            }
        };
        if zero && text == "0" {
            return Some(Duration::ZERO);
        }
        match parse_duration(text) {
            Ok(duration) => Some(duration),
            Err(error) => {
                self.add(
                    node.at,
                    format!("{what} is not a duration: in `{}`, {}", shorten(text), error.reason),
                )
                .set_help(error.help);
                None
            }
        }
    }
}
