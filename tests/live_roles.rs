//! Every role gets the same truth: what a role with few rights is told of a database, a superuser is told, too; and what
//! it is not told is listed as not seen.
//!
//! Needs the servers of `SEADRIFT_TEST_POSTGRES_URL`, `SEADRIFT_TEST_PG_CRON_URL` and `SEADRIFT_TEST_MARIADB_URL`, see
//! `tests/run`.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where the servers are and what to rewrite"
)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, and its lint knows test functions only"
)]

#[allow(dead_code, reason = "every test program uses a part of what they share")]
mod harness;

use std::collections::BTreeSet;
use std::path::Path;

use harness::case::{self, End, Message};
use harness::database::{Database, Kind, server};
use harness::{drifted, judge, program};
use serde_json::Value;

/// What a role is given before a check, and what is taken from it afterwards.
struct Standing {
    name: &'static str,
    give: &'static str,
    take: &'static str,
    /// Rules that the role must be told of the drifted ledger, by the rights that the manual promises for them.
    told: &'static [&'static str],
}

/// The catalogs of PostgreSQL hide nothing but the server's settings and other roles' jobs.
const TOLD_ON_POSTGRES: &[&str] = &[
    "check-extra",
    "column-default",
    "column-extra",
    "column-length",
    "column-nullability",
    "foreign-key-extra",
    "index-missing",
    "not-a-table",
    "primary-key",
    "table-missing",
    "table-not-durable",
    "unique-weaker",
    "write-path",
];

const ON_POSTGRES: &[Standing] = &[
    Standing {
        name: "no right but to log in",
        give: "",
        take: "",
        told: TOLD_ON_POSTGRES,
    },
    Standing {
        name: "two columns",
        give: r#"GRANT SELECT ("Id", "EventId") ON "ProcessedIntegrationEvents" TO {role}"#,
        take: r#"REVOKE ALL ("Id", "EventId") ON "ProcessedIntegrationEvents" FROM {role}"#,
        told: TOLD_ON_POSTGRES,
    },
    Standing {
        name: "a reader",
        give: "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}",
        take: "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
        told: TOLD_ON_POSTGRES,
    },
    Standing {
        name: "a monitor",
        give: "GRANT pg_monitor TO {role}",
        take: "REVOKE pg_monitor FROM {role}",
        told: TOLD_ON_POSTGRES,
    },
    Standing {
        name: "the owner of the ledger",
        give: r#"ALTER TABLE "ProcessedIntegrationEvents" OWNER TO {role}"#,
        take: r#"ALTER TABLE "ProcessedIntegrationEvents" OWNER TO CURRENT_USER"#,
        told: TOLD_ON_POSTGRES,
    },
];

const ON_MARIADB: &[Standing] = &[
    Standing {
        name: "no right at all",
        give: "",
        take: "",
        told: &[],
    },
    Standing {
        name: "two columns",
        give: "GRANT SELECT (`Id`, `EventId`) ON `ProcessedIntegrationEvents` TO {role}",
        take: TAKE_ALL,
        told: &[],
    },
    Standing {
        name: "a writer of the ledger",
        give: "GRANT INSERT ON `ProcessedIntegrationEvents` TO {role}",
        take: TAKE_ALL,
        told: &["column-length", "column-nullability", "primary-key", "unique-weaker"],
    },
    Standing {
        name: "a reader",
        give: "GRANT SELECT ON {database}.* TO {role}",
        take: TAKE_ALL,
        told: &[
            "check-extra",
            "column-default",
            "primary-key",
            "table-missing",
            "unique-weaker",
        ],
    },
    Standing {
        name: "the least that the README asks for",
        give: "GRANT REFERENCES, SHOW VIEW ON {database}.* TO {role}",
        take: TAKE_ALL,
        told: &[
            "check-extra",
            "column-default",
            "not-a-table",
            "primary-key",
            "table-missing",
            "unique-weaker",
        ],
    },
    Standing {
        name: "triggers, too",
        give: "GRANT REFERENCES, SHOW VIEW, TRIGGER ON {database}.* TO {role}",
        take: TAKE_ALL,
        told: &["check-extra", "table-missing", "unique-weaker", "write-path"],
    },
    Standing {
        name: "events, too",
        give: "GRANT SELECT, SHOW VIEW, EVENT ON {database}.* TO {role}",
        take: TAKE_ALL,
        told: &[
            "check-extra",
            "table-missing",
            "unique-weaker",
            "retention-disabled",
            "retention-too-short",
        ],
    },
    Standing {
        name: "the owner",
        give: "GRANT ALL ON {database}.* TO {role}",
        take: TAKE_ALL,
        told: &[
            "check-extra",
            "not-a-table",
            "table-missing",
            "unique-weaker",
            "write-path",
            "retention-disabled",
        ],
    },
];

