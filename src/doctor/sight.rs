//! What a check would see, in steps. Pure.

use std::collections::BTreeMap;

use super::address::{Address, Place, Trust};
use super::model::{Step, Topic};
use crate::catalog::{Catalog, Found, Journal, Server, Survey};
use crate::dialect::Dialect;
use crate::report::blind_place;
use crate::schema::Aspect;

/// A clock that is off by more than this spoils the arithmetic of retention.
const CLOCK_MILLISECONDS: i64 = 5_000;

/// Says how the way in is protected, and that it is open.
pub(super) fn of_way(address: &Address, survey: &Survey) -> Vec<Step> {
    if let Some(journal) = survey.journal {
        return vec![
            Step::ok(Topic::File, "The file is there and can be read."),
            Step::ok(Topic::Login, "It is an SQLite database."),
            of_journal(journal),
        ];
    }
    let mut steps = Vec::new();
    if let Place::Socket(path) = &address.place {
        steps.push(Step::ok(
            Topic::Tcp,
            format!("The socket `{}` takes connections.", path.display()),
        ));
    }
    steps.push(of_tls(address, survey));
    steps.push(Step::ok(Topic::Login, "The role is let into the database."));
    steps
}

fn of_journal(journal: Journal) -> Step {
    match journal {
        Journal::Rollback { present: false } => Step::ok(Topic::Journal, "A rollback journal; nobody is writing."),
        Journal::Rollback { present: true } => Step::note(
            Topic::Journal,
            "A rollback journal is there: somebody is writing, or died while writing.",
            "If no service has the file open, let one open it once, which undoes what was half written.",
        ),
        Journal::WriteAhead { bytes: 0 } => Step::ok(
            Topic::Journal,
            "A write-ahead log, which is empty: it is read as it lies there.",
        ),
        Journal::WriteAhead { bytes } => Step::ok(
            Topic::Journal,
            format!("A write-ahead log with changes ({bytes} bytes), which are read, too."),
        ),
    }
}

fn of_tls(address: &Address, survey: &Survey) -> Step {
    let verify = || {
        format!(
            "Say `tls.mode: verify-full` in seadrift.yaml, or {} in the URL, with the certificate authority if it is one \
             of your own.",
            address.verify
        )
    };
    let Some(tls) = &survey.tls else {
        return match address.is_local() {
            true => Step::ok(Topic::Tls, "Not encrypted, and nobody but this machine is on the way."),
            false => Step::note(
                Topic::Tls,
                "The connection is not encrypted: whoever is on the way reads along, the password included.",
                format!("Turn on TLS at the server. {}", verify()),
            ),
        };
    };
    let ends = match &tls.certificate_ends {
        Some(end) => format!(" The certificate ends {end}."),
        None => String::new(),
    };
    let version = &tls.version;
    match address.trust {
        Trust::Name => Step::ok(
            Topic::Tls,
            format!("{version}; the server's certificate and name were verified.{ends}"),
        ),
        Trust::Authority => Step::note(
            Topic::Tls,
            format!("{version}; the certificate was verified, but not that it is this host's.{ends}"),
            verify(),
        ),
        Trust::Nobody if address.is_local() => Step::ok(
            Topic::Tls,
            format!("{version}; the server was not verified, and is on this machine.{ends}"),
        ),
        Trust::Nobody => Step::note(
            Topic::Tls,
            format!("{version}, but the server was not verified: somebody on the way could stand in for it.{ends}"),
            verify(),
        ),
    }
}

/// Says what lies between: a pooler, or something that forwards.
pub(super) fn of_pooler(pooled: Option<bool>, address: &Address, survey: &Survey) -> Option<Step> {
    if pooled == Some(true) {
        return Some(Step::note(
            Topic::Way,
            "A pooler such as PgBouncer is in between. It is not in statement mode, so it is no obstacle to a check.",
            "Migrations and trimming need a connection to the server itself.",
        ));
    }
    let Place::Port(_, port) = &address.place else {
        return None;
    };
    let own = survey.port?;
    (own != *port).then(|| {
        Step::note(
            Topic::Way,
            format!("The port is {port} and the server's own {own}: something in between forwards."),
            "Nothing, if you know of it: a container's port, a tunnel, a proxy.",
        )
    })
}

