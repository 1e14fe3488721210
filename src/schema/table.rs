//! Tables as a live database has them.

use std::collections::BTreeSet;

use super::{Aspect, Column, Index};

/// An observed table, or what stands under its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The SQL schema or database; absent on SQLite.
    pub namespace: Option<String>,
    /// The exact name.
    pub name: String,
    /// What kind of object it is.
    pub kind: Kind,
    /// Whether its rows survive a crash.
    pub durability: Durability,
    /// The storage engine (MySQL) or storage mode (SQLite `STRICT`, `WITHOUT ROWID`).
    pub engine: Option<Engine>,
    /// How it is divided, if it is.
    pub partitioning: Option<Partitioning>,
    /// What it is a partition of, if it is one (PostgreSQL).
    pub membership: Option<Membership>,
    /// Tables that inherit from it (PostgreSQL), partitions aside.
    pub children: Vec<Child>,
    /// Columns, sorted by name: their order is no fact of a spec.
    pub columns: Vec<Column>,
    /// The primary key.
    pub primary_key: Option<PrimaryKey>,
    /// All indexes, sorted by name, the primary key's included.
    pub indexes: Vec<Index>,
    /// Check constraints, sorted by name.
    pub checks: Vec<Check>,
    /// Foreign keys from this table, sorted by name.
    pub foreign_keys: Vec<ForeignKey>,
    /// Unique indexes of single partitions, which are no part of an index of the table (PostgreSQL).
    pub partition_indexes: Vec<PartitionIndex>,
    /// Check constraints of single partitions (PostgreSQL).
    pub partition_checks: Vec<PartitionCheck>,
    /// Columns that take NULL and do not on a single partition (PostgreSQL).
    pub partition_not_nulls: Vec<PartitionNotNull>,
    /// Triggers, sorted by name and partition.
    pub triggers: Vec<Trigger>,
    /// Rewrite rules on writes (PostgreSQL).
    pub rules: Vec<RewriteRule>,
    /// Row security (PostgreSQL).
    pub row_security: RowSecurity,
    /// Facts about this table that could not be seen.
    pub unseen: BTreeSet<Aspect>,
}

impl Table {
    /// Makes an empty table of the plain kind.
    pub fn new(namespace: Option<&str>, name: &str) -> Self {
        Self {
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
            kind: Kind::Table,
            durability: Durability::Permanent,
            engine: None,
            partitioning: None,
            membership: None,
            children: Vec::new(),
            columns: Vec::new(),
            primary_key: None,
            indexes: Vec::new(),
            checks: Vec::new(),
            foreign_keys: Vec::new(),
            partition_indexes: Vec::new(),
            partition_checks: Vec::new(),
            partition_not_nulls: Vec::new(),
            triggers: Vec::new(),
            rules: Vec::new(),
            row_security: RowSecurity::default(),
            unseen: BTreeSet::new(),
        }
    }

    /// Returns whether a kind of fact could be seen.
    pub fn sees(&self, aspect: Aspect) -> bool {
        !self.unseen.contains(&aspect)
    }

    /// Puts every list whose order means nothing into one order.
    ///
    /// Kept as they are: the parts of a key, INCLUDE columns, and the columns of a foreign key.
    pub fn normalize(&mut self) {
        self.columns.sort_by(|a, b| a.name.cmp(&b.name));
        self.indexes.sort_by(|a, b| a.name.cmp(&b.name));
        self.checks.sort_by(|a, b| a.name.cmp(&b.name));
        self.foreign_keys
            .sort_by(|a, b| (&a.name, &a.partition).cmp(&(&b.name, &b.partition)));
        self.partition_indexes
            .sort_by(|a, b| (&a.partition, &a.index.name).cmp(&(&b.partition, &b.index.name)));
        self.partition_checks
            .sort_by(|a, b| (&a.partition.name, &a.check.name).cmp(&(&b.partition.name, &b.check.name)));
        self.partition_not_nulls
            .sort_by(|a, b| (&a.partition.name, &a.column).cmp(&(&b.partition.name, &b.column)));
        self.triggers
            .sort_by(|a, b| (&a.name, &a.partition).cmp(&(&b.name, &b.partition)));
        self.rules.sort_by(|a, b| a.name.cmp(&b.name));
        self.children.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// What kind of object a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ordinary table; a partitioned one has [`Table::partitioning`].
    Table,
    /// A table with system-versioned history (MariaDB).
    SystemVersioned,
    /// A view.
    View {
        /// Whether inserts go through to a table; unknown where absent.
        updatable: Option<bool>,
        /// The tables it reads, where known.
        over: Vec<String>,
    },
    /// A materialized view.
    MaterializedView,
    /// A table of another server.
    ForeignTable,
    /// A virtual table (SQLite), with its module.
    VirtualTable(String),
    /// A sequence, composite type or other object that holds no rows of ours, in words.
    Other(String),
}

/// Whether rows survive a crash or the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// They do.
    Permanent,
    /// Emptied after a crash (PostgreSQL `UNLOGGED`).
    Unlogged,
    /// Gone with the session.
    Temporary,
}

/// A storage engine or mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name: `InnoDB`, `STRICT`.
    pub name: String,
    /// Whether rows take part in transactions.
    pub transactional: bool,
    /// Whether rows survive a restart.
    pub durable: bool,
    /// Whether this is what migrations make, so that it is worth no word.
    pub usual: bool,
}

/// How a table is divided, or a partition of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitioning {
    /// `range`, `list`, `hash` or `key`.
    pub strategy: String,
    /// The partition key's columns or expressions.
    pub key: Vec<String>,
    /// The partitions, in bound order where the server gives one.
    pub partitions: Vec<Partition>,
    /// Whether every new row finds one of these partitions, as far as their bounds tell.
    pub cover: PartitionCover,
}

