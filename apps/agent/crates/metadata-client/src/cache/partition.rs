//! The tail of one partition: its watermarks, its newest runs, and the fetches that wait for more.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use uuid::Uuid;

use super::freshness::Freshness;
use super::run::{Aborted, Run};
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
    /// Up to here every transaction has ended. At most the high watermark.
    pub last_stable_offset: i64,
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
    /// The last stable offset when the last of `recent` came: of all transactions that ended before it, the markers are among them.
    recent_stable: i64,
    located: VecDeque<Stretch>,
    waiters: Vec<Weak<Notify>>,
    prune_waiters_at: usize,
    last_used: Instant,
}

/// The runs that a reader at read_committed may read next.
#[derive(Debug, Default)]
pub struct CommittedRuns {
    /// In offset order; the first holds the reader's offset.
    pub runs: Vec<Run>,
    /// All aborted transactions that a reader of these runs meets from its offset on.
    pub aborted: Vec<Aborted>,
    /// Where reading stops: what follows may belong to an open transaction, or to an aborted one that is not in the list.
    pub end_offset: i64,
}

impl CommittedRuns {
    /// For a reader at `offset`, of the runs that the owner located for it. `None`: it has to wait.
    #[must_use]
    pub fn of_located(located: &proto::Located, runs: Vec<Run>, offset: i64) -> Option<Self> {
        Stretch::new(located, runs).committed(offset, u64::MAX)
    }

    /// Takes from `runs` those that hold `offset` and what follows it before `stable`. Returns whether there were any.
    fn take<'a>(&mut self, runs: impl Iterator<Item = &'a Run>, offset: i64, max_bytes: u64, stable: i64) -> bool {
        if offset < stable {
            self.end_offset = stable;
            let decided = runs.take_while(|run| run.base_offset < stable);
            let (mut next, mut covered) = (offset, 0);
            take_runs(decided, &mut next, &mut covered, max_bytes, &mut self.runs);
        }
        !self.runs.is_empty()
    }

    /// Adds the aborted transactions that concern a reader of the runs from `offset` on.
    fn add_aborted(&mut self, offset: i64, aborted: impl Iterator<Item = Aborted>) {
        let end = self.runs.last().map_or(offset, Run::end_offset).min(self.end_offset);
        let concerns = |aborted: &Aborted| aborted.last_offset >= offset && aborted.first_offset < end;
        self.aborted.extend(aborted.filter(concerns));
    }
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
    /// All that end at the first run or later and begin before the end of the last.
    aborted: Vec<Aborted>,
    /// As of then.
    last_stable_offset: i64,
    located: Instant,
}

impl Stretch {
    fn new(located: &proto::Located, runs: Vec<Run>) -> Self {
        Self {
            runs,
            aborted: located.aborted.iter().map(Aborted::from_proto).collect(),
            last_stable_offset: located.last_stable_offset.unwrap_or(located.high_watermark),
            located: Instant::now(),
        }
    }

    /// What a reader at `offset` finds here, up to `max_bytes`.
    fn committed(&self, offset: i64, max_bytes: u64) -> Option<CommittedRuns> {
        let mut found = CommittedRuns::default();
        if !found.take(self.runs.iter(), offset, max_bytes, self.last_stable_offset) {
            return None;
        }
        found.add_aborted(offset, self.aborted.iter().copied());
        Some(found)
    }

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
            recent_stable: 0,
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

    /// The watermarks, and whether they are current at `now` or later; `None` until the owner has sent them once.
    #[must_use]
    pub fn watermarks(&self, now: Instant) -> Option<Watermarks> {
        let known = self.lock().watermarks?;
        Some(Watermarks {
            current: known.current && self.freshness.is_current(now),
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

    /// The same for a reader at read_committed, as far as it is known which transactions were aborted. `None`: `offset` was not found.
    pub fn committed_runs_from(&self, offset: i64, max_bytes: u64, now: Option<Instant>) -> Option<CommittedRuns> {
        let state = self.lock();
        let is_current = |heard: Instant| now.is_none_or(|now| now.saturating_duration_since(heard) < KEPT);
        let mut located = state.located.iter().filter(|stretch| is_current(stretch.located));
        if let Some(found) = located.find_map(|stretch| stretch.committed(offset, max_bytes)) {
            return Some(found);
        }
        let mut found = CommittedRuns::default();
        let recent = || {
            state
                .recent
                .iter()
                .filter(|recent| is_current(recent.received))
                .map(|recent| &recent.run)
        };
        if !found.take(recent(), offset, max_bytes, state.recent_stable) {
            return None;
        }
        found.add_aborted(offset, recent().filter_map(Run::aborted));
        Some(found)
    }

    /// Keeps an answer of the owner to `Locate`, whose runs these are.
    pub fn keep_located(&self, located: &proto::Located, runs: Vec<Run>) {
        if runs.is_empty() {
            return;
        }
        let new = Stretch::new(located, runs);
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
    pub fn observe_watermarks(&self, located: &proto::Located) {
        let mut state = self.lock();
        let current = state.watermarks.is_some_and(|known| known.current);
        // A refusal need not name it.
        let is_refusal = located.error_code != 0;
        let absent = if is_refusal { 0 } else { located.high_watermark };
        state.advance(Watermarks {
            log_start_offset: located.log_start_offset,
            high_watermark: located.high_watermark,
            last_stable_offset: located.last_stable_offset.unwrap_or(absent),
            current,
        });
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

    pub(super) fn touch(&self, now: Instant) {
        self.lock().last_used = now;
    }

    pub(super) fn last_used(&self) -> Instant {
        self.lock().last_used
    }

    /// The watch stream broke: what is known stays, but is no longer current.
    pub(super) fn lose_track(&self) {
        if let Some(watermarks) = &mut self.lock().watermarks {
            watermarks.current = false;
        }
    }

    /// The watch stream sends every change from here on.
    pub(crate) fn start_tracking(&self, now: &proto::PartitionState) {
        self.lock().advance(Watermarks {
            log_start_offset: now.log_start_offset,
            high_watermark: now.high_watermark,
            last_stable_offset: now.last_stable_offset.unwrap_or(now.high_watermark),
            current: true,
        });
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
        let last_stable_offset = update.last_stable_offset.unwrap_or(update.high_watermark);
        let recent_end = state.recent.back().map(|last| last.run.end_offset());
        if recent_end == Some(update.high_watermark) {
            state.recent_stable = last_stable_offset;
        }
        state.advance(Watermarks {
            log_start_offset: update.log_start_offset,
            high_watermark: update.high_watermark,
            last_stable_offset,
            current: true,
        });
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
        self.state.lock()
    }
}

impl State {
    /// None of the three ever moves backwards, so what comes late changes nothing.
    fn advance(&mut self, told: Watermarks) {
        let known = self.watermarks.unwrap_or(Watermarks {
            log_start_offset: 0,
            high_watermark: 0,
            last_stable_offset: 0,
            current: told.current,
        });
        let log_start_offset = known.log_start_offset.max(told.log_start_offset);
        self.watermarks = Some(Watermarks {
            log_start_offset,
            high_watermark: known.high_watermark.max(told.high_watermark),
            last_stable_offset: known.last_stable_offset.max(told.last_stable_offset),
            current: told.current,
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
