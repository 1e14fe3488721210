//! The password that no byte of any output may hold, and how it is looked for.

use std::path::Path;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

/// Every encoder changes something of it.
pub(crate) const CANARY: &str = "p@ss/w:rd%41 é\"'\\ $";

/// The same as a URL has it.
pub(crate) const IN_URL: &str = "p%40ss%2Fw%3Ard%2541%20%C3%A9%22%27%5C%20%24";

/// The canary as programs write it, each with its name; written by hand, so that no mistake of the program is made twice.
pub(crate) const SPELLINGS: [(&str, &str); 16] = [
    ("raw", CANARY),
    ("URL", IN_URL),
    ("URL in small letters", "p%40ss%2fw%3ard%2541%20%c3%a9%22%27%5c%20%24"),
    ("path", "p%40ss/w%3Ard%2541%20%C3%A9%22%27%5C%20%24"),
    ("form", "p%40ss%2Fw%3Ard%2541+%C3%A9%22%27%5C+%24"),
    ("JSON", "p@ss/w:rd%41 é\\\"'\\\\ $"),
    ("JSON in ASCII", "p@ss/w:rd%41 \\u00e9\\\"'\\\\ $"),
    ("HTML", "p@ss/w:rd%41 é&quot;&#39;\\ $"),
    ("HTML in hex", "p@ss/w:rd%41 é&quot;&#x27;\\ $"),
    ("XML", "p@ss/w:rd%41 é&quot;&apos;\\ $"),
    ("shell", "'p@ss/w:rd%41 é\"'\\''\\ $'"),
    ("shell with double quotes", "\"p@ss/w:rd%41 é\\\"'\\\\ \\$\""),
    ("SQL", "'p@ss/w:rd%41 é\"''\\ $'"),
    ("SQL with backslashes", "'p@ss/w:rd%41 é\"\\'\\\\ $'"),
    ("digits", "704073732f773a726425343120c3a922275c2024"),
    ("great digits", "704073732F773A726425343120C3A922275C2024"),
];

/// So many characters in a row are a part of the canary.
const PART: usize = 8;

/// The same in spellings that are no longer read by eye, where parts of it are in many texts.
const LONG_PART: usize = 14;

/// Everything that must not be found.
static PARTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let base64 = ["", "u:", "use:"].map(|before| format!("{before}{CANARY}"));
    let base64 = base64
        .iter()
        .flat_map(|text| [STANDARD.encode(text), URL_SAFE.encode(text)])
        // What stands before the canary is no secret.
        .map(|text| text[8..].to_owned());
    let spelled = SPELLINGS[1..].iter().map(|(_, text)| (*text).to_owned()).chain(base64);
    let mut parts = parts_of(CANARY, PART);
    parts.extend(spelled.flat_map(|text| parts_of(&text, LONG_PART)));
    parts
});

fn parts_of(text: &str, length: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.windows(length).map(|part| part.iter().collect()).collect()
}

/// Returns what of the canary is in some bytes, in whatever spelling and even if a line was broken in it.
pub(crate) fn found_in(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let joined = lines.join(" ");
    let mut parts = PARTS.iter();
    parts
        .find(|part| text.contains(*part) || joined.contains(*part))
        .cloned()
}

/// Asserts that there is nothing of the canary.
#[track_caller]
pub(crate) fn assert_none(what: &str, bytes: &[u8]) {
    if let Some(part) = found_in(bytes) {
        panic!("{what} holds {part}:\n{}", String::from_utf8_lossy(bytes));
    }
}

/// Asserts that no file of a folder holds anything of the canary.
#[track_caller]
pub(crate) fn assert_none_below(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => assert_none_below(&path),
            false => assert_none(&path.display().to_string(), &std::fs::read(&path).unwrap()),
        }
    }
}

#[test]
fn the_search_finds_what_it_is_for() {
    for (name, text) in SPELLINGS {
        assert!(found_in(format!("xx{text}yy").as_bytes()).is_some(), "{name}");
    }
    for text in [
        "near \"p@ss/w:r",
        "d%41 é\"'\\ $ at",
        "it says p@ss/w:rd%41\n          é\"'\\",
        "YXBwOnBAc3MvdzpyZCU0MSDDqSInXCAk",
    ] {
        assert!(found_in(text.as_bytes()).is_some(), "{text}");
    }
    assert_eq!(found_in(b"the password of user app is wrong"), None);
}
