//! What the fuzz targets share: an agent whose clients must sign in, and a client that knows a password and a token.

mod client;
mod door;
mod provider;

pub use client::{Mechanism, PASSWORD, Proof, USER, credentials, hash_of, proof};
pub use door::{Door, Visit};
pub use provider::{IdentityProvider, rules};
