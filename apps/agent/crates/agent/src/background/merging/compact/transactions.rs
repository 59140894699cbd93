//! Handles transactions during compaction like Kafka's LogCleaner: removes records of aborted transactions, and removes
//! an end marker `delete.retention.ms` after the first cleaning that found no batches of its transaction.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use penstock_wire::record_batch::BatchHeader;

/// The offset ranges of each producer's aborted transactions.
#[derive(Debug, Default)]
pub(super) struct AbortedRanges {
    /// Ranges in ascending order. They never overlap, since a producer has one transaction at a time.
    by_producer: HashMap<i64, Vec<(i64, i64)>>,
}

impl AbortedRanges {
    /// Adds a transaction, which must follow the producer's earlier ones.
    pub(super) fn add(&mut self, producer_id: i64, first_offset: i64, last_offset: i64) {
        let ranges = self.by_producer.entry(producer_id).or_default();
        ranges.push((first_offset, last_offset));
    }

    /// Returns true if the batch at this offset belongs to an aborted transaction.
    pub(super) fn hold(&self, header: &BatchHeader, base_offset: i64) -> bool {
        if !header.is_transactional() || header.is_control() {
            return false;
        }
        let Some(ranges) = self.by_producer.get(&header.producer_id) else {
            return false;
        };
        let begun = ranges.partition_point(|(first_offset, _)| *first_offset <= base_offset);
        let last = begun.checked_sub(1).map(|last| ranges[last]);
        last.is_some_and(|(_, last_offset)| base_offset <= last_offset)
    }
}

/// The outcome for the end marker of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndFate {
    Stays,
    /// Kept. Can be removed from this time on, in milliseconds since the Unix epoch.
    StaysUntil(i64),
    Goes,
}

/// The transactions that a cleaning encounters, batch by batch.
#[derive(Debug, Default)]
pub(super) struct Transactions {
    aborted: Arc<AbortedRanges>,
    /// Producers with batches since their last end marker.
    with_batches: HashSet<i64>,
    /// The last offset of the log. The log must not end in a gap, which some consumers would fetch forever.
    last_offset: i64,
    now_ms: i64,
}

impl Transactions {
    /// Creates the state for a cleaning up to `end_offset`. `now_ms` is by the metadata service's clock.
    pub(super) fn new(aborted: Arc<AbortedRanges>, end_offset: i64, now_ms: i64) -> Self {
        Self {
            aborted,
            with_batches: HashSet::new(),
            last_offset: end_offset - 1,
            now_ms,
        }
    }

    /// Adds a batch of records. Returns true if it must be removed because its transaction was aborted.
    pub(super) fn meet(&mut self, header: &BatchHeader, base_offset: i64) -> bool {
        if header.is_transactional() {
            self.with_batches.insert(header.producer_id);
        }
        self.aborted.hold(header, base_offset)
    }

    /// Adds the control batch that ends a transaction. `new_horizon_ms` is its delete horizon if it has none yet.
    pub(super) fn end(&mut self, header: &BatchHeader, offset: i64, new_horizon_ms: i64) -> EndFate {
        if self.with_batches.remove(&header.producer_id) || offset == self.last_offset {
            return EndFate::Stays;
        }
        match header.delete_horizon_ms() {
            Some(horizon_ms) if self.now_ms >= horizon_ms => EndFate::Goes,
            Some(horizon_ms) => EndFate::StaysUntil(horizon_ms),
            None => EndFate::StaysUntil(new_horizon_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::record_batch::EndMarker;

    use super::*;

    const NOW_MS: i64 = 5_000;
    const HORIZON_MS: i64 = 9_000;

    fn end(producer_id: i64) -> BatchHeader {
        let marker = EndMarker {
            producer_id,
            producer_epoch: 0,
            is_commit: true,
            timestamp_ms: 1,
        };
        marker.batch().header
    }

    fn batch(producer_id: i64, attributes: i16) -> BatchHeader {
        BatchHeader {
            attributes,
            ..end(producer_id)
        }
    }

    const TRANSACTIONAL: i16 = 0x10;
    const WITH_HORIZON: i16 = 0x40;

    #[test]
    fn removes_only_batches_of_aborted_transactions() {
        let mut aborted = AbortedRanges::default();
        aborted.add(7, 10, 14);
        aborted.add(7, 20, 24);
        let holds = |header: BatchHeader, offset| aborted.hold(&header, offset);
        for (offset, goes) in [(9, false), (10, true), (14, true), (15, false), (20, true), (25, false)] {
            assert_eq!(holds(batch(7, TRANSACTIONAL), offset), goes, "{offset}");
        }
        assert!(!holds(batch(8, TRANSACTIONAL), 10));
        assert!(!holds(batch(7, 0), 10), "a record outside the transaction");
        assert!(!holds(end(7), 14), "its end");
    }

    #[test]
    fn an_end_stays_while_batches_of_its_transaction_precede_it() {
        let mut transactions = Transactions::new(Arc::default(), 100, NOW_MS);
        transactions.meet(&batch(7, TRANSACTIONAL), 10);
        transactions.meet(&batch(8, 0), 11);
        assert_eq!(transactions.end(&end(7), 12, HORIZON_MS), EndFate::Stays);
        // No batches have been added since then.
        assert_eq!(
            transactions.end(&end(7), 13, HORIZON_MS),
            EndFate::StaysUntil(HORIZON_MS)
        );
        assert_eq!(
            transactions.end(&end(8), 14, HORIZON_MS),
            EndFate::StaysUntil(HORIZON_MS)
        );
    }

    #[test]
    fn an_end_is_removed_after_its_horizon_unless_it_is_last() {
        let with_horizon = |base_timestamp_ms| BatchHeader {
            attributes: end(7).attributes | WITH_HORIZON,
            base_timestamp_ms,
            ..end(7)
        };
        let mut transactions = Transactions::new(Arc::default(), 100, NOW_MS);
        assert_eq!(transactions.end(&with_horizon(NOW_MS), 10, HORIZON_MS), EndFate::Goes);
        let later = with_horizon(NOW_MS + 1);
        assert_eq!(
            transactions.end(&later, 10, HORIZON_MS),
            EndFate::StaysUntil(NOW_MS + 1)
        );
        assert_eq!(transactions.end(&with_horizon(NOW_MS), 99, HORIZON_MS), EndFate::Stays);
    }
}
