//! How a secret can be spelled in texts of others.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::SecretString;
use serde_json::Value;

use crate::text::Terminal;

/// What encoders of URLs leave as it is: nothing but letters and digits, what RFC 3986 calls unreserved, that and `/`, and
/// what browsers leave in a login.
const URL_SETS: [&AsciiSet; 4] = {
    const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    const LOGIN: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'#')
        .add(b'<')
        .add(b'>')
        .add(b'?')
        .add(b'`')
        .add(b'{')
        .add(b'}')
        .add(b'/')
        .add(b':')
        .add(b';')
        .add(b'=')
        .add(b'@')
        .add(b'[')
        .add(b'\\')
        .add(b']')
        .add(b'^')
        .add(b'|');
    [NON_ALPHANUMERIC, UNRESERVED, &UNRESERVED.remove(b'/'), LOGIN]
};

/// A secret of fewer bytes is not looked for as digits or within other texts in base64: what it becomes there is too
/// short to be told from words.
const SHORTEST_HIDDEN: usize = 6;

/// Returns a secret as it is, and as encoders of URLs, JSON, HTML, SQL, shells, headers and dumps write it. One that
/// equals a public word (`postgres:postgres@`) has none: masking it would mask the user's name and hide nothing.
pub(super) fn forms(secret: &str, public: &[String]) -> Vec<SecretString> {
    if public.iter().any(|word| word == secret) {
        return Vec::new();
    }
    let mut forms = vec![secret.to_owned(), Terminal(secret).to_string()];
    forms.extend(in_urls(secret));
    forms.extend(in_markup(secret));
    forms.extend(in_quotes(secret));
    forms.extend(in_bytes(secret.as_bytes()));
    forms.sort();
    forms.dedup();
    forms.retain(|form| !form.is_empty());
    forms.into_iter().map(SecretString::from).collect()
}

fn in_urls(secret: &str) -> Vec<String> {
    let mut forms: Vec<String> = URL_SETS
        .iter()
        .map(|set| utf8_percent_encode(secret, set).to_string())
        .collect();
    forms.push(url::form_urlencoded::byte_serialize(secret.as_bytes()).collect());
    let small: Vec<String> = forms.iter().map(|form| with_small_digits(form)).collect();
    forms.extend(small);
    forms
}

/// Writes `%2F` as `%2f`.
fn with_small_digits(form: &str) -> String {
    let mut digits = 0;
    let small = |letter: char| {
        digits = if letter == '%' { 2 } else { i32::max(digits - 1, -1) };
        if digits >= 0 {
            letter.to_ascii_lowercase()
        } else {
            letter
        }
    };
    form.chars().map(small).collect()
}

fn in_markup(secret: &str) -> Vec<String> {
    let text = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let quoted = |double: &str, single: &str| text.replace('"', double).replace('\'', single);
    vec![
        quoted("\"", "'"),
        quoted("&quot;", "'"),
        quoted("&quot;", "&#39;"),
        quoted("&quot;", "&#x27;"),
        quoted("&quot;", "&apos;"),
        quoted("&#34;", "&#39;"),
    ]
}

fn in_quotes(secret: &str) -> Vec<String> {
    let bare = |quoted: String| quoted.trim_matches('"').to_owned();
    let json = bare(Value::from(secret).to_string());
    let ascii = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => letter
            .encode_utf16(&mut [0; 2])
            .iter()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect(),
    };
    let behind_backslashes = |special: &[char]| -> String {
        let escape = |letter: char| special.contains(&letter).then_some('\\').into_iter().chain([letter]);
        secret.chars().flat_map(escape).collect()
    };
    vec![
        bare(format!("{secret:?}")),
        json.chars().map(ascii).collect(),
        json,
        secret.replace('\'', "''"),
        secret.replace('"', "\"\""),
        secret.replace('\'', "'\\''"),
        secret.replace('\'', "'\"'\"'"),
        behind_backslashes(&['\\', '\'']),
        behind_backslashes(&['\\', '"']),
        behind_backslashes(&['\\', '"', '\'']),
        behind_backslashes(&['\\', '"', '$', '`']),
    ]
}

fn in_bytes(secret: &[u8]) -> Vec<String> {
    let mut forms = vec![STANDARD_NO_PAD.encode(secret), URL_SAFE_NO_PAD.encode(secret)];
    if secret.len() < SHORTEST_HIDDEN {
        return forms;
    }
    forms.push(secret.iter().map(|byte| format!("{byte:02x}")).collect());
    forms.push(secret.iter().map(|byte| format!("{byte:02X}")).collect());
    // In the middle of something, such as `user:password`: the letters that depend on nothing else.
    for before in 0..3 {
        let whole = [&[0].repeat(before), secret].concat();
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let text = engine.encode(&whole);
            forms.push(text[(before * 8).div_ceil(6)..whole.len() * 8 / 6].to_owned());
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;
    use secrecy::ExposeSecret as _;

    use super::*;

    const SECRET: &str = "p@ss/w:rd%41 é\"'\\ $";

    #[track_caller]
    fn assert_known(spelled: &str) {
        let forms = forms(SECRET, &[]);
        let is_known = forms.iter().any(|form| spelled.contains(form.expose_secret()));
        assert!(is_known, "{spelled}");
    }

    #[test]
    fn every_usual_spelling_is_known() {
        for spelled in [
            SECRET,
            "p%40ss%2Fw%3Ard%2541%20%C3%A9%22%27%5C%20%24",
            "p%40ss%2fw%3ard%2541%20%c3%a9%22%27%5c%20%24",
            "p%40ss/w%3Ard%2541%20%C3%A9%22%27%5C%20%24",
            "p%40ss%2Fw%3Ard%2541+%C3%A9%22%27%5C+%24",
            "p%40ss%2Fw%3Ard%41%20%C3%A9%22'%5C%20$",
            "p@ss/w:rd%41 é&quot;&#39;\\ $",
            "p@ss/w:rd%41 é&quot;&#x27;\\ $",
            "p@ss/w:rd%41 é\\\"'\\\\ $",
            "p@ss/w:rd%41 \\u00e9\\\"'\\\\ $",
            "p@ss/w:rd%41 é\\\"\\'\\\\ $",
            "p@ss/w:rd%41 é\"\\'\\\\ $",
            "p@ss/w:rd%41 é\"''\\ $",
            "'p@ss/w:rd%41 é\"'\\''\\ $'",
            "'p@ss/w:rd%41 é\"'\"'\"'\\ $'",
            "\"p@ss/w:rd%41 é\\\"'\\\\ \\$\"",
            "704073732f773a7264253431 20c3a9 22 27 5c 20 24"
                .replace(' ', "")
                .as_str(),
            "704073732F773A726425343120C3A922275C2024",
        ] {
            assert_known(spelled);
        }
    }

    #[test]
    fn a_secret_is_known_in_the_middle_of_base64() {
        for before in ["", "u:", "us:", "use:", "user:"] {
            for behind in ["", "@", "@h", "@host"] {
                assert_known(&STANDARD.encode(format!("{before}{SECRET}{behind}")));
            }
        }
    }

    #[test]
    fn what_is_shown_anyhow_has_no_forms() {
        assert!(forms("postgres", &["postgres".to_owned()]).is_empty());
        assert!(forms("", &[]).is_empty());
    }
}
