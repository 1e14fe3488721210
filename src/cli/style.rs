//! Colours, and when there are any.

use anstream::ColorChoice;
use anstream::stream::RawStream;
use anstyle::{AnsiColor, Style};

/// Values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless the environment says otherwise
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// Decides for one stream. The option goes first, then `NO_COLOR`, `CLICOLOR_FORCE`, `FORCE_COLOR`, `CLICOLOR`, and
/// at last whether the stream is a terminal.
#[expect(
    clippy::disallowed_methods,
    reason = "the command line is what knows the environment"
)]
pub(super) fn choose<S: RawStream>(color: Color, stream: &S) -> ColorChoice {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
        // Known to many programs, but not to anstream.
        Color::Auto
            if set("FORCE_COLOR") && !set("NO_COLOR") && std::env::var_os("FORCE_COLOR") != Some("0".into()) =>
        {
            ColorChoice::Always
        }
        Color::Auto => anstream::AutoStream::choice(stream),
    }
}

/// The style of `error:`.
pub(super) fn error() -> Style {
    AnsiColor::BrightRed.on_default().bold()
}

/// The style of `warning:`.
pub(super) fn warning() -> Style {
    AnsiColor::Yellow.on_default().bold()
}

/// The style of an added line.
pub(super) fn added() -> Style {
    AnsiColor::Green.on_default()
}

/// The style of a removed line.
pub(super) fn removed() -> Style {
    AnsiColor::Red.on_default()
}

/// The style of a heading.
pub(super) fn heading() -> Style {
    Style::new().bold()
}

/// The style of code within prose.
pub(super) fn code() -> Style {
    AnsiColor::Cyan.on_default()
}
