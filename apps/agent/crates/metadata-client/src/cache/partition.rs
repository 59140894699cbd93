//! The tail of one partition: its watermarks, its newest runs, and the fetches that wait for more.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use uuid::Uuid;

use super::freshness::Freshness;
use super::run::Run;
use crate::proto;

/// Newest runs kept per partition: at four files a second, a reader may lag half a minute before the owner is asked.
const RECENT_RUNS: usize = 128;
/// Located stretches kept per partition, one for each reader that lags at another place.
const LOCATED_STRETCHES: usize = 4;
/// Jobs merge files and delete the old ones after a grace period, so where a run lies is true for a while only. After this the
/// owner is asked again, and names a merged file if there is one by then.
const KEPT: Duration = Duration::from_secs(60);

/// Names a partition within the virtual cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartitionKey {
    /// The topic.
    pub topic_id: Uuid,
    /// The partition's number in it.
    pub partition: u32,
}

/// Between which offsets a partition can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watermarks {
    /// First offset that can be read.
    pub log_start_offset: i64,
    /// Offset after the last that can be read.
    pub high_watermark: i64,
    /// Whether the watch stream keeps them current. If not, they are the last known ones, and other agents may know later ones.
    pub current: bool,
}

/// One partition of interest.
#[derive(Debug)]
pub struct Partition {
    /// Which one.
    pub key: PartitionKey,
    freshness: Arc<Freshness>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    watermarks: Option<Watermarks>,
    recent: VecDeque<RecentRun>,
    located: VecDeque<Stretch>,
    waiters: Vec<Weak<Notify>>,
    prune_waiters_at: usize,
    last_used: Instant,
}

/// A run that came on the watch stream.
#[derive(Debug)]
struct RecentRun {
    run: Run,
    received: Instant,
}

/// Consecutive runs that the owner located.
#[derive(Debug)]
struct Stretch {
    runs: Vec<Run>,
    located: Instant,
}

impl Stretch {
    fn first_offset(&self) -> Option<i64> {
        self.runs.first().map(|run| run.base_offset)
    }

    fn end_offset(&self) -> Option<i64> {
        self.runs.last().map(Run::end_offset)
    }
}

impl Partition {
    pub(super) fn new(key: PartitionKey, freshness: Arc<Freshness>) -> Self {
        let state = State {
            watermarks: None,
            recent: VecDeque::new(),
            located: VecDeque::new(),
            waiters: Vec::new(),
            prune_waiters_at: 8,
            last_used: Instant::now(),
        };
        Self {
            key,
            freshness,
            state: Mutex::new(state),
        }
    }

    /// The watermarks; `None` until the owner has sent them once.
    #[must_use]
    pub fn watermarks(&self) -> Option<Watermarks> {
        let known = self.lock().watermarks?;
        Some(Watermarks {
            current: known.current && self.freshness.is_current(Instant::now()),
            ..known
        })
    }

    /// Appends to `into` the known runs that hold `offset` and what follows it, until they cover `max_bytes`; at least one
    /// if any is known. Only runs that were received less than a minute before `now`; of any age without it, for when the owner
    /// cannot be asked. Returns whether `offset` was found.
    pub fn runs_from(&self, offset: i64, max_bytes: u64, now: Option<Instant>, into: &mut Vec<Run>) -> bool {
        let state = self.lock();
        let mut next = offset;
        let mut covered = 0;
        let start = into.len();
        let is_current = |heard: Instant| now.is_none_or(|now| now.saturating_duration_since(heard) < KEPT);
        for stretch in state.located.iter().filter(|stretch| is_current(stretch.located)) {
            if take_runs(stretch.runs.iter(), &mut next, &mut covered, max_bytes, into) {
                break;
            }
        }
        let recent = state.recent.iter().filter(|recent| is_current(recent.received));
        take_runs(
            recent.map(|recent| &recent.run),
            &mut next,
            &mut covered,
            max_bytes,
            into,
        );
        into.len() > start
    }

    /// Keeps an answer of the owner to `Locate`.
    pub fn keep_located(&self, runs: Vec<Run>) {
        if runs.is_empty() {
            return;
        }
        let new = Stretch {
            runs,
            located: Instant::now(),
        };
        let mut state = self.lock();
        // A stretch that overlaps the new one is the same reader's former place.
        let (first, last) = (new.first_offset(), new.end_offset());
        state.located.retain(|stretch| {
            let apart = stretch.end_offset() <= first || stretch.first_offset() >= last;
            apart && stretch.end_offset() != first
        });
        state.located.push_back(new);
        if state.located.len() > LOCATED_STRETCHES {
            state.located.pop_front();
        }
    }