/// Says who answers and what kind of session it is.
pub(super) fn of_session(server: &Server) -> Vec<Step> {
    let setting = |name: &str| server.settings.get(name).map(|value| format!("{name} is {value}"));
    let listed = |names: &[&str]| {
        let found: Vec<String> = names.iter().filter_map(|name| setting(name)).collect();
        found.join(", ")
    };
    let mut steps = vec![
        Step::ok(
            Topic::Version,
            format!("{} {} is supported.", server.dialect.title(), server.version),
        ),
        Step::ok(
            Topic::ReadOnly,
            format!(
                "The session only reads, as read back: {}.",
                listed(&["transaction_read_only", "transaction_isolation", "query_only"])
            ),
        ),
    ];
    let limits = listed(&[
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
        "max_statement_time",
        "max_execution_time",
        "lock_wait_timeout",
    ]);
    if !limits.is_empty() {
        steps.push(Step::ok(Topic::Limits, format!("{limits}.")));
    }
    if let Some(role) = &server.role {
        steps.push(match server.rights.excess(role) {
            Some(excess) => Step::note(
                Topic::Role,
                excess,
                "Check with a role that can only look; --grants prints one.",
            ),
            None => Step::ok(
                Topic::Role,
                format!("Role `{role}` has no right that a check does not need."),
            ),
        });
    }
    steps
}

/// Says which kinds of objects are visible.
pub(super) fn of_objects(catalog: &Catalog, survey: &Survey) -> Vec<Step> {
    let hidden = catalog.sightings.iter().find_map(|sighting| match &sighting.found {
        Found::Hidden { reason, help } => Some((reason.clone(), help.clone())),
        _ => None,
    });
    let is_empty = survey.tables.is_empty();
    let blind = hidden
        .filter(|_| is_empty && catalog.namespace.exists)
        .or_else(|| blind_place(catalog));
    if let Some((reason, help)) = blind {
        return vec![Step::problem(Topic::Tables, reason, help)];
    }
    if is_empty {
        return vec![Step::problem(
            Topic::Tables,
            "There are views here, and no table.",
            "Check whether it is the right database, or name another namespace with --schema.",
        )];
    }
    let place = match &catalog.namespace.name {
        Some(name) => format!(" in `{name}`"),
        None => String::new(),
    };
    let number = count(survey.tables.len(), "table");
    let mut steps = vec![Step::ok(
        Topic::Tables,
        format!("{number}{place}: {}.", first_names(&survey.tables)),
    )];
    steps.extend(of_aspects(catalog));
    steps.extend(of_jobs(catalog));
    steps
}

/// Kinds of facts of a table, and whether a spec always states something of the kind.
const KINDS: [(Topic, &[Aspect], bool); 5] = [
    (Topic::Columns, &[Aspect::Columns, Aspect::Type], true),
    (
        Topic::Indexes,
        &[Aspect::Indexes, Aspect::PrimaryKey, Aspect::Definition],
        true,
    ),
    (Topic::Checks, &[Aspect::Checks], false),
    (Topic::ForeignKeys, &[Aspect::ForeignKeys], false),
    (Topic::Triggers, &[Aspect::WritePath], false),
];

