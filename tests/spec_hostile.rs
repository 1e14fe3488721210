//! Hostile and broken files: bounded time, no panic, no control character on the screen.

#![allow(clippy::unwrap_used, reason = "these are tests and what they share")]

use std::path::Path;

use proptest::prelude::*;
use seadrift::spec::{load, load_dir, load_paths, parse, render_problems};

/// A spec whose only table has the given body.
fn spec(body: &str) -> String {
    let indented = body.replace('\n', "\n    ");
    format!("version: 1\nservice: a\ntables:\n  T:\n    {indented}\n")
}

#[test]
fn a_hostile_line_prints_no_control_character_and_keeps_its_column() {
    let text = "version: 1\nservice: a\ntables: # \u{202e}\u{200b}\n  \
                \"T\\e[2J\": { columns: { \"\u{202e}C\\x9b\": { typ: 1, type: uuid } } }\n";
    let problems = parse("a.yaml", text).unwrap_err();
    let rendered = render_problems(&problems, false, 100);
    assert!(rendered.contains("a.yaml:4:38"), "{rendered}");
    assert!(rendered.contains("in column `\\u{202e}C\\u{9b}`"), "{rendered}");
    assert_safe(&rendered);
    let raw = text.replace("\\x9b", "\u{9b}");
    let refused = parse("a.yaml", &raw).unwrap_err();
    assert_eq!(
        refused[0].to_string(),
        "a.yaml:4:29: not YAML: unexpected character: `\\u{9b}'"
    );
}

#[test]
fn a_line_gives_no_orders_to_the_pipeline_that_reads_the_problems() {
    let text = "version: 1\nservice: a\ntables:\n  \"##vso[task.complete]\": { x: '##[add-mask]a' } # ##[x]\n";
    let rendered = render_problems(&parse("a.yaml", text).unwrap_err(), false, 100);
    assert!(rendered.contains("task.complete]"), "{rendered}");
    assert!(!rendered.contains("##vso[") && !rendered.contains("##["), "{rendered}");
}

#[test]
fn a_file_that_cannot_be_a_spec_is_one_problem() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let large = [b"# ".as_slice(), &[b'x'; 1 << 20]].concat();
    for (path, message) in [
        (dir.path().to_owned(), "this is a directory"),
        (dir.path().join("missing.yaml"), "there is no such file"),
        (write("binary.yaml", b"SQLite format 3\0\xff\xfe"), "not UTF-8"),
        (write("large.yaml", &large), "larger than 1 MiB"),
        (write("empty.yaml", b""), "the file is empty"),
        (write("nul.yaml", b"\0\0\0\0"), "not YAML"),
        #[cfg(unix)]
        (Path::new("/dev/null").to_owned(), "not a regular file"),
    ] {
        let problems = load(&path).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].message.raw().contains(message), "{}", problems[0]);
        assert!(problems[0].help.is_some());
        assert_safe(&render_problems(&problems, false, 100));
    }
}

#[test]
fn a_directory_without_specs_and_two_specs_of_a_service_are_problems() {
    let dir = tempfile::tempdir().unwrap();
    let text = spec("columns: { C: { type: uuid } }");
    std::fs::write(dir.path().join(".hidden.yaml"), &text).unwrap();
    let none = load_dir(dir.path()).unwrap_err();
    assert!(none[0].message.raw().contains("holds no spec"));

    std::fs::write(dir.path().join("a.yaml"), &text).unwrap();
    std::fs::write(dir.path().join("b.yml"), &text).unwrap();
    let twice = load_paths(&[dir.path().to_owned()]).unwrap_err();
    assert_eq!(twice.len(), 1);
    assert!(twice[0].file.ends_with("b.yml"));
    assert!(twice[0].message.raw().contains("a second spec of service `a`"));
    assert!(render_problems(&twice, false, 100).contains("a.yaml:2:10"));
}

