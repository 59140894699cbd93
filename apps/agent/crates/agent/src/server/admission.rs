//! Admission of a connection: first in the limited set of unproven connections, then among the open ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;

use super::Shared;
use super::unproven::Place;

/// Why a connection is not admitted.
#[derive(Debug, Error)]
pub(super) enum NoPlace {
    #[error("{0} are open, which is the limit (--max-connections)")]
    TooManyConnections(usize),
    #[error("too many connections are signing in, and this one took the longest")]
    CrowdedOut,
    #[error("too many connections are signing in")]
    TooManySigningIn,
}

/// A connection's place, released when dropped.
#[derive(Debug)]
pub(super) enum Admission {
    /// One of the unproven connections, which may be closed in favor of newer ones.
    Unproven(Place),
    /// One of the open connections.
    Open {
        /// Counts as an open connection until dropped.
        _counted: OpenConnection,
    },
}

impl Admission {
    /// Waits until the connection must make room for a newer one.
    pub(super) async fn crowded_out(&mut self) {
        match self {
            Self::Unproven(place) => place.crowded_out().await,
            Self::Open { .. } => std::future::pending().await,
        }
    }

    /// Moves the connection to the open ones, once the client has proved its identity as required.
    ///
    /// # Errors
    /// Returns an error if the limit on open connections is reached.
    pub(super) fn complete(&mut self, shared: &Shared) -> Result<(), NoPlace> {
        if matches!(self, Self::Unproven(_)) {
            *self = Self::Open {
                _counted: OpenConnection::begin(shared)?,
            };
        }
        Ok(())
    }
}

/// Counts as one open connection until it is dropped.
#[derive(Debug)]
pub(super) struct OpenConnection(Arc<AtomicUsize>);

impl OpenConnection {
    /// # Errors
    /// Returns an error if the limit on open connections is reached.
    pub(super) fn begin(shared: &Shared) -> Result<Self, NoPlace> {
        let open = Self(Arc::clone(&shared.open));
        let most = shared.limits.max_connections;
        if shared.open.fetch_add(1, Ordering::Relaxed) >= most {
            return Err(NoPlace::TooManyConnections(most));
        }
        Ok(open)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
