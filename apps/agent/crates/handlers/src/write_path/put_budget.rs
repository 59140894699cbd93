//! The PUTs that an agent may spend on sealing files early: those that the flush interval and the flush size alone would have cost,
//! and those that it saved while nobody wrote.

use std::time::Duration;

use tokio::time::Instant;

const HOUR: Duration = Duration::from_secs(3600);
/// An agent saves up at most what it may spend in this many hours.
const MOST_SAVED_HOURS: i64 = 24;

/// A token bucket. Every sealed file costs one PUT. Beside the agent it follows the file that the flush interval and the flush size
/// alone would have open: each time that one would be sealed, the agent gains one PUT. So a steady load costs what it would cost
/// without sealing early, plus at most what was saved.
#[derive(Debug)]
pub(super) struct PutBudget {
    flush_interval: Duration,
    flush_bytes: usize,
    /// The budget. 0: no file is sealed early.
    per_hour: u32,
    /// Less than zero if a file had to be sealed a moment before the other one would have been.
    saved: i64,
    fixed: Option<FixedFile>,
    /// No file was open since then, and the time since then has saved nothing yet.
    idle_since: Instant,
}

/// The file that the flush interval and the flush size alone would have open.
#[derive(Debug)]
struct FixedFile {
    opened: Instant,
    bytes: usize,
}

impl PutBudget {
    /// `per_hour`: what the agent may spend in an hour when the interval and the size cost less. It begins with the savings of one
    /// hour.
    pub(super) fn new(flush_interval: Duration, flush_bytes: usize, per_hour: u32) -> Self {
        Self {
            flush_interval,
            flush_bytes: flush_bytes.max(1),
            per_hour,
            saved: per_hour.into(),
            fixed: None,
            idle_since: Instant::now(),
        }
    }

    /// Whether any file may be sealed early.
    pub(super) fn is_on(&self) -> bool {
        self.per_hour > 0
    }

    /// PUTs that may be spent now.
    pub(super) fn saved_by(&mut self, now: Instant) -> u64 {
        self.settle(now);
        self.saved()
    }

    fn saved(&self) -> u64 {
        u64::try_from(self.saved).unwrap_or(0)
    }

    /// Batches of this many bytes were admitted.
    pub(super) fn admitted(&mut self, bytes: usize, now: Instant) {
        self.settle(now);
        let file = self.fixed.get_or_insert(FixedFile { opened: now, bytes: 0 });
        file.bytes += bytes;
        if file.bytes >= self.flush_bytes {
            self.fixed = None;
            self.idle_since = now;
            self.gain(1);
        }
    }

    /// A file is sealed that had to be.
    pub(super) fn spend(&mut self, now: Instant) {
        self.settle(now);
        self.saved -= 1;
    }

    /// So many files got a second attempt. It is paid from the savings, as long as there are any.
    pub(super) fn spend_on_hedges(&mut self, puts: u64, now: Instant) {
        self.settle(now);
        let paid = puts.min(self.saved());
        self.saved -= i64::try_from(paid).unwrap_or(i64::MAX);
    }

    /// Whether a file may be sealed early. If so, its PUT is spent.
    pub(super) fn try_spend(&mut self, now: Instant) -> bool {
        self.settle(now);
        let may = self.is_on() && self.saved > 0;
        if may {
            self.saved -= 1;
        }
        may
    }

    /// Gains what the time until now has brought.
    fn settle(&mut self, now: Instant) {
        if let Some(file) = &self.fixed {
            let sealed = file.opened + self.flush_interval;
            if now < sealed {
                return;
            }
            self.fixed = None;
            self.idle_since = sealed;
            self.gain(self.in_time(self.flush_interval).max(1));
        }
        // Whole PUTs only: the pauses of a steady trickle, each shorter than it takes to save one, save nothing.
        let idle = self.in_time(now.saturating_duration_since(self.idle_since));
        if idle > 0 {
            self.idle_since = now;
            self.gain(idle);
        }
    }

    /// What the budget allows in this time.
    fn in_time(&self, time: Duration) -> i64 {
        let puts = time.as_nanos() * u128::from(self.per_hour) / HOUR.as_nanos();
        i64::try_from(puts).unwrap_or(i64::MAX)
    }

    fn gain(&mut self, puts: i64) {
        let most = i64::from(self.per_hour) * MOST_SAVED_HOURS;
        self.saved = self.saved.saturating_add(puts).min(most.max(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_millis(250);
    const PER_HOUR: u32 = 14_400;

    fn empty() -> (PutBudget, Instant) {
        let mut budget = PutBudget::new(INTERVAL, 1000, PER_HOUR);
        let now = Instant::now();
        while budget.try_spend(now) {}
        budget.idle_since = now;
        (budget, now)
    }

    #[test]
    fn second_attempts_are_paid_from_savings_and_leave_no_debt() {
        let mut budget = PutBudget::new(INTERVAL, 1000, 10);
        let now = Instant::now();
        budget.spend_on_hedges(4, now);
        assert_eq!(budget.saved(), 6);
        budget.spend_on_hedges(1_000, now);
        assert_eq!(budget.saved, 0);
    }

    #[test]
    fn a_steady_trickle_gains_as_many_puts_as_the_interval_alone_would_cost() {
        for period_ms in [10, 100, 240, 300, 490] {
            let (mut budget, start) = empty();
            let (mut now, mut open_since, mut fixed_seals, mut early) = (start, None::<Instant>, 0, 0);
            while now < start + Duration::from_mins(1) {
                if open_since.is_some_and(|opened| opened + INTERVAL <= now) {
                    open_since = None;
                    fixed_seals += 1;
                }
                open_since.get_or_insert(now);
                budget.admitted(1, now);
                early += i32::from(budget.try_spend(now));
                now += Duration::from_millis(period_ms);
            }
            assert!(
                (fixed_seals - 1..=fixed_seals + 1).contains(&early),
                "every {period_ms} ms: {early} against {fixed_seals}"
            );
        }
    }

    #[test]
    fn a_steady_load_of_full_files_gains_one_put_per_full_file() {
        let (mut budget, start) = empty();
        for number in 0..10_000u32 {
            budget.admitted(500, start + Duration::from_millis(number.into()));
        }
        assert_eq!(budget.saved(), 5_000);
    }

    #[test]
    fn an_idle_agent_saves_its_budget_and_at_most_that_of_a_day() {
        let (mut budget, start) = empty();
        budget.settle(start + Duration::from_hours(2));
        assert_eq!(budget.saved(), 28_800);
        budget.settle(start + Duration::from_hours(2_000));
        assert_eq!(budget.saved(), 24 * 14_400);
    }

    #[test]
    fn files_that_had_to_be_sealed_are_paid_for_and_a_budget_of_nothing_buys_nothing() {
        let (mut budget, start) = empty();
        budget.admitted(1, start);
        budget.spend(start + INTERVAL);
        assert_eq!(budget.saved, 0);
        let mut off = PutBudget::new(INTERVAL, 1000, 0);
        off.admitted(1, start);
        assert!(!off.try_spend(start + Duration::from_hours(100)));
    }

    #[test]
    fn a_larger_budget_is_gained_while_files_are_open_too() {
        let mut budget = PutBudget::new(INTERVAL, 1000, 10 * PER_HOUR);
        let start = Instant::now();
        while budget.try_spend(start) {}
        budget.admitted(1, start);
        budget.settle(start + INTERVAL);
        assert_eq!(budget.saved(), 10);
    }
}
