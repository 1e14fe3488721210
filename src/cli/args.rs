//! The command line as a whole.

use super::baseline::BaselineArgs;
use super::check::CheckArgs;
use super::completions::{CompletionsArgs, ManArgs};
use super::config::ConfigArgs;
use super::demo::DemoArgs;
use super::diff::DiffArgs;
use super::doctor::DoctorArgs;
use super::explain::ExplainArgs;
use super::migrate::MigrateArgs;
use super::render::{MergeArgs, RenderArgs};
use super::retention::RetentionArgs;
use super::rules::RulesArgs;
use super::spec::SpecArgs;
use super::style::Color;
use super::verify::VerifyArgs;
use super::waiver::WaiverArgs;

const EXAMPLES: &str = "\
Examples:
  seadrift demo
  DATABASE_URL=postgres://app@db/ledger seadrift check --spec specs/notification.yaml
  seadrift check --url sqlite:ledger.db --spec specs --service asset --report sarif=drift.sarif
  seadrift diff --url mysql://app@db/ledger --spec specs/asset.yaml
  seadrift explain unique-missing

Exit codes:
  0   everything was checked, and nothing counts as drift
  1   drift at or above --fail-on
  2   the command line or a spec is invalid, or the report cannot be written
  4   incomplete: a target could not be reached or seen well enough; no drift seen
  5   drift, and incomplete
  70  internal error";

/// Compares live databases with the specs of the services that use them, and reports drift.
#[derive(Debug, clap::Parser)]
#[command(
    name = "seadrift",
    version,
    about,
    after_help = EXAMPLES,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) screen: ScreenArgs,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Demo(DemoArgs),
    Check(CheckArgs),
    Diff(DiffArgs),
    Doctor(DoctorArgs),
    Render(RenderArgs),
    Merge(MergeArgs),
    Explain(ExplainArgs),
    Rules(RulesArgs),
    Migrate(MigrateArgs),
    Retention(RetentionArgs),
    Config(ConfigArgs),
    Spec(SpecArgs),
    Waiver(WaiverArgs),
    Baseline(BaselineArgs),
    Verify(VerifyArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// What every command has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Screen")]
pub(super) struct ScreenArgs {
    /// When to use colours: auto, always, never; NO_COLOR and FORCE_COLOR are honoured
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        global = true
    )]
    pub(super) color: Color,
    /// Print less: -q findings and verdict only, -qq nothing
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(super) quiet: u8,
    /// Print more, such as the session's settings
    #[arg(short, long, action = clap::ArgAction::Count, global = true, conflicts_with = "quiet")]
    pub(super) verbose: u8,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
