//! Every format over one sample, held to its golden file and to its published schema.

use seadrift::finding::Severity;
use seadrift::report::{Format, Paths, Report, Setting};
use seadrift::rules::{RULES, Verdict};
use serde_json::Value;

use crate::sample::*;
use crate::{golden, xsd};

const SARIF: &str = include_str!("schemas/sarif-2.1.0-rtm.5.json");
const GITLAB: &str = include_str!("schemas/gitlab-code-quality.json");
const JUNIT: &str = include_str!("schemas/junit-10.xsd");

/// Writes a report as the program does, the spec being in a folder of its repository.
pub(crate) fn write(report: &Report, format: Format) -> String {
    let paths = Paths::from([(FILE.to_owned(), format!("ledgers/{FILE}"))]);
    let setting = Setting {
        paths: &paths,
        source_url: Some("https://forge.example/team/repo/blob/c0ffee/{path}#L{line}"),
        ..Setting::default()
    };
    let mut out = Vec::new();
    format.write(report, &setting, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

pub(crate) fn write_json(report: &Report, format: Format) -> Value {
    serde_json::from_str(&write(report, format)).unwrap()
}

fn samples() -> [Report; 6] {
    let clean = one(catalog(&["ProcessedIntegrationEvents"]), Verdict::default(), policy());
    let nothing = build(Vec::new(), policy());
    [drifted(), excused(), awkward(), hostile(), clean, nothing]
}

fn validator(schema: &str) -> jsonschema::Validator {
    // One pattern of the SARIF schema has a bracket too many, and is none.
    let schema = schema.replace("{2}]?$", "{2}?$");
    jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap()
}

#[track_caller]
fn assert_valid(schema: &str, value: &Value) {
    let validator = validator(schema);
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn every_format_has_its_golden_file() {
    for format in Format::ALL {
        let ending = match format {
            Format::Sarif | Format::Json | Format::Gitlab => "json",
            Format::Jsonl => "jsonl",
            Format::Junit => "xml",
            Format::Markdown => "md",
            Format::Prometheus => "prom",
            Format::Html => "html",
            Format::Text | Format::Concise | Format::Github | Format::Azure => "txt",
        };
        for (report, name) in [(drifted(), ""), (excused(), "excused-")] {
            let name = format!("tests/reports/formats/{name}{}.{ending}", format.as_str());
            golden(&name, &without_rules(write(&report, *format), *format));
        }
    }
}

/// Leaves out what each new or better explained rule would change.
fn without_rules(text: String, format: Format) -> String {
    match format {
        Format::Sarif => {
            let mut log: Value = serde_json::from_str(&text).unwrap();
            for run in log["runs"].as_array_mut().unwrap() {
                run["tool"]["driver"]["rules"] = Value::Array(Vec::new());
            }
            format!("{log:#}\n")
        }
        Format::Junit => {
            let is_kept_rule = |line: &&str| line.ends_with("\"/>") && !line.contains("coverage");
            let lines = text.lines().filter(|line| !is_kept_rule(line));
            let lines = lines.map(|line| match line.split_once(" tests=\"") {
                Some((head, rest)) => format!("{head} tests=…{}\n", rest.trim_start_matches(|c: char| c != ' ')),
                None => format!("{line}\n"),
            });
            lines.collect()
        }
        // How the page looks is looked at, in a browser.
        Format::Html => ["style", "script"].into_iter().fold(text, |text, tag| {
            let (head, rest) = text.split_once(&format!("<{tag}>")).unwrap();
            let (_, tail) = rest.split_once(&format!("</{tag}>")).unwrap();
            let policy = head.lines().filter(|line| !line.contains("Content-Security-Policy"));
            let head: String = policy.map(|line| format!("{line}\n")).collect();
            format!("{head}<{tag}>…</{tag}>{tail}")
        }),
        _ => text,
    }
}

#[test]
fn the_same_report_is_written_the_same_way() {
    for format in Format::ALL {
        assert_eq!(write(&drifted(), *format), write(&drifted(), *format));
    }
}

#[test]
fn sarif_satisfies_its_schema_and_what_code_scanning_asks_for() {
    for report in samples() {
        let log = write_json(&report, Format::Sarif);
        assert_valid(SARIF, &log);
        for run in log["runs"].as_array().unwrap() {
            assert!(run["automationDetails"]["id"].as_str().unwrap().ends_with('/'));
            for result in run["results"].as_array().unwrap() {
                let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
                assert_eq!(rule["id"], result["ruleId"]);
                let region = &result["locations"][0]["physicalLocation"]["region"];
                for key in ["startLine", "startColumn", "endLine", "endColumn"] {
                    assert!(region[key].as_u64().unwrap() >= 1, "{key}");
                }
                assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            }
        }
    }
    let mut broken = write_json(&drifted(), Format::Sarif);
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator(SARIF).is_valid(&broken));
}

#[test]
fn sarif_has_a_run_for_each_checked_target_and_none_for_the_others() {
    let log = write_json(&drifted(), Format::Sarif);
    let runs = log["runs"].as_array().unwrap();
    let names: Vec<&str> = runs
        .iter()
        .map(|run| run["automationDetails"]["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "seadrift/prod/notification/notification/",
            "seadrift/staging/notification/"
        ]
    );
    assert_eq!(runs[0]["results"].as_array().unwrap().len(), 4);
    assert_eq!(
        runs[1]["results"],
        serde_json::json!([]),
        "what was mended is closed by an empty run"
    );
    assert_eq!(write_json(&awkward(), Format::Sarif)["runs"], serde_json::json!([]));
}

#[test]
fn gitlab_satisfies_its_schema_and_no_two_entries_fall_into_one() {
    for report in samples() {
        let entries = write_json(&report, Format::Gitlab);
        assert_valid(GITLAB, &entries);
        let entries = entries.as_array().unwrap();
        let mut identities: Vec<&str> = entries.iter().map(|e| e["fingerprint"].as_str().unwrap()).collect();
        identities.sort_unstable();
        identities.dedup();
        assert_eq!(identities.len(), entries.len());
    }
}

#[test]
fn identities_do_not_change_with_the_place_in_the_spec_or_the_value_that_is_found() {
    let identities = |change: fn(&mut seadrift::finding::Finding)| {
        let mut all = findings();
        all.iter_mut().for_each(change);
        let report = mixed(Verdict {
            findings: all,
            ..Verdict::default()
        });
        let log = write_json(&report, Format::Sarif);
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        let entries = write_json(&report, Format::Gitlab).as_array().unwrap().clone();
        let lasting = results.into_iter().map(|result| result["partialFingerprints"].clone());
        lasting
            .chain(entries.into_iter().map(|entry| entry["fingerprint"].clone()))
            .collect::<Vec<_>>()
    };
    let before = identities(|_| {});
    assert_eq!(
        before,
        identities(|finding| {
            finding.location = location(99, 3, 4);
            finding.found = Some("something else".into());
        })
    );
    let other = identities(|finding| {
        finding.object = table().column("Other");
        finding.fingerprint =
            seadrift::finding::fingerprint(&finding.rule, "notification", "notification", &finding.object);
    });
    let common = before.iter().filter(|identity| other.contains(identity)).count();
    assert_eq!(common, 1, "only the target that was not checked is the same");
}

#[test]
fn junit_satisfies_its_schema_and_counts_what_it_holds() {
    for report in samples() {
        let text = write(&report, Format::Junit);
        assert_eq!(xsd::problems(JUNIT, &text), Vec::<String>::new(), "{text}");
        let document = roxmltree::Document::parse(&text).unwrap();
        for suite in document.descendants().filter(|node| node.has_tag_name("testsuite")) {
            let number = |name: &str| {
                suite
                    .descendants()
                    .filter(|node| node.has_tag_name(name))
                    .count()
                    .to_string()
            };
            for (attribute, element) in [
                ("tests", "testcase"),
                ("failures", "failure"),
                ("errors", "error"),
                ("skipped", "skipped"),
            ] {
                assert_eq!(
                    suite.attribute(attribute),
                    Some(number(element).as_str()),
                    "{attribute}"
                );
            }
            let mut names: Vec<_> = suite.children().filter_map(|case| case.attribute("name")).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "of two cases with one name the first is kept");
        }
    }
}

/// Returns the cases of a target that pass.
fn passing(report: &Report, target: &str) -> Vec<String> {
    let text = write(report, Format::Junit);
    let document = roxmltree::Document::parse(&text).unwrap();
    let cases = document
        .descendants()
        .filter(|node| node.attribute("classname") == Some(target));
    let fails = |node: &roxmltree::Node<'_, '_>| {
        node.children()
            .any(|child| matches!(child.tag_name().name(), "failure" | "error" | "skipped"))
    };
    let passing = cases.filter(|case| !fails(case));
    passing.map(|case| case.attribute("name").unwrap().to_owned()).collect()
}

#[test]
fn junit_lets_a_rule_pass_only_where_everything_was_seen_and_it_says_nothing() {
    let report = drifted();
    let clean = passing(&report, "staging");
    assert!(
        !clean.contains(&"R008 retention-overdue".to_owned()),
        "rows were not looked at"
    );
    assert!(clean.contains(&"R001 retention-missing".to_owned()), "{clean:?}");
    let mut with_rows = report.clone();
    for target in &mut with_rows.targets {
        target.coverage.row_tables = 1;
    }
    assert_eq!(passing(&with_rows, "staging").len(), 1 + RULES.len());
    assert_eq!(passing(&report, "dr/notification"), Vec::<String>::new());
    let some = passing(&report, "prod/notification");
    assert!(some.contains(&"I001 primary-key".to_owned()), "{some:?}");
    assert!(!some.iter().any(|name| name.contains("I002 ")), "{some:?}");
    assert!(
        !some.iter().any(|name| name.starts_with('W')),
        "the write path could not be looked at: {some:?}"
    );
    assert_eq!(
        passing(&awkward(), "notification").len(),
        2,
        "findings that do not count, and no rule"
    );
}

#[test]
fn junit_fails_for_what_counts_for_the_exit_code() {
    for (least, failures) in [(Some(Severity::Critical), 1), (Some(Severity::Info), 4), (None, 0)] {
        let mut report = drifted();
        report.run.fail_on = least;
        let text = write(&report, Format::Junit);
        assert_eq!(text.matches("<failure").count(), failures, "{least:?}");
    }
    let mut report = drifted();
    report.run.allow_incomplete = true;
    let text = write(&report, Format::Junit);
    assert_eq!(
        (text.matches("<error").count(), text.matches("<skipped").count()),
        (0, 2),
        "the target that was not checked, and a risk"
    );
}

#[test]
fn lines_of_json_hold_what_the_result_holds() {
    let text = write(&excused(), Format::Jsonl);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let result = serde_json::to_value(excused()).unwrap();
    let strip = |mut line: Value| {
        line.as_object_mut().unwrap().remove("type").unwrap();
        line
    };
    let of = |kind: &str| {
        let lines = lines.iter().filter(|line| line["type"] == kind);
        lines.cloned().map(strip).collect::<Vec<_>>()
    };
    assert_eq!(&of("finding"), result["findings"].as_array().unwrap());
    assert_eq!(&of("target"), result["targets"].as_array().unwrap());
    assert_eq!(&of("waiver"), result["waivers"].as_array().unwrap());
    assert_eq!(of("baseline"), [result["baseline"].clone()]);
    assert_eq!(of("summary"), [result["summary"].clone()]);
    assert_eq!(of("run")[0]["exit_code"], 5);
    assert_eq!(lines[0]["schema_version"], result["schema_version"]);
}

#[test]
fn metrics_claim_no_zero_for_a_target_that_was_not_checked() {
    let text = write(&drifted(), Format::Prometheus);
    let of = |target: &str| {
        let start = format!("seadrift_findings{{target=\"{target}\"");
        text.lines().filter(|line| line.starts_with(&start)).count()
    };
    assert_eq!(
        (of("prod/notification"), of("staging"), of("dr/notification")),
        (4, 4, 0)
    );
    assert!(!text.contains("last_complete_run"), "the run is not complete");
    let clean = one(catalog(&["ProcessedIntegrationEvents"]), Verdict::default(), policy());
    let text = write(&clean, Format::Prometheus);
    assert!(
        text.contains("\nseadrift_last_complete_run_timestamp_seconds 1767225601\n"),
        "{text}"
    );
    assert!(text.contains("\nseadrift_run_duration_seconds 1\n"), "{text}");
}

#[test]
fn a_target_that_was_not_checked_is_as_loud_as_drift() {
    let report = drifted();
    for format in [Format::Github, Format::Azure] {
        let text = write(&report, format);
        let first = text.lines().next().unwrap();
        assert!(first.contains("error") && first.contains("dr/notification"), "{first}");
    }
    let entries = write_json(&report, Format::Gitlab);
    assert_eq!(entries[0]["severity"], "critical");
    let text = write(&report, Format::Markdown);
    let (missing, findings) = (
        text.find("#### Not checked").unwrap(),
        text.find("| severity |").unwrap(),
    );
    assert!(missing < findings);
}

#[test]
fn an_excused_finding_stays_visible_where_its_reader_can_tell_it_from_an_open_one() {
    let report = excused();
    let excuse = "waived by W-1 until 2026-01-09";
    for (format, said) in [
        (Format::Text, excuse),
        (Format::Junit, excuse),
        (Format::Json, "\"expires\": \"2026-01-09\""),
        (Format::Concise, "(prod/notification, excused)"),
        (Format::Markdown, "error, excused C005"),
        (
            Format::Prometheus,
            "seadrift_waivers{target=\"prod/notification\",service=\"notification\",database=\"notification\",state=\"stale\"} 1",
        ),
    ] {
        let text = write(&report, format);
        assert!(text.contains(said), "{}: {text}", format.as_str());
    }
    // Those who do not know excuses would take it for open.
    for format in [Format::Sarif, Format::Gitlab, Format::Github, Format::Azure] {
        assert!(!write(&report, format).contains("C005"), "{}", format.as_str());
    }
    for format in Format::ALL
        .iter()
        .filter(|format| **format != Format::Prometheus && **format != Format::Concise)
    {
        let text = write(&report, *format);
        let lapsed = text.contains("expired 3 days ago") || text.contains("expired_waiver");
        assert!(lapsed, "what counts again says so in {}", format.as_str());
    }
}
