//! What may stand behind the `?` of a database URL.
//!
//! The drivers drop a parameter that they do not know, most of them silently: `sslmod=verify-full` would connect
//! without any verification. So only what the driver reads is let through. The lists follow `options/parse.rs` of
//! sqlx-postgres, sqlx-mysql and sqlx-sqlite 0.9.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::url::{Scheme, UrlError};
use crate::text::near_names;

/// A parameter that a driver reads.
struct Parameter {
    /// Its spellings; the first one is its identity.
    names: &'static [&'static str],
    /// What it takes.
    values: Values,
}

/// What a parameter takes.
enum Values {
    Any,
    OneOf(&'static [&'static str]),
    Number,
    Port,
    Address,
}

const fn any(names: &'static [&'static str]) -> Parameter {
    Parameter {
        names,
        values: Values::Any,
    }
}

static POSTGRES: &[Parameter] = &[
    Parameter {
        names: &["sslmode", "ssl-mode"],
        values: Values::OneOf(&["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]),
    },
    any(&["sslrootcert", "ssl-root-cert", "ssl-ca"]),
    any(&["sslcert", "ssl-cert"]),
    any(&["sslkey", "ssl-key"]),
    Parameter {
        names: &["statement-cache-capacity"],
        values: Values::Number,
    },
    any(&["host"]),
    Parameter {
        names: &["hostaddr"],
        values: Values::Address,
    },
    Parameter {
        names: &["port"],
        values: Values::Port,
    },
    any(&["dbname"]),
    any(&["user"]),
    any(&["password"]),
    any(&["application_name"]),
    any(&["options"]),
];

static MYSQL: &[Parameter] = &[
    Parameter {
        names: &["ssl-mode", "sslmode"],
        values: Values::OneOf(&["disabled", "preferred", "required", "verify_ca", "verify_identity"]),
    },
    any(&["ssl-ca", "sslca"]),
    any(&["ssl-cert", "sslcert"]),
    any(&["ssl-key", "sslkey"]),
    any(&["charset"]),
    any(&["collation"]),
    Parameter {
        names: &["statement-cache-capacity"],
        values: Values::Number,
    },
    any(&["socket"]),
    any(&["timezone", "time-zone"]),
];

static SQLITE: &[Parameter] = &[
    Parameter {
        names: &["mode"],
        values: Values::OneOf(&["ro", "rw", "rwc", "memory"]),
    },
    Parameter {
        names: &["cache"],
        values: Values::OneOf(&["private", "shared"]),
    },
    Parameter {
        names: &["immutable"],
        values: Values::OneOf(&["true", "false", "1", "0"]),
    },
    any(&["vfs"]),
];

/// Reads the part behind the `?` into decoded values by each parameter's first name.
pub(super) fn parse(scheme: Scheme, query: &str) -> Result<BTreeMap<&'static str, String>, UrlError> {
    let known = match scheme {
        Scheme::Postgres => POSTGRES,
        Scheme::MySql => MYSQL,
        Scheme::Sqlite => SQLITE,
    };
    let mut read = BTreeMap::new();
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
        // PostgreSQL's settings by name; the name is the server's affair.
        if scheme == Scheme::Postgres && key.starts_with("options[") && key.ends_with(']') {
            continue;
        }
        let Some(parameter) = known.iter().find(|p| p.names.contains(&&*key)) else {
            return Err(unknown(&key, known));
        };
        let name = parameter.names[0];
        check(name, &value, &parameter.values)?;
        if read.insert(name, value.into_owned()).is_some() {
            return Err(UrlError::new(
                format!("the URL sets `{name}` twice"),
                "keep one of the two: it is not clear which one counts",
            ));
        }
    }
    Ok(read)
}

