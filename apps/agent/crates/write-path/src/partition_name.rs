//! A partition as clients know it.

use std::sync::Arc;

use penstock_metadata_client::cache::Topic;

/// Identified by the topic's name rather than its id: a producer continues its sequences when a topic takes the name of
/// a deleted one, so its batches for both have one order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PartitionName {
    pub(super) topic: Arc<str>,
    pub(super) partition: u32,
}

impl PartitionName {
    pub(super) fn new(topic: &Topic, partition: u32) -> Self {
        Self {
            topic: Arc::clone(&topic.name),
            partition,
        }
    }
}
