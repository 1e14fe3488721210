//! What the tests against live databases share: servers and files to check, cases on disk, and how they are judged.

pub(crate) mod case;
pub(crate) mod database;
pub(crate) mod drifted;
pub(crate) mod judge;
pub(crate) mod program;
