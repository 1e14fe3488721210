//! Patterns of names.

/// Returns whether a text is meant as a pattern and not as a name.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Returns whether a name matches a pattern: `*` stands for any characters, `?` for one. Neither stops at a slash.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut place) = (0, 0);
    // Where the last star is, and up to where it reaches so far.
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[place] => {
                at += 1;
                place += 1;
            }
            _ => {
                let Some((before, reached)) = star else { return false };
                star = Some((before, reached + 1));
                at = before + 1;
                place = reached + 1;
            }
        }
    }
    pattern[at..].iter().all(|&rest| rest == '*')
}

/// Returns whether some name could match both patterns, judged by what they begin with.
pub(super) fn may_meet(one: &str, other: &str) -> bool {
    let (one, other) = (beginning(one), beginning(other));
    one.starts_with(other) || other.starts_with(one)
}

/// Returns what every match of a pattern begins with.
fn beginning(pattern: &str) -> &str {
    &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_any_characters() {
        for (pattern, name, expected) in [
            ("prod/*", "prod/notification", true),
            ("prod/*", "prod/", true),
            ("prod/*", "staging/notification", false),
            ("*", "a/b", true),
            ("*/notification", "prod/notification", true),
            ("*/notification", "prod/notifications", false),
            ("tenant_??", "tenant_01", true),
            ("tenant_??", "tenant_1", false),
            ("t?nant", "tönant", true),
            ("a*b*c", "a--b--b-c", true),
            ("a*b*c", "a--c--b", false),
            ("", "", true),
            ("", "a", false),
            ("Prod/*", "prod/a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let pattern = "*a".repeat(50) + "b";
        assert!(!matches(&pattern, &"a".repeat(2000)));
    }

    #[test]
    fn patterns_meet_where_one_begins_as_the_other_does() {
        for (one, other, expected) in [
            ("prod/*", "prod/tenant_*", true),
            ("*", "prod/tenant_*", true),
            ("prod/tenant_1", "prod/*", true),
            ("staging/*", "prod/*", false),
        ] {
            assert_eq!(may_meet(one, other), expected, "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn a_name_matches_itself_and_any_pattern_made_of_it(name in "[a-z/]{0,12}", cut in 0_usize..12) {
            prop_assert!(matches(&name, &name));
            let cut = cut.min(name.len());
            let pattern = format!("{}*", &name[..cut]);
            prop_assert!(matches(&pattern, &name));
            prop_assert!(may_meet(&pattern, &name));
        }
    }
}
