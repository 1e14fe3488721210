//! Numbers in one spelling.

/// Removes superfluous zeros and signs: `007` is `7`, `-0.50` is `-0.5`, `1e3` is `1000`. Nothing for what is no
/// number.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty())
        || !is_digits(whole)
        || !is_digits(fraction)
        || exponent.unsigned_abs() > 400
    {
        return None;
    }
    let (whole, fraction) = shift(whole, fraction, exponent);
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let mut out = if whole.is_empty() {
        "0".to_owned()
    } else {
        whole.to_owned()
    };
    if !fraction.is_empty() {
        out = format!("{out}.{fraction}");
    }
    if negative && out != "0" {
        out.insert(0, '-');
    }
    Some(out)
}

/// Moves the decimal point.
fn shift(whole: &str, fraction: &str, exponent: i32) -> (String, String) {
    let mut whole = whole.to_owned();
    let mut fraction = fraction.to_owned();
    for _ in 0..exponent.abs() {
        if exponent > 0 {
            let digit = if fraction.is_empty() { '0' } else { fraction.remove(0) };
            whole.push(digit);
        } else {
            fraction.insert(0, whole.pop().unwrap_or('0'));
        }
    }
    (whole, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_value_have_one_spelling() {
        for (text, wanted) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("007", "7"),
            ("+5", "5"),
            ("-0.50", "-0.5"),
            (".5", "0.5"),
            ("1e3", "1000"),
            ("1.25E-2", "0.0125"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(wanted), "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "0x1", "one", "1e999999"] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
