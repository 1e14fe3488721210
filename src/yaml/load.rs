//! Reads files from disk.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::problem::{Problem, Problems, SourceFile};
use super::tree::{self, Node};

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Parses a text; `name` is the file as problems name it.
pub(crate) fn parse_text(name: &str, text: &str) -> Result<(Node, Problems), Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut problems = Problems::new(Arc::new(SourceFile::new(name, text)));
    match tree::parse(&mut problems) {
        Some(tree) => Ok((tree, problems)),
        None => Err(problems.finish()),
    }
}

/// Reads a file's text; `is` says in a hint what the file should be.
pub(crate) fn read(path: &Path, name: &str, is: &str) -> Result<String, Box<Problem>> {
    let fail = |message: String, help: &str| Box::new(Problem::of_file(name, message, help));
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => fail("there is no such file".to_owned(), "check the path"),
        _ => fail(
            format!("the file cannot be read: {error}"),
            "check the path and its permissions",
        ),
    };
    // Asked before opening: opening a pipe waits for a writer.
    let metadata = path.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(fail("this is a directory".to_owned(), "name a file in it"));
    }
    if !metadata.is_file() {
        return Err(fail("this is not a regular file".to_owned(), "name a YAML file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(fail("the file is larger than 1 MiB".to_owned(), is));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let help = "save the file as UTF-8; is it a YAML file at all?";
        fail(format!("the file is not UTF-8 text (byte {})", at + 1), help)
    })
}

/// Spells a path as the user named it, with forward slashes.
pub(crate) fn display_name(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}
