//! Configs of topics, groups and client metrics: their meaning here, how they are described, and how they change.

pub(crate) mod client_metrics;
pub(crate) mod config_changes;
pub(crate) mod config_outcome;
pub(crate) mod config_resource;
pub(crate) mod group_configs;
pub(crate) mod topic_configs;
