//! What keeps a trigger's function from doing its work: what it names and is not there, and what its owner may not do.

use super::rows::{NamedRow, TriggerRow};
use crate::catalog::acts::{self, Act, Verb};
use crate::dialect::Dialect;
use crate::schema::TriggerFailure;

/// Returns what keeps a trigger of a table of this namespace from its work: what is certain before what is not, and that
/// before what cannot be told.
pub(super) fn failure(row: &TriggerRow, namespace: &str) -> Option<TriggerFailure> {
    let body = row.body.as_deref().filter(|_| row.language == "plpgsql")?;
    let acts = acts::read(body, Dialect::Postgres);
    let judge = Judge {
        row,
        namespace,
        path: row.settings.iter().find_map(|setting| path(setting)),
    };
    let found = acts.iter().filter_map(|act| judge.of_act(act));
    found.min_by_key(|failure| match failure {
        TriggerFailure::Always(_) => 0,
        TriggerFailure::Sometimes(_) => 1,
        TriggerFailure::Unseen(_) => 2,
    })
}

struct Judge<'a> {
    row: &'a TriggerRow,
    namespace: &'a str,
    /// The namespaces in which the function itself looks bare names up.
    path: Option<Vec<String>>,
}

/// What a name stands for.
enum Meaning<'a> {
    Nothing,
    One(&'a NamedRow),
    /// One of several.
    Some,
    /// Depends on the session.
    Open(&'a NamedRow),
}

impl Judge<'_> {
    fn of_act(&self, act: &Act) -> Option<TriggerFailure> {
        let (said, name) = (act.verb.said(), act.dotted());
        let certain = act.certain && !self.row.conditional;
        let failure = |why: String| match certain {
            true => TriggerFailure::Always(why),
            false => TriggerFailure::Sometimes(why),
        };
        match self.meaning(act) {
            Meaning::Some => None,
            Meaning::Nothing => Some(failure(format!("{said} `{name}`, which {}", self.absence(act)))),
            Meaning::One(found) => {
                let owner = self.row.definer.as_deref()?;
                let forbidden = found.refused.iter().any(|privilege| privilege == act.verb.privilege());
                forbidden.then(|| failure(format!("{said} `{name}`, which the function's owner `{owner}` may not")))
            }
            Meaning::Open(found) => Some(TriggerFailure::Unseen(format!(
                "Whether the trigger finds `{}.{}` under the name `{name}` depends on the search path of the session that inserts.",
                found.namespace, found.name
            ))),
        }
    }

    fn absence(&self, act: &Act) -> &'static str {
        match self.path {
            Some(_) if act.name.len() == 1 => "is nowhere in the function's search path",
            _ => "does not exist",
        }
    }

    fn meaning(&self, act: &Act) -> Meaning<'_> {
        let Some(name) = act.name.last() else {
            return Meaning::Nothing;
        };
        let listed = if act.verb == Verb::Call {
            &self.row.routines
        } else {
            &self.row.relations
        };
        let same: Vec<&NamedRow> = listed.iter().filter(|found| found.name == *name).collect();
        let is_in = |space: &str| same.iter().copied().find(|found| found.namespace == space);
        if let [.., space, _] = &act.name[..] {
            return is_in(space).map_or(Meaning::Nothing, Meaning::One);
        }
        if let Some(found) = is_in("pg_catalog") {
            return Meaning::One(found);
        }
        let usual = [self.namespace.to_owned(), "public".to_owned()];
        let path = self.path.as_deref().unwrap_or(&usual);
        match (path.iter().find_map(|space| is_in(space)), same.first()) {
            (Some(found), _) if self.path.is_some() || same.len() == 1 => Meaning::One(found),
            (Some(_), _) => Meaning::Some,
            (None, None) => Meaning::Nothing,
            (None, Some(_))
                if self
                    .path
                    .as_ref()
                    .is_some_and(|path| !path.iter().any(|space| space == "$user")) =>
            {
                Meaning::Nothing
            }
            (None, Some(found)) => Meaning::Open(found),
        }
    }
}

