//! Formats a certificate's subject like Java (RFC 2253), because Kafka's principal mapping rules are written for that
//! format. Also reads when a certificate expires.

use std::time::Duration;

use thiserror::Error;
use x509_cert::Certificate;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::Any;
use x509_cert::der::{Decode as _, Encode as _, Tag, Tagged as _};

/// The attribute types named in RFC 2253. Java writes all others as numbers.
const KEYWORDS: [(&str, &str); 9] = [
    ("2.5.4.3", "CN"),
    ("2.5.4.6", "C"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.9", "STREET"),
    ("2.5.4.10", "O"),
    ("2.5.4.11", "OU"),
    ("0.9.2342.19200300.100.1.25", "DC"),
    ("0.9.2342.19200300.100.1.1", "UID"),
];
const ESCAPED: &str = ",=+<>#;\"\\";

/// The certificate is invalid, or its subject has an encoding that X.509 does not allow.
#[derive(Debug, Error)]
#[error("cannot read the certificate: {0}")]
pub struct BadCertificate(#[from] x509_cert::der::Error);

/// The subject of a certificate (DER), such as `CN=orders,OU=shop,O=Example`, with its last component first.
///
/// # Errors
/// Returns an error if the bytes are not a certificate.
pub fn subject(certificate: &[u8]) -> Result<String, BadCertificate> {
    let certificate = Certificate::from_der(certificate)?;
    let mut parts = Vec::new();
    for relative in certificate.tbs_certificate().subject().iter_rdn() {
        let attributes: Vec<String> = relative.iter().map(attribute).collect::<Result<_, _>>()?;
        parts.push(attributes.join("+"));
    }
    parts.reverse();
    Ok(parts.join(","))
}

/// The last second in which a certificate (DER) is valid, since 1970.
///
/// # Errors
/// Returns an error if the bytes are not a certificate.
pub fn valid_until(certificate: &[u8]) -> Result<Duration, BadCertificate> {
    let certificate = Certificate::from_der(certificate)?;
    Ok(certificate.tbs_certificate().validity().not_after.to_unix_duration())
}

fn attribute(attribute: &AttributeTypeAndValue) -> Result<String, BadCertificate> {
    let oid = attribute.oid.to_string();
    let keyword = KEYWORDS.iter().find(|(number, _)| *number == oid);
    match (keyword, text(&attribute.value)) {
        (Some((_, keyword)), Some(text)) => Ok(format!("{keyword}={}", escape(&text))),
        (keyword, _) => {
            let name = keyword.map_or(oid.as_str(), |(_, keyword)| keyword);
            let hex: String = attribute
                .value
                .to_der()?
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            Ok(format!("{name}=#{hex}"))
        }
    }
}

/// Returns `None` for a value that is not text.
fn text(value: &Any) -> Option<String> {
    let bytes = value.value();
    match value.tag() {
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String => std::str::from_utf8(bytes).ok().map(str::to_owned),
        // Decoded as Latin-1, as in other implementations.
        Tag::TeletexString => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Tag::BmpString => {
            let units: Vec<u16> = bytes
                .as_chunks::<2>()
                .0
                .iter()
                .map(|unit| u16::from_be_bytes(*unit))
                .collect();
            String::from_utf16(&units).ok()
        }
        _ => None,
    }
}

fn escape(text: &str) -> String {
    let leading = text.len() - text.trim_start_matches(' ').len();
    let trailing = text.trim_end_matches(' ').len();
    let mut escaped = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        if letter == '\0' {
            escaped.push_str("\\00");
            continue;
        }
        if ESCAPED.contains(letter) || (letter == ' ' && (at < leading || at >= trailing)) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    fn subject_of(parts: &[(DnType, &str)]) -> String {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        for (kind, value) in parts {
            params.distinguished_name.push(kind.clone(), *value);
        }
        let certificate = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
        subject(certificate.der()).unwrap()
    }

    #[test]
    fn a_subject_reads_as_in_java() {
        let parts = [
            (DnType::CountryName, "DE"),
            (DnType::OrganizationName, "Example, Inc. "),
            (DnType::OrganizationalUnitName, "a=b #1"),
            (DnType::CommonName, "orders"),
        ];
        assert_eq!(subject_of(&parts), r"CN=orders,OU=a\=b \#1,O=Example\, Inc.\ ,C=DE");
    }

    #[test]
    fn writes_unknown_attributes_as_number_and_encoding() {
        let serial_number = DnType::CustomDnType(vec![2, 5, 4, 5]);
        assert_eq!(
            subject_of(&[(DnType::CommonName, "x"), (serial_number, "7")]),
            "2.5.4.5=#0c0137,CN=x"
        );
    }

    #[test]
    fn an_invalid_certificate_is_an_error() {
        assert!(subject(b"nothing").is_err());
    }
}