fn of_aspects(catalog: &Catalog) -> Vec<Step> {
    let mut unseen: BTreeMap<Topic, (bool, &str, &str)> = BTreeMap::new();
    for entry in &catalog.unseen {
        let kind = KINDS
            .iter()
            .find(|(_, aspects, _)| entry.object.aspect.is_some_and(|a| aspects.contains(&a)));
        if let Some((topic, _, stated)) = kind {
            unseen.entry(*topic).or_insert((*stated, &entry.reason, &entry.help));
        }
    }
    let tables = || {
        catalog.sightings.iter().filter_map(|sighting| match &sighting.found {
            Found::Object(table) => Some(table),
            _ => None,
        })
    };
    let number = |topic: Topic| match topic {
        Topic::Columns => tables().map(|t| t.columns.len()).sum(),
        Topic::Indexes => tables().map(|t| t.indexes.len()).sum(),
        Topic::Checks => tables().map(|t| t.checks.len()).sum(),
        Topic::ForeignKeys => tables().map(|t| t.foreign_keys.len()).sum(),
        _ => tables().map(|t| t.triggers.len()).sum::<usize>(),
    };
    KINDS
        .iter()
        .map(|(topic, ..)| match unseen.get(topic) {
            Some((true, reason, help)) => Step::problem(*topic, *reason, *help),
            Some((false, reason, help)) => Step::note(*topic, *reason, *help),
            None => Step::ok(*topic, format!("All are visible; there are {}.", number(*topic))),
        })
        .collect()
}

fn of_jobs(catalog: &Catalog) -> Vec<Step> {
    let evidence = &catalog.retention;
    // Elsewhere every role may read them.
    let hiding = match catalog.server.dialect {
        Dialect::MySql => Some("SHOW_ROUTINE ON *.*"),
        Dialect::MariaDb => Some("SELECT ON mysql.proc"),
        Dialect::Postgres | Dialect::Sqlite => None,
    };
    let routines = match hiding.filter(|_| !evidence.sees_routines) {
        None => Step::ok(Topic::Routines, "Routines that a job may call are visible."),
        Some(right) => Step::note(
            Topic::Routines,
            "Routines that a job may call are not all visible.",
            format!("Run GRANT {right} for this user, where the spec states a retention and events call procedures."),
        ),
    };
    let mut steps = vec![routines];
    let hidden = evidence.hidden.iter().chain(&evidence.no_scheduler);
    steps.extend(hidden.map(|hidden| Step::note(Topic::Jobs, hidden.reason.clone(), hidden.help.clone())));
    if steps.len() == 1 {
        let number = evidence.jobs.len();
        steps.push(Step::ok(
            Topic::Jobs,
            format!("All places of jobs are visible; there are {number}."),
        ));
    }
    steps
}

/// Says how present the answer is, and whether the clocks agree.
pub(super) fn of_time(server: &Server, survey: &Survey) -> Vec<Step> {
    let mut steps = Vec::new();
    if server.replica {
        let lag = match survey.lag {
            Some(lag) => format!("It is {} s behind its primary.", lag.as_secs()),
            None => "How far it is behind does not show.".to_owned(),
        };
        steps.push(Step::note(
            Topic::Replica,
            format!("The server takes no changes: it is a replica. {lag}"),
            "Check the primary where the newest state matters.",
        ));
    } else if survey.journal.is_none() {
        steps.push(Step::ok(Topic::Replica, "The server is no replica."));
    }
    if let Some(ahead) = survey.clock_ahead {
        let seconds = ahead.unsigned_abs() / 1000;
        steps.push(if ahead.abs() <= CLOCK_MILLISECONDS {
            Step::ok(Topic::Clock, "The server's clock agrees with this machine's.")
        } else {
            let which = if ahead > 0 { "ahead of" } else { "behind" };
            Step::note(
                Topic::Clock,
                format!("The server's clock is {seconds} s {which} this machine's."),
                "Set both by NTP: the clock_skew of a spec bounds what the clocks of services and servers may differ.",
            )
        });
    }
    steps
}

