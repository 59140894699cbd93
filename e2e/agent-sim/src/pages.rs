//! Reads a partition page by page, with one request each.

use penstock_wire::ErrorCode;
use penstock_wire::messages::fetch::{AbortedTransaction, FetchPartition, FetchTopic};
use penstock_wire::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use penstock_wire::messages::{FetchRequest, ListOffsetsRequest};

use crate::client::Client;
use crate::readers::Isolation;
use crate::records::{ReadBatch, ReadRecord, decode};

const FETCH_VERSION: i16 = 11;
const EARLIEST: i64 = -2;

/// A part of a partition.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The records that the reader is given.
    pub(crate) records: Vec<ReadRecord>,
    pub(crate) next: i64,
    /// Nothing at or beyond this offset may be read: the high watermark or the last stable offset. `None`: the agent does
    /// not know it, as it cannot reach the service.
    pub(crate) bound: Option<i64>,
}

/// Why there is no page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoPage {
    /// A failure that clients must expect.
    Later,
    OutOfRange,
    /// A guarantee that is broken.
    Fault(String),
}

/// Fetches from an offset of a partition.
pub(crate) async fn fetch(
    client: &mut Client,
    (topic, partition): (&str, i32),
    offset: i64,
    isolation: Isolation,
) -> Result<Page, NoPage> {
    let request = FetchRequest {
        max_wait_ms: 500,
        min_bytes: 1,
        max_bytes: 1 << 20,
        isolation_level: i8::from(isolation == Isolation::Committed),
        topics: vec![FetchTopic {
            topic: topic.to_owned(),
            partitions: vec![FetchPartition {
                partition,
                fetch_offset: offset,
                partition_max_bytes: 1 << 20,
                ..Default::default()
            }],
            ..Default::default()
        }],
        ..Default::default()
    };
    let response = client.call(&request, FETCH_VERSION).await.map_err(|_| NoPage::Later)?;
    let data = response.responses.into_iter().flat_map(|topic| topic.partitions).next();
    let data = data.ok_or(NoPage::Later)?;
    match data.error_code {
        ErrorCode::NONE => {}
        ErrorCode::OFFSET_OUT_OF_RANGE => return Err(NoPage::OutOfRange),
        code if code.is_retriable() || code == ErrorCode::KAFKA_STORAGE_ERROR => {
            client.reconnect();
            return Err(NoPage::Later);
        }
        code => {
            let name = code.name();
            return Err(NoPage::Fault(format!("{topic}/{partition}: fetch at {offset}: {name}")));
        }
    }
    let batches =
        decode(&data.records.0).map_err(|error| NoPage::Fault(format!("{topic}/{partition}: at {offset}: {error}")))?;
    let bound = match isolation {
        Isolation::Uncommitted => data.high_watermark,
        Isolation::Committed => data.last_stable_offset,
    };
    let bound = (bound >= 0).then_some(bound);
    let mut page = Page {
        records: Vec::new(),
        next: offset,
        bound,
    };
    let mut last = offset - 1;
    for (batch, is_dropped) in marked(batches, data.aborted_transactions.unwrap_or_default()) {
        if let Some(bound) = bound.filter(|bound| batch.end_offset > *bound) {
            let end = batch.end_offset;
            return Err(NoPage::Fault(format!("{topic}/{partition}: {end} is beyond {bound}")));
        }
        for record in batch.records.into_iter().filter(|record| record.offset >= offset) {
            if record.offset <= last {
                let found = record.offset;
                return Err(NoPage::Fault(format!("{topic}/{partition}: {found} follows {last}")));
            }
            last = record.offset;
            if !is_dropped {
                page.records.push(record);
            }
        }
        page.next = page.next.max(batch.end_offset);
    }
    Ok(page)
}

/// The batches, and whether a reader of committed records drops them.
fn marked(batches: Vec<ReadBatch>, mut aborted: Vec<AbortedTransaction>) -> Vec<(ReadBatch, bool)> {
    aborted.sort_by_key(|range| range.first_offset);
    let mut aborted = aborted.into_iter().peekable();
    let mut dropping: Vec<i64> = Vec::new();
    let mut marked = Vec::new();
    for batch in batches {
        while let Some(range) = aborted.next_if(|range| range.first_offset < batch.end_offset) {
            dropping.push(range.producer_id);
        }
        if batch.is_control && batch.is_abort {
            dropping.retain(|id| *id != batch.producer_id);
        }
        let is_dropped = batch.is_transactional && !batch.is_control && dropping.contains(&batch.producer_id);
        marked.push((batch, is_dropped));
    }
    marked
}

/// Asks for the first offset of a partition.
pub(crate) async fn earliest(client: &mut Client, (topic, partition): (&str, i32)) -> Option<i64> {
    let request = ListOffsetsRequest {
        replica_id: -1,
        topics: vec![ListOffsetsTopic {
            name: topic.to_owned(),
            partitions: vec![ListOffsetsPartition {
                partition_index: partition,
                timestamp: EARLIEST,
                ..Default::default()
            }],
        }],
        ..Default::default()
    };
    let response = client.call(&request, 5).await.ok()?;
    let answer = response.topics.into_iter().flat_map(|topic| topic.partitions).next()?;
    match answer.error_code {
        ErrorCode::NONE => Some(answer.offset),
        _ => {
            client.reconnect();
            None
        }
    }
}
