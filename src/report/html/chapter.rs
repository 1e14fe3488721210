//! A report by target: one chapter each, with its findings and where it stands.

use std::collections::BTreeMap;

use super::encode::Anchor;
use crate::finding::{Finding, Severity};
use crate::report::verdict;
use crate::report::{Report, Status, TargetReport};
use crate::rules::Unverified;
use crate::text::Text;

/// Everything about one target.
pub(super) struct Chapter<'a> {
    /// The target's name.
    pub(super) name: &'a Text,
    /// The `id` of its section.
    pub(super) id: String,
    /// What was seen of it: one entry, but for results in which two targets share a name.
    pub(super) seen: Vec<&'a TargetReport>,
    /// Its findings, worst first.
    pub(super) cards: Vec<Card<'a>>,
}

/// A finding with its place on the page.
pub(super) struct Card<'a> {
    /// The finding.
    pub(super) finding: &'a Finding,
    /// The `id` of its element.
    pub(super) id: String,
    /// What it does to the outcome.
    pub(super) weight: Weight,
}

/// What a finding does to the outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It counts as drift.
    Drift,
    /// It is below the threshold.
    Lesser,
    /// It is in the baseline.
    Known,
    /// A waiver excuses it.
    Waived,
}

/// Where a target stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// It has drift that counts.
    Drifted,
    /// Nothing of it could be seen.
    Unreachable,
    /// Something that the spec states could not be seen.
    Incomplete,
    /// It has findings, none of which counts.
    Lesser,
    /// It was fully checked, and nothing was found.
    Clean,
}

impl Weight {
    /// Returns the word for it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Drift => "drift",
            Self::Lesser => "lesser",
            Self::Known => "known",
            Self::Waived => "waived",
        }
    }
}

impl Standing {
    /// Returns the word for it, which is its class as well.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Drifted => "drift",
            Self::Unreachable => "unreachable",
            Self::Incomplete => "incomplete",
            Self::Lesser => "lesser",
            Self::Clean => "clean",
        }
    }
}

/// Sorts a report's targets and findings into chapters, in the report's order. No finding is lost, even if the result
/// has no entry for its target.
pub(super) fn gather(report: &Report) -> Vec<Chapter<'_>> {
    let mut chapters: Vec<Chapter<'_>> = Vec::new();
    let mut places: BTreeMap<&Text, usize> = BTreeMap::new();
    let mut ids: BTreeMap<&str, u32> = BTreeMap::new();
    let names = report.targets.iter().map(|target| &target.name);
    for name in names.chain(report.findings.iter().map(|finding| &finding.target)) {
        places.entry(name).or_insert_with(|| {
            chapters.push(Chapter::new(name));
            chapters.len() - 1
        });
    }
    for target in &report.targets {
        chapters[places[&target.name]].seen.push(target);
    }
    for finding in &report.findings {
        // The same drift in two targets has one fingerprint, and an id must be the only one of its name.
        let times = ids.entry(&finding.fingerprint).or_insert(0);
        *times += 1;
        let mut id = format!("f-{}", Anchor(&finding.fingerprint));
        if *times > 1 {
            put!(id, "_{times}");
        }
        let weight = weigh(finding, report);
        chapters[places[&finding.target]]
            .cards
            .push(Card { finding, id, weight });
    }
    chapters
}

fn weigh(finding: &Finding, report: &Report) -> Weight {
    if finding.waiver.is_some() {
        Weight::Waived
    } else if finding.baseline.is_some() {
        Weight::Known
    } else if report.counts(finding) {
        Weight::Drift
    } else {
        Weight::Lesser
    }
}

impl<'a> Chapter<'a> {
    fn new(name: &'a Text) -> Self {
        Self {
            name,
            id: format!("t-{}", Anchor(name.raw())),
            seen: Vec::new(),
            cards: Vec::new(),
        }
    }

    /// Returns how far it was checked. A target without an entry was not.
    pub(super) fn status(&self) -> Status {
        let of = |status| self.seen.iter().any(|target| target.status == status);
        if self.seen.is_empty() || of(Status::Unreachable) {
            Status::Unreachable
        } else if of(Status::Incomplete) {
            Status::Incomplete
        } else {
            Status::Checked
        }
    }

    /// Returns where it stands.
    pub(super) fn standing(&self) -> Standing {
        if self.cards.iter().any(|card| card.weight == Weight::Drift) {
            return Standing::Drifted;
        }
        match self.status() {
            Status::Unreachable => Standing::Unreachable,
            Status::Incomplete => Standing::Incomplete,
            Status::Checked if self.cards.is_empty() => Standing::Clean,
            Status::Checked => Standing::Lesser,
        }
    }

    /// Returns its worst severity that counts as drift.
    pub(super) fn worst(&self) -> Option<Severity> {
        let drift = self.cards.iter().filter(|card| card.weight == Weight::Drift);
        drift.map(|card| card.finding.severity).max()
    }

    /// Returns the class of where it stands, and its sign. Drift looks as bad as its worst finding.
    pub(super) fn look(&self) -> (&'static str, &'static str) {
        match (self.standing(), self.worst()) {
            (Standing::Drifted, Some(worst)) => (worst.as_str(), worst.as_str()),
            (standing @ (Standing::Unreachable | Standing::Incomplete), _) => (standing.as_str(), "unseen"),
            (Standing::Clean, _) => ("clean", "clean"),
            (standing, _) => (standing.as_str(), "info"),
        }
    }

    /// Returns the facts that the spec states and nobody could see.
    pub(super) fn unverified(&self) -> impl Iterator<Item = &'a Unverified> {
        self.seen
            .iter()
            .flat_map(|target| &target.unverified)
            .filter(|u| u.required)
    }

    /// Counts its findings by severity, worst first, leaving out zeros and excused ones: `2 errors`.
    pub(super) fn counts(&self) -> Vec<String> {
        let of = |severity| {
            let open = self.cards.iter().filter(|card| card.finding.is_open());
            open.filter(|card| card.finding.severity == severity).count() as u64
        };
        let all = Severity::ALL.into_iter().map(|severity| (severity, of(severity)));
        all.filter(|(_, n)| *n > 0)
            .map(|(severity, n)| verdict::words(severity, n))
            .collect()
    }

    /// Counts its findings that are excused, leaving out zeros: `2 waived`.
    pub(super) fn excused(&self) -> Vec<String> {
        let of = |weight| self.cards.iter().filter(|card| card.weight == weight).count();
        let all = [Weight::Waived, Weight::Known].map(|weight| (of(weight), weight.as_str()));
        all.into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} {word}"))
            .collect()
    }
}
