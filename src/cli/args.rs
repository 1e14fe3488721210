//! The command line as a whole.

use super::baseline::BaselineArgs;
use super::check::CheckArgs;
use super::completions::{CompletionsArgs, ManArgs};
use super::config::ConfigArgs;
use super::demo::DemoArgs;
use super::diff::DiffArgs;
use super::doctor::DoctorArgs;
use super::examples;
use super::explain::ExplainArgs;
use super::migrate::MigrateArgs;
use super::render::{MergeArgs, RenderArgs};
use super::retention::RetentionArgs;
use super::rules::RulesArgs;
use super::spec::SpecArgs;
use super::style::Color;
use super::verify::VerifyArgs;
use super::waiver::WaiverArgs;

/// Compares live databases with the specs of the services that use them, and reports drift.
#[derive(Debug, clap::Parser)]
#[command(
    name = "seadrift",
    version,
    about,
    after_help = examples::ALL,
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
    #[command(after_help = examples::DEMO)]
    Demo(DemoArgs),
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    #[command(after_help = examples::DIFF)]
    Diff(DiffArgs),
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArgs),
    #[command(after_help = examples::RENDER)]
    Render(RenderArgs),
    #[command(after_help = examples::MERGE)]
    Merge(MergeArgs),
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    #[command(after_help = examples::RULES)]
    Rules(RulesArgs),
    #[command(after_help = examples::MIGRATE)]
    Migrate(MigrateArgs),
    #[command(after_help = examples::RETENTION)]
    Retention(RetentionArgs),
    #[command(after_help = examples::CONFIG)]
    Config(ConfigArgs),
    #[command(after_help = examples::SPEC)]
    Spec(SpecArgs),
    #[command(after_help = examples::WAIVER)]
    Waiver(WaiverArgs),
    #[command(after_help = examples::BASELINE)]
    Baseline(BaselineArgs),
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    #[command(after_help = examples::MAN)]
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
