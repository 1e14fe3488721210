//! The options that name a database and the spec to compare it with.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::console::Console;
use super::error::CliError;
use super::specs;
use crate::catalog::Limits;
use crate::config::{Scheme, Target};
use crate::spec::Spec;

/// Which database, which spec, and how long it may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Target")]
pub(super) struct TargetArgs {
    /// Database to check: postgres://, mysql://, mariadb:// or sqlite:FILE
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL")]
    url: Option<String>,
    /// Spec of the service, or a directory of specs [default: specs]
    #[arg(long, value_name = "FILE_OR_DIR")]
    spec: Option<PathBuf>,
    /// Service to check, where there are specs of several
    #[arg(long, value_name = "NAME")]
    service: Option<String>,
    /// Namespace to look in: an SQL schema, on MySQL a database [default: public; on MySQL the URL's database]
    #[arg(long, value_name = "NAMESPACE")]
    schema: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How long a check may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// How long connecting and logging in may take
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_limit)]
    connect_timeout: Duration,
    /// How long to wait for somebody else's lock
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_limit)]
    lock_timeout: Duration,
    /// How long one statement may take
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_limit)]
    statement_timeout: Duration,
}

impl LimitArgs {
    /// Returns the limits.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            connect: self.connect_timeout,
            lock: self.lock_timeout,
            statement: self.statement_timeout,
        }
    }
}

impl TargetArgs {
    /// Resolves the options to the spec alone, for commands that need no database.
    pub(super) fn resolve_spec(&self, console: &Console) -> Result<Spec, CliError> {
        specs::select(self.spec.as_deref(), self.service.as_deref(), console)
    }

    /// Returns the namespace that is named.
    pub(super) fn namespace(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Resolves the options to every target that is chosen, each with its spec.
    pub(super) fn resolve_all(&self, console: &Console) -> Result<Vec<(Target, Arc<Spec>)>, CliError> {
        let (target, spec) = self.resolve(console)?;
        Ok(vec![(target, Arc::new(spec))])
    }

    /// Resolves the options to one target and its spec.
    pub(super) fn resolve(&self, console: &Console) -> Result<(Target, Spec), CliError> {
        let Some(url) = &self.url else {
            return Err(CliError::input("no database is given").hint("set DATABASE_URL, or name one with --url"));
        };
        let place = console.place(url)?;
        if self.schema.as_deref().is_some_and(|schema| schema.trim().is_empty()) {
            return Err(CliError::input("the namespace is empty").hint("leave --schema out, or give it a name"));
        }
        if self.schema.is_some() && place.scheme() == Some(Scheme::Sqlite) {
            return Err(CliError::input("a SQLite file has no namespaces").hint("leave --schema out"));
        }
        let spec = self.resolve_spec(console)?;
        let target = Target {
            namespace: self.schema.clone(),
            limits: self.limits.limits(),
            ..Target::new(&spec.service.value, place)
        };
        Ok((target, spec))
    }
}

/// Parses `500ms`, `2s` or `1m`.
pub(super) fn parse_limit(text: &str) -> Result<Duration, String> {
    /// Servers take limits in milliseconds as a 32-bit number; a day is far from its end.
    const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| "write it as 500ms, 2s or 1m".to_owned())?;
    let milliseconds: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        "" => return Err("the unit is missing; write it as 500ms, 2s or 1m".to_owned()),
        _ => return Err("the unit is not known; write it as 500ms, 2s or 1m".to_owned()),
    };
    let limit = number.checked_mul(milliseconds).map(Duration::from_millis);
    match limit {
        Some(limit) if limit.is_zero() => Err("0 would mean no limit at all, which is not allowed".to_owned()),
        Some(limit) if limit <= LONGEST => Ok(limit),
        _ => Err("the limit is longer than 24h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_a_unit() {
        for (text, milliseconds) in [("500ms", 500), ("2s", 2000), ("1m", 60_000), ("1h", 3_600_000)] {
            assert_eq!(parse_limit(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in [
            "",
            "2",
            "s",
            "-1s",
            "1.5s",
            "2 s",
            "2d",
            "0",
            "0s",
            "0ms",
            "25h",
            "99999999999999999999s",
        ] {
            assert!(parse_limit(text).is_err(), "{text}");
        }
    }
}
