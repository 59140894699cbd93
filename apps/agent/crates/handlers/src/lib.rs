//! Answers Kafka requests from the metadata service and object storage. `apis` has one file for each API.
//! Knows nothing of sockets.

mod access;
mod apis;
mod assignment;
mod brokers;
mod browse;
mod client_instances;
mod client_metrics;
mod client_metrics_state;
mod client_software;
mod client_subscriptions;
mod config_changes;
mod config_outcome;
mod config_resource;
mod context;
mod dispatch;
mod failure;
mod group_configs;
mod group_topics;
mod handling_time;
mod ids;
mod log_dir;
mod metrics;
mod offset_lookup;
mod partitions_of;
mod pushed_metrics;
mod quota_entity;
mod read_path;
mod record_checks;
mod request_spans;
mod security_changes;
#[cfg(test)]
mod testing;
mod throttle;
mod timeouts;
mod topic_configs;
mod topic_name;
mod transactions;
mod unsupported_version;
mod write_path;

pub use access::Authorizer;
pub use browse::{
    BrowseError, BrowsePage, BrowseRequest, BrowsedHeader, BrowsedRecord, Field, Position, Stop, UnreadableBatch,
    browse,
};
pub use client_metrics_state::ClientMetrics;
pub use client_software::ClientSoftware;
pub use context::{AdvertisedListener, Caller, Client, Context, Node};
pub use dispatch::{Answer, Dispatched, Refusal, Response, dispatch};
pub use metrics::Metrics;
pub use pushed_metrics::PushedMetrics;
pub use read_path::ReadPath;
pub use record_checks::RecordChecks;
pub use throttle::Throttle;
pub use write_path::{LaneSettings, Sender, WritePath, WriteSettings};
