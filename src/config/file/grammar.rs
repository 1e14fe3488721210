//! The format of `seadrift.yaml` as data.

use serde_json::Value;

use super::model::Engine;
use crate::config::TlsMode;
use crate::finding::Severity;
use crate::rules::RULES;
use crate::yaml::grammar::{Block, Form, Word, Words, key, required, word};

/// The engines by their names.
pub(super) static ENGINES: [Word<Engine>; 4] = [
    word("postgres", Engine::Postgres),
    word("mysql", Engine::MySql),
    word("mariadb", Engine::MariaDb),
    word("sqlite", Engine::Sqlite),
];

pub(super) static TLS_MODES: [Word<TlsMode>; 5] = [
    word("disable", TlsMode::Disable),
    word("prefer", TlsMode::Prefer),
    word("require", TlsMode::Require),
    word("verify-ca", TlsMode::VerifyCa),
    word("verify-full", TlsMode::VerifyFull),
];

/// What a rule's findings count as.
pub(super) static LEVELS: [Word<Option<Severity>>; 5] = [
    word("off", None),
    word("info", Some(Severity::Info)),
    word("warning", Some(Severity::Warning)),
    word("error", Some(Severity::Error)),
    word("critical", Some(Severity::Critical)),
];

/// The least severity that counts as drift.
pub(super) static FAIL_ON: [Word<Option<Severity>>; 5] = [
    word("critical", Some(Severity::Critical)),
    word("error", Some(Severity::Error)),
    word("warning", Some(Severity::Warning)),
    word("info", Some(Severity::Info)),
    word("never", None),
];

/// The names of all rules.
#[derive(Debug)]
struct RuleNames;

impl Words for RuleNames {
    fn names(&self) -> Vec<&'static str> {
        RULES.iter().map(|rule| rule.name).collect()
    }
}

/// The whole file.
pub(super) static FILE: Block = Block {
    name: "the file",
    about: "The databases of an organisation, and how seadrift checks them.",
    keys: &[
        required("version", Form::Version, "The version of the format: 1."),
        key(
            "specs",
            Form::Text,
            "The directory of specs, or one spec file; from the folder of this file. Where nothing is said, `specs`.",
        ),
        key(
            "defaults",
            Form::Block(&DEFAULTS),
            "What holds for every target that says nothing itself, and for the run.",
        ),
        key(
            "rules",
            Form::Chosen(&RuleNames, &Form::Word(&LEVELS)),
            "What the findings of a rule count as, whatever the drift costs: `index-extra: off`.",
        ),
        key(
            "targets",
            Form::Named(&TARGET),
            "The databases by their names in reports: `prod/notification`.",
        ),
    ],
    one_of: &[],
};

/// What holds for all.
pub(super) static DEFAULTS: Block = Block {
    name: "the defaults",
    about: "What holds for every target that says nothing itself, and for the run.",
    keys: &[
        key(
            "fail_on",
            Form::Word(&FAIL_ON),
            "The least severity that counts as drift: `error`.",
        ),
        key(
            "allow_incomplete",
            Form::Boolean,
            "Whether a run passes even though something could not be seen.",
        ),
        key("jobs", Form::Count, "How many targets are looked at at once."),
        key(
            "jobs_per_server",
            Form::Count,
            "How many connections one server gets at once.",
        ),
        key("deadline", Form::Limit, "How long the whole run may take."),
        key(
            "schema",
            Form::Name,
            "The namespace to look in: an SQL schema, on MySQL a database.",
        ),
        key("timeouts", Form::Block(&TIMEOUTS), "How long anything may take."),
        key(
            "tls",
            Form::Block(&TLS),
            "How connections over a network are encrypted.",
        ),
    ],
    one_of: &[],
};

/// Limits of time.
pub(super) static TIMEOUTS: Block = Block {
    name: "timeouts",
    about: "How long anything may take.",
    keys: &[
        key("connect", Form::Limit, "Connecting and logging in: `10s`."),
        key("lock", Form::Limit, "Waiting for somebody else's lock: `2s`."),
        key("statement", Form::Limit, "One statement: `30s`."),
        key("target", Form::Limit, "One target as a whole."),
    ],
    one_of: &[],
};

