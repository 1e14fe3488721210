//! The frame of a page, and the order of its parts.

use std::io;

use super::assets::{ICONS, SCRIPT, STYLE, policy};
use super::encode::Content;
use super::{chapter, excuses, filters, fleet, guide, headline, overview, target};
use crate::report::Report;
use crate::report::format::Setting;

/// More findings than this are laid out only when they come into sight.
const MANY: usize = 200;

/// What was made of a page and is not written yet.
pub(super) struct Sheet<'a> {
    /// The text.
    pub(super) text: String,
    out: &'a mut dyn io::Write,
}

impl Sheet<'_> {
    /// Writes what was made so far, if it is worth a write.
    pub(super) fn pass(&mut self) -> io::Result<()> {
        /// As much as a pipe takes at once.
        const WORTH: usize = 64 * 1024;
        match self.text.len() < WORTH {
            true => Ok(()),
            false => self.empty(),
        }
    }

    fn empty(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

/// Writes a report as one HTML page, piece by piece. Equal reports give equal bytes.
pub(in crate::report) fn write(report: &Report, setting: &Setting<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let chapters = chapter::gather(report);
    let mut sheet = Sheet {
        text: String::new(),
        out,
    };
    let out = &mut sheet.text;
    write_head(out, &headline::outcome(report).0);
    put!(
        out,
        "<body>\n{ICONS}<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
    );
    headline::write(out, report, &chapters);
    put!(out, "<main>\n");
    overview::write_unchecked(out, &chapters);
    let is_summed_up = fleet::write(out, report, &chapters);
    overview::write_table(out, &chapters, is_summed_up);
    let many = if report.findings.len() > MANY { " many" } else { "" };
    put!(
        out,
        "<section class=\"findings{many}\" id=\"findings\" aria-labelledby=\"h-findings\">\n<h2 id=\"h-findings\">Findings by \
         target</h2>\n"
    );
    filters::write(out, report, &chapters);
    target::write_all(&mut sheet, &chapters, setting)?;
    let out = &mut sheet.text;
    put!(out, "</section>\n");
    excuses::write(out, report, setting);
    guide::write_rules(out, report);
    guide::write_words(out);
    put!(
        out,
        "</main>\n<footer><p>The checker reads catalogs and changes nothing. No row of a ledger is in this report.</p>\
         </footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    );
    sheet.empty()
}

/// Renders a report as one HTML page, without links to the web.
pub fn render(report: &Report) -> String {
    let mut page = Vec::new();
    // A vector takes everything, and everything in it is text.
    let _ = write(report, &Setting::default(), &mut page);
    String::from_utf8(page).unwrap_or_default()
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
