//! The keys that an identity provider publishes (a JSON Web Key Set, RFC 7517).

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use thiserror::Error;

/// Maximum number of keys. Further ones are ignored.
const MAX_KEYS: usize = 100;

/// Why a key set cannot be used.
#[derive(Debug, Error)]
pub enum KeySetError {
    /// The value is not a JSON Web Key Set.
    #[error("not a JSON Web Key Set: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The set has no keys for signatures.
    #[error("holds no RSA, P-256, P-384 or Ed25519 key for signatures")]
    NoKeys,
}

/// Keys for verifying signatures. Empty by default.
#[derive(Debug, Default)]
pub struct KeySet(Vec<PublishedKey>);

#[derive(Debug)]
struct PublishedKey {
    id: Option<String>,
    kind: Kind,
    key: DecodingKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rsa,
    P256,
    P384,
    Ed25519,
}

impl KeySet {
    /// Parses a set. Ignores keys for other purposes.
    ///
    /// # Errors
    /// Returns an error if it is not a key set, or has no usable key.
    pub fn read(json: &[u8]) -> Result<Self, KeySetError> {
        let set: JwkSet = serde_json::from_slice(json)?;
        let keys: Vec<PublishedKey> = set.keys.iter().take(MAX_KEYS).filter_map(PublishedKey::of).collect();
        match keys.is_empty() {
            true => Err(KeySetError::NoKeys),
            false => Ok(Self(keys)),
        }
    }

    /// Returns the key named in a token's header. A token that names none matches a set with one key of its kind.
    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<&DecodingKey> {
        let kind = Kind::of(algorithm)?;
        let mut fitting = self.0.iter().filter(|key| key.kind == kind);
        match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)).map(|key| &key.key),
            None => match (fitting.next(), fitting.next()) {
                (Some(only), None) => Some(&only.key),
                _ => None,
            },
        }
    }
}

impl PublishedKey {
    fn of(jwk: &Jwk) -> Option<Self> {
        if jwk
            .common
            .public_key_use
            .as_ref()
            .is_some_and(|use_| *use_ != PublicKeyUse::Signature)
        {
            return None;
        }
        let kind = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => Kind::Rsa,
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Kind::P256,
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P384 => Kind::P384,
            AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Kind::Ed25519,
            _ => return None,
        };
        Some(Self {
            id: jwk.common.key_id.clone(),
            kind,
            key: DecodingKey::from_jwk(jwk).ok()?,
        })
    }
}

impl Kind {
    fn of(algorithm: Algorithm) -> Option<Self> {
        match algorithm {
            Algorithm::RS256
            | Algorithm::RS384
            | Algorithm::RS512
            | Algorithm::PS256
            | Algorithm::PS384
            | Algorithm::PS512 => Some(Self::Rsa),
            Algorithm::ES256 => Some(Self::P256),
            Algorithm::ES384 => Some(Self::P384),
            Algorithm::EdDSA => Some(Self::Ed25519),
            // Algorithms with a shared secret: a published key must never be used as one.
            _ => None,
        }
    }
}
