//! DescribeQuorum: the controller quorum that tools expect. A virtual cluster has one owner, represented by the
//! client's agent: the only voter, without followers that could lag.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::ErrorCode;
use penstock_wire::messages::describe_quorum::{
    DescribedQuorumPartition, DescribedQuorumTopic, QuorumListener, QuorumNode, QuorumPartition, ReplicaState,
};
use penstock_wire::messages::{DescribeQuorumRequest, DescribeQuorumResponse};

use crate::cluster::brokers::{Broker, BrokerView};
use crate::context::{Caller, Context};

const METADATA_TOPIC: &str = "__cluster_metadata";
/// In capitals, because Java's admin client accepts no other listener names.
const CONTROLLER_LISTENER: &str = "CONTROLLER";

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeQuorumRequest,
) -> DescribeQuorumResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Describe, Resource::CLUSTER) {
        return (
            error_code,
            "the client is not authorized to describe the quorum".to_owned(),
        )
            .into();
    }
    let leader = BrokerView::of(&context, &caller).leader;
    let now_ms = i64::try_from(context.cache.clock.now_ms()).unwrap_or(i64::MAX);
    let partition = |is_metadata: bool, asked: &QuorumPartition| {
        if is_metadata && asked.partition_index == 0 {
            return quorum(leader.node_id, now_ms);
        }
        DescribedQuorumPartition {
            partition_index: asked.partition_index,
            error_code: ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            ..Default::default()
        }
    };
    let topics = request
        .topics
        .into_iter()
        .map(|topic| {
            let is_metadata = topic.topic_name == METADATA_TOPIC;
            DescribedQuorumTopic {
                partitions: topic
                    .partitions
                    .iter()
                    .map(|asked| partition(is_metadata, asked))
                    .collect(),
                topic_name: topic.topic_name,
            }
        })
        .collect();
    DescribeQuorumResponse {
        topics,
        nodes: vec![node(leader)],
        ..Default::default()
    }
}

/// Clients cannot read the owner's journal as a log, so its offsets are 0.
fn quorum(leader_id: i32, now_ms: i64) -> DescribedQuorumPartition {
    DescribedQuorumPartition {
        leader_id,
        current_voters: vec![ReplicaState {
            replica_id: leader_id,
            last_fetch_timestamp: now_ms,
            last_caught_up_timestamp: now_ms,
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn node(leader: Broker) -> QuorumNode {
    let port = u16::try_from(leader.port).unwrap_or_default();
    QuorumNode {
        node_id: leader.node_id,
        listeners: vec![QuorumListener {
            name: CONTROLLER_LISTENER.to_owned(),
            host: leader.host,
            port: port.cast_signed(),
        }],
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::describe_quorum::QuorumTopic;

    use super::*;
    use crate::testing::{HOST, NODE_ID, TestAgent, caller};

    #[tokio::test]
    async fn the_clients_agent_is_the_only_voter() {
        let of = |name: &str, index| QuorumTopic {
            topic_name: name.to_owned(),
            partitions: vec![QuorumPartition { partition_index: index }],
        };
        let request = DescribeQuorumRequest {
            topics: vec![of(METADATA_TOPIC, 0), of(METADATA_TOPIC, 1), of("orders", 0)],
        };
        let answer = handle(TestAgent::new().context(), caller(2), request).await;
        let partitions: Vec<&DescribedQuorumPartition> =
            answer.topics.iter().flat_map(|topic| &topic.partitions).collect();
        let codes: Vec<ErrorCode> = partitions.iter().map(|partition| partition.error_code).collect();
        let unknown = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION;
        assert_eq!(codes, [ErrorCode::NONE, unknown, unknown]);
        let voters: Vec<i32> = partitions[0]
            .current_voters
            .iter()
            .map(|voter| voter.replica_id)
            .collect();
        assert_eq!((partitions[0].leader_id, voters), (NODE_ID, vec![NODE_ID]));
        let listener = &answer.nodes[0].listeners[0];
        assert_eq!((listener.name.as_str(), listener.host.as_str()), ("CONTROLLER", HOST));
    }
}