/// Reads `search_path=a, "B"` of a function.
fn path(setting: &str) -> Option<Vec<String>> {
    let list = setting.strip_prefix("search_path=")?;
    let mut spaces = vec![String::new()];
    let mut quoted = false;
    for c in list.chars() {
        let last = spaces.last_mut()?;
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => spaces.push(String::new()),
            c if c.is_whitespace() && !quoted => {}
            c => last.push(c),
        }
    }
    Some(spaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(namespace: &str, name: &str, refused: &[&str]) -> NamedRow {
        NamedRow {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            refused: refused.iter().map(|p| (*p).to_owned()).collect(),
        }
    }

    fn row(body: &str, settings: &[&str], definer: bool) -> TriggerRow {
        TriggerRow {
            name: "t".to_owned(),
            partition: None,
            bits: 7,
            enabled: "O".to_owned(),
            conditional: false,
            definition: String::new(),
            function: "f".to_owned(),
            body: Some(format!("BEGIN {body}; RETURN NEW; END")),
            language: "plpgsql".to_owned(),
            definer: definer.then(|| "keeper".to_owned()),
            settings: settings.iter().map(|s| (*s).to_owned()).collect(),
            relations: vec![
                named("app", "audit", &["INSERT"]),
                named("other", "stray", &[]),
                named("app", "twice", &[]),
                named("other", "twice", &["INSERT"]),
            ],
            routines: vec![named("pg_catalog", "pg_notify", &[]), named("other", "f", &[])],
        }
    }

    /// Says the kind of failure by its first letter.
    fn kind(row: &TriggerRow) -> &'static str {
        match failure(row, "app") {
            None => "",
            Some(TriggerFailure::Always(_)) => "always",
            Some(TriggerFailure::Sometimes(_)) => "sometimes",
            Some(TriggerFailure::Unseen(_)) => "unseen",
        }
    }

    #[test]
    fn a_name_that_stands_for_nothing_fails_each_time() {
        for (body, settings, expected) in [
            ("INSERT INTO audit VALUES (1)", &[][..], ""),
            ("INSERT INTO gone VALUES (1)", &[], "always"),
            ("INSERT INTO nowhere.audit VALUES (1)", &[], "always"),
            ("INSERT INTO app.audit VALUES (1)", &["search_path=other"], ""),
            ("INSERT INTO audit VALUES (1)", &["search_path=other"], "always"),
            (
                "INSERT INTO audit VALUES (1)",
                &["search_path=\"$user\", other"],
                "unseen",
            ),
            ("INSERT INTO stray VALUES (1)", &["search_path=x, \"other\""], ""),
            ("INSERT INTO stray VALUES (1)", &["work_mem=1MB"], "unseen"),
            ("INSERT INTO twice VALUES (1)", &[], ""),
            ("PERFORM pg_notify('a', 'b')", &["search_path="], ""),
            ("PERFORM gone()", &[], "always"),
            ("PERFORM other.f()", &[], ""),
            ("IF a THEN INSERT INTO gone VALUES (1); END IF", &[], "sometimes"),
        ] {
            assert_eq!(kind(&row(body, settings, false)), expected, "{body} {settings:?}");
        }
        let conditional = TriggerRow {
            conditional: true,
            ..row("INSERT INTO gone VALUES (1)", &[], false)
        };
        assert_eq!(kind(&conditional), "sometimes");
        let foreign = TriggerRow {
            language: "plpython3u".to_owned(),
            ..row("INSERT INTO gone VALUES (1)", &[], false)
        };
        assert_eq!(kind(&foreign), "");
    }

    #[test]
    fn an_owner_who_may_not_fails_each_time() {
        let insert = "INSERT INTO audit VALUES (1)";
        assert_eq!(kind(&row(insert, &[], true)), "always");
        assert_eq!(kind(&row("UPDATE audit SET a = 1", &[], true)), "");
        assert_eq!(
            kind(&row("INSERT INTO twice VALUES (1)", &["search_path=other"], true)),
            "always"
        );
        assert_eq!(
            kind(&row("INSERT INTO twice VALUES (1)", &["search_path=app, other"], true)),
            ""
        );
    }
}
