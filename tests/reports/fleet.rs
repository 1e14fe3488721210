//! The answer for many targets: what is equal is said once, and the odd ones out are named.

use std::collections::BTreeSet;

use seadrift::catalog::{Error, ErrorKind};
use seadrift::finding::Severity;
use seadrift::fleet::Shard;
use seadrift::report::{self, Format, MergeError, Outcome, Report, Section, Status, Times};
use seadrift::rules::Verdict;

use crate::formats::write;
use crate::sample::*;
use crate::{golden, text};

/// What is wrong with a target of the sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Equal,
    LacksIndex,
    LacksIndexAndNarrow,
    Down,
}

/// How the sample's targets are: 200 tenants, of which few are odd.
fn state(number: usize) -> State {
    match number {
        77 => State::Down,
        42 => State::LacksIndexAndNarrow,
        n if n % 17 == 3 && n > 3 => State::LacksIndex,
        _ => State::Equal,
    }
}

/// The section of one tenant, in a namespace and a database of its own, as on MySQL.
fn section(number: usize, state: State) -> Section {
    let tenant = format!("tenant_{number:04}");
    let mut target = target(&format!("prod/{tenant}"));
    target.service = "notification".to_owned();
    target.namespace = Some(tenant.clone());
    let spec = spec(&["ProcessedIntegrationEvents"]);
    let mut seen = catalog(&["ProcessedIntegrationEvents"]);
    seen.namespace.name = Some(tenant.clone());
    seen.server.database = tenant.clone();
    let of = |mut made: seadrift::finding::Finding| {
        made.target = target.name.as_str().into();
        made.object.namespace = Some(tenant.clone());
        made
    };
    let table = || seadrift::schema::ObjectPath::table(None, "ProcessedIntegrationEvents");
    let lacks = || {
        let object = table().index("IX_ProcessedEvents_Correlation");
        let mut made = of(finding(
            ("index-missing", "I010"),
            Severity::Warning,
            object,
            location(13, 7, 30),
            "",
        ));
        made.message = format!("no index serves look-ups by `CorrelationId` in `{tenant}`").into();
        made.help = format!("CREATE INDEX … ON `{tenant}`.`ProcessedIntegrationEvents` …").into();
        made
    };
    let narrow = || {
        let object = table().column("EventType");
        of(finding(
            ("column-length", "C005"),
            Severity::Error,
            object,
            location(8, 30, 12),
            "the column is narrow",
        ))
    };
    let findings = match state {
        State::LacksIndex => vec![lacks()],
        State::LacksIndexAndNarrow => vec![lacks(), narrow()],
        State::Equal | State::Down => Vec::new(),
    };
    let verdict = Verdict {
        findings,
        ..Verdict::default()
    };
    let result = match state {
        State::Down => Err(Error::new(
            ErrorKind::Unreachable,
            "Nothing listens there.",
            "Start the server.",
        )),
        _ => Ok((seen, verdict)),
    };
    Section::new(Outcome {
        target: &target,
        spec: &spec,
        result,
    })
}

fn join(sections: Vec<Section>, shard: Option<Shard>) -> Report {
    let times = Times {
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        finished_at: "2026-01-01T00:00:01.000Z".to_owned(),
    };
    let mut report = report::join(sections, shard, policy(), times);
    report.tool.version = "0.0.0".to_owned();
    report
}

fn fleet_of(count: usize) -> Report {
    join((0..count).map(|number| section(number, state(number))).collect(), None)
}

#[test]
fn the_text_of_two_hundred_targets_is_one_page() {
    let report = fleet_of(200);
    let mut look = report::Look {
        width: 100,
        ..report::Look::default()
    };
    let page = report::render_text(&report, &look);
    golden("tests/reports/fleet.txt", &page);
    // Whoever asks for every name gets them.
    look.verbose = true;
    let all = report::render_text(&report, &look);
    assert!(all.contains("prod/tenant_0199") && !page.contains("prod/tenant_0199"));
}

