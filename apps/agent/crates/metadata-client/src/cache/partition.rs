//! The tail of one partition: its watermarks, its newest runs, and who waits for more.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::Notify;
use uuid::Uuid;

use super::run::Run;
use crate::proto;

/// Newest runs kept per partition: at four files a second, a reader may lag half a minute before the owner is asked.
const RECENT_RUNS: usize = 128;
/// Located stretches kept per partition, one for each reader that lags at another place.
const LOCATED_STRETCHES: usize = 4;

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
    /// Whether the watch stream keeps them current. If not, they are the last that were heard of.
    pub current: bool,
}

/// One partition of interest.
#[derive(Debug)]
pub struct Partition {
    /// Which one.
    pub key: PartitionKey,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    watermarks: Option<Watermarks>,
    recent: VecDeque<Run>,
    located: VecDeque<Vec<Run>>,
    waiters: Vec<Weak<Notify>>,
    prune_waiters_at: usize,
    last_used: Instant,
}

impl Partition {
    pub(super) fn new(key: PartitionKey) -> Self {
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
            state: Mutex::new(state),
        }
    }

    /// What is known of its offsets; `None` until the owner was heard once.
    #[must_use]
    pub fn watermarks(&self) -> Option<Watermarks> {
        self.lock().watermarks
    }

    /// Appends to `into` the known runs that hold `offset` and what follows it, until they cover `max_bytes`; at least one
    /// if any is known. Returns whether `offset` was found.
    pub fn runs_from(&self, offset: i64, max_bytes: u64, into: &mut Vec<Run>) -> bool {
        let state = self.lock();
        let mut next = offset;
        let mut covered = 0;
        let start = into.len();
        for stretch in &state.located {
            if take_runs(stretch.iter(), &mut next, &mut covered, max_bytes, into) {
                break;
            }
        }
        let (older, newer) = state.recent.as_slices();
        take_runs(older.iter().chain(newer), &mut next, &mut covered, max_bytes, into);
        into.len() > start
    }

    /// Keeps an answer of the owner to `Locate`.
    pub fn keep_located(&self, runs: Vec<Run>) {
        if runs.is_empty() {
            return;
        }
        let mut state = self.lock();
        // A stretch that overlaps the new one is the same reader's former place.
        let (first, last) = (
            runs.first().map(|run| run.base_offset),
            runs.last().map(Run::end_offset),
        );
        state.located.retain(|stretch| {
            let apart =
                stretch.last().map(Run::end_offset) <= first || stretch.first().map(|run| run.base_offset) >= last;
            apart && stretch.last().map(Run::end_offset) != first
        });
        state.located.push_back(runs);
        if state.located.len() > LOCATED_STRETCHES {
            state.located.pop_front();
        }
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

    /// The answer to declared interest: from here on the stream tells every change.
    pub(crate) fn start_tracking(&self, log_start_offset: i64, high_watermark: i64) {
        self.lock().advance(log_start_offset, high_watermark, true);
        self.wake_waiters();
    }

    /// Applies one update of the stream. Wakes nobody: see [`Partition::wake_waiters`].
    pub(super) fn apply_update(&self, update: &proto::PartitionUpdate) {
        let mut state = self.lock();
        for run in update.runs.iter().filter_map(Run::from_proto) {
            if state
                .recent
                .back()
                .is_some_and(|last| last.end_offset() != run.base_offset)
            {
                if state
                    .recent
                    .back()
                    .is_some_and(|last| last.end_offset() > run.base_offset)
                {
                    continue; // told twice, around a reconnection
                }
                state.recent.clear();
            }
            if state.recent.len() == RECENT_RUNS {
                state.recent.pop_front();
            }
            state.recent.push_back(run);
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
            .is_some_and(|run| run.end_offset() <= log_start_offset)
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
