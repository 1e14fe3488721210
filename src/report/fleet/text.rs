//! The report of many targets for people at a terminal: nothing twice, and the groups last, where the eye is.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use super::alike::{generalize, without_namespace};
use super::gather::{DriftGroup, Groups, StandingGroup};
use crate::finding::{Finding, Severity};
use crate::report::layout::{Look, columns, count, wrap};
use crate::report::text::{self, encode, server};
use crate::report::{Report, Status, TargetReport, excuse, verdict};
use crate::text::{Terminal, Text};

/// Groups of so many targets have all of them named; of larger ones [`SOME`] are.
const FEW: usize = 10;
const SOME: usize = 5;

/// So many drifts of a group of targets are named in the overview.
const DRIFTS: usize = 3;

/// Renders the pieces of a report and hands each out.
pub(in crate::report) fn hand_out(
    report: &Report,
    groups: &Groups<'_>,
    look: &Look,
    take: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = String::new();
    for group in groups.drifts.iter().filter(|group| group.first().is_open()) {
        write_drift(&mut out, group, report, look);
        take(&out)?;
        out.clear();
    }
    if look.quiet {
        for group in &groups.standings {
            let target = generalize_if_many(group);
            text::write_reason(&mut out, &target, &names(group.names(), look), look);
        }
    } else {
        write_excused(&mut out, groups, look);
        for section in sections(&report.targets, server, text::write_seen) {
            write_section(&mut out, &section, look);
            out.push('\n');
            take(&out)?;
            out.clear();
        }
        write_open(&mut out, report, look);
        write_notes(&mut out, report, look);
        text::write_pointer(&mut out, report, look);
        excuse::write_section(&mut out, report, look);
        match groups.are_shorter() {
            true => write_overview(&mut out, groups, look),
            false => text::write_summary(&mut out, report, look),
        }
        out.push('\n');
    }
    out.push_str(&verdict::render(report, look));
    take(&out)
}

/// Names the targets of a group, as many as a person reads.
pub fn name_some<'a>(names: impl ExactSizeIterator<Item = &'a Text>) -> String {
    self::names(names, &Look::default())
}

/// Lists the names of a group's targets, as many as a person reads.
pub(in crate::report) fn list<'a>(names: impl ExactSizeIterator<Item = &'a Text>) -> (Vec<&'a Text>, usize) {
    let all = names.len();
    let shown = if all <= FEW { all } else { SOME };
    (names.take(shown).collect(), all - shown)
}

