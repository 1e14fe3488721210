//! Hostile names through every format: read back, nothing is forged and nothing is lost.

use std::collections::BTreeSet;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use seadrift::report::{Format, Report};
use seadrift::text::{Terminal, is_deceptive};

use crate::formats::{write, write_json};
use crate::sample::{CORPUS, excuse, hostile, with_names};

fn shown(name: &str) -> String {
    Terminal(name).to_string()
}

#[test]
fn no_format_lets_a_control_character_out_or_begins_a_line_with_an_order() {
    let mut report = hostile();
    assert_orderly(&report);
    excuse(&mut report, &CORPUS.concat());
    assert_orderly(&report);
}

#[track_caller]
fn assert_orderly(report: &Report) {
    for format in Format::ALL {
        let text = write(report, *format);
        let bad: BTreeSet<char> = text.chars().filter(|c| *c != '\n' && is_deceptive(*c)).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", format.as_str());
        for line in text.lines() {
            let order = line.trim_start().starts_with("::") || line.contains("##[") || line.contains("##vso[");
            let is_ours = match format {
                Format::Github => ["::error ", "::warning ", "::notice "]
                    .iter()
                    .any(|start| line.starts_with(start)),
                Format::Azure => line.starts_with("##vso[task.logissue ") && line.matches("##vso[").count() == 1,
                _ => false,
            };
            assert!(!order || is_ours, "{}: {line}", format.as_str());
        }
    }
}

/// Texts of what is special somewhere, and of anything else.
fn any_name() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        "`", "|", "<", ">", "&", "\"", "'", "\\", "[", "]", "(", ")", "#", "##", "##[", "##vso[", "::", ":", "%",
        "%0A", "@", "*", "_", "~", "!", "{", "}", "\n", "\r", "\t", " ", "\u{1b}[", "\u{0}", "\u{9b}", "\u{202e}",
        "\u{ffff}", "www.", "http://", "]]>", "-->", "<!--", "$", "=", "-", "+", ";", ",", "a", "é",
    ]);
    let piece = prop_oneof![3 => special.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_names_go_through_every_format(names in prop::collection::vec(any_name(), 1..6)) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut report = with_names(&names);
        excuse(&mut report, &names.concat());
        assert_orderly(&report);
        let back: Report = serde_json::from_str(&write(&report, Format::Json)).unwrap();
        prop_assert_eq!(&back, &report);
        write_json(&report, Format::Sarif);
        write_json(&report, Format::Gitlab);
        prop_assert!(roxmltree::Document::parse(&write(&report, Format::Junit)).is_ok());
        render_markdown(&report);
        read_metrics(&report);
    }
}

#[test]
fn json_reads_back_exactly() {
    let back: Report = serde_json::from_str(&write(&hostile(), Format::Json)).unwrap();
    assert_eq!(back, hostile());
    let log = write_json(&hostile(), Format::Sarif);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let found: BTreeSet<&str> = results
        .iter()
        .map(|r| r["properties"]["found"].as_str().unwrap())
        .collect();
    assert_eq!(found, CORPUS.iter().copied().collect());
    for result in results {
        let text = result["message"]["text"].as_str().unwrap();
        assert!(
            !text.replace("\\](", "").contains("]("),
            "a name has become a link: {text}"
        );
    }
    let entries = write_json(&hostile(), Format::Gitlab);
    let texts: Vec<&str> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["description"].as_str().unwrap())
        .collect();
    for name in CORPUS {
        assert!(
            texts
                .iter()
                .any(|text| text.contains(&shown(&format!("column `{name}`")))),
            "{name:?}"
        );
    }
}

#[test]
fn junit_reads_back_and_has_no_element_more() {
    let text = write(&hostile(), Format::Junit);
    let document = roxmltree::Document::parse(&text).unwrap();
    let names: BTreeSet<&str> = document.descendants().map(|node| node.tag_name().name()).collect();
    let known = [
        "",
        "error",
        "failure",
        "system-out",
        "testcase",
        "testsuite",
        "testsuites",
    ];
    assert_eq!(names, known.into());
    let messages: BTreeSet<String> = document
        .descendants()
        .filter_map(|node| match node.tag_name().name() {
            "failure" => node.attribute("message").map(str::to_owned),
            "system-out" => node.text().and_then(|text| text.lines().next()).map(str::to_owned),
            _ => None,
        })
        .collect();
    for name in CORPUS {
        // U+FFFF has no place in XML.
        let message = shown(&format!("column `{name}` is not in {name}")).replace('\u{ffff}', "\\u{ffff}");
        assert!(
            messages.iter().any(|m| m.ends_with(&message)),
            "{message} is not in {messages:#?}"
        );
    }
}