#[test]
fn a_large_hostile_spec_is_judged_in_bounded_time() {
    let keys: String = (0..12_000).map(|i| format!("      C{i}: {{ typ: {i} }}\n")).collect();
    let names: String = (0..20_000).map(|i| format!("D{i}, ")).collect();
    let one_line = format!(
        "{{ {} }}",
        (0..20_000).map(|i| format!("k{i}: 1, ")).collect::<String>()
    );
    for text in [
        spec(&format!("columns:\n{}", keys.replace('\n', "\n      "))),
        spec(&format!(
            "columns: {{ C: {{ type: text, values: [{names}] }} }}\nprimary_key: [{names}]"
        )),
        one_line,
        spec(&format!(
            "columns: {{ C: {{ type: text, {}: 1 }} }}",
            "x".repeat(900_000)
        )),
        spec(&format!("columns: {{ C: {{ type: {} }} }}", "varchar".repeat(1_000))),
    ] {
        let started = std::time::Instant::now();
        if let Err(problems) = parse("a.yaml", &text) {
            assert!(problems.len() <= 101);
            let rendered = render_problems(&problems, false, 100);
            assert!(rendered.len() < 200_000, "{} bytes", rendered.len());
        }
        assert!(
            started.elapsed().as_secs() < 20,
            "{:?}: {}",
            started.elapsed(),
            &text[..80]
        );
    }
}

fn assert_safe(rendered: &str) {
    let bad = rendered.chars().find(|&c| c != '\n' && seadrift::text::is_deceptive(c));
    assert_eq!(bad, None, "{rendered:?}");
}

/// Checks what holds for every text whatsoever.
fn check_any(text: &str) {
    match parse("a.yaml", text) {
        Ok(spec) => {
            for table in &spec.tables {
                assert!(table.name.at.line >= 1 && table.name.at.column >= 1 && table.name.at.length >= 1);
                for column in &table.columns {
                    for at in [
                        column.name.at,
                        column.ty.at,
                        column.nullable.at,
                        column.default.at,
                        column.values.at,
                    ] {
                        assert!(at.line >= 1 && at.column >= 1 && at.length >= 1);
                    }
                }
            }
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            for at in problems.iter().filter_map(|problem| problem.position) {
                assert!(at.line >= 1 && at.column >= 1 && at.length >= 1);
                assert!(at.line as usize <= text.split(['\n', '\r']).count() + 1);
            }
            assert_safe(&render_problems(&problems, false, 80));
        }
    }
}

/// Pieces of specs, to be put together in senseless ways.
const PIECES: [&str; 40] = [
    "version: 1\n",
    "service: a\n",
    "tables:\n",
    "  T:\n",
    "    columns:\n",
    "      C: ",
    "{ ",
    " }",
    "[",
    "]",
    ", ",
    "type: ",
    "uuid",
    "varchar(8)",
    "nullable: ",
    "true",
    "no",
    "unconfirmed",
    "default: ",
    "value: ",
    "sql: ",
    "    indexes:\n",
    "unique: ",
    "    ledger: ",
    "event_id: ",
    "    retention: ",
    "horizon: ",
    "P1D",
    "- ",
    "\n",
    " ",
    "\t",
    "&a ",
    "*a",
    "!!str ",
    "'",
    "\"",
    "|\n",
    "\u{1b}",
    "Größe",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_judged_without_a_panic(text in any::<String>()) {
        check_any(&text);
    }

    #[test]
    fn any_pieces_of_specs_are_judged_without_a_panic(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)
    ) {
        check_any(&pieces.concat());
    }

    #[test]
    fn a_damaged_spec_is_judged_without_a_panic(
        at in any::<prop::sample::Index>(), cut in 0_usize..40, piece in prop::sample::select(&PIECES[..])
    ) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs/valid/pinned-types.yaml");
        let text: Vec<char> = std::fs::read_to_string(path).unwrap().chars().collect();
        let start = at.index(text.len());
        let end = (start + cut).min(text.len());
        let damaged: String = text[..start].iter().copied().chain(piece.chars()).chain(text[end..].iter().copied()).collect();
        check_any(&damaged);
    }
}
