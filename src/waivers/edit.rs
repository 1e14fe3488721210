//! Adds and removes entries of a file of waivers as text, so that comments and the order of entries stay.

use std::fmt::Write as _;

use chrono::NaiveDate;

use super::{Waiver, WaiverFile, parse};
use crate::text::is_deceptive;
use crate::yaml::Problem;

/// The beginning of a new file.
const HEAD: &str = "version: 1\nwaivers:\n";

/// A new entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it excuses, by whom, why and until when.
    pub waiver: Waiver,
    /// The day on which it is written.
    pub created: NaiveDate,
}

/// Why a file could not be edited.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The list is written between brackets, where entries have no lines of their own.
    #[error("the waivers are written between brackets")]
    Brackets,
    /// The new text would not be a valid file.
    #[error("the file would not be valid any more")]
    Invalid(Vec<Problem>),
}

/// Returns the text of a file with an entry more; of a new file, if there is none.
///
/// # Errors
///
/// Fails if the list has no lines to add to, or if the entry is not valid.
pub fn add(file: Option<&WaiverFile>, name: &str, entry: &Entry) -> Result<String, EditError> {
    let mut text = match file {
        None => HEAD.to_owned(),
        Some(file) => room_for_more(file)?,
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    write_entry(&mut text, entry, file.and_then(indent).unwrap_or(2));
    check(name, &text, file.map_or(0, |file| file.waivers.len()) + 1)?;
    Ok(text)
}

/// Returns the text of a file without the entries of some names, and without the comments above them.
///
/// # Errors
///
/// Fails if the entries have no lines of their own.
pub fn prune(file: &WaiverFile, ids: &[&str]) -> Result<String, EditError> {
    let goes = |waiver: &&Waiver| ids.contains(&waiver.id.value.as_str());
    let left = file.waivers.len() - file.waivers.iter().filter(goes).count();
    let lines: Vec<&str> = file.text.split_inclusive('\n').collect();
    let starts = starts(file, &lines)?;
    let mut keep = vec![true; lines.len()];
    for (i, waiver) in file.waivers.iter().enumerate().filter(|(_, waiver)| goes(waiver)) {
        let from = head_of(&lines, starts[i]);
        let to = match starts.get(i + 1) {
            Some(&next) => head_of(&lines, next),
            None => end_of(&lines, starts[i]),
        };
        keep[from..to].fill(false);
        debug_assert!(!waiver.id.value.is_empty());
    }
    let kept = lines
        .iter()
        .zip(&keep)
        .filter(|(_, keep)| **keep)
        .map(|(line, _)| *line);
    let mut text: String = kept.collect();
    if left == 0 {
        text = text.replacen("\nwaivers:", "\nwaivers: []", 1);
    }
    check(&file.file, &text, left)?;
    Ok(text)
}

/// Returns a file's text with a list that an entry can be added to.
fn room_for_more(file: &WaiverFile) -> Result<String, EditError> {
    if !file.waivers.is_empty() {
        let lines: Vec<&str> = file.text.split_inclusive('\n').collect();
        starts(file, &lines)?;
        return Ok(file.text.trim_end().to_owned());
    }
    let line = file.text.lines().find(|line| line.starts_with("waivers:"));
    match line {
        Some(line) if line["waivers:".len()..].trim_start().starts_with("[]") => {
            Ok(file.text.replacen(line, "waivers:", 1).trim_end().to_owned())
        }
        _ => Err(EditError::Brackets),
    }
}

/// Returns the line, counted from 0, on which each entry starts.
fn starts(file: &WaiverFile, lines: &[&str]) -> Result<Vec<usize>, EditError> {
    let is_start = |line: &&str| line.trim_start().starts_with("- ");
    let mut from = 0;
    let mut starts = Vec::new();
    for waiver in &file.waivers {
        // An entry's name may stand on any of its lines.
        let at = (waiver.id.at.line as usize).saturating_sub(1);
        let own = lines.get(from..=at).unwrap_or_default();
        let Some(start) = own.iter().rposition(is_start) else {
            return Err(EditError::Brackets);
        };
        starts.push(from + start);
        from = at + 1;
    }
    Ok(starts)
}

/// Returns how far the dashes of a file's entries are indented.
fn indent(file: &WaiverFile) -> Option<usize> {
    let lines: Vec<&str> = file.text.split_inclusive('\n').collect();
    let first = *starts(file, &lines).ok()?.first()?;
    Some(lines[first].len() - lines[first].trim_start().len())
}

/// Returns the first of the comment lines right above an entry.
fn head_of(lines: &[&str], start: usize) -> usize {
    let comments = lines[..start]
        .iter()
        .rev()
        .take_while(|line| line.trim_start().starts_with('#'));
    start - comments.count()
}

/// Returns the line behind the last entry of a file: the first one that is not indented as its keys are.
fn end_of(lines: &[&str], start: usize) -> usize {
    let depth = lines[start].len() - lines[start].trim_start().len();
    let inside = |line: &&&str| {
        let trimmed = line.trim_start();
        trimmed.is_empty() || (line.len() - trimmed.len()) > depth
    };
    start + 1 + lines[start + 1..].iter().take_while(inside).count()
}

fn write_entry(text: &mut String, entry: &Entry, indent: usize) {
    let waiver = &entry.waiver;
    let created = entry.created.to_string();
    let expires = waiver.expires.to_string();
    let pairs = [
        ("id", Some(quote(&waiver.id.value))),
        ("rule", Some(quote(&waiver.rule))),
        ("target", Some(quote(&waiver.target))),
        ("object", Some(quote(&waiver.object))),
        ("found", waiver.found.as_deref().map(quote)),
        ("owner", Some(quote(&waiver.owner))),
        ("reason", Some(quote(&waiver.reason))),
        ("ticket", waiver.ticket.as_deref().map(quote)),
        ("created", Some(created)),
        ("expires", Some(expires)),
    ];
    let mut dash = "- ";
    for (key, value) in pairs {
        if let Some(value) = value {
            let _ = writeln!(text, "{:indent$}{dash}{key}: {value}", "");
            dash = "  ";
        }
    }
}

/// Writes a text as YAML reads it: plain where that is safe, else between quotes with escapes.
fn quote(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let is_word = text.chars().all(is_plain) && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let has_meaning = matches!(
        text.to_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "null"
    );
    if is_word && !has_meaning {
        return text.to_owned();
    }
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_deceptive(c) => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Makes sure that an edited text is a valid file with so many entries.
fn check(name: &str, text: &str, count: usize) -> Result<(), EditError> {
    match parse(name, text) {
        Ok(file) if file.waivers.len() == count => Ok(()),
        Ok(_) => Err(EditError::Brackets),
        Err(problems) => Err(EditError::Invalid(problems)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{At, Position};

    const FILE: &str = "# Reviewed by the data team.\nversion: 1\n\nwaivers:\n  # Widened in the next release.\n  \
        - id: W-1\n    rule: column-length\n    target: asset\n    object: public.T.EventType\n    found: varchar(100)\n    \
        owner: \"@team-assets\"\n    reason: the new length waits for a release\n    expires: 2026-12-31\n\n  \
        - rule: column-missing\n    id: W-2\n    target: asset\n    object: public.T.Outcome\n    owner: Ann\n    \
        reason: the column comes with the next release\n    expires: 2027-01-31\n";

    fn file() -> WaiverFile {
        parse("seadrift.waivers.yaml", FILE).unwrap()
    }

    fn entry(id: &str, found: &str) -> Entry {
        let at = Position {
            line: 1,
            column: 1,
            length: 1,
        };
        Entry {
            waiver: Waiver {
                id: At::new(id.to_owned(), at),
                rule: "column-default".to_owned(),
                target: "asset".to_owned(),
                object: "public.T.Outcome".to_owned(),
                found: Some(found.to_owned()),
                owner: "no".to_owned(),
                reason: "a colon: and a # sign, \"quoted\"".to_owned(),
                ticket: None,
                expires: NaiveDate::from_ymd_opt(2027, 2, 28).unwrap(),
            },
            created: NaiveDate::from_ymd_opt(2026, 11, 30).unwrap(),
        }
    }

    #[test]
    fn an_added_entry_reads_back_as_it_was_given_and_leaves_the_rest_alone() {
        for found in [
            "'a'",
            "null",
            "12",
            "x: y",
            "\u{1b}[2J\u{202e}",
            "- a",
            "",
            " b ",
            "Größe",
            "a\nb\tc\\",
        ] {
            let entry = entry("W-3", found);
            let text = add(Some(&file()), "f", &entry).unwrap();
            assert!(text.starts_with(FILE.trim_end()), "{text}");
            let read = parse("f", &text).unwrap();
            let mut last = read.waivers.last().unwrap().clone();
            last.id.at = entry.waiver.id.at;
            assert_eq!(last, entry.waiver);
            let text = add(None, "f", &entry).unwrap();
            assert_eq!(parse("f", &text).unwrap().waivers.len(), 1);
        }
    }

    #[test]
    fn an_entry_that_would_not_be_valid_is_not_added() {
        let error = add(Some(&file()), "f", &entry("W-1", "x")).unwrap_err();
        assert!(matches!(error, EditError::Invalid(_)), "{error:?}");
        let flow = "version: 1\nwaivers: [{ id: a, rule: column-type, target: t, object: o, owner: x, \
                    reason: a reason of some length, expires: 2026-12-31 }]\n";
        let flow = parse("f", flow).unwrap();
        assert!(matches!(
            add(Some(&flow), "f", &entry("b", "x")),
            Err(EditError::Brackets)
        ));
        assert!(matches!(prune(&flow, &["a"]), Err(EditError::Brackets)));
    }

    #[test]
    fn a_pruned_entry_takes_its_comment_with_it_and_nothing_else() {
        let file = file();
        let without_first = prune(&file, &["W-1"]).unwrap();
        assert!(without_first.starts_with("# Reviewed by the data team.\nversion: 1\n\nwaivers:\n"));
        assert!(!without_first.contains("Widened"), "{without_first}");
        assert_eq!(parse("f", &without_first).unwrap().waivers[0].id.value, "W-2");
        let without_second = prune(&file, &["W-2"]).unwrap();
        assert!(without_second.contains("Widened"), "{without_second}");
        assert_eq!(parse("f", &without_second).unwrap().waivers.len(), 1);
        let empty = prune(&file, &["W-1", "W-2"]).unwrap();
        let empty = parse("f", &empty).unwrap();
        assert_eq!(empty.waivers, []);
        let again = add(Some(&empty), "f", &entry("W-3", "x")).unwrap();
        assert_eq!(parse("f", &again).unwrap().waivers.len(), 1);
        assert!(again.starts_with("# Reviewed"), "{again}");
    }
}
