//! DescribeTransactions: the state of transactional ids.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::uuid_from_bytes;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_transactions::{DescribedTransaction, TopicData};
use penstock_wire::messages::{DescribeTransactionsRequest, DescribeTransactionsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeTransactionsRequest,
) -> DescribeTransactionsResponse {
    let access = context.access(&caller);
    let mut states: Vec<DescribedTransaction> = request
        .transactional_ids
        .into_iter()
        .map(|transactional_id| DescribedTransaction {
            error_code: access
                .check(Operation::Describe, Resource::transactional_id(&transactional_id))
                .err()
                .unwrap_or_default(),
            transactional_id,
            ..Default::default()
        })
        .collect();
    let mut allowed: Vec<&mut DescribedTransaction> =
        states.iter_mut().filter(|state| state.error_code.is_none()).collect();
    if !allowed.is_empty() {
        let rpc = proto::DescribeTransactionsRequest {
            transactional_ids: allowed.iter().map(|state| state.transactional_id.clone()).collect(),
        };
        match context.metadata.describe_transactions(rpc, DEFAULT_TIMEOUT).await {
            Ok(answer) if answer.transactions.len() == allowed.len() => {
                for (state, described) in allowed.into_iter().zip(answer.transactions) {
                    *state = described_as(&context, &access, described).await;
                }
            }
            Ok(_) => fail(&mut allowed, ErrorCode::UNKNOWN_SERVER_ERROR),
            Err(error) => {
                let error_code = failure::coordinator_error(ApiKey::DescribeTransactions, &error);
                fail(&mut allowed, error_code);
            }
        }
    }
    DescribeTransactionsResponse {
        transaction_states: states,
        ..Default::default()
    }
}

fn fail(states: &mut [&mut DescribedTransaction], error_code: ErrorCode) {
    for state in states {
        state.error_code = error_code;
    }
}

async fn described_as(
    context: &Context,
    access: &Access,
    described: proto::DescribedTransaction,
) -> DescribedTransaction {
    let error_code = failure::code(described.error_code);
    if !error_code.is_none() {
        return DescribedTransaction {
            transactional_id: described.transactional_id,
            ..error_code.into()
        };
    }
    let mut topics = topics_of(context, &described.partitions).await;
    topics.retain(|topic| access.shows(Operation::Describe, Resource::topic(&topic.topic)));
    DescribedTransaction {
        error_code,
        transactional_id: described.transactional_id,
        transaction_state: described.state,
        transaction_timeout_ms: i32::try_from(described.timeout_ms).unwrap_or(i32::MAX),
        transaction_start_time_ms: described.started_at_ms,
        producer_id: described.producer_id,
        producer_epoch: i16::try_from(described.producer_epoch).unwrap_or(-1),
        topics,
    }
}

/// Partitions by topic, without those of deleted topics.
async fn topics_of(context: &Context, partitions: &[proto::TopicPartition]) -> Vec<TopicData> {
    let mut of_topic: Vec<(uuid::Uuid, Vec<i32>)> = Vec::new();
    let mut places = HashMap::new();
    for partition in partitions {
        let Some(id) = uuid_from_bytes(&partition.topic_id) else {
            continue;
        };
        let place = *places.entry(id).or_insert_with(|| {
            of_topic.push((id, Vec::new()));
            of_topic.len() - 1
        });
        of_topic[place].1.push(partition.partition.cast_signed());
    }
    let topic_ids: Vec<uuid::Uuid> = of_topic.iter().map(|(id, _)| *id).collect();
    let found = match context.topics_by_id(&topic_ids).await {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, "left out topics of a transaction that are not in the cache");
            let catalogue = context.cache.catalogue();
            topic_ids.iter().map(|id| catalogue.topic_by_id(*id).cloned()).collect()
        }
    };
    let named = of_topic.into_iter().zip(found);
    named
        .filter_map(|((_, partitions), topic)| {
            Some(TopicData {
                topic: topic?.name.to_string(),
                partitions,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, rpc_id, topic};

    #[tokio::test]
    async fn describes_a_transaction_with_the_names_of_its_topics() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 3)]);
        let partition = |id, partition| proto::TopicPartition {
            topic_id: rpc_id(id),
            partition,
        };
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let open = proto::DescribedTransaction {
            transactional_id: "tx".to_owned(),
            state: "Ongoing".to_owned(),
            producer_id: 9,
            producer_epoch: 3,
            timeout_ms: 60_000,
            started_at_ms: 1_000,
            partitions: vec![partition(1, 0), partition(9, 0), partition(1, 2)],
            ..Default::default()
        };
        let unknown = proto::DescribedTransaction {
            transactional_id: "other".to_owned(),
            error_code: 105,
            ..Default::default()
        };
        let described = proto::DescribeTransactionsResponse {
            transactions: vec![open, unknown],
        };
        agent.metadata.answer("DescribeTransactions", &described);
        let request = DescribeTransactionsRequest {
            transactional_ids: vec!["tx".to_owned(), "other".to_owned()],
        };
        let answer = handle(agent.context(), caller(0), request).await;
        let [open, unknown] = &answer.transaction_states[..] else {
            panic!("{answer:?}");
        };
        assert_eq!((open.transaction_state.as_str(), open.producer_id), ("Ongoing", 9));
        assert_eq!(
            (open.transaction_timeout_ms, open.transaction_start_time_ms),
            (60_000, 1_000)
        );
        let topics: Vec<_> = open
            .topics
            .iter()
            .map(|topic| (topic.topic.as_str(), &topic.partitions[..]))
            .collect();
        assert_eq!(topics, [("orders", &[0, 2][..])]);
        assert_eq!(unknown.error_code, ErrorCode::TRANSACTIONAL_ID_NOT_FOUND);
    }

    #[tokio::test]
    async fn an_unreachable_owner_is_a_retriable_error() {
        let request = DescribeTransactionsRequest {
            transactional_ids: vec!["tx".to_owned()],
        };
        let answer = handle(TestAgent::new().context(), caller(0), request).await;
        assert!(answer.transaction_states[0].error_code.is_retriable());
    }
}
