//! ListOffsets: the owner knows watermarks and which run a timestamp falls into; the record itself is found in the file.

use std::sync::Arc;
use std::time::Duration;

use penstock_metadata_client::cache::Run;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::ListOffsetsResponse;
use penstock_wire::messages::list_offsets::{
    ListOffsetsPartition, ListOffsetsPartitionResponse, ListOffsetsRequest, ListOffsetsTopicResponse,
};
use penstock_wire::record_batch::{FoundRecord, first_record_at_or_after, latest_record};
use penstock_wire::{ApiKey, ErrorCode};
use tokio::time::Instant;

use crate::context::{Caller, Context};
use crate::read_path::ReadError;
use crate::{failure, ids, timeouts};

/// Kafka's special timestamps.
pub(crate) const LATEST: i64 = -1;
pub(crate) const EARLIEST: i64 = -2;
const MAX_TIMESTAMP: i64 = -3;
/// Of the records on the broker's own disks.
const EARLIEST_LOCAL: i64 = -4;
/// Of the records in remote storage.
const LATEST_TIERED: i64 = -5;

/// One partition of the request that exists.
struct Query {
    place: (usize, usize),
    rpc: proto::OffsetQuery,
}

/// An offset and a timestamp as they are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Answer {
    offset: i64,
    timestamp_ms: i64,
}

/// There is no such record.
const NONE: Answer = Answer {
    offset: -1,
    timestamp_ms: -1,
};

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
    let mut response = ListOffsetsResponse::default();
    let mut queries = Vec::new();
    for ((topic_index, asked), topic) in request.topics.into_iter().enumerate().zip(topics) {
        let mut partitions = Vec::with_capacity(asked.partitions.len());
        for (partition_index, partition) in asked.partitions.into_iter().enumerate() {
            let rpc = match &topic {
                Some(topic) => query(topic.id, topic.partitions, &partition, caller.version),
                None => Err(unknown),
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
        match resolve(&context, query.rpc, answer, deadline).await {
            Ok(Answer { offset, timestamp_ms }) => {
                (place.offset, place.timestamp) = (offset, timestamp_ms);
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
        from_offset: 0,
    };
    let deadline = Instant::now() + DEFAULT_TIMEOUT;
    let answer = ask(context, &query, DEFAULT_TIMEOUT).await;
    Ok(resolve(context, query, answer, deadline).await?.offset)
}

async fn ask(
    context: &Context,
    query: &proto::OffsetQuery,
    timeout: Duration,
) -> Result<proto::OffsetAnswer, ErrorCode> {
    let request = proto::ListOffsetsRequest {
        queries: vec![query.clone()],
    };
    match context.metadata.list_offsets(request, timeout).await {
        Ok(mut answer) => answer.answers.pop().ok_or(ErrorCode::UNKNOWN_SERVER_ERROR),
        Err(error) => Err(failure::lookup_error(ApiKey::ListOffsets, &error)),
    }
}

/// What to ask the owner. `None`: nothing, there is no such record.
fn query(
    topic_id: uuid::Uuid,
    partitions: u32,
    asked: &ListOffsetsPartition,
    version: i16,
) -> Result<Option<proto::OffsetQuery>, ErrorCode> {
    let partition = u32::try_from(asked.partition_index)
        .ok()
        .filter(|partition| *partition < partitions)
        .ok_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION)?;
    // As a Kafka topic without remote storage: what is local is all that there is. (That we have no disks is none of the client's business.)
    let timestamp_ms = match asked.timestamp {
        MAX_TIMESTAMP if version >= 7 => MAX_TIMESTAMP,
        EARLIEST_LOCAL if version >= 8 => EARLIEST,
        LATEST_TIERED if version >= 9 => return Ok(None),
        known if known >= EARLIEST => known,
        _ => return Err(ErrorCode::UNSUPPORTED_VERSION),
    };
    Ok(Some(proto::OffsetQuery {
        topic_id: ids::to_rpc(topic_id),
        partition,
        timestamp_ms,
        from_offset: 0,
    }))
}

/// The offset and the timestamp to answer. The owner knows the largest timestamp of each run alone. When DeleteRecords has cut the first
/// run in the middle, the record with that timestamp may be gone: then the search goes on behind the run.
async fn resolve(
    context: &Context,
    mut query: proto::OffsetQuery,
    answer: Result<proto::OffsetAnswer, ErrorCode>,
    deadline: Instant,
) -> Result<Answer, ErrorCode> {
    let mut answer = answer?;
    let mut latest: Option<Answer> = None;
    loop {
        let error_code = failure::code_by_name(answer.error_code);
        if !error_code.is_none() {
            return Err(error_code);
        }
        let Some(run) = answer.run.as_ref().and_then(Run::from_proto) else {
            return Ok(latest.unwrap_or(Answer {
                offset: answer.offset,
                timestamp_ms: answer.timestamp_ms,
            }));
        };
        let is_later = latest.is_none_or(|latest| answer.timestamp_ms > latest.timestamp_ms);
        // An older service does not know `from_offset`, and names the same run again.
        if !is_later || run.end_offset() <= query.from_offset {
            return Ok(latest.unwrap_or(NONE));
        }
        let least_offset = answer.offset.max(query.from_offset);
        let found = find_record(context, run, query.timestamp_ms, least_offset).await;
        let found = found.map_err(|error| {
            tracing::error!(%error, "cannot read the run that holds a timestamp");
            ErrorCode::KAFKA_STORAGE_ERROR
        })?;
        match found {
            Some(found) if query.timestamp_ms != MAX_TIMESTAMP => return Ok(found),
            Some(found) if found.timestamp_ms >= answer.timestamp_ms => return Ok(found),
            Some(found) => latest = Some(found),
            None => {}
        }
        query.from_offset = run.end_offset();
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorCode::REQUEST_TIMED_OUT);
        }
        answer = ask(context, &query, left).await?;
    }
}

/// The first record of the run, at `least_offset` or later, whose timestamp is `wanted_ms` or later; of [`MAX_TIMESTAMP`] the one
/// with the largest timestamp.
async fn find_record(
    context: &Context,
    run: Run,
    wanted_ms: i64,
    least_offset: i64,
) -> Result<Option<Answer>, ReadError> {
    let mut cursor = context.read_path.cursor_at_timestamp(&run, wanted_ms).await?;
    let mut latest: Option<Answer> = None;
    while let Some((base_offset, batch)) = cursor.next().await? {
        if base_offset + i64::from(batch.header.last_offset_delta) < least_offset {
            continue;
        }
        let least_delta = least_offset - base_offset;
        let found = if wanted_ms == MAX_TIMESTAMP {
            if latest.is_some_and(|latest| batch.header.max_timestamp_ms <= latest.timestamp_ms) {
                continue;
            }
            latest_record(&batch, least_delta)
        } else {
            first_record_at_or_after(&batch, least_delta, wanted_ms)
        };
        let found = found.map_err(|error| ReadError::batch(&run, &error))?;
        let found = found.map(
            |FoundRecord {
                 offset_delta,
                 timestamp_ms,
             }| Answer {
                offset: base_offset + i64::from(offset_delta),
                timestamp_ms,
            },
        );
        match found {
            Some(found) if wanted_ms != MAX_TIMESTAMP => return Ok(Some(found)),
            Some(found) if latest.is_none_or(|latest| found.timestamp_ms > latest.timestamp_ms) => latest = Some(found),
            _ => {}
        }
    }
    Ok(latest)
}
