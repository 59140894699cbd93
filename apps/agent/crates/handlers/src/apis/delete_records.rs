//! DeleteRecords: advances the log start offset.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::PartitionKey;
use penstock_metadata_client::proto;
use penstock_wire::messages::{DeleteRecordsRequest, DeleteRecordsResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::timeouts;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DeleteRecordsRequest,
) -> DeleteRecordsResponse {
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.name.as_str()).collect();
    let (found, failed) = match context.topics_by_name(&names).await {
        Ok(found) => (found, None),
        Err(error) => (
            vec![None; request.topics.len()],
            Some(failure::lookup_error(ApiKey::DeleteRecords, &error)),
        ),
    };
    let access = context.access(&caller);
    let mut truncations = Vec::new();
    let mut places = Vec::new();
    let mut response = request.answer_all(ErrorCode::NONE);
    for (topic_at, (topic, found)) in request.topics.into_iter().zip(found).enumerate() {
        let is_allowed = access.allows(Operation::Delete, Resource::topic(&topic.name));
        for (partition_at, asked) in topic.partitions.into_iter().enumerate() {
            let partition = &mut response.topics[topic_at].partitions[partition_at];
            match (&found, u32::try_from(asked.partition_index)) {
                _ if !is_allowed => partition.error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                (Some(found), Ok(index)) if index < found.partitions => {
                    let key = PartitionKey {
                        topic_id: found.id,
                        partition: index,
                    };
                    places.push((topic_at, partition_at, key));
                    truncations.push(proto::RecordTruncation {
                        topic_id: ids::to_rpc(found.id),
                        partition: index,
                        before_offset: asked.offset,
                    });
                }
                _ => partition.error_code = failed.unwrap_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
            }
        }
    }
    if !truncations.is_empty() {
        let rpc = proto::DeleteRecordsRequest {
            partitions: truncations,
            client: context.proven(&caller),
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
        for (topic_at, partition_at, key) in places {
            let partition = &mut response.topics[topic_at].partitions[partition_at];
            match states.next() {
                Some(state) if state.error_code == 0 => {
                    // A client that gets the response must not read what is gone, even if the watch stream is behind.
                    context.cache.raise_log_start(key, state.log_start_offset);
                    partition.low_watermark = state.log_start_offset;
                }
                Some(state) => partition.error_code = failure::code_by_name(state.error_code),
                None => partition.error_code = failed.unwrap_or(ErrorCode::UNKNOWN_SERVER_ERROR),
            }
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use penstock_runtime::Instant;
    use penstock_wire::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{TestAgent, caller, rpc_id, topic};

    #[tokio::test]
    async fn returns_the_new_log_start_and_refuses_unknown_partitions() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 2)]);
        let key = PartitionKey {
            topic_id: Uuid::from_slice(&rpc_id(1)).unwrap(),
            partition: 0,
        };
        let tail = agent.context().cache.partition(key, Instant::now());
        tail.observe_watermarks(&proto::Located {
            high_watermark: 30,
            ..Default::default()
        });
        let states = vec![
            proto::PartitionState {
                log_start_offset: 20,
                high_watermark: 30,
                ..Default::default()
            },
            proto::PartitionState {
                error_code: 1,
                ..Default::default()
            },
        ];
        agent
            .metadata
            .answer("DeleteRecords", &proto::DeleteRecordsResponse { states });
        let asked = |partition_index, offset| DeleteRecordsPartition {
            partition_index,
            offset,
        };
        let partitions = vec![asked(0, 20), asked(7, 1), asked(1, 99)];
        let topics = vec![DeleteRecordsTopic {
            name: "a".to_owned(),
            partitions,
        }];
        let answer = handle(
            agent.context(),
            caller(2),
            DeleteRecordsRequest {
                topics,
                ..Default::default()
            },
        )
        .await;
        let seen: Vec<(ErrorCode, i64)> = answer.topics[0]
            .partitions
            .iter()
            .map(|partition| (partition.error_code, partition.low_watermark))
            .collect();
        let (unknown, beyond) = (ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, ErrorCode::OFFSET_OUT_OF_RANGE);
        assert_eq!(seen, [(ErrorCode::NONE, 20), (unknown, -1), (beyond, -1)]);
        let sent = agent.metadata.requests::<proto::DeleteRecordsRequest>("DeleteRecords");
        assert_eq!(
            (&sent[0].partitions[0].topic_id, sent[0].partitions[0].before_offset),
            (&rpc_id(1), 20)
        );
        // A fetch here must not read what is gone, even before the watch stream says so.
        assert_eq!(tail.watermarks(Instant::now()).unwrap().log_start_offset, 20);
        // Sent for the audit log.
        let client = sent[0].client.as_ref().unwrap();
        assert_eq!(client.principal, "User:ANONYMOUS");
    }
}
