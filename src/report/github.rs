//! Annotations of GitHub Actions, as workflow commands: a line that the runner takes out of a step's log.

use std::fmt;
use std::io::{self, Write};

use super::annotation::{Annotation, Level, annotate};
use super::format::Setting;
use super::model::Report;

/// Writes one command per annotation.
pub(super) fn write(report: &Report, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
    for annotation in annotate(report, setting) {
        write_one(&annotation, out)?;
    }
    Ok(())
}

fn write_one(annotation: &Annotation, out: &mut dyn Write) -> io::Result<()> {
    let command = match annotation.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    write!(out, "::{command} ")?;
    if let Some(file) = &annotation.file {
        write!(out, "file={},", Property(file))?;
    }
    if let Some(at) = annotation.span {
        let (line, column, end) = (at.line, at.column, at.end);
        write!(out, "line={line},endLine={line},col={column},endColumn={end},")?;
    }
    writeln!(
        out,
        "title={}::{}",
        Property(&annotation.title),
        Data(&annotation.lines.join("\n"))
    )
}

/// The text of a command: what ends a line, and the sign that escapes it.
struct Data<'a>(&'a str);

/// The value of a property: what ends it, too.
struct Property<'a>(&'a str);

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(self.0, "", f)
    }
}

impl fmt::Display for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(self.0, ":,", f)
    }
}

fn encode(text: &str, more: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write as _;
    for c in text.chars() {
        match c {
            '%' | '\r' | '\n' => write!(f, "%{:02X}", u32::from(c))?,
            c if more.contains(c) => write!(f, "%{:02X}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_or_a_property_early() {
        assert_eq!(Data("50%\r\n::error::x, y").to_string(), "50%25%0D%0A::error::x, y");
        assert_eq!(Property("a,line=1::b%3A").to_string(), "a%2Cline=1%3A%3Ab%253A");
    }
}
