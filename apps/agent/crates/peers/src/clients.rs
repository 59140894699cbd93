//! HTTP clients for the other agents of the zone, one per registered TLS key. Each reuses its connections, so a
//! connection to one key never serves a request meant for another.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use reqwest::{Client, ClientBuilder};
use thiserror::Error;

use crate::tls::{KeyHash, client_config};

/// Timeout of a request, if the bucket does not respond either.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Shorter than the time for which a listener keeps unused connections.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(5);
const IDLE_CONNECTIONS_PER_PEER: usize = 8;

/// The HTTP client or TLS key for other agents cannot be created.
#[derive(Debug, Error)]
pub enum SetUpError {
    /// The HTTP library returned an error.
    #[error("cannot make an HTTP client for the agents of the zone: {0}")]
    Client(#[from] reqwest::Error),
    /// The TLS library returned an error.
    #[error("cannot set up TLS between the agents of the zone: {0}")]
    Tls(#[from] rustls::Error),
}

#[derive(Debug, Default)]
pub(crate) struct Clients {
    by_key: Mutex<HashMap<KeyHash, Pinned>>,
}

#[derive(Debug)]
struct Pinned {
    client: Client,
    was_refuted: bool,
}

impl Clients {
    /// Returns the client for the agent with this key. Clients of other keys are kept only if `is_known` returns true.
    ///
    /// # Errors
    /// Returns an error if the client cannot be created.
    pub(crate) fn to(&self, key: KeyHash, is_known: impl Fn(KeyHash) -> bool) -> Result<Client, SetUpError> {
        let mut by_key = self.lock();
        if let Some(pinned) = by_key.get(&key) {
            return Ok(pinned.client.clone());
        }
        by_key.retain(|key, _| is_known(*key));
        let client = builder()
            .https_only(true)
            .tls_backend_preconfigured(client_config(key)?)
            .build()?;
        let pinned = Pinned {
            client: client.clone(),
            was_refuted: false,
        };
        by_key.insert(key, pinned);
        Ok(client)
    }

    /// Records that this key's agent presented another key. Returns true if that is new.
    pub(crate) fn refute(&self, key: KeyHash) -> bool {
        let mut by_key = self.lock();
        let pinned = by_key.get_mut(&key);
        pinned.is_some_and(|pinned| !std::mem::replace(&mut pinned.was_refuted, true))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<KeyHash, Pinned>> {
        self.by_key.lock()
    }
}

#[expect(clippy::disallowed_methods, reason = "the place that connects to other agents")]
fn builder() -> ClientBuilder {
    Client::builder()
        .http1_only()
        .tcp_nodelay(true)
        // Proxies and redirects lead out of the zone.
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(REQUEST_TIMEOUT)
        .pool_idle_timeout(POOL_IDLE_TIMEOUT)
        .pool_max_idle_per_host(IDLE_CONNECTIONS_PER_PEER)
}
