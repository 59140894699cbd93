//! AddPartitionsToTxn: adds partitions to a transaction before records are sent to them. Clients use versions up to 3.
//! Later versions are for brokers, which can also ask whether partitions were added.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::add_partitions_to_txn::{
    AddPartitionsToTxnPartitionResult, AddPartitionsToTxnResult, AddPartitionsToTxnTopic,
    AddPartitionsToTxnTopicResult, AddPartitionsToTxnTransaction,
};
use penstock_wire::messages::{AddPartitionsToTxnRequest, AddPartitionsToTxnResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::transactions;

/// First version whose clients know PRODUCER_FENCED.
const FENCED_FROM: i16 = 2;
/// First version that is sent between brokers.
const BROKERS_FROM: i16 = 4;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AddPartitionsToTxnRequest,
) -> AddPartitionsToTxnResponse {
    let access = context.access(&caller);
    if caller.version < BROKERS_FROM {
        let transaction = AddPartitionsToTxnTransaction {
            transactional_id: request.v3_and_below_transactional_id,
            producer_id: request.v3_and_below_producer_id,
            producer_epoch: request.v3_and_below_producer_epoch,
            verify_only: false,
            topics: request.v3_and_below_topics,
        };
        return AddPartitionsToTxnResponse {
            results_by_topic_v3_and_below: of_client(&context, &access, caller.version, transaction).await,
            ..Default::default()
        };
    }
    if let Err(error_code) = access.check(Operation::ClusterAction, Resource::CLUSTER) {
        return AddPartitionsToTxnResponse::from(error_code);
    }
    let mut response = AddPartitionsToTxnResponse::default();
    for transaction in request.transactions {
        let transactional_id = transaction.transactional_id.clone();
        let topic_results = add(&context, transaction, |_| true).await;
        response.results_by_transaction.push(AddPartitionsToTxnResult {
            transactional_id,
            topic_results,
        });
    }
    response
}

async fn of_client(
    context: &Context,
    access: &Access,
    version: i16,
    transaction: AddPartitionsToTxnTransaction,
) -> Vec<AddPartitionsToTxnTopicResult> {
    let transactional_id = Resource::transactional_id(&transaction.transactional_id);
    if let Err(error_code) = access.check(Operation::Write, transactional_id) {
        return all(&transaction.topics, error_code);
    }
    let may_write = |topic: &str| access.allows(Operation::Write, Resource::topic(topic));
    let mut results = add(context, transaction, may_write).await;
    for result in results.iter_mut().flat_map(|topic| &mut topic.results_by_partition) {
        let error_code = result.partition_error_code;
        result.partition_error_code = transactions::fenced_by_version(error_code, version, FENCED_FROM);
    }
    results
}

/// Adds all partitions, or none if one cannot be added.
async fn add(
    context: &Context,
    transaction: AddPartitionsToTxnTransaction,
    may_write: impl Fn(&str) -> bool,
) -> Vec<AddPartitionsToTxnTopicResult> {
    let mut results = all(&transaction.topics, ErrorCode::NONE);
    let names: Vec<&str> = transaction.topics.iter().map(|topic| topic.name.as_str()).collect();
    let topics = match context.topics_by_name(&names).await {
        Ok(topics) => topics,
        Err(error) => {
            let error_code = failure::coordinator_error(ApiKey::AddPartitionsToTxn, &error);
            return all(&transaction.topics, error_code);
        }
    };
    let mut partitions = Vec::new();
    let mut is_complete = true;
    for (result, topic) in results.iter_mut().zip(topics) {
        let is_allowed = may_write(&result.name);
        for partition in &mut result.results_by_partition {
            let index = u32::try_from(partition.partition_index).ok();
            let known = topic
                .as_ref()
                .zip(index)
                .filter(|(topic, index)| *index < topic.partitions);
            match known {
                _ if !is_allowed => partition.partition_error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                None => partition.partition_error_code = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                Some((topic, index)) => partitions.push(proto::TopicPartition {
                    topic_id: ids::to_rpc(topic.id),
                    partition: index,
                }),
            }
            is_complete &= partition.partition_error_code.is_none();
        }
    }
    if !is_complete {
        for partition in partitions_of(&mut results) {
            if partition.partition_error_code.is_none() {
                partition.partition_error_code = ErrorCode::OPERATION_NOT_ATTEMPTED;
            }
        }
        return results;
    }
    let rpc = proto::AddToTransactionRequest {
        transactional_id: transaction.transactional_id,
        producer_id: transaction.producer_id,
        producer_epoch: transaction.producer_epoch.into(),
        partitions,
        group_ids: Vec::new(),
        verify_only: transaction.verify_only,
    };
    match context.metadata.add_to_transaction(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => all(&transaction.topics, failure::code(answer.error_code)),
        Ok(answer) => {
            for (partition, error_code) in partitions_of(&mut results).zip(answer.partition_error_codes) {
                partition.partition_error_code = failure::code_by_name(error_code);
            }
            results
        }
        Err(error) => {
            let error_code = failure::coordinator_error(ApiKey::AddPartitionsToTxn, &error);
            all(&transaction.topics, error_code)
        }
    }
}

