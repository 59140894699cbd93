//! Writes one object with as many attempts as it takes. Object storage sometimes leaves a request unanswered until the
//! client library's timeout, while a second one succeeds within milliseconds; and files are committed in order, so a
//! hanging one blocks others. An attempt slower than nearly all others of its size also gets a second one, for at most
//! one file in twenty.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::{Either, OptionFuture, pending, select};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload};
use penstock_traces::Span;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use super::Objects;
use crate::error::{StoreError, with_causes};
use crate::failure::no_answer;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// Minimum time after which an attempt counts as hanging. Large files get more.
const FIRST_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(8);
/// An upload slower than this counts as hanging.
const SLOWEST_BYTES_PER_S: u64 = 4 << 20;

type Attempt<'a> = Pin<Box<dyn Future<Output = Result<(), AttemptError>> + Send + 'a>>;

pub(super) enum AttemptError {
    /// Another object has this name, so no attempt can succeed.
    Occupied(StoreError),
    Failed(String),
}

/// The file and its running attempts. There are at most two, so that a slow bucket gets at most twice the work.
pub(super) struct HedgedPut<'a> {
    objects: &'a Objects,
    file_id: Uuid,
    path: Path,
    payload: PutPayload,
    older: Option<Attempt<'a>>,
    newer: Option<Attempt<'a>>,
}

impl<'a> HedgedPut<'a> {
    pub(super) fn new(objects: &'a Objects, file_id: Uuid, payload: PutPayload) -> Self {
        Self {
            objects,
            file_id,
            path: objects.path(file_id),
            payload,
            older: None,
            newer: None,
        }
    }

    pub(super) async fn run(mut self, deadline: Instant, span: &mut Span) -> Result<(), StoreError> {
        let mut pause = FIRST_PAUSE;
        let mut attempt_timeout = FIRST_ATTEMPT_TIMEOUT + self.upload_time();
        let mut last_failure = None;
        let began = Instant::now();
        let hangs_from = began + attempt_timeout;
        let mut next_attempt = began;
        let bytes = self.payload.content_length() as u64;
        // Writing twice to a disk gains nothing.
        let may_hedge = !self.objects.is_folder;
        let usual = may_hedge.then(|| self.objects.put_times.hedge_delay(bytes)).flatten();
        let mut slow_after = usual.filter(|usual| *usual < attempt_timeout);
        loop {
            if next_attempt >= deadline && self.is_idle() {
                return Err(StoreError::DeadlineExceeded(last_failure));
            }
            let step = match timeout_at(deadline.min(next_attempt), self.finished()).await {
                Ok(outcome) => Some(outcome),
                Err(_) if Instant::now() >= deadline => break,
                Err(_) => None,
            };
            match step {
                Some(Ok(())) => {
                    self.objects.put_times.record(bytes, began.elapsed());
                    self.objects.counters.put_bytes.fetch_add(bytes, Ordering::Relaxed);
                    return Ok(());
                }
                Some(Err(AttemptError::Occupied(error))) => return Err(error),
                Some(Err(AttemptError::Failed(failure))) => {
                    self.note_failed_attempt(span);
                    tracing::warn!(file_id = %self.file_id, failure, "writing a data file failed; retrying");
                    last_failure = Some(failure);
                    next_attempt = next_attempt.min(Instant::now() + pause);
                    pause = (pause * 2).min(MAX_PAUSE);
                }
                None if !self.is_idle() && slow_after.take().is_some() => {
                    next_attempt = hangs_from;
                    if self.objects.put_times.may_hedge() {
                        self.objects.counters.hedged_puts.fetch_add(1, Ordering::Relaxed);
                        span.event("second attempt", Vec::new);
                        self.older = self.newer.take();
                        self.newer = Some(self.attempt());
                    }
                }
                None => {
                    if !self.is_idle() {
                        self.note_failed_attempt(span);
                        tracing::warn!(file_id = %self.file_id, "writing a data file is slow; starting a second attempt");
                    }
                    // The oldest attempt is dropped if there are two, because its connection may be dead.
                    self.older = self.newer.take().or(self.older.take());
                    self.newer = Some(self.attempt());
                    next_attempt = Instant::now() + slow_after.unwrap_or(attempt_timeout);
                    attempt_timeout = (attempt_timeout * 2).min(MAX_ATTEMPT_TIMEOUT + self.upload_time());
                }
            }
        }
        self.note_failed_attempt(span);
        if last_failure.is_none() {
            self.objects.counters.keep(no_answer(None));
        }
        Err(StoreError::DeadlineExceeded(last_failure))
    }

    fn is_idle(&self) -> bool {
        self.older.is_none() && self.newer.is_none()
    }

    fn upload_time(&self) -> Duration {
        let bytes = self.payload.content_length() as u64;
        Duration::from_millis(bytes.saturating_mul(1000) / SLOWEST_BYTES_PER_S)
    }

    fn note_failed_attempt(&self, span: &mut Span) {
        self.objects.counters.put_errors.fetch_add(1, Ordering::Relaxed);
        span.event("attempt failed", Vec::new);
    }

    /// Waits for the next attempt to finish. Pending forever while there is none.
    async fn finished(&mut self) -> Result<(), AttemptError> {
        let (outcome, is_older) = {
            let older = OptionFuture::from(self.older.as_mut());
            let newer = OptionFuture::from(self.newer.as_mut());
            let (older, newer) = (std::pin::pin!(or_never(older)), std::pin::pin!(or_never(newer)));
            match select(older, newer).await {
                Either::Left((outcome, _)) => (outcome, true),
                Either::Right((outcome, _)) => (outcome, false),
            }
        };
        if is_older {
            self.older = None;
        } else {
            self.newer = None;
        }
        outcome
    }

    fn attempt(&self) -> Attempt<'a> {
        let (objects, file_id, path, payload) = (self.objects, self.file_id, self.path.clone(), self.payload.clone());
        Box::pin(async move {
            objects.counters.puts.fetch_add(1, Ordering::Relaxed);
            create(objects, objects.store.as_ref(), file_id, &path, payload).await
        })
    }
}

/// Attempts to create an object. If one exists, checks whether it is ours.
pub(super) async fn create(
    objects: &Objects,
    store: &dyn ObjectStore,
    file_id: Uuid,
    path: &Path,
    payload: PutPayload,
) -> Result<(), AttemptError> {
    let expected_bytes = payload.content_length() as u64;
    let options = PutOptions::from(PutMode::Create);
    let error = match store.put_opts(path, payload, options).await {
        Ok(_) => return Ok(()),
        Err(object_store::Error::AlreadyExists { .. }) => match store.head(path).await {
            Ok(found) if found.size == expected_bytes => return Ok(()),
            Ok(found) => {
                return Err(AttemptError::Occupied(StoreError::Occupied {
                    file_id,
                    expected_bytes,
                    found_bytes: found.size,
                }));
            }
            Err(error) => error,
        },
        Err(error) => error,
    };
    objects.counters.failed(&error);
    Err(AttemptError::Failed(with_causes(&error)))
}

async fn or_never<T>(future: impl Future<Output = Option<T>>) -> T {
    match future.await {
        Some(outcome) => outcome,
        None => pending().await,
    }
}
