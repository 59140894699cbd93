//! Gaps in the sequences of idempotent producers. After a batch is abandoned, later batches of the same producer and
//! partition must not be committed either: the metadata service does not know a new producer's first sequence, so it
//! would accept the later batch as the first one, and the earlier one could never be written. A gap records the missing
//! sequence. Until that batch is sent again, the producer's other batches are abandoned, too.
//!
//! Producers without idempotence have no gaps: Kafka does not guarantee them any order after a failed request either.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::partition_name::PartitionName;

/// Requests sent before the client learned of the failure arrive within this time. It is limited because the client may
/// send the missing batch through another agent, and the metadata service checks sequences, too.
const LATE_ARRIVALS: Duration = Duration::from_secs(10);

/// A session of an idempotent producer with a partition, in which its sequences count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ProducerKey {
    pub(super) partition: PartitionName,
    pub(super) producer_id: i64,
    pub(super) producer_epoch: i16,
}

#[derive(Debug)]
struct Gap {
    /// The first abandoned sequence.
    missing: i32,
    /// Batches of files opened before this time may have been sent without knowledge of the gap.
    until: Instant,
}

/// The open gaps. Batches of a partition must be passed in order of arrival.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    gaps: HashMap<ProducerKey, Gap>,
}

impl Gaps {
    pub(super) fn is_empty(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Returns true if a batch of a file opened at `opened` may be committed. The missing batch may, and closes the
    /// gap.
    pub(super) fn admits(&mut self, key: &ProducerKey, sequence: i32, opened: Instant) -> bool {
        match self.gaps.get(key) {
            Some(gap) if gap.missing == sequence => {
                self.gaps.remove(key);
                true
            }
            Some(gap) => opened >= gap.until,
            None => true,
        }
    }

    /// Records that a batch was not committed or that its outcome is unknown.
    pub(super) fn failed(&mut self, key: ProducerKey, sequence: i32, now: Instant) {
        let until = now + LATE_ARRIVALS;
        let gap = self.gaps.entry(key).or_insert(Gap {
            missing: sequence,
            until,
        });
        gap.until = until;
    }

    /// Removes gaps that no longer affect any batch. `oldest` is when the oldest unfinished file was opened.
    pub(super) fn forget(&mut self, oldest: Instant) {
        self.gaps.retain(|_, gap| gap.until > oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(producer_id: i64, producer_epoch: i16) -> ProducerKey {
        ProducerKey {
            partition: PartitionName {
                topic: "t".into(),
                partition: 0,
            },
            producer_id,
            producer_epoch,
        }
    }

    #[test]
    fn after_a_failed_batch_accepts_only_that_batch() {
        let (mut gaps, now) = (Gaps::default(), Instant::now());
        gaps.failed(key(1, 0), 5, now);
        gaps.failed(key(1, 0), 9, now);
        assert!(!gaps.admits(&key(1, 0), 9, now));
        assert!(gaps.admits(&key(1, 0), 5, now));
        assert!(gaps.admits(&key(1, 0), 9, now));
    }

    #[test]
    fn a_gap_does_not_affect_other_producers_or_epochs() {
        let (mut gaps, now) = (Gaps::default(), Instant::now());
        gaps.failed(key(1, 0), 5, now);
        assert!(gaps.admits(&key(2, 0), 9, now));
        assert!(gaps.admits(&key(1, 1), 0, now));
    }

    #[test]
    fn a_gap_expires_once_the_client_must_know_of_it() {
        let (mut gaps, now) = (Gaps::default(), Instant::now());
        gaps.failed(key(1, 0), 5, now);
        assert!(gaps.admits(&key(1, 0), 9, now + LATE_ARRIVALS));
        gaps.forget(now);
        assert!(!gaps.is_empty());
        gaps.forget(now + LATE_ARRIVALS);
        assert!(gaps.is_empty());
    }
}
