//! Derives SCRAM keys from a password (RFC 5802, section 3) with the hash functions of Kafka's two mechanisms. No
//! messages, no I/O.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

use std::num::NonZeroU32;

use ring::{digest, hmac, pbkdf2};

/// The hash function of a SCRAM mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScramHash {
    /// SHA-256, as defined in RFC 7677.
    Sha256,
    /// SHA-512, as defined by Kafka.
    Sha512,
}

impl ScramHash {
    /// The function `H` of the RFC.
    #[must_use]
    pub fn digest(self, message: &[u8]) -> digest::Digest {
        digest::digest(self.algorithm(), message)
    }

    /// The function `HMAC` of the RFC.
    #[must_use]
    pub fn sign(self, key: &[u8], message: &[u8]) -> hmac::Tag {
        hmac::sign(&hmac::Key::new(self.hmac(), key), message)
    }

    /// The length of keys, in bytes.
    #[must_use]
    pub fn output_len(self) -> usize {
        self.algorithm().output_len()
    }

    /// The value `SaltedPassword` of the RFC. Takes long, so call it only where blocking is allowed. Like Kafka's
    /// clients, uses the password's UTF-8 bytes without SASLprep.
    #[must_use]
    pub fn salted_password(self, password: &[u8], salt: &[u8], iterations: NonZeroU32) -> Vec<u8> {
        let algorithm = match self {
            Self::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
            Self::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
        };
        let mut salted = vec![0; self.output_len()];
        pbkdf2::derive(algorithm, iterations, salt, password, &mut salted);
        salted
    }

    fn algorithm(self) -> &'static digest::Algorithm {
        match self {
            Self::Sha256 => &digest::SHA256,
            Self::Sha512 => &digest::SHA512,
        }
    }

    fn hmac(self) -> hmac::Algorithm {
        match self {
            Self::Sha256 => hmac::HMAC_SHA256,
            Self::Sha512 => hmac::HMAC_SHA512,
        }
    }
}

/// The values that a server stores for a password. They verify the password and prove the server to the client, but
/// nobody can sign in with them. Never log them.
pub struct Verifier {
    /// The value `StoredKey` of the RFC.
    pub stored_key: Vec<u8>,
    /// The value `ServerKey` of the RFC.
    pub server_key: Vec<u8>,
}

impl Verifier {
    /// Derives the verifier from `SaltedPassword`, which Kafka's admin clients send. It can have any length.
    #[must_use]
    pub fn of_salted(hash: ScramHash, salted_password: &[u8]) -> Self {
        let client_key = hash.sign(salted_password, b"Client Key");
        Self {
            stored_key: hash.digest(client_key.as_ref()).as_ref().to_vec(),
            server_key: hash.sign(salted_password, b"Server Key").as_ref().to_vec(),
        }
    }

    /// Derives the verifier from the password itself. Takes long, so call it only where blocking is allowed.
    #[must_use]
    pub fn of_password(hash: ScramHash, password: &[u8], salt: &[u8], iterations: NonZeroU32) -> Self {
        Self::of_salted(hash, &hash.salted_password(password, salt, iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITERATIONS: NonZeroU32 = NonZeroU32::new(4_096).unwrap();

    /// The exchange in RFC 7677, section 3: user "user", password "pencil".
    const SALT: &str = "5b6d99689d12358eeca04b141236fa81";
    const AUTH_MESSAGE: &[u8] = b"n=user,r=rOprNGfwEbeRWgbNEkqO,\
        r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,\
        c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    const CLIENT_PROOF: &str = "747cdb65aa56224e2352137e52d7bdcad6a0f738df30782caa69a2cfb0277554";
    const SERVER_SIGNATURE: &str = "eabae24d1062db75a9451ff0b6ea7e98c8546549ff741e672d3251b2397de46e";

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect()
    }

    #[test]
    fn a_verifier_matches_the_proof_and_signature_in_rfc_7677() {
        let hash = ScramHash::Sha256;
        let verifier = Verifier::of_password(hash, b"pencil", &bytes(SALT), ITERATIONS);
        let server_signature = hash.sign(&verifier.server_key, AUTH_MESSAGE);
        assert_eq!(server_signature.as_ref(), bytes(SERVER_SIGNATURE));
        let signature = hash.sign(&verifier.stored_key, AUTH_MESSAGE);
        let client_key: Vec<u8> = std::iter::zip(bytes(CLIENT_PROOF), signature.as_ref())
            .map(|(proof, signature)| proof ^ signature)
            .collect();
        assert_eq!(hash.digest(&client_key).as_ref(), verifier.stored_key);
    }

    #[test]
    fn keys_have_their_hashs_length_and_depend_on_all_inputs() {
        for (hash, bytes) in [(ScramHash::Sha256, 32), (ScramHash::Sha512, 64)] {
            let of = |password: &str, salt: &str| {
                Verifier::of_password(hash, password.as_bytes(), salt.as_bytes(), ITERATIONS)
            };
            let verifier = of("pencil", "salt");
            assert_eq!((verifier.stored_key.len(), verifier.server_key.len()), (bytes, bytes));
            assert_ne!(verifier.stored_key, of("Pencil", "salt").stored_key);
            assert_ne!(verifier.server_key, of("pencil", "Salt").server_key);
        }
    }
}
