//! Where spec and database differ, in the lines of `seadrift diff`: those of one object, and whole tables.

use std::collections::BTreeMap;

use super::chapter::Chapter;
use super::code;
use super::encode::Content;
use crate::report::{TableDiff, TargetReport};
use crate::schema::{ObjectPath, Part};
use crate::text::Terminal;

/// With more tables than this their differences are folded.
const FEW: usize = 3;
/// More lines of one object are left to the table's own difference.
const MOST: usize = 12;

/// The differences of a chapter, by table.
pub(super) struct Differences<'a> {
    tables: BTreeMap<String, Lines<'a>>,
}

/// What differs in one table.
struct Lines<'a> {
    id: String,
    changed: Vec<&'a str>,
}

impl<'a> Differences<'a> {
    /// Takes the differences of a chapter's targets.
    pub(super) fn of(chapter: &Chapter<'a>) -> Self {
        let diffs = chapter.seen.iter().flat_map(|target| &target.diffs).enumerate();
        let tables = diffs.map(|(i, diff)| {
            let changed = diff.diff.raw().lines().filter(|line| line.starts_with(['-', '+']));
            let lines = Lines {
                id: id(chapter, i),
                changed: changed.collect(),
            };
            (diff.object.dotted().raw().to_owned(), lines)
        });
        Self {
            tables: tables.collect(),
        }
    }

    /// Writes the lines that speak of an object, and a link to what else differs in its table; nothing where the
    /// object's kind is in no difference.
    pub(super) fn write(&self, out: &mut String, object: &ObjectPath) {
        let table = object.of_table().dotted();
        let Some(lines) = self.tables.get(table.raw()) else {
            return;
        };
        let own = lines.own(object);
        if own.is_empty() && object.part.is_some() {
            return;
        }
        put!(out, "<div class=\"diff\"><dt>Difference</dt><dd>");
        if !own.is_empty() {
            put!(out, "<pre><code>");
            own.iter().take(MOST).for_each(|line| write_line(out, line));
            put!(out, "</code></pre>");
        }
        put!(out, "<a href=\"#{}\">all of the table</a></dd></div>\n", lines.id);
    }
}

impl<'a> Lines<'a> {
    /// Returns the lines of an object. A table has lines of its own parts alone.
    fn own(&self, object: &ObjectPath) -> Vec<&'a str> {
        let name = object.part.as_ref().map(|part| Terminal(part.name()).to_string());
        let (Some(part), Some(name)) = (&object.part, name) else {
            return Vec::new();
        };
        let heads = match part {
            Part::Column(_) => vec![format!("  {name} ")],
            Part::Index(_) => vec![format!("  index {name} ("), format!("  unique index {name} (")],
            Part::Constraint(_) => vec![format!("  check {name} (")],
            Part::Trigger(_) | Part::Job(_) => Vec::new(),
        };
        let speaks = |line: &&&str| heads.iter().any(|head| line[1..].starts_with(head.as_str()));
        self.changed.iter().filter(speaks).copied().collect()
    }
}

fn id(chapter: &Chapter<'_>, number: usize) -> String {
    format!("d{}.{number}", chapter.id)
}

/// Writes the differences of all tables of a chapter's targets.
pub(super) fn write(out: &mut String, chapter: &Chapter<'_>) {
    let diffs: Vec<&TableDiff> = chapter
        .seen
        .iter()
        .flat_map(|target: &&TargetReport| &target.diffs)
        .collect();
    if diffs.is_empty() {
        return;
    }
    put!(
        out,
        "<div class=\"part diffs\"><h4>difference</h4>\n<div>\n<p>What the spec wants is marked with -, what the \
         database has with +.</p>\n"
    );
    let open = if diffs.len() <= FEW { " open" } else { "" };
    for (i, diff) in diffs.into_iter().enumerate() {
        put!(
            out,
            "<div id=\"{}\"><details{open}><summary>table {}</summary>\n<pre><code>",
            id(chapter, i),
            code(diff.object.dotted().raw())
        );
        diff.diff.raw().lines().for_each(|line| write_line(out, line));
        put!(out, "</code></pre></details></div>\n");
    }
    put!(out, "</div></div>\n");
}

/// Writes one line. Its sign says the same as its colour.
fn write_line(out: &mut String, line: &str) {
    let class = match line.as_bytes().first() {
        Some(b'-') => "minus",
        Some(b'+') => "plus",
        Some(b'@' | b'\\') => "hunk",
        _ => "same",
    };
    put!(out, "<span class=\"{class}\">{}</span>\n", Content(line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_its_own_lines_alone() {
        let lines = Lines {
            id: String::new(),
            changed: vec![
                "-  Id uuid not null",
                "+  Id text not null",
                "-  Id2 uuid not null",
                "-  unique index Id (Id)",
                "+  index Id (Id)",
                "+  check Id (Id <> '')",
                "-",
            ],
        };
        let table = ObjectPath::table(None, "T");
        assert_eq!(lines.own(&table.column("Id")), lines.changed[..2]);
        assert_eq!(lines.own(&table.index("Id")), lines.changed[3..5]);
        assert_eq!(
            lines.own(&table.with(Part::Constraint("Id".to_owned()))),
            lines.changed[5..6]
        );
        assert!(lines.own(&table.with(Part::Trigger("Id".to_owned()))).is_empty());
        assert!(lines.own(&table).is_empty());
    }
}
