//! A rate limit shared by all clients of an agent. Callers pass the time, so that tests need no clock.

use std::time::Duration;

use crate::rate::Rate;

/// The total usage of all clients, measured like Kafka's quotas.
#[derive(Debug, Default)]
pub struct SharedLimit {
    rate: Option<Rate>,
}

impl SharedLimit {
    /// Counts an amount that a client used. Returns how long to throttle the client so that the total rate falls to
    /// `per_second`; zero within the limit. `now` is from any monotonic clock.
    pub fn take(&mut self, amount: f64, per_second: f64, now: Duration) -> Duration {
        let rate = self.rate.get_or_insert_with(|| Rate::new(now));
        rate.record(amount, now);
        rate.throttle_time(per_second, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1000);

    #[test]
    fn clients_share_one_rate_with_a_burst_of_ten_seconds() {
        let mut limit = SharedLimit::default();
        assert_eq!(limit.take(6_000.0, 1_000.0, NOW), Duration::ZERO);
        assert_eq!(limit.take(4_000.0, 1_000.0, NOW), Duration::ZERO);
        assert_eq!(limit.take(500.0, 1_000.0, NOW), Duration::from_millis(500));
    }

    #[test]
    fn a_lower_limit_counts_earlier_usage() {
        let mut limit = SharedLimit::default();
        assert_eq!(limit.take(10_000.0, 1_000.0, NOW), Duration::ZERO);
        assert_eq!(limit.take(0.0, 500.0, NOW), Duration::from_secs(10));
    }
}
