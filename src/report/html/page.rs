//! The frame of a page, and the order of its parts.

use super::assets::{ICONS, SCRIPT, STYLE, policy};
use super::encode::Content;
use super::{chapter, excuses, filters, guide, headline, overview, target};
use crate::report::Report;

/// More findings than this are laid out only when they come into sight.
const MANY: usize = 200;

/// Renders a report as one HTML page. Equal reports give equal bytes.
pub fn render(report: &Report) -> String {
    let chapters = chapter::gather(report);
    let mut out = String::with_capacity(48 * 1024 + report.findings.len() * 2048);
    write_head(&mut out, &headline::outcome(report).0);
    put!(
        out,
        "<body>\n{ICONS}<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
    );
    headline::write(&mut out, report, &chapters);
    put!(out, "<main>\n");
    overview::write_unchecked(&mut out, &chapters);
    overview::write_table(&mut out, &chapters);
    let many = if report.findings.len() > MANY { " many" } else { "" };
    put!(
        out,
        "<section class=\"findings{many}\" id=\"findings\" aria-labelledby=\"h-findings\">\n<h2 id=\"h-findings\">Findings by \
         target</h2>\n"
    );
    filters::write(&mut out, report, &chapters);
    target::write_all(&mut out, &chapters);
    put!(out, "</section>\n");
    excuses::write(&mut out, report);
    guide::write_rules(&mut out, report);
    guide::write_words(&mut out);
    put!(
        out,
        "</main>\n<footer><p>The checker reads catalogs and changes nothing. No row of a ledger is in this report.</p>\
         </footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    out
}

fn write_head(out: &mut String, outcome: &str) {
    put!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{}\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{} · \
         seadrift</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n",
        policy(STYLE, SCRIPT),
        Content(outcome)
    );
}
