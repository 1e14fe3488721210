//! Passwords that people keep for all programs: `~/.pgpass` of PostgreSQL, `~/.my.cnf` of MySQL and MariaDB.

use std::path::PathBuf;

use super::source::{is_open_to_others, read_small};
use super::{Environment, Scheme};

/// The largest file that is read, in bytes.
const MOST: u64 = 1 << 20;

/// Whom a password is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Login<'a> {
    pub(super) host: &'a str,
    pub(super) port: &'a str,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
}

/// What a file of passwords has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The password.
    Password(String),
    /// None for this login, or there is no file.
    Nothing,
    /// The file is not used, since others than its owner can read it.
    Open(PathBuf),
}

/// Looks for the password of a login that brings none.
pub(super) fn look_up(scheme: Scheme, login: Login<'_>, environment: &Environment) -> Found {
    let (file, variable) = match scheme {
        Scheme::Postgres => (
            environment
                .filled("PGPASSFILE")
                .map(PathBuf::from)
                .or_else(|| environment.at_home(".pgpass")),
            "PGPASSWORD",
        ),
        Scheme::MySql => (environment.at_home(".my.cnf"), "MYSQL_PWD"),
        Scheme::Sqlite => return Found::Nothing,
    };
    if let Some(password) = environment.filled(variable) {
        return Found::Password(password.to_owned());
    }
    let Some(file) = file else { return Found::Nothing };
    let Ok(metadata) = file.metadata() else {
        return Found::Nothing;
    };
    if is_open_to_others(&metadata) {
        return Found::Open(file);
    }
    let Ok(text) = read_small(&file, MOST) else {
        return Found::Nothing;
    };
    let password = match scheme {
        Scheme::Postgres => text.lines().find_map(|line| entry(line, login)),
        _ => client_password(&text),
    };
    password
        .filter(|p| !p.is_empty())
        .map_or(Found::Nothing, Found::Password)
}

/// Reads a line `host:port:database:user:password`; its password if it is for the login.
fn entry(line: &str, login: Login<'_>) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            // The password is the rest, whatever is in it.
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields.last_mut()?.extend(letters.next()),
            letter => fields.last_mut()?.push(letter),
        }
    }
    let [host, port, database, user, password] = fields.try_into().ok()?;
    // A socket is known by its directory, or as this machine.
    let is_host = |host: &str| host == login.host || (host == "localhost" && login.host.starts_with('/'));
    let all = [
        host == "*" || is_host(&host),
        port == "*" || port == login.port,
        database == "*" || database == login.database,
        user == "*" || user == login.user,
    ];
    all.iter().all(|&fits| fits).then_some(password)
}

/// Reads the password of the section `[client]`; the last one counts.
fn client_password(text: &str) -> Option<String> {
    let mut section = "";
    let mut password = None;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.split(']').next().unwrap_or_default().trim();
        } else if section == "client"
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "password"
        {
            let value = value.trim();
            let quoted = |quote: char| value.strip_prefix(quote).and_then(|v| v.strip_suffix(quote));
            password = Some(quoted('"').or_else(|| quoted('\'')).unwrap_or(value).to_owned());
        }
    }
    password
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGIN: Login<'static> = Login {
        host: "db",
        port: "5432",
        database: "ledger",
        user: "app",
    };

    #[test]
    fn the_first_line_that_fits_counts() {
        for (line, password) in [
            ("db:5432:ledger:app:pw", Some("pw")),
            ("*:*:*:*:pw", Some("pw")),
            ("db:*:*:app:p\\:w:and more", Some("p:w:and more")),
            ("db:5433:ledger:app:pw", None),
            ("other:5432:ledger:app:pw", None),
            ("db:5432:other:app:pw", None),
            ("db:5432:ledger:other:pw", None),
            ("localhost:*:*:*:pw", None),
            ("#db:5432:ledger:app:pw", None),
            ("db:5432:ledger", None),
            ("", None),
        ] {
            assert_eq!(entry(line, LOGIN).as_deref(), password, "{line}");
        }
        let socket = Login {
            host: "/run/postgresql",
            ..LOGIN
        };
        for line in ["localhost:*:*:*:pw", "/run/postgresql:*:*:*:pw"] {
            assert_eq!(entry(line, socket).as_deref(), Some("pw"), "{line}");
        }
    }

    #[test]
    fn an_option_file_has_sections_and_quotes() {
        let text = "[mysqld]\npassword=server\n[client]\nuser = app\n# password=old\npassword = \"p#w\"\n[mysql]\npassword=x\n";
        assert_eq!(client_password(text).as_deref(), Some("p#w"));
        assert_eq!(client_password("password=x\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().unwrap();
        let variables = |more: &[(&str, String)]| -> Environment {
            let home = ("HOME", home.path().display().to_string());
            let all = [home].into_iter().chain(more.to_vec());
            all.map(|(name, value)| (name.to_owned(), value)).collect()
        };
        let environment = variables(&[]);
        assert_eq!(look_up(Scheme::Postgres, LOGIN, &environment), Found::Nothing);
        for (scheme, name, text) in [
            (Scheme::Postgres, ".pgpass", "db:*:*:*:kept\n"),
            (Scheme::MySql, ".my.cnf", "[client]\npassword=kept\n"),
        ] {
            let file = home.path().join(name);
            std::fs::write(&file, text).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
            assert_eq!(look_up(scheme, LOGIN, &environment), Found::Open(file.clone()));
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
            assert_eq!(look_up(scheme, LOGIN, &environment), Found::Password("kept".to_owned()));
        }
        let elsewhere = variables(&[("PGPASSFILE", home.path().join("absent").display().to_string())]);
        assert_eq!(look_up(Scheme::Postgres, LOGIN, &elsewhere), Found::Nothing);
        let said = variables(&[("PGPASSWORD", "said".to_owned())]);
        assert_eq!(
            look_up(Scheme::Postgres, LOGIN, &said),
            Found::Password("said".to_owned())
        );
    }
}