/// Lists names as long as they are few.
fn first_names(names: &[String]) -> String {
    const FEW: usize = 5;
    let first: Vec<String> = names.iter().take(FEW).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(FEW) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::catalog::{Rights, Tls};
    use crate::config::DatabaseUrl;
    use crate::doctor::State;

    fn address(url: &str) -> Address {
        Address::of(&DatabaseUrl::parse(url).unwrap()).unwrap()
    }

    fn survey(tls: Option<&str>) -> Survey {
        Survey {
            tls: tls.map(|version| Tls {
                version: version.to_owned(),
                certificate_ends: None,
            }),
            port: Some(5432),
            clock_ahead: Some(0),
            ..Survey::default()
        }
    }

    #[test]
    fn only_a_way_that_nobody_can_listen_on_or_forge_needs_no_word() {
        for (url, tls, state, words) in [
            ("postgres://db/x", None, State::Note, "not encrypted"),
            ("postgres://127.0.0.1/x", None, State::Ok, "Not encrypted"),
            (
                "postgres://db/x?sslmode=require",
                Some("TLSv1.3"),
                State::Note,
                "was not verified",
            ),
            (
                "postgres://db/x?sslmode=verify-ca",
                Some("TLSv1.3"),
                State::Note,
                "not that it is this host's",
            ),
            (
                "postgres://db/x?sslmode=verify-full",
                Some("TLSv1.3"),
                State::Ok,
                "TLSv1.3; the server's certificate",
            ),
            (
                "postgres://localhost/x?sslmode=require",
                Some("TLSv1.3"),
                State::Ok,
                "is on this machine",
            ),
        ] {
            let step = of_tls(&address(url), &survey(tls));
            assert_eq!(step.state, state, "{url}: {step:?}");
            assert!(step.found.raw().contains(words), "{url}: {step:?}");
        }
    }

    #[test]
    fn a_port_that_is_not_the_servers_own_is_forwarded() {
        let way = |url: &str, pooled| of_pooler(pooled, &address(url), &survey(None)).map(|step| step.found);
        assert_eq!(way("postgres://db/x", Some(false)), None);
        assert!(
            way("postgres://db:6543/x", Some(false))
                .unwrap()
                .raw()
                .contains("forwards")
        );
        assert!(
            way("postgres://db:6543/x", Some(true))
                .unwrap()
                .raw()
                .contains("A pooler")
        );
        assert_eq!(way("postgres:///x?host=/run/postgresql", None), None);
    }

    #[test]
    fn a_clock_that_is_off_and_a_replica_that_lags_are_told() {
        let server = |replica| Server {
            dialect: Dialect::Postgres,
            version: "15.1".to_owned(),
            database: "x".to_owned(),
            role: None,
            settings: BTreeMap::new(),
            replica,
            remarks: Vec::new(),
            rights: Rights::default(),
        };
        let off = Survey {
            clock_ahead: Some(-61_000),
            lag: Some(Duration::from_secs(7)),
            ..survey(None)
        };
        let said = |steps: Vec<Step>| {
            steps
                .iter()
                .map(|s| s.found.raw().to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let words = said(of_time(&server(true), &off));
        assert!(
            words.contains("7 s behind its primary") && words.contains("61 s behind this machine's"),
            "{words}"
        );
        let words = said(of_time(&server(false), &survey(None)));
        assert!(words.contains("no replica") && words.contains("agrees"), "{words}");
    }

    #[test]
    fn tables_are_named_as_long_as_they_are_few() {
        let names = |number: usize| first_names(&(1..=number).map(|n| format!("t{n}")).collect::<Vec<_>>());
        assert_eq!(names(2), "`t1`, `t2`");
        assert_eq!(names(7), "`t1`, `t2`, `t3`, `t4`, `t5` and 2 more");
    }

    #[test]
    fn a_journal_left_behind_is_told() {
        assert_eq!(of_journal(Journal::Rollback { present: false }).state, State::Ok);
        assert_eq!(of_journal(Journal::Rollback { present: true }).state, State::Note);
        assert!(
            of_journal(Journal::WriteAhead { bytes: 4152 })
                .found
                .raw()
                .contains("4152 bytes")
        );
    }
}
