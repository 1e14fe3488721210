//! Encoders for the places of a page that text can stand in.
//!
//! Between tags and in quoted attributes nothing that a spec or a database wrote can end its place, and a character that
//! does something to a screen is shown as `\u{202e}`. Between tags it is marked, so that it differs from the same
//! letters written out.

use std::fmt;

use crate::report::prose::{Span, spans};
use crate::text::{Terminal, is_deceptive};

/// Text between tags.
#[derive(Clone, Copy)]
pub(super) struct Content<'a>(pub(super) &'a str);

/// Text in an attribute with double quotes.
#[derive(Clone, Copy)]
pub(super) struct Attribute<'a>(pub(super) &'a str);

/// A sentence between tags: what stands between backticks is code. A lone backtick stays.
#[derive(Clone, Copy)]
pub(super) struct Prose<'a>(pub(super) &'a str);

/// Text that can be part of an `id` or of a link to one. Different texts stay different.
#[derive(Clone, Copy)]
pub(super) struct Anchor<'a>(pub(super) &'a str);

/// A number with its thousands apart: `5,000`.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) u64);

impl fmt::Display for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(self.0, f, |shown, f| write!(f, "<span class=\"esc\">{shown}</span>"))
    }
}

impl fmt::Display for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(self.0, f, |shown, f| shown.fmt(f))
    }
}

/// Encodes text; `show` writes a character that must not be there as itself.
fn encode(
    text: &str,
    f: &mut fmt::Formatter<'_>,
    show: fn(Terminal<'_>, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let (mut rest, mut before) = (0, ' ');
    for (at, c) in text.char_indices() {
        let twice = std::mem::replace(&mut before, c) == c;
        let entity = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            // Where the page goes through a pipeline's log, `##[` and `::` are orders.
            '#' if twice => "&#35;",
            ':' if twice => "&#58;",
            c if is_deceptive(c) => "",
            _ => continue,
        };
        f.write_str(&text[rest..at])?;
        rest = at + c.len_utf8();
        match entity {
            "" => show(Terminal(&text[at..rest]), f)?,
            entity => f.write_str(entity)?,
        }
    }
    f.write_str(&text[rest..])
}

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for span in spans(self.0) {
            match span {
                Span::Words(text) => Content(text).fmt(f)?,
                Span::Code(text) => write!(f, "<code>{}</code>", Content(text))?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Anchor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in self.0.chars() {
            match c {
                c if c.is_ascii_alphanumeric() || c == '-' => f.write_char(c)?,
                '/' => f.write_char('.')?,
                c => write!(f, "_{:x}_", u32::from(c))?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</code><script>alert(\"1\")</script>\u{1b}[2J\u{202e}\r\n' onload='x";

    #[test]
    fn nothing_ends_the_place_it_stands_in() {
        assert_eq!(
            Content(HOSTILE).to_string(),
            "&lt;/code&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<span class=\"esc\">\\u{1b}</span>[2J\
             <span class=\"esc\">\\u{202e}</span><span class=\"esc\">\\r</span><span class=\"esc\">\\n</span>&#39; \
             onload=&#39;x"
        );
        assert_eq!(
            Attribute(HOSTILE).to_string(),
            "&lt;/code&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\\u{1b}[2J\\u{202e}\\r\\n&#39; onload=&#39;x"
        );
    }

    #[test]
    fn entities_of_the_text_are_text() {
        assert_eq!(Content("&lt;b&#62;").to_string(), "&amp;lt;b&amp;#62;");
        assert_eq!(Content("Größe 漢字 \u{1f980}").to_string(), "Größe 漢字 \u{1f980}");
    }

    #[test]
    fn backticks_make_code_and_a_lone_one_stays() {
        assert_eq!(Prose("run `a < b` now").to_string(), "run <code>a &lt; b</code> now");
        assert_eq!(Prose("a ` b").to_string(), "a ` b");
    }

    #[test]
    fn different_names_have_different_anchors_without_a_blank_or_a_quote() {
        let names = [
            "prod/a",
            "prod.a",
            "prod_a",
            "prod a",
            "prod-a",
            "\"><b>",
            "prod_2f_a",
            "Größe",
            "",
        ];
        let anchors: Vec<String> = names.iter().map(|name| Anchor(name).to_string()).collect();
        let distinct: std::collections::BTreeSet<&String> = anchors.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{anchors:?}");
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        assert!(anchors.iter().all(|anchor| anchor.chars().all(plain)), "{anchors:?}");
    }

    #[test]
    fn thousands_are_set_apart() {
        let shown: Vec<String> = [0, 999, 1000, 1_234_567]
            .iter()
            .map(|n| Number(*n).to_string())
            .collect();
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }
}
