//! SCRAM verifiers (RFC 5802, section 3), derived here so that passwords never leave the machine on which they are typed.

use std::num::NonZeroU32;

use base64::{Engine as _, engine::general_purpose};
use clap::ValueEnum;
use ring::{
    digest, hmac, pbkdf2,
    rand::{SecureRandom, SystemRandom},
};

use crate::error::CliError;

const SALT_BYTES: usize = 32;
/// 192 random bits: 32 characters.
const PASSWORD_BYTES: usize = 24;
const MAX_KEY_BYTES: usize = digest::SHA512_OUTPUT_LEN;

/// A SCRAM mechanism of Kafka.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mechanism {
    #[value(name = "scram-sha-256")]
    Sha256,
    #[value(name = "scram-sha-512")]
    Sha512,
}

impl Mechanism {
    /// As Kafka and the API write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "SCRAM-SHA-256",
            Self::Sha512 => "SCRAM-SHA-512",
        }
    }

    fn key_bytes(self) -> usize {
        self.digest().output_len()
    }

    fn digest(self) -> &'static digest::Algorithm {
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

    fn pbkdf2(self) -> pbkdf2::Algorithm {
        match self {
            Self::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
            Self::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
        }
    }
}

/// What a server stores: it can check a password with it, but nobody can sign in with it. Each part in base64.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verifier {
    pub(crate) salt: String,
    pub(crate) stored_key: String,
    pub(crate) server_key: String,
}

impl Verifier {
    /// With a random salt.
    pub(crate) fn new(mechanism: Mechanism, password: &str, iterations: NonZeroU32) -> Result<Self, CliError> {
        Ok(Self::with_salt(
            mechanism,
            password,
            &random::<SALT_BYTES>()?,
            iterations,
        ))
    }

    /// Like Kafka's clients, takes the password's UTF-8 as it is, without `SASLprep`.
    fn with_salt(mechanism: Mechanism, password: &str, salt: &[u8], iterations: NonZeroU32) -> Self {
        let mut buffer = [0; MAX_KEY_BYTES];
        let salted = &mut buffer[..mechanism.key_bytes()];
        pbkdf2::derive(mechanism.pbkdf2(), iterations, salt, password.as_bytes(), salted);
        let key = hmac::Key::new(mechanism.hmac(), salted);
        let client_key = hmac::sign(&key, b"Client Key");
        let stored_key = digest::digest(mechanism.digest(), client_key.as_ref());
        let server_key = hmac::sign(&key, b"Server Key");
        Self {
            salt: general_purpose::STANDARD.encode(salt),
            stored_key: general_purpose::STANDARD.encode(stored_key),
            server_key: general_purpose::STANDARD.encode(server_key),
        }
    }
}

/// A password that nobody can guess.
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

    /// The exchange of RFC 7677, section 3: user "user", password "pencil".
    const AUTH_MESSAGE: &str = "n=user,r=rOprNGfwEbeRWgbNEkqO,\
        r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,\
        c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    const CLIENT_PROOF: &str = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    const SERVER_SIGNATURE: &str = "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    fn decode(text: &str) -> Vec<u8> {
        general_purpose::STANDARD.decode(text).unwrap()
    }

    fn sign(key: &[u8]) -> Vec<u8> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, key);
        hmac::sign(&key, AUTH_MESSAGE.as_bytes()).as_ref().to_vec()
    }

    #[test]
    fn a_verifier_accepts_the_proof_and_gives_the_signature_of_rfc_7677() {
        let salt = decode("W22ZaJ0SNY7soEsUEjb6gQ==");
        let verifier = Verifier::with_salt(Mechanism::Sha256, "pencil", &salt, ITERATIONS);
        assert_eq!(sign(&decode(&verifier.server_key)), decode(SERVER_SIGNATURE));
        let client_key: Vec<u8> = decode(CLIENT_PROOF)
            .iter()
            .zip(sign(&decode(&verifier.stored_key)))
            .map(|(proof, signature)| proof ^ signature)
            .collect();
        let stored_key = digest::digest(&digest::SHA256, &client_key);
        assert_eq!(stored_key.as_ref(), decode(&verifier.stored_key));
        assert_eq!(decode(&verifier.salt), salt);
    }

    #[test]
    fn another_password_or_salt_gives_another_verifier() {
        let of = |password, salt| Verifier::with_salt(Mechanism::Sha256, password, salt, ITERATIONS);
        let verifier = of("pencil", b"salt");
        assert_ne!(verifier.stored_key, of("Pencil", b"salt").stored_key);
        assert_ne!(verifier.server_key, of("pencil", b"Salt").server_key);
    }

    #[test]
    fn the_keys_of_each_mechanism_have_its_length_and_every_salt_is_new() {
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
    fn generated_passwords_are_long_and_need_no_quoting_in_a_properties_file() {
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
