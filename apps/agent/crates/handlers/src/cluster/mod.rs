//! The cluster as Kafka clients see it: brokers, replica assignments, partitions and log directories.

pub(crate) mod assignment;
pub(crate) mod brokers;
pub(crate) mod group_topics;
pub(crate) mod log_dir;
pub(crate) mod offset_lookup;
pub(crate) mod partitions_of;
pub(crate) mod topic_name;
