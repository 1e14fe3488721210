//! What an examination comes to.

use serde::Serialize;

use crate::catalog;
use crate::text::Text;

/// What a step is about. The order is that of the examination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// The file is there and can be read.
    File,
    /// The host's name has an address.
    Name,
    /// The address takes connections.
    Tcp,
    /// It is the right kind of server that answers.
    Server,
    /// The way is encrypted, and the server is who it says.
    Tls,
    /// The role is let into the database, or the file is one.
    Login,
    /// What lies between: a pooler, a forwarded port.
    Way,
    /// The version is supported.
    Version,
    /// The session only reads.
    ReadOnly,
    /// How long anything may take.
    Limits,
    /// What the role may do beyond reading.
    Role,
    /// Tables are visible.
    Tables,
    /// Columns are visible.
    Columns,
    /// Keys and indexes are visible.
    Indexes,
    /// Checks are visible.
    Checks,
    /// Foreign keys are visible.
    ForeignKeys,
    /// Triggers and whatever else changes an insert are visible.
    Triggers,
    /// Routines that jobs may call are visible.
    Routines,
    /// Jobs that remove rows are visible.
    Jobs,
    /// Whether it is a replica.
    Replica,
    /// The clocks agree.
    Clock,
    /// How a file keeps what is being changed.
    Journal,
}

impl Topic {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Name => "name",
            Self::Tcp => "tcp",
            Self::Server => "server",
            Self::Tls => "tls",
            Self::Login => "login",
            Self::Way => "way",
            Self::Version => "version",
            Self::ReadOnly => "read-only",
            Self::Limits => "limits",
            Self::Role => "role",
            Self::Tables => "tables",
            Self::Columns => "columns",
            Self::Indexes => "indexes",
            Self::Checks => "checks",
            Self::ForeignKeys => "foreign-keys",
            Self::Triggers => "triggers",
            Self::Routines => "routines",
            Self::Jobs => "jobs",
            Self::Replica => "replica",
            Self::Clock => "clock",
            Self::Journal => "journal",
        }
    }
}

/// How a step came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Ok,
    /// A check can be made; it is worth knowing all the same.
    Note,
    /// A check cannot be made, or not of everything.
    Problem,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What it is about.
    pub step: Topic,
    /// How it came out.
    pub state: State,
    /// What was found, as a sentence.
    pub found: Text,
    /// What to do, in the imperative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<Text>,
}

impl Step {
    /// Makes a step that went well.
    pub fn ok(step: Topic, found: impl Into<String>) -> Self {
        Self {
            step,
            state: State::Ok,
            found: Text::new(found),
            help: None,
        }
    }

    /// Makes a step that is worth a word.
    pub fn note(step: Topic, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            state: State::Note,
            help: Some(Text::new(help)),
            ..Self::ok(step, found)
        }
    }

    /// Makes a step that went wrong.
    pub fn problem(step: Topic, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            state: State::Problem,
            ..Self::note(step, found, help)
        }
    }

    /// Makes a step of a failure, in the words that a check has for it.
    pub(super) fn failed(step: Topic, error: catalog::Error) -> Self {
        Self::problem(step, error.reason, error.help)
    }
}

/// Everything that was found of one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// The target's name, or the word for a database without one.
    pub target: Text,
    /// Its URL without secrets.
    pub database: Text,
    /// Whether a check can be made of everything.
    pub healthy: bool,
    /// The steps, in order; after an obstacle there are none that it stands before.
    pub steps: Vec<Step>,
}

impl Examination {
    /// Changes what its steps say.
    pub fn rewrite(&mut self, change: impl Fn(&str) -> String) {
        let texts = self
            .steps
            .iter_mut()
            .flat_map(|step| [Some(&mut step.found), step.help.as_mut()]);
        texts.flatten().for_each(|text| *text = Text::new(change(text.raw())));
    }
}
