//! Tokens from the control plane: JSON Web Tokens signed with Ed25519 (RFC 8037). Each is valid for one topic of one
//! cluster, at the agents of one address, for pages of one origin.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use parking_lot::RwLock;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::Deserialize;
use thiserror::Error;

/// The only accepted algorithm, so that a token cannot choose a weaker one.
const ALGORITHM: &str = "EdDSA";
const AUDIENCE: &str = "message-browser";
/// Maximum lifetime of a token.
const MAX_LIFE_S: i64 = 300;
/// Tolerated clock difference between machines.
const LEEWAY_S: i64 = 30;
/// Maximum size of a token. It names all agents that share an address, about 50 bytes each.
const MAX_TOKEN_BYTES: usize = 16 * 1024;
const KEY_BYTES: usize = 32;

/// Why a token is refused. Reveals nothing that its bearer does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum TokenError {
    #[error("no token: send one in the authorization header, as “Bearer …”")]
    Missing,
    #[error("the token is malformed")]
    Malformed,
    #[error("the token is not signed with EdDSA")]
    Algorithm,
    #[error("the agent has not received the key for tokens yet; try again in a few seconds")]
    NoKey,
    #[error("the token's signature is wrong, or the control plane has changed its key; ask for a new token")]
    Signature,
    #[error("the token is not for the message browser")]
    Audience,
    #[error("the token is for another cluster")]
    Cluster,
    #[error("the token is for another topic")]
    Topic,
    #[error("the token is for other agents; use each token at the address that it came with")]
    Agent,
    #[error("the token is for pages of another origin; a program sends the dashboard's address in the Origin header")]
    Origin,
    #[error("the token has expired; ask for a new one. If it is new, this agent's clock is ahead")]
    Expired,
    #[error("the token is not valid yet: this agent's clock is behind")]
    NotYet,
    #[error("the token is valid for longer than five minutes")]
    TooLong,
}

impl TokenError {
    /// A stable code for programs.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Missing => "token_missing",
            Self::Malformed => "token_malformed",
            Self::Algorithm => "token_algorithm",
            Self::NoKey => "key_unknown",
            Self::Signature => "token_signature",
            Self::Audience => "token_audience",
            Self::Cluster => "token_cluster",
            Self::Topic => "token_topic",
            Self::Agent => "token_agent",
            Self::Origin => "token_origin",
            Self::Expired => "token_expired",
            Self::NotYet => "token_not_yet",
            Self::TooLong => "token_too_long",
        }
    }

    /// Returns true if the token is valid for something else, so that a new token of the same kind would not help.
    pub(crate) fn is_forbidden(self) -> bool {
        matches!(
            self,
            Self::Cluster | Self::Topic | Self::Agent | Self::Origin | Self::Audience
        )
    }
}

#[derive(Deserialize)]
struct TokenHeader {
    alg: String,
}

/// The claims that the agent checks. Other claims, such as the user and organization, are for the control plane's audit
/// log.
#[derive(Debug, Deserialize)]
struct Claims {
    aud: String,
    cluster: String,
    topic: String,
    /// Ids of the agents at the token's address. Older control planes name none.
    agents: Option<Vec<String>>,
    origin: String,
    iat: i64,
    exp: i64,
}

/// The request for which a token is presented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PresentedToken<'a> {
    pub(crate) token: &'a str,
    pub(crate) topic: &'a str,
    /// Origin of the calling page.
    pub(crate) origin: Option<&'a str>,
    /// Current time, in seconds since the Unix epoch.
    pub(crate) now_s: i64,
}

/// Verifies tokens for one cluster with the keys that the metadata service names.
#[derive(Debug)]
pub struct TokenVerifier {
    cluster_id: String,
    agent_id: String,
    /// Holds several keys while the control plane rotates its key.
    keys: RwLock<Vec<[u8; KEY_BYTES]>>,
}

impl TokenVerifier {
    /// Creates a verifier, which rejects all tokens until it has a key.
    #[must_use]
    pub fn new(cluster_id: String, agent_id: String) -> Self {
        Self {
            cluster_id,
            agent_id,
            keys: RwLock::new(Vec::new()),
        }
    }

    /// Sets the keys from a registration or heartbeat. Without a valid one, the last keys stay.
    pub fn set_keys<K: AsRef<[u8]>>(&self, accepted: &[K]) {
        let keys: Vec<[u8; KEY_BYTES]> = accepted
            .iter()
            .filter_map(|key| <[u8; KEY_BYTES]>::try_from(key.as_ref()).ok())
            .collect();
        if !keys.is_empty() {
            *self.keys.write() = keys;
        }
    }

    /// Sets a single key.
    pub fn set_key(&self, key: &[u8]) {
        self.set_keys(&[key]);
    }

    /// Verifies that the token currently grants this page access to the topic.
    ///
    /// # Errors
    /// Returns the first reason for refusing it.
    pub(crate) fn verify(&self, presented: PresentedToken<'_>) -> Result<(), TokenError> {
        let token = presented.token;
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (head, claims) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let head: TokenHeader = decode(head)?;
        if head.alg != ALGORITHM {
            return Err(TokenError::Algorithm);
        }
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenError::Malformed)?;
        let keys = self.keys.read().clone();
        if keys.is_empty() {
            return Err(TokenError::NoKey);
        }
        let signs = |key: &[u8; KEY_BYTES]| {
            UnparsedPublicKey::new(&ED25519, key)
                .verify(signed.as_bytes(), &signature)
                .is_ok()
        };
        if !keys.iter().any(signs) {
            return Err(TokenError::Signature);
        }
        self.check(&decode(claims)?, presented)
    }

    fn check(&self, claims: &Claims, presented: PresentedToken<'_>) -> Result<(), TokenError> {
        let now_s = presented.now_s;
        if claims.aud != AUDIENCE {
            return Err(TokenError::Audience);
        }
        if claims.exp.saturating_sub(claims.iat) > MAX_LIFE_S {
            return Err(TokenError::TooLong);
        }
        if claims.exp.saturating_add(LEEWAY_S) <= now_s {
            return Err(TokenError::Expired);
        }
        if claims.iat.saturating_sub(LEEWAY_S) > now_s {
            return Err(TokenError::NotYet);
        }
        if claims.cluster != self.cluster_id {
            return Err(TokenError::Cluster);
        }
        if claims.topic != presented.topic {
            return Err(TokenError::Topic);
        }
        let is_for_others = |agents: &Vec<String>| !agents.contains(&self.agent_id);
        if claims.agents.as_ref().is_some_and(is_for_others) {
            return Err(TokenError::Agent);
        }
        if presented.origin != Some(&claims.origin) {
            return Err(TokenError::Origin);
        }
        Ok(())
    }
}

fn decode<T: for<'a> Deserialize<'a>>(part: &str) -> Result<T, TokenError> {
    let json = URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)?;
    serde_json::from_slice(&json).map_err(|_| TokenError::Malformed)
}

#[cfg(test)]
mod tests;
