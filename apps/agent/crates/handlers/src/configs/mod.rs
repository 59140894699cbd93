//! The configs of topics, groups and client metrics: their effect, descriptions and changes.

pub(crate) mod client_metrics;
pub(crate) mod config_changes;
pub(crate) mod config_outcome;
pub(crate) mod config_resource;
pub(crate) mod group_configs;
pub(crate) mod topic_configs;
