//! Reads `CREATE TRIGGER`.

use super::cursor::Cursor;
use crate::dialect::sqlite::token::{Token, Unreadable};
use crate::schema::Timing;

/// What the text of a trigger says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::catalog::sqlite) struct TriggerText {
    /// When it fires.
    pub(in crate::catalog::sqlite) timing: Timing,
    /// On which change, in upper case.
    pub(in crate::catalog::sqlite) event: &'static str,
    /// Its condition, as written.
    pub(in crate::catalog::sqlite) condition: Option<String>,
    /// The statements between BEGIN and END, as written.
    pub(in crate::catalog::sqlite) body: String,
}

/// Reads the text of a trigger.
///
/// # Errors
///
/// A text that is not the definition of a trigger, as far as this reader knows.
pub(in crate::catalog::sqlite) fn read_trigger(sql: &str) -> Result<TriggerText, Unreadable> {
    let mut cursor = Cursor::new(sql)?;
    cursor.create("trigger")?;
    cursor.qualified_name()?;
    let timing = if cursor.pass(&["after"]) {
        Timing::After
    } else if cursor.pass(&["instead", "of"]) {
        Timing::InsteadOf
    } else {
        cursor.pass(&["before"]);
        Timing::Before
    };
    let event = match cursor.next() {
        Some(token) if token.is("insert") => "INSERT",
        Some(token) if token.is("update") => "UPDATE",
        Some(token) if token.is("delete") => "DELETE",
        _ => return Err(Unreadable),
    };
    if event == "UPDATE" && cursor.pass(&["of"]) {
        cursor.until(|rest| rest[0].is("on"));
    }
    cursor.expect(&["on"])?;
    cursor.qualified_name()?;
    cursor.pass(&["for", "each", "row"]);
    let condition = if cursor.pass(&["when"]) {
        Some(cursor.until(starts_body).text().to_owned())
    } else {
        None
    };
    cursor.expect(&["begin"])?;
    if cursor.rest().last().is_some_and(|t| t.is_symbol(";")) {
        cursor.cut_last(1);
    }
    if !cursor.rest().last().is_some_and(|t| t.is("end")) {
        return Err(Unreadable);
    }
    cursor.cut_last(1);
    Ok(TriggerText {
        timing,
        event,
        condition,
        body: cursor.text().to_owned(),
    })
}

/// Returns whether the body starts here. A column can be called `begin`, but no statement follows it.
fn starts_body(rest: &[Token<'_>]) -> bool {
    rest[0].is("begin")
        && rest.get(1).is_some_and(|next| {
            ["select", "insert", "update", "delete", "replace", "with"]
                .iter()
                .any(|word| next.is(word))
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn timing_event_condition_and_body_are_read() {
        let trigger = read_trigger(
            "CREATE TRIGGER \"TR_skip\" BEFORE INSERT ON \"T\" WHEN NEW.\"Outcome\"='Stale' \
             BEGIN SELECT CASE WHEN 1 THEN RAISE(IGNORE) END; END",
        )
        .unwrap();
        assert_eq!(
            trigger,
            TriggerText {
                timing: Timing::Before,
                event: "INSERT",
                condition: Some("NEW.\"Outcome\"='Stale'".to_owned()),
                body: "SELECT CASE WHEN 1 THEN RAISE(IGNORE) END;".to_owned(),
            }
        );
    }

    #[test]
    fn a_trigger_without_timing_fires_before() {
        let trigger =
            read_trigger("CREATE TRIGGER t UPDATE OF a, b ON x FOR EACH ROW BEGIN DELETE FROM y; END;").unwrap();
        assert_eq!((trigger.timing, trigger.event), (Timing::Before, "UPDATE"));
        assert_eq!(trigger.condition, None);
        let trigger =
            read_trigger("CREATE TRIGGER IF NOT EXISTS t INSTEAD OF DELETE ON v BEGIN SELECT 1; END").unwrap();
        assert_eq!((trigger.timing, trigger.event), (Timing::InsteadOf, "DELETE"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(rest in any::<String>()) {
            let _ = read_trigger(&rest);
            let _ = read_trigger(&format!("CREATE TRIGGER t AFTER INSERT ON x WHEN {rest} BEGIN {rest} END"));
        }
    }
}
