//! The filters over all findings. They work by the script alone, so without it they are not shown.

use std::collections::BTreeSet;

use super::Icon;
use super::chapter::{Chapter, Weight};
use super::encode::{Attribute, Number};
use crate::finding::Severity;
use crate::report::Report;

/// Writes the form; nothing where there is nothing to filter.
pub(super) fn write(out: &mut String, report: &Report, chapters: &[Chapter<'_>]) {
    if report.findings.is_empty() {
        return;
    }
    put!(out, "<form id=\"filters\" aria-label=\"Filter the findings\" hidden>\n");
    put!(out, "<fieldset><legend>Severity</legend>\n");
    for severity in Severity::ALL {
        let n = report.findings.iter().filter(|f| f.severity == severity).count() as u64;
        if n > 0 {
            put!(
                out,
                "<label class=\"chip {severity}\"><input type=\"checkbox\" name=\"severity\" value=\"{severity}\">{}{severity} \
                 <span>{}</span></label>\n",
                Icon(severity.as_str()),
                Number(n)
            );
        }
    }
    put!(out, "</fieldset>\n");
    let services: BTreeSet<&str> = chapters.iter().flat_map(|c| &c.seen).map(|t| t.service.raw()).collect();
    let targets: Vec<&str> = chapters.iter().map(|c| c.name.raw()).collect();
    let rules: BTreeSet<&str> = report.findings.iter().map(|f| f.rule.as_str()).collect();
    write_select(out, ("service", "Service", "all services"), services.into_iter());
    write_select(out, ("target", "Target", "all targets"), targets.into_iter());
    write_select(out, ("rule", "Rule", "all rules"), rules.into_iter());
    let weights: BTreeSet<Weight> = chapters.iter().flat_map(|c| &c.cards).map(|c| c.weight).collect();
    write_select(
        out,
        ("status", "Status", "any status"),
        weights.into_iter().map(Weight::as_str),
    );
    put!(
        out,
        "<label class=\"text\"><span>Text</span><input type=\"search\" name=\"text\" autocomplete=\"off\" \
         spellcheck=\"false\" placeholder=\"Search\"></label>\n<p id=\"count\" role=\"status\" aria-live=\"polite\"></p>\n<div \
         class=\"actions\"><button type=\"reset\">Clear</button><button type=\"button\" \
         id=\"open-all\">Open all</button><button type=\"button\" id=\"close-all\">Close all</button></div>\n</form>\n"
    );
}

fn write_select<'a>(
    out: &mut String,
    (name, title, all): (&str, &str, &str),
    values: impl ExactSizeIterator<Item = &'a str>,
) {
    let hidden = if values.len() < 2 { " hidden" } else { "" };
    put!(
        out,
        "<label class=\"pick\"{hidden}><span>{title}</span><select name=\"{name}\">"
    );
    put!(out, "<option value=\"\">{all}</option>");
    for value in values {
        put!(
            out,
            "<option value=\"{}\">{}</option>",
            Attribute(value),
            Attribute(value)
        );
    }
    put!(out, "</select></label>\n");
}
