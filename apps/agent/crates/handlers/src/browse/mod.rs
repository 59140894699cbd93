//! Records for the message browser: decompressed and in pages of limited size, from the same index, files and cache as
//! those of consumers. Does not count as a consumer or subscribe to the partition.

mod matching;
mod page;
mod record;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use penstock_metadata_client::cache::{Run, Topic};
use penstock_metadata_client::{RpcError, proto};
use penstock_read_path::{ReadError, RunCursor};
use penstock_runtime::run_blocking;
use penstock_wire::ErrorCode;
use penstock_wire::record_batch::Batch;
use thiserror::Error;
use tokio::time::{Instant, timeout};

use crate::cluster::offset_lookup;
use crate::context::Context;
use crate::conversions::failure;
use crate::conversions::ids;

pub use page::{BrowsePage, Stop, UnreadableBatch};
pub use record::{BrowsedHeader, BrowsedRecord, Field};

/// Maximum number of compressed bytes that a request reads.
const MAX_SCAN_BYTES: u64 = 32 << 20;
/// Bytes of a long run searched per step.
const BATCHES_BYTES: usize = 4 << 20;
/// How long a request searches for matches before it returns the offset to continue from.
const SCAN_TIME: Duration = Duration::from_secs(2);
/// Time limit of a request, including the owner's and object storage's responses.
const MAX_QUESTION: Duration = Duration::from_secs(15);
const RPC_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that the owner locates per call.
const LOCATED_BYTES: u32 = 1 << 20;

/// The position of the first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The oldest existing record.
    Earliest,
    /// This many records before the end.
    Latest(u32),
    /// The record at this offset.
    Offset(i64),
    /// The first record at or after this time, in milliseconds since the Unix epoch.
    Timestamp(i64),
}

/// Selects the records of a partition to show.
#[derive(Clone, Debug)]
pub struct BrowseRequest {
    /// Name of the topic.
    pub topic: String,
    /// Number of the partition.
    pub partition: u32,
    /// The position of the first record.
    pub position: Position,
    /// Maximum number of records.
    pub limit: usize,
    /// Only records with exactly this key.
    pub key: Option<Bytes>,
}

/// Why there is no response. Each message says what to do, if anything can be done.
#[derive(Debug, Error)]
pub enum BrowseError {
    /// The topic does not exist.
    #[error("no such topic; it may have been deleted")]
    UnknownTopic,
    /// The partition does not exist.
    #[error("the topic has {partitions} partitions, numbered from 0")]
    UnknownPartition {
        /// The number of partitions of the topic.
        partitions: u32,
    },
    /// The offset does not exist yet, or no longer exists.
    #[error(
        "offset {offset} does not exist: the partition has offsets {log_start_offset} to {high_watermark} (exclusive)"
    )]
    OutOfRange {
        /// The offset that was requested.
        offset: i64,
        /// The offset of the oldest record.
        log_start_offset: i64,
        /// The offset after the newest record.
        high_watermark: i64,
    },
    /// The metadata service or object storage is unreachable. May be retried.
    #[error("the agent cannot read right now: {0}")]
    Unavailable(String),
}

