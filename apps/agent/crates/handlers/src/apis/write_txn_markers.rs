//! WriteTxnMarkers: Kafka's coordinators use it to end transactions, which the owner does here. Clients need it for
//! `kafka-transactions abort`, which aborts a hanging transaction.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::Topic;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::write_txn_markers::{WritableTxnMarker, WritableTxnMarkerResult};
use penstock_wire::messages::{WriteTxnMarkersRequest, WriteTxnMarkersResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: WriteTxnMarkersRequest,
) -> WriteTxnMarkersResponse {
    if let Err(error_code) = check_access(&context.access(&caller)) {
        return request.answer_all(error_code);
    }
    let mut response = request.answer_all(ErrorCode::NONE);
    for (marker, answer) in request.markers.iter().zip(&mut response.markers) {
        abort(&context, &caller, marker, answer).await;
    }
    response
}

/// Aborts the whole transaction if the marker names any existing partition.
async fn abort(context: &Context, caller: &Caller, marker: &WritableTxnMarker, answer: &mut WritableTxnMarkerResult) {
    let names: Vec<&str> = marker.topics.iter().map(|topic| topic.name.as_str()).collect();
    let found = match context.topics_by_name(&names).await {
        Ok(found) => found,
        Err(error) => {
            let error_code = failure::lookup_error(ApiKey::WriteTxnMarkers, &error);
            return fill(answer, |_, _| error_code);
        }
    };
    let exists = |topic: usize, partition: i32| {
        let partition = u32::try_from(partition).ok();
        let topic: Option<&Arc<Topic>> = found[topic].as_ref();
        topic
            .zip(partition)
            .is_some_and(|(topic, partition)| partition < topic.partitions)
    };
    let mut asked = marker.topics.iter().enumerate();
    let error_code = if asked.any(|(at, topic)| topic.partition_indexes.iter().any(|index| exists(at, *index))) {
        end(context, caller, marker).await.err().unwrap_or_default()
    } else {
        ErrorCode::NONE
    };
    fill(answer, |topic, partition| {
        if exists(topic, partition) {
            error_code
        } else {
            ErrorCode::UNKNOWN_TOPIC_OR_PARTITION
        }
    });
}

fn check_access(access: &Access) -> Result<(), ErrorCode> {
    if access.grants(Operation::Alter, Resource::CLUSTER) {
        return Ok(());
    }
    access.check(Operation::ClusterAction, Resource::CLUSTER)
}

async fn end(context: &Context, caller: &Caller, marker: &WritableTxnMarker) -> Result<(), ErrorCode> {
    let is_commit = marker.transaction_result;
    if is_commit {
        // Only the producer knows whether all of a transaction was sent.
        return Err(ErrorCode::INVALID_REQUEST);
    }
    let failed = |error| failure::cluster_error(ApiKey::WriteTxnMarkers, &error);
    let of_producer = proto::ListTransactionsRequest {
        producer_ids: vec![marker.producer_id],
        min_duration_ms: -1,
        ..Default::default()
    };
    let listed = context.metadata.list_transactions(of_producer, DEFAULT_TIMEOUT);
    let transaction = listed.await.map_err(failed)?.transactions.pop();
    let transaction = transaction.ok_or(ErrorCode::INVALID_PRODUCER_ID_MAPPING)?;
    if transaction.producer_epoch != i32::from(marker.producer_epoch) {
        return Err(ErrorCode::INVALID_PRODUCER_EPOCH);
    }
    let abort = proto::AbortTransactionRequest {
        transactional_id: transaction.transactional_id,
        producer_id: marker.producer_id,
        actor: caller.client.principal.to_string(),
        client: context.named(caller),
    };
    let aborted = context.metadata.abort_transaction(abort, DEFAULT_TIMEOUT);
    match failure::code(aborted.await.map_err(failed)?.error_code) {
        ErrorCode::NONE => Ok(()),
        error_code => Err(error_code),
    }
}

/// `code` returns the code of a partition, by its topic's index in the request and its number.
fn fill(answer: &mut WritableTxnMarkerResult, code: impl Fn(usize, i32) -> ErrorCode) {
    for (at, topic) in answer.topics.iter_mut().enumerate() {
        for partition in &mut topic.partitions {
            partition.error_code = code(at, partition.partition_index);
        }
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::write_txn_markers::WritableTxnMarkerTopic;

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    fn request(is_commit: bool, producer_epoch: i16) -> WriteTxnMarkersRequest {
        WriteTxnMarkersRequest {
            markers: vec![WritableTxnMarker {
                producer_id: 9,
                producer_epoch,
                transaction_result: is_commit,
                topics: vec![WritableTxnMarkerTopic {
                    name: "orders".to_owned(),
                    partition_indexes: vec![0],
                }],
                ..Default::default()
            }],
        }
    }

    #[tokio::test]
    async fn a_marker_for_a_nonexistent_partition_ends_nothing() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 1)]);
        let mut elsewhere = request(false, 3);
        elsewhere.markers[0].topics[0].partition_indexes = vec![1];
        assert_eq!(code(&agent, elsewhere).await, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
        let asked = agent
            .metadata
            .requests::<proto::AbortTransactionRequest>("AbortTransaction");
        assert!(asked.is_empty());
    }

    async fn code(agent: &TestAgent, request: WriteTxnMarkersRequest) -> ErrorCode {
        let open = proto::ListTransactionsResponse {
            transactions: vec![proto::DescribedTransaction {
                transactional_id: "tx".to_owned(),
                producer_id: 9,
                producer_epoch: 3,
                ..Default::default()
            }],
        };
        agent.metadata.answer("ListTransactions", &open);
        agent
            .metadata
            .answer("AbortTransaction", &proto::AbortTransactionResponse::default());
        let answer = handle(agent.context(), caller(1), request).await;
        answer.markers[0].topics[0].partitions[0].error_code
    }

    #[tokio::test]
    async fn aborts_a_hanging_transaction_as_a_whole() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 1)]);
        assert_eq!(code(&agent, request(false, 3)).await, ErrorCode::NONE);
        let asked = agent
            .metadata
            .requests::<proto::AbortTransactionRequest>("AbortTransaction")
            .remove(0);
        assert_eq!(
            (asked.transactional_id.as_str(), asked.actor.as_str()),
            ("tx", "User:ANONYMOUS")
        );
        assert_eq!(asked.client, agent.context.named(&caller(1)));
    }

    #[tokio::test]
    async fn refuses_commits_and_aborts_of_earlier_transactions() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 1)]);
        assert_eq!(code(&agent, request(true, 3)).await, ErrorCode::INVALID_REQUEST);
        assert_eq!(code(&agent, request(false, 2)).await, ErrorCode::INVALID_PRODUCER_EPOCH);
        let asked = agent
            .metadata
            .requests::<proto::AbortTransactionRequest>("AbortTransaction");
        assert!(asked.is_empty());
    }
}
