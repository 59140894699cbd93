//! TxnOffsetCommit: group offsets that become visible when the transaction commits.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::{TxnOffsetCommitRequest, TxnOffsetCommitResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::transactions;

/// First version whose clients know that a transaction can be aborted if the group is not part of it.
const ABORTABLE: i16 = 4;
/// First version that also adds the group to the transaction.
const ADDS_GROUP_FROM: i16 = 5;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: TxnOffsetCommitRequest,
) -> TxnOffsetCommitResponse {
    let access = context.access(&caller);
    let mut response = request.answer_all(ErrorCode::NONE);
    if let Err(error_code) = check_access(&access, &request) {
        return request.answer_all(error_code);
    }
    let (mut offsets, mut places) = (Vec::new(), Vec::new());
    for (topic_at, topic) in request.topics.iter().enumerate() {
        let is_allowed = access.allows(Operation::Read, Resource::topic(&topic.name));
        for (partition_at, partition) in topic.partitions.iter().enumerate() {
            match u32::try_from(partition.partition_index) {
                Ok(index) if is_allowed => {
                    places.push((topic_at, partition_at));
                    offsets.push(proto::OffsetToCommit {
                        topic: topic.name.clone(),
                        partition: index,
                        offset: partition.committed_offset,
                        leader_epoch: partition.committed_leader_epoch,
                        metadata: partition.committed_metadata.clone().unwrap_or_default(),
                    });
                }
                known => {
                    response.topics[topic_at].partitions[partition_at].error_code = match known {
                        Ok(_) => ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                        Err(_) => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                    }
                }
            }
        }
    }
    if offsets.is_empty() {
        return response;
    }
    let rpc = proto::CommitOffsetsRequest {
        client: None,
        group_id: request.group_id.clone(),
        generation_id: request.generation_id,
        member_id: request.member_id.clone(),
        group_instance_id: request.group_instance_id.clone(),
        offsets,
        transaction: Some(proto::OffsetTransaction {
            transactional_id: request.transactional_id.clone(),
            producer_id: request.producer_id,
            producer_epoch: request.producer_epoch.into(),
            adds_group: caller.version >= ADDS_GROUP_FROM,
        }),
        ..Default::default()
    };
    match context.metadata.commit_offsets(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => {
            let error_code = failure::code(answer.error_code);
            request.answer_all(transactions::missing_by_version(error_code, caller.version, ABORTABLE))
        }
        Ok(answer) => {
            for ((topic_at, partition_at), error_code) in places.into_iter().zip(answer.offset_error_codes) {
                response.topics[topic_at].partitions[partition_at].error_code = failure::code(error_code);
            }
            response
        }
        Err(error) => request.answer_all(failure::coordinator_error(ApiKey::TxnOffsetCommit, &error)),
    }
}

fn check_access(access: &Access, request: &TxnOffsetCommitRequest) -> Result<(), ErrorCode> {
    access.check(Operation::Write, Resource::transactional_id(&request.transactional_id))?;
    access.check(Operation::Read, Resource::group(&request.group_id))
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::txn_offset_commit::{TxnOffsetCommitRequestPartition, TxnOffsetCommitRequestTopic};

    use super::*;
    use crate::testing::{TestAgent, caller};

    fn request() -> TxnOffsetCommitRequest {
        let partition = |partition_index| TxnOffsetCommitRequestPartition {
            partition_index,
            committed_offset: 40,
            ..Default::default()
        };
        TxnOffsetCommitRequest {
            transactional_id: "tx".to_owned(),
            group_id: "g".to_owned(),
            producer_id: 9,
            producer_epoch: 3,
            generation_id: 2,
            member_id: "m".to_owned(),
            topics: vec![TxnOffsetCommitRequestTopic {
                name: "orders".to_owned(),
                partitions: vec![partition(0), partition(-1), partition(1)],
            }],
            ..Default::default()
        }
    }

    fn codes(answer: &TxnOffsetCommitResponse) -> Vec<ErrorCode> {
        let partitions = answer.topics.iter().flat_map(|topic| &topic.partitions);
        partitions.map(|partition| partition.error_code).collect()
    }

    #[tokio::test]
    async fn commits_offsets_in_the_transaction_and_adds_the_group() {
        let agent = TestAgent::new();
        for (version, adds_group) in [(4, false), (5, true)] {
            let committed = proto::CommitOffsetsResponse {
                error_code: 0,
                offset_error_codes: vec![0, 3],
            };
            agent.metadata.answer("CommitOffsets", &committed);
            let answer = handle(agent.context(), caller(version), request()).await;
            let unknown = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION;
            assert_eq!(codes(&answer), [ErrorCode::NONE, unknown, unknown]);
            let asked = agent.metadata.requests::<proto::CommitOffsetsRequest>("CommitOffsets");
            let asked = asked.last().unwrap();
            assert_eq!((asked.generation_id, asked.member_id.as_str()), (2, "m"));
            let transaction = asked.transaction.as_ref().unwrap();
            assert_eq!((transaction.producer_id, transaction.producer_epoch), (9, 3));
            assert_eq!(transaction.adds_group, adds_group);
        }
    }

    #[tokio::test]
    async fn refuses_a_group_outside_the_transaction_by_version() {
        let agent = TestAgent::new();
        for (version, expected) in [(3, ErrorCode::INVALID_TXN_STATE), (4, ErrorCode::TRANSACTION_ABORTABLE)] {
            let refused = proto::CommitOffsetsResponse {
                error_code: 48,
                ..Default::default()
            };
            agent.metadata.answer("CommitOffsets", &refused);
            let answer = handle(agent.context(), caller(version), request()).await;
            assert_eq!(codes(&answer), [expected; 3]);
        }
        let unreachable = handle(agent.context(), caller(5), request()).await;
        assert_eq!(codes(&unreachable), [ErrorCode::COORDINATOR_NOT_AVAILABLE; 3]);
    }
}
