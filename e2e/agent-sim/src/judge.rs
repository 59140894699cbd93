//! Judges a history against what the partitions hold in the end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::history::{Ending, Kind, PARTITIONS, Record, TOPIC};
use crate::readers::Log;

/// Where a value lies: its partition and offset.
type Places<'a> = BTreeMap<&'a str, Vec<(i32, i64)>>;

/// Returns what is broken.
pub(crate) fn judge(record: &Record, everything: &[Log], committed: &[Log]) -> Vec<String> {
    let mut faults = record.faults.clone();
    let mut places = Places::new();
    for (log, partition) in everything.iter().zip(0..PARTITIONS) {
        check_density(partition, log, &mut faults);
        for found in log.batches.iter().flat_map(|batch| &batch.records) {
            places.entry(&found.value).or_default().push((partition, found.offset));
            match record.read.get(&(TOPIC, partition, found.offset)) {
                Some(known) if known != found => {
                    faults.push(format!("partition {partition}: {found:?} was {known:?} before"));
                }
                _ => {}
            }
        }
    }
    check_sent(record, &places, &mut faults);
    check_order(record, &places, &mut faults);
    check_transactions(record, committed, &mut faults);
    faults
}

/// Offsets follow each other without gaps.
fn check_density(partition: i32, log: &Log, faults: &mut Vec<String>) {
    let mut next = 0;
    for batch in &log.batches {
        if batch.first_offset != next {
            faults.push(format!(
                "partition {partition}: offset {next} is followed by {}",
                batch.first_offset
            ));
        }
        next = batch.end_offset;
    }
    if next != log.high_watermark {
        faults.push(format!(
            "partition {partition} ends at {next}, and its high watermark is {}",
            log.high_watermark
        ));
    }
}

/// Nothing acknowledged is lost or elsewhere, and nothing is there twice that may not be.
fn check_sent(record: &Record, places: &Places<'_>, faults: &mut Vec<String>) {
    for sent in &record.sent {
        for (value, delta) in sent.values.iter().zip(0..) {
            let found = places.get(value.as_str()).map_or(&[][..], Vec::as_slice);
            if sent.is_acknowledged && found.is_empty() {
                faults.push(format!("{value} was acknowledged and is lost"));
            }
            if let Some(base_offset) = sent.base_offset
                && !found.contains(&(sent.partition, base_offset + delta))
            {
                faults.push(format!(
                    "{value} was acknowledged at {} of partition {} and lies at {found:?}",
                    base_offset + delta,
                    sent.partition
                ));
            }
            if sent.kind != Kind::Plain && found.len() > 1 {
                faults.push(format!("{value} lies at {found:?}"));
            }
            if found.iter().any(|(partition, _)| *partition != sent.partition) {
                faults.push(format!("{value} lies in another partition: {found:?}"));
            }
        }
    }
}

/// The batches of a producer lie in the order in which it sent them.
fn check_order(record: &Record, places: &Places<'_>, faults: &mut Vec<String>) {
    let mut last: BTreeMap<(usize, i32), i64> = BTreeMap::new();
    for sent in record.sent.iter().filter(|sent| sent.kind != Kind::Plain) {
        for value in &sent.values {
            let Some((partition, offset)) = places.get(value.as_str()).and_then(|found| found.first()) else {
                continue;
            };
            let before = last.insert((sent.producer, *partition), *offset);
            if before.is_some_and(|before| before >= *offset) {
                faults.push(format!(
                    "{value} at {offset} of partition {partition} lies before an earlier one"
                ));
            }
        }
    }
}

/// Readers of committed records get all of each committed transaction, and nothing of an aborted one.
fn check_transactions(record: &Record, committed: &[Log], faults: &mut Vec<String>) {
    let read: BTreeSet<&str> = committed
        .iter()
        .flat_map(|log| &log.committed)
        .map(|found| found.value.as_str())
        .collect();
    for sent in &record.sent {
        let ending = match sent.transaction {
            Some(transaction) => record.transactions.get(transaction).copied().unwrap_or(Ending::Unknown),
            None if sent.is_acknowledged => Ending::Committed,
            None => Ending::Unknown,
        };
        for value in &sent.values {
            match (ending, read.contains(value.as_str())) {
                (Ending::Committed, false) if sent.is_acknowledged => {
                    faults.push(format!("{value} was committed, and readers do not get it"));
                }
                (Ending::Aborted, _) if record.delivered.contains(value) => {
                    faults.push(format!("{value} was aborted, and a reader got it"));
                }
                (Ending::Aborted, true) => faults.push(format!("{value} was aborted, and readers get it")),
                _ => {}
            }
        }
    }
}

/// The service's facts agree with the bucket and the log: no referenced object is missing, and what is metered is what
/// was stored.
pub(crate) fn judge_facts(facts: &Value, names: &[String], everything: &[Log]) -> Vec<String> {
    let files = facts["referenced"].as_array().map_or(&[][..], Vec::as_slice);
    let mut faults: Vec<String> = files
        .iter()
        .filter_map(|file| file["key"].as_str())
        .filter(|key| !names.iter().any(|name| name.ends_with(key)))
        .map(|key| format!("the object {key} is referenced and does not exist"))
        .collect();
    faults.extend(judge_metering(facts, everything));
    faults
}

