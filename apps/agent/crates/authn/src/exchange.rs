//! One SASL exchange: tokens in, tokens out, and in the end who the client is.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use ring::rand::SecureRandom as _;

use crate::authority::Authority;
use crate::failure::Failure;
use crate::mechanism::{Mechanism, ScramHash};
use crate::scram::Scram;
use crate::users::Credential;

const NONCE_BYTES: usize = 24;

/// What comes of a token.
#[derive(Debug)]
pub enum Step {
    /// The client must answer this.
    Challenge(Bytes),
    /// The client is who it says. The token goes with the last answer.
    Done(Bytes, Arc<Credential>),
}

/// An exchange that has begun.
#[derive(Debug)]
pub struct Exchange {
    mechanism: Mechanism,
    state: State,
}

#[derive(Debug)]
enum State {
    Plain,
    Scram(Scram),
}

impl Exchange {
    /// The client chose this mechanism.
    #[must_use]
    pub fn new(mechanism: Mechanism) -> Self {
        let state = match mechanism {
            Mechanism::Plain => State::Plain,
            Mechanism::ScramSha256 => State::Scram(Scram::new(ScramHash::Sha256)),
            Mechanism::ScramSha512 => State::Scram(Scram::new(ScramHash::Sha512)),
        };
        Self { mechanism, state }
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism
    }

    /// Takes the client's next token.
    ///
    /// # Errors
    /// The exchange is over: the connection must be closed.
    pub async fn step(&mut self, authority: &Authority, token: &[u8]) -> Result<Step, Failure> {
        match &mut self.state {
            State::Plain => {
                let credential = authority.check_password(token).await?;
                Ok(Step::Done(Bytes::new(), credential))
            }
            State::Scram(scram) if scram.is_at_start() => {
                let users = authority.current_users()?;
                let mut nonce = [0; NONCE_BYTES];
                authority.random.fill(&mut nonce).map_err(|_| Failure::Unavailable)?;
                let challenge = scram.challenge(token, &users, &authority.decoys, &BASE64.encode(nonce))?;
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
                Ok(Step::Done(proven.server_final.into(), credential))
            }
        }
    }
}
