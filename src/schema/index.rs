//! Indexes as a live database has them, unique or not.

use super::Collation;

/// An index of an observed table, including those behind primary keys and unique constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The exact name; SQLite's automatic indexes have their generated name.
    pub name: String,
    /// Whether the server made up the name (SQLite's `sqlite_autoindex_…`).
    pub generated_name: bool,
    /// Whether duplicates are refused.
    pub unique: bool,
    /// Whether this is the primary key's index.
    pub primary: bool,
    /// The key parts in order; INCLUDE columns are not among them.
    pub key: Vec<KeyPart>,
    /// Columns that are only carried along.
    pub include: Vec<String>,
    /// The predicate of a partial index, as the server prints it.
    pub predicate: Option<String>,
    /// The access method in lower case: `btree`, `hash`, `brin`.
    pub method: String,
    /// Whether the method serves look-ups by equality on the leading key part.
    pub serves_equality: bool,
    /// Whether NULLs count as equal in a unique index.
    pub nulls_not_distinct: bool,
    /// Whether the index is complete and in force.
    pub state: IndexState,
    /// Whether the check can be put off to the end of the transaction.
    pub deferrable: bool,
    /// Whether it is behind an exclusion constraint or a temporal key (PostgreSQL), which no upsert can name.
    pub exclusion: bool,
    /// The constraint that the index belongs to, by name.
    pub constraint: Option<String>,
    /// Whether the optimizer passes it over (MariaDB `IGNORED`, MySQL `INVISIBLE`).
    pub ignored: bool,
    /// The conflict clause (SQLite).
    pub on_conflict: Option<OnConflict>,
    /// What the server would not let go of without it, in words: a foreign key of another table, the replica identity.
    pub relied_on: Option<String>,
    /// The definition as the server prints it, for people.
    pub definition: Option<String>,
}

impl Index {
    /// Makes a valid index without a key and without peculiarities.
    pub fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            generated_name: false,
            unique: false,
            primary: false,
            key: Vec::new(),
            include: Vec::new(),
            predicate: None,
            method: "btree".to_owned(),
            serves_equality: true,
            nulls_not_distinct: false,
            state: IndexState::Valid,
            deferrable: false,
            exclusion: false,
            constraint: None,
            ignored: false,
            on_conflict: None,
            relied_on: None,
            definition: None,
        }
    }

    /// Returns whether a part of the key is compared in a way that a person made.
    pub fn has_own_comparison(&self) -> bool {
        self.key.iter().any(|part| part.own_comparison)
    }

    /// Returns whether the index finds every row in the order of a column.
    pub fn leads_with(&self, column: &str) -> bool {
        let leading = self.key.first();
        self.method == "btree"
            && self.state == IndexState::Valid
            && self.predicate.is_none()
            && !self.ignored
            && leading.is_some_and(|part| part.prefix.is_none() && part.as_column() == Some(column))
    }
}

/// One part of an index key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPart {
    /// The column or expression.
    pub expr: KeyExpr,
    /// Whether the order is descending.
    pub descending: bool,
    /// Whether NULLs come first, where the server says.
    pub nulls_first: Option<bool>,
    /// Only so many leading characters or bytes are indexed (MySQL).
    pub prefix: Option<u32>,
    /// The collation of this part, for text.
    pub collation: Option<Collation>,
    /// The operator by which rows exclude each other, where it is not equality (PostgreSQL: `&&` of a temporal key).
    pub operator: Option<String>,
    /// An operator class that is not the type's default (PostgreSQL).
    pub operator_class: Option<String>,
    /// Whether that class is one that a person made: which values it takes for equal is not known (PostgreSQL).
    pub own_comparison: bool,
}

impl KeyPart {
    /// Makes a plain ascending part over a column.
    pub fn column(name: &str) -> Self {
        Self {
            expr: KeyExpr::Column(name.to_owned()),
            descending: false,
            nulls_first: None,
            prefix: None,
            collation: None,
            operator: None,
            operator_class: None,
            own_comparison: false,
        }
    }

    /// Returns the column, if the part is a plain column.
    pub fn as_column(&self) -> Option<&str> {
        match &self.expr {
            KeyExpr::Column(name) => Some(name),
            KeyExpr::Expression { .. } => None,
        }
    }
}

/// What an index part is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyExpr {
    /// A column by name.
    Column(String),
    /// An expression.
    Expression {
        /// As the server prints it.
        sql: String,
        /// The columns it reads, where the catalog knows them.
        columns: Vec<String>,
    },
}

/// Whether an index is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// Complete and enforced.
    Valid,
    /// Present, but not enforced for every row: a concurrent build failed, or partitions lack it.
    Invalid {
        /// What is missing, in words.
        reason: String,
    },
    /// Being built right now.
    Building,
}

/// What SQLite does with a row that breaks a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// The statement is undone; the default.
    Abort,
    /// The transaction is rolled back.
    Rollback,
    /// The statement stops, earlier rows stay.
    Fail,
    /// The new row vanishes without an error.
    Ignore,
    /// The old row is deleted.
    Replace,
}
