//! What is equal over the targets of a run: said once, with the targets that it holds for.

use std::collections::BTreeMap;

use super::Icon;
use super::chapter::Chapter;
use super::encode::{Content, Number, Prose};
use crate::report::fleet::{DriftGroup, Groups, StandingGroup};
use crate::report::{Report, Status};
use crate::text::Text;

/// Groups of so many targets have all of them in sight; of larger ones the first are, and the rest is folded.
const FEW: usize = 10;
const SOME: usize = 5;

/// So many drifts of a group are named; all of them are among the findings.
const WORST: usize = 5;

/// Writes a line for each group of targets that stand equally; nothing where the list of targets is as short. Returns
/// whether it has.
pub(super) fn write(out: &mut String, report: &Report, chapters: &[Chapter<'_>]) -> bool {
    let groups = crate::report::fleet::group(report);
    if !groups.are_shorter() {
        return false;
    }
    let ids: BTreeMap<&Text, &Chapter<'_>> = chapters.iter().map(|chapter| (chapter.name, chapter)).collect();
    put!(
        out,
        "<section class=\"equal\" aria-labelledby=\"h-equal\">\n<h2 id=\"h-equal\">What is equal</h2>\n\
         <div class=\"scroll\" role=\"group\" aria-labelledby=\"h-equal\" tabindex=\"0\">\n\
         <table class=\"list\">\n<caption>Targets that stand equally</caption>\n<thead><tr><th scope=\"col\" class=\"n\">\
         Targets</th><th scope=\"col\">Service</th><th scope=\"col\">What holds for all of them</th><th scope=\"col\">Which\
         </th></tr></thead>\n<tbody>\n"
    );
    for group in &groups.standings {
        put!(
            out,
            "<tr><td class=\"n\">{}</td><td>{}</td><td>",
            Number(group.targets.len() as u64),
            Content(group.first().service.raw())
        );
        write_standing(out, group, &groups, &ids);
        put!(out, "</td><td>");
        let links = group.names().filter_map(|name| ids.get(name));
        write_names(out, &links.map(|chapter| link(chapter)).collect::<Vec<_>>());
        put!(out, "</td></tr>\n");
    }
    put!(out, "</tbody></table>\n</div>\n</section>\n");
    true
}

/// Writes links to targets, the first of many in sight.
pub(super) fn write_names(out: &mut String, links: &[String]) {
    let shown = if links.len() <= FEW { links.len() } else { SOME };
    let (shown, folded) = links.split_at(shown);
    put!(out, "{}", shown.join(", "));
    if !folded.is_empty() {
        put!(
            out,
            " <details><summary>and {} more</summary>{}</details>",
            Number(folded.len() as u64),
            folded.join(", ")
        );
    }
}

/// Returns a link to a target's section.
pub(super) fn link(chapter: &Chapter<'_>) -> String {
    format!("<a href=\"#{}\">{}</a>", chapter.id, Content(chapter.name.raw()))
}

fn write_standing(
    out: &mut String,
    group: &StandingGroup<'_>,
    groups: &Groups<'_>,
    ids: &BTreeMap<&Text, &Chapter<'_>>,
) {
    let first = group.first();
    let drifts: Vec<&DriftGroup<'_>> = group.drifts.iter().map(|place| &groups.drifts[*place]).collect();
    let word = match first.status {
        Status::Checked => None,
        Status::Incomplete => Some("incomplete"),
        Status::Unreachable => Some("unreachable"),
    };
    if let Some(word) = word {
        let reason = crate::report::fleet::generalize_if_many(group).reason;
        put!(out, "<span class=\"standing {word}\">{}{word}</span>", Icon("unseen"));
        put!(
            out,
            " {}",
            reason.map_or(String::new(), |reason| Prose(reason.raw()).to_string())
        );
    } else if drifts.is_empty() {
        put!(
            out,
            "<span class=\"standing clean\">{}no findings</span>",
            Icon("clean")
        );
    }
    if drifts.is_empty() {
        return;
    }
    put!(out, "<ul>");
    for drift in drifts.iter().take(WORST) {
        put!(out, "<li>{}</li>", describe(drift, &first.name, ids));
    }
    if let Some(more) = drifts.len().checked_sub(WORST).filter(|more| *more > 0) {
        put!(out, "<li>and {} more, below</li>", Number(more as u64));
    }
    put!(out, "</ul>");
}

/// Says what drifted, with a link to the finding in one of the targets.
fn describe(drift: &DriftGroup<'_>, target: &Text, ids: &BTreeMap<&Text, &Chapter<'_>>) -> String {
    let finding = drift
        .findings
        .iter()
        .find(|finding| finding.target == *target)
        .unwrap_or(&drift.findings[0]);
    let card = ids
        .get(&finding.target)
        .and_then(|chapter| chapter.cards.iter().find(|card| std::ptr::eq(card.finding, *finding)));
    let severity = finding.severity.as_str();
    let excused = if finding.is_open() { "" } else { ", excused" };
    let rule = Content(&finding.rule);
    let rule = match card {
        Some(card) => format!("<a href=\"#{}\">{rule}</a>", card.id),
        None => rule.to_string(),
    };
    format!(
        "<span class=\"standing {severity}\">{}{severity}{excused}</span> {rule}: {}",
        Icon(severity),
        Prose(finding.message.raw())
    )
}
