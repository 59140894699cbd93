//! Whole batches out of runs, with their offsets set, as slices of what is cached.

use bytes::Bytes;
use penstock_metadata_client::cache::{Marker, Run};
use penstock_wire::record_batch::{Batch, EndMarker};

use super::run_cursor::is_long;
use super::{ReadError, ReadPath};

/// Batches in the form in which a consumer gets them.
#[derive(Debug, Default)]
pub struct ServedBatches {
    /// Per batch: the head with its offset, and the rest as it was produced.
    pub chunks: Vec<Bytes>,
    /// The sum of the chunks' lengths.
    pub bytes: usize,
    /// Records in them; the end of a transaction counts as one.
    pub records: u64,
    /// Offset behind the last of them.
    pub next_offset: i64,
    /// The latest timestamp of the last batch of records, as its producer set it.
    pub last_timestamp_ms: i64,
}

impl ServedBatches {
    /// Whether all that is there is a batch without records, as compaction leaves them.
    #[must_use]
    pub fn is_hole(&self) -> bool {
        !self.chunks.is_empty() && self.records == 0
    }

    fn push(&mut self, base_offset: i64, batch: &Batch) {
        self.bytes += batch.bytes.len();
        self.records += u64::from(batch.header.records_count.unsigned_abs());
        self.next_offset = base_offset + i64::from(batch.header.last_offset_delta) + 1;
        if !batch.header.is_control() {
            self.last_timestamp_ms = batch.header.max_timestamp_ms;
        }
        self.chunks.extend(batch.served(base_offset));
    }
}

/// How much one partition may send.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// All batches together.
    pub bytes: usize,
    /// The first batch may be as large as this, whatever `bytes` says.
    pub first_batch_bytes: usize,
    /// Batches from this offset on are left out.
    pub end_offset: i64,
}

impl Limit {
    /// Whether a batch at this offset fits behind what is served so far.
    fn admits(self, served: &ServedBatches, base_offset: i64, batch: &Batch) -> bool {
        let most = if served.chunks.is_empty() {
            self.bytes.max(self.first_batch_bytes)
        } else {
            self.bytes
        };
        base_offset < self.end_offset && served.bytes + batch.bytes.len() <= most
    }
}

/// Reads from the runs (consecutive, in offset order) the batches that hold `offset` and what follows, within the limit. Batches without
/// records are passed over: a consumer needs none to get on to the records behind them, and kafkajs does not get on with them. Only where
/// no records follow, the last of them is served.
///
/// # Errors
/// Not even the first batch could be read. What was read before an error is returned without it.
pub async fn read_batches(
    read_path: &ReadPath,
    runs: &[Run],
    offset: i64,
    limit: Limit,
) -> Result<ServedBatches, ReadError> {
    let (mut served, mut hole) = (ServedBatches::default(), None);
    for run in runs {
        if !served.chunks.is_empty() && served.bytes >= limit.bytes {
            break;
        }
        match serve_run(read_path, run, offset, limit, &mut served, &mut hole).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if served.chunks.is_empty() && hole.is_none() => return Err(error),
            Err(_) => break,
        }
    }
    if let (true, Some((base_offset, batch))) = (served.chunks.is_empty(), hole) {
        served.push(base_offset, &batch);
    }
    Ok(served)
}

/// The batch that a consumer gets for the end of a transaction.
fn batch_of(marker: &Marker) -> Batch {
    let marker = EndMarker {
        producer_id: marker.producer_id,
        producer_epoch: marker.producer_epoch,
        is_commit: marker.is_commit,
        timestamp_ms: marker.timestamp_ms,
    };
    marker.batch()
}

/// Returns whether the whole run was taken.
async fn serve_run(
    read_path: &ReadPath,
    run: &Run,
    offset: i64,
    limit: Limit,
    served: &mut ServedBatches,
    hole: &mut Option<(i64, Batch)>,
) -> Result<bool, ReadError> {
    if let Some(marker) = &run.marker {
        let batch = batch_of(marker);
        let is_admitted = limit.admits(served, run.base_offset, &batch);
        if is_admitted {
            served.push(run.base_offset, &batch);
        }
        return Ok(is_admitted);
    }
    let wanted_offset = offset.max(run.base_offset);
    let mut cursor = read_path.cursor_at_offset(run, wanted_offset).await?;
    let from = cursor.place();
    let scans = from.offset == wanted_offset;
    if is_long(run) {
        read_path.begin_loading(run, from.position, limit.bytes - served.bytes.min(limit.bytes));
    }
    let mut place = from;
    let whole = loop {
        let Some((base_offset, batch)) = cursor.next().await? else {
            break true;
        };
        if base_offset + i64::from(batch.header.last_offset_delta) < offset {
            place = cursor.place();
            continue;
        }
        if base_offset >= limit.end_offset {
            break false;
        }
        if batch.header.records_count == 0 {
            place = cursor.place();
            *hole = Some((base_offset, batch));
            continue;
        }
        if !limit.admits(served, base_offset, &batch) {
            break false;
        }
        place = cursor.place();
        served.push(base_offset, &batch);
    };
    read_path.blocks.note_served(run.file_id, from.position..place.position);
    if is_long(run) || !whole {
        read_path.remember(run, place);
    }
    if is_long(run) && scans {
        read_path.read_ahead(run, place.position);
    }
    Ok(whole)
}
