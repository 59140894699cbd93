//! A compacted topic: one writer for each partition, so that the last record of each key is known, and readers that
//! begin at the beginning again and again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::sleep;

use crate::client::Client;
use crate::clock::Clock;
use crate::history::{Ending, History};
use crate::pages::{NoPage, fetch};
use crate::readers::Isolation;
use crate::records::{ReadRecord, encode_pairs};
use crate::session::{Outcome, Session};

pub(crate) const TOPIC: &str = "keyed";
pub(crate) const PARTITIONS: usize = 2;
/// Compacted soon and often; tombstones go within the storm.
pub(crate) const CONFIGS: [(&str, &str); 4] = [
    ("cleanup.policy", "compact"),
    ("min.cleanable.dirty.ratio", "0.01"),
    ("segment.ms", "2000"),
    ("delete.retention.ms", "5000"),
];
/// The partition that transactions write to.
const TRANSACTIONAL: usize = 1;
/// A few keys are written often, and the others seldom.
const KEYS: usize = 10;
const HOT_KEYS: usize = 3;
const MAX_FETCHES: usize = 2_000;

/// A record that was sent.
#[derive(Debug, Clone)]
struct Write {
    key: String,
    /// Empty if it is a tombstone.
    value: String,
    /// `None`: not acknowledged with an offset.
    offset: Option<i64>,
    ending: Ending,
}

/// The records that a reader found between the beginning of a partition and an offset.
#[derive(Debug, Clone)]
struct Pass {
    partition: usize,
    records: Vec<ReadRecord>,
    end: i64,
}

/// When a reader went through a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Storm,
    /// Nobody writes any more.
    Calm,
    /// All tombstones are past their delete horizons.
    DaysLater,
}

#[derive(Debug, Default)]
struct Record {
    /// In the order in which they were sent, for each partition.
    writes: [Vec<Write>; PARTITIONS],
    passes: Vec<(Moment, Pass)>,
}

/// The topic's history. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct KeyedTopic(Arc<Mutex<Record>>);

impl KeyedTopic {
    /// Writes to a partition until the storm is over.
    pub(crate) async fn write(self, partition: usize, client: Client, history: History, clock: Clock) {
        let weather = client.weather.clone();
        let transactional_id = (partition == TRANSACTIONAL).then(|| "keyed-transactions".to_owned());
        let mut session = Session::new(client, &history, (TOPIC, PARTITIONS as i32), transactional_id);
        session.begin().await;
        while weather.is_stormy() {
            let first = self.0.lock().writes[partition].len();
            let ending = if partition == TRANSACTIONAL {
                self.transaction(&mut session, clock).await
            } else {
                match self.send(&mut session, partition, clock).await {
                    Outcome::Acknowledged(_) => Ending::Committed,
                    Outcome::Refused(code) => {
                        history.fault(format!("{TOPIC}: a batch was refused with {}", code.name()));
                        Ending::Unknown
                    }
                }
            };
            for write in &mut self.0.lock().writes[partition][first..] {
                write.ending = ending;
            }
            if ending == Ending::Unknown {
                session.begin().await;
            }
            sleep(weather.millis(300, 2_000)).await;
        }
    }

    /// Returns `Unknown` if the session cannot go on, too.
    async fn transaction(&self, session: &mut Session, clock: Clock) -> Ending {
        let weather = session.client.weather.clone();
        if !session.add_partitions().await {
            return Ending::Unknown;
        }
        for _ in 0..=weather.below(2) {
            if let Outcome::Refused(_) = self.send(session, TRANSACTIONAL, clock).await {
                return Ending::Unknown;
            }
        }
        session.end(weather.below(3) > 0).await
    }

