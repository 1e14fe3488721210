//! The section of one target: where it stands, what was not verified, its findings, and the evidence.

use std::io;

use super::chapter::{Chapter, Standing, Weight};
use super::difference::Differences;
use super::encode::{Attribute, Content, Number};
use super::finding::Surroundings;
use super::page::Sheet;
use super::{Icon, code, difference, evidence, finding};
use crate::dialect::Dialect;
use crate::finding::Severity;
use crate::report::format::Setting;
use crate::report::{Status, TargetReport};

/// So many findings of a target are in sight; the rest is folded.
const IN_SIGHT: usize = 500;
/// In a report with no more findings than this, the ones that count are open from the start.
const FEW: usize = 30;

/// Writes the sections of all targets, worst first.
pub(super) fn write_all(sheet: &mut Sheet<'_>, chapters: &[Chapter<'_>], setting: &Setting<'_>) -> io::Result<()> {
    let few = chapters.iter().map(|chapter| chapter.cards.len()).sum::<usize>() <= FEW;
    let mut chapters: Vec<&Chapter<'_>> = chapters.iter().collect();
    chapters.sort_by_key(|chapter| (chapter.standing(), std::cmp::Reverse(chapter.worst())));
    for chapter in chapters {
        write(sheet, chapter, few, setting)?;
    }
    Ok(())
}

fn write(sheet: &mut Sheet<'_>, chapter: &Chapter<'_>, few: bool, setting: &Setting<'_>) -> io::Result<()> {
    let out = &mut sheet.text;
    let id = &chapter.id;
    let name = chapter.name.raw();
    let services: Vec<&str> = chapter.seen.iter().map(|target| target.service.raw()).collect();
    put!(
        out,
        "<section class=\"target {}\" id=\"{id}\" data-target=\"{}\" data-service=\"{}\" aria-labelledby=\"h{id}\">\n",
        chapter.standing().as_str(),
        Attribute(name),
        Attribute(services.first().unwrap_or(&""))
    );
    put!(
        out,
        "<header><h3 id=\"h{id}\">{}</h3>\n<p class=\"standings\">{}</p>\n",
        Content(name),
        standing(chapter)
    );
    for target in &chapter.seen {
        put!(out, "<p class=\"where\">{}</p>\n", place(target));
    }
    put!(out, "</header>\n");
    for target in &chapter.seen {
        evidence::write_unverified(out, target);
    }
    let around = Surroundings {
        differences: Differences::of(chapter),
        setting,
    };
    write_cards(sheet, chapter, few, &around)?;
    let out = &mut sheet.text;
    difference::write(out, chapter);
    for target in &chapter.seen {
        evidence::write_open(out, target, setting);
        evidence::write(out, target);
    }
    put!(out, "</section>\n");
    sheet.pass()
}

fn write_cards(sheet: &mut Sheet<'_>, chapter: &Chapter<'_>, few: bool, around: &Surroundings<'_>) -> io::Result<()> {
    let (shown, folded) = chapter.cards.split_at(chapter.cards.len().min(IN_SIGHT));
    let open = |weight: Weight, severity: Severity| few && weight == Weight::Drift && severity >= Severity::Error;
    for card in shown {
        finding::write(&mut sheet.text, card, open(card.weight, card.finding.severity), around);
        sheet.pass()?;
    }
    if !folded.is_empty() {
        let count = Number(folded.len() as u64);
        put!(
            sheet.text,
            "<details class=\"more\"><summary>{count} more findings of this target</summary>\n"
        );
        for card in folded {
            finding::write(&mut sheet.text, card, false, around);
            sheet.pass()?;
        }
        put!(sheet.text, "</details>\n");
    }
    Ok(())
}

/// Says where a target stands.
fn standing(chapter: &Chapter<'_>) -> String {
    let standing = chapter.standing();
    let (class, icon) = chapter.look();
    let mut text = format!("<span class=\"standing {class}\">{}", Icon(icon));
    let counts = chapter.counts();
    match standing {
        Standing::Drifted | Standing::Lesser if !counts.is_empty() => put!(text, "{}</span>", counts.join(", ")),
        standing => put!(text, "{}</span>", standing.as_str()),
    }
    for excused in chapter.excused() {
        put!(text, " <span class=\"standing waived\">{excused}</span>");
    }
    if standing == Standing::Drifted && chapter.status() != Status::Checked {
        put!(
            text,
            " <span class=\"standing incomplete\">{}incomplete</span>",
            Icon("unseen")
        );
    }
    text
}

/// Says which database it is, as far as that is known.
fn place(target: &TargetReport) -> String {
    let mut parts = vec![format!("service {}", code(target.service.raw()))];
    parts.extend(server(target).map(|server| Content(&server).to_string()));
    for (word, name) in [("database", &target.database), ("namespace", &target.namespace)] {
        parts.extend(name.as_ref().map(|name| format!("{word} {}", code(name.raw()))));
    }
    let parts = parts.into_iter().map(|part| format!("<span>{part}</span>"));
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns `PostgreSQL 15.18`, as far as it is known.
pub(super) fn server(target: &TargetReport) -> Option<String> {
    let name = match target.dialect? {
        Dialect::Postgres => "PostgreSQL",
        Dialect::MySql => "MySQL",
        Dialect::MariaDb => "MariaDB",
        Dialect::Sqlite => "SQLite",
    };
    Some(match &target.server_version {
        Some(version) => format!("{name} {}", version.raw()),
        None => name.to_owned(),
    })
}
