//! ListOffsets: asks the owner about all partitions at once, and looks into the files where a timestamp asks for a record.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::Topic;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::ListOffsetsResponse;
use penstock_wire::messages::list_offsets::{
    ListOffsetsPartition, ListOffsetsPartitionResponse, ListOffsetsRequest, ListOffsetsTopicResponse,
};
use penstock_wire::{ApiKey, ErrorCode};
use tokio::time::Instant;

use crate::cluster::offset_lookup;
use crate::cluster::offset_lookup::{EARLIEST, FoundOffset, MAX_TIMESTAMP};
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::timeouts;

/// The isolation level of a client that wants offsets of records that its readers get.
const READ_COMMITTED: i8 = 1;
/// Of the records on the broker's own disks.
const EARLIEST_LOCAL: i64 = -4;
/// Of the records in remote storage.
const LATEST_TIERED: i64 = -5;

/// Of the records that wait to be copied to remote storage.
const EARLIEST_PENDING_UPLOAD: i64 = -6;

/// One partition of the request that exists.
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
    let mut response = ListOffsetsResponse::default();
    let mut queries = Vec::new();
    for ((topic_index, asked), topic) in request.topics.into_iter().enumerate().zip(topics) {
        let denied = access.check(Operation::Describe, Resource::topic(&asked.name)).err();
        let mut partitions = Vec::with_capacity(asked.partitions.len());
        for (partition_index, partition) in asked.partitions.into_iter().enumerate() {
            let rpc = match (denied, &topic) {
                (Some(denied), _) => Err(denied),
                (None, Some(topic)) => query(topic, &partition, caller.version, reads_committed),
                (None, None) => Err(unknown),
            };
            partitions.push(ListOffsetsPartitionResponse {
                partition_index: partition.partition_index,
                error_code: rpc.as_ref().err().copied().unwrap_or_default(),
                ..Default::default()
            });
            if let Ok(Some(rpc)) = rpc {
                queries.push(Query {
                    place: (topic_index, partition_index),
                    rpc,
                });
            }
        }
        response.topics.push(ListOffsetsTopicResponse {
            name: asked.name,
            partitions,
        });
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

/// What to ask the owner. `None`: nothing, there is no such record.
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
    // As a Kafka topic without remote storage: what is local is all that there is. (That we have no disks is none of the client's business.)
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
