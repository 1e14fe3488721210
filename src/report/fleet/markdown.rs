//! The groups of a report in Markdown, and its findings with the targets that share them.

use std::collections::BTreeMap;

use super::alike::without_namespace;
use super::gather::{DriftGroup, Groups};
use super::text::{list, stand};
use crate::finding::Finding;
use crate::report::markdown::{Code, NOTE, Page, Prose, ROWS};
use crate::report::{Report, Status};
use crate::rules::Unconfirmed;
use crate::text::Text;

/// A finding, and the targets that have it.
pub(in crate::report) struct Entry<'a> {
    /// The finding.
    pub(in crate::report) finding: &'a Finding,
    /// The targets as code: a few names, and how many more.
    pub(in crate::report) targets: String,
    /// Whether what it says of the object is another for another target.
    pub(in crate::report) differs: bool,
}

/// Returns what was found, each drift once.
pub(in crate::report) fn entries<'a>(groups: &Groups<'a>) -> Vec<Entry<'a>> {
    let entry = |group: &DriftGroup<'a>| Entry {
        finding: group.first(),
        targets: names(group.names()),
        differs: !group.says_one_thing(),
    };
    groups.drifts.iter().map(entry).collect()
}

/// Writes how many targets stand where, and which they are.
pub(in crate::report) fn write_groups(groups: &Groups<'_>, page: &mut Page) {
    let rows = groups.standings.iter().take(ROWS).map(|group| {
        format!(
            "| {} | {} | {} | {} |\n",
            group.targets.len(),
            Code(&group.first().service),
            Prose(&stand(group, groups), NOTE),
            names(group.names())
        )
    });
    let head = "| targets | service | what holds for all of them | which |\n|--:|---|---|---|\n";
    page.push_rows(head, groups.standings.len(), rows, "\n");
}

/// Writes what could not be seen, and where.
pub(in crate::report) fn write_unchecked(groups: &Groups<'_>, page: &mut Page) {
    let unchecked = groups
        .standings
        .iter()
        .filter(|group| group.first().status != Status::Checked);
    let rows: Vec<String> = unchecked
        .flat_map(|group| {
            let target = super::text::generalize_if_many(group);
            let line = |gap: crate::report::Gap<'_>| {
                let (reason, help) = (Prose(gap.reason.raw(), NOTE), Prose(gap.help.raw(), NOTE));
                format!("- {}: {} {reason} {help}\n", names(group.names()), gap.sum_up())
            };
            target.gaps().into_iter().map(line).collect::<Vec<_>>()
        })
        .collect();
    page.push_rows(
        "#### Not checked\n\n",
        rows.len(),
        rows.iter().take(ROWS).cloned(),
        "\n",
    );
}

/// Returns the facts that the spec leaves open, each once, with the targets of which they are seen.
pub(in crate::report) fn open_facts(report: &Report) -> Vec<(&Unconfirmed, String)> {
    let mut facts: Vec<(&Unconfirmed, Vec<&Text>)> = Vec::new();
    let mut places = BTreeMap::new();
    for target in &report.targets {
        for open in &target.unconfirmed {
            let object = without_namespace(&open.object, target);
            let key = (&open.location, object, &open.found, &open.expected);
            let place = *places.entry(key).or_insert_with(|| {
                facts.push((open, Vec::new()));
                facts.len() - 1
            });
            facts[place].1.push(&target.name);
        }
    }
    let with_names = |(open, targets): (_, Vec<&Text>)| (open, names(targets.into_iter()));
    facts.into_iter().map(with_names).collect()
}

fn names<'a>(all: impl ExactSizeIterator<Item = &'a Text>) -> String {
    let (shown, rest) = list(all);
    let shown: Vec<String> = shown.into_iter().map(|name| Code(name).to_string()).collect();
    match rest {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}
