//! The end of a page: the rules that fired, and what the words mean.

use std::collections::BTreeMap;

use super::Icon;
use super::encode::{Content, Number, Prose};
use super::finding::rule_id;
use super::sentence::{capitalise, stop};
use crate::finding::Severity;
use crate::report::Report;
use crate::rules;

/// Writes the table of rules; nothing where none fired.
pub(super) fn write_rules(out: &mut String, report: &Report) {
    let mut fired: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for finding in &report.findings {
        *fired.entry((&finding.code, &finding.rule)).or_insert(0) += 1;
    }
    if fired.is_empty() {
        return;
    }
    put!(
        out,
        "<section class=\"rules\" aria-labelledby=\"h-rules\">\n<h2 id=\"h-rules\">Rules that fired</h2>\n<p \
         class=\"note\"><code>seadrift explain RULE</code> tells why a rule exists and how to repair what it finds on each \
         database.</p>\n<div class=\"scroll\" role=\"group\" aria-labelledby=\"h-rules\" tabindex=\"0\"><table>\n<caption>\
         The rules of this report's findings</caption>\n<thead><tr><th scope=\"col\">Code</th><th scope=\"col\">Rule</th>\
         <th scope=\"col\">What is wrong</th><th scope=\"col\" class=\"n\">Findings</th></tr></thead>\n<tbody>\n"
    );
    let mut last = "";
    for ((code, rule), n) in fired {
        // A damaged result can have one rule under two codes.
        let id = if last == rule {
            String::new()
        } else {
            format!(" id=\"{}\"", rule_id(rule))
        };
        last = rule;
        let summary = rules::find(rule).map_or("", |rule| rule.summary);
        put!(
            out,
            "<tr{id}><td>{}</td><th scope=\"row\">{}</th>",
            Content(code),
            Content(rule)
        );
        put!(
            out,
            "<td>{}</td><td class=\"n\">{}</td></tr>\n",
            Prose(&stop(&capitalise(summary))),
            Number(n)
        );
    }
    put!(out, "</tbody></table></div>\n</section>\n");
}

/// Writes what the words mean.
pub(super) fn write_words(out: &mut String) {
    let severity = |severity: Severity| match severity {
        Severity::Critical => {
            "An event can be recorded twice, lost, refused or forgotten too early, or there is no usable table."
        }
        Severity::Error => "A fact that the spec states does not hold.",
        Severity::Warning => {
            "The fact holds in effect, the deviation is wider than the promise, or a risk cannot be proved."
        }
        Severity::Info => "Worth a line.",
    };
    let others = [
        (
            "unseen",
            "not verified",
            "The spec states the fact, and the checker could not see it. It neither holds nor fails.",
        ),
        (
            "open",
            "open fact",
            "The spec says that nobody knows it yet. The table shows what the database has.",
        ),
        (
            "waived",
            "waived",
            "A written exception excuses the finding until a day. It is shown, and does not count.",
        ),
        (
            "waived",
            "known",
            "The finding is in the baseline: it was there before. It is shown, and does not count.",
        ),
        ("clean", "clean", "Every fact that the spec states was seen, and holds."),
    ];
    let words = Severity::ALL.map(|s| (s.as_str(), s.as_str(), severity(s)));
    put!(
        out,
        "<section class=\"words\" aria-labelledby=\"h-words\">\n<h2 id=\"h-words\">Words</h2>\n<dl>\n"
    );
    for (icon, word, meaning) in words.into_iter().chain(others) {
        put!(
            out,
            "<div class=\"{icon}\"><dt>{}{word}</dt><dd>{meaning}</dd></div>\n",
            Icon(icon)
        );
    }
    put!(out, "</dl>\n</section>\n");
}
