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

pub struct IdentityProvider(EcdsaKeyPair);

impl IdentityProvider {
    pub fn new() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self(key.unwrap())
    }

    /// A verifier that accepts this provider's tokens.
    pub fn verifier(&self) -> Arc<BearerVerifier> {
        let point = self.0.public_key().as_ref();
        let (x, y) = (BASE64URL.encode(&point[1..33]), BASE64URL.encode(&point[33..]));
        let keys = format!(r#"{{"keys": [{{"kty": "EC", "crv": "P-256", "kid": "1", "x": "{x}", "y": "{y}"}}]}}"#);
        let rules = TokenRules {
            issuer: ISSUER.to_owned(),
            audience: AUDIENCE.to_owned(),
            clock_skew: Duration::ZERO,
            max_lifetime: Duration::from_secs(86_400),
            principal_claim: "sub".to_owned(),
        };
        BearerVerifier::new(rules, KeySet::read(keys.as_bytes()).unwrap())
    }

    /// A token for this client that expires in `lifetime_s` seconds.
    pub fn token(&self, subject: &str, lifetime_s: i64) -> String {
        let expires_at_s = UNIX_EPOCH
            .elapsed()
            .unwrap()
            .as_secs()
            .saturating_add_signed(lifetime_s);
        let header = BASE64URL.encode(r#"{"alg": "ES256", "kid": "1"}"#);
        let claims = BASE64URL.encode(format!(
            r#"{{"iss": "{ISSUER}", "aud": "{AUDIENCE}", "sub": "{subject}", "exp": {expires_at_s}}}"#
        ));
        let message = format!("{header}.{claims}");
        let signature = self.0.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{message}.{}", BASE64URL.encode(signature))
    }
}
