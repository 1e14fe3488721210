//! The result as JSON: the master of every other format.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::report::Report;
use crate::text::is_deceptive;

/// Writes a report as indented JSON that ends with a newline.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    write_indented(report, out)
}

/// Renders a report as indented JSON that ends with a newline.
///
/// # Errors
///
/// None in practice: every map of a report has text for its keys.
pub fn render(report: &impl Serialize) -> io::Result<String> {
    let mut json = Vec::new();
    write_indented(report, &mut json)?;
    String::from_utf8(json).map_err(io::Error::other)
}

/// Writes anything as indented JSON that ends with a newline.
pub(super) fn write_indented(value: &impl Serialize, mut out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut out, Safe(PrettyFormatter::new())))?;
    out.write_all(b"\n")
}

/// Writes anything as JSON on one line.
pub(super) fn write_line(value: &impl Serialize, mut out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut out, Safe(CompactFormatter)))?;
    out.write_all(b"\n")
}

/// Escapes more than JSON asks for: what does something to a screen, so that a result can be looked at in a terminal,
/// and the mark that pipelines take orders by.
struct Safe<F>(F);

impl<F: Formatter> Formatter for Safe<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'#';
        if text.bytes().all(is_plain) {
            return out.write_all(text.as_bytes());
        }
        let mut written = 0;
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            if is_deceptive(c) || (c == '#' && before == '#') {
                out.write_all(&text.as_bytes()[written..at])?;
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
                written = at + c.len_utf8();
            }
            before = c;
        }
        out.write_all(&text.as_bytes()[written..])
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}
