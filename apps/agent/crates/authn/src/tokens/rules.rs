//! Validates the claims and signatures of tokens.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use parking_lot::RwLock;
use penstock_runtime::since_unix_epoch;
use serde_json::{Map, Value};
use tokio::sync::Notify;

use super::key_set::KeySet;
use super::message::Bearer;
use super::ring_provider;
use crate::failure::Failure;

/// The requirements for tokens.
#[derive(Debug, Clone)]
pub struct TokenRules {
    /// The required value of claim `iss`.
    pub issuer: String,
    /// A value that claim `aud` must contain.
    pub audience: String,
    /// Tolerated clock difference between the identity provider and this machine.
    pub clock_skew: Duration,
    /// Maximum time from claim `iat` to `exp`.
    pub max_lifetime: Duration,
    /// The claim that names the client.
    pub principal_claim: String,
}

/// Verifies tokens with the latest published keys.
pub struct BearerVerifier {
    rules: TokenRules,
    keys: RwLock<Arc<KeySet>>,
    missed: Notify,
}

impl fmt::Debug for BearerVerifier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BearerVerifier")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// The subject of a valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The value of the claim.
    pub name: String,
    /// Expiry in milliseconds since the Unix epoch, including the clock skew.
    pub expires_at_ms: u64,
}

impl BearerVerifier {
    /// Creates a verifier with the current keys.
    #[must_use]
    pub fn new(rules: TokenRules, keys: KeySet) -> Arc<Self> {
        ring_provider::install();
        Arc::new(Self {
            rules,
            keys: RwLock::new(Arc::new(keys)),
            missed: Notify::new(),
        })
    }

    /// Replaces the keys of the verifier.
    pub fn set_keys(&self, keys: KeySet) {
        *self.keys.write() = Arc::new(keys);
    }

    /// Waits until a token names an unknown key, which may mean that there are new ones.
    pub async fn key_missed(&self) {
        self.missed.notified().await;
    }

    pub(crate) fn check(&self, bearer: &Bearer<'_>) -> Result<Holder, Failure> {
        let unreadable = || Failure::malformed("the token");
        let header = decode_header(bearer.token).map_err(|_| unreadable())?;
        if !header.typ.as_deref().is_none_or(is_access_token) {
            return Err(Failure::token(
                "is no access token: typ in its header must be JWT, at+jwt or absent",
            ));
        }
        let keys = Arc::clone(&self.keys.read());
        let Some(key) = keys.find(header.kid.as_deref(), header.alg) else {
            self.missed.notify_one();
            return Err(Failure::token("is signed with a key that is not published"));
        };
        let mut validation = Validation::new(header.alg);
        validation.leeway = self.rules.clock_skew.as_secs();
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.rules.issuer]);
        validation.set_audience(&[&self.rules.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        let claims = decode::<Map<String, Value>>(bearer.token, key, &validation)
            .map_err(|error| Failure::token(reason(error.kind())))?
            .claims;
        if is_id_token(&claims) {
            return Err(Failure::token(
                "is an ID token, which is for the application that its user signed in to: the client must send an access token",
            ));
        }
        let name = claims.get(&self.rules.principal_claim).and_then(Value::as_str);
        let name = name
            .filter(|name| !name.is_empty())
            .ok_or_else(|| Failure::token("does not name a client"))?;
        if bearer.authorization_id.is_some_and(|id| id != name) {
            return Err(Failure::refused(name, "asked to act as another user"));
        }
        let expires_at_ms = claim_ms(&claims, "exp").ok_or_else(unreadable)?;
        let skew_ms = as_ms(self.rules.clock_skew);
        let now_ms = as_ms(since_unix_epoch());
        // Without an iat, the token counts as issued at its first use. An iat in the future must not shorten the
        // lifetime.
        let issued_at_ms = claim_ms(&claims, "iat").map_or(now_ms, |at_ms| at_ms.min(now_ms));
        let longest_ms = as_ms(self.rules.max_lifetime).saturating_add(skew_ms);
        if expires_at_ms.saturating_sub(issued_at_ms) > longest_ms {
            return Err(Failure::token(
                "is valid for longer than --oauth-max-token-lifetime-ms: issue tokens with a shorter lifetime, or raise the option",
            ));
        }
        Ok(Holder {
            name: name.to_owned(),
            expires_at_ms: expires_at_ms.saturating_add(skew_ms),
        })
    }
}

/// Returns true if the JOSE header's `typ` denotes an access token (RFC 9068, section 2.1) or is generic. Identity
/// providers sign other kinds with the same keys (RFC 8725, section 2.8): logout tokens, security events, proofs of
/// possession.
fn is_access_token(typ: &str) -> bool {
    let typ = typ.to_ascii_lowercase();
    matches!(typ.strip_prefix("application/").unwrap_or(&typ), "jwt" | "at+jwt")
}

