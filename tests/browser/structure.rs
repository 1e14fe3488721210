//! What a page is made of.

use std::collections::BTreeSet;

use seadrift::finding::Severity;
use seadrift::report::{Format, Report, Setting, render_html};
use seadrift::text::is_deceptive;

use super::{demo, home, sample};

/// Returns the values of an attribute in double quotes, anywhere in a page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let key = format!(" {attribute}=\"");
    let rest = page.split(key.as_str()).skip(1);
    rest.map(|rest| rest.split_once('"').unwrap().0).collect()
}

/// Returns the page without its style and script.
fn body(page: &str) -> &str {
    let body = page.split_once("<body>").unwrap().1;
    body.rsplit_once("<script>").unwrap().0
}

fn all() -> Vec<(&'static str, Report)> {
    vec![
        ("clean", sample::clean()),
        ("demo", demo()),
        ("fleet", sample::fleet()),
        ("hostile", sample::hostile()),
        ("long", sample::long(1_200)),
    ]
}

#[test]
fn the_page_of_a_fleet() {
    let page = render_html(&sample::fleet());
    let path = home().join("fleet.html");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, body(&page)).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    snapbox::assert_data_eq!(body(&page), snapbox::Data::text(expected).raw());
}

#[test]
fn equal_results_give_equal_bytes() {
    for (name, report) in all() {
        let again: Report = serde_json::from_value(serde_json::to_value(&report).unwrap()).unwrap();
        assert!(render_html(&report) == render_html(&again), "{name}");
    }
}

#[test]
fn every_id_is_there_once_and_every_link_leads_to_one() {
    for (name, report) in all() {
        let page = render_html(&report);
        let ids = values(body(&page), "id");
        let distinct: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), distinct.len(), "{name}");
        let links = values(body(&page), "href");
        let (inner, outer): (Vec<&str>, Vec<&str>) = links.into_iter().partition(|link| link.starts_with('#'));
        let lost: Vec<&&str> = inner.iter().filter(|link| !distinct.contains(&link[1..])).collect();
        assert!(lost.is_empty(), "{name}: {lost:?}");
        assert!(
            outer.iter().all(|link| link.starts_with("https://tracker.example/")),
            "{name}: {outer:?}"
        );
        for finding in &report.findings {
            assert!(
                name == "hostile" || distinct.contains(format!("f-{}", finding.fingerprint).as_str()),
                "{name}"
            );
        }
    }
}

#[test]
fn no_character_does_anything_to_a_screen() {
    for (name, report) in all() {
        let page = render_html(&report);
        let bad: BTreeSet<char> = page.chars().filter(|c| *c != '\n' && is_deceptive(*c)).collect();
        assert!(bad.is_empty(), "{name}: {bad:?}");
        assert!(!page.lines().any(|line| line.starts_with("::")), "{name}");
    }
}

/// Counts the elements, told by their start tags.
fn tags(page: &str) -> BTreeSet<String> {
    let starts = page.split('<').skip(1);
    starts
        .map(|tag| tag.split([' ', '>', '\n']).next().unwrap().to_owned())
        .collect()
}

