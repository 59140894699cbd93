//! Converts errors, ids and timeouts between Kafka's terms and the metadata service's.

pub(crate) mod failure;
pub(crate) mod ids;
pub(crate) mod timeouts;
pub(crate) mod transactions;
