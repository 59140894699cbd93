//! Reads landed files: from the copy in the agent's own zone if there is one, else from another.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::Objects;
use super::landed_put::late_after;
use crate::buffer_pool::BufferPool;
use crate::error::StoreError;
use crate::landing::{Landing, LandingPlace};

impl Objects {
    /// Reads a range from the first copy that responds. Tries another bucket if one lacks the file, fails or is late.
    pub(super) async fn get_landed(
        &self,
        landing: &Landing,
        buffers: &Arc<BufferPool>,
        file_id: Uuid,
        range: Range<u64>,
    ) -> Result<Vec<Bytes>, StoreError> {
        let hedge_delay = late_after(range.end - range.start);
        let mut untried = landing.sources_of(file_id).into_iter();
        let mut attempts = FuturesUnordered::new();
        let start = |place| self.get_copy(place, buffers, file_id, range.clone());
        attempts.extend(untried.by_ref().take(1).map(start));
        let mut late_at = Instant::now() + hedge_delay;
        let mut failure = None;
        while !attempts.is_empty() {
            tokio::select! {
                Some((place, read)) = attempts.next() => {
                    let is_first = untried.len() + 1 == landing.places().len();
                    match read {
                        Ok(chunks) => return Ok(chunks),
                        Err(StoreError::NotFound(_)) if is_first => {
                            self.counters.landing_misses.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(StoreError::NotFound(_)) => {}
                        Err(error) => {
                            self.counters.landing_get_errors.fetch_add(1, Ordering::Relaxed);
                            if !matches!(error, StoreError::Truncated { .. }) {
                                place.note_failed(&self.counters.last_errors, &error.to_string());
                            }
                            failure = Some(error);
                        }
                    }
                }
                () = sleep_until(late_at), if untried.len() > 0 => {}
            }
            attempts.extend(untried.by_ref().take(1).map(start));
            late_at = Instant::now() + hedge_delay;
        }
        // After a failure, a copy may exist in a bucket that could not be reached.
        Err(failure.unwrap_or(StoreError::NotFound(file_id)))
    }

    async fn get_copy<'a>(
        &self,
        place: &'a LandingPlace,
        buffers: &Arc<BufferPool>,
        file_id: Uuid,
        range: Range<u64>,
    ) -> (&'a LandingPlace, Result<Vec<Bytes>, StoreError>) {
        self.counters.landing_gets.fetch_add(1, Ordering::Relaxed);
        (
            place,
            self.get_at(place.store.as_ref(), &place.root, buffers, file_id, range)
                .await,
        )
    }
}
