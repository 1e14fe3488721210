//! `seadrift demo`: a true report in one command, without a server.

use std::io;
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use super::check::{look_at, now};
use super::console::Console;
use super::error::{CliError, ErrorKind};
use super::run::block_on;
use crate::config::{DatabaseUrl, Target};
use crate::finding::Severity;
use crate::migrate::{self, Adoption, Existing, Options};
use crate::report::{self, Outcome, Policy, Report, Times};
use crate::services::Service;
use crate::spec::{self, Spec};

/// Make the shipped ledgers in SQLite files, plant drift in them, check them, and show the report
///
/// Needs nothing: no server, no configuration, no arguments. The files are in a temporary directory and are removed
/// at the end, unless --keep names a directory.
#[derive(Debug, clap::Args)]
pub(super) struct DemoArgs {
    /// Keep the databases and specs in this directory, and print the commands that check them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// What somebody did to a database by hand.
struct Planted {
    service: &'static str,
    what: &'static str,
    sql: &'static str,
}

/// One drift of each main kind. The payroll ledger is left as the migration made it.
const PLANTED: &[Planted] = &[
    Planted {
        service: "notification",
        what: "the unique index was made anew during an incident, without UNIQUE",
        sql: r#"DROP INDEX "UX_ProcessedEvents_EventId";
                CREATE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");"#,
    },
    Planted {
        service: "notification",
        what: "the index for look-ups by correlation was dropped",
        sql: r#"DROP INDEX "IX_ProcessedEvents_Correlation";"#,
    },
    Planted {
        service: "notification",
        what: "a trigger drops the rows of stale events without an error",
        sql: r#"CREATE TRIGGER "TR_skip_stale" BEFORE INSERT ON "ProcessedIntegrationEvents"
                WHEN NEW."Outcome" = 'Stale' BEGIN SELECT RAISE(IGNORE); END;"#,
    },
    Planted {
        service: "notification",
        what: "rows of last spring are still there: the spec's horizon was confirmed, and nobody set up the job",
        sql: r#"INSERT INTO "ProcessedIntegrationEvents" ("Id", "EventId", "EventType", "SourceService", "Outcome",
                  "MessagesCreated", "ProcessedOnUtc")
                SELECT lower(hex(randomblob(16))), lower(hex(randomblob(16))), 'invoice.issued', 'billing', 'Processed', 1,
                  strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', '-' || value || ' days')
                FROM json_each('[120, 90, 60, 30, 1]');"#,
    },
    Planted {
        service: "asset",
        what: "the table was made by hand: a column is missing, others have another type, null rule, default or key",
        sql: r#"DROP TABLE "ProcessedIntegrationEvents";
                CREATE TABLE "ProcessedIntegrationEvents" (
                  "Id" uuid_text NOT NULL PRIMARY KEY, "EventId" uuid_text NOT NULL, "EventType" varchar(160) NOT NULL,
                  "TenantId" varchar(80), "SourceService" varchar(120), "Outcome" varchar(40) NOT NULL DEFAULT 'processed',
                  "Region" varchar(20) NOT NULL, "ProcessedOnUtc" timestamp_with_timezone_text NOT NULL);
                CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId", "TenantId");"#,
    },
];

/// What the demo's copy of a spec says instead, so that its retention counts: the service, what is there, what comes.
const CONFIRMED: (&str, &str, &str) = (
    "notification",
    "      column: ProcessedOnUtc\n      confirmed: false\n",
    "      column: ProcessedOnUtc\n",
);

/// Runs the command and returns the exit code, which is 0 whatever the report says.
pub(super) fn run(args: &DemoArgs, services: &[Service], console: &Console) -> Result<u8, CliError> {
    let place = Place::prepare(args.keep.as_deref())?;
    let demos = services
        .iter()
        .filter_map(|service| Demo::new(service, place.path()).transpose())
        .collect::<Result<Vec<Demo<'_>>, CliError>>()?;
    if demos.is_empty() {
        return Err(CliError::input(
            "no service is shipped with a spec, so there is nothing to show",
        ));
    }
    let report = block_on(play(&demos))??;
    let mut text = report::render_text(&report, &console.look());
    if !console.is_quiet() {
        text.insert_str(0, &introduction(&demos, console.width()));
        text.push_str(&next_steps(&report, &demos, args.keep.is_some()));
    }
    if !console.is_silent() {
        console.print(&text)?;
    }
    Ok(super::exit::CLEAN)
}

/// Where the files are.
enum Place {
    Temporary(tempfile::TempDir),
    Kept(PathBuf),
}

impl Place {
    fn prepare(keep: Option<&Path>) -> Result<Self, CliError> {
        let fail = |error: &io::Error, what: &str| CliError::new(ErrorKind::Output, what).caused_by(error);
        let Some(path) = keep else {
            let dir = tempfile::Builder::new().prefix("seadrift-demo-").tempdir();
            return dir.map(Self::Temporary).map_err(|e| {
                fail(&io::Error::from(e.kind()), "no temporary directory can be made")
                    .hint("set TMPDIR to a directory that can be written to, or name one with --keep")
            });
        };
        let what = format!("the directory `{}` cannot be used", path.display());
        let unusable = |e: io::Error| fail(&e, &what).hint("name a directory that can be made and written to");
        std::fs::create_dir_all(path).map_err(unusable)?;
        let mut entries = std::fs::read_dir(path).map_err(unusable)?;
        if entries.next().is_some() {
            return Err(
                CliError::input(format!("the directory `{}` is not empty", path.display()))
                    .hint("name a new directory: the demo would overwrite databases in it"),
            );
        }
        Ok(Self::Kept(path.to_owned()))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Temporary(dir) => dir.path(),
            Self::Kept(path) => path,
        }
    }
}

