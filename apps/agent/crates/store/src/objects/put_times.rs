//! Tracks how long object storage recently took to accept files, to decide when a second attempt is worth its price.
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

/// Number of size classes. Files of one class differ by at most a factor of four.
const CLASSES: usize = 6;
const SMALLEST_CLASS_BYTES: u64 = 64 << 10;
/// Number of times kept per class: a few seconds' worth at one file per 250 ms.
const KEPT: usize = 64;
/// Minimum number of times needed to estimate the percentile.
const FEWEST: usize = 32;
/// An attempt slower than this percentile gets a second one in parallel.
const SLOW_PERCENTILE: usize = 95;
/// Minimum delay before a second attempt. An earlier one would gain less than a flush interval loses.
const MIN_HEDGE_DELAY: Duration = Duration::from_millis(20);
/// One in this many files may have a second attempt: requests cost money, and more of them do not help a store that is
/// slow for all.
const FILES_PER_HEDGE: u32 = 20;
const MOST_HEDGES_SAVED: u32 = 10;

/// The times of files written to one bucket.
#[derive(Debug, Default)]
pub(super) struct PutTimes {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    recent: [Vec<Duration>; CLASSES],
    /// The next slot of each class to overwrite.
    next: [usize; CLASSES],
    /// Saved budget in fractions of a second attempt. Each file adds one.
    saved: u32,
}

impl PutTimes {
    /// Records that a file of this size was accepted after this time.
    pub(super) fn record(&self, bytes: u64, took: Duration) {
        let class = class_of(bytes);
        let mut state = self.lock();
        state.saved = (state.saved + 1).min(MOST_HEDGES_SAVED * FILES_PER_HEDGE);
        let at = state.next[class];
        match state.recent[class].get_mut(at) {
            Some(oldest) => *oldest = took,
            None => state.recent[class].push(took),
        }
        state.next[class] = (at + 1) % KEPT;
    }

    /// The delay after which an attempt is slow for a file of about this size; `None` while too few times are known.
    pub(super) fn hedge_delay(&self, bytes: u64) -> Option<Duration> {
        let mut recent = self.lock().recent[class_of(bytes)].clone();
        if recent.len() < FEWEST {
            return None;
        }
        let slow = recent.len() * SLOW_PERCENTILE / 100;
        let (_, hedge_delay, _) = recent.select_nth_unstable(slow);
        Some((*hedge_delay).max(MIN_HEDGE_DELAY))
    }

    /// Returns true, and consumes the budget, if a second attempt is allowed.
    pub(super) fn may_hedge(&self) -> bool {
        let mut state = self.lock();
        let may = state.saved >= FILES_PER_HEDGE;
        if may {
            state.saved -= FILES_PER_HEDGE;
        }
        may
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

fn class_of(bytes: u64) -> usize {
    let factor = (bytes / SMALLEST_CLASS_BYTES).max(1);
    ((factor.ilog2() / 2) as usize).min(CLASSES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn an_attempt_is_slow_if_slower_than_nearly_all_of_its_size() {
        let times = PutTimes::default();
        for took in 1..FEWEST as u64 {
            times.record(MIB, ms(took));
        }
        assert_eq!(times.hedge_delay(MIB), None);
        for took in 1..=KEPT as u64 {
            times.record(MIB, ms(100 + took));
            times.record(16 * MIB, ms(1_000));
        }
        assert_eq!(times.hedge_delay(MIB), Some(ms(161)));
        assert_eq!(times.hedge_delay(2 * MIB), Some(ms(161)));
        assert_eq!(times.hedge_delay(16 * MIB), Some(ms(1_000)));
        assert_eq!(times.hedge_delay(1), None);
    }

    #[test]
    fn consistently_fast_writes_are_not_hedged_too_early() {
        let times = PutTimes::default();
        (0..KEPT).for_each(|_| times.record(MIB, ms(1)));
        assert_eq!(times.hedge_delay(MIB), Some(MIN_HEDGE_DELAY));
    }

    #[test]
    fn hedges_at_most_one_file_in_twenty_plus_savings() {
        let times = PutTimes::default();
        assert!(!times.may_hedge());
        let mut hedged = 0;
        for _ in 0..10_000 {
            times.record(MIB, ms(100));
            hedged += u32::from(times.may_hedge());
        }
        assert_eq!(hedged, 10_000 / FILES_PER_HEDGE);
        (0..10_000).for_each(|_| times.record(MIB, ms(100)));
        assert_eq!(
            (0..1_000).filter(|_| times.may_hedge()).count(),
            MOST_HEDGES_SAVED as usize
        );
    }
}
