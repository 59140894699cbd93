//! OffsetForLeaderEpoch. There is only epoch 0, which ends at the high watermark: logs never diverge.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::offset_for_leader_epoch::OffsetForLeaderPartition;
use penstock_wire::messages::{OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

const EPOCH: i32 = 0;
/// Epoch value of a client that does not know one.
const UNKNOWN_EPOCH: i32 = -1;
/// Offset query for the high watermark.
const LATEST: i64 = -1;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: OffsetForLeaderEpochRequest,
) -> OffsetForLeaderEpochResponse {
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.topic.as_str()).collect();
    let found = context.topics_by_name(&names).await;
    let (found, failed) = match found {
        Ok(found) => (found, None),
        Err(error) => {
            let error_code = failure::lookup_error(ApiKey::OffsetForLeaderEpoch, &error);
            (vec![None; request.topics.len()], Some(error_code))
        }
    };
    let access = context.access(&caller);
    let is_broker = access.grants(Operation::ClusterAction, Resource::CLUSTER);
    let mut queries = Vec::new();
    let mut places = Vec::new();
    let mut response = request.answer_all(ErrorCode::NONE);
    for (topic_at, (topic, found)) in request.topics.into_iter().zip(found).enumerate() {
        let is_allowed = is_broker || access.allows(Operation::Describe, Resource::topic(&topic.topic));
        for (partition_at, asked) in topic.partitions.into_iter().enumerate() {
            let partition = &mut response.topics[topic_at].partitions[partition_at];
            match (&found, u32::try_from(asked.partition)) {
                _ if !is_allowed => partition.error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                (Some(found), Ok(index)) if index < found.partitions => match check_epochs(&asked) {
                    Ok(true) => {
                        places.push((topic_at, partition_at));
                        queries.push(proto::OffsetQuery {
                            topic_id: ids::to_rpc(found.id),
                            partition: index,
                            timestamp_ms: LATEST,
                            from_offset: 0,
                            read_committed: false,
                        });
                    }
                    Ok(false) => {}
                    Err(error_code) => partition.error_code = error_code,
                },
                _ => partition.error_code = failed.unwrap_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
            }
        }
    }
    if !queries.is_empty() {
        let answer = context
            .metadata
            .list_offsets(proto::ListOffsetsRequest { queries }, DEFAULT_TIMEOUT)
            .await;
        let failed = answer
            .as_ref()
            .err()
            .map(|error| failure::lookup_error(ApiKey::OffsetForLeaderEpoch, error));
        let mut answers = answer.map(|answer| answer.answers).unwrap_or_default().into_iter();
        for (topic_at, partition_at) in places {
            let partition = &mut response.topics[topic_at].partitions[partition_at];
            match answers.next() {
                Some(end) if end.error_code == 0 => {
                    partition.leader_epoch = EPOCH;
                    partition.end_offset = end.offset;
                }
                Some(end) => partition.error_code = failure::code_by_name(end.error_code),
                None => partition.error_code = failed.unwrap_or(ErrorCode::UNKNOWN_SERVER_ERROR),
            }
        }
    }
    response
}

/// Returns true if the requested epoch exists. Fails if the client assumes a later epoch.
fn check_epochs(asked: &OffsetForLeaderPartition) -> Result<bool, ErrorCode> {
    match asked.current_leader_epoch {
        UNKNOWN_EPOCH | EPOCH => Ok(asked.leader_epoch == EPOCH),
        _ => Err(ErrorCode::UNKNOWN_LEADER_EPOCH),
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::offset_for_leader_epoch::OffsetForLeaderTopic;

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    #[tokio::test]
    async fn only_epoch_0_exists_and_it_ends_at_the_high_watermark() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 2)]);
        let end = proto::OffsetAnswer {
            offset: 55,
            timestamp_ms: -1,
            ..Default::default()
        };
        agent
            .metadata
            .answer("ListOffsets", &proto::ListOffsetsResponse { answers: vec![end] });
        let asked = |partition, current_leader_epoch, leader_epoch| OffsetForLeaderPartition {
            partition,
            current_leader_epoch,
            leader_epoch,
        };
        let partitions = vec![asked(0, 0, 0), asked(1, -1, 3), asked(1, 4, 0), asked(2, 0, 0)];
        let topics = vec![OffsetForLeaderTopic {
            topic: "a".to_owned(),
            partitions,
        }];
        let request = OffsetForLeaderEpochRequest {
            topics,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(4), request).await;
        let seen: Vec<(ErrorCode, i32, i64)> = answer.topics[0]
            .partitions
            .iter()
            .map(|partition| (partition.error_code, partition.leader_epoch, partition.end_offset))
            .collect();
        assert_eq!(
            seen,
            [
                (ErrorCode::NONE, 0, 55),
                (ErrorCode::NONE, -1, -1),
                (ErrorCode::UNKNOWN_LEADER_EPOCH, -1, -1),
                (ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, -1, -1),
            ]
        );
    }
}