/// One service's database and spec.
struct Demo<'a> {
    service: &'a Service,
    spec: Spec,
    database: PathBuf,
    target: Target,
}

impl<'a> Demo<'a> {
    /// Prepares a service, if it ships a spec, and writes the spec beside its database.
    fn new(service: &'a Service, place: &Path) -> Result<Option<Self>, CliError> {
        let Some(text) = service.spec_text() else {
            return Ok(None);
        };
        let name = service.name();
        let (confirmed, open, stated) = CONFIRMED;
        let text = &match name == confirmed {
            true => text.replace(open, stated),
            false => text.to_owned(),
        };
        let database = place.join(format!("{name}.db"));
        let file = place.join(format!("{name}.yaml"));
        std::fs::write(&file, text).map_err(|e| {
            CliError::new(ErrorKind::Output, format!("`{}` cannot be written", file.display())).caused_by(&e)
        })?;
        let spec = spec::parse(&format!("specs/{name}.yaml"), text).map_err(|_| {
            CliError::new(
                ErrorKind::Internal,
                format!("the shipped spec of `{name}` is not valid"),
            )
        })?;
        let url = DatabaseUrl::of_file(&database)?;
        let target = Target::new(name, url);
        Ok(Some(Self {
            service,
            spec,
            database,
            target,
        }))
    }

    async fn prepare(&self) -> Result<(), CliError> {
        let unexpected = async |_: Existing<'_>| Adoption::Unknown("the file is new".into());
        migrate::up(
            self.service,
            &self.target.open().await?,
            &Options::default(),
            unexpected,
            &mut |_| {},
        )
        .await?;
        for planted in PLANTED.iter().filter(|p| p.service == self.service.name()) {
            self.plant(planted)
                .await
                .map_err(|e| CliError::new(ErrorKind::Internal, "drift could not be planted").caused_by(&e))?;
        }
        Ok(())
    }

    async fn plant(&self, planted: &Planted) -> Result<(), sqlx::Error> {
        let mut connection = SqliteConnectOptions::new().filename(&self.database).connect().await?;
        sqlx::raw_sql(planted.sql).execute(&mut connection).await?;
        connection.close().await
    }
}

async fn play(demos: &[Demo<'_>]) -> Result<Report, CliError> {
    let started_at = now();
    let mut outcomes = Vec::new();
    for demo in demos {
        demo.prepare().await?;
        let result = look_at(&demo.target, &demo.spec, demo.target.further(&demo.spec, true)).await;
        outcomes.push(Outcome {
            target: &demo.target,
            spec: &demo.spec,
            result,
        });
    }
    let policy = Policy {
        fail_on: Some(Severity::Error),
        allow_incomplete: false,
    };
    Ok(report::build(
        outcomes,
        policy,
        Times {
            started_at,
            finished_at: now(),
        },
    ))
}

fn introduction(demos: &[Demo<'_>], width: usize) -> String {
    let names: Vec<&str> = demos.iter().map(|demo| demo.service.name()).collect();
    let mut text = report::wrap(
        &format!(
            "An idempotency ledger holds one row per event that a service has consumed; its unique index refuses the \
             second delivery. The ledgers of {} were migrated into SQLite files. Then somebody changed them:",
            names.join(", ")
        ),
        width,
        0,
        0,
    );
    text.push('\n');
    for planted in PLANTED.iter().filter(|p| names.contains(&p.service)) {
        let line = format!("{}: {}", planted.service, planted.what);
        text.push_str(&format!("  - {}\n", report::wrap(&line, width, 4, 4)));
    }
    text.push_str("\nThis is what a check of the three files against their specs says:\n\n");
    text
}

fn next_steps(report: &Report, demos: &[Demo<'_>], kept: bool) -> String {
    let mut text = format!(
        "\nA check would have ended with exit code {}. Next:\n",
        report.run.exit_code
    );
    let overdue = report
        .findings
        .iter()
        .find(|finding| finding.rule == "retention-overdue");
    let shown = report.findings.first().into_iter().chain(overdue);
    let mut rules: Vec<&str> = shown.map(|finding| finding.rule.as_str()).collect();
    rules.dedup();
    for rule in rules {
        text.push_str(&format!("  seadrift explain {rule}\n"));
    }
    if kept {
        for demo in demos {
            text.push_str(&format!(
                "  seadrift check --data --url sqlite:{} --spec {}\n",
                demo.database.display(),
                demo.database.with_extension("yaml").display()
            ));
        }
    } else {
        text.push_str(
            "  seadrift demo --keep DIR      # keeps the databases, and prints the commands that check them\n",
        );
    }
    if overdue.is_some() {
        text.push_str(
            "  seadrift retention install --scheduler pg-cron --spec specs/notification.yaml   # prints the missing job\n",
        );
    }
    text.push_str("  seadrift check --url postgres://USER@HOST/DATABASE --spec specs/notification.yaml\n");
    text
}
