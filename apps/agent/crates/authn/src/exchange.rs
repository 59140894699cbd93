//! A SASL exchange: consumes and produces tokens, and finally yields the client's identity.

use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_scram::ScramHash;
use ring::rand::SecureRandom as _;

use crate::authority::Authority;
use crate::failure::Failure;
use crate::mechanism::{Mechanism, mechanism_of};
use crate::scram::Scram;
use crate::tokens::Holder;
use crate::users::{Credential, Users};

const NONCE_BYTES: usize = 24;

/// The outcome of a token.
#[derive(Debug)]
pub enum Step {
    /// The client must respond to this challenge.
    Challenge(Bytes),
    /// The client is authenticated. The token is part of the last response. The proof of a SCRAM exchange also
    /// convinces the metadata service.
    Done(Bytes, Identity, Option<Arc<proto::ScramProof>>),
}

/// An authenticated client, and how it proved its identity.
#[derive(Debug, Clone)]
pub enum Identity {
    /// Authenticated by a password that matches this verifier.
    Password(Arc<Credential>),
    /// Authenticated by a token.
    Token(Holder),
}

impl Identity {
    /// The name of the principal.
    #[must_use]
    pub fn user(&self) -> &str {
        match self {
            Self::Password(credential) => credential.user(),
            Self::Token(holder) => &holder.name,
        }
    }

    /// When the identity expires, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn expires_at_ms(&self) -> Option<u64> {
        match self {
            Self::Password(credential) => credential.expires_at_ms(),
            Self::Token(holder) => Some(holder.expires_at_ms),
        }
    }

    /// Returns the current identity, or `None` if its credential was deleted or changed. A token stays valid until it
    /// expires.
    #[must_use]
    pub fn renewed(&self, users: &Users) -> Option<Self> {
        match self {
            Self::Password(credential) => users.renewed(credential).cloned().map(Self::Password),
            Self::Token(_) => Some(self.clone()),
        }
    }
}

/// An exchange in progress.
#[derive(Debug)]
pub struct Exchange {
    mechanism: Mechanism,
    /// The address of the client.
    host: IpAddr,
    state: State,
}

#[derive(Debug)]
enum State {
    Plain,
    OauthBearer,
    Scram(Scram),
}

impl Exchange {
    /// Starts an exchange for a client at this address with this mechanism.
    #[must_use]
    pub fn new(mechanism: Mechanism, host: IpAddr) -> Self {
        let state = match mechanism {
            Mechanism::Plain => State::Plain,
            Mechanism::OauthBearer => State::OauthBearer,
            Mechanism::ScramSha256 => State::Scram(Scram::new(ScramHash::Sha256)),
            Mechanism::ScramSha512 => State::Scram(Scram::new(ScramHash::Sha512)),
        };
        Self { mechanism, host, state }
    }

    /// The mechanism of the exchange.
    #[must_use]
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism
    }

    /// Processes the client's next token.
    ///
    /// # Errors
    /// Returns an error if the exchange failed. The connection must then be closed.
    pub async fn step(&mut self, authority: &Authority, token: &[u8]) -> Result<Step, Failure> {
        match &mut self.state {
            State::Plain => {
                let credential = authority.check_password(token, self.host).await?;
                Ok(Step::Done(Bytes::new(), Identity::Password(credential), None))
            }
            State::OauthBearer => {
                let holder = authority.check_token(token)?;
                Ok(Step::Done(Bytes::new(), Identity::Token(holder), None))
            }
            State::Scram(scram) if scram.is_at_start() => {
                let users = authority.current_users()?;
                let mut nonce = [0; NONCE_BYTES];
                authority.random.fill(&mut nonce).map_err(|_| Failure::Unavailable)?;
                let challenge = scram.challenge(
                    token,
                    &users,
                    &authority.decoys,
                    &authority.nonces.signed(&BASE64.encode(nonce)),
                )?;
                Ok(Step::Challenge(challenge.into()))
            }
            State::Scram(scram) => {
                let proven = scram.verify(token, authority.now_ms())?;
                // The user may have been deleted since the challenge.
                let credential = authority
                    .current_users()?
                    .renewed(&proven.credential)
                    .cloned()
                    .ok_or_else(|| {
                        Failure::refused(proven.credential.user(), "the credential was changed meanwhile")
                    })?;
                let proof = proto::ScramProof {
                    mechanism: mechanism_of(credential.hash).into(),
                    auth_message: proven.auth_message,
                    client_proof: proven.client_proof.into(),
                };
                let identity = Identity::Password(credential);
                Ok(Step::Done(proven.server_final.into(), identity, Some(Arc::new(proof))))
            }
        }
    }
}
