//! Finds offsets by timestamp. The owner knows the watermarks and the run that contains a timestamp; the record itself
//! is found in the file.

use std::time::Duration;

use penstock_metadata_client::cache::Run;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_read_path::ReadError;
use penstock_wire::record_batch::{FoundRecord, first_record_at_or_after, latest_record};
use penstock_wire::{ApiKey, ErrorCode};
use tokio::time::Instant;

use crate::context::Context;
use crate::conversions::failure;
use crate::conversions::ids;

/// The special timestamps of Kafka.
pub(crate) const LATEST: i64 = -1;
pub(crate) const EARLIEST: i64 = -2;
pub(crate) const MAX_TIMESTAMP: i64 = -3;

/// An offset, and the timestamp of the record there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundOffset {
    pub(crate) offset: i64,
    pub(crate) timestamp_ms: i64,
}

/// The result if there is no such record.
const NONE: FoundOffset = FoundOffset {
    offset: -1,
    timestamp_ms: -1,
};

/// Returns the offset of a timestamp or special position in a partition, for the agent's own readers; -1 if there is
/// none.
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
        read_committed: false,
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

/// Returns the offset and timestamp for a response. For a read_committed client, ignores records of open transactions.
pub(crate) async fn resolve(
    context: &Context,
    query: proto::OffsetQuery,
    answer: Result<proto::OffsetAnswer, ErrorCode>,
    deadline: Instant,
) -> Result<FoundOffset, ErrorCode> {
    let answer = answer?;
    if !query.read_committed || answer.run.is_none() {
        return find_exactly(context, query, answer, deadline).await;
    }
    let end_query = proto::OffsetQuery {
        timestamp_ms: LATEST,
        ..query.clone()
    };
    let found = find_exactly(context, query, answer, deadline).await?;
    // The run named by the owner may continue beyond the last stable offset.
    let end = ask(context, &end_query, time_left(deadline)?).await?;
    let error_code = failure::code_by_name(end.error_code);
    if !error_code.is_none() {
        return Err(error_code);
    }
    Ok(if found.offset < end.offset { found } else { NONE })
}

fn time_left(deadline: Instant) -> Result<Duration, ErrorCode> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorCode::REQUEST_TIMED_OUT);
    }
    Ok(left)
}

/// The owner knows only the largest timestamp of each run. If DeleteRecords truncated the first run, the record with
/// that timestamp may be gone; the search then continues after the run.
async fn find_exactly(
    context: &Context,
    mut query: proto::OffsetQuery,
    mut answer: proto::OffsetAnswer,
    deadline: Instant,
) -> Result<FoundOffset, ErrorCode> {
    let mut latest: Option<FoundOffset> = None;
    loop {
        let error_code = failure::code_by_name(answer.error_code);
        if !error_code.is_none() {
            return Err(error_code);
        }
        let Some(run) = answer.run.as_ref().and_then(Run::from_proto) else {
            return Ok(latest.unwrap_or(FoundOffset {
                offset: answer.offset,
                timestamp_ms: answer.timestamp_ms,
            }));
        };
        let is_later = latest.is_none_or(|latest| answer.timestamp_ms > latest.timestamp_ms);
        // Each run must be a later one, so that the search ends.
        if !is_later || run.end_offset() <= query.from_offset {
            return Ok(latest.unwrap_or(NONE));
        }
        let least_offset = answer.offset.max(query.from_offset);
        let found = find_record(context, run, query.timestamp_ms, least_offset).await;
        let found = found.map_err(|error| {
            tracing::error!(%error, "cannot read the run for a timestamp lookup");
            ErrorCode::KAFKA_STORAGE_ERROR
        })?;
        match found {
            Some(found) if query.timestamp_ms != MAX_TIMESTAMP => return Ok(found),
            Some(found) if found.timestamp_ms >= answer.timestamp_ms => return Ok(found),
            Some(found) => latest = Some(found),
            None => {}
        }
        query.from_offset = run.end_offset();
        answer = ask(context, &query, time_left(deadline)?).await?;
    }
}

/// The first record of the run from `least_offset` on whose timestamp is at least `wanted_ms`; for [`MAX_TIMESTAMP`],
/// the one with the largest timestamp.
async fn find_record(
    context: &Context,
    run: Run,
    wanted_ms: i64,
    least_offset: i64,
) -> Result<Option<FoundOffset>, ReadError> {
    let mut cursor = context.read_path.cursor_at_timestamp(&run, wanted_ms).await?;
    let mut latest: Option<FoundOffset> = None;
    while let Some((base_offset, batch)) = cursor.next().await? {
        // The end of a transaction is not a record, wherever its batch is.
        if batch.header.is_control() || base_offset + i64::from(batch.header.last_offset_delta) < least_offset {
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
             }| FoundOffset {
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
