use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::*;

const NOW_S: i64 = 1_795_000_000;
const ORIGIN: &str = "https://app.example.com";

fn key_pair(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap()
}

fn verifier() -> TokenVerifier {
    let verifier = TokenVerifier::new("cluster-a".to_owned(), "agent-a".to_owned());
    verifier.set_key(key_pair(1).public_key().as_ref());
    verifier
}

fn claims() -> Value {
    json!({
        "aud": "message-browser", "cluster": "cluster-a", "topic": "orders", "origin": ORIGIN, "agents": ["agent-b", "agent-a"],
        "iat": NOW_S - 10, "exp": NOW_S + 290, "org": "o", "sub": "u"
    })
}

fn changed(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

fn signed_by(seed: u8, head: &Value, claims: &Value) -> String {
    let signed = format!("{}.{}", part(head), part(claims));
    let signature = URL_SAFE_NO_PAD.encode(key_pair(seed).sign(signed.as_bytes()));
    format!("{signed}.{signature}")
}

fn token(claims: &Value) -> String {
    signed_by(1, &json!({"alg": "EdDSA", "typ": "JWT"}), claims)
}

fn verify(token: &str) -> Result<(), TokenError> {
    verifier().verify(PresentedToken {
        token,
        topic: "orders",
        origin: Some(ORIGIN),
        now_s: NOW_S,
    })
}

#[test]
fn a_valid_token_opens_its_topic() {
    assert_eq!(verify(&token(&claims())), Ok(()));
}

#[test]
fn a_token_opens_nothing_else() {
    let cases = [
        ("aud", json!("metadata"), TokenError::Audience),
        ("cluster", json!("cluster-b"), TokenError::Cluster),
        ("topic", json!("payments"), TokenError::Topic),
        ("origin", json!("https://evil.example.com"), TokenError::Origin),
        ("agents", json!(["agent-b"]), TokenError::Agent),
        ("agents", json!([]), TokenError::Agent),
        ("agents", json!("agent-a"), TokenError::Malformed),
        ("exp", json!(NOW_S - 31), TokenError::Expired),
        ("exp", json!(NOW_S + 291), TokenError::TooLong),
        ("exp", json!(i64::MAX), TokenError::TooLong),
        ("exp", json!("never"), TokenError::Malformed),
        ("aud", json!(null), TokenError::Malformed),
    ];
    for (name, value, expected) in cases {
        let token = token(&changed(name, value.clone()));
        assert_eq!(verify(&token), Err(expected), "{name} {value}");
    }
    let mut future = changed("iat", json!(NOW_S + 31));
    future["exp"] = json!(NOW_S + 300);
    assert_eq!(verify(&token(&future)), Err(TokenError::NotYet));
}

#[test]
fn only_a_page_of_its_origin_can_use_a_token() {
    let presented = token(&claims());
    for origin in [
        None,
        Some(""),
        Some("null"),
        Some("https://app.example.com.evil.example"),
    ] {
        let presented = PresentedToken {
            token: &presented,
            topic: "orders",
            origin,
            now_s: NOW_S,
        };
        assert_eq!(verifier().verify(presented), Err(TokenError::Origin), "{origin:?}");
    }
}

#[test]
fn accepts_a_token_that_names_no_agents() {
    assert_eq!(verify(&token(&changed("agents", json!(null)))), Ok(()));
}

#[test]
fn tolerates_clock_differences_of_half_a_minute() {
    let mut early = changed("iat", json!(NOW_S - 300));
    early["exp"] = json!(NOW_S - 29);
    assert_eq!(verify(&token(&early)), Ok(()));
}

#[test]
fn refuses_tokens_signed_with_another_key() {
    let head = json!({"alg": "EdDSA"});
    assert_eq!(verify(&signed_by(2, &head, &claims())), Err(TokenError::Signature));
    let good = token(&claims());
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (head, _) = signed.split_once('.').unwrap();
    let other = part(&changed("topic", json!("payments")));
    assert_eq!(
        verify(&format!("{head}.{other}.{signature}")),
        Err(TokenError::Signature)
    );
}

#[test]
fn a_token_cannot_choose_its_algorithm() {
    for algorithm in ["none", "None", "HS256", "ES256", "eddsa", ""] {
        let head = json!({"alg": algorithm});
        assert_eq!(
            verify(&signed_by(1, &head, &claims())),
            Err(TokenError::Algorithm),
            "{algorithm}"
        );
    }
    let unsigned = format!("{}.{}.", part(&json!({"alg": "none"})), part(&claims()));
    assert_eq!(verify(&unsigned), Err(TokenError::Algorithm));
    let empty_signature = format!("{}.{}.", part(&json!({"alg": "EdDSA"})), part(&claims()));
    assert_eq!(verify(&empty_signature), Err(TokenError::Signature));
}

#[test]
fn refuses_malformed_tokens() {
    for text in ["", ".", "..", "a.b", "a.b.c", "e30.e30.e30", &"x".repeat(20_000)] {
        assert_eq!(verify(text), Err(TokenError::Malformed), "{text}");
    }
}

#[test]
fn without_a_key_rejects_all_tokens_and_ignores_short_keys() {
    let presented = token(&claims());
    let presented = PresentedToken {
        token: &presented,
        topic: "orders",
        origin: Some(ORIGIN),
        now_s: NOW_S,
    };
    let verifier = TokenVerifier::new("cluster-a".to_owned(), "agent-a".to_owned());
    assert_eq!(verifier.verify(presented), Err(TokenError::NoKey));
    verifier.set_key(&[]);
    assert_eq!(verifier.verify(presented), Err(TokenError::NoKey));
    verifier.set_key(key_pair(1).public_key().as_ref());
    verifier.set_key(&[1; 31]);
    assert_eq!(verifier.verify(presented), Ok(()));
}

#[test]
fn a_new_key_invalidates_the_tokens_of_the_previous_one() {
    let verifier = verifier();
    verifier.set_key(key_pair(2).public_key().as_ref());
    let presented = token(&claims());
    let presented = PresentedToken {
        token: &presented,
        topic: "orders",
        origin: Some(ORIGIN),
        now_s: NOW_S,
    };
    assert_eq!(verifier.verify(presented), Err(TokenError::Signature));
}

#[test]
fn accepts_tokens_of_both_keys_during_a_rotation() {
    let verifier = verifier();
    let (old, new) = (key_pair(1), key_pair(2));
    let by = |seed: u8| signed_by(seed, &json!({"alg": "EdDSA", "typ": "JWT"}), &claims());
    let verify = |token: &str| {
        verifier.verify(PresentedToken {
            token,
            topic: "orders",
            origin: Some(ORIGIN),
            now_s: NOW_S,
        })
    };
    verifier.set_keys(&[old.public_key(), new.public_key()]);
    assert_eq!((verify(&by(1)), verify(&by(2))), (Ok(()), Ok(())));
    assert_eq!(verify(&by(3)), Err(TokenError::Signature));
    verifier.set_keys(&[new.public_key()]);
    assert_eq!((verify(&by(1)), verify(&by(2))), (Err(TokenError::Signature), Ok(())));
}
