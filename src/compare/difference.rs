//! In which ways an index differs from a wanted one, and what follows from each.

use crate::dialect::KeyEffect;
use crate::schema::{Index, IndexState};

/// One way in which an index differs from the wanted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What follows from it.
    pub effect: Effect,
    /// What differs, as a fragment that reads after the index's name: "is partial (WHERE …)".
    pub what: String,
}

/// What follows from a difference, from nothing to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Not known: the two could not be compared.
    Unproved,
    /// Nothing.
    Cosmetic,
    /// The index does its work and costs more, or serves fewer reads.
    Degraded,
    /// Equal keys are refused, but look-ups or upserts by the key cannot use the index; or, for an index that is
    /// not unique, it serves no look-ups by the key.
    Impaired,
    /// Keys that differ in trailing blanks are refused.
    RefusesPadded,
    /// Some keys that differ are refused.
    Refuses,
    /// Some equal keys are let in.
    LetsIn,
    /// The index is present and holds for nothing.
    Unenforced,
}

impl Difference {
    pub(super) fn new(effect: Effect, what: impl Into<String>) -> Self {
        Self {
            effect,
            what: what.into(),
        }
    }
}

/// Returns the worst effect of a list of differences.
pub fn worst(differences: &[Difference]) -> Effect {
    differences.iter().map(|d| d.effect).max().unwrap_or(Effect::Cosmetic)
}

/// Looks at whether a unique index is in force for every row and for upserts.
pub(super) fn enforcement(index: &Index, out: &mut Vec<Difference>) {
    match &index.state {
        IndexState::Valid => {}
        IndexState::Invalid { reason } => {
            out.push(Difference::new(Effect::Unenforced, format!("is INVALID: {reason}")));
        }
        IndexState::Building => {
            out.push(Difference::new(
                Effect::Unenforced,
                "is being built right now and is not in force yet",
            ));
        }
    }
    if index.deferrable {
        let what = "is DEFERRABLE: duplicates are refused only at the end of the statement or transaction, and ON CONFLICT cannot use it";
        out.push(Difference::new(Effect::Impaired, what));
    }
    if index.exclusion {
        let what = "enforces an exclusion constraint or a temporal key, which ON CONFLICT cannot use";
        out.push(Difference::new(Effect::Impaired, what));
    }
    if !index.serves_equality {
        let what = format!(
            "is a `{}` index, which refuses duplicates but serves no look-ups",
            index.method
        );
        out.push(Difference::new(Effect::Degraded, what));
    }
}

/// Says what follows from an expression in the place of a column.
pub(super) fn expression_difference(sql: &str, effect: &KeyEffect) -> Difference {
    match effect {
        KeyEffect::Faithful | KeyEffect::MergesCase | KeyEffect::MergesDashes => Difference::new(
            Effect::Impaired,
            format!(
                "is over the expression `{sql}`: look-ups by the column and ON CONFLICT on it cannot use the index"
            ),
        ),
        KeyEffect::Unknown => Difference::new(
            Effect::Impaired,
            format!(
                "is over the expression `{sql}`, which look-ups by the column cannot use and which may take different keys for equal"
            ),
        ),
        KeyEffect::Merges(why) => Difference::new(Effect::Refuses, format!("is over the expression `{sql}`: {why}")),
        KeyEffect::Forgets(why) => Difference::new(Effect::LetsIn, format!("is over the expression `{sql}`: {why}")),
    }
}
