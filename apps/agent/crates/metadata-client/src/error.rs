//! Errors of calls to the metadata service.

use thiserror::Error;

/// A failed call. Refusals intended for Kafka clients are part of the responses instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RpcError {
    /// The agent key is malformed, unknown, revoked or expired. The message says which.
    #[error("the metadata service refused the agent key: {0}")]
    Unauthenticated(String),
    /// The key is valid but does not permit this, or the client or its user lacks a permission. The message says which.
    #[error("the metadata service does not allow it: {0}")]
    PermissionDenied(String),
    /// The virtual cluster does not exist or is deleted.
    #[error("no such virtual cluster: {0}")]
    NotFound(String),
    /// The request violates the contract.
    #[error("the metadata service refused the request: {0}")]
    InvalidArgument(String),
    /// The cluster's owner could not be reached. May be retried with the same ids.
    #[error("the metadata service is unavailable: {0}")]
    Unavailable(String),
    /// The cluster is stopped until the operator of the metadata service resumes it. The message says why. May be
    /// retried.
    #[error("{0}")]
    ClusterStopped(String),
    /// The agent advertises a host that must be confirmed. The message says where. Registration may be retried.
    #[error("{0}")]
    AddressUnconfirmed(String),
    /// No response arrived in time. The request may have taken effect, and may be retried with the same ids.
    #[error("no answer from the metadata service in time: {0}")]
    DeadlineExceeded(String),
    /// Any other failure of the service.
    #[error("the metadata service refused ({code}): {message}")]
    Failed {
        /// The Connect error code, such as `internal`.
        code: String,
        /// The message of the service.
        message: String,
    },
}

impl RpcError {
    /// Creates the error for a Connect code.
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

    /// The kind of failure (one of a few words) and its Connect code.
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

    /// Returns true if the same request may succeed later.
    #[must_use]
    pub fn is_retriable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable(_) | Self::ClusterStopped(_) | Self::AddressUnconfirmed(_) | Self::DeadlineExceeded(_)
        )
    }

    /// Returns true if the agent must not serve this cluster: the key is wrong or revoked, or the cluster was deleted.
    #[must_use]
    pub fn is_access_refused(&self) -> bool {
        matches!(
            self,
            Self::Unauthenticated(_) | Self::PermissionDenied(_) | Self::NotFound(_)
        )
    }
}
