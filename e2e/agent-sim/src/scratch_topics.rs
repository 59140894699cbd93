//! The record of the topics that an administrator creates, changes and deletes while clients use them.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use penstock_wire::ErrorCode;
use serde_json::{Value, json};

use crate::changing::{Changing, STALE_MS};

/// A topic's life as its administrator knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Alive {
        since_ms: i64,
    },
    /// Its deletion has no answer yet.
    Leaving,
    Deleted {
        since_ms: i64,
    },
}

#[derive(Debug)]
pub(crate) struct Topic {
    pub(crate) name: String,
    life: Life,
    partitions: Changing<i32>,
    max_batch_bytes: Changing<i32>,
    /// The lowest offset that DeleteRecords left, by partition, and since when.
    starts: BTreeMap<i32, (i64, i64)>,
    /// Records that were acknowledged, by partition and offset.
    records: BTreeMap<(i32, i64), String>,
}

#[derive(Debug, Default)]
struct State {
    topics: Vec<Topic>,
    faults: Vec<String>,
    counts: Counts,
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    created: usize,
    deleted: usize,
    widened: usize,
    shortened: usize,
    configured: usize,
    produced: usize,
    refused: usize,
}

/// A topic as a client picks it.
#[derive(Debug, Clone)]
pub(crate) struct Picked {
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) partitions: i32,
}

/// A client's request to one partition, and when it was sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) topic: usize,
    pub(crate) partition: i32,
    pub(crate) sent_ms: i64,
    /// It was sent to the agent that acknowledged the last change, after that.
    pub(crate) knows_all: bool,
}

impl Asked {
    fn since(&self) -> i64 {
        match self.knows_all {
            true => self.sent_ms + STALE_MS,
            false => self.sent_ms,
        }
    }
}

/// The topics. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScratchTopics(Arc<Mutex<State>>);

impl ScratchTopics {
    pub(crate) fn fault(&self, fault: String) {
        self.0.lock().faults.push(fault);
    }

    /// Counts for the outcome of the seed.
    pub(crate) fn counts_value(&self) -> Value {
        let counts = self.0.lock().counts;
        json!({
            "created": counts.created,
            "deleted": counts.deleted,
            "widened": counts.widened,
            "shortened": counts.shortened,
            "configured": counts.configured,
            "produced": counts.produced,
            "tooLarge": counts.refused,
        })
    }

    /// The topics that were created, deleted ones included.
    pub(crate) fn all(&self) -> Vec<Picked> {
        let state = self.0.lock();
        state
            .topics
            .iter()
            .enumerate()
            .map(|(number, topic)| topic.picked(number))
            .collect()
    }

    pub(crate) fn alive(&self) -> Vec<Picked> {
        let state = self.0.lock();
        let topics = state.topics.iter().enumerate();
        topics
            .filter(|(_, topic)| matches!(topic.life, Life::Alive { .. }))
            .map(|(number, topic)| topic.picked(number))
            .collect()
    }

    pub(crate) fn created(&self, name: String, partitions: i32, max_batch_bytes: i32, now_ms: i64) {
        let mut state = self.0.lock();
        state.counts.created += 1;
        state.topics.push(Topic {
            name,
            life: Life::Alive { since_ms: now_ms },
            partitions: Changing::new(partitions, now_ms),
            max_batch_bytes: Changing::new(max_batch_bytes, now_ms),
            starts: BTreeMap::new(),
            records: BTreeMap::new(),
        });
    }

    pub(crate) fn deletes(&self, topic: usize) {
        self.0.lock().topics[topic].life = Life::Leaving;
    }

    pub(crate) fn deleted(&self, topic: usize, now_ms: i64) {
        let mut state = self.0.lock();
        state.counts.deleted += 1;
        state.topics[topic].life = Life::Deleted { since_ms: now_ms };
    }

    pub(crate) fn widens(&self, topic: usize) {
        self.0.lock().topics[topic].partitions.changes();
    }

    pub(crate) fn widened(&self, topic: usize, partitions: i32, now_ms: i64) {
        let mut state = self.0.lock();
        state.counts.widened += 1;
        state.topics[topic].partitions = Changing::new(partitions, now_ms);
    }

    pub(crate) fn configures(&self, topic: usize) {
        self.0.lock().topics[topic].max_batch_bytes.changes();
    }

    pub(crate) fn configured(&self, topic: usize, max_batch_bytes: i32, now_ms: i64) {
        let mut state = self.0.lock();
        state.counts.configured += 1;
        state.topics[topic].max_batch_bytes = Changing::new(max_batch_bytes, now_ms);
    }

    /// DeleteRecords was acknowledged with this low watermark.
    pub(crate) fn shortened(&self, topic: usize, partition: i32, start: i64, now_ms: i64) {
        let mut state = self.0.lock();
        state.counts.shortened += 1;
        let known = state.topics[topic].starts.entry(partition).or_insert((0, now_ms));
        if start > known.0 {
            *known = (start, now_ms);
        }
    }

