//! Logging commands of Azure Pipelines: issues of the step, which the agent takes out of its log.

use std::fmt;
use std::io::{self, Write};

use super::annotation::{Annotation, Level, annotate};
use super::format::Setting;
use super::model::Report;

/// Writes one command per issue.
pub(super) fn write(report: &Report, setting: &Setting<'_>, out: &mut dyn Write) -> io::Result<()> {
    for annotation in annotate(report, setting) {
        write_one(&annotation, out)?;
    }
    Ok(())
}

fn write_one(annotation: &Annotation, out: &mut dyn Write) -> io::Result<()> {
    // There are only these two.
    let kind = match annotation.level {
        Level::Error => "error",
        Level::Warning | Level::Notice => "warning",
    };
    write!(out, "##vso[task.logissue type={kind};")?;
    if let Some(file) = &annotation.file {
        write!(out, "sourcepath={};", Value(file))?;
    }
    if let Some(at) = annotation.span {
        write!(out, "linenumber={};columnnumber={};", at.line, at.column)?;
    }
    if let Some(code) = &annotation.code {
        write!(out, "code={};", Value(code))?;
    }
    let text = annotation.lines.join("\n");
    writeln!(out, "]{}", Value(&format!("{}: {text}", annotation.title)))
}

/// A value or the text of a command. The agent turns the signs back.
struct Value<'a>(&'a str);

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in self.0.chars() {
            match c {
                '%' => f.write_str("%AZP25")?,
                ';' | ']' | '\r' | '\n' => write!(f, "%{:02X}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_or_a_value_early() {
        assert_eq!(Value("50%;type=x]\r\n").to_string(), "50%AZP25%3Btype=x%5D%0D%0A");
    }
}
