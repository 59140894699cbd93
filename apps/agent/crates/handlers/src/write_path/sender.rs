//! A connection as the write path sees it: how many of its requests wait for their file, and whether more is on its way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use super::class::{ByClass, Class};

/// A connection that has sent nothing for this long waits for its answers, unless it usually takes longer from one request to the next.
pub(super) const SILENCE: Duration = Duration::from_millis(5);
/// A connection that sends at a rate of its own, whether or not it is answered, is silent after so many of its usual gaps.
const SILENT_GAPS: u32 = 2;
/// How much one gap weighs in the usual one: one part in so many.
const GAP_WEIGHT: u32 = 4;

/// One connection. It says when bytes come; the write path keeps the rest.
#[derive(Debug)]
pub struct Sender {
    created: Instant,
    /// When something was last sent or answered, since `created`.
    active_us: AtomicU64,
    /// A request has come in part.
    is_reading: AtomicBool,
    /// A request has come and is being checked.
    is_handling: AtomicBool,
    /// A request with batches in both open files counts in both.
    ledgers: ByClass<Mutex<Ledger>>,
}

#[derive(Debug, Default)]
struct Ledger {
    /// Requests whose file is not done.
    unanswered: u32,
    /// The open file that it has joined last.
    file: u64,
    /// Of `unanswered`, those in the open file.
    in_file: u32,
    /// How many were unanswered when it last fell silent.
    silent_at: Option<u32>,
    /// So many that it has waited for answers twice: what the client keeps in flight at most, as far as we can tell.
    limit: Option<u32>,
    /// When it last joined, it was at its limit.
    joined_at_limit: bool,
    /// When that was. `None`: it is not among the senders that are looked at.
    joined: Option<Instant>,
    /// When the last of its requests was answered.
    answered: Option<Instant>,
    /// It was at its limit until then.
    answered_at_limit: bool,
    /// The time that it usually takes from one request to the next, or from the answers to all of them, if it waited for these.
    usual_gap: Option<Duration>,
}

impl Ledger {
    /// No answer to an earlier file is on its way, which would let the client send more.
    fn waits_for_this_file_only(&self) -> bool {
        self.unanswered == self.in_file
    }

    fn joins(&mut self, now: Instant) -> Option<Instant> {
        let before = self.joined.replace(now);
        if let Some(before) = before {
            // If we counted the time that it waited for us, we would wait for it in turn, and longer each time.
            let answered = self.answered.filter(|_| self.unanswered == 1);
            let gap = now.saturating_duration_since(answered.map_or(before, |answered| answered.max(before)));
            let usual = self.usual_gap.unwrap_or(gap);
            self.usual_gap = Some((usual * (GAP_WEIGHT - 1) + gap) / GAP_WEIGHT);
        }
        before
    }

    /// How long after its last request another one may still be expected. A client that sends less than one per `interval` is not worth
    /// the wait.
    fn hold_delay(&self, interval: Duration) -> Duration {
        let usual = self.usual_gap.filter(|gap| *gap <= interval);
        usual.map_or(SILENCE, |gap| (gap * SILENT_GAPS).max(SILENCE))
    }

    fn is_at_limit(&self) -> bool {
        self.waits_for_this_file_only() && self.limit == Some(self.unanswered)
    }

    /// What it sends now it would have sent before, had it been answered.
    fn was_held_up(&self, now: Instant) -> bool {
        self.answered_at_limit && self.answered.is_some_and(|answered| now < answered + SILENCE)
    }
}

/// What a request changed for the open file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joined {
    /// Whether the client was at its limit when its last request came. `None`: this is its first in the file.
    pub(super) was_at_limit: Option<bool>,
    /// Whether it is at its limit now.
    pub(super) is_at_limit: bool,
    /// Whether it is to be looked at from now on.
    pub(super) is_new: bool,
    /// Whether its request comes only now because an answer did.
    pub(super) was_held_up: bool,
}

/// Whether waiting for a connection may bring more batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// No.
    Useless,
    /// Look again then.
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
    /// Bytes of a request have come, and more of it are to come.
    pub fn reads(&self) {
        self.is_reading.store(true, Ordering::Relaxed);
        self.is_active();
    }

    /// Nothing is to come before the client is answered or the agent has memory again: a request has come whole, or its reader waits.
    pub fn reads_no_more(&self) {
        self.is_reading.store(false, Ordering::Relaxed);
        self.is_active();
    }

    /// Marks a request as being checked until the guard is dropped.
    pub(crate) fn handling(&self) -> Handling<'_> {
        self.is_handling.store(true, Ordering::Relaxed);
        Handling(self)
    }

    fn is_active(&self) {
        let since = u64::try_from(self.created.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.active_us.store(since, Ordering::Relaxed);
    }

    /// A request of this connection was added to the open file of this number.
    pub(super) fn join(&self, class: Class, file: u64) -> Joined {
        self.is_active();
        // This one has been checked.
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

    /// Whether it has sent nothing for so long that it need not be looked at. If so, it is new when it joins again.
    pub(super) fn is_gone(&self, class: Class, now: Instant, after: Duration) -> bool {
        let mut ledger = self.lock(class);
        let is_gone = ledger.unanswered == 0 && ledger.joined.is_none_or(|joined| joined + after < now);
        if is_gone {
            ledger.joined = None;
        }
        is_gone
    }

    /// Whether the open file, which is open for `interval` at most, should be kept open for what it may send.
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

    /// The file that it has joined last is sealed. Returns how many of its requests are in it.
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

    /// So many of its requests are done. The client may send as many again.
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

/// See [`Sender::handling`].
pub(crate) struct Handling<'a>(&'a Sender);

impl Drop for Handling<'_> {
    fn drop(&mut self) {
        self.0.is_handling.store(false, Ordering::Relaxed);
    }
}
