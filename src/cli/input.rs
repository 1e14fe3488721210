//! Files that a user names: read as a whole, if they are regular ones of a sensible size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::console::Console;
use super::error::CliError;
use crate::yaml::{Problem, render_problems};

/// The largest file that is read, in bytes. A result of a million findings is smaller.
const MOST: u64 = 1 << 30;

/// Reads a file; `-` is standard input, where a pipe is what one expects.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.to_str() == Some("-") {
        return take(&mut io::stdin().lock(), 0);
    }
    // Asked before opening: opening a pipe waits for a writer, and a device has no end.
    let metadata = path.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::other("it is a directory; name a file in it"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file; `-` reads standard input"));
    }
    take(&mut File::open(path)?, metadata.len())
}

fn take(from: &mut impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(MOST)).unwrap_or(0));
    from.take(MOST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST {
        true => Err(io::Error::other("it is larger than 1 GiB")),
        false => Ok(bytes),
    }
}

/// Says that a file has problems, and which.
pub(super) fn refuse(path: &Path, problems: &[Problem], console: &Console) -> CliError {
    let count = match problems.len() {
        1 => "there is a problem".to_owned(),
        n => format!("there are {n} problems"),
    };
    CliError {
        // Standard error takes the colours away where they are not wanted.
        context: render_problems(problems, true, console.width()),
        ..CliError::input(format!("{count} in `{}`", path.display()))
    }
}
