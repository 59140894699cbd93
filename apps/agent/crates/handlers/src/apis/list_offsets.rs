//! ListOffsets: asks the owner about all partitions at once, and reads the files for timestamps that identify a record.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::Topic;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::ListOffsetsResponse;
use penstock_wire::messages::list_offsets::{ListOffsetsPartition, ListOffsetsRequest};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};
use tokio::time::Instant;

use crate::cluster::offset_lookup;
use crate::cluster::offset_lookup::{EARLIEST, FoundOffset, MAX_TIMESTAMP};
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::timeouts;

/// The isolation level of a client that wants offsets visible to read_committed readers.
const READ_COMMITTED: i8 = 1;
/// Earliest offset on the broker's own disks.
const EARLIEST_LOCAL: i64 = -4;
/// Latest offset in remote storage.
const LATEST_TIERED: i64 = -5;

/// Earliest offset that waits to be copied to remote storage.
const EARLIEST_PENDING_UPLOAD: i64 = -6;

/// A partition of the request that exists.
struct Query {
    place: (usize, usize),
    rpc: proto::OffsetQuery,
}

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: ListOffsetsRequest) -> ListOffsetsResponse {
    let timeout = if caller.version >= 10 {
        timeouts::of_request(request.timeout_ms)
    } else {
        DEFAULT_TIMEOUT
    };
    let deadline = Instant::now() + timeout;
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.name.as_str()).collect();
    let (topics, unknown) = match context.topics_by_name(&names).await {
        Ok(topics) => (topics, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
        Err(error) => (
            vec![None; names.len()],
            failure::lookup_error(ApiKey::ListOffsets, &error),
        ),
    };
    let access = context.access(&caller);
    let reads_committed = request.isolation_level == READ_COMMITTED;
    let mut response = request.answer_all(ErrorCode::NONE);
    let mut queries = Vec::new();
    for ((topic_index, asked), topic) in request.topics.into_iter().enumerate().zip(topics) {
        let denied = access.check(Operation::Describe, Resource::topic(&asked.name)).err();
        for (partition_index, partition) in asked.partitions.into_iter().enumerate() {
            let rpc = match (denied, &topic) {
                (Some(denied), _) => Err(denied),
                (None, Some(topic)) => query(topic, &partition, caller.version, reads_committed),
                (None, None) => Err(unknown),
            };
            match rpc {
                Ok(Some(rpc)) => queries.push(Query {
                    place: (topic_index, partition_index),
                    rpc,
                }),
                Ok(None) => {}
                Err(error_code) => {
                    response.topics[topic_index].partitions[partition_index].error_code = error_code;
                }
            }
        }
    }
    if queries.is_empty() {
        return response;
    }
    let rpc = proto::ListOffsetsRequest {
        queries: queries.iter().map(|query| query.rpc.clone()).collect(),
    };
    let answers: Vec<Result<proto::OffsetAnswer, ErrorCode>> = match context.metadata.list_offsets(rpc, timeout).await {
        Ok(answer) if answer.answers.len() == queries.len() => answer.answers.into_iter().map(Ok).collect(),
        Ok(_) => vec![Err(ErrorCode::UNKNOWN_SERVER_ERROR); queries.len()],
        Err(error) => vec![Err(failure::lookup_error(ApiKey::ListOffsets, &error)); queries.len()],
    };
    for (query, answer) in queries.into_iter().zip(answers) {
        let place = &mut response.topics[query.place.0].partitions[query.place.1];
        match offset_lookup::resolve(&context, query.rpc, answer, deadline).await {
            Ok(FoundOffset { offset, timestamp_ms }) => {
                (place.offset, place.timestamp) = (offset, timestamp_ms);
                place.leader_epoch = if offset >= 0 { 0 } else { -1 };
            }
            Err(error_code) => place.error_code = error_code,
        }
    }
    response
}

/// The query for the owner. `None` if no such record exists, so that no query is needed.
fn query(
    topic: &Topic,
    asked: &ListOffsetsPartition,
    version: i16,
    read_committed: bool,
) -> Result<Option<proto::OffsetQuery>, ErrorCode> {
    let partition = u32::try_from(asked.partition_index)
        .ok()
        .filter(|partition| *partition < topic.partitions)
        .ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)?;
    // As for a Kafka topic without remote storage, everything counts as local, even though agents store nothing on
    // disks.
    let timestamp_ms = match asked.timestamp {
        MAX_TIMESTAMP if version >= 7 => MAX_TIMESTAMP,
        EARLIEST_LOCAL if version >= 8 => EARLIEST,
        LATEST_TIERED if version >= 9 => return Ok(None),
        EARLIEST_PENDING_UPLOAD if version >= 11 => return Ok(None),
        known if known >= EARLIEST => known,
        _ => return Err(ErrorCode::UNSUPPORTED_VERSION),
    };
    Ok(Some(proto::OffsetQuery {
        topic_id: ids::to_rpc(topic.id),
        partition,
        timestamp_ms,
        from_offset: 0,
        read_committed,
    }))
}
