//! What the queries brought back, verbatim. Field names are those of `queries/*.sql`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

/// The session: who answered, and the settings of the transaction.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SessionRow {
    /// The namespaces the role's bare names are looked up in, before the check changed the search path.
    pub(super) search_path: Vec<String>,
    pub(super) version: String,
    pub(super) server_version: String,
    pub(super) server_version_num: String,
    pub(super) database: String,
    pub(super) role: String,
    pub(super) replica: bool,
    pub(super) encoding: String,
    pub(super) fsync: String,
    /// Start of the transaction in UTC.
    pub(super) now: chrono::NaiveDateTime,
    pub(super) settings: BTreeMap<String, String>,
}

/// Everything about the wanted tables.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct CatalogRow {
    pub(super) namespace: NamespaceRow,
    /// Functions of `public` that a person made under the name of a built-in function or one of an extension.
    pub(super) impostors: Vec<String>,
    /// Whether an index is being built by a role whose work this one may not see.
    pub(super) builds_hidden: bool,
    pub(super) tables: Vec<WantedRow>,
    pub(super) collations: Vec<CollationRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct NamespaceRow {
    pub(super) exists: bool,
    pub(super) visible_tables: u64,
    pub(super) others: Vec<String>,
}

/// A wanted name and what it stands for.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct WantedRow {
    pub(super) wanted: String,
    pub(super) object: Option<TableRow>,
    /// Other objects of this very name: `pg_class.relkind`, or `type` and `pg_type.typtype`.
    #[serde(deserialize_with = "list")]
    pub(super) namesakes: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub(super) elsewhere: Vec<ElsewhereRow>,
    #[serde(deserialize_with = "list")]
    pub(super) near: Vec<NearRow>,
    #[serde(deserialize_with = "list")]
    pub(super) index_elsewhere: Vec<(String, String)>,
    pub(super) resolves_to: Option<ElsewhereRow>,
}

