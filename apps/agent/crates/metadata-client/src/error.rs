//! Why a call to the metadata service failed.

use thiserror::Error;

/// A failed call. Refusals that a Kafka client should see are no failures: they travel inside the responses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RpcError {
    /// The agent key is malformed, unknown, revoked or expired; the message says which.
    #[error("the metadata service refused the agent key: {0}")]
    Unauthenticated(String),
    /// The key is good, but does not allow this; or what the key allows, the client or its user may not. The message says what is missing.
    #[error("the metadata service does not allow it: {0}")]
    PermissionDenied(String),
    /// The virtual cluster does not exist or is deleted.
    #[error("no such virtual cluster: {0}")]
    NotFound(String),
    /// The request breaks a rule of the contract.
    #[error("the metadata service refused the request: {0}")]
    InvalidArgument(String),
    /// Nobody who owns the cluster could be reached. May be retried with the same ids.
    #[error("the metadata service is unavailable: {0}")]
    Unavailable(String),
    /// The cluster is stopped until the operator of the metadata service resumes it; the message says why. Asking again is safe.
    #[error("{0}")]
    ClusterStopped(String),
    /// The agent advertises a host that waits for confirmation; the message says where. Registering again is safe.
    #[error("{0}")]
    AddressUnconfirmed(String),
    /// No answer in time. The request may have been carried out. May be retried with the same ids.
    #[error("no answer from the metadata service in time: {0}")]
    DeadlineExceeded(String),
    /// Any other failure of the service, with its Connect code.
    #[error("the metadata service refused ({code}): {message}")]
    Failed {
        /// The Connect error code, e.g. `internal`.
        code: String,
        /// The service's own words.
        message: String,
    },
}

impl RpcError {
    /// Builds the error for a Connect code.
    pub(crate) fn from_code(code: &str, message: String) -> Self {
        match code {
            "unauthenticated" => Self::Unauthenticated(message),
            "permission_denied" => Self::PermissionDenied(message),
            "not_found" => Self::NotFound(message),
            "invalid_argument" => Self::InvalidArgument(message),
            "unavailable" => Self::Unavailable(message),
            "deadline_exceeded" | "canceled" => Self::DeadlineExceeded(message),
            _ => Self::Failed {
                code: code.to_owned(),
                message,
            },
        }
    }

    /// What kind of failure it is, in one of few words, and the Connect code that says so.
    #[must_use]
    pub fn class_and_code(&self) -> (&'static str, &str) {
        match self {
            Self::Unauthenticated(_) => ("key-refused", "unauthenticated"),
            Self::PermissionDenied(_) => ("key-refused", "permission_denied"),
            Self::NotFound(_) => ("no-cluster", "not_found"),
            Self::InvalidArgument(_) => ("refused", "invalid_argument"),
            Self::Unavailable(_) => ("unavailable", "unavailable"),
            Self::ClusterStopped(_) => ("cluster-stopped", "unavailable"),
            Self::AddressUnconfirmed(_) => ("address-unconfirmed", "unavailable"),
            Self::DeadlineExceeded(_) => ("timeout", "deadline_exceeded"),
            Self::Failed { code, .. } => ("failed", code),
        }
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_retriable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable(_) | Self::ClusterStopped(_) | Self::AddressUnconfirmed(_) | Self::DeadlineExceeded(_)
        )
    }

    /// Whether the service is of an earlier release, which does not have the call.
    #[must_use]
    pub fn is_unimplemented(&self) -> bool {
        matches!(self, Self::Failed { code, .. } if code == "unimplemented")
    }

    /// Whether the agent may not serve this cluster at all: wrong or revoked key, or a deleted cluster.
    #[must_use]
    pub fn is_access_refused(&self) -> bool {
        matches!(
            self,
            Self::Unauthenticated(_) | Self::PermissionDenied(_) | Self::NotFound(_)
        )
    }
}
