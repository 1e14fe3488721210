//! Standard output for results, standard error for everything else.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};

use super::args::ScreenArgs;
use super::error::{CliError, ErrorKind};
use super::style;
use crate::config::{DatabaseUrl, Place, Secrets};
use crate::report::Look;
use crate::text::Terminal;

/// Where a command writes to.
///
/// It has no `Debug`, since it keeps passwords: what is written to standard error is searched for them.
pub(super) struct Console {
    out: ColorChoice,
    err: ColorChoice,
    quiet: u8,
    verbose: u8,
    url_is_typed: bool,
    secrets: Secrets,
}

impl Console {
    /// Makes a console from the options that every command has. `url_is_typed` tells that the database URL stands
    /// on the command line.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line is what knows the environment"
    )]
    pub(super) fn new(screen: &ScreenArgs, url_is_typed: bool) -> Self {
        let secrets = Secrets::default();
        // The drivers read these by themselves.
        let passwords = ["PGPASSWORD", "MYSQL_PWD"].into_iter();
        secrets.extend(passwords.filter_map(|name| std::env::var(name).ok()));
        Self {
            out: style::choose(screen.color, &io::stdout()),
            err: style::choose(screen.color, &io::stderr()),
            quiet: screen.quiet,
            verbose: screen.verbose,
            url_is_typed,
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
        self.secrets.extend(url.secrets());
        if self.url_is_typed && url.has_password() {
            self.warn(
                "a password on the command line can be read by every user of this machine",
                "set DATABASE_URL in the environment instead of --url",
            );
        }
    }

    /// Reads a URL that the user gave, and guards its password.
    pub(super) fn place(&self, url: &str) -> Result<Place, CliError> {
        let url = DatabaseUrl::parse(url)?;
        self.guard(&url);
        Ok(Place::new(url, self.secrets.clone()))
    }

    /// Writes a result to standard output. A reader that has gone away is no error.
    pub(super) fn print(&self, text: &str) -> Result<(), CliError> {
        self.print_with(|out| out.write_all(text.as_bytes()))
    }

    /// Lets something write its result to standard output, piece by piece.
    pub(super) fn print_with(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        let mut out = BufWriter::new(AutoStream::new(io::stdout(), self.out));
        let written = write(&mut out).and_then(|()| out.flush());
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
