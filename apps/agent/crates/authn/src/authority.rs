//! Authenticates clients against the users last received from the metadata service.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use penstock_runtime::{cores, run_blocking, secure_random};
use ring::rand::SystemRandom;
use thiserror::Error;
use tokio::sync::watch;

use crate::failure::Failure;
use crate::nonces::NonceSigner;
use crate::password_places::{PasswordPlaces, Place};
use crate::plain::{Plain, RecentSuccesses};
use crate::scram::Decoys;
use crate::tokens::{BearerVerifier, Holder, bearer_token};
use crate::users::{Credential, Users};
use crate::uses::CredentialUses;

/// Whether clients must sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Requirement {
    /// As configured in the cluster's settings.
    #[default]
    Auto,
    /// Always, regardless of the settings.
    Always,
    /// Never, regardless of the settings. Clients can still sign in.
    Never,
}

/// The agent's settings for authentication.
#[derive(Debug, Clone, Copy)]
pub struct AuthoritySettings {
    /// Whether clients must sign in.
    pub requirement: Requirement,
    /// How long the last users stay valid while the metadata service is unreachable.
    pub max_users_age: Duration,
    /// Time after which clients must sign in again on an open connection.
    pub max_session: Option<Duration>,
}

impl Default for AuthoritySettings {
    fn default() -> Self {
        Self {
            requirement: Requirement::Auto,
            max_users_age: Duration::from_secs(3600),
            max_session: None,
        }
    }
}

/// The system cannot generate random numbers.
#[derive(Debug, Error)]
#[error("the system's random number generator does not work")]
pub struct NoRandomness;

/// Verifies passwords and proofs, and follows changes of the users.
#[derive(Debug)]
pub struct Authority {
    settings: AuthoritySettings,
    cache: Arc<ClusterCache>,
    users: watch::Sender<Arc<Users>>,
    uses: Arc<CredentialUses>,
    pub(crate) decoys: Decoys,
    pub(crate) random: SystemRandom,
    pub(crate) nonces: NonceSigner,
    recent: RecentSuccesses,
    tokens: Option<Arc<BearerVerifier>>,
    /// Limits the concurrent password checks.
    places: PasswordPlaces,
}

impl Authority {
    /// Starts with the users in `cache`; [`Self::follow`] applies later changes. `secret` must be the same on all
    /// agents of the cluster and unknown to clients.
    ///
    /// # Errors
    /// Returns an error if the system cannot generate random numbers.
    pub fn new(
        cache: Arc<ClusterCache>,
        settings: AuthoritySettings,
        tokens: Option<Arc<BearerVerifier>>,
        secret: &[u8],
    ) -> Result<Arc<Self>, NoRandomness> {
        let users = Users::new(&cache.security().borrow());
        let checks = cores().div_ceil(2);
        Ok(Arc::new(Self {
            settings,
            tokens,
            uses: CredentialUses::new(Arc::clone(&cache)),
            cache,
            users: watch::Sender::new(Arc::new(users)),
            decoys: Decoys::new(secret),
            random: secure_random(),
            nonces: NonceSigner::default(),
            recent: RecentSuccesses::new().map_err(|_| NoRandomness)?,
            places: PasswordPlaces::new(checks),
        }))
    }

    /// Sets the secret with which the agent signs its nonces, so that the metadata service knows which agent made them
    /// and when.
    pub fn sign_nonces(&self, agent_id: &str, secrets: &[proto::PeerSecret]) {
        self.nonces.set(agent_id, secrets);
    }

    /// Applies changes of the users until it is dropped.
    pub async fn follow(self: Arc<Self>) {
        let mut security = self.cache.security();
        security.mark_changed();
        while security.changed().await.is_ok() {
            security.mark_unchanged();
            self.refresh();
        }
    }