/// One partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its name.
    pub name: String,
    /// Its bounds as the server prints them.
    pub bound: String,
    /// Which rows it takes.
    pub takes: Takes,
    /// How it is divided itself, if it is.
    pub divided: Option<Box<Partitioning>>,
}

/// Which rows a partition takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Those that no other partition takes.
    Rest,
    /// A share of all, by a hash.
    Share,
    /// None but those that meet a condition.
    Rows {
        /// The condition, in the database's SQL.
        condition: String,
        /// Whether rows of the present meet it, where the key is a time.
        now: Option<bool>,
    },
    /// Not read by this program.
    Unknown,
}

/// What a table is a partition of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The table that it is a partition of, qualified where that is in another namespace.
    pub parent: String,
    /// The table and those above it, each as the only partition of the next: other rows cannot be written into it.
    pub levels: Vec<Partitioning>,
}

/// An index of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionIndex {
    /// The partition's name.
    pub partition: String,
    /// The index.
    pub index: Index,
}

/// A partition that holds its rows to something that the table does not hold them to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionRows {
    /// Its name.
    pub name: String,
    /// The condition that its rows meet by its bounds, in the database's SQL.
    pub bound: Option<String>,
}

/// A check constraint of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionCheck {
    /// The partition.
    pub partition: PartitionRows,
    /// The constraint.
    pub check: Check,
}

/// A column that is NOT NULL on one partition alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionNotNull {
    /// The partition.
    pub partition: PartitionRows,
    /// The column's name.
    pub column: String,
}

/// Whether new rows find a partition. Each reason reads behind "rows find no partition: ".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartitionCover {
    /// Every row that has a value for the key does, or a default partition takes the rest.
    Complete,
    /// Rows of the present are refused; says why.
    RefusesNow(String),
    /// Rows of now are taken, those of long ago or far ahead refused; says which.
    OtherTimes(String),
    /// Some values are refused at any time; says which.
    Gaps(String),
    /// Not decided by this program.
    Unknown,
}

/// A table that inherits from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its namespace-qualified name.
    pub name: String,
    /// Its unique, valid, whole-table index keys: each a list of columns.
    pub unique_keys: Vec<Vec<String>>,
}

/// A primary key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimaryKey {
    /// The constraint's name, where it has one.
    pub name: Option<String>,
    /// The key columns in order.
    pub columns: Vec<String>,
    /// Whether it is the row number itself (SQLite `INTEGER PRIMARY KEY`).
    pub row_number: bool,
}

/// A check constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name; generated where the database has none.
    pub name: String,
    /// The expression as the server prints it.
    pub sql: String,
    /// The columns it reads, where known.
    pub columns: Vec<String>,
    /// Whether rows that were there before are known to satisfy it.
    pub validated: bool,
    /// Whether new rows are held to it.
    pub enforced: bool,
}

/// A foreign key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignKey {
    /// Its name.
    pub name: String,
    /// The partition that it is on, if it is not on the whole table (PostgreSQL).
    pub partition: Option<String>,
    /// The referencing columns.
    pub columns: Vec<String>,
    /// The referenced table, qualified where it is in another namespace.
    pub referenced_table: String,
    /// The referenced columns.
    pub referenced_columns: Vec<String>,
    /// What a deleted parent row does: `CASCADE`, `NO ACTION`.
    pub on_delete: String,
    /// Whether it is enforced.
    pub enforced: bool,
}

/// When a trigger fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Before the change.
    Before,
    /// After the change.
    After,
    /// In place of the change.
    InsteadOf,
}

/// A trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Its name.
    pub name: String,
    /// The partition that it is on, if it is not on the whole table (PostgreSQL).
    pub partition: Option<String>,
    /// When it fires.
    pub timing: Timing,
    /// On which changes, in upper case: `INSERT`, `UPDATE`, `DELETE`, `TRUNCATE`.
    pub events: Vec<String>,
    /// Whether it fires for each row.
    pub per_row: bool,
    /// Whether it fires in ordinary sessions.
    pub enabled: bool,
    /// Its condition, as the server prints it.
    pub condition: Option<String>,
    /// Its body, or its function's, as the server has it.
    pub body: Option<String>,
    /// The function it calls (PostgreSQL).
    pub function: Option<String>,
    /// What keeps it from doing its work, where the catalog shows that.
    pub failure: Option<TriggerFailure>,
}

/// Why a trigger fails, as a clause; its failure is that of the statement that fires it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TriggerFailure {
    /// Each time it fires.
    Always(String),
    /// Sometimes, depending on the row.
    Sometimes(String),
    /// Whether it does could not be seen.
    Unseen(String),
}

/// A rewrite rule (PostgreSQL).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteRule {
    /// Its name.
    pub name: String,
    /// The command it rewrites: `INSERT`, `UPDATE`, `DELETE`.
    pub event: String,
    /// Whether the command itself is not run.
    pub instead: bool,
    /// Whether it is active in ordinary sessions.
    pub enabled: bool,
    /// The definition as the server prints it.
    pub definition: String,
}

/// Row security of a table (PostgreSQL).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSecurity {
    /// Whether it is on.
    pub enabled: bool,
    /// Whether it also holds for the table's owner.
    pub forced: bool,
    /// The policies' names with command and roles, in words.
    pub policies: Vec<String>,
    /// Whether the policies show every role every row, and take every row of every role.
    pub open: bool,
    /// The table's owner.
    pub owner: Option<String>,
}
