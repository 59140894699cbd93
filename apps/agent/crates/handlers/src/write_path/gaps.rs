//! Gaps in the sequences of idempotent producers. After a batch is given up, later batches of the same producer and partition must not
//! be committed either: the metadata service does not know a new producer's first sequence, so it would accept the later batch as the
//! first one, and the earlier one could never be written. A gap records the missing sequence. Until that batch is sent again, the
//! producer's other batches are given up too.
//!
//! Producers without idempotence have no gaps: Kafka promises them no order across a failed request either.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::partition_name::PartitionName;

/// Requests that the client sent before it learned of the failure arrive within this time. Not for ever: the client may send
/// the missing batch through another agent, and the metadata service judges sequences as well.
const LATE_ARRIVALS: Duration = Duration::from_secs(10);

/// One session of an idempotent producer with one partition: what its sequences count in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ProducerKey {
    pub(super) partition: PartitionName,
    pub(super) producer_id: i64,
    pub(super) producer_epoch: i16,
}

#[derive(Debug)]
struct Gap {
    /// The first sequence that was given up.
    missing: i32,
    /// Batches of files that were opened before this time may have been sent without with_topics of the gap.
    until: Instant,
}

/// The open gaps. Batches of one partition must be shown to it in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    gaps: HashMap<ProducerKey, Gap>,
}

impl Gaps {
    pub(super) fn is_empty(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Whether a batch may be committed whose file was opened at `opened`. The missing batch may, and ends the gap.
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

    /// A batch was not committed, or its outcome is unknown.
    pub(super) fn failed(&mut self, key: ProducerKey, sequence: i32, now: Instant) {
        let until = now + LATE_ARRIVALS;
        let gap = self.gaps.entry(key).or_insert(Gap {
            missing: sequence,
            until,
        });
        gap.until = until;
    }

    /// Forgets the gaps that no longer concern a batch. `oldest`: when the oldest file was opened that is not done yet.
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
    fn after_a_failed_batch_only_that_batch_is_taken_until_it_came_again() {
        let (mut gaps, now) = (Gaps::default(), Instant::now());
        gaps.failed(key(1, 0), 5, now);
        gaps.failed(key(1, 0), 9, now);
        assert!(!gaps.admits(&key(1, 0), 9, now));
        assert!(gaps.admits(&key(1, 0), 5, now));
        assert!(gaps.admits(&key(1, 0), 9, now));
    }

    #[test]
    fn another_producer_and_another_epoch_have_no_part_in_a_gap() {
        let (mut gaps, now) = (Gaps::default(), Instant::now());
        gaps.failed(key(1, 0), 5, now);
        assert!(gaps.admits(&key(2, 0), 9, now));
        assert!(gaps.admits(&key(1, 1), 0, now));
    }

    #[test]
    fn a_gap_is_left_to_the_metadata_service_once_the_client_must_know_of_it() {
        let (mut gaps, now) = (Gaps::default(), Instant::now());
        gaps.failed(key(1, 0), 5, now);
        assert!(gaps.admits(&key(1, 0), 9, now + LATE_ARRIVALS));
        gaps.forget(now);
        assert!(!gaps.is_empty());
        gaps.forget(now + LATE_ARRIVALS);
        assert!(gaps.is_empty());
    }
}