fn partitions_of(
    results: &mut [AddPartitionsToTxnTopicResult],
) -> impl Iterator<Item = &mut AddPartitionsToTxnPartitionResult> {
    results.iter_mut().flat_map(|topic| &mut topic.results_by_partition)
}

/// Returns the same code for every partition.
fn all(topics: &[AddPartitionsToTxnTopic], error_code: ErrorCode) -> Vec<AddPartitionsToTxnTopicResult> {
    let result = |index: &i32| AddPartitionsToTxnPartitionResult {
        partition_index: *index,
        partition_error_code: error_code,
    };
    topics
        .iter()
        .map(|topic| AddPartitionsToTxnTopicResult {
            name: topic.name.clone(),
            results_by_partition: topic.partitions.iter().map(result).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    fn topics(names: &[(&str, &[i32])]) -> Vec<AddPartitionsToTxnTopic> {
        let topic = |(name, partitions): &(&str, &[i32])| AddPartitionsToTxnTopic {
            name: (*name).to_owned(),
            partitions: partitions.to_vec(),
        };
        names.iter().map(topic).collect()
    }

    fn of_client(names: &[(&str, &[i32])]) -> AddPartitionsToTxnRequest {
        AddPartitionsToTxnRequest {
            v3_and_below_transactional_id: "tx".to_owned(),
            v3_and_below_producer_id: 9,
            v3_and_below_producer_epoch: 3,
            v3_and_below_topics: topics(names),
            ..Default::default()
        }
    }

    fn codes(results: &[AddPartitionsToTxnTopicResult]) -> Vec<ErrorCode> {
        let partitions = results.iter().flat_map(|topic| &topic.results_by_partition);
        partitions.map(|partition| partition.partition_error_code).collect()
    }

    fn agent() -> TestAgent {
        TestAgent::with_topics(&[topic(1, "a", 2), topic(2, "b", 1)])
    }

    #[tokio::test]
    async fn adds_partitions_by_topic_id() {
        let agent = agent();
        agent
            .metadata
            .answer("AddToTransaction", &proto::AddToTransactionResponse::default());
        let answer = handle(agent.context(), caller(3), of_client(&[("a", &[0, 1]), ("b", &[0])])).await;
        assert_eq!(codes(&answer.results_by_topic_v3_and_below), [ErrorCode::NONE; 3]);
        let asked = agent
            .metadata
            .requests::<proto::AddToTransactionRequest>("AddToTransaction")
            .remove(0);
        let partitions: Vec<(u8, u32)> = asked
            .partitions
            .iter()
            .map(|partition| (partition.topic_id[0], partition.partition))
            .collect();
        assert_eq!(partitions, [(1, 0), (1, 1), (2, 0)]);
        assert!(!asked.verify_only);
    }

    #[tokio::test]
    async fn adds_nothing_if_one_partition_does_not_exist() {
        let agent = agent();
        let answer = handle(agent.context(), caller(3), of_client(&[("a", &[0, 2])])).await;
        assert_eq!(
            codes(&answer.results_by_topic_v3_and_below),
            [
                ErrorCode::OPERATION_NOT_ATTEMPTED,
                ErrorCode::UNKNOWN_TOPIC_OR_PARTITION
            ]
        );
        let asked = agent
            .metadata
            .requests::<proto::AddToTransactionRequest>("AddToTransaction");
        assert!(asked.is_empty());
    }

    #[tokio::test]
    async fn a_refusal_applies_to_every_partition_with_the_right_code() {
        let agent = agent();
        for (version, expected) in [(1, ErrorCode::INVALID_PRODUCER_EPOCH), (2, ErrorCode::PRODUCER_FENCED)] {
            let fenced = proto::AddToTransactionResponse {
                error_code: 90,
                ..Default::default()
            };
            agent.metadata.answer("AddToTransaction", &fenced);
            let answer = handle(agent.context(), caller(version), of_client(&[("a", &[0, 1])])).await;
            assert_eq!(codes(&answer.results_by_topic_v3_and_below), [expected; 2]);
        }
    }

    #[tokio::test]
    async fn a_broker_can_ask_which_partitions_are_in_the_transaction() {
        let agent = agent();
        let verified = proto::AddToTransactionResponse {
            error_code: 0,
            partition_error_codes: vec![0, 120],
        };
        agent.metadata.answer("AddToTransaction", &verified);
        let request = AddPartitionsToTxnRequest {
            transactions: vec![AddPartitionsToTxnTransaction {
                transactional_id: "tx".to_owned(),
                verify_only: true,
                topics: topics(&[("a", &[0, 1])]),
                ..Default::default()
            }],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(5), request).await;
        let results = &answer.results_by_transaction[0];
        assert_eq!(results.transactional_id, "tx");
        assert_eq!(
            codes(&results.topic_results),
            [ErrorCode::NONE, ErrorCode::TRANSACTION_ABORTABLE]
        );
    }
}
