//! Which targets of a file are meant, and which databases stand behind one that is many.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tokio::task::JoinSet;

use super::file::{Config, DATABASE, Entry, Many};
use super::interpolate::fill;
use super::source::read_small;
use super::{Environment, Overrides, Place, Secrets, Settled, Target, glob};
use crate::catalog::{self, Limits};
use crate::text::{Terminal, near_names};
use crate::yaml::Problem;

/// The largest file of databases, in bytes.
const MOST: u64 = 1 << 20;

/// Which targets are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice<'a> {
    /// Names, or patterns of them; every target where there are none.
    pub names: &'a [String],
    /// Labels that a target must have, all of them.
    pub labels: &'a [(String, String)],
    /// The service that it must be of.
    pub service: Option<&'a str>,
}

/// Why targets could not be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceError {
    /// The file is wrong where it matters.
    Problems(Vec<Problem>),
    /// There is no target of that name.
    Unknown {
        /// The name.
        name: String,
        /// Names that are close to it.
        near: Vec<String>,
    },
    /// Nothing is chosen by a pattern, or by labels and service; the reason.
    Nothing(String),
}

impl Config {
    /// Chooses targets, in the order of the file. Of many alike, the server is asked which there are; if it does not
    /// answer, one target stands for them that cannot be reached; so it is for a pattern that matches none.
    ///
    /// # Errors
    ///
    /// A name that no target has, nothing that is chosen, or values of chosen targets that cannot be.
    pub async fn choose(
        &self,
        choice: Choice<'_>,
        overrides: &Overrides,
        environment: &Environment,
        secrets: &Secrets,
    ) -> Result<Vec<Target>, ChoiceError> {
        let settled = self.settle_all(self.entries(choice)?, overrides, environment, secrets)?;
        let settled: Vec<(&Entry, Target)> = settled.into_iter().map(|(entry, done)| (entry, done.target)).collect();
        let lists = self.lists(&settled, environment).await;
        let mut targets = Vec::new();
        let mut origins = Vec::new();
        for (at, (entry, target)) in settled.into_iter().enumerate() {
            let all = multiply(entry, target, lists.get(&at));
            // Who names a database that is found does not ask what else there may be.
            let is_found = |name: &&String| {
                all.iter()
                    .any(|target| target.name == **name && **name != entry.name.value)
            };
            let open: Vec<String> = choice.names.iter().filter(|name| !is_found(name)).cloned().collect();
            let is_rest = |target: &Target| entry.many.is_some() && target.name == entry.name.value;
            let is_chosen = |target: &Target| match is_rest(target) && !choice.names.is_empty() {
                true => open.iter().any(|name| could_be(entry, name)),
                false => is_named(choice.names, entry, &target.name),
            };
            let chosen: Vec<Target> = all.iter().filter(|target| is_chosen(target)).cloned().collect();
            origins.extend(chosen.iter().map(|_| entry));
            targets.extend(chosen);
        }
        self.refuse_doubles(&targets, &origins)?;
        self.refuse_misses(choice.names, &targets, &origins)?;
        Ok(targets)
    }

