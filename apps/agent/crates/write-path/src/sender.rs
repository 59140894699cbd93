//! A connection as the write path sees it: how many of its requests wait for their file, and whether more are on the
//! way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use super::class::{ByClass, Class};

/// A connection that is silent for this long waits for its responses, unless it usually takes longer between requests.
pub(super) const SILENCE: Duration = Duration::from_millis(5);
/// A connection that sends at its own rate, answered or not, counts as silent after this many of its usual gaps.
const SILENT_GAPS: u32 = 2;
/// Inverse weight of one gap in the average.
const GAP_WEIGHT: u32 = 4;

/// A connection. It reports incoming bytes; the write path maintains the rest.
#[derive(Debug)]
pub struct Sender {
    created: Instant,
    /// Time of the last activity in either direction, since `created`.
    active_us: AtomicU64,
    /// True if a request has arrived in part.
    is_reading: AtomicBool,
    /// True if a request has arrived and is being checked.
    is_handling: AtomicBool,
    /// A request with batches in both open files counts in both.
    ledgers: ByClass<Mutex<Ledger>>,
}

#[derive(Debug, Default)]
struct Ledger {
    /// Number of requests whose file is not done.
    unanswered: u32,
    /// The last open file that it joined.
    file: u64,
    /// Number of `unanswered` requests in the open file.
    in_file: u32,
    /// Number of unanswered requests when it last fell silent.
    silent_at: Option<u32>,
    /// Number of unanswered requests at which it has twice waited for responses: apparently the client's maximum in
    /// flight.
    limit: Option<u32>,
    /// True if it was at its limit when it last joined.
    joined_at_limit: bool,
    /// When it last joined. `None` if it is not among the recent senders.
    joined: Option<Instant>,
    /// When its last request was answered.
    answered: Option<Instant>,
    /// True if it was at its limit until then.
    answered_at_limit: bool,
    /// The usual time between requests, or from the last response to the next request if it waits for all responses.
    usual_gap: Option<Duration>,
}

impl Ledger {
    /// Returns true if no response for an earlier file is due, which would let the client send more.
    fn waits_for_this_file_only(&self) -> bool {
        self.unanswered == self.in_file
    }

    fn joins(&mut self, now: Instant) -> Option<Instant> {
        let before = self.joined.replace(now);
        if let Some(before) = before {
            // If the time that it waited for us counted, we would wait for it in turn, longer each time.
            let answered = self.answered.filter(|_| self.unanswered == 1);
            let gap = now.saturating_duration_since(answered.map_or(before, |answered| answered.max(before)));
            let usual = self.usual_gap.unwrap_or(gap);
            self.usual_gap = Some((usual * (GAP_WEIGHT - 1) + gap) / GAP_WEIGHT);
        }
        before
    }

    /// How long after its last request another one can still be expected. A client that sends less than once per
    /// `interval` is not worth waiting for.
    fn hold_delay(&self, interval: Duration) -> Duration {
        let usual = self.usual_gap.filter(|gap| *gap <= interval);
        usual.map_or(SILENCE, |gap| (gap * SILENT_GAPS).max(SILENCE))
    }

    fn is_at_limit(&self) -> bool {
        self.waits_for_this_file_only() && self.limit == Some(self.unanswered)
    }

    /// Returns true if the client would have sent earlier, had it been answered.
    fn was_held_up(&self, now: Instant) -> bool {
        self.answered_at_limit && self.answered.is_some_and(|answered| now < answered + SILENCE)
    }
}

/// The effect of a request on the open file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joined {
    /// Whether the client was at its limit at its last request. `None` for its first request in the file.
    pub(super) was_at_limit: Option<bool>,
    /// True if the client is at its limit now.
    pub(super) is_at_limit: bool,
    /// True if it must be added to the recent senders.
    pub(super) is_new: bool,
    /// True if the client sent the request only after a response.
    pub(super) was_held_up: bool,
}

/// Whether waiting for a connection may bring more batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// Waiting brings no more batches.
    Useless,
    /// Check again at this time.
    Until(Instant),
}

impl Default for Sender {
    fn default() -> Self {
        Self {
            created: Instant::now(),
            active_us: AtomicU64::new(0),
            is_reading: AtomicBool::new(false),
            is_handling: AtomicBool::new(false),
            ledgers: ByClass::default(),
        }
    }
}

