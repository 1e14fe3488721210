//! The format of a file of waivers as data.

use serde_json::Value;

use crate::yaml::grammar::{Block, Form, key, required};

/// The whole file.
pub(super) static FILE: Block = Block {
    name: "a file of waivers",
    about: "Written exceptions from findings of seadrift.",
    keys: &[
        required("version", Form::Version, "The version of the format: 1."),
        required("waivers", Form::Items(&Form::Block(&WAIVER)), "The exceptions."),
    ],
    one_of: &[],
};

/// One exception.
pub(super) static WAIVER: Block = Block {
    name: "a waiver",
    about: "An exception for one observed value of one object. It matches what it names and nothing else.",
    keys: &[
        required("id", Form::Name, "A name of its own, for reports and reviews."),
        required("rule", Form::Name, "The rule's name: `column-length`."),
        required("target", Form::Name, "The target's name as reports print it."),
        required(
            "object",
            Form::Name,
            "The object as reports print it: `public.ProcessedIntegrationEvents.EventType`.",
        ),
        key(
            "found",
            Form::Constant,
            "The observed value that is excused, as the report prints it. Left out only where the report prints none.",
        ),
        required("owner", Form::Text, "Who answers for it."),
        required("reason", Form::Text, "Why the drift may stay for now, in a sentence."),
        key("ticket", Form::Text, "Where its repair is planned."),
        key("created", Form::Date, "When it was written: `2026-07-21`."),
        required(
            "expires",
            Form::Date,
            "The last day on which it holds, in UTC: `2026-12-31`.",
        ),
    ],
    one_of: &[],
};

/// Every block; the first one is the file.
pub(super) static BLOCKS: [&Block; 2] = [&FILE, &WAIVER];

/// Makes the JSON Schema of files of waivers.
pub fn json_schema() -> Value {
    crate::yaml::json_schema("seadrift waivers", &BLOCKS)
}
