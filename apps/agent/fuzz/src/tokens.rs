//! Arbitrary JSON Web Key Sets and tokens. A token without a valid signature must never be accepted.

use std::cell::OnceCell;
use std::net::Ipv4Addr;

use arbitrary::Arbitrary;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use penstock_authn::{Authority, AuthoritySettings, BearerVerifier, Exchange, KeySet, Mechanism};
use penstock_metadata_client::cache::ClusterCache;
use tokio::runtime::{Builder, Runtime};

use super::rules;

/// A key set and a client's message.
#[derive(Arbitrary, Debug)]
pub struct Input<'a> {
    keys: Keys<'a>,
    message: Message<'a>,
}

#[derive(Arbitrary, Debug)]
pub enum Keys<'a> {
    Text(&'a [u8]),
    Set(Vec<Key<'a>>),
}

#[derive(Arbitrary, Debug)]
pub enum Key<'a> {
    Rsa {
        n: &'a [u8],
        e: &'a [u8],
        id: Option<u8>,
    },
    Curve {
        name: Curve,
        x: &'a [u8],
        y: &'a [u8],
        id: Option<u8>,
    },
    Ed25519 {
        x: &'a [u8],
        id: Option<u8>,
    },
    Secret {
        k: &'a [u8],
    },
}

#[derive(Arbitrary, Debug)]
pub enum Curve {
    P256,
    P384,
    P521,
    Secp256k1,
}

#[derive(Arbitrary, Debug)]
pub enum Message<'a> {
    Any(&'a [u8]),
    Token(&'a str),
    Parts {
        header: &'a str,
        claims: &'a str,
        signature: &'a [u8],
    },
    Claims {
        algorithm: Algorithm,
        id: Option<u8>,
        exp: Number,
        nbf: Option<Number>,
        audience: &'a str,
        signature: &'a [u8],
    },
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Algorithm {
    None,
    Hs256,
    Rs256,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

#[derive(Arbitrary, Debug)]
pub enum Number {
    Whole(u64),
    Float(f64),
    Text(u8),
}

impl Number {
    fn json(&self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
            Self::Text(number) => format!("\"{number}\""),
        }
    }
}

impl Key<'_> {
    fn json(&self) -> String {
        let id = |id: &Option<u8>| id.map_or_else(String::new, |id| format!(r#","kid":"{id}""#));
        let encode = |bytes: &[u8]| BASE64URL.encode(bytes);
        match self {
            Self::Rsa { n, e, id: key } => {
                format!(r#"{{"kty":"RSA","n":"{}","e":"{}"{}}}"#, encode(n), encode(e), id(key))
            }
            Self::Curve { name, x, y, id: key } => {
                let name = match name {
                    Curve::P256 => "P-256",
                    Curve::P384 => "P-384",
                    Curve::P521 => "P-521",
                    Curve::Secp256k1 => "secp256k1",
                };
                let (x, y) = (encode(x), encode(y));
                format!(r#"{{"kty":"EC","crv":"{name}","x":"{x}","y":"{y}"{}}}"#, id(key))
            }
            Self::Ed25519 { x, id: key } => {
                format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{}"{}}}"#, encode(x), id(key))
            }
            Self::Secret { k } => format!(r#"{{"kty":"oct","k":"{}"}}"#, encode(k)),
        }
    }
}

impl Message<'_> {
    fn bytes(&self) -> Vec<u8> {
        let wrapped = |token: &str| format!("n,,\x01auth=Bearer {token}\x01\x01").into_bytes();
        let signed = |header: &str, claims: &str, signature: &[u8]| {
            let (header, claims) = (BASE64URL.encode(header), BASE64URL.encode(claims));
            wrapped(&format!("{header}.{claims}.{}", BASE64URL.encode(signature)))
        };
        match self {
            Self::Any(bytes) => bytes.to_vec(),
            Self::Token(token) => wrapped(token),
            Self::Parts {
                header,
                claims,
                signature,
            } => signed(header, claims, signature),
            Self::Claims {
                algorithm,
                id,
                exp,
                nbf,
                audience,
                signature,
            } => {
                let algorithm = match algorithm {
                    Algorithm::None => "none",
                    Algorithm::Hs256 => "HS256",
                    Algorithm::Rs256 => "RS256",
                    Algorithm::Ps512 => "PS512",
                    Algorithm::Es256 => "ES256",
                    Algorithm::Es384 => "ES384",
                    Algorithm::EdDsa => "EdDSA",
                };
                let id = id.map_or_else(String::new, |id| format!(r#","kid":"{id}""#));
                let nbf = nbf
                    .as_ref()
                    .map_or_else(String::new, |nbf| format!(r#","nbf":{}"#, nbf.json()));
                signed(
                    &format!(r#"{{"alg":"{algorithm}"{id}}}"#),
                    &format!(
                        r#"{{"iss":"https://issuer.example","aud":"{audience}","sub":"alice","exp":{}{nbf}}}"#,
                        exp.json()
                    ),
                    signature,
                )
            }
        }
    }
}

thread_local! {
    static RUNTIME: OnceCell<Runtime> = const { OnceCell::new() };
}

/// Parses the key set and processes the message.
///
/// # Panics
/// Panics if the token is accepted.
pub fn run(input: &Input<'_>) {
    let text = match &input.keys {
        Keys::Text(text) => text.to_vec(),
        Keys::Set(keys) => {
            let keys: Vec<String> = keys.iter().map(Key::json).collect();
            format!(r#"{{"keys":[{}]}}"#, keys.join(",")).into_bytes()
        }
    };
    let keys = KeySet::read(&text).unwrap_or_default();
    let (cache, _) = ClusterCache::new();
    let verifier = BearerVerifier::new(rules(), keys);
    let authority =
        Authority::new(cache, AuthoritySettings::default(), Some(verifier), b"secret").expect("random numbers");
    let signed_in = RUNTIME.with(|runtime| {
        let runtime = runtime.get_or_init(|| Builder::new_current_thread().build().expect("a runtime"));
        let mut exchange = Exchange::new(Mechanism::OauthBearer, Ipv4Addr::LOCALHOST.into());
        runtime.block_on(exchange.step(&authority, &input.message.bytes()))
    });
    match signed_in {
        Ok(_) => panic!("a token was accepted that nobody signed"),
        // The reason is logged.
        Err(failure) => drop(failure.to_string()),
    }
}
