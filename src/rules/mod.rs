//! Judgement: one file and one Markdown page per rule.
//!
//! Walkers pair, rules compare: a rule gets one pair, a [`Context`] and a [`Sink`] that is bound to its code. It
//! cannot forget its place in the spec and does not see configuration. No rule matches on the dialect.
//!
//! To add a rule: one file with its `RULE`, one page beside it, its cases under `tests/rules/`, and two lines here.

mod check_differs;
mod check_extra;
mod consequence;
mod engine;
mod foreign_key_extra;
mod index_differs;
mod index_extra;
mod index_ignored;
mod index_leftover;
mod index_missing;
mod index_redundant;
mod name_differs;
mod primary_key;
mod trigger_body;
mod trigger_disabled;
mod unique_invalid;
mod unique_missing;
mod unique_stricter;
mod unique_weaker;
mod write_path;

pub use engine::{Check, Context, Draft, Rule, Sink, Unconfirmed, Unverified, Verdict, check};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &[
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
