//! Latencies of a run, and their percentiles.

use std::time::Duration;

/// Latencies in the order in which they were measured.
#[derive(Default)]
pub struct Latencies {
    us: Vec<u32>,
}

impl Latencies {
    pub fn add(&mut self, latency: Duration) {
        self.us
            .push(u32::try_from(latency.as_micros()).unwrap_or(u32::MAX));
    }

    /// Merges the latencies of all producers.
    pub fn merged(all: impl IntoIterator<Item = Self>) -> Self {
        let mut us: Vec<u32> = all.into_iter().flat_map(|latencies| latencies.us).collect();
        us.sort_unstable();
        Self { us }
    }

    /// The smallest latency in milliseconds that `share` of them do not exceed; `None` if there are none. Only for
    /// merged latencies.
    pub fn percentile_ms(&self, share: f64) -> Option<f64> {
        let rank = (self.us.len() as f64 * share).ceil() as usize;
        self.us
            .get(rank.max(1) - 1)
            .map(|us| f64::from(*us) / 1_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_smallest_latency_that_covers_the_share() {
        let part = |range: std::ops::Range<u64>| {
            let mut latencies = Latencies::default();
            range.for_each(|ms| latencies.add(Duration::from_millis(ms)));
            latencies
        };
        let all = Latencies::merged([part(51..101), part(1..51)]);
        assert_eq!(all.percentile_ms(0.5), Some(50.0));
        assert_eq!(all.percentile_ms(0.99), Some(99.0));
        assert_eq!(all.percentile_ms(1.0), Some(100.0));
        assert_eq!(Latencies::merged([]).percentile_ms(0.5), None);
    }
}
