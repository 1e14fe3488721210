//! What the readers of each format take at most.

use seadrift::report::{Format, Report, SUMMARY, Setting, render_markdown};
use seadrift::text::Text;

use crate::formats::{write, write_json};
use crate::sample::*;

#[test]
fn sarif_keeps_the_worst_results_that_are_shown_and_says_how_many_are_left_out() {
    let log = write_json(&many(6_000), Format::Sarif);
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 5_000);
    let of = |severity: &str| {
        results
            .iter()
            .filter(|r| r["properties"]["severity"] == severity)
            .count()
    };
    // Of five usual findings two are errors, and one is of each other severity.
    assert_eq!(
        (of("critical"), of("error"), of("warning"), of("info")),
        (1_200, 2_400, 1_200, 200)
    );
    let note = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(note, "1000 results beyond the worst 5000 are left out");
}

#[test]
fn sarif_takes_more_files_for_more_targets_than_code_scanning_reads_in_one() {
    let mut report = drifted();
    let clean = report
        .targets
        .iter()
        .find(|target| target.name.raw() == "staging")
        .unwrap()
        .clone();
    let part = |report: &Report, part: usize| -> Vec<String> {
        let mut out = Vec::new();
        Format::Sarif
            .write_part(report, part, &Setting::default(), &mut out)
            .unwrap();
        let log: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let ids = log["runs"].as_array().unwrap().iter();
        ids.map(|run| run["automationDetails"]["id"].as_str().unwrap().to_owned())
            .collect()
    };
    // Two of the three were fully checked; the third has no run in any file.
    for (more, sizes) in [(0, &[2][..]), (18, &[20]), (19, &[20, 1]), (40, &[20, 20, 2])] {
        report.targets.truncate(3);
        for i in 0..more {
            let mut target = clean.clone();
            target.name = Text::new(format!("zone-{i}"));
            report.targets.push(target);
        }
        let parts = Format::Sarif.parts(&report);
        let ids: Vec<Vec<String>> = (0..parts).map(|i| part(&report, i)).collect();
        assert_eq!(ids.iter().map(Vec::len).collect::<Vec<_>>(), sizes);
        let whole = write_json(&report, Format::Sarif);
        let all = whole["runs"].as_array().unwrap().iter();
        let all: Vec<&str> = all
            .map(|run| run["automationDetails"]["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids.concat(), all, "one stream has them all");
    }
    for format in Format::ALL.iter().filter(|format| **format != Format::Sarif) {
        assert_eq!(format.parts(&report), 1, "{}", format.as_str());
    }
}

#[test]
fn a_pipeline_gets_ten_annotations_of_a_level_and_is_told_of_the_rest() {
    let text = write(&many(100), Format::Github);
    for (level, rest) in [("error", 52), ("warning", 11), ("notice", 11)] {
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with(&format!("::{level} "))).collect();
        assert_eq!(lines.len(), 10, "{level}");
        assert!(lines[9].contains(&format!("title=and {rest} more")), "{}", lines[9]);
    }
    let first: Vec<&str> = text.lines().take(3).collect();
    assert!(first[0].contains("not checked"), "{}", first[0]);
    assert!(first[1].contains("critical"), "{}", first[1]);
    // Ten fit without a word about others.
    let text = write(&many(10), Format::Github);
    assert!(!text.contains("more"), "{text}");
    let text = write(&many(100), Format::Azure);
    assert_eq!(text.lines().count(), 30);
}

#[test]
fn markdown_fits_into_a_comment_and_into_a_summary() {
    let report = many(10_000);
    let comment = write(&report, Format::Markdown);
    assert!(comment.len() <= 60_000, "{}", comment.len());
    assert!(comment.len() > 50_000, "the room is used: {}", comment.len());
    let summary = render_markdown(&report, &Setting::default(), SUMMARY);
    assert!(
        summary.len() <= 900 * 1024 && summary.len() > 800 * 1024,
        "{}",
        summary.len()
    );
    for text in [comment, summary] {
        assert!(text.contains("*and 9975 more, below as far as there is room*"));
        assert!(text.contains(" more, which have no room here*"));
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
        let verdict = text.lines().next().unwrap();
        assert_eq!(verdict, "### seadrift: drift, and incomplete");
    }
}

#[test]
fn one_endless_text_does_not_push_everything_else_out() {
    let mut report = drifted();
    report.findings[0].found = Some(Text::new("x".repeat(1_000_000)));
    report.findings[0].message = Text::new("`".repeat(1_000_000));
    let comment = write(&report, Format::Markdown);
    assert!(comment.len() <= 60_000);
    assert!(
        comment.contains("<code>varchar(100)</code>"),
        "the next finding is there"
    );
    assert!(write(&report, Format::Junit).len() < 50_000);
}

#[test]
fn junit_stays_below_what_a_job_may_upload() {
    let mut report = many(6_000);
    for finding in &mut report.findings {
        finding.help = Text::new("é".repeat(3_000));
    }
    let text = write(&report, Format::Junit);
    assert!(text.len() < 30_000_000, "{}", text.len());
    assert_eq!(text.matches("more findings are in the other reports").count(), 1);
    assert!(text.contains("1000 more findings"));
}

#[test]
fn gitlab_and_the_result_hold_everything() {
    let report = many(6_000);
    assert_eq!(write_json(&report, Format::Gitlab).as_array().unwrap().len(), 6_001);
    assert_eq!(write(&report, Format::Concise).lines().count(), 6_003);
    assert_eq!(write(&report, Format::Jsonl).lines().count(), 1 + 3 + 6_000 + 1);
}