impl Sender {
    /// Records that part of a request has arrived and more will follow.
    pub fn reads(&self) {
        self.is_reading.store(true, Ordering::Relaxed);
        self.is_active();
    }

    /// Records that nothing more will arrive until the client is answered or the agent has memory: the request is
    /// complete, or its reader waits.
    pub fn reads_no_more(&self) {
        self.is_reading.store(false, Ordering::Relaxed);
        self.is_active();
    }

    /// Marks a request as being checked until the guard is dropped.
    pub fn handling(&self) -> Handling<'_> {
        self.is_handling.store(true, Ordering::Relaxed);
        Handling(self)
    }

    fn is_active(&self) {
        let since = u64::try_from(self.created.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.active_us.store(since, Ordering::Relaxed);
    }

    /// Records that a request of this connection was added to this open file.
    pub(super) fn join(&self, class: Class, file: u64) -> Joined {
        self.is_active();
        // This request has been checked.
        self.is_handling.store(false, Ordering::Relaxed);
        let mut ledger = self.lock(class);
        let was_at_limit = (ledger.file == file).then_some(ledger.joined_at_limit);
        if was_at_limit.is_none() {
            (ledger.file, ledger.in_file) = (file, 0);
        }
        ledger.in_file += 1;
        ledger.unanswered += 1;
        if ledger.limit.is_some_and(|limit| ledger.unanswered > limit) {
            ledger.limit = None;
        }
        let is_at_limit = ledger.is_at_limit() && !self.is_reading.load(Ordering::Relaxed);
        ledger.joined_at_limit = is_at_limit;
        let now = Instant::now();
        Joined {
            was_at_limit,
            is_at_limit,
            was_held_up: ledger.was_held_up(now),
            is_new: ledger.joins(now).is_none(),
        }
    }

    /// Returns true if it has been silent for so long that it can be dropped. It counts as new when it joins again.
    pub(super) fn is_gone(&self, class: Class, now: Instant, after: Duration) -> bool {
        let mut ledger = self.lock(class);
        let is_gone = ledger.unanswered == 0 && ledger.joined.is_none_or(|joined| joined + after < now);
        if is_gone {
            ledger.joined = None;
        }
        is_gone
    }

    /// Returns whether to keep the open file, which stays open for at most `interval`, for what this connection may
    /// send.
    pub(super) fn waiting(&self, class: Class, now: Instant, interval: Duration) -> Waiting {
        let ledger = self.lock(class);
        let is_coming = self.is_reading.load(Ordering::Relaxed) || self.is_handling.load(Ordering::Relaxed);
        if is_coming || !ledger.waits_for_this_file_only() {
            return Waiting::Until(now + SILENCE);
        }
        if ledger.is_at_limit() {
            return Waiting::Useless;
        }
        let silent = self.created + Duration::from_micros(self.active_us.load(Ordering::Relaxed));
        let silent = silent + ledger.hold_delay(interval);
        if silent <= now {
            Waiting::Useless
        } else {
            Waiting::Until(silent)
        }
    }

    /// Records that the last file that it joined is sealed. Returns the number of its requests in that file.
    pub(super) fn sealed(&self, class: Class, now: Instant, interval: Duration) -> u32 {
        let is_silent = self.waiting(class, now, interval) == Waiting::Useless;
        let mut ledger = self.lock(class);
        if is_silent && !ledger.is_at_limit() {
            let count = Some(ledger.unanswered);
            ledger.limit = count.filter(|_| ledger.silent_at == count);
            ledger.silent_at = count;
        }
        ledger.file = 0;
        std::mem::take(&mut ledger.in_file)
    }

    /// Records that this many of its requests are done. The client may send as many again.
    pub(super) fn answered(&self, class: Class, requests: u32) {
        self.is_active();
        let mut ledger = self.lock(class);
        ledger.answered_at_limit = ledger.limit == Some(ledger.unanswered);
        ledger.unanswered = ledger.unanswered.saturating_sub(requests);
        ledger.answered = Some(Instant::now());
    }

    fn lock(&self, class: Class) -> MutexGuard<'_, Ledger> {
        self.ledgers[class].lock()
    }
}

/// The guard of [`Sender::handling`].
pub struct Handling<'a>(&'a Sender);

impl Drop for Handling<'_> {
    fn drop(&mut self) {
        self.0.is_handling.store(false, Ordering::Relaxed);
    }
}
