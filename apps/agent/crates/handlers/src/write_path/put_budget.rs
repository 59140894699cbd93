//! The PUTs that an agent may spend on sealing files early: those that the flush interval and the flush size alone would have cost,
//! and those that it saved while nobody wrote.

use std::time::Duration;

use tokio::time::Instant;

const HOUR: Duration = Duration::from_secs(3600);

/// A token bucket. Every sealed file costs one PUT. Beside the agent it follows the file that the flush interval and the flush size
/// alone would have open: each time that one would be sealed, the agent gains one PUT. So a steady load costs what it would cost
/// without sealing early, plus at most what was saved. Clients that wait for the agent's answers cost up to the budget.
#[derive(Debug)]
pub(super) struct PutBudget {
    flush_interval: Duration,
    flush_bytes: usize,
    /// The budget. 0: no file is sealed early.
    per_hour: u32,
    most_saved: i64,
    /// PUTs. Less than zero if a file had to be sealed a moment before the other one would have been.
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
    /// `per_hour`: what the agent may spend in an hour when the interval and the size cost less. It saves those of so many hours at most,
    /// and starts with those of one.
    pub(super) fn new(flush_interval: Duration, flush_bytes: usize, per_hour: u32, saved_hours: u32) -> Self {
        // Those of one interval are gained together.
        let of_interval = puts_in(per_hour, flush_interval).max(1);
        let most_saved = of_interval.max(i64::from(per_hour) * i64::from(saved_hours));
        Self {
            flush_interval,
            flush_bytes: flush_bytes.max(1),
            per_hour,
            most_saved,
            saved: most_saved.min(per_hour.into()),
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

    /// Batches of this many bytes were admitted. `were_held_up`: their client had to be answered before it could send them.
    pub(super) fn admitted(&mut self, bytes: usize, were_held_up: bool, now: Instant) {
        self.settle(now);
        let counted = self.counts_as_open(were_held_up, now);
        let file = self.fixed.get_or_insert_with(|| FixedFile {
            opened: now - counted,
            bytes: 0,
        });
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
            self.gain(puts_in(self.per_hour, self.flush_interval).max(1));
        }
        // Whole PUTs only: the pauses of a steady trickle, each shorter than it takes to save one, save nothing.
        let idle = now.saturating_duration_since(self.idle_since);
        let puts = puts_in(self.per_hour, idle);
        if puts > 0 {
            self.idle_since = now - self.beyond_whole_puts(idle);
            self.gain(puts);
        }
    }

    /// For how long the next file of the interval was open already, as if clients that had to wait for their answers had sent before. It is
    /// as long as the budget pays for.
    fn counts_as_open(&self, were_held_up: bool, now: Instant) -> Duration {
        if !were_held_up {
            return Duration::ZERO;
        }
        let idle = now.saturating_duration_since(self.idle_since);
        let paid = idle.as_nanos() * u128::from(self.per_hour) * self.flush_interval.as_nanos() / HOUR.as_nanos();
        idle.min(Duration::from_nanos(u64::try_from(paid).unwrap_or(u64::MAX)))
    }

    /// The rest of this time, in which it allows no whole PUT.
    fn beyond_whole_puts(&self, time: Duration) -> Duration {
        let rest = time.as_nanos() * u128::from(self.per_hour) % HOUR.as_nanos() / u128::from(self.per_hour.max(1));
        Duration::from_nanos(u64::try_from(rest).unwrap_or(u64::MAX))
    }

    fn gain(&mut self, puts: i64) {
        self.saved = self.saved.saturating_add(puts).min(self.most_saved);
    }
}

/// What a budget of so many PUTs per hour allows in this time.
fn puts_in(per_hour: u32, time: Duration) -> i64 {
    let puts = time.as_nanos() * u128::from(per_hour) / HOUR.as_nanos();
    i64::try_from(puts).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_millis(250);
    const PER_HOUR: u32 = 14_400;

    fn of(per_hour: u32) -> (PutBudget, Instant) {
        let mut budget = PutBudget::new(INTERVAL, 1000, per_hour, 24);
        let start = budget.idle_since;
        budget.saved = 0;
        (budget, start)
    }

    fn empty() -> (PutBudget, Instant) {
        of(PER_HOUR)
    }

    #[test]
    fn second_attempts_are_paid_from_savings_and_leave_no_debt() {
        let mut budget = PutBudget::new(INTERVAL, 1000, 10, 24);
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
                budget.admitted(1, false, now);
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
    fn clients_that_wait_for_the_agent_gain_its_budget_however_long_they_wait() {
        for round_ms in [260, 375, 490, 900] {
            let (mut budget, start) = empty();
            let mut now = start;
            while now < start + Duration::from_mins(1) {
                budget.admitted(1, true, now);
                now += Duration::from_millis(round_ms);
            }
            let saved = budget.saved_by(start + Duration::from_mins(1));
            assert!((239..=240).contains(&saved), "every {round_ms} ms: {saved} of 240");
        }
    }

    #[test]
    fn while_clients_wait_a_budget_below_what_the_interval_costs_is_not_exceeded() {
        for (per_hour, most) in [(PER_HOUR / 100, 121), (PER_HOUR / 2, 180)] {
            for round_ms in [260, 375, 500] {
                let (mut budget, start) = of(per_hour);
                let (end, mut now, mut intervals) = (start + Duration::from_mins(1), start, 0);
                while now < end {
                    budget.admitted(1, true, now);
                    intervals += 1;
                    now += Duration::from_millis(round_ms);
                }
                // What the interval costs anyhow, and what the budget allows in the rest of the time.
                let most = most.max(intervals + (240 - intervals) * u64::from(per_hour) / u64::from(PER_HOUR) + 1);
                let saved = budget.saved_by(end);
                assert!(
                    (intervals - 1..=most).contains(&saved),
                    "{saved} of {most} at {per_hour} an hour"
                );
            }
        }
    }

    #[test]
    fn a_steady_load_of_full_files_gains_one_put_per_full_file() {
        let (mut budget, start) = empty();
        for number in 0..10_000u32 {
            budget.admitted(500, false, start + Duration::from_millis(number.into()));
        }
        assert_eq!(budget.saved(), 5_000);
    }

    #[test]
    fn an_idle_agent_saves_its_budget_and_at_most_what_it_may() {
        let (mut budget, start) = empty();
        budget.settle(start + Duration::from_hours(2));
        assert_eq!(budget.saved(), 28_800);
        budget.settle(start + Duration::from_hours(2_000));
        assert_eq!(budget.saved(), 24 * 14_400);
        let mut saves_nothing = PutBudget::new(INTERVAL, 1000, PER_HOUR, 0);
        for hours in 0..3 {
            assert_eq!(saves_nothing.saved_by(start + Duration::from_hours(hours)), 1);
        }
    }

    #[test]
    fn files_that_had_to_be_sealed_are_paid_for_and_a_budget_of_nothing_buys_nothing() {
        let (mut budget, start) = empty();
        budget.admitted(1, false, start);
        budget.spend(start + INTERVAL);
        assert_eq!(budget.saved, 0);
        let mut off = PutBudget::new(INTERVAL, 1000, 0, 24);
        off.admitted(1, false, start);
        assert!(!off.try_spend(start + Duration::from_hours(100)));
    }

    #[test]
    fn a_larger_budget_is_gained_while_files_are_open_too() {
        let (mut budget, start) = of(10 * PER_HOUR);
        budget.admitted(1, false, start);
        budget.settle(start + INTERVAL);
        assert_eq!(budget.saved(), 10);
    }
}
