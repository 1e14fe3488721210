//! Results of earlier runs, as files.

use std::path::Path;

use super::error::CliError;
use super::input;
use crate::report::{self, Report};

/// Loads what `check --format json` wrote; `-` is standard input.
pub(super) fn load_result(path: &Path) -> Result<Report, CliError> {
    let fail = |error: &dyn std::error::Error| {
        CliError::input(format!("the result `{}` cannot be read", path.display())).caused_by(error)
    };
    let json = input::read(path).map_err(|error| fail(&error))?;
    report::read(&json).map_err(|error| fail(&error).hint(error.hint()))
}
