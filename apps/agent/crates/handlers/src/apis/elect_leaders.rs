//! ElectLeaders: every partition that exists has the leader that it should have, so there is never anything to elect.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::elect_leaders::{PartitionResult, ReplicaElectionResult, TopicPartitions};
use penstock_wire::messages::{ElectLeadersRequest, ElectLeadersResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::partitions_of::{PartitionsOf, missing};
use crate::context::{Caller, Context};

/// The preferred leader, or any.
const ELECTION_TYPES: [i8; 2] = [0, 1];

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: ElectLeadersRequest,
) -> ElectLeadersResponse {
    let topics = request.topic_partitions.unwrap_or_default();
    if let Err(error_code) = context.access(&caller).check(Operation::Alter, Resource::CLUSTER) {
        return refused(topics, error_code, "the client is not authorized to elect leaders");
    }
    if !ELECTION_TYPES.contains(&request.election_type) {
        return refused(topics, ErrorCode::INVALID_REQUEST, "unknown type of election");
    }
    let names: Vec<&str> = topics.iter().map(|topic| topic.topic.as_str()).collect();
    let known = PartitionsOf::topics(&context, ApiKey::ElectLeaders, &names).await;
    let results = topics
        .into_iter()
        .map(|topic| {
            let result = |partition_id| match known.find(&topic.topic, partition_id) {
                Ok(()) => PartitionResult {
                    partition_id,
                    error_code: ErrorCode::ELECTION_NOT_NEEDED,
                    error_message: Some("Leader election not needed for topic partition.".to_owned()),
                },
                Err(error_code) => PartitionResult {
                    partition_id,
                    error_code,
                    error_message: Some(missing(&topic.topic, partition_id)),
                },
            };
            ReplicaElectionResult {
                partition_result: topic.partitions.iter().copied().map(result).collect(),
                topic: topic.topic,
            }
        })
        .collect();
    // A request for all partitions is answered with those that got a new leader: none.
    ElectLeadersResponse {
        replica_election_results: results,
        ..Default::default()
    }
}

/// Version 0 has no error of the whole, so each partition has it, too.
fn refused(topics: Vec<TopicPartitions>, error_code: ErrorCode, reason: &str) -> ElectLeadersResponse {
    let partition = |partition_id| PartitionResult {
        partition_id,
        error_code,
        error_message: Some(reason.to_owned()),
    };
    let results = topics
        .into_iter()
        .map(|topic| ReplicaElectionResult {
            topic: topic.topic,
            partition_result: topic.partitions.into_iter().map(partition).collect(),
        })
        .collect();
    ElectLeadersResponse {
        error_code,
        replica_election_results: results,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    async fn elect(election_type: i8, topics: Option<Vec<TopicPartitions>>) -> ElectLeadersResponse {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let request = ElectLeadersRequest {
            election_type,
            topic_partitions: topics,
            ..Default::default()
        };
        handle(agent.context(), caller(2), request).await
    }

    #[tokio::test]
    async fn no_election_is_needed_for_what_exists() {
        let of = |topic: &str| TopicPartitions {
            topic: topic.to_owned(),
            partitions: vec![0, 7],
        };
        let answer = elect(0, Some(vec![of("a"), of("absent")])).await;
        let codes: Vec<ErrorCode> = answer
            .replica_election_results
            .iter()
            .flat_map(|topic| &topic.partition_result)
            .map(|partition| partition.error_code)
            .collect();
        let unknown = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION;
        assert_eq!(codes, [ErrorCode::ELECTION_NOT_NEEDED, unknown, unknown, unknown]);
        let all = elect(1, None).await;
        assert_eq!(
            (all.error_code, all.replica_election_results),
            (ErrorCode::NONE, Vec::new())
        );
        assert_eq!(elect(9, None).await.error_code, ErrorCode::INVALID_REQUEST);
    }
}
