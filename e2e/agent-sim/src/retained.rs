//! Topics with retention by time and by bytes: a writer, and readers that find the log's start moved.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::client::Client;
use crate::clock::Clock;
use crate::history::History;
use crate::pages::{NoPage, earliest, fetch};
use crate::readers::Isolation;
use crate::records::encode;
use crate::session::{Outcome, Session};

pub(crate) const BY_TIME: &str = "retained-by-time";
pub(crate) const BY_BYTES: &str = "retained-by-bytes";
const RETENTION_MS: i64 = 8_000;
const RETENTION_BYTES: i64 = 1_500;
pub(crate) const CONFIGS: [(&str, &[(&str, &str)]); 2] = [
    (BY_TIME, &[("retention.ms", "8000")]),
    (BY_BYTES, &[("retention.bytes", "1500")]),
];
const MAX_FETCHES: usize = 2_000;

#[derive(Debug)]
struct Write {
    value: String,
    at_ms: i64,
}

#[derive(Debug, Default)]
struct Record {
    /// Acknowledged records by offset.
    writes: BTreeMap<i64, Write>,
    /// The log's start at a time, in milliseconds since the Unix epoch.
    starts: Vec<(i64, i64)>,
    faults: Vec<String>,
}

impl Record {
    /// The last record that was removed up to a start, and its age in milliseconds, if that is less than the retention. A
    /// record ages from its timestamp, or from its commit if that was earlier: the service dates a commit by when it
    /// began the entry that it joins, and a slow database lets one entry wait for the one before.
    fn removed_early(&self, start: i64, at_ms: i64, accepted: &BTreeMap<i64, i64>) -> Option<(i64, i64)> {
        let (offset, write) = self.writes.range(..start).next_back()?;
        let accepted_ms = accepted
            .range(..=offset)
            .next_back()
            .map_or(i64::MAX, |(_, at_ms)| *at_ms);
        let age_ms = at_ms - write.at_ms.min(accepted_ms);
        (age_ms < RETENTION_MS).then_some((*offset, age_ms))
    }
}

/// When the batches of a partition were accepted by the service's clock, by their first offsets.
fn accepted_at(partition: &Value) -> BTreeMap<i64, i64> {
    let batches = partition["batches"].as_array().map_or(&[][..], Vec::as_slice);
    batches
        .iter()
        .filter_map(|batch| Some((batch["baseOffset"].as_i64()?, batch["acceptedAtMs"].as_i64()?)))
        .collect()
}

/// The history of one topic with one partition. Clones are the same.
#[derive(Clone)]
pub(crate) struct RetainedTopic {
    pub(crate) name: &'static str,
    bridge: Bridge,
    clock: Clock,
    record: Arc<Mutex<Record>>,
}

impl RetainedTopic {
    pub(crate) fn new(name: &'static str, bridge: &Bridge, clock: Clock) -> Self {
        Self {
            name,
            bridge: bridge.clone(),
            clock,
            record: Arc::default(),
        }
    }

    /// Writes until the storm is over.
    pub(crate) async fn write(self, client: Client, history: History) {
        let weather = client.weather.clone();
        let mut session = Session::new(client, &history, (self.name, 1), None);
        session.begin().await;
        let mut sent = 0;
        while weather.is_stormy() {
            let values: Vec<String> = (0..=weather.below(3))
                .map(|_| {
                    sent += 1;
                    format!("{}/{sent}", self.name)
                })
                .collect();
            let at_ms = self.clock.now_ms();
            let batch = encode(session.writer(0), at_ms, &values);
            match session.send(0, batch, values.len()).await {
                Outcome::Acknowledged(offset) => {
                    let offsets = offset.into_iter().flat_map(|offset| offset..);
                    let writes = values.into_iter().map(|value| Write { value, at_ms });
                    self.record.lock().writes.extend(offsets.zip(writes));
                }
                Outcome::Refused(code) => {
                    self.fault(format!("a batch was refused with {}", code.name()));
                    session.begin().await;
                }
            }
            sleep(weather.millis(400, 2_500)).await;
        }
    }

    /// Reads until the storm is over, from the beginning now and then.
    pub(crate) async fn read(self, mut client: Client) {
        let weather = client.weather.clone();
        let mut next = 0;
        while weather.is_stormy() {
            next = self.step(&mut client, next).await.0;
            sleep(weather.millis(500, 3_000)).await;
            if weather.below(10) == 0 {
                next = 0;
            }
        }
    }

    /// Reads everything that is left.
    pub(crate) async fn read_all(&self, client: &mut Client) {
        let mut next = 0;
        for _ in 0..MAX_FETCHES {
            let is_at_end;
            (next, is_at_end) = self.step(client, next).await;
            if is_at_end {
                return;
            }
        }
        self.fault("cannot be read to its end".to_owned());
    }

