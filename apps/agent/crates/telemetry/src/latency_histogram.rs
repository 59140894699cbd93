//! A latency histogram with the buckets documented at `LatencyHistogram` in the RPC contract: whole microseconds, with
//! 32 buckets per power of two, so that a quantile estimated as the middle of its bucket is off by at most 1/64.

use std::time::Duration;

use histogram::{AtomicHistogram32, Config, Histogram32};

/// Buckets per power of two, as a power of two.
pub const GROUPING_POWER: u8 = 5;
/// Latencies of 2^32 microseconds (71.6 minutes) or more go to the last bucket.
pub const MAX_VALUE_POWER: u8 = 32;
/// Total number of buckets.
pub const BUCKET_COUNT: usize = ((MAX_VALUE_POWER - GROUPING_POWER + 1) as usize) << GROUPING_POWER;

const CONFIG: Config = match Config::new(GROUPING_POWER, MAX_VALUE_POWER) {
    Ok(config) => config,
    Err(_) => panic!("the constants above are within the library's bounds"),
};

/// Counts latencies. Shared by all tasks of the agent; takes 3.5 KiB.
pub struct LatencyHistogram {
    buckets: AtomicHistogram32,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self {
            buckets: AtomicHistogram32::with_config(&CONFIG),
        }
    }
}

impl std::fmt::Debug for LatencyHistogram {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LatencyHistogram").finish_non_exhaustive()
    }
}

/// The non-empty buckets, as encoded in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SparseBuckets {
    /// The first bucket's number, then the distance of each bucket from the previous one.
    pub gaps: Vec<u32>,
    /// The counts that correspond to `gaps`, each at least 1.
    pub counts: Vec<u32>,
}

impl LatencyHistogram {
    /// Adds a latency to the histogram.
    pub fn record(&self, took: Duration) {
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).min(CONFIG_MAX);
        // It cannot be out of range.
        let _ = self.buckets.increment(us);
    }

    /// Returns the counts and resets them.
    #[must_use]
    pub fn drain(&self) -> SparseBuckets {
        sparse(&self.buckets.drain())
    }
}

const CONFIG_MAX: u64 = (1 << MAX_VALUE_POWER) - 1;

fn sparse(histogram: &Histogram32) -> SparseBuckets {
    let mut sparse = SparseBuckets::default();
    let mut before = 0;
    for (bucket, count) in (0u32..).zip(histogram.as_slice()) {
        if *count > 0 {
            sparse.gaps.push(bucket - before);
            sparse.counts.push(*count);
            before = bucket;
        }
    }
    sparse
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The middle of the bucket that contains this quantile, which is how the control plane reads a report.
    fn quantile_us(buckets: &SparseBuckets, share: f64) -> f64 {
        let total: u32 = buckets.counts.iter().sum();
        let rank = (f64::from(total) * share).ceil().max(1.0);
        let (mut bucket, mut passed) = (0u32, 0u32);
        for (gap, count) in buckets.gaps.iter().zip(&buckets.counts) {
            bucket += gap;
            passed += count;
            if f64::from(passed) >= rank {
                let shift = (bucket >> GROUPING_POWER).saturating_sub(1);
                let start = u64::from(bucket - (shift << GROUPING_POWER)) << shift;
                let width = 1u64 << shift;
                return start as f64 + (width - 1) as f64 / 2.0;
            }
        }
        f64::NAN
    }

    fn any_latency_us() -> impl Strategy<Value = u64> {
        (0u32..32).prop_flat_map(|power| (1u64 << power) - 1..1u64 << (power + 1))
    }

    proptest! {
        #[test]
        fn a_quantile_is_within_one_sixty_fourth_of_the_exact_one(
            mut latencies_us in prop::collection::vec(any_latency_us(), 1..300),
            share in 0.01f64..=1.0,
        ) {
            let histogram = LatencyHistogram::default();
            for us in &latencies_us {
                histogram.record(Duration::from_micros(*us));
            }
            latencies_us.sort_unstable();
            let rank = ((latencies_us.len() as f64 * share).ceil() as usize).max(1);
            let exact = latencies_us[rank - 1].min(CONFIG_MAX) as f64;
            let estimate = quantile_us(&histogram.drain(), share);
            prop_assert!((estimate - exact).abs() <= exact / 64.0, "{estimate} is not {exact}");
        }

        #[test]
        fn a_latency_goes_to_the_bucket_named_in_the_contract(us in any_latency_us()) {
            let histogram = LatencyHistogram::default();
            histogram.record(Duration::from_micros(us));
            let us = us.min(CONFIG_MAX);
            let shift = u64::from((64 - us.leading_zeros()).saturating_sub(6));
            let expected = (shift << 5) + (us >> shift);
            prop_assert_eq!(histogram.drain().gaps, vec![u32::try_from(expected).unwrap()]);
        }
    }

    #[test]
    fn drained_latencies_are_not_counted_again() {
        let histogram = LatencyHistogram::default();
        histogram.record(Duration::from_millis(3));
        assert_eq!(histogram.drain().counts, vec![1]);
        assert_eq!(histogram.drain(), SparseBuckets::default());
    }

    #[test]
    fn the_longest_latencies_go_to_the_last_bucket() {
        let histogram = LatencyHistogram::default();
        histogram.record(Duration::MAX);
        histogram.record(Duration::from_secs(1 << 40));
        let last = u32::try_from(BUCKET_COUNT - 1).unwrap();
        assert_eq!(
            histogram.drain(),
            SparseBuckets {
                gaps: vec![last],
                counts: vec![2]
            }
        );
    }

    #[test]
    fn concurrent_drains_lose_no_latency() {
        let histogram = LatencyHistogram::default();
        let taken: u32 = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..5_000).for_each(|us| histogram.record(Duration::from_micros(us)))))
                .collect();
            let mut taken = 0;
            while !writers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                taken += histogram.drain().counts.iter().sum::<u32>();
            }
            taken
        });
        assert_eq!(taken + histogram.drain().counts.iter().sum::<u32>(), 20_000);
    }
}
