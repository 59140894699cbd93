//! Reads whole batches from runs and sets their offsets, as slices of cached blocks.

use bytes::Bytes;
use penstock_metadata_client::cache::{Marker, Run};
use penstock_wire::record_batch::{Batch, EndMarker};

use super::run_cursor::is_long;
use super::{ReadError, ReadPath};

/// Batches in the form that consumers receive.
#[derive(Debug, Default)]
pub struct ServedBatches {
    /// For each batch, the head with its offset, and the rest as produced.
    pub chunks: Vec<Bytes>,
    /// Total length of the chunks, in bytes.
    pub bytes: usize,
    /// Number of records; the end of a transaction counts as one.
    pub records: u64,
    /// Offset after the last batch.
    pub next_offset: i64,
    /// Largest timestamp of the last batch of records, as set by its producer.
    pub last_timestamp_ms: i64,
}

impl ServedBatches {
    /// Returns true if there is only a batch without records, as compaction leaves them.
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

/// The limits on what one partition may send.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Total size of all batches, in bytes.
    pub bytes: usize,
    /// Maximum size of the first batch, regardless of `bytes`.
    pub first_batch_bytes: usize,
    /// Batches from this offset on are omitted.
    pub end_offset: i64,
}

impl Limit {
    /// Returns true if a batch at this offset fits after those served so far.
    fn admits(self, served: &ServedBatches, base_offset: i64, batch: &Batch) -> bool {
        let most = if served.chunks.is_empty() {
            self.bytes.max(self.first_batch_bytes)
        } else {
            self.bytes
        };
        base_offset < self.end_offset && served.bytes + batch.bytes.len() <= most
    }
}

/// Reads the batches from `offset` on from consecutive runs in offset order, within the limit. Skips batches without
/// records: consumers do not need them, and kafkajs cannot get past them. Only if no records follow, serves the last
/// one.
///
/// # Errors
/// Returns an error if not even the first batch could be read. Later errors end the result early.
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

/// Returns true if the whole run was served.
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