    /// Makes one fetch. Returns the next offset, and whether the log ends there.
    async fn step(&self, client: &mut Client, next: i64) -> (i64, bool) {
        match fetch(client, (self.name, 0), next, Isolation::Uncommitted).await {
            Ok(page) => {
                let mut expected = next;
                for found in &page.records {
                    if found.offset != expected {
                        self.fault(format!("offset {expected} is followed by {}", found.offset));
                    }
                    expected = found.offset + 1;
                    let fault = match self.record.lock().writes.get(&found.offset) {
                        Some(write) if write.value != found.value => Some(format!("{found:?} is not {}", write.value)),
                        _ => None,
                    };
                    fault.into_iter().for_each(|fault| self.fault(fault));
                }
                (page.next, page.bound.is_some_and(|bound| page.next >= bound))
            }
            Err(NoPage::OutOfRange) => {
                let start = self.note_start(&self.bridge.facts());
                if next >= start {
                    self.fault(format!("offset {next} is out of range, and the log starts at {start}"));
                }
                match earliest(client, (self.name, 0)).await {
                    Some(offset) if offset > start => {
                        self.fault(format!("the log starts at {start}, and not at {offset}"));
                        (start, false)
                    }
                    Some(offset) => (offset.max(next), false),
                    None => (next, false),
                }
            }
            Err(NoPage::Later) => {
                sleep(Duration::from_millis(200)).await;
                (next, false)
            }
            Err(NoPage::Fault(fault)) => {
                self.fault(fault);
                (next, false)
            }
        }
    }

    fn fault(&self, fault: String) {
        self.record.lock().faults.push(format!("{}: {fault}", self.name));
    }

    fn partition<'a>(&self, facts: &'a Value) -> &'a Value {
        let topics = facts["topics"].as_array().map_or(&[][..], Vec::as_slice);
        let topic = topics.iter().find(|topic| topic["name"] == self.name);
        topic.map_or(&Value::Null, |topic| &topic["partitions"][0])
    }

    /// Notes where the log starts now, and returns it.
    fn note_start(&self, facts: &Value) -> i64 {
        let start = self.partition(facts)["logStartOffset"].as_i64().unwrap_or(-1);
        self.record.lock().starts.push((self.clock.now_ms(), start));
        start
    }

    /// Returns what is broken before the days that follow the storm.
    pub(crate) fn judge(&self, facts: &Value) -> Vec<String> {
        let start = self.note_start(facts);
        let accepted = accepted_at(self.partition(facts));
        let record = self.record.lock();
        let mut faults = record.faults.clone();
        let mut before = 0;
        for (at_ms, start) in &record.starts {
            if *start < before {
                faults.push(format!("{}: the log's start went from {before} to {start}", self.name));
            }
            before = *start;
            let early = record.removed_early(*start, *at_ms, &accepted);
            if let (BY_TIME, Some((offset, age_ms))) = (self.name, early) {
                faults.push(format!("{}: offset {offset} was removed after {age_ms} ms", self.name));
            }
        }
        if self.name == BY_BYTES {
            let runs = self.partition(facts)["runs"].as_array().map_or(&[][..], Vec::as_slice);
            let bytes = |run: &Value| run["bytes"].as_i64().unwrap_or(0);
            let kept: i64 = runs.iter().map(bytes).sum();
            let first = runs.first().map_or(0, bytes);
            if kept - first >= RETENTION_BYTES || (start > 0 && kept < RETENTION_BYTES) {
                faults.push(format!(
                    "{}: {kept} bytes are kept, {first} of them in the first run",
                    self.name
                ));
            }
        }
        faults
    }

    /// Returns what is broken days later.
    pub(crate) fn judge_days(&self, facts: &Value) -> Vec<String> {
        let partition = self.partition(facts);
        match self.name == BY_TIME && partition["logStartOffset"] != partition["highWatermark"] {
            true => vec![format!("{}: records are left after days", self.name)],
            false => Vec::new(),
        }
    }

    /// Records acknowledged, and those of them that were removed.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let record = self.record.lock();
        let start = record.starts.last().map_or(0, |(_, start)| *start);
        (record.writes.len(), record.writes.range(..start).count())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_ages_from_its_timestamp_or_its_commit() {
        let write = Write {
            value: "a".to_owned(),
            at_ms: 2_000,
        };
        let record = Record {
            writes: BTreeMap::from([(5, write)]),
            ..Default::default()
        };
        let accepted = accepted_at(&json!({"batches": [
            {"baseOffset": 0, "acceptedAtMs": 100},
            {"baseOffset": 4, "acceptedAtMs": 1_500},
            {"baseOffset": 6, "acceptedAtMs": 0},
        ]}));
        let none = BTreeMap::new();
        let early = |start, at_ms, accepted| record.removed_early(start, at_ms, accepted);
        assert_eq!(
            early(6, 1_500 + RETENTION_MS - 1, &accepted),
            Some((5, RETENTION_MS - 1))
        );
        assert_eq!(early(6, 1_500 + RETENTION_MS, &accepted), None);
        assert_eq!(early(6, 1_500 + RETENTION_MS, &none), Some((5, RETENTION_MS - 500)));
        assert_eq!(early(5, 0, &accepted), None);
    }
}
