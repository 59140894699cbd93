//! Client software: names and versions, and the metrics that clients push (KIP-714).

pub(crate) mod client_instances;
pub(crate) mod client_metrics_state;
pub(crate) mod client_software;
pub(crate) mod client_subscriptions;
pub(crate) mod pushed_metrics;