#[test]
fn the_page_does_not_grow_with_the_targets() {
    for format in [Format::Text, Format::Markdown] {
        let (small, large) = (write(&fleet_of(200), format), write(&fleet_of(1_000), format));
        let lines = |text: &str| text.lines().count();
        assert!(
            lines(&large) <= lines(&small) + 5,
            "{format:?}: {} and {}",
            lines(&small),
            lines(&large)
        );
    }
}

#[test]
fn every_odd_one_is_named_in_every_format_for_people() {
    let report = fleet_of(200);
    for format in [Format::Text, Format::Markdown, Format::Html] {
        let page = write(&report, format);
        for name in ["prod/tenant_0077", "prod/tenant_0042"] {
            assert!(page.contains(name), "{name} is not in {format:?}");
        }
        // A sentence that is there for each of many targets is no page.
        let said = page.matches("no index serves look-ups").count();
        assert!(format == Format::Html || said <= 3, "{format:?} says it {said} times");
    }
}

#[test]
fn each_target_is_in_one_standing_and_what_several_have_in_one_drift() {
    let report = fleet_of(200);
    let fleet = report.fleet.as_ref().unwrap();
    let sizes: Vec<(Status, usize, u64, usize)> = fleet
        .standings
        .iter()
        .map(|standing| {
            let (shared, own) = (standing.drifts.len(), standing.own);
            (standing.status, shared, own, standing.targets.len())
        })
        .collect();
    let lacking = (0..200).filter(|n| state(*n) == State::LacksIndex).count();
    assert_eq!(
        sizes,
        [
            (Status::Checked, 1, 1, 1),
            (Status::Unreachable, 0, 0, 1),
            (Status::Checked, 1, 0, lacking),
            (Status::Checked, 0, 0, 200 - lacking - 2)
        ]
    );
    let names: BTreeSet<_> = fleet.standings.iter().flat_map(|standing| &standing.targets).collect();
    assert_eq!(names.len(), 200);
    let drifts: Vec<(&str, usize)> = fleet
        .drifts
        .iter()
        .map(|drift| (drift.rule.as_str(), drift.targets.len()))
        .collect();
    assert_eq!(drifts, [("index-missing", lacking + 1)]);
}

#[test]
fn the_page_names_the_worst_of_a_group_and_counts_the_others() {
    for (findings, more) in [
        (5, None),
        (6, Some("and 1 more, below")),
        (40, Some("and 35 more, below")),
    ] {
        let mut drifted = section(1, State::LacksIndex);
        let one = drifted.findings[0].clone();
        drifted.findings = (0..findings)
            .map(|n| {
                let mut finding = one.clone();
                finding.object.table = format!("T{n}");
                finding.fingerprint = format!("{n:016}");
                finding
            })
            .collect();
        let equal = (2..5).map(|number| section(number, State::Equal));
        let page = write(
            &join(std::iter::once(drifted).chain(equal).collect(), None),
            Format::Html,
        );
        let (_, group) = page.split_once("What is equal").unwrap();
        let (group, _) = group.split_once("</section>").unwrap();
        assert_eq!(
            group.matches("<li>").count(),
            findings.min(5) + usize::from(more.is_some())
        );
        assert_eq!(more.is_some(), group.contains(" more, below"), "{group}");
        assert!(more.is_none_or(|more| group.contains(more)), "{group}");
    }
}

#[test]
fn targets_of_which_hardly_any_are_equal_have_a_line_each_and_no_group() {
    let states = [State::Equal, State::LacksIndex, State::LacksIndexAndNarrow];
    let odd = |count: usize| join((0..count).map(|n| section(n, states[n % 3])).collect(), None);
    // Three of three stand alone; of six, each two stand equally.
    for (count, in_groups) in [(3, false), (6, true)] {
        let report = odd(count);
        let page = write(&report, Format::Html);
        assert_eq!(page.contains("What is equal"), in_groups);
        let comment = write(&report, Format::Markdown);
        assert_eq!(comment.contains("what holds for all of them"), in_groups);
        assert_ne!(comment.contains("| target | server |"), in_groups, "never both");
        let text = text(&report, 100);
        assert_eq!(text.contains("\nnotification: 6 targets\n"), in_groups);
        let line = "\nprod/tenant_0001  postgres 15.18  1 warning\n";
        assert_eq!(text.contains(line), !in_groups, "{text}");
    }
}

