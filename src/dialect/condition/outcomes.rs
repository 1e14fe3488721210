//! The outcomes that a condition may have.

use std::ops::Not;

/// A set of true, false and NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    yes: bool,
    no: bool,
    null: bool,
}

impl Outcomes {
    pub(super) const NONE: Self = Self::new(false, false, false);
    pub(super) const TRUE: Self = Self::new(true, false, false);
    pub(super) const FALSE: Self = Self::new(false, true, false);
    pub(super) const NULL: Self = Self::new(false, false, true);
    /// True or false, as values that are not NULL compare.
    pub(super) const DEFINITE: Self = Self::new(true, true, false);
    pub(super) const ANY: Self = Self::new(true, true, true);

    const fn new(yes: bool, no: bool, null: bool) -> Self {
        Self { yes, no, null }
    }

    pub(super) fn may_be_true(self) -> bool {
        self.yes
    }

    pub(super) fn may_be_false(self) -> bool {
        self.no
    }

    /// Returns the outcomes of either condition.
    pub(super) fn either(self, other: Self) -> Self {
        Self::new(self.yes || other.yes, self.no || other.no, self.null || other.null)
    }

    pub(super) fn and(self, other: Self) -> Self {
        let null = (self.null && (other.null || other.yes)) || (other.null && self.yes);
        Self::new(self.yes && other.yes, self.no || other.no, null)
    }

    pub(super) fn or(self, other: Self) -> Self {
        !(!self).and(!other)
    }

    pub(super) fn negated_if(self, negated: bool) -> Self {
        if negated { !self } else { self }
    }

    /// Returns what a test for one outcome says: it is never NULL itself.
    pub(super) fn is(self, one: Self) -> Self {
        let met = (self.yes && one.yes) || (self.no && one.no) || (self.null && one.null);
        let missed = (self.yes && !one.yes) || (self.no && !one.no) || (self.null && !one.null);
        Self::new(met, missed, false)
    }
}

impl Not for Outcomes {
    type Output = Self;

    fn not(self) -> Self {
        Self::new(self.no, self.yes, self.null)
    }
}

impl From<bool> for Outcomes {
    fn from(truth: bool) -> Self {
        if truth { Self::TRUE } else { Self::FALSE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: [Outcomes; 3] = [Outcomes::TRUE, Outcomes::FALSE, Outcomes::NULL];

    fn sets() -> impl Iterator<Item = Outcomes> {
        (1..8).map(|bits| Outcomes::new(bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
    }

    /// The table of SQL's AND: false wins, then NULL.
    fn both(a: Outcomes, b: Outcomes) -> Outcomes {
        if a == Outcomes::FALSE || b == Outcomes::FALSE {
            Outcomes::FALSE
        } else if a == Outcomes::NULL || b == Outcomes::NULL {
            Outcomes::NULL
        } else {
            Outcomes::TRUE
        }
    }

    #[test]
    fn a_set_has_the_outcomes_of_each_of_its_members() {
        let members = |set: Outcomes| EACH.into_iter().filter(move |one| set.either(*one) == set);
        for a in sets() {
            for b in sets() {
                let pairs = || members(a).flat_map(move |x| members(b).map(move |y| (x, y)));
                let and = pairs().fold(Outcomes::NONE, |all, (x, y)| all.either(both(x, y)));
                assert_eq!(a.and(b), and, "{a:?} and {b:?}");
                let or = pairs().fold(Outcomes::NONE, |all, (x, y)| all.either(!both(!x, !y)));
                assert_eq!(a.or(b), or, "{a:?} or {b:?}");
            }
        }
    }

    #[test]
    fn a_test_for_an_outcome_is_never_null() {
        assert_eq!(Outcomes::NULL.is(Outcomes::TRUE), Outcomes::FALSE);
        assert_eq!(Outcomes::NULL.is(Outcomes::NULL), Outcomes::TRUE);
        assert_eq!(Outcomes::ANY.is(Outcomes::TRUE), Outcomes::DEFINITE);
    }
}