#[test]
fn commands_read_back() {
    let decode = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n");
        text.replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    };
    for line in write(&hostile(), Format::Github).lines() {
        let (_, rest) = line.split_once(' ').unwrap();
        let (properties, data) = rest.split_once("::").unwrap();
        let keys: Vec<&str> = properties.split(',').map(|p| p.split_once('=').unwrap().0).collect();
        let known = ["file", "line", "endLine", "col", "endColumn", "title"];
        assert!(keys.iter().all(|key| known.contains(key)), "{keys:?}");
        assert!(!decode(data).contains('\r'));
    }
    let decode = |text: &str| {
        let text = text.replace("%3B", ";").replace("%5D", "]").replace("%0A", "\n");
        text.replace("%AZP25", "%")
    };
    let text = write(&hostile(), Format::Azure);
    let said: Vec<String> = text
        .lines()
        .map(|line| decode(line.split_once(']').unwrap().1))
        .collect();
    // The worst of the corpus are shown; the others are left out with a word.
    assert!(
        said.iter()
            .any(|text| text.contains(&shown(&format!("column `{}`", CORPUS[0])))),
        "{said:#?}"
    );
    assert!(said.iter().any(|text| text.contains(&shown(CORPUS[4]))), "{said:#?}");
}

#[test]
fn markdown_renders_to_the_names_and_to_nothing_else() {
    let plain = render_markdown(&hostile());
    let rendered: String = plain.split_whitespace().collect::<String>().replace('`', "");
    for name in CORPUS {
        // Backticks in pairs are taken for code, as in any message.
        let name = shown(name).split_whitespace().collect::<String>().replace('`', "");
        assert!(rendered.contains(&name), "{name} is not in {rendered}");
    }
}

/// Renders a report's Markdown to its text, and makes sure that no name has become markup.
#[track_caller]
fn render_markdown(report: &Report) -> String {
    let text = write(report, Format::Markdown);
    let mut plain = String::new();
    let mut cells = 0;
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(text) => plain.push_str(&text),
            Event::Html(html) | Event::InlineHtml(html) => {
                let known = ["<code>", "</code>", "<!-- -->", "</details>"];
                let html = html.trim();
                let is_fold = html.starts_with("<details><summary>") && html.ends_with("</summary>");
                assert!(known.contains(&html) || is_fold, "{html}");
                assert!(!is_fold || html.matches('<').count() == 3, "{html}");
            }
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::Strikethrough) => {
                panic!("a name has become markup: {event:?} in {text}")
            }
            Event::Start(Tag::Emphasis | Tag::BlockQuote(_)) => panic!("a name has become markup: {event:?}"),
            Event::Code(code) => panic!("a name has become code of its own: {code}"),
            Event::TaskListMarker(_) | Event::Rule | Event::FootnoteReference(_) => panic!("{event:?}"),
            Event::Start(Tag::TableCell) => cells += 1,
            Event::End(_) => plain.push('\n'),
            _ => {}
        }
    }
    // Summed up anew, since the test may have changed the findings.
    let fleet = seadrift::report::read(write(report, Format::Json).as_bytes())
        .unwrap()
        .fleet
        .unwrap();
    // A row for each open finding, but one for all that are equal.
    let shared = fleet.drifts.iter().filter(|drift| !drift.excused);
    let open = report.findings.iter().filter(|finding| finding.is_open()).count();
    let shown = open - shared.map(|drift| drift.targets.len() - 1).sum::<usize>();
    let head = if shown == 0 { 0 } else { 5 * (1 + shown) };
    let open: usize = report.targets.iter().map(|target| target.unconfirmed.len()).sum();
    let places = match fleet.standings.len() * 2 <= report.targets.len() {
        true => 4 * (1 + fleet.standings.len()),
        false => 7 * (1 + report.targets.len()),
    };
    let expected = places + head + 5 * (1 + open);
    assert_eq!(cells, expected, "no name makes a cell or a row: {text}");
    plain
}

#[test]
fn metrics_read_back() {
    let mut report = hostile();
    for (target, name) in report.targets.iter_mut().zip(&CORPUS[8..]) {
        target.name = (*name).into();
        target.service = (*name).into();
        target.database = Some((*name).into());
    }
    let seen = read_metrics(&report);
    for name in &CORPUS[8..11] {
        assert!(seen.contains(&shown(name)), "{name:?} is not in {seen:?}");
    }
}

/// Reads metrics as a collector does, and returns the values of all labels.
#[track_caller]
fn read_metrics(report: &Report) -> BTreeSet<String> {
    let text = write(report, Format::Prometheus);
    let mut seen = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (head, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let Some((name, labels)) = head.split_once('{') else {
            continue;
        };
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{line}");
        for (label, value) in read_labels(labels) {
            assert!(label.chars().all(|c| c.is_ascii_lowercase()), "{line}");
            seen.insert(value);
        }
    }
    seen
}

/// Reads `name="value",…}` as a collector does.
fn read_labels(text: &str) -> Vec<(String, String)> {
    let mut labels = Vec::new();
    let mut rest = text;
    while rest != "}" {
        let (name, after) = rest.split_once("=\"").unwrap();
        let mut value = String::new();
        let mut chars = after.char_indices();
        let end = loop {
            match chars.next().unwrap() {
                (at, '"') => break at,
                (_, '\\') => value.push(chars.next().unwrap().1),
                (_, c) => value.push(c),
            }
        };
        labels.push((name.trim_start_matches(',').to_owned(), value));
        rest = &after[end + 1..];
    }
    labels
}