#[test]
fn annotations_say_once_what_is_equal_and_neither_drift_nor_the_unseen_pushes_the_other_out() {
    let told = write(&fleet_of(200), Format::Github);
    let errors: Vec<&str> = told.lines().filter(|line| line.starts_with("::error ")).collect();
    let warnings: Vec<&str> = told.lines().filter(|line| line.starts_with("::warning ")).collect();
    assert_eq!((errors.len(), warnings.len()), (2, 1), "{told}");
    assert!(errors[0].contains("title=not checked%3A prod/tenant_0077 is unreachable"));
    assert!(
        warnings[0].contains("title=warning[I010] index-missing in 12 targets::"),
        "{told}"
    );
    assert!(warnings[0].contains("prod/tenant_0020, prod/tenant_0037,") && warnings[0].contains(" and 7 more"));
    assert!(warnings[0].contains("%0Awhat is said here is for prod/tenant_0020%0A"));
    // Each target is down for a reason of its own, or drifted in a way of its own.
    for (down, drifted, shown) in [(20, 20, (4, 5)), (2, 20, (2, 7)), (20, 2, (7, 2)), (5, 5, (5, 5))] {
        let mut sections: Vec<Section> = (0..down).map(|n| section(n, State::Down)).collect();
        for (n, section) in sections.iter_mut().enumerate() {
            section.target.unverified[0].reason = format!("Reason {n}.").into();
        }
        sections.extend((down..down + drifted).map(|n| {
            let mut section = section(n, State::LacksIndexAndNarrow);
            section.findings.remove(0);
            section.findings[0].found = Some(format!("varchar({n})").into());
            section
        }));
        let told = write(&join(sections, None), Format::Github);
        let of = |word: &str| told.lines().filter(|line| line.contains(word)).count();
        assert_eq!((of("title=not checked"), of("title=error[C005]")), shown);
        let rest = down + drifted - shown.0 - shown.1;
        assert_eq!(told.contains(&format!("title=and {rest} more")), rest > 0, "{told}");
    }
}

#[test]
fn open_facts_are_told_once_for_all_targets_that_show_the_same() {
    let mut report = fleet_of(30);
    for (n, target) in report.targets.iter_mut().enumerate() {
        let mut open = unconfirmed()[0].clone();
        open.found = (if n == 7 { "nullable" } else { "not null" }).into();
        open.object
            .namespace
            .clone_from(&target.namespace.as_ref().map(|name| name.raw().to_owned()));
        target.unconfirmed = vec![open];
    }
    let page = text(&report, 100);
    assert_eq!(page.matches("  nullability  ").count(), 2, "{page}");
    assert!(page.contains("\n  29 targets: prod/tenant_0000, "), "{page}");
    assert!(page.contains("\n  prod/tenant_0007\n    tenant_0007.ProcessedIntegrationEvents\n      SourceService  "));
}

#[test]
fn the_list_of_many_targets_is_folded_where_groups_say_it() {
    for (count, is_folded) in [(25, false), (26, true)] {
        let page = write(&fleet_of(count), Format::Html);
        let (_, list) = page.split_once("Services and targets</h2>").unwrap();
        let (list, _) = list.split_once("</section>").unwrap();
        assert_eq!(
            list.contains(&format!("<summary>all {count} targets</summary>")),
            is_folded
        );
        assert_eq!(list.matches("<tr>").count(), count + 1, "a line for each, and the head");
    }
}

#[test]
fn equal_findings_with_different_excuses_are_told_apart() {
    let mut report = join((0..4).map(|n| section(n, State::LacksIndex)).collect(), None);
    for (n, finding) in report.findings.iter_mut().enumerate() {
        let mut waiver = waived("", 8);
        waiver.id = format!("W-{n}").into();
        waiver.owner = if n == 3 { "other".into() } else { "team".into() };
        finding.waiver = Some(waiver);
    }
    let page = text(&report, 200);
    assert!(
        page.contains("(prod/tenant_0000, prod/tenant_0001, prod/tenant_0002)"),
        "{page}"
    );
    assert!(page.contains("(prod/tenant_0003)"), "{page}");
    assert_eq!(page.matches("; team: ").count() + page.matches("; other: ").count(), 2);
}