fn names<'a>(all: impl ExactSizeIterator<Item = &'a Text>, look: &Look) -> String {
    let (shown, rest) = if look.verbose { (all.collect(), 0) } else { list(all) };
    let shown: Vec<String> = shown.into_iter().map(encode).collect();
    match rest {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}

/// Writes how many targets stand where, and which they are.
fn write_overview(out: &mut String, groups: &Groups<'_>, look: &Look) {
    let bold = look.bold();
    let mut of_service: BTreeMap<&Text, usize> = BTreeMap::new();
    for group in &groups.standings {
        *of_service.entry(&group.first().service).or_default() += group.targets.len();
    }
    let widest = of_service.values().max().map_or(1, |most| most.to_string().len());
    for (service, all) in of_service {
        let all = count(all as u64, "target", "targets");
        let _ = writeln!(out, "{bold}{}: {all}{bold:#}", service.terminal());
        for group in groups
            .standings
            .iter()
            .filter(|group| group.first().service == *service)
        {
            let indent = widest + 4;
            let style = style(group, groups, look);
            let words = wrap(&stand(group, groups), look.width, indent, indent + 2);
            let _ = writeln!(out, "  {style}{:widest$}{style:#}  {words}", group.targets.len());
            let names = wrap(&names(group.names(), look), look.width, indent, indent);
            let _ = writeln!(out, "{:indent$}{names}", "");
        }
    }
}

fn style(group: &StandingGroup<'_>, groups: &Groups<'_>, look: &Look) -> anstyle::Style {
    let drifts = group.drifts.iter().map(|place| groups.drifts[*place].first());
    let worst = drifts
        .filter(|finding| finding.is_open())
        .map(|finding| finding.severity)
        .max();
    match (worst, group.first().status) {
        (Some(worst), _) => look.severity(worst),
        (None, Status::Checked) => look.good(),
        (None, _) => look.doubtful(),
    }
}

/// Says in a line where a group of targets stands: what it lacks, or why it could not be checked.
pub(super) fn stand(group: &StandingGroup<'_>, groups: &Groups<'_>) -> String {
    let drifts: Vec<&DriftGroup<'_>> = group.drifts.iter().map(|place| &groups.drifts[*place]).collect();
    let mut parts = Vec::new();
    let first = group.first();
    match first.status {
        Status::Checked => {}
        Status::Incomplete => parts.push("incomplete".to_owned()),
        Status::Unreachable => parts.push("unreachable".to_owned()),
    }
    for severity in Severity::ALL {
        let of = drifts
            .iter()
            .filter(|d| d.first().is_open() && d.first().severity == severity);
        match of.count() as u64 {
            0 => {}
            number => parts.push(verdict::words(severity, number)),
        }
    }
    let excused = drifts.iter().filter(|drift| !drift.first().is_open()).count();
    if excused > 0 {
        parts.push(format!("{excused} excused"));
    }
    if parts.is_empty() {
        return "no findings".to_owned();
    }
    let mut what: Vec<String> = drifts.iter().take(DRIFTS).map(|drift| name_drift(drift)).collect();
    if drifts.len() > DRIFTS {
        what.push(format!("and {} more", drifts.len() - DRIFTS));
    }
    let reason = generalize_if_many(group).reason;
    let why = reason
        .iter()
        .map(encode)
        .chain((!what.is_empty()).then(|| what.join("; ")));
    let why: Vec<String> = why.collect();
    match why.is_empty() {
        true => parts.join(", "),
        false => format!("{}: {}", parts.join(", "), why.join(" ")),
    }
}

/// Returns `index-missing X.IX_Y`.
fn name_drift(drift: &DriftGroup<'_>) -> String {
    let first = drift.first();
    let object = without_namespace(&first.object, drift.target);
    format!("{} {}", Terminal(&first.rule), object.dotted().terminal())
}

/// Returns what the targets of a group say with one voice.
pub(in crate::report) fn generalize_if_many(group: &StandingGroup<'_>) -> TargetReport {
    match group.targets.len() {
        1 => group.first().clone(),
        _ => generalize(group.first()),
    }
}

fn write_drift(out: &mut String, group: &DriftGroup<'_>, report: &Report, look: &Look) {
    let first = group.first();
    let place = match group.findings.len() {
        1 => ("target", text::name_target(group.target)),
        number => {
            let names = names(group.names(), look);
            let help = match group.says_one_thing() {
                true => String::new(),
                false => format!("; what is above is for {}", first.target.terminal()),
            };
            ("targets", format!("{number}: {names}{help}"))
        }
    };
    text::write_finding(out, first, (place.0, &place.1), report.line(&first.location), look);
    out.push('\n');
}

fn write_excused(out: &mut String, groups: &Groups<'_>, look: &Look) {
    let excused: Vec<&DriftGroup<'_>> = groups.drifts.iter().filter(|group| !group.first().is_open()).collect();
    if excused.is_empty() {
        return;
    }
    let bold = look.bold();
    let _ = writeln!(out, "{bold}excused findings, which do not count{bold:#}");
    for group in excused {
        // Targets have waivers of their own, of which many say the same.
        let words = |finding: &Finding| {
            let waiver = finding.waiver.clone();
            let waiver = waiver.map(|waiver| (waiver.owner, waiver.reason, waiver.expires));
            (waiver, finding.baseline.as_ref().map(|known| known.first_seen.clone()))
        };
        let mut excuses: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
        for finding in &group.findings {
            excuses.entry(words(finding)).or_default().push(finding);
        }
        for findings in excuses.values() {
            let names = names(findings.iter().map(|finding| &finding.target), look);
            excuse::write_finding(out, findings[0], &names, look);
        }
    }
    out.push('\n');
}

/// Writes the facts that specs leave open, once for all targets that show the same.
fn write_open(out: &mut String, report: &Report, look: &Look) {
    let targets = report.targets.iter().filter(|target| !target.unconfirmed.is_empty());
    let sections = sections(targets, |_| None, text::write_open);
    if sections.is_empty() {
        return;
    }
    let bold = look.bold();
    let _ = writeln!(out, "{bold}{}{bold:#}", text::OPEN);
    for section in sections {
        let head = match section.targets.len() {
            1 => String::new(),
            number => format!("{number} targets: "),
        };
        let names = wrap(&section.names(look), look.width, 2 + head.len(), 4);
        let _ = writeln!(out, "  {head}{names}");
        text::write_open(out, section.voice(), look);
    }
    out.push('\n');
}

/// Writes the remarks about targets, each once.
fn write_notes(out: &mut String, report: &Report, look: &Look) {
    let mut notes: Vec<(Text, Vec<&Text>)> = Vec::new();
    let mut places: BTreeMap<Text, usize> = BTreeMap::new();
    for target in &report.targets {
        for note in generalize(target).notes {
            let place = *places.entry(note.clone()).or_insert_with(|| {
                notes.push((note, Vec::new()));
                notes.len() - 1
            });
            notes[place].1.push(&target.name);
        }
    }
    if notes.is_empty() {
        return;
    }
    let bold = look.bold();
    let _ = writeln!(out, "{bold}notes{bold:#}");
    for (note, targets) in notes {
        let note = wrap(&encode(&note), look.width, 4, 4);
        let names = wrap(&names(targets.into_iter(), look), look.width, 6, 6);
        let _ = writeln!(out, "  - {note}\n      {names}");
    }
    out.push('\n');
}

/// Writes something that is said of a target.
type Body = fn(&mut String, &TargetReport, &Look);

/// Targets of which the same is said.
pub(in crate::report) struct Section<'a> {
    targets: Vec<&'a TargetReport>,
    general: TargetReport,
    body: Body,
}

