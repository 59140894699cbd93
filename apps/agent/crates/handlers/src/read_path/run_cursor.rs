//! Iterates over the batches of a run from a given position, and reads no further than needed.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use penstock_metadata_client::cache::Run;
use penstock_store::{BlockCache, MIN_BLOCK_BYTES};
use penstock_wire::record_batch::{Batch, BatchError, HEADER_BYTES};

use super::ReadError;

/// A run up to this size is searched from its beginning; of a longer one, the places in the file are looked up.
pub(crate) const LONG_RUN_BYTES: u32 = 4 << 20;

/// Whether a run is too long to be searched from its beginning.
pub(crate) fn is_long(run: &Run) -> bool {
    run.bytes > LONG_RUN_BYTES
}

/// Where a batch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BatchStart {
    /// Within the file.
    pub(crate) position: u64,
    /// Of its first record.
    pub(crate) offset: i64,
}

impl BatchStart {
    pub(crate) fn of_run(run: &Run) -> Self {
        Self {
            position: run.position,
            offset: run.base_offset,
        }
    }
}

/// The reader's place in a run.
pub(crate) struct RunCursor<'a> {
    blocks: &'a Arc<BlockCache>,
    run: Run,
    next: BatchStart,
    /// Up to where `rest` reaches within the file.
    fetched: u64,
    rest: Rope,
}

impl<'a> RunCursor<'a> {
    pub(crate) fn new(blocks: &'a Arc<BlockCache>, run: Run, start: BatchStart) -> Self {
        Self {
            blocks,
            run,
            next: start,
            fetched: start.position,
            rest: Rope::default(),
        }
    }

    /// Where the next batch begins, or the run ends.
    pub(crate) fn place(&self) -> BatchStart {
        self.next
    }

    /// The next batch with its base offset.
    ///
    /// # Errors
    /// The file cannot be read, or the run is not what was committed. The cursor is of no further use.
    pub(crate) async fn next(&mut self) -> Result<Option<(i64, Batch)>, ReadError> {
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

    /// Takes the rest of the block, as far as it belongs to the run.
    async fn fetch(&mut self, end: u64) -> Result<(), ReadError> {
        let to = end.min((self.fetched / MIN_BLOCK_BYTES + 1) * MIN_BLOCK_BYTES);
        let (file_id, file_bytes) = (self.run.file_id, self.run.file_bytes);
        let slices = self.blocks.read(file_id, file_bytes, self.fetched, to - self.fetched);
        self.rest.0.extend(slices.await?);
        self.fetched = to;
        Ok(())
    }
}

/// Slices that belong together. A batch usually lies within one.
#[derive(Debug, Default)]
struct Rope(VecDeque<Bytes>);

impl Rope {
    /// The first batch; `Truncated` when it is not there as a whole.
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
                // Cut by the end of a block: is joined with as much of what follows as it needs.
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
