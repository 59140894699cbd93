//! The tail of a partition: its watermarks, its newest runs, and the fetches that wait for more.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use penstock_runtime::Instant;
use tokio::sync::Notify;
use uuid::Uuid;

use super::freshness::Freshness;
use super::run::{Aborted, Run};
use crate::proto;

/// Number of newest runs kept per partition. At four files per second, a reader can lag by half a minute without a
/// request to the owner.
const RECENT_RUNS: usize = 128;
/// Number of located stretches kept per partition, one for each lagging reader position.
const LOCATED_STRETCHES: usize = 4;
/// How long locations are kept. Jobs merge files and delete the old ones after a grace period, so a location is valid
/// only for a while. After this time the owner is asked again and may name a merged file.
const KEPT: Duration = Duration::from_secs(60);

/// Identifies a partition in the virtual cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartitionKey {
    /// The id of the topic.
    pub topic_id: Uuid,
    /// The partition's number in its topic.
    pub partition: u32,
}

/// The range of readable offsets of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watermarks {
    /// The first readable offset.
    pub log_start_offset: i64,
    /// Offset after the last readable one.
    pub high_watermark: i64,
    /// All transactions before this offset have ended. At most the high watermark.
    pub last_stable_offset: i64,
    /// True if the watch stream keeps them current. Otherwise they are the last known ones, and other agents may know
    /// newer ones.
    pub current: bool,
}

/// A partition of interest.
#[derive(Debug)]
pub struct Partition {
    /// The topic and number of the partition.
    pub key: PartitionKey,
    freshness: Arc<Freshness>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    watermarks: Option<Watermarks>,
    recent: VecDeque<RecentRun>,
    /// The last stable offset when the last run in `recent` arrived. `recent` includes the markers of all transactions
    /// that ended before it.
    recent_stable: i64,
    located: VecDeque<Stretch>,
    waiters: Vec<Weak<Notify>>,
    prune_waiters_at: usize,
    last_used: Instant,
}

/// The runs that a read_committed reader can read next.
#[derive(Debug, Default)]
pub struct CommittedRuns {
    /// In offset order. The first contains the reader's offset.
    pub runs: Vec<Run>,
    /// All aborted transactions in these runs from the reader's offset on.
    pub aborted: Vec<Aborted>,
    /// Where to stop reading. Later records may belong to an open transaction, or to an aborted one that is not listed.
    pub end_offset: i64,
}

impl CommittedRuns {
    /// Selects from the runs that the owner located for a reader at `offset`. `None` if it must wait.
    #[must_use]
    pub fn of_located(located: &proto::Located, runs: Vec<Run>, offset: i64) -> Option<Self> {
        Stretch::new(located, runs).committed(offset, u64::MAX)
    }

    /// Adds the runs from `offset` up to `stable`. Returns true if there were any.
    fn take<'a>(&mut self, runs: impl Iterator<Item = &'a Run>, offset: i64, max_bytes: u64, stable: i64) -> bool {
        if offset < stable {
            self.end_offset = stable;
            let decided = runs.take_while(|run| run.base_offset < stable);
            let (mut next, mut covered) = (offset, 0);
            take_runs(decided, &mut next, &mut covered, max_bytes, &mut self.runs);
        }
        !self.runs.is_empty()
    }

    /// Adds the aborted transactions that affect a reader of the runs from `offset` on.
    fn add_aborted(&mut self, offset: i64, aborted: impl Iterator<Item = Aborted>) {
        let end = self.runs.last().map_or(offset, Run::end_offset).min(self.end_offset);
        let concerns = |aborted: &Aborted| aborted.last_offset >= offset && aborted.first_offset < end;
        self.aborted.extend(aborted.filter(concerns));
    }
}

/// A run received from the watch stream.
#[derive(Debug)]
struct RecentRun {
    run: Run,
    received: Instant,
}

