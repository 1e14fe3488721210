//! The card of one finding.

use super::chapter::{Card, Weight};
use super::difference::Differences;
use super::encode::{Attribute, Content, Prose};
use super::sentence::{capitalise, stop};
use super::{Icon, code, pair, place};
use crate::finding::{Finding, Waived};
use crate::report::format::Setting;
use crate::report::layout::count;
use crate::report::prose::{Span, spans};

/// What the cards of a chapter share.
pub(super) struct Surroundings<'a> {
    /// Where spec and database differ.
    pub(super) differences: Differences<'a>,
    /// Where files are.
    pub(super) setting: &'a Setting<'a>,
}

/// Writes a card. It is one element that opens and closes without a script.
pub(super) fn write(out: &mut String, card: &Card<'_>, open: bool, around: &Surroundings<'_>) {
    let Card { finding, id, weight } = card;
    let severity = finding.severity;
    put!(
        out,
        "<article class=\"f {severity}{}\" id=\"{id}\" data-severity=\"{severity}\" data-rule=\"{}\" data-status=\"{}\">",
        if finding.is_open() { "" } else { " waived" },
        Attribute(&finding.rule),
        weight.as_str()
    );
    put!(out, "<details{}><summary>", if open { " open" } else { "" });
    write_summary(out, card);
    put!(out, "</summary>\n<dl>\n");
    write_values(out, finding);
    around.differences.write(out, &finding.object);
    if !finding.impact.raw().is_empty() {
        put!(
            out,
            "<div class=\"impact\"><dt>Why it matters</dt><dd>{}</dd></div>\n",
            Prose(finding.impact.raw())
        );
    }
    if !finding.help.raw().is_empty() {
        put!(
            out,
            "<div class=\"help\"><dt>What to do</dt><dd>{}</dd></div>\n",
            remedy(finding.help.raw())
        );
    }
    if let Some(waiver) = &finding.waiver {
        put!(
            out,
            "<div class=\"waiver\"><dt>Waived</dt><dd>{}</dd></div>\n",
            excuse(waiver)
        );
    }
    if let Some(lapse) = finding.lapse() {
        put!(
            out,
            "<div class=\"lapse\"><dt>Waiver</dt><dd>{}.</dd></div>\n",
            Prose(lapse.raw())
        );
    }
    if let Some(known) = &finding.baseline {
        put!(
            out,
            "<div class=\"known\"><dt>Known</dt><dd>first seen {}, ",
            Content(&known.first_seen)
        );
        put!(
            out,
            "{} before this run; it is in the baseline</dd></div>\n",
            days(known.age_days)
        );
    }
    put!(
        out,
        "<div class=\"place\"><dt>Place</dt><dd><span>{}</span> ",
        place(&finding.location, around.setting)
    );
    put!(
        out,
        "<span><a href=\"#{}\">rule {}</a></span> ",
        rule_id(&finding.rule),
        Content(&finding.rule)
    );
    put!(
        out,
        "<span><a href=\"#{id}\">link to this finding</a></span></dd></div>\n"
    );
    put!(out, "</dl></details></article>\n");
}

/// Returns the `id` of a rule in the guide.
pub(super) fn rule_id(rule: &str) -> String {
    format!("r-{}", super::encode::Anchor(rule))
}

fn write_summary(out: &mut String, card: &Card<'_>) {
    let finding = card.finding;
    let severity = finding.severity.as_str();
    put!(out, "<span class=\"sev\">{}{severity}</span> ", Icon(severity));
    put!(out, "<h4>{}</h4> ", Prose(&stop(&capitalise(finding.message.raw()))));
    put!(
        out,
        "<span class=\"sub\">{}<span>{} {}</span> <span>{} {}</span></span>",
        match card.weight {
            Weight::Waived => "<span>waived</span> ",
            Weight::Known => "<span>known</span> ",
            Weight::Drift | Weight::Lesser => "",
        },
        Content(&finding.code),
        Content(&finding.rule),
        finding.object.kind(),
        code(finding.object.dotted().raw())
    );
}

fn write_values(out: &mut String, finding: &Finding) {
    let raw = |text: &Option<crate::text::Text>| text.as_ref().map(|text| Content(text.raw()).to_string());
    let (expected, found) = match (&finding.expected, &finding.found) {
        (Some(expected), Some(found)) => {
            let (left, right) = pair::mark(expected.raw(), found.raw());
            (Some(left), Some(right))
        }
        (expected, found) => (raw(expected), raw(found)),
    };
    for (class, title, value) in [("expected", "Expected", expected), ("found", "Found", found)] {
        if let Some(value) = value {
            put!(
                out,
                "<div class=\"{class}\"><dt>{title}</dt><dd><code>{value}</code></dd></div>\n"
            );
        }
    }
}

