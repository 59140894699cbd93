//! Where to start reading in a run: where an earlier response ended or, in a long run, the nearest entry of the file's place index.
use std::sync::Arc;

use parking_lot::Mutex;
use penstock_metadata_client::cache::Run;
use penstock_store::{ClockMap, Objects, Place, PlaceCache, StoreError};
use uuid::Uuid;

use super::run_cursor::BatchStart;

/// Number of readers whose position is remembered.
const REMEMBERED: usize = 16_384;

/// The file, the end of the run in it (its start moves when records are deleted), and the offset.
type Key = (Uuid, u64, i64);

/// Known positions within runs.
pub(super) struct Places {
    files: PlaceCache,
    remembered: Mutex<ClockMap<Key, u64>>,
}

impl Places {
    pub(super) fn new(objects: Arc<Objects>) -> Self {
        Self {
            files: PlaceCache::new(objects),
            remembered: Mutex::new(ClockMap::new(REMEMBERED)),
        }
    }

    /// Remembers where the next read of this run will start.
    pub(super) fn remember(&self, run: &Run, place: BatchStart) {
        let mut remembered = self.remembered.lock();
        remembered.insert(key(run, place.offset), place.position, 1);
    }

    pub(super) fn remembered(&self, run: &Run, offset: i64) -> Option<BatchStart> {
        let mut remembered = self.remembered.lock();
        let position = *remembered.get(&key(run, offset))?;
        Some(BatchStart { position, offset })
    }

    /// Returns the last known place at or before `offset`.
    pub(super) async fn before_offset(&self, run: &Run, offset: i64) -> Result<BatchStart, StoreError> {
        self.last_place(run, |place| place.offset <= offset).await
    }

    /// Returns the last known place before which no record of the run has this timestamp or a later one.
    pub(super) async fn before_timestamp(&self, run: &Run, timestamp_ms: i64) -> Result<BatchStart, StoreError> {
        self.last_place(run, |place| place.max_timestamp_before_ms < timestamp_ms)
            .await
    }

    /// Returns the last place of the run that is early enough. Offsets and largest timestamps ascend within a run.
    async fn last_place(&self, run: &Run, is_early: impl Fn(&Place) -> bool) -> Result<BatchStart, StoreError> {
        let places = self.files.of_file(run.file_id, run.file_bytes).await?;
        let first = places.partition_point(|place| place.position < run.position);
        let end = run.position + u64::from(run.bytes);
        let of_run = &places[first..places.partition_point(|place| place.position < end).max(first)];
        let early = &of_run[..of_run.partition_point(is_early)];
        // Places that contradict the owner's index are ignored.
        let believable = early
            .last()
            .filter(|place| (run.base_offset..run.end_offset()).contains(&place.offset));
        Ok(believable.map_or(BatchStart::of_run(run), |place| BatchStart {
            position: place.position,
            offset: place.offset,
        }))
    }
}

fn key(run: &Run, offset: i64) -> Key {
    (run.file_id, run.position + u64::from(run.bytes), offset)
}