    /// Forgets all locations, because a file is gone and others may be gone too. The next reader asks the owner.
    pub fn forget_runs(&self) {
        let mut state = self.lock();
        state.located.clear();
        state.recent.clear();
    }

    /// Takes watermarks from an answer of the owner; they never move backwards.
    pub fn observe_watermarks(&self, log_start_offset: i64, high_watermark: i64) {
        let mut state = self.lock();
        let current = state.watermarks.is_some_and(|known| known.current);
        state.advance(log_start_offset, high_watermark, current);
    }

    /// Has `waiter` woken at the next change. It is forgotten when its last `Arc` is dropped.
    pub fn wake_on_change(&self, waiter: &Arc<Notify>) {
        let mut state = self.lock();
        if state.waiters.len() >= state.prune_waiters_at {
            state.waiters.retain(|waiter| waiter.strong_count() > 0);
            state.prune_waiters_at = (2 * state.waiters.len()).max(8);
        }
        state.waiters.push(Arc::downgrade(waiter));
    }

    pub(super) fn touch(&self) {
        self.lock().last_used = Instant::now();
    }

    pub(super) fn last_used(&self) -> Instant {
        self.lock().last_used
    }

    /// The watch stream broke: what is known stays, but is not current any more.
    pub(super) fn lose_track(&self) {
        if let Some(watermarks) = &mut self.lock().watermarks {
            watermarks.current = false;
        }
    }

    /// The watch stream sends every change from here on.
    pub(crate) fn start_tracking(&self, log_start_offset: i64, high_watermark: i64) {
        self.lock().advance(log_start_offset, high_watermark, true);
        self.wake_waiters();
    }

    /// Applies one update of the stream. Does not wake waiters: see [`Partition::wake_waiters`].
    pub(super) fn apply_update(&self, update: &proto::PartitionUpdate) {
        let mut state = self.lock();
        for run in update.runs.iter().filter_map(Run::from_proto) {
            let known_end = state.recent.back().map(|last| last.run.end_offset());
            if known_end.is_some_and(|end| end > run.base_offset) {
                continue; // received twice, around a reconnection
            }
            if known_end.is_some_and(|end| end != run.base_offset) {
                state.recent.clear();
            }
            if state.recent.len() == RECENT_RUNS {
                state.recent.pop_front();
            }
            let received = Instant::now();
            state.recent.push_back(RecentRun { run, received });
        }
        state.advance(update.log_start_offset, update.high_watermark, true);
    }

    /// Wakes all who wait for a change.
    pub(super) fn wake_waiters(&self) {
        let waiters = std::mem::take(&mut self.lock().waiters);
        waiters
            .iter()
            .filter_map(Weak::upgrade)
            .for_each(|waiter| waiter.notify_one());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn advance(&mut self, log_start_offset: i64, high_watermark: i64, current: bool) {
        let known = self.watermarks.unwrap_or(Watermarks {
            log_start_offset: 0,
            high_watermark: 0,
            current,
        });
        let log_start_offset = known.log_start_offset.max(log_start_offset);
        self.watermarks = Some(Watermarks {
            log_start_offset,
            high_watermark: known.high_watermark.max(high_watermark),
            current,
        });
        while self
            .recent
            .front()
            .is_some_and(|recent| recent.run.end_offset() <= log_start_offset)
        {
            self.recent.pop_front();
        }
    }
}

/// Takes from `runs` (in offset order) those that continue at `next`. Returns whether `max_bytes` is covered.
fn take_runs<'a>(
    runs: impl Iterator<Item = &'a Run>,
    next: &mut i64,
    covered: &mut u64,
    max_bytes: u64,
    into: &mut Vec<Run>,
) -> bool {
    let wanted = *next;
    for run in runs.skip_while(|run| run.end_offset() <= wanted) {
        if run.base_offset > *next || *covered >= max_bytes {
            break;
        }
        into.push(*run);
        *covered += u64::from(run.bytes);
        *next = run.end_offset();
    }
    *covered >= max_bytes && !into.is_empty()
}
