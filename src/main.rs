//! The seadrift program.

use std::process::ExitCode;

fn main() -> ExitCode {
    seadrift::cli::run(std::env::args_os(), &seadrift::services::shipped())
}
