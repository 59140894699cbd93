//! The only user of the fuzzed agent, and the proofs of a client that knows its password.

use std::num::NonZeroU32;

use arbitrary::Arbitrary;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use penstock_metadata_client::proto;
use ring::{digest, hmac, pbkdf2};

/// The name of the only user.
pub const USER: &str = "alice";
/// The password of the user.
pub const PASSWORD: &str = "correct horse";
/// As few as possible, because PBKDF2 is not under test.
const ITERATIONS: NonZeroU32 = NonZeroU32::MIN;
const SALT: &[u8] = b"salt";

/// A mechanism that a client requests.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    /// Signs in with a password.
    Plain,
    /// Proves a password with SHA-256.
    Scram256,
    /// Proves a password with SHA-512.
    Scram512,
    /// Signs in with a token.
    OauthBearer,
    /// A mechanism that the agent does not support.
    Unknown,
}

impl Mechanism {
    /// The name in SaslHandshake.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::Scram256 => "SCRAM-SHA-256",
            Self::Scram512 => "SCRAM-SHA-512",
            Self::OauthBearer => "OAUTHBEARER",
            Self::Unknown => "GSSAPI",
        }
    }
}

/// The hash functions of a SCRAM mechanism.
pub struct Hash {
    digest: &'static digest::Algorithm,
    hmac: hmac::Algorithm,
    pbkdf2: pbkdf2::Algorithm,
}

/// Returns `None` for a mechanism other than SCRAM.
pub fn hash_of(mechanism: Mechanism) -> Option<Hash> {
    match mechanism {
        Mechanism::Scram256 => Some(Hash {
            digest: &digest::SHA256,
            hmac: hmac::HMAC_SHA256,
            pbkdf2: pbkdf2::PBKDF2_HMAC_SHA256,
        }),
        Mechanism::Scram512 => Some(Hash {
            digest: &digest::SHA512,
            hmac: hmac::HMAC_SHA512,
            pbkdf2: pbkdf2::PBKDF2_HMAC_SHA512,
        }),
        _ => None,
    }
}

impl Hash {
    fn salted(&self, password: &str) -> hmac::Key {
        let mut salted = vec![0; self.digest.output_len()];
        pbkdf2::derive(self.pbkdf2, ITERATIONS, SALT, password.as_bytes(), &mut salted);
        hmac::Key::new(self.hmac, &salted)
    }
}

/// The SCRAM verifiers of the user.
pub fn credentials(password: &str) -> Vec<proto::ScramCredential> {
    let of = |mechanism: proto::ScramMechanism, hash: Hash| {
        let salted = hash.salted(password);
        let client_key = hmac::sign(&salted, b"Client Key");
        proto::ScramCredential {
            user: USER.to_owned(),
            mechanism: mechanism.into(),
            salt: Bytes::from_static(SALT),
            stored_key: Bytes::copy_from_slice(digest::digest(hash.digest, client_key.as_ref()).as_ref()),
            server_key: Bytes::copy_from_slice(hmac::sign(&salted, b"Server Key").as_ref()),
            iterations: ITERATIONS.get(),
            ..Default::default()
        }
    };
    [
        (proto::ScramMechanism::Sha256, Mechanism::Scram256),
        (proto::ScramMechanism::Sha512, Mechanism::Scram512),
    ]
    .into_iter()
    .filter_map(|(mechanism, name)| Some(of(mechanism, hash_of(name)?)))
    .collect()
}

/// The messages that a proof covers.
pub struct Proof<'a> {
    /// The client's first message, without the header.
    pub first_bare: &'a str,
    /// The server's response to that message.
    pub challenge: &'a str,
    /// The client's last message, without the proof.
    pub without_proof: &'a str,
}

/// Computes the proof for a client's last message. `flaw` names a byte of it and the bits to flip.
pub fn proof(hash: &Hash, password: &str, covered: &Proof<'_>, flaw: Option<(u8, u8)>) -> String {
    let client_key = hmac::sign(&hash.salted(password), b"Client Key");
    let stored_key = digest::digest(hash.digest, client_key.as_ref());
    let auth_message = format!("{},{},{}", covered.first_bare, covered.challenge, covered.without_proof);
    let signature = hmac::sign(&hmac::Key::new(hash.hmac, stored_key.as_ref()), auth_message.as_bytes());
    let mut proof: Vec<u8> = std::iter::zip(client_key.as_ref(), signature.as_ref())
        .map(|(key, signature)| key ^ signature)
        .collect();
    if let Some((place, bits)) = flaw {
        let place = usize::from(place) % proof.len();
        proof[place] ^= bits.max(1);
    }
    BASE64.encode(proof)
}