const TAKE_ALL: &str = "REVOKE ALL PRIVILEGES, GRANT OPTION FROM {role}";

#[test]
fn every_role_of_postgres_is_told_the_same_truth() {
    let Some(database) = drifted::create(Kind::Postgres) else {
        return;
    };
    let role_url = database.create_role();
    let look = |url: &str| check(url, &drifted::spec(), &[]);
    agree_on_drift(&database, ON_POSTGRES, &look(&database.url()), || look(&role_url));
}

#[test]
fn every_role_of_mariadb_is_told_the_same_truth() {
    let Some(database) = drifted::create(Kind::Mariadb) else {
        return;
    };
    let role_url = database.create_role();
    let look = |url: &str| check(url, &drifted::spec(), &[]);
    agree_on_drift(&database, ON_MARIADB, &look(&database.administrator_url()), || {
        look(&role_url)
    });
}

#[test]
fn nothing_is_missing_from_a_clean_ledger_for_any_role() {
    for (kind, standings) in [(Kind::Postgres, ON_POSTGRES), (Kind::Mariadb, ON_MARIADB)] {
        if !kind.is_here() {
            continue;
        }
        let database = Database::create(kind);
        let base = std::fs::read_to_string(case::root().join(kind.folder()).join("asset.sql")).unwrap();
        run(&database, &base);
        let role_url = database.create_role();
        let look = |url: &str| check(url, &case::root().join("specs/asset.yaml"), &[]);
        let all = look(&database.administrator_url());
        assert_eq!(all["run"]["exit_code"], 0, "{all:#}");
        for standing in standings {
            let few = with(&database, standing, || look(&role_url));
            assert_agreement(standing.name, &all, &few);
        }
    }
}

/// A job of somebody else's, in the scheduler of another database.
#[test]
fn every_role_is_told_the_same_truth_of_the_jobs_of_pg_cron() {
    const SCHEDULER: &[Standing] = &[
        Standing {
            name: "no right at the scheduler",
            give: "",
            take: "",
            told: &[],
        },
        Standing {
            name: "a reader of the scheduler, whose policy shows each role its own jobs",
            give: "GRANT USAGE ON SCHEMA cron TO {role}; GRANT SELECT ON cron.job, cron.job_run_details TO {role}",
            take: "REVOKE ALL ON cron.job, cron.job_run_details FROM {role}; REVOKE ALL ON SCHEMA cron FROM {role}",
            told: &[],
        },
    ];
    let Some(home) = server("SEADRIFT_TEST_PG_CRON_URL") else {
        return;
    };
    let database = Database::create_on(Kind::Postgres, Some(home.clone()));
    drifted::fill(&database);
    run(&database, "DROP TABLE ledger_retention");
    let role_url = database.create_role();
    let job = database.fill_in(
        r#"SELECT pg_advisory_lock(7); CREATE EXTENSION IF NOT EXISTS pg_cron;
        SELECT cron.schedule_in_database('{database}', '17 3 * * *', $$DELETE FROM "ProcessedIntegrationEvents"
            WHERE "ProcessedOnUtc" < now() - interval '1 day'$$, '{database}');
        INSERT INTO cron.job_run_details (jobid, runid, database, username, command, status, return_message, start_time, end_time)
            SELECT jobid, nextval('cron.runid_seq'), database, username, command, 'succeeded', 'DELETE 1', now(), now()
            FROM cron.job WHERE jobname = '{database}'"#,
    );
    database.administer(&job).unwrap();
    let scheduler_as = |url: &str| {
        let mut url: url::Url = url.parse().unwrap();
        url.set_path(home.path());
        vec!["--scheduler-url".to_owned(), url.to_string()]
    };
    let look = |url: &str| check(url, &drifted::spec(), &scheduler_as(url));
    let all = look(&database.url());
    assert!(rules(&all).contains("retention-too-short"), "{all:#}");
    let mut seen = Vec::new();
    for standing in SCHEDULER {
        database.administer(&database.fill_in(standing.give)).unwrap();
        seen.push((standing.name, look(&role_url)));
        database.administer(&database.fill_in(standing.take)).unwrap();
    }
    let end = "DELETE FROM cron.job_run_details WHERE database = '{database}'; SELECT cron.unschedule('{database}')";
    database.administer(&database.fill_in(end)).unwrap();
    drifted::assert_read_whole(&all);
    for (name, few) in &seen {
        assert_agreement(name, &all, few);
        assert_eq!(
            few["run"]["exit_code"], 5,
            "{name}: a job that is not seen is no missing job\n{few:#}"
        );
    }
}

