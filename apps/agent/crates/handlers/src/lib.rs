//! What the agent answers to each Kafka request: one file per API, over the metadata service and the object store.
//! Knows nothing of sockets.

mod api_versions;
mod brokers;
mod browse;
mod config_resource;
mod context;
mod create_partitions;
mod create_topics;
mod delete_groups;
mod delete_records;
mod delete_topics;
mod describe_cluster;
mod describe_configs;
mod describe_groups;
mod dispatch;
mod failure;
mod fetch;
#[cfg(test)]
mod fetch_tests;
mod find_coordinator;
mod group_topics;
mod heartbeat;
mod ids;
mod incremental_alter_configs;
mod init_producer_id;
mod join_group;
mod leave_group;
mod list_groups;
mod list_offsets;
mod metadata;
mod metrics;
mod offset_commit;
mod offset_delete;
mod offset_fetch;
mod offset_for_leader_epoch;
mod operations;
mod produce;
mod read_path;
mod request_spans;
mod sync_group;
#[cfg(test)]
mod testing;
mod timeouts;
mod topic_configs;
mod topic_name;
mod transactions;
mod unsupported_version;
mod write_path;

pub use browse::{
    BrowseError, BrowsePage, BrowseRequest, BrowsedHeader, BrowsedRecord, Field, Position, Stop, UnreadableBatch,
    browse,
};
pub use context::{Caller, Context, Node};
pub use dispatch::{Answer, Dispatched, Refusal, Response, dispatch};
pub use metrics::Metrics;
pub use read_path::ReadPath;
pub use write_path::{WritePath, WriteSettings};
