//! Whole batches out of runs, with their offsets set, as slices of what is cached.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use penstock_metadata_client::cache::Run;
use penstock_store::BlockCache;
use penstock_wire::record_batch::{Batch, BatchError};

use super::ReadError;

/// Batches in the form in which a consumer gets them.
#[derive(Debug, Default)]
pub struct ServedBatches {
    /// Per batch: the head with its offset, and the rest as it was produced.
    pub chunks: Vec<Bytes>,
    /// The sum of the chunks' lengths.
    pub bytes: usize,
    /// Records in them.
    pub records: u64,
    /// Offset behind the last of them.
    pub next_offset: i64,
    /// The latest timestamp of the last batch, as its producer set it.
    pub last_timestamp_ms: i64,
}

/// Reads from the runs (consecutive, in offset order) the batches that hold `offset` and what follows, as many as fit into
/// `max_bytes`; the first one also when it does not fit and `force_first`.
///
/// # Errors
/// Not even the first batch could be read. What was read before an error is returned without it.
pub async fn read_batches(
    blocks: &Arc<BlockCache>,
    runs: &[Run],
    offset: i64,
    max_bytes: usize,
    force_first: bool,
) -> Result<ServedBatches, ReadError> {
    let mut served = ServedBatches::default();
    for run in runs {
        let slices = match blocks
            .read(run.file_id, run.file_bytes, run.position, u64::from(run.bytes))
            .await
        {
            Ok(slices) => slices,
            Err(error) if served.chunks.is_empty() => return Err(error.into()),
            Err(_) => break,
        };
        match serve_run(run, slices, offset, max_bytes, force_first, &mut served) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if served.chunks.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(served)
}

/// Returns whether the whole run was taken.
fn serve_run(
    run: &Run,
    slices: Vec<Bytes>,
    offset: i64,
    max_bytes: usize,
    force_first: bool,
    served: &mut ServedBatches,
) -> Result<bool, ReadError> {
    for batch in batches_of(run, slices) {
        let (base_offset, batch) = batch?;
        if base_offset + i64::from(batch.header.last_offset_delta) < offset {
            continue;
        }
        let forced = force_first && served.chunks.is_empty();
        if served.bytes + batch.bytes.len() > max_bytes && !forced {
            return Ok(false);
        }
        served.bytes += batch.bytes.len();
        served.records += u64::from(batch.header.records_count.unsigned_abs());
        served.next_offset = base_offset + i64::from(batch.header.last_offset_delta) + 1;
        served.last_timestamp_ms = batch.header.max_timestamp_ms;
        served.chunks.extend(batch.served(base_offset));
    }
    Ok(true)
}

/// The batches of a run with their base offsets. Ends with an error if the run is not what was committed.
pub(crate) fn batches_of(run: &Run, slices: Vec<Bytes>) -> impl Iterator<Item = Result<(i64, Batch), ReadError>> {
    let mut rest = Rope(slices.into());
    let mut next_offset = run.base_offset;
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed || (rest.is_empty() && next_offset == run.end_offset()) {
            return None;
        }
        let taken = rest
            .take_batch()
            .map_err(|error| ReadError::batch(run, &error))
            .and_then(|batch| {
                let base_offset = next_offset;
                next_offset += i64::from(batch.header.last_offset_delta) + 1;
                if batch.header.last_offset_delta < 0 || next_offset > run.end_offset() {
                    return Err(ReadError::damaged(
                        run,
                        "the batches hold more records than were committed".to_owned(),
                    ));
                }
                Ok((base_offset, batch))
            });
        failed = taken.is_err();
        Some(taken)
    })
}

/// Slices that belong together. A batch usually lies within one.
struct Rope(VecDeque<Bytes>);

impl Rope {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take_batch(&mut self) -> Result<Batch, BatchError> {
        loop {
            let Some(front) = self.0.front_mut() else {
                return Err(BatchError::Invalid("the run ends before its last record"));
            };
            match Batch::split_off(front) {
                Ok(batch) => {
                    if front.is_empty() {
                        self.0.pop_front();
                    }
                    return Ok(batch);
                }
                // Cut by the end of a block: joins it with what follows.
                Err(BatchError::Truncated { .. }) if self.0.len() > 1 => self.join_front(),
                Err(error) => return Err(error),
            }
        }
    }

    fn join_front(&mut self) {
        if let (Some(first), Some(second)) = (self.0.pop_front(), self.0.pop_front()) {
            let mut joined = BytesMut::with_capacity(first.len() + second.len());
            joined.extend_from_slice(&first);
            joined.extend_from_slice(&second);
            self.0.push_front(joined.freeze());
        }
    }
}
