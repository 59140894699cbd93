//! The place that a connection has: one among those that have proved nothing yet, later one among the open connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;

use super::Shared;
use super::unproven::Place;

/// Why a connection has no place.
#[derive(Debug, Error)]
pub(super) enum NoPlace {
    #[error("{0} are open, which is the limit (--max-connections)")]
    TooManyConnections(usize),
    #[error("too many connections are signing in, and this one took the longest")]
    CrowdedOut,
    #[error("too many connections are signing in")]
    TooManySigningIn,
}

/// Given back when it is dropped.
#[derive(Debug)]
pub(super) enum Admission {
    /// Among those that may be closed for newer ones.
    Unproven(Place),
    /// Among the open connections.
    Open {
        /// Until it is dropped.
        _counted: OpenConnection,
    },
}

impl Admission {
    /// Waits until the connection has to make room for a newer one.
    pub(super) async fn crowded_out(&mut self) {
        match self {
            Self::Unproven(place) => place.crowded_out().await,
            Self::Open { .. } => std::future::pending().await,
        }
    }

    /// The client has proved what it must.
    ///
    /// # Errors
    /// There are as many open connections as there may be.
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
    /// There are as many as there may be.
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
