//! The rate of a client's usage over Kafka's sliding windows, and how long to throttle the client until the rate falls
//! to its quota. Equivalent to Kafka's `Rate` over 11 windows of one second, the defaults of `quota.window.num` and
//! `quota.window.size.seconds`.

use std::time::Duration;

/// Kafka's default for `quota.window.num`: ten past windows and the current one.
const WINDOWS: u64 = 11;
/// Kafka's default for `quota.window.size.seconds`.
pub(crate) const WINDOW: Duration = Duration::from_secs(1);
/// Minimum time span of a rate. An idle client can use its quota for this time at once.
pub(crate) const SHORTEST_SPAN: Duration = Duration::from_secs(WINDOWS - 1);
const WINDOW_MS: u64 = 1_000;
/// One more than the windows, because the oldest may have begun before the relevant span.
const MAX_SAMPLES: usize = 12;

/// The usage in one window.
#[derive(Debug, Clone, Copy)]
struct Sample {
    start_ms: u64,
    last_event_ms: u64,
    amount: f64,
}

impl Sample {
    fn new(now_ms: u64) -> Self {
        Self {
            start_ms: now_ms,
            last_event_ms: now_ms,
            amount: 0.0,
        }
    }
}

/// A usage rate. All times must be from the same monotonic clock.
#[derive(Debug)]
pub(crate) struct Rate {
    samples: Vec<Sample>,
    current: usize,
}

impl Rate {
    /// Creates a rate without usage.
    pub(crate) fn new(now: Duration) -> Self {
        Self {
            samples: vec![Sample::new(millis(now))],
            current: 0,
        }
    }

    /// Returns true if the last usage is so old that it no longer matters.
    pub(crate) fn is_idle(&self, now: Duration) -> bool {
        let now_ms = millis(now);
        self.samples
            .iter()
            .all(|sample| now_ms.saturating_sub(sample.last_event_ms) >= WINDOWS * WINDOW_MS)
    }

    /// Records an amount used now.
    pub(crate) fn record(&mut self, amount: f64, now: Duration) {
        let now_ms = millis(now);
        if self.samples[self.current].start_ms + WINDOW_MS <= now_ms {
            self.current = (self.current + 1) % MAX_SAMPLES;
            match self.samples.get_mut(self.current) {
                Some(oldest) => *oldest = Sample::new(now_ms),
                None => self.samples.push(Sample::new(now_ms)),
            }
        }
        let sample = &mut self.samples[self.current];
        sample.amount += amount;
        sample.last_event_ms = now_ms;
    }

    /// How long the client must pause until its rate is `quota` per second: Kafka's `QuotaUtils.throttleTime`. Zero
    /// within the quota.
    pub(crate) fn throttle_time(&mut self, quota: f64, now: Duration) -> Duration {
        let now_ms = millis(now);
        for sample in &mut self.samples {
            if now_ms.saturating_sub(sample.last_event_ms) >= WINDOWS * WINDOW_MS {
                *sample = Sample::new(now_ms);
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "a span of some seconds")]
        let span_s = self.span_ms(now_ms) as f64 / 1_000.0;
        let taken: f64 = self.samples.iter().map(|sample| sample.amount).sum();
        let rate = taken / span_s;
        if rate <= quota {
            return Duration::ZERO;
        }
        // Rounded to whole milliseconds, like Kafka.
        let throttle_ms = ((rate - quota) / quota * span_s * 1_000.0).round();
        Duration::try_from_secs_f64(throttle_ms / 1_000.0).unwrap_or(Duration::MAX)
    }

    /// Time since the oldest sample began, but at least ten windows and the elapsed part of one.
    fn span_ms(&self, now_ms: u64) -> u64 {
        let oldest_ms = self.samples.iter().map(|sample| sample.start_ms).min();
        let elapsed_ms = now_ms.saturating_sub(oldest_ms.unwrap_or(now_ms));
        let missing_windows = (WINDOWS - 1).saturating_sub(elapsed_ms / WINDOW_MS);
        (elapsed_ms + missing_windows * WINDOW_MS).max(1)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After the first number of milliseconds, a client with a quota of 1,000 per second uses the amount and is
    /// throttled for the last number of milliseconds. From `Rate` and `QuotaUtils.throttleTime` of Apache Kafka 4.3.1.
    const OF_KAFKA: &[(u64, u32, u64)] = &[
        (0, 1164, 0),
        (1000, 0, 0),
        (1001, 7968, 0),
        (0, 7534, 6665),
        (0, 6708, 13373),
        (10000, 1662, 13872),
        (0, 7307, 21179),
        (3333, 7924, 6560),
        (0, 6718, 13278),
        (999, 1400, 14679),
        (0, 4123, 18802),
        (3333, 7891, 26360),
        (1, 7818, 34177),
        (250, 3234, 37161),
        (1000, 3673, 40834),
        (999, 2395, 43230),
        (999, 3276, 46507),
        (1001, 5245, 43115),
        (250, 844, 43709),
        (1000, 3565, 47274),
        (3333, 1674, 28782),
        (0, 0, 28782),
        (1001, 1305, 30086),
        (250, 4529, 35365),
        (0, 652, 36017),
        (11000, 0, 0),
        (0, 4980, 0),
        (1, 598, 0),
        (1, 7787, 3363),
        (250, 4256, 7369),
        (1000, 0, 7369),
        (0, 1406, 8775),
        (0, 1537, 10312),
        (1000, 3740, 14052),
        (999, 0, 14053),
        (10000, 566, 0),
        (1001, 7795, 0),
        (3333, 6330, 4357),
        (1001, 5792, 10148),
        (1, 4754, 14901),
        (250, 1207, 15858),
        (250, 0, 15608),
        (1000, 6539, 22147),
        (1000, 4377, 26524),
        (0, 2869, 29393),
        (10000, 376, 0),
        (1000, 2976, 0),
        (1001, 7590, 941),
        (250, 590, 1281),
        (1000, 5192, 6473),
        (999, 6919, 13393),
        (3333, 7652, 20712),
        (1000, 0, 20712),
        (999, 7929, 28642),
        (0, 887, 29529),
        (10000, 7921, 5738),
        (1000, 854, 0),
        (3333, 4291, 2733),
        (1001, 3136, 5868),
        (1001, 4109, 9976),
    ];

    #[test]
    fn throttle_times_match_apache_kafka() {
        let mut now = Duration::from_secs(1_000);
        let mut rate = Rate::new(now);
        for (step, (after_ms, amount, held_ms)) in OF_KAFKA.iter().enumerate() {
            now += Duration::from_millis(*after_ms);
            rate.record((*amount).into(), now);
            let held = rate.throttle_time(1_000.0, now);
            assert_eq!(held, Duration::from_millis(*held_ms), "step {step}");
        }
    }

    #[test]
    fn a_client_can_use_ten_seconds_of_its_quota_at_once() {
        let now = Duration::from_secs(1_000);
        let mut rate = Rate::new(now);
        rate.record(10_000.0, now);
        assert_eq!(rate.throttle_time(1_000.0, now), Duration::ZERO);
        rate.record(500.0, now);
        assert_eq!(rate.throttle_time(1_000.0, now), Duration::from_millis(500));
    }

    #[test]
    fn a_rate_is_idle_once_its_last_window_no_longer_counts() {
        let now = Duration::from_secs(1_000);
        let mut rate = Rate::new(now);
        rate.record(1.0, now);
        assert!(!rate.is_idle(now + Duration::from_millis(10_999)));
        assert!(rate.is_idle(now + Duration::from_secs(11)));
    }
}
