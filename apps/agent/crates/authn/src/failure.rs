//! Why a client could not sign in.

use thiserror::Error;

/// Longest user name that a log line quotes.
const MAX_QUOTED_CHARS: usize = 100;

/// Why an exchange ended. The texts are for the agent's log; clients get the same message for every cause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// The client is not who it says.
    #[error("user {user:?}: {reason}")]
    Refused {
        /// Who it says it is, cut to 100 characters.
        user: String,
        /// What was wrong.
        reason: &'static str,
    },
    /// A token that proves nothing.
    #[error("the token {0}")]
    Token(&'static str),
    /// A message that the mechanism does not have.
    #[error("cannot read {0}")]
    Malformed(&'static str),
    /// The agent has received no users for too long.
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