    /// An offset up to which records may be deleted: one that is acknowledged.
    pub(crate) fn end(&self, topic: usize, partition: i32) -> i64 {
        let state = self.0.lock();
        let records = &state.topics[topic].records;
        let last = records.range((partition, 0)..(partition + 1, 0)).next_back();
        last.map_or(0, |((_, offset), _)| offset + 1)
    }

    /// Judges the answer to a produced batch of this size.
    pub(crate) fn answers_produce(&self, asked: Asked, bytes: usize, code: ErrorCode) {
        let mut state = self.0.lock();
        let topic = &state.topics[asked.topic];
        let limit = topic.max_batch_bytes.certain(asked.since(), STALE_MS);
        let is_over = limit.map(|limit| bytes > usize::try_from(limit).unwrap_or(0));
        let fault = match code {
            ErrorCode::MESSAGE_TOO_LARGE if is_over == Some(false) => Some(format!(
                "a batch of {bytes} bytes was refused, and the limit is {limit:?}"
            )),
            ErrorCode::NONE if is_over == Some(true) => Some(format!(
                "a batch of {bytes} bytes was taken, and the limit is {limit:?}"
            )),
            code => topic.existence_fault(asked, code),
        };
        let fault = fault.map(|fault| format!("{}: {fault}", topic.name));
        state.faults.extend(fault);
        match code {
            ErrorCode::NONE => state.counts.produced += 1,
            ErrorCode::MESSAGE_TOO_LARGE => state.counts.refused += 1,
            _ => {}
        }
    }

    /// A batch was acknowledged at this offset.
    pub(crate) fn produced(&self, asked: Asked, base_offset: i64, values: &[String]) {
        let mut state = self.0.lock();
        let records = &mut state.topics[asked.topic].records;
        let mut fault = None;
        for (value, offset) in values.iter().zip(base_offset..) {
            let before = records.insert((asked.partition, offset), value.clone());
            if let Some(before) = before.filter(|before| before != value) {
                fault = Some(format!("{before} and {value} were both acknowledged at {offset}"));
            }
        }
        state.faults.extend(fault);
    }

    /// Judges the answer to a fetch or another read of a partition.
    pub(crate) fn answers_read(&self, asked: Asked, code: ErrorCode) {
        let mut state = self.0.lock();
        let topic = &state.topics[asked.topic];
        let fault = topic.existence_fault(asked, code);
        let fault = fault.map(|fault| format!("{}: {fault}", topic.name));
        state.faults.extend(fault);
    }

    /// Judges the records and the log start of a fetch from this offset.
    pub(crate) fn fetched(&self, asked: Asked, from: i64, log_start: i64, found: &[(i64, String)]) {
        let mut state = self.0.lock();
        let topic = &state.topics[asked.topic];
        let mut faults = Vec::new();
        let start = topic.start(asked);
        if start > from {
            faults.push(format!("reads from {from}, and its log starts at {start}"));
        }
        // -1: the agent has not asked the owner.
        if (0..start).contains(&log_start) {
            faults.push(format!("names {log_start} as its log start, and it is {start}"));
        }
        for (offset, value) in found {
            let known = topic.records.get(&(asked.partition, *offset));
            if let Some(known) = known.filter(|known| *known != value) {
                faults.push(format!("has {value} at {offset}, and {known} was acknowledged there"));
            }
        }
        let name = format!("partition {} of {}", asked.partition, topic.name);
        state
            .faults
            .extend(faults.into_iter().map(|fault| format!("{name} {fault}")));
    }

    /// Judges a partition that was read from its log start to its end.
    pub(crate) fn read_whole(&self, asked: Asked, log_start: i64, found: &BTreeMap<i64, String>) {
        let mut state = self.0.lock();
        let topic = &state.topics[asked.topic];
        let name = format!("partition {} of {}", asked.partition, topic.name);
        let start = topic.starts.get(&asked.partition).map_or(0, |(start, _)| *start);
        let mut faults = Vec::new();
        if log_start != start {
            faults.push(format!("{name} starts at {log_start}, and DeleteRecords left {start}"));
        }
        let records = topic.records.range((asked.partition, start)..(asked.partition + 1, 0));
        for ((_, offset), value) in records {
            if found.get(offset) != Some(value) {
                faults.push(format!("{name}: {value} was acknowledged at {offset} and is lost"));
            }
        }
        state.faults.extend(faults);
    }

    /// Returns what is broken. The service must have the topics that are alive, and no others of theirs.
    pub(crate) fn judge(&self, facts: &Value) -> Vec<String> {
        let state = self.0.lock();
        let mut faults = state.faults.clone();
        let topics = facts["topics"].as_array().map_or(&[][..], Vec::as_slice);
        for topic in &state.topics {
            let stored = topics.iter().find(|stored| stored["name"] == topic.name.as_str());
            let partitions = stored.map(|stored| stored["partitions"].as_array().map_or(0, Vec::len));
            let expected = match topic.life {
                Life::Alive { .. } => Some(usize::try_from(topic.partitions.value).unwrap_or(0)),
                Life::Deleted { .. } => None,
                Life::Leaving => continue,
            };
            if partitions != expected {
                faults.push(format!(
                    "{} has {partitions:?} partitions in the service, and {expected:?} for its administrator",
                    topic.name
                ));
            }
        }
        faults
    }
}