    async fn send(&self, session: &mut Session, partition: usize, clock: Clock) -> Outcome {
        let weather = session.client.weather.clone();
        let first = self.0.lock().writes[partition].len();
        let writes: Vec<Write> = (0..=weather.below(3))
            .map(|delta| {
                let key = match weather.below(4) {
                    0 => HOT_KEYS + weather.below(KEYS - HOT_KEYS),
                    _ => weather.below(HOT_KEYS),
                };
                let is_tombstone = weather.below(4) == 0;
                Write {
                    key: format!("key-{key}"),
                    value: if is_tombstone {
                        String::new()
                    } else {
                        format!("{partition}/{}", first + delta)
                    },
                    offset: None,
                    ending: Ending::Unknown,
                }
            })
            .collect();
        let pairs: Vec<_> = writes
            .iter()
            .map(|Write { key, value, .. }| {
                (
                    Some(key.as_str()),
                    Some(value.as_str()).filter(|value| !value.is_empty()),
                )
            })
            .collect();
        let batch = encode_pairs(session.writer(partition), clock.now_ms(), &pairs);
        let count = writes.len();
        self.0.lock().writes[partition].extend(writes);
        let outcome = session.send(partition, batch, count).await;
        if let Outcome::Acknowledged(Some(base_offset)) = outcome {
            let mut record = self.0.lock();
            for (write, offset) in record.writes[partition][first..].iter_mut().zip(base_offset..) {
                write.offset = Some(offset);
            }
        }
        outcome
    }

    /// Reads the partitions again and again until the storm is over.
    pub(crate) async fn read(self, mut client: Client, history: History) {
        let weather = client.weather.clone();
        while weather.is_stormy() {
            let partition = weather.below(PARTITIONS);
            self.pass(&mut client, &history, partition, Moment::Storm).await;
            sleep(weather.millis(2_000, 6_000)).await;
        }
    }

    /// Reads all partitions once.
    pub(crate) async fn read_all(&self, client: &mut Client, history: &History, moment: Moment) {
        for partition in 0..PARTITIONS {
            self.pass(client, history, partition, moment).await;
        }
    }

    async fn pass(&self, client: &mut Client, history: &History, partition: usize, moment: Moment) {
        let mut pass = Pass {
            partition,
            records: Vec::new(),
            end: 0,
        };
        for _ in 0..MAX_FETCHES {
            let place = (TOPIC, partition as i32);
            match fetch(client, place, pass.end, Isolation::Committed).await {
                Ok(page) => {
                    pass.records.extend(page.records);
                    pass.end = page.next;
                    if page.bound.is_some_and(|bound| page.next >= bound) {
                        self.0.lock().passes.push((moment, pass));
                        return;
                    }
                }
                Err(NoPage::Later) => sleep(Duration::from_millis(200)).await,
                Err(NoPage::OutOfRange) => {
                    history.fault(format!("{TOPIC}/{partition}: {} is out of range", pass.end));
                    return;
                }
                Err(NoPage::Fault(fault)) => {
                    history.fault(fault);
                    return;
                }
            }
        }
        if moment != Moment::Storm {
            history.fault(format!("{TOPIC}/{partition}: cannot be read to its end"));
        }
    }

    /// Returns what is broken.
    pub(crate) fn judge(&self) -> Vec<String> {
        let record = self.0.lock();
        let mut faults = Vec::new();
        for (moment, pass) in &record.passes {
            check_contents(&record.writes[pass.partition], pass, &mut faults);
            check_last_values(&record.writes[pass.partition], *moment, pass, &mut faults);
            if *moment == Moment::DaysLater {
                check_cleaned(pass, &mut faults);
            }
        }
        faults.sort();
        faults.dedup();
        faults
    }

    /// Numbers of acknowledged records, and of those that are left after days.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let record = self.0.lock();
        let acknowledged = record
            .writes
            .iter()
            .flatten()
            .filter(|write| write.offset.is_some())
            .count();
        let left = record.passes.iter().filter(|(moment, _)| *moment == Moment::DaysLater);
        (acknowledged, left.map(|(_, pass)| pass.records.len()).sum())
    }
}

/// Each record is the one that was acknowledged at its offset, and none was aborted.
fn check_contents(writes: &[Write], pass: &Pass, faults: &mut Vec<String>) {
    let known: BTreeMap<i64, &Write> = writes.iter().filter_map(|write| Some((write.offset?, write))).collect();
    let place = format!("{TOPIC}/{}", pass.partition);
    for found in &pass.records {
        let Some(write) = known.get(&found.offset) else {
            continue;
        };
        if found.key.as_ref() != Some(&write.key) || found.value != write.value {
            faults.push(format!(
                "{place}: {found:?} is not the record acknowledged there, {write:?}"
            ));
        }
        if write.ending == Ending::Aborted {
            faults.push(format!("{place}: {found:?} was aborted"));
        }
    }
}

