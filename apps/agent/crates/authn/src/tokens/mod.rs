//! OAUTHBEARER (RFC 7628): tokens that the customer's identity provider has signed, checked by its published keys.

mod key_set;
mod message;
mod ring_provider;
mod rules;

pub use key_set::{KeySet, KeySetError};
pub use rules::{BearerVerifier, Holder, TokenRules};

pub(crate) use message::bearer_token;