impl Topic {
    fn picked(&self, number: usize) -> Picked {
        Picked {
            number,
            name: self.name.clone(),
            partitions: self.partitions.value,
        }
    }

    /// Where the partition starts at least, as every agent must know in a request sent at this time.
    fn start(&self, asked: Asked) -> i64 {
        match self.starts.get(&asked.partition) {
            Some((start, since_ms)) if since_ms + STALE_MS <= asked.since() => *start,
            _ => 0,
        }
    }

    /// The fault of an answer of this code, as far as it says whether the partition exists.
    fn existence_fault(&self, asked: Asked, code: ErrorCode) -> Option<String> {
        let is_unknown = matches!(
            code,
            ErrorCode::UNKNOWN_TOPIC_OR_PARTITION | ErrorCode::UNKNOWN_TOPIC_ID
        );
        match self.life {
            Life::Alive { since_ms } if is_unknown => {
                let partitions = self.partitions.certain(asked.since(), STALE_MS);
                let must_exist = partitions.is_some_and(|partitions| asked.partition < partitions);
                (since_ms + STALE_MS <= asked.since() && must_exist)
                    .then(|| format!("partition {} was created and is unknown", asked.partition))
            }
            Life::Deleted { since_ms } if since_ms + STALE_MS <= asked.since() => {
                // A failure to answer says nothing.
                let says_it_exists = matches!(code, ErrorCode::NONE | ErrorCode::OFFSET_OUT_OF_RANGE);
                says_it_exists.then(|| format!("was deleted, and partition {} answers", asked.partition))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics() -> ScratchTopics {
        let topics = ScratchTopics::default();
        topics.created("t".to_owned(), 1, 1_000, 0);
        topics
    }

    fn at(sent_ms: i64) -> Asked {
        Asked {
            topic: 0,
            partition: 0,
            sent_ms,
            knows_all: false,
        }
    }

    fn faults(topics: &ScratchTopics) -> usize {
        topics.0.lock().faults.len()
    }

    #[test]
    fn notices_a_created_topic_that_is_unknown() {
        let topics = topics();
        topics.answers_read(at(STALE_MS - 1), ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
        topics.answers_read(at(STALE_MS), ErrorCode::NONE);
        assert_eq!(faults(&topics), 0);
        topics.answers_read(at(STALE_MS), ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
        assert_eq!(faults(&topics), 1);
    }

    #[test]
    fn notices_a_deleted_topic_that_answers() {
        let topics = topics();
        topics.deletes(0);
        topics.answers_read(at(60_000), ErrorCode::NONE);
        topics.deleted(0, 1_000);
        topics.answers_read(at(2_000), ErrorCode::NONE);
        assert_eq!(faults(&topics), 0);
        let same_agent = Asked {
            knows_all: true,
            ..at(2_000)
        };
        topics.answers_read(same_agent, ErrorCode::NONE);
        assert_eq!(faults(&topics), 1);
    }

    #[test]
    fn notices_reads_below_the_log_start() {
        let topics = topics();
        topics.shortened(0, 0, 5, 1_000);
        topics.fetched(at(2_000), 0, 0, &[]);
        topics.fetched(at(20_000), 5, 5, &[]);
        assert_eq!(faults(&topics), 0);
        topics.fetched(at(20_000), 4, 4, &[]);
        assert_eq!(faults(&topics), 2);
    }

    #[test]
    fn notices_lost_records_of_a_scratch_topic() {
        let topics = topics();
        topics.produced(at(0), 0, &["a".to_owned(), "b".to_owned()]);
        topics.read_whole(at(0), 0, &BTreeMap::from([(0, "a".to_owned())]));
        assert_eq!(faults(&topics), 1);
    }

    #[test]
    fn notices_a_batch_limit_that_is_not_kept() {
        let topics = topics();
        topics.answers_produce(at(20_000), 900, ErrorCode::NONE);
        topics.answers_produce(at(20_000), 1_100, ErrorCode::MESSAGE_TOO_LARGE);
        assert_eq!(faults(&topics), 0);
        topics.answers_produce(at(20_000), 1_100, ErrorCode::NONE);
        topics.answers_produce(at(20_000), 900, ErrorCode::MESSAGE_TOO_LARGE);
        assert_eq!(faults(&topics), 2);
    }

    #[test]
    fn notices_a_topic_that_the_service_lacks() {
        let topics = topics();
        let facts = serde_json::json!({"topics": [{"name": "t", "partitions": [{}]}]});
        assert_eq!(topics.judge(&facts), [] as [&str; 0]);
        assert_eq!(topics.judge(&serde_json::json!({})).len(), 1);
    }
}
