//! Limits of time as people write them.

use std::time::Duration;

/// Parses `500ms`, `2s`, `1m` or `1h`.
///
/// # Errors
///
/// Anything else, with the way to write it; 0 and more than a day are refused.
pub fn parse_limit(text: &str) -> Result<Duration, String> {
    /// Servers take limits in milliseconds as a 32-bit number; a day is far from its end.
    const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| "write it as 500ms, 2s or 1m".to_owned())?;
    let milliseconds: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        "" => return Err("the unit is missing; write it as 500ms, 2s or 1m".to_owned()),
        _ => return Err("the unit is not known; write it as 500ms, 2s or 1m".to_owned()),
    };
    let limit = number.checked_mul(milliseconds).map(Duration::from_millis);
    match limit {
        Some(limit) if limit.is_zero() => Err("0 would mean no limit at all, which is not allowed".to_owned()),
        Some(limit) if limit <= LONGEST => Ok(limit),
        _ => Err("the limit is longer than 24h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_a_unit() {
        for (text, milliseconds) in [("500ms", 500), ("2s", 2000), ("1m", 60_000), ("1h", 3_600_000)] {
            assert_eq!(parse_limit(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in [
            "",
            "2",
            "s",
            "-1s",
            "1.5s",
            "2 s",
            "2d",
            "0",
            "0s",
            "0ms",
            "25h",
            "99999999999999999999s",
        ] {
            assert!(parse_limit(text).is_err(), "{text}");
        }
    }
}
