//! Converts errors, ids and timeouts between Kafka and the metadata service.

pub(crate) mod failure;
pub(crate) mod ids;
pub(crate) mod timeouts;
pub(crate) mod transactions;
