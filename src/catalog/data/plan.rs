//! Which questions can be asked of a table's rows, and how. Pure.

use super::{Answer, DataFact, DataQuestion, MOST_COUNTED, MOST_ROWS, Query};
use crate::catalog::{Catalog, Found};
use crate::dialect::{Dialect, TimeKind};
use crate::schema::{Aspect, Column, DataType, IndexState, Kind, Table};
use crate::text::Terminal;

/// How one fact is come by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// It is known already.
    Settled(Answer),
    /// By a statement that an index serves.
    Ask(Query),
    /// By a statement that reads the whole table, if `size` counts few rows.
    AskIfSmall { size: Query, query: Query },
}

/// Plans the questions about one table; none where there is no such table.
pub(super) fn plan(catalog: &Catalog, question: &DataQuestion) -> Vec<(DataFact, Read)> {
    let sighting = catalog.sightings.iter().find(|s| s.wanted == question.table);
    let Some(Found::Object(table)) = sighting.map(|s| &s.found) else {
        return Vec::new();
    };
    if !matches!(table.kind, Kind::Table | Kind::SystemVersioned) {
        return Vec::new();
    }
    let asker = Asker::new(catalog, table);
    let mut plan = Vec::new();
    if let Some((column, says_utc)) = &question.age {
        plan.push((DataFact::Oldest, asker.oldest(column, *says_utc)));
        if let Some(query) = asker.deletions(catalog.server.replica) {
            plan.push((DataFact::Deleted, Read::Ask(query)));
        }
    }
    if let Some(column) = question.event_id.as_ref().and_then(|name| asker.column(name)) {
        plan.push((DataFact::Repeated, asker.repeated(column)));
        plan.extend(asker.nil(column).map(|read| (DataFact::Nil, read)));
    }
    for (name, allowed) in &question.values {
        if let Some(column) = asker.column(name) {
            plan.push((DataFact::Foreign(name.clone()), asker.foreign(column, allowed)));
        }
    }
    if question.unused {
        plan.push((DataFact::AnyRow, Read::Ask(asker.count("", 1, Vec::new()))));
    }
    plan
}

/// The identifier that stands for none.
const NIL: &str = "'00000000-0000-0000-0000-000000000000'";

struct Asker<'a> {
    dialect: Dialect,
    table: &'a Table,
    /// The namespace and the name, quoted.
    from: String,
}

impl<'a> Asker<'a> {
    fn new(catalog: &Catalog, table: &'a Table) -> Self {
        let dialect = catalog.server.dialect;
        let facts = dialect.facts();
        let space = catalog.namespace.name.as_deref().filter(|name| !name.is_empty());
        let space = space.map_or_else(String::new, |name| facts.quote(name) + ".");
        Self {
            dialect,
            table,
            from: space + &facts.quote(&table.name),
        }
    }

    fn quote(&self, name: &str) -> String {
        self.dialect.facts().quote(name)
    }

