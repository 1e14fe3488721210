//! Reads a file of waivers, with everything that is wrong on the way.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use chrono::NaiveDate;

use super::grammar::{BLOCKS, FILE, WAIVER};
use super::{Waiver, WaiverFile};
use crate::rules::RULES;
use crate::text::near_names;
use crate::yaml::{self, At, Fields, Kind, Node, Problem, Reader, describe, display_name, shorten};

/// A shorter reason explains nothing.
const SHORTEST_REASON: usize = 15;

/// Loads a file of waivers.
///
/// # Errors
///
/// Returns every problem of the file; a file that cannot be read is one problem.
pub fn load(path: &Path) -> Result<WaiverFile, Vec<Problem>> {
    let name = display_name(path);
    let text = yaml::read(
        path,
        &name,
        "so many exceptions are no exceptions; is this the right file?",
    )
    .map_err(|problem| vec![*problem])?;
    parse(&name, &text)
}

/// Parses the text of a file of waivers; `name` is the file as problems name it.
///
/// # Errors
///
/// Returns every problem of the text, in the order of their places.
pub fn parse(name: &str, text: &str) -> Result<WaiverFile, Vec<Problem>> {
    let (tree, problems) = yaml::parse_text(name, text)?;
    let mut reader = Reader {
        problems,
        blocks: &BLOCKS,
    };
    let waivers = read_file(&mut reader, &tree);
    match waivers {
        Some(waivers) if reader.problems.is_empty() => Ok(WaiverFile {
            file: name.to_owned(),
            text: Arc::clone(reader.problems.source.text()),
            waivers,
        }),
        _ => Err(reader.problems.finish()),
    }
}

fn read_file(reader: &mut Reader, tree: &Node) -> Option<Vec<Waiver>> {
    let fields = reader.fields(tree, &FILE, "the file", tree.at)?;
    if let Some(entry) = fields.get("version") {
        reader.version(&entry.value);
    }
    let list = &fields.get("waivers")?.value;
    let items = match &list.kind {
        Kind::List(items) => items,
        Kind::Broken => return None,
        _ => {
            let message = format!("`waivers` must be a list, not {}", describe(list));
            reader
                .add(list.at, message)
                .set_help("write `waivers: []` if there is none");
            return None;
        }
    };
    let waivers: Vec<Waiver> = items.iter().filter_map(|item| read_waiver(reader, item)).collect();
    refuse_doubles(reader, &waivers);
    Some(waivers)
}

fn read_waiver(reader: &mut Reader, node: &Node) -> Option<Waiver> {
    let fields = reader.fields(node, &WAIVER, "a waiver", node.at)?;
    let mut text = |key: &str| {
        let entry = fields.get(key)?;
        let value = reader.text(&format!("`{key}`"), &entry.value)?;
        Some(At::new(value, entry.value.at))
    };
    let id = text("id");
    let rule = text("rule");
    let target = text("target");
    let object = text("object");
    let owner = text("owner");
    let reason = text("reason");
    let ticket = text("ticket");
    let found = fields
        .get("found")
        .and_then(|entry| reader.name("`found`", &entry.value));
    let created = read_date(reader, &fields, "created");
    let expires = read_date(reader, &fields, "expires");
    check_rule(reader, rule.as_ref());
    refuse_pattern(reader, "target", target.as_ref());
    refuse_pattern(reader, "object", object.as_ref());
    check_reason(reader, reason.as_ref());
    if let (Some(created), Some(expires)) = (&created, &expires)
        && expires.value < created.value
    {
        reader.add(expires.at, "the waiver expires before it was created".to_owned());
    }
    Some(Waiver {
        id: id?,
        rule: rule?.value,
        target: target?.value,
        object: object?.value,
        found,
        owner: owner?.value,
        reason: reason?.value,
        ticket: ticket.map(|ticket| ticket.value),
        expires: expires?.value,
    })
}

fn read_date(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<At<NaiveDate>> {
    let entry = fields.get(key)?;
    let date = reader.date(&format!("`{key}`"), &entry.value)?;
    Some(At::new(date, entry.value.at))
}

fn check_rule(reader: &mut Reader, rule: Option<&At<String>>) {
    let Some(rule) = rule.filter(|rule| !RULES.iter().any(|known| known.name == rule.value)) else {
        return;
    };
    let word = shorten(&rule.value);
    let help = if let Some(known) = RULES.iter().find(|known| known.code == rule.value) {
        format!("write the rule's name: `{}`", known.name)
    } else if is_pattern(&rule.value) {
        "write one waiver for each rule".to_owned()
    } else {
        match near_names(&word, RULES.iter().map(|rule| rule.name)).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`seadrift rules` lists them".to_owned(),
        }
    };
    reader.add(rule.at, format!("there is no rule `{word}`")).set_help(help);
}

/// Refuses what is meant to match more than it names. A star can be part of a name, but hardly at its end.
fn refuse_pattern(reader: &mut Reader, key: &str, value: Option<&At<String>>) {
    if let Some(value) = value.filter(|value| is_pattern(&value.value)) {
        reader
            .add(value.at, format!("`{key}` is a pattern: `{}`", shorten(&value.value)))
            .set_help(
                "a waiver excuses what it names and nothing else: write one for each finding, as the report prints it",
            );
    }
}

fn is_pattern(value: &str) -> bool {
    value.ends_with('*') || value.starts_with('*') || value.contains("*/") || value.contains(".*")
}

fn check_reason(reader: &mut Reader, reason: Option<&At<String>>) {
    let Some(reason) = reason else { return };
    let is_short = reason.value.trim().chars().count() < SHORTEST_REASON;
    let words = reason.value.to_lowercase();
    if is_short || words.starts_with("todo") || words.starts_with("fixme") {
        reader
            .add(reason.at, "`reason` explains nothing".to_owned())
            .set_help(format!(
                "say why the drift may stay for now, in {SHORTEST_REASON} characters or more"
            ));
    }
}

/// Refuses two waivers of one name, and two for the same value.
fn refuse_doubles(reader: &mut Reader, waivers: &[Waiver]) {
    let mut ids = BTreeMap::new();
    let mut scopes = BTreeMap::new();
    for waiver in waivers {
        let at = waiver.id.at;
        if let Some(first) = ids.insert(waiver.id.value.as_str(), at) {
            let message = format!("a second waiver `{}`", shorten(&waiver.id.value));
            reader.problems.add_pair(at, message, first, "the first one");
        }
        let scope = (&waiver.rule, &waiver.target, &waiver.object, &waiver.found);
        if let Some(first) = scopes.insert(scope, at) {
            let message = format!("`{}` excuses what another waiver excuses", shorten(&waiver.id.value));
            reader
                .problems
                .add_pair(at, message, first, "the other one")
                .set_help("keep one of the two");
        }
    }
}