impl WantedRow {
    /// Makes the row of a name that nothing has.
    pub(super) fn absent(name: &str) -> Self {
        Self {
            wanted: name.to_owned(),
            object: None,
            namesakes: Vec::new(),
            elsewhere: Vec::new(),
            near: Vec::new(),
            index_elsewhere: Vec::new(),
            resolves_to: None,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ElsewhereRow {
    pub(super) namespace: String,
    pub(super) kind: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct NearRow {
    pub(super) name: String,
    pub(super) kind: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct TableRow {
    pub(super) oid: i64,
    pub(super) name: String,
    /// `pg_class.relkind`.
    pub(super) kind: String,
    /// `pg_class.relpersistence`.
    pub(super) persistence: String,
    pub(super) owner: String,
    pub(super) row_security: bool,
    pub(super) row_security_forced: bool,
    /// `pg_partitioned_table.partstrat`.
    pub(super) partition_strategy: Option<String>,
    /// `RANGE ("ProcessedOnUtc")`.
    pub(super) partition_key: Option<String>,
    /// The type of the first key column, if it is a column.
    pub(super) partition_type: Option<String>,
    pub(super) insertable: Option<bool>,
    #[serde(deserialize_with = "list")]
    pub(super) reads: Vec<String>,
    #[serde(deserialize_with = "list")]
    pub(super) columns: Vec<ColumnRow>,
    #[serde(deserialize_with = "list")]
    pub(super) constraints: Vec<ConstraintRow>,
    #[serde(deserialize_with = "list")]
    pub(super) indexes: Vec<IndexRow>,
    #[serde(deserialize_with = "list")]
    pub(super) triggers: Vec<TriggerRow>,
    #[serde(deserialize_with = "list")]
    pub(super) rules: Vec<RuleRow>,
    #[serde(deserialize_with = "list")]
    pub(super) policies: Vec<PolicyRow>,
    #[serde(deserialize_with = "list")]
    pub(super) heirs: Vec<HeirRow>,
    /// The tables that it is a partition of, the nearest first.
    #[serde(deserialize_with = "list")]
    pub(super) ancestors: Vec<AncestorRow>,
    #[serde(deserialize_with = "list")]
    pub(super) partition_not_nulls: Vec<PartitionColumnRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ColumnRow {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) not_null: bool,
    pub(super) default: Option<String>,
    /// `s` for stored, `v` for virtual.
    pub(super) generated: Option<String>,
    pub(super) generation: Option<String>,
    /// `a` for always, `d` for by default.
    pub(super) identity: Option<String>,
    pub(super) owns_sequence: bool,
    pub(super) collation: i64,
    pub(super) type_collation: i64,
    #[serde(deserialize_with = "list")]
    pub(super) domains: Vec<DomainRow>,
    pub(super) labels: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DomainRow {
    pub(super) name: String,
    pub(super) not_null: bool,
    pub(super) default: Option<String>,
    /// The type it is made over: a base type, or another domain.
    pub(super) base: String,
    #[serde(deserialize_with = "list")]
    pub(super) checks: Vec<DomainCheckRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DomainCheckRow {
    pub(super) name: String,
    pub(super) sql: String,
    pub(super) validated: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ConstraintRow {
    pub(super) name: String,
    /// The partition that it is on, if it is not on the table: foreign keys and checks.
    pub(super) partition: Option<String>,
    /// Of a check of a partition: the condition that its rows meet by its bounds.
    pub(super) partition_rows: Option<String>,
    /// `c` check, `f` foreign key, `n` NOT NULL (PostgreSQL 18).
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) validated: bool,
    pub(super) enforced: bool,
    #[serde(deserialize_with = "list")]
    pub(super) columns: Vec<String>,
    pub(super) sql: Option<String>,
    pub(super) referenced_table: Option<String>,
    #[serde(deserialize_with = "list")]
    pub(super) referenced_columns: Vec<String>,
    /// `pg_constraint.confdeltype`.
    pub(super) on_delete: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct IndexRow {
    pub(super) name: String,
    /// The partition that it is on, if it is not on the table.
    pub(super) partition: Option<String>,
    pub(super) method: String,
    pub(super) unique: bool,
    pub(super) primary: bool,
    pub(super) valid: bool,
    pub(super) ready: bool,
    pub(super) live: bool,
    pub(super) immediate: bool,
    pub(super) nulls_not_distinct: bool,
    pub(super) predicate: Option<String>,
    pub(super) definition: String,
    pub(super) constraint: Option<String>,
    /// Of an exclusion constraint or a temporal key: the operator of each key part by which rows exclude each other.
    pub(super) operators: Option<Vec<String>>,
    /// Whether it tells the rows apart for logical replication.
    pub(super) replica_identity: bool,
    /// The tables whose foreign keys lead to it.
    #[serde(deserialize_with = "list")]
    pub(super) referenced_by: Vec<String>,
    pub(super) building: bool,
    /// Of a partitioned index: the partitions with a valid index attached to it.
    pub(super) attached: Option<Vec<i64>>,
    /// The columns that an index with expressions depends on.
    #[serde(deserialize_with = "list")]
    pub(super) reads: Vec<String>,
    /// Whether the class of the first part knows the operator `=`.
    pub(super) finds_equal: bool,
    pub(super) key_parts: usize,
    pub(super) parts: Vec<IndexPartRow>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct IndexPartRow {
    pub(super) column: Option<String>,
    pub(super) expression: Option<String>,
    pub(super) descending: bool,
    pub(super) nulls_first: bool,
    pub(super) collation: Option<i64>,
    pub(super) column_collation: Option<i64>,
    pub(super) operator_class: Option<String>,
    /// Whether the class is one that a person made; nothing for carried columns, which have none.
    pub(super) own_comparison: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct TriggerRow {
    pub(super) name: String,
    /// The partition that it is on, if it is not on the table.
    pub(super) partition: Option<String>,
    /// `pg_trigger.tgtype`.
    pub(super) bits: u32,
    /// `pg_trigger.tgenabled`.
    pub(super) enabled: String,
    pub(super) conditional: bool,
    pub(super) definition: String,
    pub(super) function: String,
    pub(super) body: Option<String>,
    #[serde(default)]
    pub(super) language: String,
    /// The role that the function runs as, if that is not the one that inserts.
    pub(super) definer: Option<String>,
    /// `pg_proc.proconfig`.
    #[serde(default, deserialize_with = "list")]
    pub(super) settings: Vec<String>,
    /// Tables and their like of the names that the function's text holds.
    #[serde(default, deserialize_with = "list")]
    pub(super) relations: Vec<NamedRow>,
    /// Functions of such names.
    #[serde(default, deserialize_with = "list")]
    pub(super) routines: Vec<NamedRow>,
}

/// Something that a text may name.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NamedRow {
    pub(super) namespace: String,
    pub(super) name: String,
    /// What the function's owner may not do with it, where the function runs as its owner.
    #[serde(default, deserialize_with = "list")]
    pub(super) refused: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RuleRow {
    pub(super) name: String,
    /// `pg_rewrite.ev_type`.
    pub(super) event: String,
    pub(super) instead: bool,
    /// `pg_rewrite.ev_enabled`.
    pub(super) enabled: String,
    pub(super) definition: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct PolicyRow {
    pub(super) name: String,
    /// `pg_policy.polcmd`.
    pub(super) command: String,
    pub(super) permissive: bool,
    /// `pg_policy.polqual`: which rows are seen.
    #[serde(default)]
    pub(super) shown: Option<String>,
    /// `pg_policy.polwithcheck`: which rows are taken; those that are seen, where it is absent.
    #[serde(default)]
    pub(super) taken: Option<String>,
    #[serde(deserialize_with = "list")]
    pub(super) roles: Vec<String>,
}

/// A partition, or a table that inherits, at any depth.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct HeirRow {
    pub(super) oid: i64,
    pub(super) parent: i64,
    pub(super) namespace: String,
    pub(super) name: String,
    /// `pg_class.relpersistence`.
    pub(super) persistence: String,
    pub(super) bound: Option<String>,
    pub(super) partition_strategy: Option<String>,
    pub(super) partition_key: Option<String>,
    pub(super) partition_type: Option<String>,
    #[serde(deserialize_with = "list")]
    pub(super) unique_keys: Vec<Vec<String>>,
}

/// A table as a partition of another one.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct AncestorRow {
    /// The table that is a partition: the wanted one, or one that it is a partition of.
    pub(super) name: String,
    pub(super) bound: Option<String>,
    /// Of a default partition: the condition that its rows meet.
    pub(super) condition: Option<String>,
    /// What it is a partition of.
    pub(super) parent: String,
    pub(super) partition_strategy: String,
    pub(super) partition_key: String,
    pub(super) partition_type: Option<String>,
}

/// A column that is NOT NULL on a partition and not above it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PartitionColumnRow {
    pub(super) partition: String,
    /// The condition that the partition's rows meet by its bounds.
    pub(super) rows: Option<String>,
    pub(super) column: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct CollationRow {
    pub(super) oid: i64,
    pub(super) name: String,
    pub(super) deterministic: bool,
    pub(super) locale: Option<String>,
    pub(super) rules: Option<String>,
}

/// A session that holds or waits for an exclusive lock.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LockRow {
    pub(super) relation: String,
    pub(super) pid: i64,
    pub(super) granted: bool,
    pub(super) since: Option<String>,
}

/// Reads the NULL of an empty aggregate as an empty list.
pub(super) fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}
