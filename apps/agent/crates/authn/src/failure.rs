//! Why a client failed to sign in.

use thiserror::Error;

/// Maximum length of a user name in a log line.
const MAX_QUOTED_CHARS: usize = 100;

/// Why an exchange failed. The messages are for the agent's log; clients get the same message for every cause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// The client could not prove its identity.
    #[error("user {user:?}: {reason}")]
    Refused {
        /// The claimed user name, truncated to 100 characters.
        user: String,
        /// The reason for the refusal.
        reason: &'static str,
    },
    /// The token is not valid.
    #[error("the token {0}")]
    Token(&'static str),
    /// The message is malformed.
    #[error("cannot read {0}")]
    Malformed(&'static str),
    /// The agent has not received users for too long.
    #[error(
        "the agent has not reached the metadata service for longer than --max-users-age-ms, so its users may be out of date. Check its \
         connection to the metadata service"
    )]
    Unavailable,
}

impl Failure {
    pub(crate) fn refused(user: &str, reason: &'static str) -> Self {
        Self::Refused {
            user: user.chars().take(MAX_QUOTED_CHARS).collect(),
            reason,
        }
    }

    pub(crate) fn token(reason: &'static str) -> Self {
        Self::Token(reason)
    }

    pub(crate) fn malformed(what: &'static str) -> Self {
        Self::Malformed(what)
    }
}
