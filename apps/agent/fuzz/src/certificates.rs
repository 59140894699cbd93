//! The subjects of client certificates, and the rules that map them to principals.

use arbitrary::Arbitrary;
use penstock_authn::{PrincipalRules, subject};

/// A certificate with every attribute type that has a name of its own, and some that have none.
const CERTIFICATE: &[u8] = include_bytes!("certificate.der");
/// Rules as an operator may write them.
const RULES: &str = "RULE:^CN=(.*?),OU=(.*?),.*$/$1@$2/L,RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/U,DEFAULT";

/// A certificate, and the rules that name its owner.
#[derive(Arbitrary, Debug)]
pub struct Input<'a> {
    certificate: Certificate<'a>,
    rules: Option<&'a str>,
}

#[derive(Arbitrary, Debug)]
enum Certificate<'a> {
    Any(&'a [u8]),
    /// With these bytes changed.
    Changed(Vec<(u16, u8)>),
    /// With this range replaced by these bytes.
    Spliced(u16, u16, &'a [u8]),
    /// Only the subject that a rule sees.
    Subject(&'a str),
}

/// Parses the certificate and names its owner.
pub fn run(input: &Input<'_>) {
    let subject = match &input.certificate {
        Certificate::Any(bytes) => subject(bytes),
        Certificate::Changed(changes) => {
            let mut bytes = CERTIFICATE.to_vec();
            for (place, value) in changes {
                let place = usize::from(*place) % bytes.len();
                bytes[place] = *value;
            }
            subject(&bytes)
        }
        Certificate::Spliced(from, count, with) => {
            let mut bytes = CERTIFICATE.to_vec();
            let from = usize::from(*from) % bytes.len();
            let to = (from + usize::from(*count)).min(bytes.len());
            bytes.splice(from..to, with.iter().copied());
            subject(&bytes)
        }
        Certificate::Subject(subject) => Ok((*subject).to_owned()),
    };
    let subject = match subject {
        Ok(subject) => subject,
        // The reason is logged.
        Err(error) => return drop(error.to_string()),
    };
    match input.rules.unwrap_or(RULES).parse::<PrincipalRules>() {
        Ok(rules) => drop(rules.name(&subject)),
        Err(error) => drop(error.to_string()),
    }
}
