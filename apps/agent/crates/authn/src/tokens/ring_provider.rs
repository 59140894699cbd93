//! Lets `jsonwebtoken` verify signatures with ring, so that no second cryptography library is linked. It cannot sign.

use std::sync::Once;

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
    RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
    RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use signature::Verifier;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: refuse_to_sign,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};
static INSTALLED: Once = Once::new();

/// Installs ring as the process's provider.
pub(super) fn install() {
    INSTALLED.call_once(|| {
        // Nothing else in this process uses the crate; otherwise, its provider would stay.
        let _ = PROVIDER.install_default();
    });
}

fn refuse_to_sign(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    Ok(Box::new(RingVerifier {
        algorithm: *algorithm,
        key: key.clone(),
    }))
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), signature::Error> {
        let verified = match (scheme(self.algorithm), self.key.kind()) {
            (Some(Scheme::Rsa(parameters)), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (Some(Scheme::Curve(algorithm)), DecodingKeyKind::SecretOrDer(point)) => {
                UnparsedPublicKey::new(algorithm, point).verify(message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

enum Scheme {
    Rsa(&'static RsaParameters),
    Curve(&'static dyn VerificationAlgorithm),
}

/// Returns `None` for algorithms with a shared secret, which a published key cannot be, and for those that ring lacks.
fn scheme(algorithm: Algorithm) -> Option<Scheme> {
    match algorithm {
        Algorithm::RS256 => Some(Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA256)),
        Algorithm::RS384 => Some(Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA384)),
        Algorithm::RS512 => Some(Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA512)),
        Algorithm::PS256 => Some(Scheme::Rsa(&RSA_PSS_2048_8192_SHA256)),
        Algorithm::PS384 => Some(Scheme::Rsa(&RSA_PSS_2048_8192_SHA384)),
        Algorithm::PS512 => Some(Scheme::Rsa(&RSA_PSS_2048_8192_SHA512)),
        Algorithm::ES256 => Some(Scheme::Curve(&ECDSA_P256_SHA256_FIXED)),
        Algorithm::ES384 => Some(Scheme::Curve(&ECDSA_P384_SHA384_FIXED)),
        Algorithm::EdDSA => Some(Scheme::Curve(&ED25519)),
        _ => None,
    }
}
