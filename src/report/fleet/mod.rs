//! The answer for many targets in one page: what is equal is said once, and the odd ones out are named.
//!
//! Two findings are equal if nothing but the target tells them apart, and two targets stand equally if they are as far
//! seen and have equal findings. A target's own names (its namespace, its database) are no difference: on MySQL a tenant
//! that has a database of its own would be like no other.

mod alike;
mod gather;
mod markdown;
mod model;
mod text;

pub(super) use gather::{DriftGroup, Groups, StandingGroup, gather, group};
pub(super) use markdown::{Entry, entries, open_facts, write_groups, write_unchecked};
pub(super) use model::sum_up;
pub use model::{Drift, Fleet, Standing};
pub use text::name_some;
pub(super) use text::{generalize_if_many, hand_out, sections, write_section};