/// A reader ends with the last value of each key, and without the deleted ones.
fn check_last_values(writes: &[Write], moment: Moment, pass: &Pass, faults: &mut Vec<String>) {
    let found: BTreeMap<&str, &str> = pass
        .records
        .iter()
        .map(|record| (record.key.as_deref().unwrap_or_default(), record.value.as_str()))
        .collect();
    for key in (0..KEYS).map(|key| format!("key-{key}")) {
        let of_key: Vec<&Write> = writes
            .iter()
            .filter(|write| write.key == key && write.ending != Ending::Aborted)
            .collect();
        // Without its offset or ending it is unknown whether a write counts. A later one may have replaced the last one
        // that this reader could see.
        let is_certain = of_key
            .iter()
            .all(|write| write.ending == Ending::Committed && write.offset.is_some_and(|offset| offset < pass.end));
        let Some(last) = of_key.last().filter(|_| is_certain) else {
            continue;
        };
        let found = found.get(key.as_str()).copied().unwrap_or_default();
        // In the storm, a reader that began before a cleaning may end after the tombstone's delete horizon.
        if found != last.value && !(moment == Moment::Storm && last.value.is_empty()) {
            faults.push(format!(
                "{TOPIC}/{}: readers up to {} end with {found:?} for {key}, not with {:?} of offset {:?} ({moment:?})",
                pass.partition, pass.end, last.value, last.offset
            ));
        }
    }
}

/// Each key is there once, and no tombstone is left but the very last record.
fn check_cleaned(pass: &Pass, faults: &mut Vec<String>) {
    let place = format!("{TOPIC}/{}", pass.partition);
    let mut seen: BTreeMap<&str, i64> = BTreeMap::new();
    for (index, record) in pass.records.iter().enumerate() {
        let key = record.key.as_deref().unwrap_or_default();
        if let Some(before) = seen.insert(key, record.offset) {
            faults.push(format!(
                "{place}: {key} is at {before} and at {} after days",
                record.offset
            ));
        }
        if record.value.is_empty() && index + 1 < pass.records.len() {
            faults.push(format!(
                "{place}: the tombstone at {} is there after days",
                record.offset
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(offset: i64, key: usize, value: &str, ending: Ending) -> Write {
        Write {
            key: format!("key-{key}"),
            value: value.to_owned(),
            offset: Some(offset),
            ending,
        }
    }

    fn faults(moment: Moment, writes: &[Write], found: &[usize]) -> Vec<String> {
        let records = found.iter().map(|index| ReadRecord {
            offset: writes[*index].offset.unwrap_or(-1),
            producer_id: 7,
            key: Some(writes[*index].key.clone()),
            value: writes[*index].value.clone(),
        });
        let pass = Pass {
            partition: 0,
            records: records.collect(),
            end: 100,
        };
        let topic = KeyedTopic::default();
        topic.0.lock().writes[0] = writes.to_vec();
        topic.0.lock().passes.push((moment, pass));
        topic.judge()
    }

    fn history() -> Vec<Write> {
        vec![
            write(0, 1, "old", Ending::Committed),
            write(1, 2, "gone", Ending::Committed),
            write(2, 2, "", Ending::Committed),
            write(3, 1, "never", Ending::Aborted),
            write(4, 1, "new", Ending::Committed),
        ]
    }

    #[test]
    fn accepts_any_stage_of_cleaning() {
        for found in [&[0, 1, 2, 4][..], &[1, 2, 4], &[2, 4], &[4]] {
            assert_eq!(faults(Moment::Calm, &history(), found), [] as [&str; 0]);
        }
        assert_eq!(faults(Moment::DaysLater, &history(), &[4]), [] as [&str; 0]);
    }

    #[test]
    fn notices_a_lost_last_value() {
        assert_eq!(faults(Moment::Storm, &history(), &[0, 2]).len(), 1);
    }

    #[test]
    fn notices_a_deleted_key_that_came_back() {
        assert_eq!(faults(Moment::Calm, &history(), &[1, 4]).len(), 1);
        assert_eq!(faults(Moment::Storm, &history(), &[1, 4]), [] as [&str; 0]);
    }

    #[test]
    fn notices_an_aborted_record() {
        assert_eq!(faults(Moment::Calm, &history(), &[3, 4]).len(), 1);
    }

    #[test]
    fn notices_an_old_tombstone_and_a_key_that_is_there_twice() {
        assert_eq!(faults(Moment::DaysLater, &history(), &[0, 2, 4]).len(), 2);
    }
}
