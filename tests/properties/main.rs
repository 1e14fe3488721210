//! Laws that hold for every spec and every database, tried on generated ones.

#![allow(clippy::unwrap_used, reason = "these are tests and what they share")]

mod deep;
mod drift;
mod laws;
mod normal_form;
mod specs;