impl From<RpcError> for BrowseError {
    fn from(error: RpcError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<ReadError> for BrowseError {
    fn from(error: ReadError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

/// Answers a request within limits on time and memory.
///
/// # Errors
/// Returns an error if the position does not exist or cannot be read now.
pub async fn browse(context: &Context, request: &BrowseRequest) -> Result<BrowsePage, BrowseError> {
    timeout(MAX_QUESTION, scan(context, request))
        .await
        .unwrap_or_else(|_| Err(BrowseError::Unavailable("timed out".to_owned())))
}

async fn scan(context: &Context, request: &BrowseRequest) -> Result<BrowsePage, BrowseError> {
    let deadline = Instant::now() + SCAN_TIME;
    let topic = find_topic(context, request).await?;
    let mut offset = first_offset(context, request, &topic).await?;
    let mut page = BrowsePage::new(request.limit);
    let mut scanned_bytes = 0;
    loop {
        let located = locate(context, &topic, request.partition, offset).await?;
        page.log_start_offset = located.log_start_offset;
        page.high_watermark = located.high_watermark;
        let runs: Vec<Run> = located.runs.iter().filter_map(Run::from_proto).collect();
        if runs.is_empty() {
            page.stop_at(None, Stop::End);
            return Ok(page);
        }
        for run in runs {
            if run.marker.is_some() {
                offset = offset.max(run.end_offset());
                continue;
            }
            let mut cursor = context
                .read_path
                .cursor_at_offset(&run, offset.max(run.base_offset))
                .await;
            let cursor = cursor.as_mut().map_err(|error| ReadError::from(error.clone()))?;
            loop {
                let batches = next_batches(cursor).await?;
                if batches.is_empty() {
                    break;
                }
                scanned_bytes += batches.iter().map(|(_, batch)| batch.bytes.len() as u64).sum::<u64>();
                page = search(page, batches, offset, request.key.clone()).await?;
                if page.is_stopped() {
                    return Ok(page);
                }
                offset = offset.max(cursor.place().offset);
                if offset < page.high_watermark {
                    if scanned_bytes >= MAX_SCAN_BYTES {
                        page.stop_at(Some(offset), Stop::Scanned);
                    } else if Instant::now() >= deadline {
                        page.stop_at(Some(offset), Stop::Time);
                    }
                    if page.is_stopped() {
                        return Ok(page);
                    }
                }
            }
        }
    }
}

/// Reads the next batches of a run, about as many bytes as a short run has; none at its end.
async fn next_batches(cursor: &mut RunCursor<'_>) -> Result<Vec<(i64, Batch)>, ReadError> {
    let (mut batches, mut bytes) = (Vec::new(), 0);
    while bytes < BATCHES_BYTES {
        let Some((base_offset, batch)) = cursor.next().await? else {
            break;
        };
        bytes += batch.bytes.len();
        batches.push((base_offset, batch));
    }
    Ok(batches)
}

/// Decompresses and compares on a blocking thread, away from those that serve clients.
async fn search(
    mut page: BrowsePage,
    batches: Vec<(i64, Batch)>,
    offset: i64,
    key: Option<Bytes>,
) -> Result<BrowsePage, BrowseError> {
    let searched = run_blocking(move || {
        for (base_offset, batch) in batches {
            if base_offset + i64::from(batch.header.last_offset_delta) < offset {
                continue;
            }
            matching::take_batch(&mut page, base_offset, &batch, offset, key.as_ref());
            if page.is_stopped() {
                break;
            }
        }
        page
    });
    searched
        .await
        .map_err(|error| BrowseError::Unavailable(error.to_string()))
}

async fn find_topic(context: &Context, request: &BrowseRequest) -> Result<Arc<Topic>, BrowseError> {
    let mut found = context.topics_by_name(&[&request.topic]).await?;
    let topic = found.pop().flatten().ok_or(BrowseError::UnknownTopic)?;
    if request.partition >= topic.partitions {
        let partitions = topic.partitions;
        return Err(BrowseError::UnknownPartition { partitions });
    }
    Ok(topic)
}

async fn first_offset(context: &Context, request: &BrowseRequest, topic: &Topic) -> Result<i64, BrowseError> {
    let find = |timestamp_ms| offset_lookup::find(context, topic.id, request.partition, timestamp_ms);
    let refused = |error_code| failed(error_code, 0, None);
    match request.position {
        Position::Offset(offset) => Ok(offset),
        Position::Earliest => find(offset_lookup::EARLIEST).await.map_err(refused),
        Position::Latest(records) => {
            let end = find(offset_lookup::LATEST).await.map_err(refused)?;
            let start = find(offset_lookup::EARLIEST).await.map_err(refused)?;
            Ok(start.max(end - i64::from(records)))
        }
        Position::Timestamp(timestamp_ms) => {
            // Negative values are Kafka's special positions.
            let found = find(timestamp_ms.max(0)).await.map_err(refused)?;
            if found >= 0 {
                return Ok(found);
            }
            // No record is that recent, so return the end, where there is none either.
            find(offset_lookup::LATEST).await.map_err(refused)
        }
    }
}

async fn locate(context: &Context, topic: &Topic, partition: u32, offset: i64) -> Result<proto::Located, BrowseError> {
    let cursor = proto::Cursor {
        topic_id: ids::to_rpc(topic.id),
        partition,
        offset,
        max_bytes: LOCATED_BYTES,
    };
    let question = proto::LocateRequest { cursors: vec![cursor] };
    let mut answer = context.metadata.locate(question, RPC_TIMEOUT).await?;
    let located = answer.located.pop().ok_or_else(|| {
        BrowseError::Unavailable("the metadata service's response does not match the request".to_owned())
    })?;
    let error_code = failure::code(located.error_code);
    if error_code.is_none() {
        return Ok(located);
    }
    Err(failed(error_code, offset, Some(&located)))
}

fn failed(error_code: ErrorCode, offset: i64, located: Option<&proto::Located>) -> BrowseError {
    match (error_code, located) {
        (ErrorCode::OFFSET_OUT_OF_RANGE, Some(located)) => BrowseError::OutOfRange {
            offset,
            log_start_offset: located.log_start_offset,
            high_watermark: located.high_watermark,
        },
        (ErrorCode::UNKNOWN_TOPIC_ID | ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, _) => BrowseError::UnknownTopic,
        (other, _) => BrowseError::Unavailable(format!("Kafka error code {}", other.0)),
    }
}