#[test]
fn one_target_alone_is_no_fleet() {
    assert_eq!(fleet_of(1).fleet, None);
    assert!(!write(&fleet_of(1), Format::Json).contains("\"fleet\""));
}

#[test]
fn what_tells_findings_apart_keeps_their_targets_apart() {
    let vary = |change: &dyn Fn(&mut seadrift::finding::Finding)| {
        let mut sections = vec![
            section(1, State::LacksIndexAndNarrow),
            section(2, State::LacksIndexAndNarrow),
        ];
        change(&mut sections[1].findings[0]);
        join(sections, None).fleet.unwrap().standings.len()
    };
    assert_eq!(vary(&|_| {}), 1);
    assert_eq!(vary(&|finding| finding.found = Some("varchar(99)".into())), 2);
    assert_eq!(vary(&|finding| finding.expected = Some("varchar(99)".into())), 2);
    assert_eq!(vary(&|finding| finding.severity = Severity::Critical), 2);
    assert_eq!(vary(&|finding| finding.message = "another".into()), 2);
    assert_eq!(
        vary(&|finding| finding.object.namespace = Some("archive".to_owned())),
        2
    );
    assert_eq!(vary(&|finding| finding.object.table = "Outbox".to_owned()), 2);
    assert_eq!(
        vary(&|finding| finding.help = "another".into()),
        1,
        "help may name the target"
    );
}

#[test]
fn targets_that_were_not_seen_for_different_reasons_stand_apart() {
    let mut sections: Vec<Section> = (0..4).map(|number| section(number, State::Down)).collect();
    for section in &mut sections[2..] {
        section.target.unverified[0].reason = "The password is wrong.".into();
        section.target.reason = Some("The password is wrong.".into());
    }
    let report = join(sections, None);
    let sizes: Vec<usize> = report
        .fleet
        .unwrap()
        .standings
        .iter()
        .map(|standing| standing.targets.len())
        .collect();
    assert_eq!(sizes, [2, 2]);
}

#[test]
fn the_parts_of_a_fleet_merge_to_the_whole() {
    let whole = fleet_of(200);
    let parts: Vec<Report> = (1..=4)
        .map(|index| {
            let shard = Shard { index, count: 4 };
            let all = (0..200).map(|number| section(number, state(number)));
            join(
                all.filter(|section| shard.holds(section.target.name.raw())).collect(),
                Some(shard),
            )
        })
        .collect();
    assert!(
        parts
            .iter()
            .all(|part| part.targets.len() > 20 && part.run.shard.is_some())
    );
    let mut merged = report::merge(parts.clone()).unwrap();
    merged.tool.version.clone_from(&whole.tool.version);
    assert_eq!(merged, whole);
    // Without one of them nobody knows what was not checked.
    let lost = report::merge(parts[1..].to_vec());
    assert_eq!(lost, Err(MergeError::Missing(Shard { index: 1, count: 4 })));
}

#[test]
fn a_part_without_a_target_has_checked_what_it_had_to() {
    let shard = Shard { index: 1, count: 2 };
    let empty = join(Vec::new(), Some(shard));
    assert_eq!((empty.run.exit_code, empty.run.complete), (0, true));
    let last = crate::text(&empty, 100);
    assert!(last.contains("no target") && !last.contains("every fact"), "{last}");
    // All parts together without one are another thing.
    let other = join(Vec::new(), Some(Shard { index: 2, count: 2 }));
    assert_eq!(report::merge(vec![empty, other]), Err(MergeError::Empty));
}

#[test]
fn a_result_of_an_earlier_release_is_summed_up_when_it_is_read() {
    let report = fleet_of(20);
    let mut json = serde_json::to_value(&report).unwrap();
    json.as_object_mut().unwrap().remove("fleet").unwrap();
    assert_eq!(report::read(json.to_string().as_bytes()).unwrap(), report);
    assert!(text(&report, 100).contains("\nnotification: 20 targets\n"));
}