/// Consecutive runs located by the owner.
#[derive(Debug)]
struct Stretch {
    runs: Vec<Run>,
    /// All aborted transactions that end at the first run or later and begin before the end of the last.
    aborted: Vec<Aborted>,
    /// The last stable offset in the same response.
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

    /// The runs for a reader at `offset`, up to `max_bytes`.
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

    /// Returns the watermarks and whether they are current at `now`. `None` until the owner has sent them once.
    #[must_use]
    pub fn watermarks(&self, now: Instant) -> Option<Watermarks> {
        let known = self.lock().watermarks?;
        Some(Watermarks {
            current: known.current && self.freshness.is_current(now),
            ..known
        })
    }

    /// Appends the known runs from `offset` to `into` until they cover `max_bytes`; at least one if any is known. With
    /// `now`, ignores runs received more than a minute ago; without it (if the owner is unreachable), uses runs of any
    /// age. Returns true if `offset` was found.
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

    /// Like [`Self::runs_from`], for a read_committed reader, as far as the aborted transactions are known. `None` if
    /// `offset` was not found.
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

    /// Caches a `Locate` response with these runs.
    pub fn keep_located(&self, located: &proto::Located, runs: Vec<Run>) {
        if runs.is_empty() {
            return;
        }
        let new = Stretch::new(located, runs);
        let mut state = self.lock();
        // An overlapping stretch is an earlier position of the same reader.
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

    /// Removes all locations, because a file was deleted and others may be, too. The next reader asks the owner.
    pub fn forget_runs(&self) {
        let mut state = self.lock();
        state.located.clear();
        state.recent.clear();
    }

    /// Applies watermarks from a response of the owner. They never decrease.
    pub fn observe_watermarks(&self, located: &proto::Located) {
        let mut state = self.lock();
        let current = state.watermarks.is_some_and(|known| known.current);
        // A refusal may omit it.
        let is_refusal = located.error_code != 0;
        let absent = if is_refusal { 0 } else { located.high_watermark };
        state.advance(Watermarks {
            log_start_offset: located.log_start_offset,
            high_watermark: located.high_watermark,
            last_stable_offset: located.last_stable_offset.unwrap_or(absent),
            current,
        });
    }

    /// Applies the log start of a truncation, if the watermarks are known.
    pub(super) fn raise_log_start(&self, log_start_offset: i64) {
        let mut state = self.lock();
        if let Some(known) = state.watermarks {
            state.advance(Watermarks {
                log_start_offset,
                ..known
            });
        }
    }

    /// Wakes `waiter` at the next change. It is forgotten when its last `Arc` is dropped.
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

    /// Marks the data as no longer current, because the watch stream broke.
    pub(super) fn lose_track(&self) {
        if let Some(watermarks) = &mut self.lock().watermarks {
            watermarks.current = false;
        }
    }

    /// Marks the data as current: the watch stream sends every change from here on.
    pub(crate) fn start_tracking(&self, now: &proto::PartitionState) {
        self.lock().advance(Watermarks {
            log_start_offset: now.log_start_offset,
            high_watermark: now.high_watermark,
            last_stable_offset: now.last_stable_offset.unwrap_or(now.high_watermark),
            current: true,
        });
        self.wake_waiters();
    }

    /// Applies an update of the stream without waking waiters: see [`Partition::wake_waiters`].
    pub(super) fn apply_update(&self, update: &proto::PartitionUpdate) {
        let mut state = self.lock();
        for run in update.runs.iter().filter_map(Run::from_proto) {
            let known_end = state.recent.back().map(|last| last.run.end_offset());
            if known_end.is_some_and(|end| end > run.base_offset) {
                continue; // received twice because of a reconnection
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

    /// Wakes all fetches that wait.
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
    /// Advances the watermarks. None ever decreases, so late responses have no effect.
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

/// Takes the runs (in offset order) that continue at `next`. Returns true if `max_bytes` is covered.
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
