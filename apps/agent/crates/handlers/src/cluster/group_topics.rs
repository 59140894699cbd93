//! Topic ids in requests about groups' offsets, which are kept by topic name.

use std::sync::Arc;

use penstock_metadata_client::RpcError;
use uuid::Uuid;

use crate::context::Context;

/// From this version on, OffsetCommit and OffsetFetch name topics by id.
const IDS_FROM: i16 = 10;

pub(crate) fn uses_ids(version: i16) -> bool {
    version >= IDS_FROM
}

/// The names of topics, in the order of `topic_ids`; `None` where there is no such topic.
pub(crate) async fn names_of(context: &Context, topic_ids: &[Uuid]) -> Result<Vec<Option<Arc<str>>>, RpcError> {
    let topics = context.topics_by_id(topic_ids).await?;
    Ok(topics
        .into_iter()
        .map(|topic| topic.map(|topic| Arc::clone(&topic.name)))
        .collect())
}