    /// Merges what entries say with everything else.
    pub(crate) fn settle_all<'c>(
        &'c self,
        entries: Vec<&'c Entry>,
        overrides: &Overrides,
        environment: &Environment,
        secrets: &Secrets,
    ) -> Result<Vec<(&'c Entry, Settled)>, ChoiceError> {
        let mut problems = Vec::new();
        let mut all = Vec::new();
        for entry in entries {
            match self.settle(entry, overrides, environment, secrets) {
                Ok(settled) => all.push((entry, settled)),
                Err(wrong) => problems.extend(wrong),
            }
        }
        if problems.is_empty() {
            return Ok(all);
        }
        problems.sort_by_key(|problem| problem.position);
        // What is wrong with the defaults is wrong for every target.
        problems.dedup();
        Err(ChoiceError::Problems(problems))
    }

    /// Returns the entries of which some target could be meant.
    pub(crate) fn entries(&self, choice: Choice<'_>) -> Result<Vec<&Entry>, ChoiceError> {
        for name in choice.names.iter().filter(|name| !glob::is_pattern(name)) {
            if !self.targets.iter().any(|entry| could_be(entry, name)) {
                return Err(self.unknown(name));
            }
        }
        let fits = |entry: &&Entry| {
            let is_of = choice.service.is_none_or(|service| entry.service.value == service);
            let mut labels = choice.labels.iter();
            let is_labelled = labels.all(|(name, value)| entry.labels.get(name).is_some_and(|at| at.value == *value));
            is_of && is_labelled && (choice.names.is_empty() || choice.names.iter().any(|name| could_be(entry, name)))
        };
        let entries: Vec<&Entry> = self.targets.iter().filter(fits).collect();
        if !entries.is_empty() {
            return Ok(entries);
        }
        let mut said: Vec<String> = choice.names.iter().map(|name| format!("`{name}`")).collect();
        said.extend(
            choice
                .labels
                .iter()
                .map(|(name, value)| format!("the label {name}={value}")),
        );
        said.extend(choice.service.map(|service| format!("the service `{service}`")));
        Err(ChoiceError::Nothing(match self.unknown_label(choice.labels) {
            Some(reason) => reason,
            None if said.is_empty() => "there is no target".to_owned(),
            None => format!("no target matches {}", said.join(" and ")),
        }))
    }

    /// Says that a label is one that no target has, whatever its value.
    fn unknown_label(&self, labels: &[(String, String)]) -> Option<String> {
        let known: BTreeSet<&str> = self
            .targets
            .iter()
            .flat_map(|entry| entry.labels.keys().map(String::as_str))
            .collect();
        let (name, _) = labels.iter().find(|(name, _)| !known.contains(name.as_str()))?;
        let known: Vec<String> = known.iter().map(|name| format!("`{}`", Terminal(name))).collect();
        Some(match known.is_empty() {
            true => "no target has a label".to_owned(),
            false => format!(
                "no target has a label `{}`; there are {}",
                Terminal(name),
                known.join(", ")
            ),
        })
    }

    fn unknown(&self, name: &str) -> ChoiceError {
        let near = near_names(name, self.targets.iter().map(|entry| entry.name.value.as_str()));
        ChoiceError::Unknown {
            name: name.to_owned(),
            near: near.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Asks, all at once, which databases stand behind the entries that are many.
    async fn lists(&self, settled: &[(&Entry, Target)], environment: &Environment) -> BTreeMap<usize, Listed> {
        let mut asked = JoinSet::new();
        let mut lists = BTreeMap::new();
        for (at, (entry, target)) in settled.iter().enumerate() {
            match &entry.many {
                Some(Many::Patterns(patterns)) => {
                    let patterns: Vec<String> = patterns.iter().map(|pattern| pattern.value.clone()).collect();
                    let (place, limits) = (target.place.clone(), target.limits);
                    asked.spawn(async move { (at, ask(&place, limits, &patterns).await) });
                }
                Some(Many::File(file)) => {
                    let path = fill(&file.value, environment).map(|filled| self.folder.join(filled.text));
                    let read = path.map_err(|error| error.reason).and_then(|path| read_names(&path));
                    let listed = match read {
                        Ok(names) => Listed::from(names),
                        Err(why) => Listed::unknown(why, "Check the path and the file."),
                    };
                    lists.insert(at, listed);
                }
                None => {}
            }
        }
        while let Some(Ok((at, listed))) = asked.join_next().await {
            lists.insert(at, listed);
        }
        lists
    }

    fn refuse_doubles(&self, targets: &[Target], origins: &[&Entry]) -> Result<(), ChoiceError> {
        let mut seen = BTreeMap::new();
        for (target, entry) in targets.iter().zip(origins) {
            if let Some(first) = seen.insert(&target.name, entry.at()) {
                let message = format!("a second target is called `{}`", target.name);
                let mut problem = Problem::at(&self.source, entry.at(), message);
                problem.set_related(&self.source, first, "the first one");
                problem.set_help("give each target a name of its own");
                return Err(ChoiceError::Problems(vec![problem]));
            }
        }
        Ok(())
    }

    /// Refuses a name or pattern that stands for nothing, so that what was meant is not left out in silence.
    fn refuse_misses(&self, names: &[String], targets: &[Target], origins: &[&Entry]) -> Result<(), ChoiceError> {
        for name in names {
            let one = std::slice::from_ref(name);
            let mut pairs = targets.iter().zip(origins);
            if !pairs.any(|(target, entry)| is_named(one, entry, &target.name)) {
                return Err(match glob::is_pattern(name) {
                    true => ChoiceError::Nothing(format!("no target matches `{name}`")),
                    false => self.unknown(name),
                });
            }
        }
        Ok(())
    }
}

/// The databases behind an entry.
#[derive(Default)]
struct Listed {
    databases: BTreeSet<String>,
    /// Why there may be more, and what to do.
    unknown: Option<(String, String)>,
}

impl From<BTreeSet<String>> for Listed {
    fn from(databases: BTreeSet<String>) -> Self {
        Self {
            databases,
            unknown: None,
        }
    }
}

impl Listed {
    fn unknown(reason: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            unknown: Some((reason.into(), help.into())),
            ..Self::default()
        }
    }
}

