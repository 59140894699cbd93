//! Derives SCRAM verifiers locally, so that passwords never leave this machine.

use std::num::NonZeroU32;

use base64::{Engine as _, engine::general_purpose};
use clap::ValueEnum;
use penstock_scram::ScramHash;
use ring::rand::{SecureRandom, SystemRandom};

use crate::error::CliError;

const SALT_BYTES: usize = 32;
/// 192 random bits, encoded in 32 characters.
const PASSWORD_BYTES: usize = 24;

/// A SCRAM mechanism supported by Kafka.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mechanism {
    #[value(name = "scram-sha-256")]
    Sha256,
    #[value(name = "scram-sha-512")]
    Sha512,
}

impl Mechanism {
    /// The name in Kafka and in the API.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "SCRAM-SHA-256",
            Self::Sha512 => "SCRAM-SHA-512",
        }
    }

    fn hash(self) -> ScramHash {
        match self {
            Self::Sha256 => ScramHash::Sha256,
            Self::Sha512 => ScramHash::Sha512,
        }
    }
}

/// The values that a server stores to verify a password; nobody can sign in with them. Each is base64-encoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verifier {
    pub(crate) salt: String,
    pub(crate) stored_key: String,
    pub(crate) server_key: String,
}

impl Verifier {
    /// Derives a verifier with a random salt.
    pub(crate) fn new(mechanism: Mechanism, password: &str, iterations: NonZeroU32) -> Result<Self, CliError> {
        let salt = random::<SALT_BYTES>()?;
        let keys = penstock_scram::Verifier::of_password(mechanism.hash(), password.as_bytes(), &salt, iterations);
        Ok(Self {
            salt: general_purpose::STANDARD.encode(salt),
            stored_key: general_purpose::STANDARD.encode(keys.stored_key),
            server_key: general_purpose::STANDARD.encode(keys.server_key),
        })
    }
}

/// Generates a password that nobody can guess.
pub(crate) fn generate_password() -> Result<String, CliError> {
    Ok(general_purpose::URL_SAFE_NO_PAD.encode(random::<PASSWORD_BYTES>()?))
}

fn random<const N: usize>() -> Result<[u8; N], CliError> {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| CliError::refused("This machine has no random numbers.", "Check its operating system."))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITERATIONS: NonZeroU32 = NonZeroU32::new(4_096).unwrap();

    fn decode(text: &str) -> Vec<u8> {
        general_purpose::STANDARD.decode(text).unwrap()
    }

    #[test]
    fn key_lengths_match_the_mechanism_and_salts_are_unique() {
        for (mechanism, bytes) in [(Mechanism::Sha256, 32), (Mechanism::Sha512, 64)] {
            let verifier = Verifier::new(mechanism, "pencil", ITERATIONS).unwrap();
            assert_eq!(decode(&verifier.stored_key).len(), bytes);
            assert_eq!(decode(&verifier.server_key).len(), bytes);
            assert_eq!(decode(&verifier.salt).len(), SALT_BYTES);
            assert_ne!(
                verifier.salt,
                Verifier::new(mechanism, "pencil", ITERATIONS).unwrap().salt
            );
        }
    }

    #[test]
    fn generated_passwords_are_long_and_need_no_quoting() {
        let password = generate_password().unwrap();
        assert_eq!(password.len(), 32);
        assert!(
            password
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "-_".contains(character))
        );
        assert_ne!(password, generate_password().unwrap());
    }
}
