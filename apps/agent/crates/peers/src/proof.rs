//! Authenticates requests and responses between agents of a cluster with an HMAC (RFC 2104) and a secret that is never
//! sent. It does not cover response bodies; TLS does.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use penstock_runtime::random_uuid;
use ring::hmac;

use crate::nonces::Nonce;
use crate::secrets::Secret;

/// Header of requests and responses that carries the proof.
pub(crate) const HEADER: &str = "penstock-peer";
const MAX_HEADER_BYTES: usize = 512;
const TAG_BYTES: usize = 32;

/// The subject of a proof. The signer and the verifier must use the same one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) cluster_id: &'a str,
    pub(crate) zone: &'a str,
    /// The agent that receives the request.
    pub(crate) to: &'a str,
    pub(crate) path: &'a str,
}

/// A proof in the form `<secret id> <agent id> <time> <nonce> <tag>`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub(crate) secret_id: u64,
    /// The agent that sends the request.
    pub(crate) from: String,
    /// Time of the request by the service's clock.
    pub(crate) time_ms: u64,
    pub(crate) nonce: Nonce,
    tag: [u8; TAG_BYTES],
}

impl Proof {
    /// Signs a request from the agent `from`.
    pub(crate) fn sign(secret: &Secret, subject: Subject<'_>, from: &str, time_ms: u64) -> Self {
        let mut proof = Self {
            secret_id: secret.id,
            from: from.to_owned(),
            time_ms,
            nonce: random_uuid().into_bytes(),
            tag: [0; TAG_BYTES],
        };
        let tag = hmac::sign(&secret.key, &proof.signed(subject));
        // HMAC-SHA-256 has 32 bytes.
        proof.tag.copy_from_slice(tag.as_ref());
        proof
    }

    /// Returns true if it was made with this secret for this subject. Takes constant time.
    pub(crate) fn is_made_with(&self, secret: &Secret, subject: Subject<'_>) -> bool {
        hmac::verify(&secret.key, &self.signed(subject), &self.tag).is_ok()
    }

    /// Returns the value for the response, which shows that its sender knows the secret.
    pub(crate) fn answer(&self, secret: &Secret) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&secret.key, &self.answered()))
    }

    /// Returns true if this is the response to the proof. Takes constant time.
    pub(crate) fn is_answered_by(&self, secret: &Secret, answer: &[u8]) -> bool {
        let tag = URL_SAFE_NO_PAD.decode(answer).unwrap_or_default();
        hmac::verify(&secret.key, &self.answered(), &tag).is_ok()
    }

    pub(crate) fn to_header(&self) -> String {
        let Self {
            secret_id,
            from,
            time_ms,
            ..
        } = self;
        let (nonce, tag) = (URL_SAFE_NO_PAD.encode(self.nonce), URL_SAFE_NO_PAD.encode(self.tag));
        format!("{secret_id} {from} {time_ms} {nonce} {tag}")
    }

    pub(crate) fn parse(header: &[u8]) -> Option<Self> {
        if header.len() > MAX_HEADER_BYTES {
            return None;
        }
        let mut parts = std::str::from_utf8(header).ok()?.split(' ');
        let mut next = || parts.next();
        let proof = Self {
            secret_id: next()?.parse().ok()?,
            from: next()?.to_owned(),
            time_ms: next()?.parse().ok()?,
            nonce: URL_SAFE_NO_PAD.decode(next()?).ok()?.try_into().ok()?,
            tag: URL_SAFE_NO_PAD.decode(next()?).ok()?.try_into().ok()?,
        };
        parts.next().is_none().then_some(proof)
    }

    fn signed(&self, subject: Subject<'_>) -> Vec<u8> {
        let time = self.time_ms.to_be_bytes();
        let Subject {
            cluster_id,
            zone,
            to,
            path,
        } = subject;
        let texts = [cluster_id, zone, &self.from, to, path].map(str::as_bytes);
        let parts = [b"penstock peer request 1".as_slice(), &time, &self.nonce];
        let mut signed = Vec::new();
        for part in parts.into_iter().chain(texts) {
            // Each part is prefixed with its length, so that no two subjects have the same encoding.
            signed.extend_from_slice(&(part.len() as u64).to_be_bytes());
            signed.extend_from_slice(part);
        }
        signed
    }

    fn answered(&self) -> Vec<u8> {
        [b"penstock peer answer 1".as_slice(), &self.tag].concat()
    }
}

#[cfg(test)]
mod tests {
    use ring::hmac::{HMAC_SHA256, Key};

    use super::*;

    const SUBJECT: Subject<'_> = Subject {
        cluster_id: "cluster",
        zone: "a",
        to: "agent-2",
        path: "/v1/files/x",
    };

    fn secret(byte: u8) -> Secret {
        Secret {
            id: 7,
            key: Key::new(HMAC_SHA256, &[byte; 32]),
        }
    }

    #[test]
    fn a_proof_round_trips_through_its_header() {
        let proof = Proof::sign(&secret(1), SUBJECT, "agent-1", 123);
        let read = Proof::parse(proof.to_header().as_bytes()).unwrap();
        assert_eq!(read, proof);
        assert!(read.is_made_with(&secret(1), SUBJECT));
        assert!(proof.is_answered_by(&secret(1), read.answer(&secret(1)).as_bytes()));
    }

    #[test]
    fn a_proof_is_invalid_for_other_secrets_and_subjects() {
        let proof = Proof::sign(&secret(1), SUBJECT, "agent-1", 123);
        assert!(!proof.is_made_with(&secret(2), SUBJECT));
        let others = [
            Subject {
                cluster_id: "other",
                ..SUBJECT
            },
            Subject { zone: "b", ..SUBJECT },
            Subject {
                to: "agent-3",
                ..SUBJECT
            },
            Subject { path: "/", ..SUBJECT },
            // The same letters, split elsewhere.
            Subject {
                cluster_id: "clustera",
                zone: "",
                ..SUBJECT
            },
        ];
        for other in others {
            assert!(!proof.is_made_with(&secret(1), other), "{other:?}");
        }
        let changed = |change: fn(&mut Proof)| {
            let mut changed = Proof::parse(proof.to_header().as_bytes()).unwrap();
            change(&mut changed);
            changed.is_made_with(&secret(1), SUBJECT)
        };
        assert!(!changed(|proof| proof.from = "agent-4".to_owned()));
        assert!(!changed(|proof| proof.time_ms += 1));
        assert!(!changed(|proof| proof.nonce[0] ^= 1));
        assert!(!changed(|proof| proof.tag[31] ^= 1));
    }

    #[test]
    fn refuses_a_response_made_without_the_secret() {
        let proof = Proof::sign(&secret(1), SUBJECT, "agent-1", 123);
        for answer in [
            proof.answer(&secret(2)),
            String::new(),
            URL_SAFE_NO_PAD.encode(proof.tag),
        ] {
            assert!(!proof.is_answered_by(&secret(1), answer.as_bytes()));
        }
    }

    #[test]
    fn refuses_a_malformed_header() {
        let good = Proof::sign(&secret(1), SUBJECT, "agent-1", 123).to_header();
        let longer = format!("{good} x");
        let long = format!("7 {} 1 x y", "a".repeat(1000));
        for header in ["", " ", "7", &good[..good.len() - 1], &longer, &long, "x a 1 AAAA AAAA"] {
            assert_eq!(Proof::parse(header.as_bytes()), None, "{header}");
        }
        assert_eq!(Proof::parse(&[0xff; 20]), None);
    }
}
