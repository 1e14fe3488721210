//! What is wrong with a server's certificate, in words. Both network drivers complain through the same TLS library.

use super::opening::Words;
use super::{Error, ErrorKind};

/// Explains a complaint about the server's certificate; nothing if the message is about something else.
pub(super) fn explain(message: &str, words: &Words) -> Option<Error> {
    if !message.contains("certificate") {
        return None;
    }
    let Words {
        authority,
        any_name,
        unchecked,
        ..
    } = words;
    let says = |words: &str| message.contains(words);
    let (reason, help) = if says("CaUsedAsEndEntity") {
        (
            "The server's certificate is self-signed: it is that of a certificate authority, which may not stand for a server."
                .to_owned(),
            format!(
                "Give the server a certificate that an authority has signed, and name the authority by {authority}=FILE \
                 in the URL or by `tls.ca` in seadrift.yaml. {unchecked} encrypts without checking who answers."
            ),
        )
    } else if says("UnknownIssuer") {
        (
            "The server's certificate was signed by an authority that this machine does not trust.".to_owned(),
            format!("Name the certificate authority by {authority}=FILE in the URL, or by `tls.ca` in seadrift.yaml."),
        )
    } else if says("not valid for name") || says("NotValidForName") {
        (
            "The server's certificate is for another name than the host.".to_owned(),
            format!(
                "Connect by a name that the certificate has, or say that name by `tls.server_name` in seadrift.yaml; {any_name} \
                 does not check the name."
            ),
        )
    } else if says("expired") || says("Expired") || says("not valid yet") || says("NotValidYet") {
        (
            "The server's certificate is not valid at this time.".to_owned(),
            "Renew the certificate, or correct the clock of this machine.".to_owned(),
        )
    } else {
        let message = message.lines().next().unwrap_or_default();
        (
            format!(
                "The server's certificate could not be verified: {}.",
                message.trim_end_matches('.')
            ),
            format!("Name the certificate authority by {authority}=FILE in the URL, or by `tls.ca` in seadrift.yaml."),
        )
    };
    Some(Error::new(ErrorKind::Refused, reason, help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flaw_of_a_certificate_has_its_own_words() {
        let words = &crate::catalog::postgres::WORDS;
        for (message, reason, help) in [
            (
                "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))",
                "self-signed",
                "sslmode=require",
            ),
            (
                "invalid peer certificate: UnknownIssuer",
                "does not trust",
                "sslrootcert=FILE",
            ),
            (
                "invalid peer certificate: certificate not valid for name \"db\"",
                "another name",
                "sslmode=verify-ca",
            ),
            (
                "invalid peer certificate: certificate expired: verification time 1",
                "not valid at this time",
                "clock",
            ),
            (
                "invalid peer certificate: BadSignature",
                "BadSignature",
                "sslrootcert=FILE",
            ),
        ] {
            let error = explain(message, words).unwrap();
            assert!(error.reason.contains(reason), "{error:?}");
            assert!(error.help.contains(help), "{error:?}");
        }
        assert!(explain("connection reset by peer", words).is_none());
    }
}
