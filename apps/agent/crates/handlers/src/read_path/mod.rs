//! From (partition, offset) to record batches: where they lie, reading them through the cache, and cutting them to the sizes
//! that a consumer asked for.

#[cfg(test)]
mod backlog_tests;
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

use places::Places;
pub(crate) use portion::{Portion, portions};
use run_cursor::BatchStart;
pub(crate) use run_cursor::{RunCursor, is_long};
pub use run_reader::{Limit, ServedBatches, read_batches};
pub use share::Share;
pub(crate) use stretch_window::StretchWindow;

/// Record bytes cannot be served.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Object storage failed, or the file is not there.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bytes are there, but are not what was committed.
    #[error("data file {file_id} at byte {position} is not what was committed: {reason}")]
    Damaged {
        /// The file.
        file_id: uuid::Uuid,
        /// Where in it.
        position: u64,
        /// What is wrong.
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

    pub(crate) fn batch(run: &Run, error: &BatchError) -> Self {
        Self::damaged(run, error.to_string())
    }
}

/// The read path of the agent.
pub struct ReadPath {
    /// Blocks of data files.
    pub blocks: Arc<BlockCache>,
    places: Places,
    /// Bytes that answers may hold until they are on the network.
    answers: Arc<Semaphore>,
}

impl ReadPath {
    /// Answers on their way to consumers hold at most `answer_bytes`, and one batch for each further consumer.
    #[must_use]
    pub fn new(objects: Arc<Objects>, blocks: Arc<BlockCache>, answer_bytes: usize) -> Self {
        Self {
            blocks,
            places: Places::new(objects),
            answers: Arc::new(Semaphore::new(answer_bytes)),
        }
    }

    /// Memory for an answer of at most `wanted_bytes`: all of it, or a part, or none when other answers hold it all. Never
    /// waits: a consumer that gets less asks again, and one that does not read must not hold up the others.
    pub(crate) fn reserve(&self, wanted_bytes: u32) -> (u32, Option<OwnedSemaphorePermit>) {
        let mut bytes = wanted_bytes;
        while bytes > 0 {
            if let Ok(permit) = Arc::clone(&self.answers).try_acquire_many_owned(bytes) {
                return (bytes, Some(permit));
            }
            bytes /= 4;
        }
        (0, None)
    }

    /// A cursor at the batch that holds `offset`, or not far before it.
    ///
    /// # Errors
    /// The places of the file could not be read.
    pub(crate) async fn cursor_at_offset(&self, run: &Run, offset: i64) -> Result<RunCursor<'_>, StoreError> {
        let start = match self.known_start(run, offset) {
            Some(known) => known,
            None => self.places.before_offset(run, offset).await?,
        };
        Ok(RunCursor::new(&self.blocks, *run, start))
    }

    /// A cursor before which no record of the run has this timestamp or a later one.
    ///
    /// # Errors
    /// The places of the file could not be read.
    pub(crate) async fn cursor_at_timestamp(&self, run: &Run, timestamp_ms: i64) -> Result<RunCursor<'_>, StoreError> {
        let start = if is_long(run) {
            self.places.before_timestamp(run, timestamp_ms).await?
        } else {
            BatchStart::of_run(run)
        };
        Ok(RunCursor::new(&self.blocks, *run, start))
    }

    /// Where reading at `offset` begins, if that is known without reading anything.
    fn known_start(&self, run: &Run, offset: i64) -> Option<BatchStart> {
        if offset <= run.base_offset {
            return Some(BatchStart::of_run(run));
        }
        // A short run is searched from its beginning.
        let of_run = (!is_long(run)).then(|| BatchStart::of_run(run));
        self.places.remembered(run, offset).or(of_run)
    }

    /// Where in the file reading at `offset` begins, as far as that is known without reading anything.
    pub(crate) fn known_position(&self, run: &Run, offset: i64) -> u64 {
        self.known_start(run, offset)
            .map_or(run.position, |start| start.position)
    }

    /// Whether what follows `offset` in the run is in memory.
    pub(crate) fn is_in_memory(&self, run: &Run, offset: i64) -> bool {
        self.known_start(run, offset)
            .is_some_and(|start| self.blocks.holds(run.file_id, run.file_bytes, start.position))
    }

    /// The bytes of the file from which about `wanted_bytes` are read at `offset`, if that is known.
    pub(crate) fn known_range(&self, run: &Run, offset: i64, wanted_bytes: usize) -> Option<FileRange> {
        let end = run.position + u64::from(run.bytes);
        let start = self.known_start(run, offset)?.position;
        Some(FileRange {
            file_id: run.file_id,
            file_bytes: run.file_bytes,
            start,
            end: end.min(start + (wanted_bytes as u64).max(1)),
        })
    }

    /// Begins to load these ranges, and those that lie together with one request.
    pub(crate) fn load_together(&self, mut ranges: Vec<FileRange>) {
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

    /// Keeps where a reader of a run has got to: it will go on there.
    fn remember(&self, run: &Run, place: BatchStart) {
        self.places.remember(run, place);
    }

    /// Begins to load what a reader who scans the run will want when it is through with the block at `position`.
    fn read_ahead(&self, run: &Run, position: u64) {
        let next_block = (position / MIN_BLOCK_BYTES + 1) * MIN_BLOCK_BYTES;
        let end = run.position + u64::from(run.bytes);
        self.blocks.read_ahead(run.file_id, run.file_bytes, next_block, end);
    }
}