    fn column(&self, name: &str) -> Option<&'a Column> {
        let facts = self.dialect.facts();
        self.table.columns.iter().find(|c| facts.same_name(&c.name, name))
    }

    /// Counts rows up to a limit.
    fn count(&self, condition: &str, most: u64, values: Vec<String>) -> Query {
        let from = &self.from;
        Query {
            sql: format!("SELECT count(*) FROM (SELECT 1 AS one FROM {from} {condition} LIMIT {most}) AS few"),
            values,
        }
    }

    /// Asks through an index that begins with the column, or of a small table.
    fn through(&self, column: &Column, query: Query) -> Read {
        if self.table.indexes.iter().any(|index| index.leads_with(&column.name)) {
            return Read::Ask(query);
        }
        Read::AskIfSmall {
            size: self.count("", MOST_ROWS + 1, Vec::new()),
            query,
        }
    }

    fn oldest(&self, name: &str, says_utc: bool) -> Read {
        let unknown = |reason: String, help: &str| {
            Read::Settled(Answer::Unknown {
                reason,
                help: help.to_owned(),
            })
        };
        let Some(column) = self.column(name) else {
            let seen = self.table.sees(Aspect::Columns);
            let how = if seen { "has no column" } else { "shows no column" };
            return unknown(
                format!(
                    "`{}` {how} `{}`, so the age of its rows is not known.",
                    Terminal(&self.table.name),
                    Terminal(name)
                ),
                "Let the spec name a column that the table has.",
            );
        };
        let Some(time) = TimeKind::of(self.dialect, &column.ty.data, says_utc) else {
            return unknown(
                format!(
                    "`{}` is {}, which does not tell the time of a row for certain.",
                    Terminal(&column.name),
                    Terminal(&column.ty.spelling)
                ),
                "Give it a type that holds an instant, or state `type: timestamp` in the spec if its values are in UTC.",
            );
        };
        let c = self.quote(&column.name);
        let (age, known) = match (self.dialect, time) {
            (Dialect::Postgres, TimeKind::Utc) => (
                format!("floor(extract(epoch FROM (statement_timestamp() AT TIME ZONE 'UTC') - {c}))::bigint"),
                format!("{c} >= timestamp '1970-01-01' AND {c} < 'infinity'"),
            ),
            (Dialect::Postgres, _) => (
                format!("floor(extract(epoch FROM statement_timestamp() - {c}))::bigint"),
                format!("{c} >= timestamptz 'epoch' AND {c} < 'infinity'"),
            ),
            (Dialect::MySql | Dialect::MariaDb, TimeKind::Instant) => (
                format!("CAST(FLOOR(UNIX_TIMESTAMP(NOW(6)) - UNIX_TIMESTAMP({c})) AS SIGNED)"),
                format!("{c} >= '1970-01-02 00:00:00'"),
            ),
            (Dialect::MySql | Dialect::MariaDb, _) => (
                format!("TIMESTAMPDIFF(SECOND, {c}, UTC_TIMESTAMP(6))"),
                format!("{c} >= '1970-01-01 00:00:00'"),
            ),
            // The text that sorts first may be younger than another of its day, never older.
            (Dialect::Sqlite, _) => (
                format!("CAST((julianday('now') - julianday({c})) * 86400 AS INTEGER)"),
                format!("{c} >= '1970' AND typeof({c}) = 'text' AND julianday({c}) IS NOT NULL"),
            ),
        };
        let sql = format!("SELECT {age} FROM {} WHERE {known} ORDER BY {c} LIMIT 1", self.from);
        self.through(
            column,
            Query {
                sql,
                values: Vec::new(),
            },
        )
    }

    /// A replica keeps no statistics of what its primary deleted.
    fn deletions(&self, replica: bool) -> Option<Query> {
        let divided = self.table.partitioning.is_some();
        (self.dialect == Dialect::Postgres && !replica && !divided).then(|| Query {
            sql: "SELECT pg_catalog.pg_stat_get_tuples_deleted(c.oid) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
                  WHERE n.nspname = $1 AND c.relname = $2"
                .to_owned(),
            values: vec![self.table.namespace.clone().unwrap_or_default(), self.table.name.clone()],
        })
    }

    fn repeated(&self, column: &Column) -> Read {
        let guard = |index: &&crate::schema::Index| {
            index.unique && !index.deferrable && index.state == IndexState::Valid && index.predicate.is_none()
        };
        let guarded = self.table.indexes.iter().filter(guard).any(
            |index| matches!(&index.key[..], [part] if part.as_column() == Some(&column.name) && part.prefix.is_none()),
        );
        if guarded {
            return Read::Settled(Answer::Known(Some(0)));
        }
        let c = self.quote(&column.name);
        let groups = format!("WHERE {c} IS NOT NULL GROUP BY {c} HAVING count(*) > 1");
        self.through(column, self.count(&groups, MOST_COUNTED, Vec::new()))
    }

    fn nil(&self, column: &Column) -> Option<Read> {
        let text = format!(
            "{NIL}, '{{{}}}', '00000000000000000000000000000000', ''",
            NIL.trim_matches('\'')
        );
        let nil = match (self.dialect, &column.ty.data) {
            (Dialect::Sqlite, _) => format!("{text}, zeroblob(16)"),
            (_, DataType::Uuid) => NIL.to_owned(),
            (_, DataType::Char(_) | DataType::Varchar(_) | DataType::Text) => text,
            (Dialect::MySql | Dialect::MariaDb, DataType::Binary(16) | DataType::Varbinary(_)) => {
                "X'00000000000000000000000000000000'".to_owned()
            }
            _ => return None,
        };
        let condition = format!("WHERE {} IN ({nil})", self.quote(&column.name));
        Some(self.through(column, self.count(&condition, MOST_COUNTED, Vec::new())))
    }

    /// Values are compared letter by letter, whatever the column's collation takes for equal.
    fn foreign(&self, column: &Column, allowed: &[String]) -> Read {
        let c = self.quote(&column.name);
        let exact = match self.dialect {
            Dialect::Postgres => format!("{c}::text COLLATE \"C\""),
            // As bytes: no collation that every server has tells a space at the end.
            Dialect::MySql | Dialect::MariaDb => format!("CAST(CONVERT({c} USING utf8mb4) AS BINARY)"),
            Dialect::Sqlite => format!("CAST({c} AS TEXT) COLLATE BINARY"),
        };
        let places: Vec<String> = (1..=allowed.len())
            .map(|n| match self.dialect {
                Dialect::Postgres => format!("${n}"),
                Dialect::Sqlite => format!("?{n}"),
                Dialect::MySql | Dialect::MariaDb => "CAST(? AS BINARY)".to_owned(),
            })
            .collect();
        let condition = format!("WHERE {c} IS NOT NULL AND {exact} NOT IN ({})", places.join(", "));
        Read::AskIfSmall {
            size: self.count("", MOST_ROWS + 1, Vec::new()),
            query: self.count(&condition, MOST_COUNTED, allowed.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::ideal;
    use crate::spec::parse;

    const SPEC: &str = "version: 1
service: s
tables:
  L:
    role: ledger
    columns:
      Id: { type: uuid }
      EventId: { type: uuid }
      Outcome: { type: varchar(40), values: [Processed, O'Neil] }
      At: { type: timestamptz }
    primary_key: [Id]
    indexes:
      UX: { columns: [EventId], unique: true }
      IX: { columns: [At] }
    ledger: { event_id: EventId, staleness_window: 168h }
    retention: { horizon: 14d, column: At }
";

    fn question() -> DataQuestion {
        DataQuestion {
            table: "L".to_owned(),
            age: Some(("At".to_owned(), false)),
            event_id: Some("EventId".to_owned()),
            values: vec![("Outcome".to_owned(), vec!["Processed".to_owned(), "O'Neil".to_owned()])],
            unused: false,
        }
    }

    fn planned(dialect: Dialect, change: impl FnOnce(&mut Table)) -> Vec<(DataFact, Read)> {
        let mut catalog = ideal(&parse("s.yaml", SPEC).unwrap(), dialect);
        let Found::Object(table) = &mut catalog.sightings[0].found else {
            panic!("the table is there");
        };
        change(table);
        plan(&catalog, &question())
    }

    fn of(plan: &[(DataFact, Read)], fact: &DataFact) -> Read {
        plan.iter().find(|(f, _)| f == fact).unwrap().1.clone()
    }

    #[test]
    fn what_an_index_serves_is_asked_and_the_rest_of_small_tables_only() {
        for dialect in Dialect::ALL {
            let plan = planned(dialect, |_| {});
            assert!(matches!(of(&plan, &DataFact::Oldest), Read::Ask(_)), "{dialect}");
            assert_eq!(of(&plan, &DataFact::Repeated), Read::Settled(Answer::Known(Some(0))));
            assert!(matches!(of(&plan, &DataFact::Nil), Read::Ask(_)));
            let outcome = DataFact::Foreign("Outcome".to_owned());
            assert!(matches!(of(&plan, &outcome), Read::AskIfSmall { .. }));
            let bare = planned(dialect, |table| table.indexes.clear());
            for fact in [DataFact::Oldest, DataFact::Repeated, DataFact::Nil] {
                assert!(
                    matches!(of(&bare, &fact), Read::AskIfSmall { .. }),
                    "{dialect} {fact:?}"
                );
            }
        }
    }

    #[test]
    fn an_index_that_does_not_reach_every_row_serves_nothing() {
        let changes: [fn(&mut crate::schema::Index); 3] = [
            |index| index.predicate = Some("true".to_owned()),
            |index| index.state = IndexState::Building,
            |index| index.ignored = true,
        ];
        for change in changes {
            let plan = planned(Dialect::Postgres, |table| table.indexes.iter_mut().for_each(change));
            assert!(matches!(of(&plan, &DataFact::Oldest), Read::AskIfSmall { .. }));
        }
    }

    #[test]
    fn values_are_bound_and_names_are_quoted() {
        for dialect in Dialect::ALL {
            let plan = planned(dialect, |_| {});
            let Read::AskIfSmall { query, .. } = of(&plan, &DataFact::Foreign("Outcome".to_owned())) else {
                panic!("asked");
            };
            assert_eq!(query.values, ["Processed", "O'Neil"]);
            assert!(!query.sql.contains("Neil"), "{}", query.sql);
            assert!(query.sql.contains(&dialect.facts().quote("Outcome")), "{}", query.sql);
        }
    }

    #[test]
    fn an_age_that_cannot_be_told_is_unknown() {
        let settled = |read: Read| match read {
            Read::Settled(Answer::Unknown { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        let gone = planned(Dialect::Postgres, |t| t.columns.retain(|c| c.name != "At"));
        assert!(settled(of(&gone, &DataFact::Oldest)).contains("has no column"));
        for (dialect, ty) in [
            (
                Dialect::Postgres,
                DataType::Timestamp {
                    precision: None,
                    zoned: false,
                },
            ),
            (Dialect::Sqlite, DataType::Integer),
            (Dialect::MariaDb, DataType::BigInt),
        ] {
            let plan = planned(dialect, |t| {
                let column = t.columns.iter_mut().find(|c| c.name == "At").unwrap();
                column.ty.data = ty;
            });
            assert!(settled(of(&plan, &DataFact::Oldest)).contains("for certain"));
        }
    }
}
