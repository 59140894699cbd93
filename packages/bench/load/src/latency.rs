//! Latencies of a run, and their percentiles.

use std::time::Duration;

/// One latency in this many records is kept. A prime, so that no place in a batch is kept more often than the others.
const SAMPLED_EVERY: u64 = 17;

/// Latencies as they were measured.
#[derive(Default)]
pub struct Latencies {
    us: Vec<u32>,
}

/// Chooses the records whose latencies are kept, across the batches in which they come.
#[derive(Default)]
pub struct Sampler {
    /// Records until the next one.
    skipped: u64,
}

impl Sampler {
    /// Which records of the next batch are kept.
    pub fn of_batch(&mut self, records: u64) -> impl Iterator<Item = u64> + use<> {
        let first = self.skipped;
        let kept = records.saturating_sub(first).div_ceil(SAMPLED_EVERY);
        self.skipped = first + kept * SAMPLED_EVERY - records;
        (0..kept).map(move |nth| first + nth * SAMPLED_EVERY)
    }
}

impl Latencies {
    pub fn add(&mut self, latency: Duration) {
        self.us
            .push(u32::try_from(latency.as_micros()).unwrap_or(u32::MAX));
    }

    /// Those of all producers together.
    pub fn merged(all: impl IntoIterator<Item = Self>) -> Self {
        let mut us: Vec<u32> = all.into_iter().flat_map(|latencies| latencies.us).collect();
        us.sort_unstable();
        Self { us }
    }

    /// The smallest latency, in milliseconds, that `share` of them do not exceed; `None` without any. Of merged ones only.
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
    fn every_place_in_a_batch_is_sampled_equally_often() {
        for records in [1, 8, 16, 40] {
            let (mut sampler, mut kept) = (Sampler::default(), vec![0; records]);
            for _ in 0..1_700 {
                for record in sampler.of_batch(records as u64) {
                    kept[record as usize] += 1;
                }
            }
            assert_eq!(kept, vec![100; records], "batches of {records}");
        }
    }

    #[test]
    fn a_percentile_is_the_smallest_latency_that_the_share_does_not_exceed() {
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
