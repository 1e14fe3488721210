//! The neutral model of a database's tables, shared by both sides of a comparison.
//!
//! Plain data in normal form. It knows no YAML, no SQL text that must be parsed, and no dialect: what a
//! server's spelling means is decided in [`crate::dialect`] and [`crate::catalog`] before it gets here.
//!
//! A fact that the catalog could not read is never left out silently: the owner of the fact names its
//! [`Aspect`] in its list of unseen facts, and the rules answer *unverified* instead of judging.

mod column;
mod data_type;
mod default;
mod index;
mod path;
mod table;

pub use column::{Collation, Column, Domain, Equality, Generated, Identity, NativeType, NotNullBy};
pub use data_type::{DataType, ParseTypeError};
pub use default::{Clock, DefaultExpr, Literal, TimeForm};
pub use index::{Index, IndexState, KeyExpr, KeyPart, OnConflict};
pub use path::{Aspect, ObjectPath, Part};
pub use table::{
    Check, Child, Durability, Engine, ForeignKey, Kind, Membership, Partition, PartitionCheck, PartitionCover,
    PartitionIndex, PartitionNotNull, PartitionRows, Partitioning, PrimaryKey, RewriteRule, RowSecurity, Table, Takes,
    Timing, Trigger, TriggerFailure,
};