/// Encryption.
pub(super) static TLS: Block = Block {
    name: "the encryption",
    about: "How a connection is encrypted, and who may answer.",
    keys: &[
        key(
            "mode",
            Form::Word(&TLS_MODES),
            "How much is proved. Where nothing is said `verify-full`, and on this machine `prefer`.",
        ),
        key(
            "ca",
            Form::Text,
            "File of certificate authorities that are trusted beside the system's.",
        ),
        key(
            "cert",
            Form::Text,
            "File of the certificate to log in with; it needs `key`.",
        ),
        key("key", Form::Text, "File of the key of `cert`."),
        key(
            "server_name",
            Form::Text,
            "The name that the server's certificate must have, where a tunnel makes the host another one.",
        ),
    ],
    one_of: &[],
};

/// A source of a secret.
pub(super) static SOURCE: Block = Block {
    name: "a source",
    about: "Where a password or URL comes from. It is obtained anew for each connection.",
    keys: &[
        key("env", Form::Name, "A variable of the environment."),
        key(
            "file",
            Form::Text,
            "A file that holds it and nothing else; its last end of a line does not count.",
        ),
        key(
            "command",
            Form::List(&Form::Name),
            "A program with its arguments that prints it; no shell is asked: `[vault, read, -field=password, db/ro]`.",
        ),
    ],
    one_of: &["env", "file", "command"],
};

/// One database, or many alike.
pub(super) static TARGET: Block = Block {
    name: "a target",
    about: "A database that is checked against the spec of a service; with `databases` or `databases_file`, many alike.",
    keys: &[
        required(
            "service",
            Form::Name,
            "The service whose spec the database is checked against.",
        ),
        key(
            "url",
            Form::Either(&[Form::Text, Form::Block(&SOURCE)]),
            "The database as a URL, or where that comes from.",
        ),
        key(
            "engine",
            Form::Word(&ENGINES),
            "The kind of database, where there is no `url`.",
        ),
        key("host", Form::Text, "The server's name or address."),
        key(
            "port",
            Form::Either(&[Form::Count, Form::Text]),
            "Its port, where that is not the usual one.",
        ),
        key(
            "socket",
            Form::Text,
            "The server's socket on this machine: on PostgreSQL its directory, on MySQL the file.",
        ),
        key("file", Form::Text, "The file of an SQLite database."),
        key(
            "database",
            Form::Name,
            "The database; beside `databases`, the one where their list is asked for.",
        ),
        key("user", Form::Name, "The role or user to log in with."),
        key("password", Form::Block(&SOURCE), "Where the password comes from."),
        key(
            "databases",
            Form::Either(&[Form::Name, Form::List(&Form::Name)]),
            "Patterns of databases on the server: `tenant_*`. The target's name then holds `{database}`.",
        ),
        key(
            "databases_file",
            Form::Text,
            "File of databases on the server, one on each line. The target's name then holds `{database}`.",
        ),
        key(
            "schema",
            Form::Name,
            "The namespace to look in: an SQL schema, on MySQL a database.",
        ),
        key(
            "scheduler",
            Form::Name,
            "The database of the same server in which pg_cron is installed.",
        ),
        key("timeouts", Form::Block(&TIMEOUTS), "How long anything may take."),
        key("tls", Form::Block(&TLS), "How the connection is encrypted."),
        key(
            "labels",
            Form::Pairs(&Form::Name),
            "What targets are chosen by beside their names: `env: prod`.",
        ),
    ],
    one_of: &["url", "engine"],
};

/// Every block; the first one is the file.
pub(super) static BLOCKS: [&Block; 6] = [&FILE, &DEFAULTS, &TIMEOUTS, &TLS, &SOURCE, &TARGET];

/// Makes the JSON Schema of `seadrift.yaml`.
pub fn json_schema() -> Value {
    crate::yaml::json_schema("seadrift.yaml", &BLOCKS)
}
