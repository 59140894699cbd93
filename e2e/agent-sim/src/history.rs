//! The batches that clients sent, the answers that they got, and the records that they read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::freshness::KnownEnds;
use crate::records::ReadRecord;

pub(crate) const TOPIC: &str = "events";
pub(crate) const PARTITIONS: i32 = 4;

/// How a producer sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// May send a batch twice.
    Plain,
    Idempotent,
    Transactional,
}

/// The end of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Committed,
    Aborted,
    /// Its producer never got an answer.
    Unknown,
}

/// A batch that a producer sent.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) producer: usize,
    pub(crate) kind: Kind,
    pub(crate) partition: i32,
    pub(crate) values: Vec<String>,
    /// The offset of the first record; `None` if it was never acknowledged with one.
    pub(crate) base_offset: Option<i64>,
    pub(crate) is_acknowledged: bool,
    pub(crate) transaction: Option<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) sent: Vec<Sent>,
    pub(crate) transactions: Vec<Ending>,
    /// Records that readers found, by topic, partition and offset.
    pub(crate) read: BTreeMap<(&'static str, i32, i64), ReadRecord>,
    pub(crate) faults: Vec<String>,
    pub(crate) reads: u64,
    /// Values that readers of committed records got.
    pub(crate) delivered: BTreeSet<String>,
    /// Batches that were answered with an error that clients retry.
    pub(crate) retries: u64,
    known_ends: KnownEnds,
}

/// The history so far. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct History(Arc<Mutex<Record>>);

impl History {
    /// Adds a batch that is about to be sent. Returns its number.
    pub(crate) fn sends(&self, sent: Sent) -> usize {
        let mut record = self.0.lock();
        record.sent.push(sent);
        record.sent.len() - 1
    }

    pub(crate) fn acknowledged(&self, number: usize, base_offset: Option<i64>) {
        let record = &mut *self.0.lock();
        if let Some(sent) = record.sent.get_mut(number) {
            sent.is_acknowledged = true;
            sent.base_offset = base_offset;
            if let Some(base_offset) = base_offset {
                let (partition, end) = (sent.partition, base_offset + sent.values.len() as i64);
                record.known_ends.note(partition, end);
            }
        }
    }

    /// Counts a batch that has to be sent again.
    pub(crate) fn must_retry(&self) {
        self.0.lock().retries += 1;
    }

    /// A reader of committed records gets this value.
    pub(crate) fn delivers(&self, value: &str) {
        self.0.lock().delivered.insert(value.to_owned());
    }

    /// Checks the high watermark of an answer to a reader that asked at this time.
    pub(crate) fn shows_end(&self, reader: &str, partition: i32, asked: Instant, high_watermark: i64) {
        let mut record = self.0.lock();
        let known = record.known_ends.before(partition, asked);
        if high_watermark < known {
            record.faults.push(format!(
                "{reader}: the end of partition {partition} is {high_watermark}, and clients knew {known} before"
            ));
        }
        record.known_ends.note(partition, high_watermark);
    }

    pub(crate) fn begins_transaction(&self) -> usize {
        let mut record = self.0.lock();
        record.transactions.push(Ending::Unknown);
        record.transactions.len() - 1
    }

    pub(crate) fn ends_transaction(&self, number: usize, ending: Ending) {
        if let Some(known) = self.0.lock().transactions.get_mut(number) {
            *known = ending;
        }
    }

    /// Adds a record that a reader found. All readers must find the same.
    pub(crate) fn reads(&self, topic: &'static str, partition: i32, found: ReadRecord) {
        let mut record = self.0.lock();
        record.reads += 1;
        let key = (topic, partition, found.offset);
        match record.read.get(&key) {
            None => {
                record.read.insert(key, found);
            }
            Some(known) if *known != found => {
                let fault = format!("partition {partition} of {topic}: readers found {known:?} and {found:?}");
                record.faults.push(fault);
            }
            Some(_) => {}
        }
    }

    /// Adds a broken guarantee.
    pub(crate) fn fault(&self, fault: String) {
        self.0.lock().faults.push(fault);
    }

    /// Lets a function examine the record.
    pub(crate) fn with<T>(&self, examine: impl FnOnce(&mut Record) -> T) -> T {
        examine(&mut self.0.lock())
    }
}
