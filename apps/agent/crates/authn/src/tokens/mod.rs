//! OAUTHBEARER (RFC 7628): tokens signed by the customer's identity provider, verified with its published keys.

mod key_set;
mod message;
mod ring_provider;
mod rules;

pub use key_set::{KeySet, KeySetError};
pub use rules::{BearerVerifier, Holder, TokenRules};

pub(crate) use message::bearer_token;
