//! AlterPartitionReassignments: records are in object storage and any agent can serve any partition, so there is
//! nothing to move. A request for the current assignment succeeds; any other is refused, as in CreatePartitions.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::alter_partition_reassignments::{
    ReassignablePartition, ReassignablePartitionResponse, ReassignableTopicResponse,
};
use penstock_wire::messages::{AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::assignment;
use crate::cluster::brokers::BrokerView;
use crate::cluster::partitions_of::{PartitionsOf, missing};
use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterPartitionReassignmentsRequest,
) -> AlterPartitionReassignmentsResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Alter, Resource::CLUSTER) {
        return (
            error_code,
            "the client is not authorized to reassign partitions".to_owned(),
        )
            .into();
    }
    let view = BrokerView::of(&context, &caller);
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.name.as_str()).collect();
    let known = PartitionsOf::topics(&context, ApiKey::AlterPartitionReassignments, &names).await;
    let responses = request
        .topics
        .into_iter()
        .map(|topic| {
            let answer = |asked: ReassignablePartition| {
                let refusal = match known.find(&topic.name, asked.partition_index) {
                    Ok(()) => refusal(asked.replicas.as_deref(), &view),
                    Err(error_code) => Some((error_code, missing(&topic.name, asked.partition_index))),
                };
                ReassignablePartitionResponse {
                    partition_index: asked.partition_index,
                    ..refusal.unwrap_or_default().into()
                }
            };
            ReassignableTopicResponse {
                partitions: topic.partitions.into_iter().map(answer).collect(),
                name: topic.name,
            }
        })
        .collect();
    AlterPartitionReassignmentsResponse {
        allow_replication_factor_change: request.allow_replication_factor_change,
        responses,
        ..Default::default()
    }
}

/// A request without replicas cancels a reassignment.
fn refusal(replicas: Option<&[i32]>, view: &BrokerView) -> Option<(ErrorCode, String)> {
    match replicas {
        None => Some((
            ErrorCode::NO_REASSIGNMENT_IN_PROGRESS,
            "No partition reassignment is in progress.".to_owned(),
        )),
        Some(replicas) => assignment::check(replicas, view).err(),
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;
    use penstock_wire::messages::alter_partition_reassignments::ReassignableTopic;

    use super::*;
    use crate::testing::{NODE_ID, TestAgent, caller, topic};

    #[tokio::test]
    async fn accepts_only_the_current_assignment() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 4)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let asked = |partition_index, replicas: Option<&[i32]>| ReassignablePartition {
            partition_index,
            replicas: replicas.map(<[i32]>::to_vec),
        };
        let topics = vec![
            ReassignableTopic {
                name: "a".to_owned(),
                partitions: vec![
                    asked(0, Some(&[NODE_ID])),
                    asked(1, Some(&[NODE_ID, 8])),
                    asked(2, None),
                    asked(9, Some(&[NODE_ID])),
                ],
            },
            ReassignableTopic {
                name: "absent".to_owned(),
                partitions: vec![asked(0, Some(&[NODE_ID]))],
            },
        ];
        let request = AlterPartitionReassignmentsRequest {
            topics,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(1), request).await;
        let codes: Vec<ErrorCode> = answer
            .responses
            .iter()
            .flat_map(|topic| &topic.partitions)
            .map(|partition| partition.error_code)
            .collect();
        assert_eq!(
            codes,
            [
                ErrorCode::NONE,
                ErrorCode::INVALID_REPLICA_ASSIGNMENT,
                ErrorCode::NO_REASSIGNMENT_IN_PROGRESS,
                ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            ]
        );
    }
}
