//! A run over files: order, progress, parts, and what is equal.

use serde_json::Value;

use crate::harness::drifted::without_times;
use crate::place::Fleet;

/// Twelve files, two of which lack the guard.
fn dozen() -> Fleet {
    let mut fleet = Fleet::new();
    // Not in the order of their names.
    for number in [7, 3, 11, 0, 9, 1, 5, 2, 10, 8, 4, 6] {
        fleet.add_file(&format!("prod/t{number:02}"));
        if number == 4 || number == 9 {
            fleet.break_last();
        }
    }
    fleet
}

#[test]
fn the_result_does_not_depend_on_how_much_is_done_at_once() {
    let fleet = dozen();
    let of = |jobs: &str| without_times(&fleet.check(&["--jobs", jobs, "--jobs-per-server", jobs]).report);
    let one = of("1");
    assert_eq!(of("12"), one);
    let names: Vec<&Value> = one["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| &target["name"])
        .collect();
    let wanted: Vec<Value> = (0..12).map(|number| format!("prod/t{number:02}").into()).collect();
    assert_eq!(names, wanted.iter().collect::<Vec<_>>());
    assert_eq!(one["run"]["exit_code"], 1);
}

#[test]
fn what_is_equal_is_said_once_and_the_odd_ones_are_named() {
    let fleet = dozen();
    let ran = fleet.check(&[]);
    let standings = ran.report["fleet"]["standings"].as_array().unwrap();
    let sizes: Vec<usize> = standings
        .iter()
        .map(|s| s["targets"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [2, 10]);
    assert_eq!(standings[0]["targets"], serde_json::json!(["prod/t04", "prod/t09"]));
    let text = String::from_utf8(fleet.run(&["check"]).stdout).unwrap();
    assert!(
        text.contains("\nasset: 12 targets\n   2  1 critical") && text.contains("\n  10  1 info: column-collation "),
        "{text}"
    );
    assert_eq!(text.matches("critical[").count(), 1, "{text}");
    assert!(text.contains("targets:  2: prod/t04, prod/t09\n"), "{text}");
}

#[test]
fn parts_that_machines_share_merge_to_the_whole() {
    let fleet = dozen();
    let whole = without_times(&fleet.check(&[]).report);
    let mut names = Vec::new();
    let mut targets = 0;
    for part in 1..=3 {
        let ran = fleet.check(&["--shard", &format!("{part}/3")]);
        targets += ran.report["targets"].as_array().unwrap().len();
        let name = format!("part{part}.json");
        std::fs::write(fleet.path(&name), ran.report.to_string()).unwrap();
        names.push(name);
    }
    assert_eq!(targets, 12, "each target is in one part");
    let merge = |names: &[String]| {
        let mut args = vec!["merge", "--format", "json"];
        args.extend(names.iter().map(String::as_str));
        fleet.run(&args)
    };
    let merged = merge(&names);
    assert_eq!(merged.status.code(), Some(1));
    assert_eq!(without_times(&serde_json::from_slice(&merged.stdout).unwrap()), whole);
    let short = merge(&names[..2]);
    let said = String::from_utf8_lossy(&short.stderr);
    assert_eq!(short.status.code(), Some(2), "{said}");
    assert!(said.contains("part 3/3 is missing"), "{said}");
}

#[test]
fn a_part_without_a_target_is_no_failure_and_claims_nothing() {
    let mut fleet = Fleet::new();
    fleet.add_file("only");
    let codes: Vec<Option<i32>> = (1..=4)
        .map(|part| {
            let output = fleet.run(&["check", "--shard", &format!("{part}/4")]);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(
                text.contains("1 target checked") != text.contains("nothing to check: "),
                "{text}"
            );
            output.status.code()
        })
        .collect();
    assert_eq!(codes, [Some(0); 4]);
}

#[test]
fn progress_is_a_line_per_target_where_there_are_several() {
    let fleet = dozen();
    let lines = |args: &[&str]| {
        let output = fleet.run(&[&["check", "--report", "json=out.json"], args].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        text.lines()
            .filter(|line| line.contains("/12 "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let told = lines(&["--jobs", "1"]);
    assert_eq!(told.len(), 12, "{told:?}");
    assert!(told.contains(&" 1/12 prod/t07: 1 info".to_owned()), "{told:?}");
    assert!(
        told.iter().any(|line| line.ends_with("prod/t09: 1 critical, 1 info")),
        "{told:?}"
    );
    assert_eq!(lines(&["--quiet"]), [""; 0]);
    let one = fleet.run(&["check", "prod/t07"]);
    assert_eq!(String::from_utf8_lossy(&one.stderr), "");
}

#[test]
fn a_diff_that_many_share_is_shown_once() {
    let fleet = dozen();
    let output = fleet.run(&["diff"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("+++ ").count(), 1, "{text}");
    assert!(text.contains("+++ prod/t04, prod/t09 (sqlite "), "{text}");
}
