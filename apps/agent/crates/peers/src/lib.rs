//! Fetches each block once per zone: the agents of an availability zone agree on which of them fetches and caches each
//! stretch of a data file. The others read it from that agent, or from the bucket if the agent is slow. Knows nothing
//! of the Kafka protocol.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod block_request;
mod clients;
mod counters;
mod listener;
mod nonces;
mod proof;
mod rendezvous;
mod secrets;
mod suspicions;
mod tls;
mod zone;

pub use clients::SetUpError;
pub use counters::PeerCounters;
pub use listener::PeerListener;
pub use zone::{BlockCheck, HedgeDelays, Membership, Zone};

#[cfg(test)]
mod tests;