impl Section<'_> {
    fn names(&self, look: &Look) -> String {
        names(self.targets.iter().map(|target| &target.name), look)
    }

    /// Returns what the targets say with one voice.
    fn voice(&self) -> &TargetReport {
        match &self.targets[..] {
            [target] => target,
            _ => &self.general,
        }
    }
}

/// Puts targets together of which the same is said, and which have the same `head`.
pub(in crate::report) fn sections<'a>(
    targets: impl IntoIterator<Item = &'a TargetReport>,
    head: fn(&TargetReport) -> Option<String>,
    body: Body,
) -> Vec<Section<'a>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for target in targets {
        let general = generalize(target);
        let mut words = head(target).unwrap_or_default();
        body(
            &mut words,
            &general,
            &Look {
                verbose: true,
                ..Look::default()
            },
        );
        match places.get(&words) {
            Some(place) => sections[*place].targets.push(target),
            None => {
                places.insert(words, sections.len());
                sections.push(Section {
                    targets: vec![target],
                    general,
                    body,
                });
            }
        }
    }
    sections
}

/// Writes what was read of targets, and what was not.
pub(in crate::report) fn write_section(out: &mut String, section: &Section<'_>, look: &Look) {
    if let [target] = &section.targets[..] {
        text::write_place(out, target, look);
    } else {
        let bold = look.bold();
        let head = format!("{} targets", section.targets.len());
        let server = server(&section.general).map_or(String::new(), |server| format!(" on {server}"));
        let names = wrap(
            &format!("{server}: {}", section.names(look)),
            look.width,
            columns(&head),
            4,
        );
        let _ = writeln!(out, "{bold}{head}{bold:#}{names}");
    }
    (section.body)(out, section.voice(), look);
}