/// Finds the databases that are meant: those that are named, and those of the server that match a pattern. Who names a
/// database wants it looked at, whether it is there or not.
async fn ask(place: &Place, limits: Limits, wanted: &[String]) -> Listed {
    let (patterns, names): (Vec<&String>, Vec<&String>) = wanted.iter().partition(|wanted| glob::is_pattern(wanted));
    let mut listed = match patterns.is_empty() {
        true => Listed::default(),
        false => match all(place, limits).await {
            Ok(all) => matching(&patterns, &all),
            Err(error) => Listed::unknown(error.reason, error.help),
        },
    };
    listed.databases.extend(names.into_iter().cloned());
    listed
}

async fn all(place: &Place, limits: Limits) -> Result<Vec<String>, catalog::Error> {
    catalog::databases(&place.open().await?, limits).await
}

/// Returns the databases that match some pattern; each pattern has to match one.
fn matching(patterns: &[&String], all: &[String]) -> Listed {
    let is_met = |pattern: &&&String| all.iter().any(|name| glob::matches(pattern, name));
    let idle: Vec<String> = patterns
        .iter()
        .filter(|pattern| !is_met(pattern))
        .map(|pattern| format!("`{}`", Terminal(pattern)))
        .collect();
    let mut listed = match idle.is_empty() {
        true => Listed::default(),
        false => Listed::unknown(
            format!("No database of the server matches {}.", idle.join(", nor ")),
            "Check the pattern, and that the user may see the databases.",
        ),
    };
    let is_meant = |name: &&String| patterns.iter().any(|pattern| glob::matches(pattern, name));
    listed.databases = all.iter().filter(is_meant).cloned().collect();
    listed
}

/// Reads a file of names, one on each line; `#` begins a remark.
fn read_names(path: &Path) -> Result<BTreeSet<String>, String> {
    let text = read_small(path, MOST).map_err(|why| format!("The file `{}` cannot be read: {why}.", path.display()))?;
    let names = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let names: BTreeSet<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    match names.is_empty() {
        false => Ok(names),
        true => Err(format!("The file `{}` names no database.", path.display())),
    }
}

/// Makes of an entry's target the ones that it stands for.
fn multiply(entry: &Entry, target: Target, listed: Option<&Listed>) -> Vec<Target> {
    let unknown = |reason: &str, help: &str| Target {
        place: Place::nowhere(
            &target.place.to_string(),
            format!("The databases are not all known. {reason}"),
            help.to_owned(),
        ),
        ..target.clone()
    };
    if entry.many.is_none() {
        return vec![target];
    }
    let Some(listed) = listed else {
        return vec![unknown("Nobody could be asked.", "Run the check again.")];
    };
    let one = |database: &String| match target.place.with_database(database) {
        Ok(place) => Target {
            name: entry.name.value.replace(DATABASE, database),
            place,
            ..target.clone()
        },
        Err(error) => unknown(&error.reason, &error.help),
    };
    let rest = listed.unknown.iter().map(|(reason, help)| unknown(reason, help));
    listed.databases.iter().map(one).chain(rest).collect()
}

/// Returns whether a name or pattern could mean a target of an entry.
fn could_be(entry: &Entry, name: &str) -> bool {
    match glob::is_pattern(name) {
        true => glob::may_meet(name, &entry.names()),
        false => name == entry.name.value || glob::matches(&entry.names(), name),
    }
}

/// Returns whether a target is meant by the names. The name of an entry means all that it stands for, and of databases
/// that could not be listed, each may be the one that is meant.
fn is_named(names: &[String], entry: &Entry, target: &str) -> bool {
    let is_unlisted = entry.many.is_some() && target == entry.name.value;
    let is_meant = |name: &String| match glob::is_pattern(name) {
        _ if is_unlisted => could_be(entry, name),
        true => glob::matches(name, target),
        false => name == target || *name == entry.name.value,
    };
    names.is_empty() || names.iter().any(is_meant)
}
