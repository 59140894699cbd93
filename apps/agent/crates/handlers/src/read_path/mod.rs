//! From (partition, offset) to record batches: where they lie, reading them through the cache, and cutting them to the sizes
//! that a consumer asked for.

#[cfg(test)]
mod backlog_tests;
mod file_window;
mod run_reader;
mod share;

use std::sync::Arc;

use penstock_metadata_client::cache::Run;
use penstock_store::{BlockCache, StoreError};
use penstock_wire::record_batch::BatchError;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use file_window::FileWindow;
pub(crate) use run_reader::batches_of;
pub use run_reader::{ServedBatches, read_batches};
pub use share::Share;

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
    /// Bytes that answers may hold until they are on the network.
    answers: Arc<Semaphore>,
}

impl ReadPath {
    /// Answers on their way to consumers hold at most `answer_bytes`, and one batch for each further consumer.
    #[must_use]
    pub fn new(blocks: Arc<BlockCache>, answer_bytes: usize) -> Self {
        Self {
            blocks,
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
}
