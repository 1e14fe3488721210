//! Standard output for results, standard error for everything else.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};

use super::args::ScreenArgs;
use super::error::{CliError, ErrorKind};
use super::style;
use crate::config::{DatabaseUrl, Environment, Place, Secrets, Tls, TlsMode};
use crate::report::Look;
use crate::text::Terminal;

/// Which database URLs stand on the command line, and not in the environment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Typed {
    /// That of the database.
    pub(super) database: bool,
    /// That of the database, or another one.
    pub(super) any: bool,
}

/// Where a command writes to.
///
/// It has no `Debug`, since it keeps passwords: what is written to standard error is searched for them.
pub(super) struct Console {
    out: ColorChoice,
    err: ColorChoice,
    quiet: u8,
    verbose: u8,
    typed: Typed,
    environment: Environment,
    secrets: Secrets,
}

impl Console {
    /// Makes a console from the options that every command has.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line is what knows the environment"
    )]
    pub(super) fn new(screen: &ScreenArgs, typed: Typed) -> Self {
        let secrets = Secrets::default();
        let environment: Environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        for name in ["PGPASSWORD", "MYSQL_PWD"] {
            environment
                .filled(name)
                .into_iter()
                .for_each(|secret| secrets.add(secret));
        }
        Self {
            out: style::choose(screen.color, &io::stdout()),
            err: style::choose(screen.color, &io::stderr()),
            quiet: screen.quiet,
            verbose: screen.verbose,
            typed,
            environment,
            secrets,
        }
    }

    /// Returns how a text report looks on standard output.
    pub(super) fn look(&self) -> Look {
        Look {
            width: self.width(),
            color: self.color(),
            quiet: self.quiet > 0,
            verbose: self.verbose > 0,
        }
    }

    /// Returns whether standard output takes colours.
    pub(super) fn color(&self) -> bool {
        self.out != ColorChoice::Never
    }

    /// Returns whether only findings and the verdict are wanted.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet > 0
    }

    /// Returns whether the exit code alone is wanted.
    pub(super) fn is_silent(&self) -> bool {
        self.quiet > 1
    }

    /// Returns whether a person looks at standard output.
    pub(super) fn is_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Returns the columns that prose is wrapped at: the terminal's within reason, 100 elsewhere.
    pub(super) fn width(&self) -> usize {
        match terminal_size::terminal_size() {
            Some((width, _)) if self.is_terminal() => usize::from(width.0).clamp(40, 120),
            _ => 100,
        }
    }

    /// Keeps a URL's password out of everything that is written to standard error from now on, and warns if the
    /// password stands on the command line.
    pub(super) fn guard(&self, url: &DatabaseUrl) {
        self.secrets.learn(url);
        if self.typed.any && url.has_password() {
            self.warn(
                "a password on the command line can be read by every user of this machine",
                "set DATABASE_URL in the environment instead of --url",
            );
        }
    }

    /// Reads a URL that the user gave, and guards its password.
    pub(super) fn url(&self, text: &str) -> Result<DatabaseUrl, CliError> {
        let is_postgres = text.trim_start().to_ascii_lowercase().starts_with("postgres");
        let said = self.environment.filled("PGSSLMODE").filter(|_| is_postgres);
        let mode = said.and_then(|said| TlsMode::ALL.into_iter().find(|mode| mode.as_str() == said));
        // The driver's variable is for URLs that say nothing themselves.
        let tls = Tls {
            mode,
            yields: true,
            ..Tls::default()
        };
        let url = DatabaseUrl::parse_with(text, &tls)?;
        self.guard(&url);
        Ok(url)
    }

    /// Reads a URL that the user gave, and guards its password, even one that is kept elsewhere.
    pub(super) fn place(&self, text: &str) -> Result<Place, CliError> {
        let place = Place::new(self.url(text)?, None, &self.environment, &self.secrets);
        self.warn_of(&place);
        Ok(place)
    }

    /// Warns of how the password of a place is kept.
    pub(super) fn warn_of(&self, place: &Place) {
        if let Some((warning, hint)) = place.warning() {
            self.warn(&warning, &hint);
        }
    }

    /// Returns which database URLs stand on the command line.
    pub(super) fn typed(&self) -> Typed {
        self.typed
    }

    /// Returns the environment that the program was started in.
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the secrets that are kept out of everything that is written.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Writes a result to standard output. A reader that has gone away is no error.
    pub(super) fn print(&self, text: &str) -> Result<(), CliError> {
        self.print_with(|out| out.write_all(text.as_bytes()))
    }

    /// Lets something write its result to standard output, piece by piece.
    pub(super) fn print_with(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        let mut out = BufWriter::new(AutoStream::new(io::stdout(), self.out));
        let written = self.secrets.filter(&mut out, write).and_then(|()| out.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::new(
                ErrorKind::Output,
                "the result cannot be written to standard output",
            )
            .caused_by(&error)),
            _ => Ok(()),
        }
    }

    /// Writes something beside the result, encoded already, to standard error.
    pub(super) fn say(&self, text: &str) {
        let text = self.secrets.mask(text);
        let mut err = AutoStream::new(io::stderr(), self.err);
        // There is no further place to say that this failed.
        let _ = err.write_all(text.as_bytes());
    }

    /// Says what went wrong, perhaps in the words of a server.
    pub(super) fn complain(&self, error: &CliError) {
        self.say(&self.secrets.mask_parts(&error.render()));
    }

    /// Warns of something on standard error.
    pub(super) fn warn(&self, message: &str, hint: &str) {
        if self.is_quiet() {
            return;
        }
        let style = style::warning();
        self.say(&format!(
            "{style}warning:{style:#} {}\n  hint: {}\n",
            Terminal(message),
            Terminal(hint)
        ));
    }
}