/// The key is not repeated: in a URL that is torn apart by a raw `?` or `&`, it is a piece of the password.
fn unknown(key: &str, known: &[Parameter]) -> UrlError {
    let names = || known.iter().flat_map(|p| p.names.iter().copied());
    let near = near_names(key, names());
    let help = if key.contains("timeout") {
        "leave it out; limits are set by --connect-timeout, --lock-timeout and --statement-timeout".to_owned()
    } else if let Some(best) = near.first() {
        format!("did you mean `{best}`?")
    } else {
        let firsts: Vec<&str> = known.iter().map(|p| p.names[0]).collect();
        format!("the driver knows: {}", firsts.join(", "))
    };
    UrlError::new("the URL has a parameter that the driver would ignore", help)
}

fn check(name: &str, value: &str, values: &Values) -> Result<(), UrlError> {
    let help = match values {
        Values::Any if value.is_empty() => "give it a value, or leave it out".to_owned(),
        Values::Any => return Ok(()),
        Values::OneOf(allowed) if allowed.contains(&value.to_ascii_lowercase().as_str()) => return Ok(()),
        Values::OneOf(allowed) => format!("use one of: {}", allowed.join(", ")),
        Values::Number if value.parse::<usize>().is_ok() => return Ok(()),
        Values::Number => "use a whole number".to_owned(),
        Values::Port if value.parse::<u16>().is_ok_and(|port| port > 0) => return Ok(()),
        Values::Port => "use a number from 1 to 65535".to_owned(),
        Values::Address if value.parse::<IpAddr>().is_ok() => return Ok(()),
        Values::Address => "use an IP address, or `host` for a name".to_owned(),
    };
    Err(UrlError::new(
        format!("the URL's parameter `{name}` has a value that it cannot have"),
        help,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_in_sslmode_is_refused_with_the_right_name() {
        let error = parse(Scheme::Postgres, "sslmod=verify-full").unwrap_err();
        assert_eq!(error.reason, "the URL has a parameter that the driver would ignore");
        assert_eq!(error.help, "did you mean `sslmode`?");
        let error = parse(Scheme::MySql, "ssl_mode=required").unwrap_err();
        assert_eq!(error.help, "did you mean `sslmode`?");
    }

    #[test]
    fn an_unknown_key_is_not_repeated() {
        let error = parse(Scheme::Postgres, "S3cr3t-canary=1").unwrap_err();
        assert!(!format!("{error:?}").contains("S3cr3t"), "{error:?}");
    }

    #[test]
    fn spellings_that_each_driver_reads_are_let_through() {
        for (scheme, query) in [
            (
                Scheme::Postgres,
                "sslmode=verify-full&sslrootcert=/ca.pem&application_name=x",
            ),
            (Scheme::Postgres, "options[search_path]=app&options=-c%20jit%3Doff"),
            (Scheme::MySql, "ssl-mode=VERIFY_IDENTITY&socket=/run/mysqld.sock"),
            (Scheme::MySql, "time-zone=%2B00:00"),
            (Scheme::Sqlite, "mode=ro&cache=private&immutable=1"),
            (Scheme::Postgres, ""),
        ] {
            assert!(parse(scheme, query).is_ok(), "{scheme:?} {query}");
        }
    }

    #[test]
    fn values_that_the_driver_would_refuse_later_are_refused_now() {
        for (scheme, query, help) in [
            (Scheme::Postgres, "sslmode=full", "use one of: disable"),
            (Scheme::Postgres, "port=0", "from 1 to 65535"),
            (Scheme::Postgres, "hostaddr=db.local", "`host` for a name"),
            (Scheme::Postgres, "statement-cache-capacity=x", "whole number"),
            (Scheme::Postgres, "host=", "give it a value"),
            (Scheme::Sqlite, "mode=readonly", "use one of: ro"),
            (Scheme::Postgres, "connect_timeout=3", "--connect-timeout"),
        ] {
            let error = parse(scheme, query).unwrap_err();
            assert!(error.help.contains(help), "{query}: {error:?}");
        }
    }

    #[test]
    fn a_parameter_given_twice_is_refused_under_any_spelling() {
        assert!(parse(Scheme::Postgres, "sslmode=disable&ssl-mode=verify-full").is_err());
    }
}