/// Compares what each standing is told of the drifted ledger with what the superuser is told.
fn agree_on_drift(database: &Database, standings: &[Standing], all: &Value, look: impl Fn() -> Value) {
    drifted::assert_read_whole(all);
    for standing in standings {
        let few = with(database, standing, &look);
        assert_agreement(standing.name, all, &few);
        let told = rules(&few);
        let missing: Vec<&&str> = standing.told.iter().filter(|rule| !told.contains(**rule)).collect();
        assert!(
            missing.is_empty(),
            "{}: {missing:?} could be told\n{few:#}",
            standing.name
        );
    }
}

fn with(database: &Database, standing: &Standing, look: impl Fn() -> Value) -> Value {
    run(database, standing.give);
    let report = look();
    run(database, standing.take);
    report
}

fn run(database: &Database, sql: &str) {
    let message = Message {
        sql: sql.to_owned(),
        end: End::Succeeds,
    };
    if !sql.is_empty() {
        database.run(&[message]).unwrap();
    }
}

fn check(url: &str, spec: &Path, flags: &[String]) -> Value {
    program::check(url, spec, flags).unwrap().report
}

fn rules(report: &Value) -> BTreeSet<String> {
    let findings = judge::list(&report["findings"]).iter();
    findings
        .map(|finding| judge::text(&finding["rule"]).to_owned())
        .collect()
}

/// Asserts that a role with few rights is told nothing else than one with all, and that all of the rest is listed.
fn assert_agreement(role: &str, all: &Value, few: &Value) {
    let mut wrong = Vec::new();
    // What a role may see of other databases is another question.
    let own = |report: &Value| -> Vec<Value> {
        let findings = judge::list(&report["findings"]).iter();
        let namespace = &report["targets"][0]["namespace"];
        findings
            .filter(|f| f["object"]["namespace"] == *namespace)
            .cloned()
            .collect()
    };
    let (known, told) = (own(all), own(few));
    let target = &few["targets"][0];
    let unseen = judge::list(&target["unverified"]);
    let is_excused = |finding: &Value| unseen.iter().any(|entry| excuses(entry, finding));
    for finding in &told {
        let about = known.iter().find(|k| k["fingerprint"] == finding["fingerprint"]);
        match about {
            // Who sees less of an object may say less of it, as long as that is said.
            Some(_) if known.iter().any(|k| is_same(k, finding)) || is_excused(finding) => {}
            Some(known) => wrong.push(format!("told otherwise: {finding:#} instead of {known:#}")),
            None => wrong.push(format!("only this role is told: {finding:#}")),
        }
    }
    let untold = |finding: &&Value| !told.iter().any(|t| t["fingerprint"] == finding["fingerprint"]);
    for finding in known.iter().filter(untold).filter(|finding| !is_excused(finding)) {
        wrong.push(format!("neither told nor listed as not seen: {finding:#}"));
    }
    let open = judge::list(&all["targets"][0]["unconfirmed"]);
    for entry in judge::list(&target["unconfirmed"])
        .iter()
        .filter(|entry| !open.contains(entry))
    {
        wrong.push(format!("another open fact: {entry:#}"));
    }
    let required = unseen.iter().any(|entry| entry["required"] == true);
    if few["run"]["complete"] == Value::Bool(required) {
        wrong.push("what is missing does not make it incomplete, or nothing does".to_owned());
    }
    assert!(wrong.is_empty(), "{role}: {}\n{unseen:#?}", wrong.join("\n"));
}

