//! The difference of the two sides, as hunks of a unified diff.

use similar::TextDiff;

use super::Canonical;

/// Equal lines around what differs.
const CONTEXT: usize = 3;

impl Canonical {
    /// Returns the hunks of a unified diff, without names of files: `-` is what the spec wants, `+` what the database
    /// has. It is empty if the sides are equal.
    pub fn hunks(&self) -> String {
        let diff = TextDiff::from_lines(self.desired.as_str(), self.observed.as_str());
        diff.unified_diff().context_radius(CONTEXT).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sides_have_no_hunk_and_different_ones_a_unified_diff() {
        let sides = |desired: &str, observed: &str| Canonical {
            desired: desired.to_owned(),
            observed: observed.to_owned(),
        };
        assert_eq!(sides("a\n", "a\n").hunks(), "");
        assert_eq!(sides("a\nb\n", "a\nc\n").hunks(), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    }
}
