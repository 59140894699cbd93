//! An identity provider: a key, its published key set, and the tokens that it signs.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use penstock_authn::{BearerVerifier, KeySet, TokenRules};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};

const ISSUER: &str = "https://issuer.example";
const AUDIENCE: &str = "kafka";
/// Token lifetime, longer than any run.
const LIFETIME_S: u64 = 30 * 86_400;

/// The rules for tokens in these tests.
pub fn rules() -> TokenRules {
    TokenRules {
        issuer: ISSUER.to_owned(),
        audience: AUDIENCE.to_owned(),
        clock_skew: Duration::ZERO,
        max_lifetime: Duration::from_secs(LIFETIME_S),
        principal_claim: "sub".to_owned(),
    }
}

/// An identity provider with its own key.
pub struct IdentityProvider(EcdsaKeyPair);

impl Default for IdentityProvider {
    fn default() -> Self {
        Self::new()
    }
}

impl IdentityProvider {
    /// # Panics
    /// Panics if the machine provides no random numbers.
    pub fn new() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("random numbers");
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self(key.expect("a key"))
    }

    /// Returns a verifier that accepts this provider's tokens.
    ///
    /// # Panics
    /// Never panics, because the provider publishes a key.
    pub fn verifier(&self) -> Arc<BearerVerifier> {
        let point = self.0.public_key().as_ref();
        let (x, y) = (BASE64URL.encode(&point[1..33]), BASE64URL.encode(&point[33..]));
        let keys = format!(r#"{{"keys": [{{"kty": "EC", "crv": "P-256", "kid": "1", "x": "{x}", "y": "{y}"}}]}}"#);
        BearerVerifier::new(rules(), KeySet::read(keys.as_bytes()).expect("a key set"))
    }

    /// Creates a token for this client. It is accepted only with the right audience.
    ///
    /// # Panics
    /// Panics if the machine provides no random numbers.
    pub fn token(&self, subject: &str, is_right_audience: bool) -> String {
        let expires_at_s = UNIX_EPOCH.elapsed().map_or(0, |now| now.as_secs()) + LIFETIME_S;
        let audience = if is_right_audience { AUDIENCE } else { "other" };
        let header = BASE64URL.encode(r#"{"alg": "ES256", "kid": "1"}"#);
        let claims = BASE64URL.encode(format!(
            r#"{{"iss": "{ISSUER}", "aud": "{audience}", "sub": "{subject}", "exp": {expires_at_s}}}"#
        ));
        let message = format!("{header}.{claims}");
        let signature = self
            .0
            .sign(&SystemRandom::new(), message.as_bytes())
            .expect("random numbers");
        format!("{message}.{}", BASE64URL.encode(signature))
    }
}
