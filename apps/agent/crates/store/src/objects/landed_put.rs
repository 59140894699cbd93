//! Writes a file to two landing buckets. Starts two PUTs at once and a third if one fails or is late, so that a single
//! bad bucket costs at most [`LATE_AFTER`].

use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use object_store::PutPayload;
use penstock_traces::Span;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::hedged_put::{AttemptError, create};
use super::{Objects, path_below};
use crate::error::StoreError;
use crate::landing::{LANDED_COPIES, Landing, LandingPlace};

/// Twice the 99th percentile of S3 Express One Zone.
const LATE_AFTER: Duration = Duration::from_millis(50);
const FAST_BYTES_PER_S: u64 = 64 << 20;
/// Time after which the standard bucket is faster.
const LANDING_TIMEOUT: Duration = Duration::from_secs(1);
const SLOWEST_BYTES_PER_S: u64 = 8 << 20;

/// The time allowed to transfer this many bytes.
pub(super) fn transfer_time(bytes: u64, bytes_per_s: u64) -> Duration {
    Duration::from_millis(bytes.saturating_mul(1000) / bytes_per_s)
}

/// The time after which a response is late, so that another bucket is tried.
pub(super) fn late_after(bytes: u64) -> Duration {
    LATE_AFTER + transfer_time(bytes, FAST_BYTES_PER_S)
}

impl Objects {
    /// Writes a file to two landing buckets. Does not retry, because the caller can use the standard bucket.
    pub(super) async fn land(
        &self,
        landing: &Landing,
        file_id: Uuid,
        payload: PutPayload,
        deadline: Instant,
        span: &mut Span,
    ) -> Result<(), StoreError> {
        let bytes = payload.content_length() as u64;
        let began = Instant::now();
        let give_up_at = deadline.min(began + LANDING_TIMEOUT + transfer_time(bytes, SLOWEST_BYTES_PER_S));
        let mut late_at = began + late_after(bytes);
        let mut untried = landing.targets_of(file_id).into_iter();
        let mut attempts = FuturesUnordered::new();
        let start = |place| self.create_landed(place, file_id, payload.clone());
        // The running attempts, and when each began.
        let mut pending: Vec<(&LandingPlace, Instant)> = Vec::new();
        for place in untried.by_ref().take(LANDED_COPIES) {
            attempts.push(start(place));
            pending.push((place, began));
        }
        let mut copies = 0;
        let mut last_failure = String::new();
        while copies + attempts.len() >= LANDED_COPIES {
            tokio::select! {
                Some((place, outcome)) = attempts.next() => {
                    pending.retain(|(other, _)| !std::ptr::eq(*other, place));
                    match outcome {
                        Ok(()) => {
                            place.note_answer();
                            copies += 1;
                        }
                        Err(AttemptError::Occupied(error)) => {
                            last_failure = error.to_string();
                            break;
                        }
                        Err(AttemptError::Failed(failure)) => {
                            self.note_lost_attempt(span);
                            place.note_failed(&self.counters.last_errors, &failure);
                            last_failure = failure;
                            if let Some(next) = untried.next() {
                                attempts.push(start(next));
                                pending.push((next, Instant::now()));
                            }
                        }
                    }
                    if copies == LANDED_COPIES {
                        // An aborted late attempt may leave a third copy. Deletes remove it, too.
                        for (place, since) in &pending {
                            if since.elapsed() >= late_after(bytes) {
                                self.note_lost_attempt(span);
                                place.note_late(&self.counters.last_errors);
                            }
                        }
                        return Ok(());
                    }
                }
                () = sleep_until(late_at), if untried.len() > 0 => {
                    if let Some(next) = untried.next() {
                        attempts.push(start(next));
                        pending.push((next, Instant::now()));
                    }
                    late_at += late_after(bytes);
                }
                () = sleep_until(give_up_at) => {
                    "no response in time".clone_into(&mut last_failure);
                    for (place, _) in &pending {
                        self.note_lost_attempt(span);
                        place.note_failed(&self.counters.last_errors, &last_failure);
                    }
                    break;
                }
            }
        }
        Err(StoreError::NotLanded {
            file_id,
            reason: last_failure,
        })
    }

    async fn create_landed<'a>(
        &self,
        place: &'a LandingPlace,
        file_id: Uuid,
        payload: PutPayload,
    ) -> (&'a LandingPlace, Result<(), AttemptError>) {
        let bytes = payload.content_length() as u64;
        self.counters.landing_puts.fetch_add(1, Ordering::Relaxed);
        let path = path_below(&place.root, file_id);
        let created = create(self, place.store.as_ref(), file_id, &path, payload).await;
        if created.is_ok() {
            self.counters.landing_put_bytes.fetch_add(bytes, Ordering::Relaxed);
        }
        (place, created)
    }

    fn note_lost_attempt(&self, span: &mut Span) {
        self.counters.landing_put_errors.fetch_add(1, Ordering::Relaxed);
        span.event("attempt failed", Vec::new);
    }
}