    /// Applies the users in the cache. Call it when the watch stream opens, so that no client is admitted because users
    /// are missing.
    pub fn refresh(&self) {
        let security = self.cache.security();
        // Read inside the lock, so that the latest of two concurrent calls wins.
        self.users
            .send_modify(|users| *users = Arc::new(Users::new(&security.borrow())));
    }

    /// Returns the current users and notifies about changes.
    #[must_use]
    pub fn users(&self) -> watch::Receiver<Arc<Users>> {
        self.users.subscribe()
    }

    /// Tracks which credentials clients use.
    #[must_use]
    pub fn uses(&self) -> &Arc<CredentialUses> {
        &self.uses
    }

    /// Returns true if clients must sign in.
    #[must_use]
    pub fn requires_authentication(&self, users: &Users) -> bool {
        match self.settings.requirement {
            Requirement::Auto => users.demand_authentication(),
            Requirement::Always => true,
            Requirement::Never => false,
        }
    }

    /// The metadata service's time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.cache.clock.now_ms()
    }

    /// The maximum remaining time of a session; `None` for unlimited.
    #[must_use]
    pub fn session_lifetime(&self, expires_at_ms: Option<u64>) -> Option<Duration> {
        let until_expiry = expires_at_ms.map(|at_ms| Duration::from_millis(at_ms.saturating_sub(self.now_ms())));
        [self.settings.max_session, until_expiry].into_iter().flatten().min()
    }

    /// Returns the users if they are recent enough to authenticate with.
    pub(crate) fn current_users(&self) -> Result<Arc<Users>, Failure> {
        if self.cache.unwatched_for() > self.settings.max_users_age {
            return Err(Failure::Unavailable);
        }
        Ok(Arc::clone(&self.users.borrow()))
    }

    /// Returns the client that a token names.
    pub(crate) fn check_token(&self, message: &[u8]) -> Result<Holder, Failure> {
        let bearer = bearer_token(message)?;
        // A listener offers the mechanism only if there is a verifier.
        let tokens = self.tokens.as_ref().ok_or(Failure::Unavailable)?;
        tokens.check(&bearer)
    }

    /// Returns the credential that matches a password. `host` is the client's address.
    pub(crate) async fn check_password(&self, message: &[u8], host: IpAddr) -> Result<Arc<Credential>, Failure> {
        let plain = Plain::read(message)?;
        let users = self.current_users()?;
        let credential = match self.recent.find(&plain, &users) {
            Some(credential) => credential,
            None => {
                let place = self.places.enter(plain.user, host).await;
                // The users may have changed meanwhile, or the client may have signed in on another connection.
                let users = self.current_users()?;
                match self.recent.find(&plain, &users) {
                    Some(credential) => credential,
                    None => {
                        let credential = self.derive(&plain, &users, place).await?;
                        self.recent.remember(&plain, Arc::clone(&credential));
                        credential
                    }
                }
            }
        };
        if credential.is_expired(self.now_ms()) {
            return Err(Failure::refused(plain.user, "the credential has expired"));
        }
        Ok(credential)
    }

    /// Runs PBKDF2 on a blocking thread. For a nonexistent user it takes as long as for some existing one, always the
    /// same, so that timing reveals nothing.
    async fn derive(&self, plain: &Plain<'_>, users: &Users, place: Place) -> Result<Arc<Credential>, Failure> {
        let known = users.credentials(plain.user).to_vec();
        let decoys = users.credentials_of_some_user(self.decoys.number(plain.user)).to_vec();
        let password = plain.password.to_vec();
        // The place is held until the work is done and counted, even if the client has disconnected.
        let found = run_blocking(move || {
            if known.is_empty() {
                for decoy in decoys {
                    std::hint::black_box(decoy.fits(&password));
                }
            }
            let found = known.into_iter().find(|credential| credential.fits(&password));
            match found {
                Some(_) => place.succeeded(),
                None => place.failed(),
            }
            found
        })
        .await;
        found
            .ok()
            .flatten()
            .ok_or_else(|| Failure::refused(plain.user, "no such user, or a wrong password"))
    }
}