/// Writes what to do. A statement stands in a block of its own, which the script gives a button to copy it.
fn remedy(help: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    let mut begun = true;
    for span in spans(help) {
        match span {
            Span::Code(sql) if sql.ends_with(';') => {
                let text = line.trim();
                if !text.is_empty() {
                    let colon = if text.ends_with(['.', ':', ';']) { "" } else { ":" };
                    put!(out, "<p>{text}{colon}</p>");
                }
                line.clear();
                begun = false;
                put!(
                    out,
                    "<figure class=\"sql\"><figcaption>Review before running</figcaption>"
                );
                put!(out, "<pre><code>{}</code></pre></figure>", Content(sql));
            }
            Span::Code(text) => put!(line, "{}", code(text)),
            // What is left of a sentence whose statement was moved out.
            Span::Words(text) if !begun => {
                begun = true;
                put!(line, "{}", Content(text.trim_start_matches(['.', ',', ';', ' '])));
            }
            Span::Words(text) => put!(line, "{}", Content(text)),
        }
    }
    let text = line.trim();
    if !text.is_empty() {
        put!(out, "<p>{text}</p>");
    }
    out
}

/// Writes the facts of a waiver, those that people ask for first in front.
fn excuse(waiver: &Waived) -> String {
    let left = match waiver.days_left {
        0 => "its last day".to_owned(),
        n => format!("{} left", days(n)),
    };
    let mut out = format!("<ul><li><span>Reason</span> {}</li>", Prose(waiver.reason.raw()));
    put!(out, "<li><span>Owner</span> {}</li>", Content(waiver.owner.raw()));
    put!(out, "<li><span>Until</span> {}, {left}</li>", Content(&waiver.expires));
    if let Some(ticket) = &waiver.ticket {
        put!(out, "<li><span>Ticket</span> {}</li>", linked(ticket.raw()));
    }
    put!(out, "<li><span>Waiver</span> {}</li></ul>", Content(waiver.id.raw()));
    out
}

/// Writes `1 day` or `2 days`.
pub(super) fn days(number: i64) -> String {
    count(number.unsigned_abs(), "day", "days")
}

/// Makes a link of an address on the web, and of nothing else. The address is what is shown.
pub(super) fn linked(text: &str) -> String {
    match text.starts_with("https://") && !text.contains(char::is_whitespace) {
        true => format!(
            "<a href=\"{}\" rel=\"noopener noreferrer\">{}</a>",
            Attribute(text),
            Content(text)
        ),
        false => Content(text).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_a_block_and_its_sentence_goes_on() {
        assert_eq!(
            remedy("Drop it and run `CREATE INDEX \"a\" ON b;` while `c` is off."),
            "<p>Drop it and run:</p><figure class=\"sql\"><figcaption>Review before running</figcaption><pre><code>CREATE \
             INDEX &quot;a&quot; ON b;</code></pre></figure><p>while <code>c</code> is off.</p>"
        );
        assert!(
            remedy("Run `A;`.").ends_with("</figure>"),
            "a lone full stop is dropped"
        );
        assert_eq!(remedy("Ask `a` first."), "<p>Ask <code>a</code> first.</p>");
        assert!(
            remedy("Run `DROP INDEX `I` ON `T`;`.").contains("<pre><code>DROP INDEX `I` ON `T`;</code></pre>"),
            "what is copied is the whole statement"
        );
    }

    #[test]
    fn a_waiver_says_why_and_until_when_first_and_links_to_the_web_only() {
        let mut waiver = Waived {
            id: "W-1".into(),
            owner: "@team<b>".into(),
            reason: "queued".into(),
            ticket: Some("https://tracker.example/1?a=\"b\"".into()),
            expires: "2026-02-01".to_owned(),
            days_left: 1,
        };
        assert_eq!(
            excuse(&waiver),
            "<ul><li><span>Reason</span> queued</li><li><span>Owner</span> @team&lt;b&gt;</li><li><span>Until</span> \
             2026-02-01, 1 day left</li><li><span>Ticket</span> <a href=\"https://tracker.example/1?a=&quot;b&quot;\" \
             rel=\"noopener noreferrer\">https://tracker.example/1?a=&quot;b&quot;</a></li><li><span>Waiver</span> W-1</li>\
             </ul>"
        );
        waiver.ticket = Some("javascript:alert(1)".into());
        assert!(excuse(&waiver).contains("<span>Ticket</span> javascript:alert(1)</li>"));
    }
}
