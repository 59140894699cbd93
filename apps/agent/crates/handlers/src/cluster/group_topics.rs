//! Resolves topic ids in requests for group offsets, which are stored by topic name.

use std::sync::Arc;

use penstock_metadata_client::RpcError;
use uuid::Uuid;

use crate::context::Context;

/// First version of OffsetCommit and OffsetFetch that uses topic ids.
const IDS_FROM: i16 = 10;

pub(crate) fn uses_ids(version: i16) -> bool {
    version >= IDS_FROM
}

/// Returns the names of topics in the order of `topic_ids`; `None` for a topic that does not exist.
pub(crate) async fn names_of(context: &Context, topic_ids: &[Uuid]) -> Result<Vec<Option<Arc<str>>>, RpcError> {
    let topics = context.topics_by_id(topic_ids).await?;
    Ok(topics
        .into_iter()
        .map(|topic| topic.map(|topic| Arc::clone(&topic.name)))
        .collect())
}