/// The bytes metered are those of all batches that were accepted, and for the topic, of those that readers find.
fn judge_metering(facts: &Value, everything: &[Log]) -> Vec<String> {
    let mut faults = Vec::new();
    let metered = &facts["metered"];
    let bytes = |name: &str| metered[name].as_str().and_then(|bytes| bytes.parse::<u64>().ok());
    let (accepted, grown) = (bytes("acceptedBytes").unwrap_or(0), bytes("grownBytes").unwrap_or(0));
    if bytes("uncompressedBytes") != Some(accepted + grown) {
        faults.push(format!(
            "{} bytes are metered, {accepted} were accepted, and compactions added {grown}",
            metered["uncompressedBytes"]
        ));
    }
    let topics = facts["topics"].as_array().map_or(&[][..], Vec::as_slice);
    let accepted: u64 = topics
        .iter()
        .filter(|topic| topic["name"] == TOPIC)
        .flat_map(|topic| topic["partitions"].as_array().into_iter().flatten())
        .flat_map(|partition| partition["batches"].as_array().into_iter().flatten())
        .filter_map(|batch| batch["uncompressedBytes"].as_u64())
        .sum();
    let batches = everything.iter().flat_map(|log| &log.batches);
    let stored: usize = batches.filter(|batch| !batch.is_control).map(|batch| batch.bytes).sum();
    if accepted != stored as u64 {
        faults.push(format!("{accepted} bytes were accepted, and {stored} are stored"));
    }
    faults
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::history::{History, Sent};
    use crate::records::{ReadBatch, ReadRecord};

    /// A producer's batch of one record, acknowledged at this offset of partition 0.
    fn sent(value: &str, offset: i64, transaction: Option<usize>) -> Sent {
        Sent {
            producer: 1,
            kind: if transaction.is_some() {
                Kind::Transactional
            } else {
                Kind::Idempotent
            },
            partition: 0,
            values: vec![value.to_owned()],
            base_offset: Some(offset),
            is_acknowledged: true,
            transaction,
        }
    }

    /// A batch of one record.
    pub(crate) fn batch(offset: i64, value: &str) -> ReadBatch {
        ReadBatch {
            first_offset: offset,
            end_offset: offset + 1,
            producer_id: 7,
            is_control: false,
            is_transactional: false,
            is_abort: false,
            bytes: 70,
            records: vec![ReadRecord {
                offset,
                producer_id: 7,
                key: None,
                value: value.to_owned(),
            }],
        }
    }

    /// Partition 0 with batches of one record each, at these offsets.
    fn logs(found: &[(i64, &str)]) -> Vec<Log> {
        let mut logs: Vec<Log> = (0..PARTITIONS).map(|_| Log::default()).collect();
        for (offset, value) in found {
            let batch = batch(*offset, value);
            logs[0].committed.extend(batch.records.clone());
            logs[0].batches.push(batch);
            logs[0].high_watermark = offset + 1;
        }
        logs
    }

    /// The faults of a history with these batches, all of them stored by this log.
    fn faults(batches: &[Sent], found: &[(i64, &str)], endings: &[Ending]) -> Vec<String> {
        let history = History::default();
        for batch in batches {
            history.sends(batch.clone());
        }
        for ending in endings {
            let transaction = history.begins_transaction();
            history.ends_transaction(transaction, *ending);
        }
        history.with(|record| judge(record, &logs(found), &logs(found)))
    }

    #[test]
    fn accepts_what_was_acknowledged() {
        let batches = [sent("a", 0, None), sent("b", 1, Some(0))];
        assert_eq!(
            faults(&batches, &[(0, "a"), (1, "b")], &[Ending::Committed]),
            [] as [&str; 0]
        );
    }

    #[test]
    fn notices_a_lost_record() {
        let faults = faults(&[sent("a", 0, None), sent("b", 1, None)], &[(0, "a")], &[]);
        assert!(
            faults.contains(&"b was acknowledged and is lost".to_owned()),
            "{faults:?}"
        );
    }

    #[test]
    fn notices_a_record_that_is_there_twice() {
        let faults = faults(&[sent("a", 0, None)], &[(0, "a"), (1, "a")], &[]);
        assert_eq!(faults, ["a lies at [(0, 0), (0, 1)]"]);
    }

    #[test]
    fn notices_the_wrong_order() {
        let faults = faults(&[sent("a", 1, None), sent("b", 0, None)], &[(0, "b"), (1, "a")], &[]);
        assert_eq!(faults, ["b at 0 of partition 0 lies before an earlier one"]);
    }

    #[test]
    fn notices_a_gap_between_offsets() {
        let faults = faults(&[sent("a", 0, None)], &[(0, "a"), (2, "b")], &[]);
        assert_eq!(faults, ["partition 0: offset 1 is followed by 2"]);
    }

    #[test]
    fn notices_a_record_of_an_aborted_transaction() {
        let faults = faults(&[sent("a", 0, Some(0))], &[(0, "a")], &[Ending::Aborted]);
        assert_eq!(faults, ["a was aborted, and readers get it"]);
    }

    #[test]
    fn notices_bytes_that_are_not_metered_and_lost_objects() {
        let facts = serde_json::json!({
            "referenced": [{"key": "clusters/1/data/a"}, {"key": "clusters/1/data/b"}],
            "metered": {"uncompressedBytes": "140", "acceptedBytes": "130", "grownBytes": "9"},
            "topics": [{"name": TOPIC, "partitions": [{"batches": [{"uncompressedBytes": 69}]}]}],
        });
        let names = ["clusters/1/data/a".to_owned()];
        assert_eq!(
            judge_facts(&facts, &names, &logs(&[(0, "a")])),
            [
                "the object clusters/1/data/b is referenced and does not exist",
                "\"140\" bytes are metered, 130 were accepted, and compactions added 9",
                "69 bytes were accepted, and 70 are stored"
            ]
        );
    }
}
