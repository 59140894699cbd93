//! The PUTs that an agent may spend on sealing files early: those that the flush interval and flush size alone would
//! have cost, and those saved while idle.

use std::time::Duration;

use tokio::time::Instant;

const HOUR: Duration = Duration::from_secs(3600);

/// A token bucket. Every sealed file costs one PUT. The budget tracks the file that the flush interval and size alone
/// would have open: each time that file would be sealed, the agent gains one PUT. A steady load therefore costs no more
/// than without early sealing, plus at most the savings. Clients that wait for responses cost up to the budget.
#[derive(Debug)]
pub(super) struct PutBudget {
    flush_interval: Duration,
    flush_bytes: usize,
    /// PUTs per hour. If 0, no file is sealed early.
    per_hour: u32,
    most_saved: i64,
    /// Available PUTs. Negative if a file had to be sealed shortly before the tracked one.
    saved: i64,
    fixed: Option<FixedFile>,
    /// When the last file was sealed; the time since then has not been credited yet.
    idle_since: Instant,
}

/// The file that the flush interval and size alone would have open.
#[derive(Debug)]
struct FixedFile {
    opened: Instant,
    bytes: usize,
}

impl PutBudget {
    /// `per_hour`: PUTs that the agent may spend per hour if the interval and size cost less. Starts with one hour's
    /// worth and saves at most this many hours' worth.
    pub(super) fn new(flush_interval: Duration, flush_bytes: usize, per_hour: u32, saved_hours: u32) -> Self {
        // The PUTs of one interval are gained together.
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

    /// Returns true if files may be sealed early.
    pub(super) fn is_on(&self) -> bool {
        self.per_hour > 0
    }

    /// PUTs that can be spent now.
    pub(super) fn saved_by(&mut self, now: Instant) -> u64 {
        self.settle(now);
        self.saved()
    }

    fn saved(&self) -> u64 {
        u64::try_from(self.saved).unwrap_or(0)
    }

    /// Records that this many bytes were admitted. `were_held_up`: their client needed a response before it could send
    /// them.
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

    /// Records that a file had to be sealed.
    pub(super) fn spend(&mut self, now: Instant) {
        self.settle(now);
        self.saved -= 1;
    }

    /// Pays for second attempts at this many files from the savings, as far as they last.
    pub(super) fn spend_on_hedges(&mut self, puts: u64, now: Instant) {
        self.settle(now);
        let paid = puts.min(self.saved());
        self.saved -= i64::try_from(paid).unwrap_or(i64::MAX);
    }

    /// Returns true, and spends its PUT, if a file may be sealed early.
    pub(super) fn try_spend(&mut self, now: Instant) -> bool {
        self.settle(now);
        let may = self.is_on() && self.saved > 0;
        if may {
            self.saved -= 1;
        }
        may
    }

    /// Credits the PUTs gained until now.
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
        // Whole PUTs only: the pauses of a steady trickle, each too short for one PUT, save nothing.
        let idle = now.saturating_duration_since(self.idle_since);
        let puts = puts_in(self.per_hour, idle);
        if puts > 0 {
            self.idle_since = now - self.beyond_whole_puts(idle);
            self.gain(puts);
        }
    }

    /// How long the tracked file counts as open already, as if clients that waited for responses had sent earlier.
    /// Limited by what the budget pays for.
    fn counts_as_open(&self, were_held_up: bool, now: Instant) -> Duration {
        if !were_held_up {
            return Duration::ZERO;
        }
        let idle = now.saturating_duration_since(self.idle_since);
        let paid = idle.as_nanos() * u128::from(self.per_hour) * self.flush_interval.as_nanos() / HOUR.as_nanos();
        idle.min(Duration::from_nanos(u64::try_from(paid).unwrap_or(u64::MAX)))
    }

    /// The part of this time that is not enough for a whole PUT.
    fn beyond_whole_puts(&self, time: Duration) -> Duration {
        let rest = time.as_nanos() * u128::from(self.per_hour) % HOUR.as_nanos() / u128::from(self.per_hour.max(1));
        Duration::from_nanos(u64::try_from(rest).unwrap_or(u64::MAX))
    }

    fn gain(&mut self, puts: i64) {
        self.saved = self.saved.saturating_add(puts).min(self.most_saved);
    }
}

/// Number of PUTs that a budget per hour allows in this time.
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
    fn second_attempts_use_savings_and_leave_no_debt() {
        let mut budget = PutBudget::new(INTERVAL, 1000, 10, 24);
        let now = Instant::now();
        budget.spend_on_hedges(4, now);
        assert_eq!(budget.saved(), 6);
        budget.spend_on_hedges(1_000, now);
        assert_eq!(budget.saved, 0);
    }

    #[test]
    fn a_steady_trickle_gains_the_puts_of_the_interval_alone() {
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
    fn waiting_clients_gain_the_budget_however_long_they_wait() {
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
    fn waiting_clients_do_not_exceed_a_low_budget() {
        for (per_hour, most) in [(PER_HOUR / 100, 121), (PER_HOUR / 2, 180)] {
            for round_ms in [260, 375, 500] {
                let (mut budget, start) = of(per_hour);
                let (end, mut now, mut intervals) = (start + Duration::from_mins(1), start, 0);
                while now < end {
                    budget.admitted(1, true, now);
                    intervals += 1;
                    now += Duration::from_millis(round_ms);
                }
                // The cost of the interval in any case, and what the budget allows in the rest of the time.
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
    fn an_idle_agent_saves_its_budget_up_to_the_limit() {
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
    fn forced_seals_are_paid_for_and_a_zero_budget_buys_nothing() {
        let (mut budget, start) = empty();
        budget.admitted(1, false, start);
        budget.spend(start + INTERVAL);
        assert_eq!(budget.saved, 0);
        let mut off = PutBudget::new(INTERVAL, 1000, 0, 24);
        off.admitted(1, false, start);
        assert!(!off.try_spend(start + Duration::from_hours(100)));
    }

    #[test]
    fn a_larger_budget_also_accrues_while_files_are_open() {
        let (mut budget, start) = of(10 * PER_HOUR);
        budget.admitted(1, false, start);
        budget.settle(start + INTERVAL);
        assert_eq!(budget.saved(), 10);
    }
}
