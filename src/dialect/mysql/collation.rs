//! What a collation's name says about equality.

use crate::schema::{Collation, Equality};

/// Reads a collation's facts off its name, which MySQL and MariaDB compose by rule: character set, language,
/// then `_bin`, or `_ai`/`_as` for accents and `_ci`/`_cs` for letter case.
pub(crate) fn collation(name: &str, charset: Option<&str>, explicit: bool) -> Collation {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split('_').collect();
    let has = |word: &str| words.contains(&word);
    let equality = if lower == "binary" || has("bin") {
        Equality::Bytes
    } else if has("cs") {
        Equality::CaseSensitive
    } else if has("ci") || has("ai") {
        Equality::CaseInsensitive
    } else {
        Equality::Unknown
    };
    // Every collation pads but `binary`, MariaDB's `nopad` ones, and those of MySQL 8 that follow UCA 9.0.0.
    let pads = lower != "binary" && !has("nopad") && !has("0900");
    let charset = charset.map_or_else(|| words[0].to_owned(), str::to_owned);
    let full_unicode = matches!(
        charset.to_ascii_lowercase().as_str(),
        "utf8mb4" | "utf16" | "utf16le" | "utf32" | "gb18030"
    );
    Collation {
        name: name.to_owned(),
        charset: Some(charset),
        explicit,
        equality,
        pads,
        full_unicode,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Equality::{Bytes, CaseInsensitive, CaseSensitive, Unknown};

    #[test]
    fn a_name_tells_equality_and_padding() {
        for (name, equality, pads, full_unicode) in [
            ("utf8mb4_general_ci", CaseInsensitive, true, true),
            ("utf8mb4_bin", Bytes, true, true),
            ("utf8mb4_nopad_bin", Bytes, false, true),
            ("utf8mb4_0900_bin", Bytes, false, true),
            ("utf8mb4_0900_ai_ci", CaseInsensitive, false, true),
            ("utf8mb4_0900_as_cs", CaseSensitive, false, true),
            ("utf8mb4_uca1400_as_cs", CaseSensitive, true, true),
            ("utf8mb4_uca1400_nopad_ai_ci", CaseInsensitive, false, true),
            ("utf8mb4_ja_0900_as_cs_ks", CaseSensitive, false, true),
            ("utf8mb3_general_ci", CaseInsensitive, true, false),
            ("utf8mb3_general_mysql500_ci", CaseInsensitive, true, false),
            ("latin1_swedish_ci", CaseInsensitive, true, false),
            ("latin1_general_cs", CaseSensitive, true, false),
            ("ascii_general_ci", CaseInsensitive, true, false),
            ("binary", Bytes, false, false),
            ("klingon", Unknown, true, false),
        ] {
            let facts = collation(name, None, false);
            assert_eq!(
                (facts.equality, facts.pads, facts.full_unicode),
                (equality, pads, full_unicode),
                "{name}"
            );
        }
    }

    #[test]
    fn the_character_set_is_the_first_word_unless_the_server_names_it() {
        assert_eq!(collation("ascii_bin", None, true).charset.as_deref(), Some("ascii"));
        assert_eq!(
            collation("utf8_bin", Some("utf8mb3"), true).charset.as_deref(),
            Some("utf8mb3")
        );
    }
}
