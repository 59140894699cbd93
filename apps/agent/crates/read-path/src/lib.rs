//! Reads record batches by partition and offset: locates them, reads them through the cache, and limits them to the
//! requested sizes.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[cfg(test)]
mod backlog_tests;
mod block_check;
#[cfg(test)]
mod long_run_tests;
mod places;
mod portion;
mod run_cursor;
mod run_reader;
mod share;
mod stretch_window;

use std::sync::Arc;

use penstock_metadata_client::cache::Run;
use penstock_store::{BlockCache, FileRange, MIN_BLOCK_BYTES, Objects, StoreError};
use penstock_wire::record_batch::BatchError;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use block_check::{BlockDamage, check_block};
use places::Places;
pub use portion::{Portion, Stretch, portions};
pub use run_cursor::{BatchStart, RunCursor, is_long};
pub use run_reader::{Limit, ServedBatches, read_batches};
pub use share::Share;
pub use stretch_window::StretchWindow;

/// Why records cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Object storage failed, or the file does not exist.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bytes exist but differ from what was committed.
    #[error("data file {file_id} at byte {position} is not what was committed: {reason}")]
    Damaged {
        /// The id of the file.
        file_id: uuid::Uuid,
        /// The position in the file.
        position: u64,
        /// The reason why the data is invalid.
        reason: String,
    },
}

impl ReadError {
    fn damaged(run: &Run, reason: String) -> Self {
        Self::Damaged {
            file_id: run.file_id,
            position: run.position,
            reason,
        }
    }

    /// The error for an unreadable batch of the run.
    #[must_use]
    pub fn batch(run: &Run, error: &BatchError) -> Self {
        Self::damaged(run, error.to_string())
    }
}

/// The read path of the agent.
pub struct ReadPath {
    /// Cached blocks of data files.
    pub blocks: Arc<BlockCache>,
    places: Places,
    /// Memory for responses until they are sent.
    answers: Arc<Semaphore>,
}

impl ReadPath {
    /// Creates a read path. Responses in transit hold at most `answer_bytes`, and one batch per additional consumer.
    #[must_use]
    pub fn new(objects: Arc<Objects>, blocks: Arc<BlockCache>, answer_bytes: usize) -> Self {
        Self {
            blocks,
            places: Places::new(objects),
            answers: Arc::new(Semaphore::new(answer_bytes)),
        }
    }

    /// Reserves memory for a response of at most `wanted_bytes`: all, part or none of it, depending on other responses.
    /// Never waits: a consumer that gets less asks again, and one that does not read must not block others.
    pub fn reserve(&self, wanted_bytes: u32) -> (u32, Option<OwnedSemaphorePermit>) {
        let mut bytes = wanted_bytes;
        while bytes > 0 {
            if let Ok(permit) = Arc::clone(&self.answers).try_acquire_many_owned(bytes) {
                return (bytes, Some(permit));
            }
            bytes /= 4;
        }
        (0, None)
    }

    /// Returns a cursor at the batch that contains `offset`, or shortly before it.
    ///
    /// # Errors
    /// Returns an error if the places of the file cannot be read.
    pub async fn cursor_at_offset(&self, run: &Run, offset: i64) -> Result<RunCursor<'_>, StoreError> {
        let start = match self.known_start(run, offset) {
            Some(known) => known,
            None => self.places.before_offset(run, offset).await?,
        };
        Ok(RunCursor::new(&self.blocks, *run, start))
    }

    /// Returns a cursor such that no earlier record of the run has this timestamp or a later one.
    ///
    /// # Errors
    /// Returns an error if the places of the file cannot be read.
    pub async fn cursor_at_timestamp(&self, run: &Run, timestamp_ms: i64) -> Result<RunCursor<'_>, StoreError> {
        let start = if is_long(run) {
            self.places.before_timestamp(run, timestamp_ms).await?
        } else {
            BatchStart::of_run(run)
        };
        Ok(RunCursor::new(&self.blocks, *run, start))
    }

    /// Where to start reading for `offset`, if that is known without I/O.
    fn known_start(&self, run: &Run, offset: i64) -> Option<BatchStart> {
        if offset <= run.base_offset {
            return Some(BatchStart::of_run(run));
        }
        // A short run is searched from its beginning.
        let of_run = (!is_long(run)).then(|| BatchStart::of_run(run));
        self.places.remembered(run, offset).or(of_run)
    }

    /// The file position at which to start reading for `offset`, as far as it is known without I/O.
    pub fn known_position(&self, run: &Run, offset: i64) -> u64 {
        self.known_start(run, offset)
            .map_or(run.position, |start| start.position)
    }

    /// Returns true if the data from `offset` in the run is cached.
    pub fn is_in_memory(&self, run: &Run, offset: i64) -> bool {
        self.known_start(run, offset)
            .is_some_and(|start| self.blocks.holds(run.file_id, run.file_bytes, start.position))
    }

    /// The file range from which about `wanted_bytes` are read for `offset`, if known.
    pub fn known_range(&self, run: &Run, offset: i64, wanted_bytes: usize) -> Option<FileRange> {
        let end = run.position + u64::from(run.bytes);
        let start = self.known_start(run, offset)?.position;
        Some(FileRange {
            file_id: run.file_id,
            file_bytes: run.file_bytes,
            start,
            end: end.min(start + (wanted_bytes as u64).max(1)),
        })
    }

    /// Starts loading these ranges, adjacent ones in one request.
    pub fn load_together(&self, mut ranges: Vec<FileRange>) {
        ranges.sort_unstable_by_key(|range| (range.file_id, range.start));
        let mut ranges = ranges.into_iter().peekable();
        while let Some(FileRange {
            file_id,
            file_bytes,
            start,
            mut end,
        }) = ranges.next()
        {
            let adjoins = |next: &FileRange, end: u64| {
                next.file_id == file_id && next.start / MIN_BLOCK_BYTES <= end / MIN_BLOCK_BYTES
            };
            while let Some(next) = ranges.next_if(|next| adjoins(next, end)) {
                end = end.max(next.end);
            }
            self.blocks.begin_loading(file_id, file_bytes, start..end);
        }
    }

    fn begin_loading(&self, run: &Run, position: u64, wanted_bytes: usize) {
        let end = (run.position + u64::from(run.bytes)).min(position + (wanted_bytes as u64).max(1));
        self.blocks.begin_loading(run.file_id, run.file_bytes, position..end);
    }

    /// Remembers where a reader of a run stopped, because it will continue there.
    fn remember(&self, run: &Run, place: BatchStart) {
        self.places.remember(run, place);
    }

    /// Starts loading what a scanning reader needs after the block at `position`.
    fn read_ahead(&self, run: &Run, position: u64) {
        let next_block = (position / MIN_BLOCK_BYTES + 1) * MIN_BLOCK_BYTES;
        let end = run.position + u64::from(run.bytes);
        self.blocks.read_ahead(run.file_id, run.file_bytes, next_block, end);
    }
}
