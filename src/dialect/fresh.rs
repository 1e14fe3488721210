//! Expressions that give another value each time, whatever else is in them.

/// Functions whose values come no second time, in any of the databases.
const FUNCTIONS: &[&str] = &[
    "gen_random_bytes",
    "gen_random_uuid",
    "nextval",
    "rand",
    "random",
    "random_bytes",
    "randomblob",
    "sys_guid",
    "uuid",
    "uuid_generate_v1",
    "uuid_generate_v1mc",
    "uuid_generate_v4",
    "uuid_short",
    "uuid_v4",
    "uuid_v7",
    "uuidv4",
    "uuidv7",
];

/// Returns whether an expression calls a function whose values come no second time.
pub fn is_fresh(sql: &str) -> bool {
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            c if c.is_alphanumeric() || c == '_' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
                let called = behind.trim_start_matches(['"', '`', ' ']).starts_with('(');
                if called && FUNCTIONS.iter().any(|name| word.eq_ignore_ascii_case(name)) {
                    return true;
                }
                word.len()
            }
            c => c.len_utf8(),
        };
        rest = &rest[length..];
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_call_is_told_from_a_word() {
        for (sql, fresh) in [
            ("replace(uuid(),'-','')", true),
            ("md5(RAND ())", true),
            ("hex(randomblob(4)) || '-' || hex(randomblob(2))", true),
            ("('Evt-'::text || (gen_random_uuid())::text)", true),
            ("pg_catalog.\"random\"()", true),
            ("'it''s uuid()'", false),
            ("concat('random', '(')", false),
            ("`uuid` + 1", false),
            ("my_uuid()", false),
            ("'open uuid(", false),
        ] {
            assert_eq!(is_fresh(sql), fresh, "{sql}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(sql in "\\PC{0,60}") {
            is_fresh(&sql);
        }
    }
}
