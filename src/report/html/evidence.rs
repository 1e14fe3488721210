//! What was read of a target, what was not, and what its spec leaves open.

use super::encode::{Content, Prose};
use super::sentence::{capitalise, stop};
use super::{Icon, code, place};
use crate::report::format::Setting;
use crate::report::layout::count;
use crate::report::model::Coverage;
use crate::report::{Gap, TargetReport};
use crate::rules::Unconfirmed;
use crate::schema::{Aspect, ObjectPath};

/// Writes the facts that could not be seen: those of the spec, and risks that no fact depends on.
pub(super) fn write_unverified(out: &mut String, target: &TargetReport) {
    write_unseen(out, "unseen", "not verified", &target.gaps());
    write_unseen(out, "unseen risk", "risk", &target.risks());
}

/// Lists facts; those with the same reason share it.
fn write_unseen(out: &mut String, class: &str, title: &str, gaps: &[Gap<'_>]) {
    if gaps.is_empty() {
        return;
    }
    put!(
        out,
        "<div class=\"part {class}\"><h4>{}{title}</h4>\n<div>",
        Icon("unseen")
    );
    for gap in gaps {
        put!(out, "<ul>");
        for object in &gap.facts {
            put!(out, "<li>{}</li>", fact(object));
        }
        put!(
            out,
            "</ul>\n<p>{} {}</p>\n",
            Prose(&stop(&capitalise(gap.reason.raw()))),
            Prose(gap.help.raw())
        );
    }
    put!(out, "</div></div>\n");
}

/// Names a fact; the object alone where all of it is meant.
fn fact(object: &ObjectPath) -> String {
    let name = format!("{} {}", object.kind(), code(object.dotted().raw()));
    match object.aspect.filter(|aspect| *aspect != Aspect::Target) {
        Some(aspect) => format!("{} of {name}", words(aspect)),
        None => name,
    }
}

fn words(aspect: Aspect) -> String {
    aspect.as_str().replace('-', " ")
}

/// Writes the table of open facts.
pub(super) fn write_open(out: &mut String, target: &TargetReport, setting: &Setting<'_>) {
    if target.unconfirmed.is_empty() {
        return;
    }
    put!(
        out,
        "<div class=\"part open\"><h4>{}open facts</h4>\n<div class=\"scroll\" role=\"group\" aria-label=\"Open facts\" \
         tabindex=\"0\"><table>\n<caption>Facts that the spec leaves unconfirmed</caption>\n<thead><tr><th scope=\"col\">Object</th><th scope=\"col\">Fact</th>\
         <th scope=\"col\">Spec guesses</th><th scope=\"col\">Database shows</th><th scope=\"col\">In the spec</th></tr></thead>\n",
        Icon("open")
    );
    let table = |open: &Unconfirmed| open.object.of_table();
    for facts in target.unconfirmed.chunk_by(|a, b| table(a) == table(b)) {
        put!(
            out,
            "<tbody><tr><th scope=\"rowgroup\" colspan=\"5\">{}</th></tr>\n",
            code(table(&facts[0]).dotted().raw())
        );
        for open in facts {
            write_row(out, open, setting);
        }
        put!(out, "</tbody>");
    }
    put!(out, "</table></div></div>\n");
}

fn write_row(out: &mut String, open: &Unconfirmed, setting: &Setting<'_>) {
    let guess = open
        .expected
        .as_ref()
        .map_or_else(|| "nothing".to_owned(), |guess| code(guess.raw()));
    let aspect = open.object.aspect.map(words).unwrap_or_default();
    let name = open.object.part.as_ref();
    put!(
        out,
        "<tr><th scope=\"row\">{}</th><td>{aspect}</td>",
        name.map_or_else(|| "the table".to_owned(), |part| code(part.name()))
    );
    put!(
        out,
        "<td>{guess}</td><td>{}</td><td>{}</td></tr>\n",
        code(open.found.raw()),
        place(&open.location, setting)
    );
}

/// Writes what was read, and how.
pub(super) fn write(out: &mut String, target: &TargetReport) {
    put!(out, "<div class=\"part evidence\"><h4>evidence</h4>\n<div>");
    for note in &target.notes {
        put!(out, "<p class=\"remark\">{}</p>\n", Prose(note.raw()));
    }
    put!(out, "<p>{}.", capitalise(&read(&target.coverage)));
    if !target.settings.is_empty() {
        put!(out, " The session, as the server told it:");
        for (i, (name, value)) in target.settings.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            put!(out, "{comma} <code>{} = {}</code>", Content(name), Content(value.raw()));
        }
        put!(out, ".");
    }
    put!(out, "</p></div></div>\n");
}

/// Says in words what was read.
fn read(coverage: &Coverage) -> String {
    if *coverage == Coverage::default() {
        return "nothing was read".to_owned();
    }
    let statements = count(coverage.queries, "statement", "statements");
    if coverage.tables == 0 {
        return format!("none of the wanted tables was read in {statements}");
    }
    let parts = [
        (coverage.tables, "table", "tables"),
        (coverage.columns, "column", "columns"),
        (coverage.indexes, "index", "indexes"),
        (coverage.constraints, "constraint", "constraints"),
        (coverage.retention_jobs, "retention job", "retention jobs"),
    ];
    let parts: Vec<String> = parts.into_iter().map(|(n, one, many)| count(n, one, many)).collect();
    format!("{} read in {statements}", parts.join(", "))
}
