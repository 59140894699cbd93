//! HTTP clients for the other agents of the zone: one for each registered TLS key, and one for agents of earlier versions. A client keeps
//! connections for later requests, so a connection to one key never serves a request that is meant for another.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use reqwest::{Client, ClientBuilder};
use thiserror::Error;

use crate::tls::{Channel, KeyHash, client_config};

/// A request is given up after this, if the bucket does not answer either.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Shorter than a listener keeps a connection that is not used.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(5);
const IDLE_CONNECTIONS_PER_PEER: usize = 8;

/// There is no HTTP client to ask peers with, or no key to answer them with.
#[derive(Debug, Error)]
pub enum SetUpError {
    /// The HTTP library refuses.
    #[error("cannot make an HTTP client for the agents of the zone: {0}")]
    Client(#[from] reqwest::Error),
    /// The TLS library refuses.
    #[error("cannot set up TLS between the agents of the zone: {0}")]
    Tls(#[from] rustls::Error),
}

#[derive(Debug)]
pub(crate) struct Clients {
    clear_text: Client,
    by_key: Mutex<HashMap<KeyHash, Pinned>>,
}

#[derive(Debug)]
struct Pinned {
    client: Client,
    was_refuted: bool,
}

impl Clients {
    /// # Errors
    /// The HTTP client could not be made.
    pub(crate) fn new() -> Result<Self, SetUpError> {
        Ok(Self {
            clear_text: builder().build()?,
            by_key: Mutex::default(),
        })
    }

    /// The client to use on a channel. `is_known`: the keys, besides that one, whose clients are kept.
    ///
    /// # Errors
    /// The client could not be made.
    pub(crate) fn on(&self, channel: Channel, is_known: impl Fn(KeyHash) -> bool) -> Result<Client, SetUpError> {
        let Channel::Tls(key) = channel else {
            return Ok(self.clear_text.clone());
        };
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

    /// Another key was met where this one was registered. Returns whether that is news.
    pub(crate) fn refute(&self, key: KeyHash) -> bool {
        let mut by_key = self.lock();
        let pinned = by_key.get_mut(&key);
        pinned.is_some_and(|pinned| !std::mem::replace(&mut pinned.was_refuted, true))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<KeyHash, Pinned>> {
        self.by_key.lock()
    }
}

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
