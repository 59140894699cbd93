//! ListOffsets: the owner knows watermarks and which run a timestamp falls into; the record itself is found in the file.

use std::sync::Arc;

use penstock_metadata_client::cache::Run;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::ListOffsetsResponse;
use penstock_wire::messages::list_offsets::{
    ListOffsetsPartition, ListOffsetsPartitionResponse, ListOffsetsRequest, ListOffsetsTopicResponse,
};
use penstock_wire::record_batch::first_record_at_or_after;
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::read_path::ReadError;
use crate::{failure, ids, timeouts};

/// Kafka's special timestamps.
pub(crate) const LATEST: i64 = -1;
pub(crate) const EARLIEST: i64 = -2;
const MAX_TIMESTAMP: i64 = -3;
const EARLIEST_LOCAL: i64 = -4;

/// One partition of the request that exists.
struct Query {
    place: (usize, usize),
    timestamp_ms: i64,
    rpc: proto::OffsetQuery,
}

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: ListOffsetsRequest) -> ListOffsetsResponse {
    let timeout = if caller.version >= 10 {
        timeouts::of_request(request.timeout_ms)
    } else {
        DEFAULT_TIMEOUT
    };
    let names: Vec<&str> = request.topics.iter().map(|topic| topic.name.as_str()).collect();
    let (topics, unknown) = match context.topics_by_name(&names).await {
        Ok(topics) => (topics, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
        Err(error) => (
            vec![None; names.len()],
            failure::lookup_error(ApiKey::ListOffsets, &error),
        ),
    };
    let mut response = ListOffsetsResponse::default();
    let mut queries = Vec::new();
    for ((topic_index, asked), topic) in request.topics.into_iter().enumerate().zip(topics) {
        let mut partitions = Vec::with_capacity(asked.partitions.len());
        for (partition_index, partition) in asked.partitions.into_iter().enumerate() {
            let rpc = match &topic {
                Some(topic) => query(topic.id, topic.partitions, &partition),
                None => Err(unknown),
            };
            partitions.push(ListOffsetsPartitionResponse {
                partition_index: partition.partition_index,
                error_code: rpc.as_ref().err().copied().unwrap_or_default(),
                ..Default::default()
            });
            if let Ok(rpc) = rpc {
                queries.push(Query {
                    place: (topic_index, partition_index),
                    timestamp_ms: partition.timestamp,
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
        match resolve(&context, query.timestamp_ms, answer).await {
            Ok((offset, timestamp)) => {
                (place.offset, place.timestamp) = (offset, timestamp);
                place.leader_epoch = if offset >= 0 { 0 } else { -1 };
            }
            Err(error_code) => place.error_code = error_code,
        }
    }
    response
}

/// The offset of a timestamp or special position in one partition, for the agent's own readers; -1: none.
pub(crate) async fn find(
    context: &Context,
    topic_id: uuid::Uuid,
    partition: u32,
    timestamp_ms: i64,
) -> Result<i64, ErrorCode> {
    let query = proto::OffsetQuery {
        topic_id: ids::to_rpc(topic_id),
        partition,
        timestamp_ms,
    };
    let request = proto::ListOffsetsRequest { queries: vec![query] };
    let answer = match context.metadata.list_offsets(request, DEFAULT_TIMEOUT).await {
        Ok(mut answer) => answer.answers.pop().ok_or(ErrorCode::UNKNOWN_SERVER_ERROR),
        Err(error) => Err(failure::lookup_error(ApiKey::ListOffsets, &error)),
    };
    let (offset, _) = resolve(context, timestamp_ms, answer).await?;
    Ok(offset)
}

fn query(topic_id: uuid::Uuid, partitions: u32, asked: &ListOffsetsPartition) -> Result<proto::OffsetQuery, ErrorCode> {
    let partition = u32::try_from(asked.partition_index)
        .ok()
        .filter(|partition| *partition < partitions)
        .ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)?;
    let timestamp_ms = match asked.timestamp {
        // There is no local log: everything lies in object storage.
        EARLIEST_LOCAL => EARLIEST,
        known if known >= MAX_TIMESTAMP => known,
        _ => return Err(ErrorCode::UNSUPPORTED_VERSION),
    };
    Ok(proto::OffsetQuery {
        topic_id: ids::to_rpc(topic_id),
        partition,
        timestamp_ms,
    })
}

/// The offset and the timestamp to answer.
async fn resolve(
    context: &Context,
    asked_ms: i64,
    answer: Result<proto::OffsetAnswer, ErrorCode>,
) -> Result<(i64, i64), ErrorCode> {
    let answer = answer?;
    let error_code = failure::code(answer.error_code);
    if !error_code.is_none() {
        return Err(error_code);
    }
    let Some(run) = answer.run.as_ref().and_then(Run::from_proto) else {
        return Ok((answer.offset, answer.timestamp_ms));
    };
    let wanted_ms = match asked_ms {
        LATEST | EARLIEST | EARLIEST_LOCAL | MAX_TIMESTAMP => answer.timestamp_ms,
        asked_ms => asked_ms,
    };
    find_record(context, run, wanted_ms, answer.offset)
        .await
        .map_err(|error| {
            tracing::error!(%error, "cannot read the run that holds a timestamp");
            ErrorCode::KAFKA_STORAGE_ERROR
        })
}

/// The first record of the run, at `least_offset` or later, whose timestamp is `wanted_ms` or later.
async fn find_record(context: &Context, run: Run, wanted_ms: i64, least_offset: i64) -> Result<(i64, i64), ReadError> {
    let mut cursor = context.read_path.cursor_at_timestamp(&run, wanted_ms).await?;
    while let Some((base_offset, batch)) = cursor.next().await? {
        if base_offset + i64::from(batch.header.last_offset_delta) < least_offset {
            continue;
        }
        let found = first_record_at_or_after(&batch, wanted_ms).map_err(|error| ReadError::batch(&run, &error))?;
        if let Some(found) = found {
            return Ok((base_offset + i64::from(found.offset_delta), found.timestamp_ms));
        }
    }
    Ok((-1, -1))
}
