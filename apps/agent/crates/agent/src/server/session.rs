//! The authentication state of a connection: SaslHandshake, SaslAuthenticate, and which requests are allowed now.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use penstock_authn::{Authority, Exchange, Failure, Identity, Mechanism, Step, UseGuard, Users};
use penstock_authz::Principal;
use penstock_handlers::Client;
use penstock_metrics::Metrics;
use penstock_wire::messages::{
    SaslAuthenticateRequest, SaslAuthenticateResponse, SaslHandshakeRequest, SaslHandshakeResponse,
};
use penstock_wire::{ApiKey, DecodeError, EncodeError, ErrorCode, Reader, Request, RequestHeader, encode_response};
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::Instant;

/// Time limit for signing in, from the end of the TLS handshake.
const SIGN_IN_TIME: Duration = Duration::from_secs(30);
/// Maximum number of requests before signing in. Clients send three or four.
const MAX_REQUESTS_BEFORE_SIGN_IN: u32 = 32;
/// Minimum interval between re-authentications, as in Kafka.
const MIN_REAUTHENTICATION_INTERVAL: Duration = Duration::from_secs(1);

/// Why the connection is closed.
#[derive(Debug, Error)]
pub(super) enum SessionEnd {
    #[error(
        "the client sent {0} without signing in, which this cluster requires. Set security.protocol and sasl.mechanism in the client, or \
         start the agent with --require-authentication never"
    )]
    SignInFirst(&'static str),
    #[error("clients must sign in now, and this one has not")]
    SignInRequiredNow,
    #[error("the client did not sign in within {} s", SIGN_IN_TIME.as_secs())]
    SignInTooSlow,
    #[error("the client sent {MAX_REQUESTS_BEFORE_SIGN_IN} requests without signing in")]
    TooManyRequests,
    #[error("the client's session is over and it did not sign in again")]
    SessionOver,
    #[error("the credential of user {0:?} was deleted or changed")]
    CredentialRevoked(String),
    #[error("the credential of user {0:?} has expired")]
    CredentialExpired(String),
    #[error("the client sent {0} in the middle of signing in")]
    OutOfTurn(&'static str),
    #[error("malformed request: {0}")]
    Malformed(#[from] DecodeError),
    #[error("{0} version {1} is not supported")]
    UnsupportedVersion(&'static str, i16),
    #[error("cannot encode the response in the request's version: {0}")]
    Unanswerable(#[from] EncodeError),
    #[error("the client asked for the mechanism {0:?}, which this listener does not offer (--listener auth=…)")]
    UnknownMechanism(String),
    #[error("sign-in failed: {mechanism}: {failure}")]
    Failed { mechanism: Mechanism, failure: Failure },
    #[error("the client signed in again as {to}, but was {from}")]
    OtherPrincipal { from: Arc<Principal>, to: Arc<Principal> },
    #[error("the client signed in again with {to}, but had used {from}")]
    OtherMechanism { from: Mechanism, to: Mechanism },
}

/// How to process a frame.
pub(super) enum Route {
    /// A request handler answers it.
    Dispatch,
    /// The frame goes to [`Session::authenticate`].
    Authenticate,
}

/// The response to send, and whether the connection ends after it.
pub(super) struct Reply {
    /// The frame including its length prefix; `None` if nothing is sent.
    pub(super) frame: Option<Vec<Bytes>>,
    /// The reason to close the connection after the response.
    pub(super) end: Option<SessionEnd>,
}

impl Reply {
    fn to<R: Request>(response: &R::Response, header: &RequestHeader) -> Result<Self, EncodeError> {
        let frame = encode_response(response, header.api_version, header.correlation_id)?;
        Ok(Self {
            frame: Some(frame.chunks),
            end: None,
        })
    }

    fn then(mut self, end: SessionEnd) -> Self {
        self.end = Some(end);
        self
    }
}

/// The authentication state of a connection.
pub(super) struct Session {
    client: Client,
    authority: Arc<Authority>,
    users: watch::Receiver<Arc<Users>>,
    offered: Arc<[Mechanism]>,
    metrics: Arc<Metrics>,
    is_required: bool,
    /// Deadline for signing in; `None` if the client may send all requests.
    sign_in_by: Option<Instant>,
    requests_before_sign_in: u32,
    exchange: Option<Pending>,
    proof: Option<Proof>,
}

struct Pending {
    exchange: Exchange,
    /// True if tokens come in their own frames without a request header, as after SaslHandshake version 0.
    is_bare: bool,
}

/// The credential that the client last signed in with.
struct Proof {
    mechanism: Mechanism,
    identity: Identity,
    credential_ends: Option<Instant>,
    /// When the session expires. Later requests are refused until the client signs in again.
    session_ends: Option<Instant>,
    renewed_at: Option<Instant>,
    /// Reports the credential as used while the connection is open. `None` for a token.
    _credential_use: Option<UseGuard>,
}

impl Session {
    /// Creates the session of a new connection. `certificate_principal` comes from the TLS certificate.
    pub(super) fn new(
        mut client: Client,
        certificate_principal: Option<Principal>,
        (authority, offered): (&Arc<Authority>, &Arc<[Mechanism]>),
        metrics: &Arc<Metrics>,
    ) -> Self {
        if let Some(principal) = certificate_principal {
            client.principal = Arc::new(principal);
            client.is_authenticated = true;
        }
        let mut users = authority.users();
        let is_required = authority.requires_authentication(&users.borrow_and_update());
        let mut session = Self {
            client,
            authority: Arc::clone(authority),
            users,
            offered: Arc::clone(offered),
            metrics: Arc::clone(metrics),
            is_required,
            sign_in_by: None,
            requests_before_sign_in: 0,
            exchange: None,
            proof: None,
        };
        if !session.may_use_everything() {
            session.sign_in_by = Instant::now().checked_add(SIGN_IN_TIME);
        }
        session
    }

    /// The client, as handlers see it.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Returns true if the client may send any request.
    pub(super) fn may_use_everything(&self) -> bool {
        self.client.is_authenticated || !self.is_required
    }

    /// When to call [`Self::time_is_up`].
    pub(super) fn ends_at(&self) -> Option<Instant> {
        let credential_ends = self.proof.as_ref().and_then(|proof| proof.credential_ends);
        self.sign_in_by.into_iter().chain(credential_ends).min()
    }

    /// Returns why the connection is closed at [`Self::ends_at`].
    pub(super) fn time_is_up(&self) -> SessionEnd {
        match (&self.sign_in_by, &self.proof) {
            (None, Some(proof)) => SessionEnd::CredentialExpired(proof.identity.user().to_owned()),
            _ => SessionEnd::SignInTooSlow,
        }
    }

    /// Waits for a change of the users.
    pub(super) async fn users_changed(&mut self) {
        if self.users.changed().await.is_err() {
            // The agent is stopping.
            std::future::pending().await
        }
    }

    /// Checks whether a change of the users affects this client.
    pub(super) fn review(&mut self) -> Result<(), SessionEnd> {
        let users = Arc::clone(&self.users.borrow_and_update());
        self.is_required = self.authority.requires_authentication(&users);
        if let Some(proof) = &mut self.proof {
            let revoked = || SessionEnd::CredentialRevoked(proof.identity.user().to_owned());
            let renewed = proof.identity.renewed(&users).ok_or_else(revoked)?;
            proof.credential_ends = credential_ends(&self.authority, &renewed);
            proof.identity = renewed;
        }
        match (self.may_use_everything(), self.sign_in_by) {
            (true, _) => self.sign_in_by = None,
            (false, Some(_)) => {}
            (false, None) => return Err(SessionEnd::SignInRequiredNow),
        }
        Ok(())
    }

    /// Returns true if a frame must wait until all earlier requests are answered.
    pub(super) fn runs_alone(&self, frame: &[u8]) -> bool {
        self.exchange.is_some() || matches!(api_key(frame), Some(ApiKey::SaslHandshake | ApiKey::SaslAuthenticate))
    }

    /// Decides how to process a frame.
    pub(super) fn route(&mut self, frame: &[u8]) -> Result<Route, SessionEnd> {
        if !self.may_use_everything() {
            self.requests_before_sign_in += 1;
            if self.requests_before_sign_in > MAX_REQUESTS_BEFORE_SIGN_IN {
                return Err(SessionEnd::TooManyRequests);
            }
        }
        let key = api_key(frame);
        let name = key.map_or("an unknown request", ApiKey::name);
        match (&self.exchange, key) {
            (Some(Pending { is_bare: true, .. }), _) | (_, Some(ApiKey::SaslHandshake | ApiKey::SaslAuthenticate)) => {
                Ok(Route::Authenticate)
            }
            (Some(_), _) => Err(SessionEnd::OutOfTurn(name)),
            (None, Some(ApiKey::ApiVersions)) => Ok(Route::Dispatch),
            (None, _) if !self.may_use_everything() => Err(SessionEnd::SignInFirst(name)),
            (None, _) if self.is_over() => Err(SessionEnd::SessionOver),
            (None, _) => Ok(Route::Dispatch),
        }
    }

    fn is_over(&self) -> bool {
        let session_ends = self.proof.as_ref().and_then(|proof| proof.session_ends);
        session_ends.is_some_and(|end| end <= Instant::now())
    }

    /// Answers a frame of the authentication exchange.
    ///
    /// # Errors
    /// Returns an error if the connection must be closed without a response.
    pub(super) async fn authenticate(&mut self, frame: Bytes) -> Result<Reply, SessionEnd> {
        if self.exchange.as_ref().is_some_and(|pending| pending.is_bare) {
            return self.take_bare_token(&frame).await;
        }
        let mut reader = Reader::new(frame);
        let header = RequestHeader::decode(&mut reader)?;
        if header.api_key == ApiKey::SaslHandshake.code() {
            let request = decode::<SaslHandshakeRequest>(&mut reader, &header)?;
            return self.handshake(&request.mechanism, &header);
        }
        let request = decode::<SaslAuthenticateRequest>(&mut reader, &header)?;
        self.take_token(&request.auth_bytes, &header).await
    }

    fn handshake(&mut self, mechanism: &str, header: &RequestHeader) -> Result<Reply, SessionEnd> {
        let answer = |error_code| SaslHandshakeResponse {
            error_code,
            mechanisms: self
                .offered
                .iter()
                .map(|mechanism| mechanism.name().to_owned())
                .collect(),
        };
        if self.exchange.is_some() {
            return Err(SessionEnd::OutOfTurn(ApiKey::SaslHandshake.name()));
        }
        let offered = Mechanism::from_name(mechanism).filter(|mechanism| self.offered.contains(mechanism));
        let Some(chosen) = offered else {
            let refusal = answer(ErrorCode::UNSUPPORTED_SASL_MECHANISM);
            let end = SessionEnd::UnknownMechanism(mechanism.chars().take(64).collect());
            return Ok(Reply::to::<SaslHandshakeRequest>(&refusal, header)?.then(end));
        };
        let renewed_at = self.proof.as_ref().and_then(|proof| proof.renewed_at);
        if renewed_at.is_some_and(|at| at.elapsed() < MIN_REAUTHENTICATION_INTERVAL) {
            let refusal = answer(ErrorCode::ILLEGAL_SASL_STATE);
            return Ok(Reply::to::<SaslHandshakeRequest>(&refusal, header)?);
        }
        let reply = Reply::to::<SaslHandshakeRequest>(&answer(ErrorCode::NONE), header)?;
        self.exchange = Some(Pending {
            exchange: Exchange::new(chosen, self.client.host),
            is_bare: header.api_version == 0,
        });
        Ok(reply)
    }

    async fn take_token(&mut self, token: &[u8], header: &RequestHeader) -> Result<Reply, SessionEnd> {
        let Some(pending) = self.exchange.take() else {
            let refusal = SaslAuthenticateResponse {
                error_code: ErrorCode::ILLEGAL_SASL_STATE,
                error_message: Some("send SaslHandshake first".to_owned()),
                ..Default::default()
            };
            let end = SessionEnd::OutOfTurn(ApiKey::SaslAuthenticate.name());
            return Ok(Reply::to::<SaslAuthenticateRequest>(&refusal, header)?.then(end));
        };
        let mechanism = pending.exchange.mechanism();
        match self.step(pending, token).await {
            Ok((auth_bytes, lifetime)) => {
                let answer = SaslAuthenticateResponse {
                    auth_bytes,
                    session_lifetime_ms: lifetime
                        .map_or(0, |lifetime| i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX)),
                    ..Default::default()
                };
                Ok(Reply::to::<SaslAuthenticateRequest>(&answer, header)?)
            }
            // Clients stop on an error, but retry if they get no response.
            Err(
                end @ SessionEnd::Failed {
                    failure: Failure::Unavailable,
                    ..
                },
            ) => Err(end),
            Err(end) => {
                let reason = match &end {
                    SessionEnd::OtherPrincipal { .. } => "the user cannot change on an open connection".to_owned(),
                    SessionEnd::OtherMechanism { .. } => "the mechanism cannot change on an open connection".to_owned(),
                    _ if mechanism == Mechanism::OauthBearer => {
                        format!("cannot sign in with {mechanism}: the token is not accepted")
                    }
                    _ => format!("cannot sign in with {mechanism}: wrong user name or password"),
                };
                let refusal = SaslAuthenticateResponse {
                    error_code: ErrorCode::SASL_AUTHENTICATION_FAILED,
                    error_message: Some(reason),
                    ..Default::default()
                };
                Ok(Reply::to::<SaslAuthenticateRequest>(&refusal, header)?.then(end))
            }
        }
    }

    async fn take_bare_token(&mut self, token: &[u8]) -> Result<Reply, SessionEnd> {
        let Some(pending) = self.exchange.take() else {
            return Err(SessionEnd::OutOfTurn("a token"));
        };
        match self.step(pending, token).await {
            Ok((token, _)) => {
                // Tokens are at most a few hundred bytes long.
                let len = u32::try_from(token.len()).unwrap_or(0).to_be_bytes();
                Ok(Reply {
                    frame: Some(vec![Bytes::copy_from_slice(&len), token]),
                    end: None,
                })
            }
            Err(end) => Ok(Reply {
                frame: None,
                end: Some(end),
            }),
        }
    }

    /// Returns the token for the client, and the session's lifetime if it is now signed in.
    async fn step(&mut self, pending: Pending, token: &[u8]) -> Result<(Bytes, Option<Duration>), SessionEnd> {
        let mechanism = pending.exchange.mechanism().name();
        let taken = self.take_step(pending, token).await;
        if taken.is_err() || self.exchange.is_none() {
            self.metrics.count_authentication(mechanism, taken.is_ok());
        }
        taken
    }

    async fn take_step(&mut self, mut pending: Pending, token: &[u8]) -> Result<(Bytes, Option<Duration>), SessionEnd> {
        let mechanism = pending.exchange.mechanism();
        if let Some(from) = self.proof.as_ref().map(|proof| proof.mechanism)
            && from != mechanism
        {
            return Err(SessionEnd::OtherMechanism { from, to: mechanism });
        }
        let step = pending.exchange.step(&self.authority, token).await;
        match step.map_err(|failure| SessionEnd::Failed { mechanism, failure })? {
            Step::Challenge(challenge) => {
                self.exchange = Some(pending);
                Ok((challenge, None))
            }
            Step::Done(token, identity, scram_proof) => {
                let lifetime = self.sign_in(mechanism, identity)?;
                self.client.scram_proof = scram_proof;
                Ok((token, lifetime))
            }
        }
    }

    fn sign_in(&mut self, mechanism: Mechanism, identity: Identity) -> Result<Option<Duration>, SessionEnd> {
        let principal = Arc::new(Principal::user(identity.user()));
        if self.proof.is_some() && self.client.principal != principal {
            let from = Arc::clone(&self.client.principal);
            return Err(SessionEnd::OtherPrincipal { from, to: principal });
        }
        let now = Instant::now();
        let lifetime = self.authority.session_lifetime(identity.expires_at_ms());
        let credential_use = match &identity {
            Identity::Password(credential) => Some(self.authority.uses().begin(credential, self.client.host)),
            Identity::Token(_) => None,
        };
        self.proof = Some(Proof {
            mechanism,
            _credential_use: credential_use,
            credential_ends: credential_ends(&self.authority, &identity),
            identity,
            session_ends: lifetime.and_then(|lifetime| now.checked_add(lifetime)),
            renewed_at: self.proof.is_some().then_some(now),
        });
        self.client.principal = principal;
        self.client.is_authenticated = true;
        self.sign_in_by = None;
        Ok(lifetime)
    }
}

/// When the connection is closed because its credential expires. Tokens do not close it: as in Kafka, it stays open
/// until the next request, because an idle client signs in again before it sends one.
fn credential_ends(authority: &Authority, identity: &Identity) -> Option<Instant> {
    let Identity::Password(credential) = identity else {
        return None;
    };
    let rest = Duration::from_millis(credential.expires_at_ms()?.saturating_sub(authority.now_ms()));
    Instant::now().checked_add(rest)
}

fn api_key(frame: &[u8]) -> Option<ApiKey> {
    let code = i16::from_be_bytes(*frame.first_chunk::<2>()?);
    ApiKey::from_code(code)
}

fn decode<R: Request>(reader: &mut Reader, header: &RequestHeader) -> Result<R, SessionEnd> {
    if !R::VERSIONS.contains(&header.api_version) {
        return Err(SessionEnd::UnsupportedVersion(R::KEY.name(), header.api_version));
    }
    Ok(R::decode(reader, header.api_version)?)
}

#[cfg(test)]
mod tests;
