//! One partition of the in-memory metadata service: its runs, its bounds, and the last batches of its producers.

use std::collections::{HashMap, VecDeque};

use crate::proto;

const OUT_OF_ORDER_SEQUENCE_NUMBER: i32 = 45;
const INVALID_PRODUCER_EPOCH: i32 = 47;
/// Batches per producer whose duplicates are recognized.
const REMEMBERED_BATCHES: usize = 5;
const MAX_SEQUENCE: i64 = i32::MAX as i64;

const LATEST: i64 = -1;
const EARLIEST: i64 = -2;
const MAX_TIMESTAMP: i64 = -3;
const EARLIEST_LOCAL: i64 = -4;

/// The log of one partition and its producers.
#[derive(Debug, Default)]
pub(super) struct Partition {
    pub(super) runs: Vec<proto::RunLocation>,
    pub(super) log_start_offset: i64,
    pub(super) high_watermark: i64,
    producers: HashMap<i64, Producer>,
}

#[derive(Debug, Default)]
struct Producer {
    epoch: i32,
    /// The newest batches of the epoch, oldest first.
    batches: VecDeque<RememberedBatch>,
}

#[derive(Debug)]
struct RememberedBatch {
    first_sequence: i64,
    last_sequence: i64,
    base_offset: i64,
}

/// Producer id, epoch and first sequence of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    pub(super) producer_id: i64,
    pub(super) epoch: i32,
    pub(super) sequence: i32,
}

/// Decision about a batch.
pub(super) enum Verdict {
    /// The batch gets the next offsets.
    Append,
    /// The batch was appended before, at this offset.
    Duplicate(i64),
    /// The batch is refused with this Kafka error code.
    Refuse(i32),
}

impl Partition {
    /// Judges a batch by Kafka's rules for idempotent producers, and remembers it if it is appended at `base_offset`.
    pub(super) fn admit(&mut self, claim: Option<Claim>, records: u32, base_offset: i64) -> Verdict {
        let Some(claim) = claim else {
            return Verdict::Append;
        };
        if claim.epoch < 0 {
            return Verdict::Refuse(INVALID_PRODUCER_EPOCH);
        }
        if claim.sequence < 0 {
            return Verdict::Refuse(OUT_OF_ORDER_SEQUENCE_NUMBER);
        }
        let first_sequence = i64::from(claim.sequence);
        let last_sequence = (first_sequence + i64::from(records) - 1) % (MAX_SEQUENCE + 1);
        let verdict = match self.producers.get(&claim.producer_id) {
            None => Verdict::Append,
            Some(producer) => producer.judge(claim.epoch, first_sequence, last_sequence),
        };
        if matches!(verdict, Verdict::Append) {
            let producer = self.producers.entry(claim.producer_id).or_default();
            if producer.epoch != claim.epoch {
                producer.epoch = claim.epoch;
                producer.batches.clear();
            }
            if producer.batches.len() == REMEMBERED_BATCHES {
                producer.batches.pop_front();
            }
            producer.batches.push_back(RememberedBatch {
                first_sequence,
                last_sequence,
                base_offset,
            });
        }
        verdict
    }

    /// Deletes the records before an offset.
    pub(super) fn truncate(&mut self, before_offset: i64) {
        self.runs.retain(|run| end_of(run) > before_offset);
        self.log_start_offset = self.log_start_offset.max(before_offset);
    }

    /// The runs from an offset on, enough to cover `max_bytes`; none at the high watermark or when out of range.
    pub(super) fn runs_from(&self, offset: i64, max_bytes: u32) -> Vec<proto::RunLocation> {
        let mut bytes = 0;
        let mut found = Vec::new();
        for run in self.runs.iter().filter(|run| end_of(run) > offset) {
            if !found.is_empty() && bytes >= u64::from(max_bytes) {
                break;
            }
            bytes += u64::from(run.bytes);
            found.push(run.clone());
        }
        found
    }

    /// Answers one query of `ListOffsets`.
    pub(super) fn offset_for(&self, query: &proto::OffsetQuery) -> proto::OffsetAnswer {
        let exact = |offset| proto::OffsetAnswer {
            offset,
            timestamp_ms: -1,
            ..Default::default()
        };
        let searched = || self.runs.iter().filter(|run| end_of(run) > query.from_offset);
        let wanted_ms = match query.timestamp_ms {
            LATEST => return exact(self.high_watermark),
            EARLIEST | EARLIEST_LOCAL => return exact(self.log_start_offset),
            MAX_TIMESTAMP => searched().map(|run| run.max_timestamp_ms).max().unwrap_or(i64::MAX),
            timestamp_ms if timestamp_ms < 0 => return exact(-1),
            timestamp_ms => timestamp_ms,
        };
        let found = searched().find(|run| run.max_timestamp_ms >= wanted_ms);
        found.map_or(exact(-1), |run| proto::OffsetAnswer {
            offset: run.base_offset.max(self.log_start_offset).max(query.from_offset),
            timestamp_ms: run.max_timestamp_ms,
            run: Some(run.clone()),
            ..Default::default()
        })
    }
}

impl Producer {
    fn judge(&self, epoch: i32, first_sequence: i64, last_sequence: i64) -> Verdict {
        if epoch < self.epoch {
            return Verdict::Refuse(INVALID_PRODUCER_EPOCH);
        }
        if epoch > self.epoch {
            return if first_sequence == 0 {
                Verdict::Append
            } else {
                Verdict::Refuse(OUT_OF_ORDER_SEQUENCE_NUMBER)
            };
        }
        let same =
            |batch: &&RememberedBatch| (batch.first_sequence, batch.last_sequence) == (first_sequence, last_sequence);
        if let Some(batch) = self.batches.iter().find(same) {
            return Verdict::Duplicate(batch.base_offset);
        }
        let next = self
            .batches
            .back()
            .map(|last| (last.last_sequence + 1) % (MAX_SEQUENCE + 1));
        if next.is_none_or(|next| next == first_sequence) {
            Verdict::Append
        } else {
            Verdict::Refuse(OUT_OF_ORDER_SEQUENCE_NUMBER)
        }
    }
}

/// The offset after a run's last record.
pub(super) fn end_of(run: &proto::RunLocation) -> i64 {
    run.base_offset + i64::from(run.records)
}
