//! The bodies of the fuzz targets without libFuzzer, so that a short test of the agent runs them, too: an agent whose
//! clients must sign in, a client that knows a password and a token, and one module per target.

pub mod certificates;
mod client;
pub mod connection;
mod door;
mod heap;
mod provider;
pub mod sign_in;
pub mod tokens;

use client::{Mechanism, PASSWORD, Proof, USER, credentials, hash_of, proof};
use door::{Door, Visit};
pub use heap::HeapWatch;
use provider::{IdentityProvider, rules};
