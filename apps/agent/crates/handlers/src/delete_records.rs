//! DeleteRecords: moves the log start offset.

use std::sync::Arc;

use penstock_metadata_client::proto;
use penstock_wire::messages::delete_records::{DeleteRecordsPartitionResult, DeleteRecordsTopicResult};
use penstock_wire::messages::{DeleteRecordsRequest, DeleteRecordsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::{failure, ids, timeouts};

/// In place of the low watermark, where there is an error.
const NO_WATERMARK: i64 = -1;

pub(crate) async fn handle(context: Arc<Context>, _: Caller, request: DeleteRecordsRequest) -> DeleteRecordsResponse {
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.name.as_str()).collect();
    let (found, failed) = match context.topics_by_name(&names).await {
        Ok(found) => (found, None),
        Err(error) => (
            vec![None; request.topics.len()],
            Some(failure::lookup_error(ApiKey::DeleteRecords, &error)),
        ),
    };
    let mut truncations = Vec::new();
    let mut places = Vec::new();
    let mut topics: Vec<DeleteRecordsTopicResult> = Vec::with_capacity(request.topics.len());
    for (topic_at, (topic, found)) in request.topics.into_iter().zip(found).enumerate() {
        let mut answered = DeleteRecordsTopicResult {
            name: topic.name,
            ..Default::default()
        };
        for (partition_at, asked) in topic.partitions.into_iter().enumerate() {
            let mut partition = DeleteRecordsPartitionResult {
                partition_index: asked.partition_index,
                low_watermark: NO_WATERMARK,
                ..Default::default()
            };
            match (&found, u32::try_from(asked.partition_index)) {
                (Some(found), Ok(index)) if index < found.partitions => {
                    places.push((topic_at, partition_at));
                    truncations.push(proto::RecordTruncation {
                        topic_id: ids::to_rpc(found.id),
                        partition: index,
                        before_offset: asked.offset,
                    });
                }
                _ => partition.error_code = failed.unwrap_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
            }
            answered.partitions.push(partition);
        }
        topics.push(answered);
    }
    if !truncations.is_empty() {
        let rpc = proto::DeleteRecordsRequest {
            partitions: truncations,
        };
        let answer = context
            .metadata
            .delete_records(rpc, timeouts::of_request(request.timeout_ms))
            .await;
        let failed = answer
            .as_ref()
            .err()
            .map(|error| failure::cluster_error(ApiKey::DeleteRecords, error));
        let mut states = answer.map(|answer| answer.states).unwrap_or_default().into_iter();
        for (topic_at, partition_at) in places {
            let partition = &mut topics[topic_at].partitions[partition_at];
            match states.next() {
                Some(state) if state.error_code == 0 => partition.low_watermark = state.log_start_offset,
                Some(state) => partition.error_code = failure::code(state.error_code),
                None => partition.error_code = failed.unwrap_or(ErrorCode::UNKNOWN_SERVER_ERROR),
            }
        }
    }
    DeleteRecordsResponse {
        topics,
        ..Default::default()
    }
}
