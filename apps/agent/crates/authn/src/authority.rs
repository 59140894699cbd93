//! Decides who a client is, by the users last received from the metadata service.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
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
    /// As the cluster's settings say.
    #[default]
    Auto,
    /// Whatever the settings say.
    Always,
    /// Whatever the settings say; clients may sign in.
    Never,
}

/// How an agent lets clients sign in.
#[derive(Debug, Clone, Copy)]
pub struct AuthoritySettings {
    /// Whether clients must.
    pub requirement: Requirement,
    /// For how long the users last received count while the metadata service cannot be reached.
    pub max_users_age: Duration,
    /// After this long, clients sign in again on their open connection.
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

/// The system has no random numbers.
#[derive(Debug, Error)]
#[error("the system's random number generator does not work")]
pub struct NoRandomness;

/// Checks passwords and proofs, and follows the changes of users.
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
    /// Passwords that are being checked.
    places: PasswordPlaces,
}

impl Authority {
    /// With the users that `cache` holds now; [`Self::follow`] takes each later change. `secret` must be the same at all agents of the
    /// cluster and unknown to clients.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new(
        cache: Arc<ClusterCache>,
        settings: AuthoritySettings,
        tokens: Option<Arc<BearerVerifier>>,
        secret: &[u8],
    ) -> Result<Arc<Self>, NoRandomness> {
        let users = Users::new(&cache.security().borrow());
        let checks = std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
        Ok(Arc::new(Self {
            settings,
            tokens,
            uses: CredentialUses::new(Arc::clone(&cache)),
            cache,
            users: watch::Sender::new(Arc::new(users)),
            decoys: Decoys::new(secret),
            random: SystemRandom::new(),
            nonces: NonceSigner::default(),
            recent: RecentSuccesses::new().map_err(|_| NoRandomness)?,
            places: PasswordPlaces::new(checks),
        }))
    }

    /// Takes the secret with which the agent signs its nonces from now on, so that the metadata service knows whose they are and from when.
    pub fn sign_nonces(&self, agent_id: &str, secrets: &[proto::PeerSecret]) {
        self.nonces.set(agent_id, secrets);
    }

    /// Takes each change of users, until it is dropped.
    pub async fn follow(self: Arc<Self>) {
        let mut security = self.cache.security();
        security.mark_changed();
        while security.changed().await.is_ok() {
            security.mark_unchanged();
            self.refresh();
        }
    }

    /// Takes the users that the cache holds now. Call it when the watch stream has just opened, so that no client is let in because they
    /// are missing.
    pub fn refresh(&self) {
        let security = self.cache.security();
        // Read inside, so that of two calls at once the later state stays.
        self.users
            .send_modify(|users| *users = Arc::new(Users::new(&security.borrow())));
    }

    /// The users as they are now, and each later change.
    #[must_use]
    pub fn users(&self) -> watch::Receiver<Arc<Users>> {
        self.users.subscribe()
    }

    /// Which credentials clients use.
    #[must_use]
    pub fn uses(&self) -> &Arc<CredentialUses> {
        &self.uses
    }

    /// Whether clients must sign in.
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

    /// For how long a session may go on; `None`: for ever.
    #[must_use]
    pub fn session_lifetime(&self, expires_at_ms: Option<u64>) -> Option<Duration> {
        let until_expiry = expires_at_ms.map(|at_ms| Duration::from_millis(at_ms.saturating_sub(self.now_ms())));
        [self.settings.max_session, until_expiry].into_iter().flatten().min()
    }

    /// The users, if they are recent enough to sign in by.
    pub(crate) fn current_users(&self) -> Result<Arc<Users>, Failure> {
        if self.cache.unwatched_for() > self.settings.max_users_age {
            return Err(Failure::Unavailable);
        }
        Ok(Arc::clone(&self.users.borrow()))
    }

    /// Whom a token names.
    pub(crate) fn check_token(&self, message: &[u8]) -> Result<Holder, Failure> {
        let bearer = bearer_token(message)?;
        // A listener offers the mechanism only where there is a verifier.
        let tokens = self.tokens.as_ref().ok_or(Failure::Unavailable)?;
        tokens.check(&bearer)
    }

    /// The credential that a password fits. `host`: where it comes from.
    pub(crate) async fn check_password(&self, message: &[u8], host: IpAddr) -> Result<Arc<Credential>, Failure> {
        let plain = Plain::read(message)?;
        let users = self.current_users()?;
        let credential = match self.recent.find(&plain, &users) {
            Some(credential) => credential,
            None => {
                let place = self.places.enter(plain.user, host).await;
                // Meanwhile the users may have changed, or the client has signed in on another connection.
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

    /// Runs PBKDF2 aside. For a user that does not exist it takes as long as for one that does, always the same one, since the time must not
    /// tell.
    async fn derive(&self, plain: &Plain<'_>, users: &Users, place: Place) -> Result<Arc<Credential>, Failure> {
        let known = users.credentials(plain.user).to_vec();
        let decoys = users.credentials_of_some_user(self.decoys.number(plain.user)).to_vec();
        let password = plain.password.to_vec();
        // The place is kept until the work is done and its verdict counts, even if the client has left by then.
        let found = tokio::task::spawn_blocking(move || {
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
