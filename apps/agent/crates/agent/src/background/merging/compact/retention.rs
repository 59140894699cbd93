//! Decides which records of a compacted partition are kept, like Kafka's LogCleaner (and KIP-534 for tombstones).

use penstock_wire::record_batch::RecordView;

use super::key_map::KeyMap;

/// The retention rule for one partition in one job.
#[derive(Debug)]
pub(crate) struct Retention {
    /// The latest offset of each key among the dirty offsets before `mapped_end`.
    map: KeyMap,
    first_dirty_offset: i64,
    /// End of the offsets covered by the map, which ends earlier than the log if it is full.
    mapped_end: i64,
    /// Offset of the last record seen.
    last_offset: Option<i64>,
    is_full: bool,
    /// Current time by the metadata service's clock.
    now_ms: i64,
}

impl Retention {
    pub(crate) fn new(map: KeyMap, first_dirty_offset: i64, end_offset: i64, now_ms: i64) -> Self {
        Self {
            map,
            first_dirty_offset,
            mapped_end: end_offset,
            last_offset: None,
            is_full: false,
            now_ms,
        }
    }

    /// Adds the next record of the partition.
    pub(crate) fn note(&mut self, record: &RecordView<'_>) {
        if self.is_full {
            return;
        }
        if record.offset >= self.first_dirty_offset
            && let Some(key) = record.key
            && !self.map.put(key, record.offset)
        {
            self.is_full = true;
            self.mapped_end = record.offset;
            return;
        }
        self.last_offset = Some(record.offset);
    }

    /// Returns true if the map is full.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The end of the offsets for which superseded records are known.
    pub(crate) fn mapped_end(&self) -> i64 {
        self.mapped_end
    }

    /// The number of keys in the map.
    pub(crate) fn keys(&self) -> usize {
        self.map.keys()
    }

    /// Returns true if this is the last record seen.
    pub(crate) fn is_last(&self, record: &RecordView<'_>) -> bool {
        Some(record.offset) == self.last_offset
    }

    /// Returns true if a record must be kept. `keeps_tombstones`: earlier records with unknown keys exist, which a
    /// tombstone may hide.
    pub(crate) fn keeps(&self, record: &RecordView<'_>, keeps_tombstones: bool) -> bool {
        // The last record always stays, as in Kafka, which never cleans the active segment. A log must not end in an
        // empty batch, because some consumers (kafkajs) would fetch it forever.
        if record.offset >= self.mapped_end || self.is_last(record) {
            return true;
        }
        let Some(key) = record.key else { return false };
        if self.map.latest(key).is_some_and(|latest| latest > record.offset) {
            return false;
        }
        let is_past_horizon = record
            .delete_horizon_ms
            .is_some_and(|horizon_ms| self.now_ms >= horizon_ms);
        !(record.is_tombstone && is_past_horizon) || keeps_tombstones
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 5_000;

    fn value(offset: i64, key: &str) -> RecordView<'_> {
        RecordView {
            offset,
            key: Some(key.as_bytes()),
            is_tombstone: false,
            delete_horizon_ms: None,
        }
    }

    fn tombstone(offset: i64, key: &str, delete_horizon_ms: Option<i64>) -> RecordView<'_> {
        RecordView {
            is_tombstone: true,
            delete_horizon_ms,
            ..value(offset, key)
        }
    }

    fn keyless(offset: i64) -> RecordView<'static> {
        RecordView {
            key: None,
            ..value(offset, "")
        }
    }

    /// The state after reading `seen` of a log of 100 offsets that is dirty from offset 10, with room for `keys` keys.
    fn retention(keys: u64, seen: &[RecordView<'_>]) -> Retention {
        let mut retention = Retention::new(KeyMap::new(keys, 1 << 20), 10, 100, NOW_MS);
        seen.iter().for_each(|record| retention.note(record));
        retention
    }

    #[test]
    fn keeps_the_latest_record_of_each_key_in_order() {
        let seen = [value(11, "a"), value(12, "b"), value(20, "a"), value(99, "z")];
        let retention = retention(100, &seen);
        let keeps = |record| retention.keeps(&record, false);
        assert!(!keeps(value(3, "a")) && !keeps(value(11, "a")) && keeps(value(20, "a")));
        assert!(!keeps(value(9, "b")) && keeps(value(12, "b")));
        assert!(keeps(value(4, "not written again")));
    }

    #[test]
    fn removes_records_without_a_key() {
        let retention = retention(100, &[keyless(11), value(99, "z")]);
        assert!(!retention.keeps(&keyless(4), false) && !retention.keeps(&keyless(11), false));
    }

    #[test]
    fn keeps_a_tombstone_until_its_delete_horizon() {
        let retention = retention(100, &[value(99, "z")]);
        assert!(retention.keeps(&tombstone(4, "a", None), false));
        assert!(retention.keeps(&tombstone(4, "a", Some(NOW_MS + 1)), false));
        assert!(!retention.keeps(&tombstone(4, "a", Some(NOW_MS)), false));
        assert!(retention.keeps(&tombstone(4, "a", Some(NOW_MS)), true));
    }

    #[test]
    fn always_keeps_the_last_record() {
        assert!(retention(100, &[tombstone(98, "a", Some(1))]).keeps(&tombstone(98, "a", Some(1)), false));
        assert!(retention(100, &[keyless(98)]).keeps(&keyless(98), false));
        // The rule also holds if nothing is dirty.
        assert!(retention(100, &[tombstone(7, "a", Some(1))]).keeps(&tombstone(7, "a", Some(1)), false));
    }

    #[test]
    fn keeps_everything_beyond_the_end_of_a_full_map() {
        let seen = [
            value(11, "a"),
            value(20, "b"),
            value(21, "a"),
            value(22, "c"),
            value(23, "d"),
        ];
        let retention = retention(2, &seen);
        assert_eq!(
            (retention.is_full(), retention.mapped_end(), retention.keys()),
            (true, 22, 2)
        );
        let keeps = |record| retention.keeps(&record, false);
        assert!(!keeps(value(11, "a")) && keeps(value(21, "a")));
        assert!(keeps(keyless(22)) && keeps(tombstone(30, "a", Some(1))));
    }
}
