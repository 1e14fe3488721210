//! Where a fact lives: namespace, table, and at most one part of the table.

use serde::{Deserialize, Serialize};

use crate::text::Text;

/// A place in a database: a table, or one part of it, and optionally which fact about it is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectPath {
    /// The SQL schema (PostgreSQL) or database (MySQL) of the table; empty on SQLite.
    pub namespace: Option<String>,
    /// The table's name, as the spec writes it.
    pub table: String,
    /// The part of the table that is meant; the table itself where it is absent.
    pub part: Option<Part>,
    /// Which fact of the object is meant, for entries that are not findings.
    pub aspect: Option<Aspect>,
}

/// One named part of a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A column.
    Column(String),
    /// An index, unique or not.
    Index(String),
    /// A primary key, check or foreign key.
    Constraint(String),
    /// A trigger or a rewrite rule.
    Trigger(String),
    /// A scheduled job.
    Job(String),
}

/// A kind of fact about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Aspect {
    /// The whole target.
    Target,
    /// Whether the object exists.
    Existence,
    /// The set of columns.
    Columns,
    /// A column's data type.
    Type,
    /// A column's nullability.
    Nullability,
    /// A column's default.
    Default,
    /// A column's identity or generation expression.
    Generation,
    /// A column's collation.
    Collation,
    /// The primary key.
    PrimaryKey,
    /// The set of indexes.
    Indexes,
    /// The definition of one index.
    Definition,
    /// Check constraints.
    Checks,
    /// Foreign keys.
    ForeignKeys,
    /// Triggers, rules and row security: what happens to an insert.
    WritePath,
    /// The values that a column may hold.
    Values,
    /// Partitions and their bounds.
    Partitions,
    /// Retention jobs.
    Retention,
    /// The rows themselves: their ages and counts.
    Rows,
}

impl Aspect {
    /// Returns the aspect as it is written in results: `primary-key`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Existence => "existence",
            Self::Columns => "columns",
            Self::Type => "type",
            Self::Nullability => "nullability",
            Self::Default => "default",
            Self::Generation => "generation",
            Self::Collation => "collation",
            Self::PrimaryKey => "primary-key",
            Self::Indexes => "indexes",
            Self::Definition => "definition",
            Self::Checks => "checks",
            Self::ForeignKeys => "foreign-keys",
            Self::WritePath => "write-path",
            Self::Values => "values",
            Self::Partitions => "partitions",
            Self::Retention => "retention",
            Self::Rows => "rows",
        }
    }
}

impl ObjectPath {
    /// Makes the path of a table.
    pub fn table(namespace: Option<&str>, table: &str) -> Self {
        Self {
            namespace: namespace.map(str::to_owned),
            table: table.to_owned(),
            part: None,
            aspect: None,
        }
    }

    /// Returns the path of the table alone.
    pub fn of_table(&self) -> Self {
        Self::table(self.namespace.as_deref(), &self.table)
    }

    /// Returns the same table's path with a part.
    pub fn with(&self, part: Part) -> Self {
        Self {
            part: Some(part),
            aspect: None,
            ..self.clone()
        }
    }

    /// Returns the path of a column of the same table.
    pub fn column(&self, name: &str) -> Self {
        self.with(Part::Column(name.to_owned()))
    }

    /// Returns the path of an index of the same table.
    pub fn index(&self, name: &str) -> Self {
        self.with(Part::Index(name.to_owned()))
    }

    /// Returns the same path, narrowed to one fact.
    pub fn aspect(&self, aspect: Aspect) -> Self {
        Self {
            aspect: Some(aspect),
            ..self.clone()
        }
    }

    /// Returns what kind of object is meant: `table`, `column`, `index`.
    pub fn kind(&self) -> &'static str {
        match &self.part {
            None => "table",
            Some(Part::Column(_)) => "column",
            Some(Part::Index(_)) => "index",
            Some(Part::Constraint(_)) => "constraint",
            Some(Part::Trigger(_)) => "trigger",
            Some(Part::Job(_)) => "job",
        }
    }

    /// Returns the dotted path: `public.ProcessedIntegrationEvents.EventId`.
    pub fn dotted(&self) -> Text {
        let mut parts: Vec<&str> = Vec::new();
        parts.extend(self.namespace.as_deref());
        parts.push(&self.table);
        parts.extend(self.part.as_ref().map(Part::name));
        Text::new(parts.join("."))
    }
}

impl Part {
    /// Returns the part's own name.
    pub fn name(&self) -> &str {
        match self {
            Self::Column(n) | Self::Index(n) | Self::Constraint(n) | Self::Trigger(n) | Self::Job(n) => n,
        }
    }
}

/// The flat form that results are written in: one key per kind of part.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct FlatPath {
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    table: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aspect: Option<Aspect>,
}

impl Serialize for ObjectPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut flat = FlatPath {
            namespace: self.namespace.clone(),
            table: self.table.clone(),
            column: None,
            index: None,
            constraint: None,
            trigger: None,
            job: None,
            aspect: self.aspect,
        };
        match self.part.clone() {
            None => {}
            Some(Part::Column(n)) => flat.column = Some(n),
            Some(Part::Index(n)) => flat.index = Some(n),
            Some(Part::Constraint(n)) => flat.constraint = Some(n),
            Some(Part::Trigger(n)) => flat.trigger = Some(n),
            Some(Part::Job(n)) => flat.job = Some(n),
        }
        flat.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ObjectPath {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let flat = FlatPath::deserialize(deserializer)?;
        let part = flat
            .column
            .map(Part::Column)
            .or(flat.index.map(Part::Index))
            .or(flat.constraint.map(Part::Constraint))
            .or(flat.trigger.map(Part::Trigger))
            .or(flat.job.map(Part::Job));
        Ok(Self {
            namespace: flat.namespace,
            table: flat.table,
            part,
            aspect: flat.aspect,
        })
    }
}

impl schemars::JsonSchema for ObjectPath {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ObjectPath".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        FlatPath::json_schema(generator)
    }
}