/// Returns true if these claims occur only in ID tokens: those of OpenID Connect Core 1.0 (sections 2 and 3.3.2.11)
/// that tie a token to a sign-in, or the token kind in the notation of Amazon Cognito and Keycloak. The header's `typ`
/// does not help with providers that do not use `at+jwt`.
fn is_id_token(claims: &Map<String, Value>) -> bool {
    let says = |claim: &str, kind: &str| {
        let said = claims.get(claim).and_then(Value::as_str);
        said.is_some_and(|said| said.eq_ignore_ascii_case(kind))
    };
    let is_tied = ["nonce", "at_hash", "c_hash"]
        .iter()
        .any(|claim| claims.contains_key(*claim));
    is_tied || says("token_use", "id") || says("typ", "ID")
}

/// Converts a claim from seconds since the Unix epoch to milliseconds.
fn claim_ms(claims: &Map<String, Value>, name: &str) -> Option<u64> {
    let seconds = claims.get(name).and_then(Value::as_f64)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float that is too large or negative becomes the nearest integer"
    )]
    let ms = (seconds * 1e3) as u64;
    Some(ms)
}

fn as_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::ExpiredSignature => "has expired",
        ErrorKind::ImmatureSignature => "is not valid yet",
        ErrorKind::InvalidIssuer => "is of another issuer than --oauth-issuer",
        ErrorKind::InvalidAudience => "is for another audience than --oauth-audience",
        ErrorKind::InvalidSignature => "has a wrong signature",
        ErrorKind::MissingRequiredClaim(_) => "lacks exp, iss or aud",
        _ => "is not a valid JSON Web Token",
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
    use serde_json::json;

    use super::*;

    struct Signer {
        key: EcdsaKeyPair,
        id: &'static str,
    }

    impl Signer {
        fn new(id: &'static str) -> Self {
            let random = SystemRandom::new();
            let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
            let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
            Self { key, id }
        }

        fn published(&self) -> Value {
            let point = self.key.public_key().as_ref();
            json!({
                "kty": "EC", "crv": "P-256", "kid": self.id, "use": "sig",
                "x": BASE64URL.encode(&point[1..33]), "y": BASE64URL.encode(&point[33..]),
            })
        }

        fn token(&self, header: &Value, claims: &Value) -> String {
            let part = |value: &Value| BASE64URL.encode(value.to_string());
            let message = format!("{}.{}", part(header), part(claims));
            let signature = self.key.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
            format!("{message}.{}", BASE64URL.encode(signature))
        }

        fn header(&self) -> Value {
            json!({ "alg": "ES256", "kid": self.id })
        }
    }

    fn verifier(signers: &[&Signer]) -> Arc<BearerVerifier> {
        let set = json!({ "keys": signers.iter().map(|signer| signer.published()).collect::<Vec<_>>() });
        let rules = TokenRules {
            issuer: "https://issuer.example".to_owned(),
            audience: "kafka".to_owned(),
            clock_skew: Duration::from_secs(30),
            max_lifetime: Duration::from_secs(3600),
            principal_claim: "sub".to_owned(),
        };
        BearerVerifier::new(rules, KeySet::read(set.to_string().as_bytes()).unwrap())
    }

    fn now_s() -> u64 {
        std::time::UNIX_EPOCH.elapsed().unwrap().as_secs()
    }

    fn claims() -> Value {
        json!({ "iss": "https://issuer.example", "aud": ["kafka", "other"], "sub": "orders", "exp": now_s() + 300 })
    }

    fn check(verifier: &BearerVerifier, token: &str) -> Result<Holder, Failure> {
        verifier.check(&Bearer {
            token,
            authorization_id: None,
        })
    }

    #[test]
    fn a_valid_token_names_the_client_and_the_end_of_its_session() {
        let signer = Signer::new("1");
        let holder = check(&verifier(&[&signer]), &signer.token(&signer.header(), &claims())).unwrap();
        assert_eq!(holder.name, "orders");
        assert!(holder.expires_at_ms >= (now_s() + 329) * 1000);
    }

    #[test]
    fn accepts_only_access_tokens_of_the_issuer() {
        let signer = Signer::new("1");
        let verifier = verifier(&[&signer]);
        let with_typ = |typ: &str| {
            let mut header = signer.header();
            header["typ"] = json!(typ);
            check(&verifier, &signer.token(&header, &claims()))
        };
        for typ in ["JWT", "jwt", "at+jwt", "application/at+JWT"] {
            assert!(with_typ(typ).is_ok(), "{typ}");
        }
        for typ in ["logout+jwt", "dpop+jwt", "secevent+jwt", "token-introspection+jwt"] {
            assert!(with_typ(typ).is_err(), "{typ}");
        }
    }

    #[test]
    fn refuses_an_id_token_whatever_its_header() {
        let signer = Signer::new("1");
        let verifier = verifier(&[&signer]);
        let marks = [
            ("nonce", "n-0S6_WzA2Mj"),
            ("at_hash", "77QmUPtjPfzWtF2AnpK9RQ"),
            ("c_hash", "LDktKdoQak3Pk0cnXxCltA"),
            ("token_use", "id"),
            ("typ", "ID"),
        ];
        for (claim, value) in marks {
            let mut changed = claims();
            changed[claim] = json!(value);
            let refused = check(&verifier, &signer.token(&signer.header(), &changed)).unwrap_err();
            assert!(refused.to_string().contains("ID token"), "{claim}: {refused}");
        }
        for (claim, value) in [("token_use", "access"), ("typ", "Bearer")] {
            let mut changed = claims();
            changed[claim] = json!(value);
            assert!(
                check(&verifier, &signer.token(&signer.header(), &changed)).is_ok(),
                "{claim}"
            );
        }
    }

    #[test]
    fn refuses_a_token_with_too_long_a_lifetime() {
        let signer = Signer::new("1");
        let verifier = verifier(&[&signer]);
        let with = |issued_at_s: Option<u64>, expires_at_s: u64| {
            let mut changed = claims();
            changed["exp"] = json!(expires_at_s);
            changed["iat"] = json!(issued_at_s);
            check(&verifier, &signer.token(&signer.header(), &changed))
        };
        let now_s = now_s();
        assert!(with(None, now_s + 3600).is_ok());
        assert!(with(None, now_s + 3700).is_err());
        assert!(with(Some(now_s - 3000), now_s + 600).is_ok());
        assert!(with(Some(now_s - 7200), now_s + 600).is_err());
        // As if issued late, so that little time is left.
        assert!(with(Some(now_s + 99_000), now_s + 99_600).is_err());
        assert!(with(Some(0), u64::MAX).is_err());
    }

    #[test]
    fn refuses_a_token_with_any_other_wrong_claim() {
        let signer = Signer::new("1");
        let verifier = verifier(&[&signer]);
        let changes = [
            ("iss", json!("https://other.example")),
            ("iss", Value::Null),
            ("aud", json!("other")),
            ("aud", Value::Null),
            ("exp", json!(now_s() - 31)),
            ("exp", json!("tomorrow")),
            ("exp", Value::Null),
            ("nbf", json!(now_s() + 60)),
            ("sub", json!("")),
            ("sub", json!(7)),
        ];
        for (claim, value) in changes {
            let mut changed = claims();
            changed[claim] = value.clone();
            if value.is_null() {
                changed.as_object_mut().unwrap().remove(claim);
            }
            let token = signer.token(&signer.header(), &changed);
            assert!(check(&verifier, &token).is_err(), "{claim}: {value}");
        }
        let mut skewed = claims();
        skewed["exp"] = json!(now_s() - 10);
        skewed["nbf"] = json!(now_s() + 10);
        assert!(check(&verifier, &signer.token(&signer.header(), &skewed)).is_ok());
    }

    #[test]
    fn only_signatures_by_published_keys_count() {
        let (published, other) = (Signer::new("1"), Signer::new("1"));
        let verifier = verifier(&[&published]);
        assert!(check(&verifier, &other.token(&other.header(), &claims())).is_err());
        let (header, payload) = (published.header(), claims());
        let token = published.token(&header, &payload);
        let (message, _) = token.rsplit_once('.').unwrap();
        assert!(check(&verifier, &format!("{message}.")).is_err());
        for algorithm in ["none", "HS256", "RS256", "ES384"] {
            let header = json!({ "alg": algorithm, "kid": "1" });
            assert!(
                check(&verifier, &published.token(&header, &payload)).is_err(),
                "{algorithm}"
            );
        }
    }

    #[test]
    fn a_token_with_an_unknown_key_requests_new_keys() {
        let (old, new) = (Signer::new("1"), Signer::new("2"));
        let verifier = verifier(&[&old]);
        let token = new.token(&new.header(), &claims());
        assert!(check(&verifier, &token).is_err());
        let set = json!({ "keys": [new.published()] });
        verifier.set_keys(KeySet::read(set.to_string().as_bytes()).unwrap());
        assert!(check(&verifier, &token).is_ok());
    }

    #[test]
    fn a_token_without_a_key_id_matches_the_only_key_of_its_kind() {
        let (first, second) = (Signer::new("1"), Signer::new("2"));
        let token = first.token(&json!({ "alg": "ES256" }), &claims());
        assert!(check(&verifier(&[&first]), &token).is_ok());
        assert!(check(&verifier(&[&first, &second]), &token).is_err());
    }

    #[test]
    fn a_client_can_only_act_as_itself() {
        let signer = Signer::new("1");
        let token = signer.token(&signer.header(), &claims());
        let as_user = |id| Bearer {
            token: &token,
            authorization_id: Some(id),
        };
        let verifier = verifier(&[&signer]);
        assert!(verifier.check(&as_user("orders")).is_ok());
        assert!(verifier.check(&as_user("admin")).is_err());
    }

    #[test]
    fn a_set_without_usable_keys_is_an_error() {
        for set in [
            "",
            "{}",
            r#"{"keys": []}"#,
            r#"{"keys": [{"kty": "oct", "k": "AAAA"}]}"#,
        ] {
            assert!(KeySet::read(set.as_bytes()).is_err(), "{set}");
        }
    }
}
