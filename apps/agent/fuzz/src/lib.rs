//! The bodies of the fuzz targets without libFuzzer, so that a short test of the agent runs them, too: one module per
//! target, and what they share. Before sign-in: an agent whose clients must sign in, and a client that knows a password and
//! a token. Afterwards: requests, record batches, files, and what the metadata service sends.

pub mod answers;
pub mod batches;
pub mod certificates;
mod client;
pub mod connection;
mod damage;
mod door;
pub mod events;
pub mod files;
mod heap;
mod provider;
pub mod requests;
pub mod sign_in;
pub mod tokens;

use client::{Mechanism, PASSWORD, Proof, USER, credentials, hash_of, proof};
use damage::Damage;
use door::{Door, Visit};
pub use heap::HeapWatch;
use heap::peak_of;
use provider::{IdentityProvider, rules};
