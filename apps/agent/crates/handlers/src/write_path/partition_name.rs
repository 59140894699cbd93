//! A partition as clients know it.

use std::sync::Arc;

use penstock_metadata_client::cache::Topic;

/// By its topic's name rather than its id: a producer counts its sequences on when a topic takes the name of a deleted one, so what it
/// sent to both has one order.
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
