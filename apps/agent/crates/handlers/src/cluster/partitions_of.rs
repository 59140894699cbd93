//! Checks whether partitions named in a request exist.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_metadata_client::cache::Topic;
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::Context;
use crate::conversions::failure;

/// The topics of a request.
pub(crate) struct PartitionsOf {
    topics: HashMap<String, Arc<Topic>>,
    /// The error for a partition that does not exist.
    error_code: ErrorCode,
}

impl PartitionsOf {
    /// Looks up all topics at once.
    pub(crate) async fn topics(context: &Context, api: ApiKey, names: &[&str]) -> Self {
        match context.topics_by_name(names).await {
            Ok(found) => Self {
                topics: found
                    .into_iter()
                    .flatten()
                    .map(|topic| (topic.name.to_string(), topic))
                    .collect(),
                error_code: ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            },
            Err(error) => Self {
                topics: HashMap::new(),
                error_code: failure::cluster_error(api, &error),
            },
        }
    }

    /// Returns an error unless the partition exists.
    pub(crate) fn find(&self, topic: &str, partition: i32) -> Result<(), ErrorCode> {
        let exists = self
            .topics
            .get(topic)
            .is_some_and(|topic| u32::try_from(partition).is_ok_and(|index| index < topic.partitions));
        if exists { Ok(()) } else { Err(self.error_code) }
    }
}

/// The message for that error.
pub(crate) fn missing(topic: &str, partition: i32) -> String {
    format!("cannot find partition {topic}-{partition}")
}
