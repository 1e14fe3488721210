//! Puts variables of the environment into the values of a file.

use super::Environment;

/// Why a value could not be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unfilled {
    pub(super) reason: String,
    pub(super) help: String,
}

/// A value with its variables put in, and the names of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filled {
    pub(super) text: String,
    pub(super) variables: Vec<String>,
}

/// Puts variables into a value: `${VAR}`, `${VAR:-what counts where it is not set}`; `$$` is one `$`.
///
/// It is done after the file was parsed, so that a variable can never add a key, and what is put in is not looked at
/// again.
pub(super) fn fill(text: &str, environment: &Environment) -> Result<Filled, Unfilled> {
    let mut filled = Filled {
        text: String::new(),
        variables: Vec::new(),
    };
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        filled.text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            filled.text.push('$');
            rest = after;
            continue;
        }
        let inside = rest.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((inside, after)) = inside else {
            return Err(Unfilled {
                reason: "a `$` is followed by no `{VARIABLE}`".to_owned(),
                help: "write `$$` for one `$`".to_owned(),
            });
        };
        rest = after;
        let (name, otherwise) = match inside.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inside, None),
        };
        if !is_name(name) {
            return Err(Unfilled {
                reason: format!("`${{{inside}}}` names no variable"),
                help: "write `${NAME}` or `${NAME:-VALUE}`".to_owned(),
            });
        }
        // As in a shell: `:-` is for variables that are set to nothing, too.
        let value = match otherwise {
            Some(otherwise) => environment.filled(name).unwrap_or(otherwise),
            None => environment.get(name).ok_or_else(|| Unfilled {
                reason: format!("the environment variable `{name}` is not set"),
                help: format!("set it, or say what counts without it: `${{{name}:-VALUE}}`"),
            })?,
        };
        filled.text.push_str(value);
        filled.variables.push(name.to_owned());
    }
    filled.text.push_str(rest);
    Ok(filled)
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_letter) && text.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        [("HOST", "db"), ("EMPTY", ""), ("TRICK", "${HOST}$$")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into_iter()
            .collect()
    }

    #[test]
    fn variables_are_put_in_once() {
        for (text, filled) in [
            ("plain", "plain"),
            ("${HOST}", "db"),
            ("a-${HOST}.${HOST}-z", "a-db.db-z"),
            ("${HOST:-other}", "db"),
            ("${UNSET:-other}", "other"),
            ("${UNSET:-}", ""),
            ("${EMPTY}", ""),
            ("${EMPTY:-other}", "other"),
            ("$${HOST}", "${HOST}"),
            ("100$$", "100$"),
            ("${TRICK}", "${HOST}$$"),
            ("${UNSET:-a:-b}", "a:-b"),
        ] {
            assert_eq!(fill(text, &environment()).unwrap().text, filled, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_filled_says_why() {
        for (text, words) in [
            ("${UNSET}", "`UNSET` is not set"),
            ("$HOST", "no `{VARIABLE}`"),
            ("${HOST", "no `{VARIABLE}`"),
            ("cost: 5$", "no `{VARIABLE}`"),
            ("${}", "names no variable"),
            ("${1A}", "names no variable"),
            ("${HOST-x}", "names no variable"),
        ] {
            let error = fill(text, &environment()).unwrap_err();
            assert!(error.reason.contains(words), "{text}: {error:?}");
        }
    }
}
