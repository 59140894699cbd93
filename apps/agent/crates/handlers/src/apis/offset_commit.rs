//! OffsetCommit. Groups store their offsets by topic name; since version 10, clients send topic ids.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::{OffsetCommitRequest, OffsetCommitResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::cluster::group_topics::{names_of, uses_ids};
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// First version whose clients know STALE_MEMBER_EPOCH and commit in groups of the new protocol.
const MEMBER_EPOCHS_FROM: i16 = 9;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: OffsetCommitRequest,
) -> OffsetCommitResponse {
    let mut response = request.answer_all(ErrorCode::NONE);
    let access = context.access(&caller);
    if let Err(error_code) = access.check(Operation::Read, Resource::group(&request.group_id)) {
        return request.answer_all(error_code);
    }
    let names = if uses_ids(caller.version) {
        let wanted: Vec<_> = request
            .topics
            .iter()
            .map(|topic| ids::from_wire(topic.topic_id))
            .collect();
        match names_of(&context, &wanted).await {
            Ok(names) => names,
            Err(error) => return request.answer_all(failure::coordinator_error(ApiKey::OffsetCommit, &error)),
        }
    } else {
        request
            .topics
            .iter()
            .map(|topic| Some(topic.name.as_str().into()))
            .collect()
    };

    let mut offsets = Vec::new();
    let mut places = Vec::new();
    for (topic_at, (topic, name)) in request.topics.iter().zip(names).enumerate() {
        let is_allowed = name
            .as_deref()
            .is_none_or(|name| access.allows(Operation::Read, Resource::topic(name)));
        for (partition_at, partition) in topic.partitions.iter().enumerate() {
            let error_code = &mut response.topics[topic_at].partitions[partition_at].error_code;
            match (&name, u32::try_from(partition.partition_index)) {
                (None, _) => *error_code = ErrorCode::UNKNOWN_TOPIC_ID,
                _ if !is_allowed => *error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                (_, Err(_)) => *error_code = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                (Some(name), Ok(index)) => {
                    places.push((topic_at, partition_at));
                    offsets.push(proto::OffsetToCommit {
                        topic: name.to_string(),
                        partition: index,
                        offset: partition.committed_offset,
                        leader_epoch: partition.committed_leader_epoch,
                        metadata: partition.committed_metadata.clone().unwrap_or_default(),
                    });
                }
            }
        }
    }
    if offsets.is_empty() {
        return response;
    }
    // Commits of members are part of a group's normal operation and not audited.
    let client = if request.member_id.is_empty() {
        context.proven(&caller)
    } else {
        None
    };
    let rpc = proto::CommitOffsetsRequest {
        group_id: request.group_id.clone(),
        generation_id: request.generation_id_or_member_epoch,
        member_id: request.member_id.clone(),
        group_instance_id: request.group_instance_id.clone(),
        offsets,
        transaction: None,
        knows_member_epochs: caller.version >= MEMBER_EPOCHS_FROM,
        client,
    };
    match context.metadata.commit_offsets(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => request.answer_all(failure::code(answer.error_code)),
        Ok(answer) => {
            for ((topic_at, partition_at), error_code) in places.into_iter().zip(answer.offset_error_codes) {
                response.topics[topic_at].partitions[partition_at].error_code = failure::code(error_code);
            }
            response
        }
        Err(error) => request.answer_all(failure::coordinator_error(ApiKey::OffsetCommit, &error)),
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::offset_commit::{OffsetCommitRequestPartition, OffsetCommitRequestTopic};

    use super::*;
    use crate::testing::{TestAgent, caller, topic, wire_id};

    fn partition(index: i32) -> OffsetCommitRequestPartition {
        OffsetCommitRequestPartition {
            partition_index: index,
            committed_offset: 40 + i64::from(index),
            ..Default::default()
        }
    }

    fn codes(answer: &OffsetCommitResponse) -> Vec<ErrorCode> {
        answer
            .topics
            .iter()
            .flat_map(|topic| &topic.partitions)
            .map(|partition| partition.error_code)
            .collect()
    }

    #[tokio::test]
    async fn results_are_in_request_order() {
        let agent = TestAgent::new();
        agent.metadata.answer(
            "CommitOffsets",
            &proto::CommitOffsetsResponse {
                error_code: 0,
                offset_error_codes: vec![0, 3],
            },
        );
        let topics = vec![OffsetCommitRequestTopic {
            name: "a".to_owned(),
            partitions: vec![partition(0), partition(-5), partition(1)],
            ..Default::default()
        }];
        let answer = handle(
            agent.context(),
            caller(8),
            OffsetCommitRequest {
                topics,
                ..Default::default()
            },
        )
        .await;
        let unknown = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION;
        assert_eq!(codes(&answer), [ErrorCode::NONE, unknown, unknown]);
        let asked = agent.metadata.requests::<proto::CommitOffsetsRequest>("CommitOffsets");
        assert_eq!(asked[0].generation_id, -1);
        let sent: Vec<(u32, i64)> = asked[0]
            .offsets
            .iter()
            .map(|offset| (offset.partition, offset.offset))
            .collect();
        assert_eq!(sent, [(0, 40), (1, 41)]);
    }

    #[tokio::test]
    async fn commits_topics_given_by_id_under_their_name() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        agent
            .metadata
            .answer("CommitOffsets", &proto::CommitOffsetsResponse::default());
        let by_id = |id| OffsetCommitRequestTopic {
            topic_id: wire_id(id),
            partitions: vec![partition(0)],
            ..Default::default()
        };
        let request = OffsetCommitRequest {
            topics: vec![by_id(1), by_id(9)],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(10), request).await;
        assert_eq!(codes(&answer), [ErrorCode::NONE, ErrorCode::UNKNOWN_TOPIC_ID]);
        assert_eq!(answer.topics[0].topic_id, wire_id(1));
        let asked = agent.metadata.requests::<proto::CommitOffsetsRequest>("CommitOffsets");
        assert_eq!(asked[0].offsets[0].topic, "orders");
    }

    #[tokio::test]
    async fn a_group_error_applies_to_every_partition() {
        let agent = TestAgent::new();
        agent.metadata.answer(
            "CommitOffsets",
            &proto::CommitOffsetsResponse {
                error_code: 22,
                offset_error_codes: vec![],
            },
        );
        let topics = vec![OffsetCommitRequestTopic {
            partitions: vec![partition(0), partition(1)],
            ..Default::default()
        }];
        let request = OffsetCommitRequest {
            topics,
            ..Default::default()
        };
        assert_eq!(
            codes(&handle(agent.context(), caller(8), request.clone()).await),
            [ErrorCode::ILLEGAL_GENERATION; 2]
        );
        // The same applies if the owner is unreachable.
        assert_eq!(
            codes(&handle(agent.context(), caller(8), request).await),
            [ErrorCode::COORDINATOR_NOT_AVAILABLE; 2]
        );
    }
}
