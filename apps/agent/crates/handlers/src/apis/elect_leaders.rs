//! ElectLeaders: every existing partition already has its proper leader, so no election is ever needed.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::{ElectLeadersRequest, ElectLeadersResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::cluster::partitions_of::{PartitionsOf, missing};
use crate::context::{Caller, Context};

/// Preferred and unclean elections.
const ELECTION_TYPES: [i8; 2] = [0, 1];
const NOT_NEEDED: &str = "Leader election not needed for topic partition.";

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: ElectLeadersRequest,
) -> ElectLeadersResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Alter, Resource::CLUSTER) {
        return refused(&request, error_code, "the client is not authorized to elect leaders");
    }
    if !ELECTION_TYPES.contains(&request.election_type) {
        return refused(&request, ErrorCode::INVALID_REQUEST, "unknown type of election");
    }
    let topics = request.topic_partitions.iter().flatten();
    let names: Vec<&str> = topics.map(|topic| topic.topic.as_str()).collect();
    let known = PartitionsOf::topics(&context, ApiKey::ElectLeaders, &names).await;
    // A request for all partitions returns those with a new leader: none.
    let mut response = request.answer_all((ErrorCode::ELECTION_NOT_NEEDED, NOT_NEEDED.to_owned()));
    for topic in &mut response.replica_election_results {
        for partition in &mut topic.partition_result {
            if let Err(error_code) = known.find(&topic.topic, partition.partition_id) {
                partition.error_code = error_code;
                partition.error_message = Some(missing(&topic.topic, partition.partition_id));
            }
        }
    }
    response
}

/// Version 0 has no top-level error, so each partition gets it, too.
fn refused(request: &ElectLeadersRequest, error_code: ErrorCode, reason: &str) -> ElectLeadersResponse {
    ElectLeadersResponse {
        error_code,
        ..request.answer_all((error_code, reason.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;
    use penstock_wire::messages::elect_leaders::TopicPartitions;

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
    async fn existing_partitions_need_no_election() {
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
