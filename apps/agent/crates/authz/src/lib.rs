//! Who a Kafka client is, and what it may do. Pure: no clock, no network, no I/O.

mod principal;

pub use principal::Principal;
