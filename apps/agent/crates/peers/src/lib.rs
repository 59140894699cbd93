//! One GET per zone: the agents of an availability zone agree on who fetches and caches each stretch of a data file, and read
//! it from that agent. Knows nothing of the Kafka protocol; what a peer cannot answer in time comes from the bucket.

mod block_request;
mod counters;
mod listener;
mod nonces;
mod proof;
mod rendezvous;
mod secrets;
mod suspicions;
mod zone;

pub use counters::PeerCounters;
pub use listener::PeerListener;
pub use zone::{ClientError, HedgeDelays, Membership, Zone};

#[cfg(test)]
mod tests;
