//! Reads `CREATE INDEX`.

use super::cursor::Cursor;
use crate::dialect::sqlite::token::Unreadable;

/// What the text of an index says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalog::sqlite) struct IndexText {
    /// The parts of the key as written, without their order.
    pub(in crate::catalog::sqlite) parts: Vec<String>,
    /// The predicate of a partial index, as written.
    pub(in crate::catalog::sqlite) predicate: Option<String>,
}

/// Reads the text of an index.
///
/// # Errors
///
/// A text that is not the definition of an index, as far as this reader knows.
pub(in crate::catalog::sqlite) fn read_index(sql: &str) -> Result<IndexText, Unreadable> {
    let mut cursor = Cursor::new(sql)?;
    cursor.create("index")?;
    cursor.qualified_name()?;
    cursor.expect(&["on"])?;
    cursor.name()?;
    let parts = cursor.group()?.split_at_commas().into_iter().map(part).collect();
    let predicate = if cursor.pass(&["where"]) {
        Some(cursor.text().trim_end_matches(';').trim_end().to_owned())
    } else {
        cursor.pass_symbol(";");
        if !cursor.is_at_end() {
            return Err(Unreadable);
        }
        None
    };
    Ok(IndexText { parts, predicate })
}

fn part(mut part: Cursor<'_>) -> String {
    if part.rest().last().is_some_and(|t| t.is("asc") || t.is("desc")) {
        part.cut_last(1);
    }
    part.text().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_and_predicate_are_kept_as_written() {
        let index = read_index(
            "CREATE UNIQUE INDEX IF NOT EXISTS main.\"UX\" ON [T] (lower(\"a\", ')') DESC, b COLLATE NOCASE ASC, `c`) \
             WHERE \"Outcome\" <> 'WHERE (' AND b IN (1, 2)",
        )
        .unwrap();
        assert_eq!(index.parts, ["lower(\"a\", ')')", "b COLLATE NOCASE", "`c`"]);
        assert_eq!(
            index.predicate.as_deref(),
            Some("\"Outcome\" <> 'WHERE (' AND b IN (1, 2)")
        );
    }

    #[test]
    fn an_index_over_all_rows_has_no_predicate() {
        assert_eq!(read_index("create index i on t(a);").unwrap().predicate, None);
        assert!(read_index("create index i on t(a) using btree").is_err());
        assert!(read_index("create table t(a)").is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(rest in any::<String>()) {
            let _ = read_index(&rest);
            let _ = read_index(&format!("CREATE INDEX i ON t ({rest}) WHERE {rest}"));
        }
    }
}
