//! Iterates over the batches of a run from a given position, and reads no further than needed.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use penstock_metadata_client::cache::Run;
use penstock_store::{BlockCache, MIN_BLOCK_BYTES};
use penstock_wire::record_batch::{Batch, BatchError, HEADER_BYTES};

use super::ReadError;

/// Maximum size of a run that is searched from its beginning. For longer ones, the places in the file are used.
pub const LONG_RUN_BYTES: u32 = 4 << 20;

/// Returns true if a run is too long to search from its beginning.
pub fn is_long(run: &Run) -> bool {
    run.bytes > LONG_RUN_BYTES
}

/// Where a batch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchStart {
    /// Position of the batch in the file.
    pub position: u64,
    /// Offset of the first record.
    pub offset: i64,
}

impl BatchStart {
    /// The start of a run's first batch.
    #[must_use]
    pub fn of_run(run: &Run) -> Self {
        Self {
            position: run.position,
            offset: run.base_offset,
        }
    }
}

/// A reader's position in a run.
pub struct RunCursor<'a> {
    blocks: &'a Arc<BlockCache>,
    run: Run,
    next: BatchStart,
    /// File position up to which `rest` extends.
    fetched: u64,
    rest: Rope,
}

impl<'a> RunCursor<'a> {
    /// Creates a cursor that reads `run` from `start`.
    #[must_use]
    pub fn new(blocks: &'a Arc<BlockCache>, run: Run, start: BatchStart) -> Self {
        Self {
            blocks,
            run,
            next: start,
            fetched: start.position,
            rest: Rope::default(),
        }
    }

    /// The start of the next batch, or the end of the run.
    pub fn place(&self) -> BatchStart {
        self.next
    }

    /// Returns the next batch and its base offset.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or the run differs from what was committed. The cursor is then
    /// unusable.
    pub async fn next(&mut self) -> Result<Option<(i64, Batch)>, ReadError> {
        let end = self.run.position + u64::from(self.run.bytes);
        if self.next.position == end && self.next.offset == self.run.end_offset() {
            return Ok(None);
        }
        let batch = loop {
            match self.rest.take_batch() {
                Ok(batch) => break batch,
                Err(BatchError::Truncated { .. }) if self.fetched < end => self.fetch(end).await?,
                Err(error) => return Err(ReadError::batch(&self.run, &error)),
            }
        };
        let base_offset = self.next.offset;
        let next_offset = base_offset + i64::from(batch.header.last_offset_delta) + 1;
        if batch.header.last_offset_delta < 0 || next_offset > self.run.end_offset() {
            return Err(ReadError::damaged(
                &self.run,
                "the batches hold more records than were committed".to_owned(),
            ));
        }
        self.next = BatchStart {
            position: self.next.position + batch.bytes.len() as u64,
            offset: next_offset,
        };
        Ok(Some((base_offset, batch)))
    }

    /// Adds the rest of the block, up to the end of the run.
    async fn fetch(&mut self, end: u64) -> Result<(), ReadError> {
        let to = end.min((self.fetched / MIN_BLOCK_BYTES + 1) * MIN_BLOCK_BYTES);
        let (file_id, file_bytes) = (self.run.file_id, self.run.file_bytes);
        let slices = self.blocks.read(file_id, file_bytes, self.fetched, to - self.fetched);
        self.rest.0.extend(slices.await?);
        self.fetched = to;
        Ok(())
    }
}

/// Consecutive slices. A batch is usually within one.
#[derive(Debug, Default)]
struct Rope(VecDeque<Bytes>);

impl Rope {
    /// Takes the first batch, or returns `Truncated` if it is incomplete.
    fn take_batch(&mut self) -> Result<Batch, BatchError> {
        loop {
            let Some(front) = self.0.front_mut() else {
                return Err(BatchError::Truncated {
                    needed: HEADER_BYTES,
                    remaining: 0,
                });
            };
            match Batch::split_off(front) {
                Ok(batch) => {
                    if front.is_empty() {
                        self.0.pop_front();
                    }
                    return Ok(batch);
                }
                // A batch split by the end of a block is joined with as many following bytes as it needs.
                Err(BatchError::Truncated { needed, .. }) if self.0.len() > 1 => self.lengthen_front(needed),
                Err(error) => return Err(error),
            }
        }
    }

    fn lengthen_front(&mut self, bytes: usize) {
        let mut joined = BytesMut::with_capacity(bytes);
        while joined.len() < bytes {
            let Some(mut piece) = self.0.pop_front() else { break };
            let taken = piece.split_to(piece.len().min(bytes - joined.len()));
            joined.extend_from_slice(&taken);
            if !piece.is_empty() {
                self.0.push_front(piece);
            }
        }
        self.0.push_front(joined.freeze());
    }
}