#[test]
fn hostile_text_adds_no_element() {
    let (plain, hostile) = (render_html(&sample::fleet()), render_html(&sample::hostile()));
    let mut known = tags(body(&plain));
    // The mark around a character that is shown, which no plain name needs.
    known.insert("span".to_owned());
    assert_eq!(
        tags(body(&hostile)).difference(&known).collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
    for tag in ["<script", "<style", "<img", "<link", "<base", "<form"] {
        assert_eq!(hostile.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
}

#[test]
fn every_part_of_a_finding_is_on_the_page() {
    let report = sample::fleet();
    let page = render_html(&report);
    let text: String = page
        .split('<')
        .map(|part| part.split_once('>').map_or("", |(_, text)| text))
        .collect();
    for finding in &report.findings {
        let impact = finding.impact.raw().split('`').next().unwrap();
        assert!(text.contains(impact), "{impact}");
        for value in finding.expected.iter().chain(&finding.found) {
            let value = value
                .raw()
                .replace('"', "&quot;")
                .replace('\'', "&#39;")
                .replace("::", ":&#58;");
            assert!(text.contains(&value), "{value}");
        }
        let place = format!("{}:{}", finding.location.file, finding.location.line);
        assert!(text.contains(&place), "{place}");
    }
    for fact in [
        "Reason Widening is queued behind the March release.",
        "Until 2027-02-28, 90 days left",
        "W-2026-003 expired 3 days ago, on 2026-11-27 (owner @team-asset); the finding counts again.",
        "first seen 2026-10-01, 60 days before this run; it is in the baseline",
        "1 active, 1 expired, 1 stale",
        "1 known, 6 new or worse",
        "Nothing is as it says.",
        "lock_timeout = 2s",
    ] {
        assert!(text.contains(fact), "{fact}");
    }
}

#[test]
fn a_finding_shows_its_own_lines_of_the_difference_and_leads_to_all_of_them() {
    let page = render_html(&sample::fleet());
    let card = |id: &str| {
        let start = page.find(&format!("id=\"{id}\"")).unwrap();
        page[start..].split_once("</article>").unwrap().0
    };
    // The unique index and the column of prod-eu/notification.
    let lines = |id: &str, minus: &str, plus: &str| {
        let card = card(id);
        assert!(
            card.contains(&format!("<span class=\"minus\">-  {minus}</span>")),
            "{card}"
        );
        assert!(
            card.contains(&format!("<span class=\"plus\">+  {plus}</span>")),
            "{card}"
        );
        let link = "<a href=\"#dt-prod-eu.notification.0\">all of the table</a>";
        assert!(card.contains(link), "{card}");
        card
    };
    let index = lines(
        &format!("f-{:016x}", 35 * 7919),
        "unique index UX_ProcessedEvents_EventId (EventId)",
        "index UX_ProcessedEvents_EventId (EventId)",
    );
    assert!(
        !index.contains("EventType"),
        "what is about other parts is left out: {index}"
    );
    lines(
        &format!("f-{:016x}", 20 * 7919),
        "EventType varchar(160) not null",
        "EventType varchar(100) not null",
    );
    let whole = page.split_once("id=\"dt-prod-eu.notification.0\"").unwrap().1;
    let whole = whole.split_once("</details>").unwrap().0;
    assert_eq!(whole.matches("class=\"minus\"").count(), 2);
    assert!(whole.contains("<span class=\"same\">   Id uuid not null</span>"));
}

#[test]
fn a_place_links_to_the_web_and_never_to_a_file() {
    let plain = render_html(&sample::fleet());
    assert!(plain.contains("<code>specs/notification.yaml:20</code>"));
    assert!(!plain.contains("specs/notification.yaml#"), "no address is known");
    let setting = Setting {
        source_url: Some("https://forge.example/r/blob/c0ffee/{path}#L{line}"),
        ..Setting::default()
    };
    let mut page = Vec::new();
    Format::Html.write(&sample::fleet(), &setting, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let link = "<a href=\"https://forge.example/r/blob/c0ffee/specs/notification.yaml#L20\" rel=\"noopener \
                noreferrer\"><code>specs/notification.yaml:20</code></a>";
    assert!(page.contains(link));
    assert!(!page.contains("file:"));
}

#[test]
fn headings_go_down_one_step_at_a_time() {
    for (name, report) in all() {
        let page = render_html(&report);
        let mut last = 0;
        for part in body(&page).split("<h").skip(1) {
            let Some(level) = part.chars().next().and_then(|c| c.to_digit(10)) else {
                continue;
            };
            assert!(level <= last + 1, "{name}: h{level} after h{last}");
            last = level;
        }
        assert_eq!(body(&page).matches("<h1>").count(), 1, "{name}");
    }
}

#[track_caller]
fn assert_head(report: &Report, outcome: &str, sentence: &str) {
    let page = render_html(report);
    let head = body(&page).split_once("</header>").unwrap().0;
    let text: String = head
        .split('<')
        .filter_map(|part| Some(part.split_once('>')?.1))
        .collect();
    assert!(text.contains(outcome) && text.contains(sentence), "{text}");
    assert!(page.contains(&format!("<title>{outcome} · seadrift</title>")));
}

#[test]
fn the_head_says_where_every_database_stands() {
    assert_head(
        &sample::fleet(),
        "Drift, and incomplete",
        "3 databases drifted, 1 could not be reached, 1 was not fully checked, 1 has only findings that do not count and 6 \
         are clean. 1 of the drifted ones was not fully checked either.",
    );
    assert_head(&sample::clean(), "Clean", "1 database is clean.");
    let mut lesser = sample::fleet();
    lesser.targets.retain(|target| target.name.raw() == "test/asset");
    lesser.findings.retain(|finding| finding.target.raw() == "test/asset");
    lesser.run.complete = true;
    assert_head(
        &lesser,
        "No drift that counts",
        "1 database has only findings that do not count.",
    );
    lesser.run.fail_on = Some(Severity::Info);
    assert_head(&lesser, "Drift", "1 database drifted.");
    lesser.findings.clear();
    lesser.targets.clear();
    lesser.run.complete = false;
    assert_head(&lesser, "Incomplete", "No database was checked.");
}

#[test]
fn a_finding_of_a_target_without_an_entry_is_not_lost() {
    let mut report = sample::fleet();
    report.targets.clear();
    let page = render_html(&report);
    assert_eq!(body(&page).matches("<article").count(), report.findings.len());
    assert!(body(&page).contains("The result says nothing of this target."));
}

#[test]
fn services_and_places_make_a_table_of_both_where_the_names_say_so() {
    let page = render_html(&sample::fleet());
    let head: String = ["Service", "prod-eu", "prod-us", "staging", "test"]
        .map(|name| format!("<th scope=\"col\">{name}</th>"))
        .concat();
    assert!(body(&page).contains(&head), "a place across, a service down");
    let mut sparse = sample::fleet();
    for (i, target) in sparse.targets.iter_mut().enumerate() {
        target.name = format!("db-{i}").into();
    }
    let page = render_html(&sparse);
    assert!(
        body(&page).contains("<th scope=\"row\">db-11</th><td>payroll</td><td>PostgreSQL 15.18</td>"),
        "a line for each target"
    );
}

#[test]
fn what_was_not_checked_comes_before_everything_else() {
    let page = render_html(&sample::fleet());
    let main = body(&page).split_once("<main>").unwrap().1;
    assert!(main.trim_start().starts_with("<section class=\"unchecked\""), "{main}");
    let section = main.split_once("</section>").unwrap().0;
    for name in ["prod-eu/notification", "prod-us/notification", "prod-us/payroll"] {
        assert!(section.contains(&format!(">{name}</a>")), "{name}");
    }
    assert!(!section.contains("test/asset"), "it was checked");
    assert!(!render_html(&sample::clean()).contains("id=\"not-checked\""));
}

#[test]
fn a_long_list_of_one_target_is_folded() {
    let page = render_html(&sample::long(1_200));
    // Every second one is of the first target.
    assert!(body(&page).contains("<summary>100 more findings of this target</summary>"));
    assert_eq!(body(&page).matches("class=\"more\"").count(), 1);
    assert_eq!(body(&page).matches("<article").count(), 1_200);
    assert!(!body(&page).contains("<details open"), "none is open in a long report");
    assert!(
        render_html(&sample::fleet()).contains("<details open"),
        "those that count are open in a short one"
    );
}
