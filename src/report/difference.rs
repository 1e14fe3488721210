//! What differs between a spec and a database, table by table, as `seadrift diff` prints it.

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::compare::{canonical, pair};
use crate::schema::ObjectPath;
use crate::spec::Spec;
use crate::text::Text;

/// More of one table is left out: nobody reads it in a report.
const LONGEST: usize = 16 * 1024;
/// The longest line, in characters.
const LONGEST_LINE: usize = 400;

/// One table that differs from its spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TableDiff {
    /// The table.
    pub object: ObjectPath,
    /// The hunks of a unified diff: `-` is what the spec wants, `+` what the database has. Very long ones are cut, and
    /// the last line says so.
    pub diff: Text,
}

/// Returns the tables that differ, by name.
pub(super) fn differences(spec: &Spec, catalog: &Catalog) -> Vec<TableDiff> {
    let comparison = pair(spec, catalog);
    let tables = comparison.tables.iter();
    let diffs = tables.map(|pair| (&pair.path, canonical(pair, catalog.server.dialect).hunks()));
    let mut diffs: Vec<TableDiff> = diffs
        .filter(|(_, hunks)| !hunks.is_empty())
        .map(|(path, hunks)| TableDiff {
            object: path.clone(),
            diff: Text::new(bound(&hunks)),
        })
        .collect();
    diffs.sort_by(|a, b| a.object.cmp(&b.object));
    diffs
}

/// Cuts lines and the whole to what a report has room for.
fn bound(hunks: &str) -> String {
    let mut out = String::with_capacity(hunks.len().min(LONGEST));
    let mut lines = hunks.lines();
    for line in lines.by_ref() {
        let (line, cut) = match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => (&line[..end], "… (cut)"),
            None => (line, ""),
        };
        if out.len() + line.len() > LONGEST {
            let rest = 1 + lines.count();
            out.push_str(&format!("\\ {rest} more lines: `seadrift diff` shows them\n"));
            return out;
        }
        out.push_str(line);
        out.push_str(cut);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_whole_or_says_that_it_is_cut() {
        assert_eq!(bound("@@ -1 +1 @@\n-a\n+b\n"), "@@ -1 +1 @@\n-a\n+b\n");
        let long = bound(&format!("-{}\n", "é".repeat(5_000)));
        assert!(long.ends_with("é… (cut)\n") && long.chars().count() < 450, "{long}");
        let many = bound(&"+ a line of a table\n".repeat(5_000));
        assert!(many.len() <= LONGEST + 80, "{}", many.len());
        let kept = many.lines().filter(|line| line.starts_with('+')).count();
        let last = format!("\\ {} more lines: `seadrift diff` shows them", 5_000 - kept);
        assert_eq!(many.lines().last(), Some(last.as_str()));
    }
}
