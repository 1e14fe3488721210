//! The options of commands that judge: which evidence is gathered, and what counts as a failure.

use super::console::Console;
use super::error::CliError;
use crate::config::Target;
use crate::finding::Severity;
use crate::report::Policy;

/// What is looked at beside the catalog.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Target")]
pub(super) struct EvidenceArgs {
    /// Database in which pg_cron is installed, where that is another one of the same server
    #[arg(long, env = "SEADRIFT_SCHEDULER_URL", hide_env_values = true, value_name = "URL")]
    scheduler_url: Option<String>,
    /// Read rows as well: the age of the oldest one, and counts of those that should not be there
    ///
    /// Needs SELECT on the tables. What no index answers is asked of tables up to 100,000 rows. No value of a row is
    /// reported.
    #[arg(long)]
    pub(super) data: bool,
}

impl EvidenceArgs {
    /// Tells the target where its scheduler is.
    pub(super) fn apply(&self, target: &mut Target, console: &Console) -> Result<(), CliError> {
        if let Some(url) = &self.scheduler_url {
            target.scheduler = Some(console.place(url)?);
        }
        Ok(())
    }
}

/// What counts as a failure.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Judgement")]
pub(super) struct JudgementArgs {
    /// Least severity that counts as drift
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t)]
    fail_on: FailOn,
    /// Do not fail because something could not be seen; it is still reported
    #[arg(long)]
    allow_incomplete: bool,
}

impl JudgementArgs {
    /// Returns what counts.
    pub(super) fn policy(&self) -> Policy {
        Policy {
            fail_on: self.fail_on.severity(),
            allow_incomplete: self.allow_incomplete,
        }
    }
}

/// Values of `--fail-on`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    Critical,
    #[default]
    Error,
    Warning,
    Info,
    Never,
}

impl FailOn {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Critical => Some(Severity::Critical),
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}
