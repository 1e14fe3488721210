//! The seadrift program.

use std::process::ExitCode;

/// What a target's thread may hold is bounded, see `fleet::lost`.
#[global_allocator]
static ALLOCATOR: seadrift_memory::Bounded = seadrift_memory::Bounded;

fn main() -> ExitCode {
    seadrift::cli::run(std::env::args_os(), &seadrift::services::shipped())
}
