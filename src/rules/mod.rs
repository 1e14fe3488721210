//! Judgement: one file and one Markdown page per rule.
//!
//! Walkers pair, rules compare: a rule gets one pair, a [`Context`] and a [`Sink`] that is bound to its code. It
//! cannot forget its place in the spec and does not see configuration. No rule matches on the dialect.
//!
//! To add a rule: one file with its `RULE` and the drift that the self-test plants for it, one page beside it, its
//! tests in the file, and two lines here.

mod admission;
mod check_differs;
mod check_extra;
mod column_collation;
mod column_default;
mod column_extra;
mod column_generated;
mod column_identity;
mod column_invisible;
mod column_length;
mod column_missing;
mod column_nullability;
mod column_on_update;
mod column_precision;
mod column_type;
mod consequence;
mod data;
mod duplicate_events;
mod engine;
mod foreign_key_extra;
mod index_differs;
mod index_extra;
mod index_ignored;
mod index_leftover;
mod index_missing;
mod index_redundant;
mod leftover;
mod name_differs;
mod nil_event_id;
mod not_a_table;
mod plant;
mod primary_key;
mod repair;
mod retention;
mod retention_boundary;
mod retention_differs;
mod retention_disabled;
mod retention_failing;
mod retention_missing;
mod retention_overdue;
mod retention_partial;
mod retention_too_short;
mod retention_unsafe;
mod same_name_elsewhere;
mod selftest;
mod table_engine;
mod table_extra;
mod table_inheritance;
mod table_missing;
mod table_not_durable;
mod table_partitioned;
mod table_shadowed;
#[cfg(test)]
mod testing;
mod trigger_body;
mod trigger_disabled;
mod trigger_effect;
mod type_fit;
mod unique_invalid;
mod unique_missing;
mod unique_stricter;
mod unique_weaker;
mod unused_has_rows;
mod value_not_allowed;
mod wording;
mod write_path;
mod write_path_partitions;

pub(crate) use trigger_body::{always_refuses, can_delete, can_keep_rows, keeps_every_row};

pub use engine::{Check, Context, Draft, Rule, Sink, Unconfirmed, Unverified, Verdict, check};
pub use plant::{Ground, Plant};
pub use selftest::{Outcome, SelfTest, Trial, clean_spec, self_test};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &[
    &column_missing::RULE,
    &column_extra::RULE,
    &column_type::RULE,
    &column_length::RULE,
    &column_precision::RULE,
    &column_nullability::RULE,
    &column_default::RULE,
    &column_generated::RULE,
    &column_identity::RULE,
    &column_on_update::RULE,
    &column_collation::RULE,
    &column_invisible::RULE,
    &duplicate_events::RULE,
    &value_not_allowed::RULE,
    &nil_event_id::RULE,
    &unused_has_rows::RULE,
    &primary_key::RULE,
    &unique_missing::RULE,
    &unique_weaker::RULE,
    &unique_stricter::RULE,
    &unique_invalid::RULE,
    &index_missing::RULE,
    &index_differs::RULE,
    &index_ignored::RULE,
    &index_extra::RULE,
    &index_redundant::RULE,
    &index_leftover::RULE,
    &name_differs::RULE,
    &retention_missing::RULE,
    &retention_disabled::RULE,
    &retention_failing::RULE,
    &retention_too_short::RULE,
    &retention_boundary::RULE,
    &retention_differs::RULE,
    &retention_partial::RULE,
    &retention_overdue::RULE,
    &retention_unsafe::RULE,
    &table_missing::RULE,
    &not_a_table::RULE,
    &table_shadowed::RULE,
    &same_name_elsewhere::RULE,
    &table_engine::RULE,
    &table_not_durable::RULE,
    &table_partitioned::RULE,
    &table_inheritance::RULE,
    &table_extra::RULE,
    &check_extra::RULE,
    &check_differs::RULE,
    &foreign_key_extra::RULE,
    &write_path::RULE,
    &trigger_disabled::RULE,
];

/// Finds a rule by its name or code, in any letter case.
pub fn find(name_or_code: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.name.eq_ignore_ascii_case(name_or_code) || rule.code.eq_ignore_ascii_case(name_or_code))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    const HEADINGS: [&str; 4] = [
        "## What it checks",
        "## Why it matters",
        "## How to fix it",
        "## Example",
    ];

    fn room() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules")
    }

    #[test]
    fn codes_ascend_and_names_are_unique() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code), "codes ascend strictly");
        let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
    }

    #[test]
    fn a_rule_is_found_by_name_and_by_code() {
        for rule in RULES {
            assert!(std::ptr::eq(find(rule.name).unwrap(), *rule));
            assert!(std::ptr::eq(find(&rule.code.to_lowercase()).unwrap(), *rule));
        }
        assert!(find("no-such-rule").is_none());
    }

    #[test]
    fn every_rule_has_its_file_and_its_page() {
        for rule in RULES {
            let stem = rule.name.replace('-', "_");
            assert!(room().join(format!("{stem}.rs")).is_file(), "{stem}.rs");
            let page = std::fs::read_to_string(room().join(format!("{stem}.md"))).unwrap();
            assert_eq!(page, rule.page, "{stem}.md is the page of {}", rule.name);
        }
    }

    #[test]
    fn every_page_belongs_to_a_rule() {
        for entry in std::fs::read_dir(room()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                let name = path.file_stem().unwrap().to_str().unwrap().replace('_', "-");
                assert!(RULES.iter().any(|rule| rule.name == name), "{name} is a rule");
            }
        }
    }

    #[test]
    fn every_page_has_the_four_headings_and_something_below_each() {
        for rule in RULES {
            let headings: Vec<&str> = rule.page.lines().filter(|line| line.starts_with("## ")).collect();
            assert_eq!(headings, HEADINGS, "{}", rule.name);
            for section in rule.page.split("\n## ").skip(1) {
                let (heading, body) = section.split_once('\n').unwrap();
                assert!(body.trim().len() > 40, "{}: nothing below {heading}", rule.name);
            }
        }
    }

    #[test]
    fn every_example_ends_in_the_finding() {
        for rule in RULES {
            let (_, example) = rule.page.split_once("## Example").unwrap();
            let texts: Vec<&str> = example.split("```text\n").skip(1).collect();
            assert!(!texts.is_empty(), "{}: nothing is said", rule.name);
            for text in texts {
                let (said, _) = text.split_once("```").unwrap();
                let own = format!("[{}] {}: ", rule.code, rule.name);
                assert!(said.lines().any(|line| line.contains(&own)), "{}: {said}", rule.name);
            }
        }
    }

    #[test]
    fn summaries_are_fragments() {
        for rule in RULES {
            let first = rule.summary.chars().next().unwrap();
            assert!(first.is_lowercase() && !rule.summary.ends_with('.'), "{}", rule.name);
        }
    }
}