/// Returns whether a role is told the same of an object, perhaps in fewer words. What to do about it may depend on who asks.
fn is_same(known: &Value, told: &Value) -> bool {
    let facts = ["rule", "severity", "object", "expected", "impact", "fingerprint"];
    let words = |finding: &Value| finding["found"].as_str().unwrap_or_default().to_owned();
    facts.iter().all(|fact| known[*fact] == told[*fact]) && words(known).starts_with(&words(told))
}

/// Returns whether an entry says that what a finding is about could not be seen: it names the table, perhaps the very
/// part of it, and the kind of fact that the rule judges.
fn excuses(entry: &Value, finding: &Value) -> bool {
    let (object, place) = (&entry["object"], &finding["object"]);
    let parts = ["column", "index", "constraint", "trigger", "job"];
    let same_part = parts
        .iter()
        .all(|part| object[*part].is_null() || object[*part] == place[*part]);
    if object["table"] != place["table"] || !same_part {
        return false;
    }
    let (rule, group) = (judge::text(&finding["rule"]), &judge::text(&finding["code"])[..1]);
    let whole = parts.iter().all(|part| object[*part].is_null());
    match judge::text(&object["aspect"]) {
        "target" => true,
        "existence" => whole || group == "C",
        "columns" => group == "C",
        "indexes" => group == "I" && rule != "primary-key",
        "definition" => group == "I" || rule == "not-a-table",
        "primary-key" => rule == "primary-key",
        "checks" => rule.starts_with("check-"),
        "foreign-keys" => rule == "foreign-key-extra",
        "write-path" => ["write-path", "trigger-disabled"].contains(&rule),
        "retention" => group == "R",
        "partitions" => rule == "table-partitioned",
        "type" => ["column-type", "column-length", "column-precision"].contains(&rule),
        aspect => rule == format!("column-{aspect}"),
    }
}

#[test]
fn an_entry_excuses_what_it_names_and_nothing_else() {
    let finding = |rule: &str, code: &str, part: &str| {
        let mut object = serde_json::json!({ "table": "T" });
        object[part] = "x".into();
        serde_json::json!({ "rule": rule, "code": code, "object": object })
    };
    let entry = |object: Value| serde_json::json!({ "object": object });
    let weaker = finding("unique-weaker", "I003", "index");
    assert!(excuses(
        &entry(serde_json::json!({ "table": "T", "aspect": "indexes" })),
        &weaker
    ));
    assert!(excuses(
        &entry(serde_json::json!({ "table": "T", "aspect": "target" })),
        &weaker
    ));
    assert!(!excuses(
        &entry(serde_json::json!({ "table": "U", "aspect": "indexes" })),
        &weaker
    ));
    assert!(!excuses(
        &entry(serde_json::json!({ "table": "T", "aspect": "columns" })),
        &weaker
    ));
    assert!(!excuses(
        &entry(serde_json::json!({ "table": "T", "index": "y", "aspect": "indexes" })),
        &weaker
    ));
    let column = finding("column-default", "C008", "column");
    assert!(excuses(
        &entry(serde_json::json!({ "table": "T", "column": "x", "aspect": "default" })),
        &column
    ));
    assert!(!excuses(
        &entry(serde_json::json!({ "table": "T", "column": "x", "aspect": "type" })),
        &column
    ));
}
