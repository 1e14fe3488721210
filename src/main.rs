//! The seadrift program.

fn main() {}
