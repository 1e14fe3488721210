//! What was not checked, and the table of services and where they run.

use std::collections::{BTreeMap, BTreeSet};

use super::chapter::{Chapter, Standing};
use super::encode::{Content, Number, Prose};
use super::sentence::stop;
use super::target::server;
use super::{Icon, fleet};
use crate::report::layout::count;
use crate::report::{Gap, Status, TargetReport};

/// More columns than this are wider than a screen.
const MOST_PLACES: usize = 8;

/// A longer list of targets is between a reader and the findings.
const MANY: usize = 25;

/// Writes the list of targets that were not, or not fully, checked; nothing where all were.
pub(super) fn write_unchecked(out: &mut String, chapters: &[Chapter<'_>]) {
    let unchecked: Vec<&Chapter<'_>> = chapters.iter().filter(|c| c.status() != Status::Checked).collect();
    if unchecked.is_empty() {
        return;
    }
    put!(
        out,
        "<section class=\"unchecked\" id=\"not-checked\" aria-labelledby=\"h-not-checked\">\n\
         <h2 id=\"h-not-checked\">Not checked</h2>\n<p class=\"note\">Nothing is known of what follows, and none of it \
         is taken for clean.</p>\n<ul>\n"
    );
    // What stood in the way of many is said once.
    let mut groups: Vec<((&str, String), Vec<String>)> = Vec::new();
    let mut places: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for chapter in unchecked {
        let word = match chapter.status() {
            Status::Unreachable => "unreachable",
            _ => "incomplete",
        };
        let key = (word, why(chapter));
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(fleet::link(chapter));
    }
    for ((word, why), links) in groups {
        put!(out, "<li><b class=\"word\">{}{word}</b> ", Icon("unseen"));
        match &links[..] {
            [link] => put!(out, "{link}"),
            links => {
                put!(out, "<span>{} targets: ", Number(links.len() as u64));
                fleet::write_names(out, links);
                put!(out, "</span>");
            }
        }
        put!(out, "\n<p>{why}</p></li>\n");
    }
    put!(out, "</ul>\n</section>\n");
}

/// Says why a target was not fully checked, and what to do if it was one thing.
fn why(chapter: &Chapter<'_>) -> String {
    let gaps: Vec<Gap<'_>> = chapter.seen.iter().flat_map(|target| target.gaps()).collect();
    let facts = count(
        chapter.unverified().count() as u64,
        "fact of the spec",
        "facts of the spec",
    );
    match (&gaps[..], chapter.seen.iter().find_map(|target| target.reason.as_ref())) {
        ([], None) => "The result says nothing of this target.".to_owned(),
        ([], Some(reason)) => Prose(reason.raw()).to_string(),
        ([gap, ..], Some(_)) => format!("{} {}", Prose(gap.reason.raw()), Prose(gap.help.raw())),
        ([gap], None) => format!(
            "{facts} could not be seen: {} {}",
            Prose(&stop(gap.reason.raw())),
            Prose(gap.help.raw())
        ),
        (gaps, None) => format!(
            "{facts} could not be seen, for {} reasons; its section has them.",
            gaps.len()
        ),
    }
}

/// Writes the table: services down, places across, where the names of the targets have places in them, and a line per
/// target otherwise. A long list is folded where it `is_summed_up`.
pub(super) fn write_table(out: &mut String, chapters: &[Chapter<'_>], is_summed_up: bool) {
    put!(
        out,
        "<section class=\"overview\" aria-labelledby=\"h-overview\">\n<h2 id=\"h-overview\">Services and targets</h2>\n"
    );
    let entries: Vec<Entry<'_, '_>> = chapters
        .iter()
        .flat_map(|chapter| chapter.seen.iter().map(move |target| Entry { chapter, target }))
        .collect();
    let services = distinct(entries.iter().map(|e| e.target.service.raw().to_owned()));
    let places = distinct(entries.iter().map(Entry::place));
    let is_dense = entries.len() * 2 > services.len() * places.len();
    let is_matrix = services.len() > 1 && (2..=MOST_PLACES).contains(&places.len()) && is_dense;
    let is_folded = is_summed_up && !is_matrix && entries.len() > MANY;
    if is_folded {
        let number = Number(entries.len() as u64);
        put!(out, "<details><summary>all {number} targets</summary>\n");
    }
    put!(
        out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"h-overview\" tabindex=\"0\">\n"
    );
    match is_matrix {
        true => write_matrix(out, &entries, &services, &places),
        false => write_list(out, &entries),
    }
    put!(
        out,
        "</div>\n{}</section>\n",
        if is_folded { "</details>\n" } else { "" }
    );
}

struct Entry<'a, 'r> {
    chapter: &'a Chapter<'r>,
    target: &'r TargetReport,
}

impl Entry<'_, '_> {
    /// Returns the target's name without the service's: `prod` of `prod/notification`.
    fn place(&self) -> String {
        let (name, service) = (self.target.name.raw(), self.target.service.raw());
        let parts: Vec<&str> = name.split('/').filter(|part| *part != service).collect();
        parts.join("/")
    }
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    names.filter(|name| known.insert(name.clone())).collect()
}

fn write_matrix(out: &mut String, entries: &[Entry<'_, '_>], services: &[String], places: &[String]) {
    put!(
        out,
        "<table class=\"matrix\">\n<caption>Where each service stands in each place</caption>\n<thead><tr>"
    );
    put!(out, "<th scope=\"col\">Service</th>");
    for place in places {
        let place = if place.is_empty() { "(no place)" } else { place };
        put!(out, "<th scope=\"col\">{}</th>", Content(place));
    }
    put!(out, "</tr></thead>\n<tbody>\n");
    let mut cells: BTreeMap<(&str, String), Vec<&Entry<'_, '_>>> = BTreeMap::new();
    for entry in entries {
        let cell = (entry.target.service.raw(), entry.place());
        cells.entry(cell).or_default().push(entry);
    }
    for service in services {
        put!(out, "<tr><th scope=\"row\">{}</th>", Content(service));
        for place in places {
            let mut cell = String::new();
            for entry in cells.get(&(service, place.clone())).into_iter().flatten() {
                write_standing(&mut cell, entry);
                put!(cell, " <span class=\"counts\">{}</span>", Content(&counts(entry)));
            }
            match cell.is_empty() {
                true => put!(out, "<td class=\"none\">no target</td>"),
                false => put!(out, "<td>{cell}</td>"),
            }
        }
        put!(out, "</tr>\n");
    }
    put!(out, "</tbody></table>\n");
}

fn write_list(out: &mut String, entries: &[Entry<'_, '_>]) {
    put!(
        out,
        "<table class=\"matrix list\">\n<caption>Where each target stands</caption>\n<thead><tr><th scope=\"col\">Target\
         </th><th scope=\"col\">Service</th><th scope=\"col\">Server</th><th scope=\"col\">Outcome</th><th \
         scope=\"col\">Findings</th></tr></thead>\n<tbody>\n"
    );
    for entry in entries {
        let target = entry.target;
        put!(out, "<tr><th scope=\"row\">{}</th>", Content(target.name.raw()));
        put!(out, "<td>{}</td>", Content(target.service.raw()));
        put!(
            out,
            "<td>{}</td><td>",
            Content(&server(target).unwrap_or_else(|| "not known".to_owned()))
        );
        write_standing(out, entry);
        put!(out, "</td><td class=\"counts\">{}</td></tr>\n", Content(&counts(entry)));
    }
    put!(out, "</tbody></table>\n");
}

/// Writes the outcome of a target as a link to its section; a drifted one that was not fully checked says both.
fn write_standing(out: &mut String, entry: &Entry<'_, '_>) {
    let standing = entry.chapter.standing();
    let id = &entry.chapter.id;
    let (class, icon) = entry.chapter.look();
    let word = match standing {
        Standing::Lesser => "no drift that counts",
        standing => standing.as_str(),
    };
    put!(
        out,
        "<a class=\"standing {class}\" href=\"#{id}\">{}{word}</a>",
        Icon(icon)
    );
    if standing == Standing::Drifted && entry.chapter.status() != Status::Checked {
        let word = match entry.chapter.status() {
            Status::Unreachable => "unreachable",
            _ => "incomplete",
        };
        put!(
            out,
            " <a class=\"standing {word}\" href=\"#{id}\">{}{word}</a>",
            Icon("unseen")
        );
    }
}

/// Returns `1 critical, 2 errors, 3 not verified`.
fn counts(entry: &Entry<'_, '_>) -> String {
    let mut parts = entry.chapter.counts();
    parts.extend(entry.chapter.excused());
    match entry.chapter.unverified().count() {
        0 => {}
        n => parts.push(format!("{n} not verified")),
    }
    match parts.is_empty() {
        true => "no findings".to_owned(),
        false => parts.join(", "),
    }
}
