//! The waivers that are about this run's targets, and what the baseline did.

use super::encode::{Content, Number, Prose};
use super::finding::{days, linked};
use super::sentence::{capitalise, stop};
use super::{Icon, code, place};
use crate::report::format::Setting;
use crate::report::{BaselineReport, Report, WaiverReport, WaiverState};

/// Writes the section; nothing where there is neither a waiver nor a baseline.
pub(super) fn write(out: &mut String, report: &Report, setting: &Setting<'_>) {
    if report.waivers.is_empty() && report.baseline.is_none() {
        return;
    }
    put!(
        out,
        "<section class=\"excuses\" id=\"excuses\" aria-labelledby=\"h-excuses\">\n<h2 id=\"h-excuses\">Waivers and \
         baseline</h2>\n"
    );
    if let Some(baseline) = &report.baseline {
        put!(out, "<p class=\"note\">{}</p>\n", tell(baseline));
    }
    if !report.waivers.is_empty() {
        put!(
            out,
            "<div class=\"scroll\" role=\"group\" aria-labelledby=\"h-excuses\" tabindex=\"0\"><table>\n<caption>The \
             waivers of these targets</caption>\n<thead><tr><th scope=\"col\">State</th><th scope=\"col\">Waiver</th><th \
             scope=\"col\">Excuses</th><th scope=\"col\">Owner</th><th scope=\"col\">Until</th><th scope=\"col\">Reason\
             </th></tr></thead>\n<tbody>\n"
        );
        for waiver in &report.waivers {
            write_row(out, waiver, setting);
        }
        put!(out, "</tbody></table></div>\n");
    }
    put!(out, "</section>\n");
}

fn write_row(out: &mut String, report: &WaiverReport, setting: &Setting<'_>) {
    let waiver = &report.waiver;
    let (class, icon) = match report.state {
        WaiverState::Active => ("waived", "waived"),
        WaiverState::Expiring => ("warning", "warning"),
        WaiverState::Expired | WaiverState::Stale | WaiverState::Invalid => ("error", "error"),
    };
    let state = report.state.as_str();
    put!(
        out,
        "<tr><td><span class=\"standing {class}\">{}{state}</span></td>",
        Icon(icon)
    );
    put!(
        out,
        "<th scope=\"row\">{}<span class=\"counts\">{}</span></th>",
        Content(waiver.id.raw()),
        place(&report.location, setting)
    );
    put!(
        out,
        "<td>{} of {} ",
        Content(report.rule.raw()),
        code(report.object.raw())
    );
    put!(out, "in {}", Content(report.target.raw()));
    if let Some(found) = &report.found {
        put!(out, ", found {}", code(found.raw()));
    }
    if let Some(note) = &report.note {
        put!(
            out,
            "<span class=\"counts\">{}</span>",
            Prose(&stop(&capitalise(note.raw())))
        );
    }
    put!(out, "</td><td>{}</td>", Content(waiver.owner.raw()));
    let left = match waiver.days_left {
        0 => "its last day".to_owned(),
        n if n < 0 => format!("{} over", days(n)),
        n => format!("{} left", days(n)),
    };
    put!(
        out,
        "<td class=\"date\">{}<span class=\"counts\">{left}</span></td>",
        Content(&waiver.expires)
    );
    put!(out, "<td>{}", Prose(waiver.reason.raw()));
    if let Some(ticket) = &waiver.ticket {
        put!(out, " {}", linked(ticket.raw()));
    }
    put!(out, "</td></tr>\n");
}

/// Says what the baseline did.
fn tell(baseline: &BaselineReport) -> String {
    let gone = match baseline.gone {
        0 => String::new(),
        1 => " 1 of its entries is gone; <code>seadrift baseline prune</code> takes it out.".to_owned(),
        n => format!(
            " {} of its entries are gone; <code>seadrift baseline prune</code> takes them out.",
            Number(n)
        ),
    };
    format!(
        "The baseline {} of {} holds {} of the findings; {} are new or worse.{gone}",
        code(&baseline.file),
        Content(&baseline.created),
        Number(baseline.known),
        Number(baseline.new)
    )
}
