//! The style and the script of a page, and the policy that lets these two run and nothing else.

use sha2::{Digest, Sha256};

/// The style sheet.
pub(super) const STYLE: &str = include_str!("style.css");

/// The script.
pub(super) const SCRIPT: &str = include_str!("script.js");

/// The signs, drawn in a square of 12.
pub(super) const ICONS: &str = concat!(
    r#"<svg class="icons" width="0" height="0" aria-hidden="true">"#,
    r#"<symbol id="i-critical" viewBox="0 0 12 12"><path fill="currentColor" d="M6 0l6 6-6 6-6-6z"/></symbol>"#,
    r#"<symbol id="i-error" viewBox="0 0 12 12"><circle cx="6" cy="6" r="5" fill="currentColor"/></symbol>"#,
    r#"<symbol id="i-warning" viewBox="0 0 12 12"><path fill="currentColor" d="M6 .8l5.8 10.4H.2z"/></symbol>"#,
    r#"<symbol id="i-info" viewBox="0 0 12 12"><circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2"/></symbol>"#,
    r#"<symbol id="i-unseen" viewBox="0 0 12 12"><path fill="none" stroke="currentColor" stroke-width="2" d="M1.5 1.5h9v9h-9zM1.5 10.5l9-9"/></symbol>"#,
    r#"<symbol id="i-waived" viewBox="0 0 12 12"><path fill="none" stroke="currentColor" stroke-width="2" d="M1 6h10"/></symbol>"#,
    r#"<symbol id="i-clean" viewBox="0 0 12 12"><path fill="none" stroke="currentColor" stroke-width="2" d="M1 6.5L4.5 10 11 2"/></symbol>"#,
    r#"<symbol id="i-open" viewBox="0 0 12 12"><path fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3 2" d="M6 1.5A4.5 4.5 0 1 1 6 10.5 4.5 4.5 0 1 1 6 1.5"/></symbol>"#,
    "</svg>\n",
);

/// Returns the policy of a page with this style and this script.
pub(super) fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(script)
    )
}

/// Returns the source expression that names a block by its content.
fn hash(block: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(block.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            if digit <= chunk.len() {
                let index = bits >> (18 - 6 * digit) & 63;
                out.push(char::from(DIGITS[index as usize]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let pairs = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(pairs, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn a_block_is_named_by_the_hash_that_browsers_compute() {
        // The example of the recommendation (Content Security Policy Level 2, 7.15.1).
        assert_eq!(
            hash("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
    }

    #[test]
    fn the_policy_allows_our_two_blocks_and_no_other_source() {
        let policy = policy(STYLE, SCRIPT);
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(
            !policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'),
            "{policy}"
        );
    }

    #[test]
    fn the_blocks_do_not_end_themselves_and_have_plain_line_ends() {
        for block in [STYLE, SCRIPT] {
            assert!(!block.contains("</") && !block.contains("<!--") && !block.contains('\r'));
            assert!(
                !block.contains("http:") && !block.contains("https:") && !block.contains("url("),
                "nothing is fetched"
            );
        }
    }
}
