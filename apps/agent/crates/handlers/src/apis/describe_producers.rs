//! DescribeProducers: the producers that recently wrote to a partition, and those with open transactions there.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_producers::ProducerState;
use penstock_wire::messages::{DescribeProducersRequest, DescribeProducersResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::cluster::topic_name;
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// Coordinators have no epoch, because none is ever replaced.
const NO_EPOCH: i32 = -1;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeProducersRequest,
) -> DescribeProducersResponse {
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.name.as_str()).collect();
    let (found, unknown) = match context.topics_by_name(&names).await {
        Ok(found) => (found, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
        Err(error) => (
            vec![None; names.len()],
            failure::lookup_error(ApiKey::DescribeProducers, &error),
        ),
    };
    let access = context.access(&caller);
    let mut response = request.answer_all(ErrorCode::NONE);
    let mut partitions = Vec::new();
    for ((asked, topic), answered) in request.topics.iter().zip(found).zip(&mut response.topics) {
        let refusal = if topic_name::is_valid(&asked.name) {
            access.check(Operation::Read, Resource::topic(&asked.name)).err()
        } else {
            Some(ErrorCode::INVALID_TOPIC_EXCEPTION)
        };
        for place in &mut answered.partitions {
            let index = u32::try_from(place.partition_index).ok();
            let known = topic
                .as_ref()
                .zip(index)
                .filter(|(topic, index)| *index < topic.partitions);
            place.error_code = match (refusal, known) {
                (Some(refusal), _) => refusal,
                (None, None) => unknown,
                (None, Some((topic, partition))) => {
                    partitions.push(proto::TopicPartition {
                        topic_id: ids::to_rpc(topic.id),
                        partition,
                    });
                    ErrorCode::NONE
                }
            };
        }
    }
    if !partitions.is_empty() {
        fill_in(&context, partitions, &mut response).await;
    }
    response
}

/// Requests the partitions that are not refused from the owner.
async fn fill_in(context: &Context, partitions: Vec<proto::TopicPartition>, response: &mut DescribeProducersResponse) {
    let known = response.topics.iter_mut().flat_map(|topic| &mut topic.partitions);
    let known = known.filter(|partition| partition.error_code.is_none());
    let rpc = proto::DescribeProducersRequest { partitions };
    match context.metadata.describe_producers(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => {
            for (partition, described) in known.zip(answer.partitions) {
                partition.error_code = failure::code_by_name(described.error_code);
                partition.active_producers = described.producers.iter().map(state_of).collect();
            }
        }
        Err(error) => {
            let error_code = failure::lookup_error(ApiKey::DescribeProducers, &error);
            known.for_each(|partition| partition.error_code = error_code);
        }
    }
}

fn state_of(producer: &proto::ActiveProducer) -> ProducerState {
    ProducerState {
        producer_id: producer.producer_id,
        producer_epoch: producer.producer_epoch,
        last_sequence: producer.last_sequence,
        last_timestamp: producer.last_timestamp_ms,
        coordinator_epoch: NO_EPOCH,
        current_txn_start_offset: producer.transaction_start_offset,
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::describe_producers::TopicRequest;

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    #[tokio::test]
    async fn describes_existing_partitions_in_request_order() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 2)]);
        let producer = proto::ActiveProducer {
            producer_id: 9,
            producer_epoch: 3,
            last_sequence: 7,
            last_timestamp_ms: 1_000,
            transaction_start_offset: 40,
        };
        let described = |producers| proto::ProducersOfPartition {
            error_code: 0,
            producers,
        };
        let answer = proto::DescribeProducersResponse {
            partitions: vec![described(vec![producer]), described(Vec::new())],
        };
        agent.metadata.answer("DescribeProducers", &answer);
        let request = DescribeProducersRequest {
            topics: vec![
                TopicRequest {
                    name: "a b".to_owned(),
                    partition_indexes: vec![0],
                },
                TopicRequest {
                    name: "orders".to_owned(),
                    partition_indexes: vec![1, 2, 0],
                },
            ],
        };
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let answer = handle(agent.context(), caller(0), request).await;
        assert_eq!(
            answer.topics[0].partitions[0].error_code,
            ErrorCode::INVALID_TOPIC_EXCEPTION
        );
        let partitions = &answer.topics[1].partitions;
        assert_eq!(partitions[1].error_code, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
        let producer = &partitions[0].active_producers[0];
        assert_eq!((producer.producer_id, producer.current_txn_start_offset), (9, 40));
        assert!(partitions[2].error_code.is_none() && partitions[2].active_producers.is_empty());
    }
}
