//! Consume, process, produce: copies records to another topic in transactions that commit the consumed offsets, too.

use std::collections::BTreeMap;
use std::time::Duration;

use penstock_wire::ErrorCode;
use penstock_wire::messages::add_partitions_to_txn::AddPartitionsToTxnTopic;
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::txn_offset_commit::{TxnOffsetCommitRequestPartition, TxnOffsetCommitRequestTopic};
use penstock_wire::messages::{
    AddOffsetsToTxnRequest, AddPartitionsToTxnRequest, EndTxnRequest, InitProducerIdRequest, ProduceRequest,
    TxnOffsetCommitRequest,
};
use tokio::time::sleep;

use crate::client::Client;
use crate::clock::Clock;
use crate::group_member::Membership;
use crate::groups::{CommitOutcome, Group, Position};
use crate::history::TOPIC;
use crate::readers::{Fetched, Log};
use crate::records::{Writer, encode};

pub(crate) const COPIES: &str = "copies";
const TRANSACTION_TIMEOUT_MS: i32 = 15_000;
const PAUSE: Duration = Duration::from_millis(150);

/// A transactional producer of copies.
pub(crate) struct Copier {
    transactional_id: String,
    clock: Clock,
    session: Option<Session>,
}

struct Session {
    id: i64,
    epoch: i16,
    sequences: BTreeMap<i32, i32>,
}

/// A request was answered: go on, or give the transaction up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Done,
    /// Refused. The transaction can be aborted.
    Refused(ErrorCode),
}

impl Copier {
    pub(crate) fn new(transactional_id: String, clock: Clock) -> Self {
        Self {
            transactional_id,
            clock,
            session: None,
        }
    }

    /// Forgets its session, as a new process does.
    pub(crate) fn restart(&mut self) {
        self.session = None;
    }

    /// Copies what was fetched, in one transaction. Returns true if it committed. The group learns the outcome.
    pub(crate) async fn copy(
        &mut self,
        client: &mut Client,
        group: &Group,
        membership: &mut Membership,
        fetched: &[Fetched],
        progress: &[Position],
    ) -> bool {
        if self.session.is_none() {
            self.begin_session(client).await;
        }
        let numbers = group.commits(membership.generation(), progress);
        let prepared = match self.produce(client, fetched).await {
            Step::Done => self.commit_offsets(client, group, membership, progress).await,
            refused => refused,
        };
        let outcome = match prepared {
            Step::Done => self.end(client, true).await,
            Step::Refused(code) => {
                membership.is_refused(group, code);
                // Aborts it, or fences it.
                self.session = None;
                CommitOutcome::Refused
            }
        };
        if outcome == CommitOutcome::Unknown {
            // The next session finds out: its first request completes or aborts the transaction.
            self.session = None;
        }
        group.committed(&numbers, outcome);
        outcome == CommitOutcome::Acknowledged
    }

    /// Gets a producer id and epoch, which ends the transaction of an earlier session.
    async fn begin_session(&mut self, client: &mut Client) {
        let request = InitProducerIdRequest {
            transactional_id: Some(self.transactional_id.clone()),
            transaction_timeout_ms: TRANSACTION_TIMEOUT_MS,
            ..Default::default()
        };
        loop {
            match client.call(&request, 4).await {
                Ok(response) if response.error_code.is_none() => {
                    self.session = Some(Session {
                        id: response.producer_id,
                        epoch: response.producer_epoch,
                        sequences: BTreeMap::new(),
                    });
                    return;
                }
                _ => client.reconnect(),
            }
            sleep(PAUSE).await;
        }
    }

    async fn produce(&mut self, client: &mut Client, fetched: &[Fetched]) -> Step {
        let parts: Vec<(i32, Vec<String>)> = fetched
            .iter()
            .filter(|part| !part.records.is_empty())
            .map(|part| {
                let copies = part.records.iter().map(|record| record.value.clone());
                (part.partition, copies.collect())
            })
            .collect();
        if parts.is_empty() {
            return Step::Done;
        }
        let added = self
            .add_partitions(client, parts.iter().map(|(partition, _)| *partition).collect())
            .await;
        if added != Step::Done {
            return added;
        }
        for (partition, values) in parts {
            let sent = self.send(client, partition, &values).await;
            if sent != Step::Done {
                return sent;
            }
        }
        Step::Done
    }

    async fn add_partitions(&mut self, client: &mut Client, partitions: Vec<i32>) -> Step {
        let Some(session) = &self.session else {
            return Step::Refused(ErrorCode::INVALID_PRODUCER_EPOCH);
        };
        let request = AddPartitionsToTxnRequest {
            v3_and_below_transactional_id: self.transactional_id.clone(),
            v3_and_below_producer_id: session.id,
            v3_and_below_producer_epoch: session.epoch,
            v3_and_below_topics: vec![AddPartitionsToTxnTopic {
                name: COPIES.to_owned(),
                partitions,
            }],
            ..Default::default()
        };
        loop {
            if let Ok(response) = client.call(&request, 3).await {
                let mut codes = response
                    .results_by_topic_v3_and_below
                    .iter()
                    .flat_map(|topic| &topic.results_by_partition)
                    .map(|partition| partition.partition_error_code);
                match codes.find(|code| !code.is_none()) {
                    None => return Step::Done,
                    Some(code) if code.is_retriable() => client.reconnect(),
                    Some(code) => return Step::Refused(code),
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn send(&mut self, client: &mut Client, partition: i32, values: &[String]) -> Step {
        let Some(session) = &mut self.session else {
            return Step::Refused(ErrorCode::INVALID_PRODUCER_EPOCH);
        };
        let sequence = session.sequences.entry(partition).or_default();
        let writer = Writer {
            producer_id: session.id,
            epoch: session.epoch,
            base_sequence: *sequence,
            is_transactional: true,
        };
        let request = ProduceRequest {
            transactional_id: Some(self.transactional_id.clone()),
            acks: -1,
            timeout_ms: 20_000,
            topic_data: vec![TopicProduceData {
                name: COPIES.to_owned(),
                partition_data: vec![PartitionProduceData {
                    index: partition,
                    records: Some(encode(writer, self.clock.now_ms(), values)),
                }],
                ..Default::default()
            }],
        };
        loop {
            let Ok(response) = client.call(&request, 9).await else {
                continue;
            };
            let mut codes = response
                .responses
                .iter()
                .flat_map(|topic| &topic.partition_responses)
                .map(|partition| partition.error_code);
            match codes.next() {
                Some(ErrorCode::NONE | ErrorCode::DUPLICATE_SEQUENCE_NUMBER) => {
                    *sequence += i32::try_from(values.len()).unwrap_or(i32::MAX);
                    return Step::Done;
                }
                Some(code) if !code.is_retriable() => return Step::Refused(code),
                _ => client.reconnect(),
            }
            sleep(PAUSE).await;
        }
    }

    /// Adds the group to the transaction, and the offsets for it.
    async fn commit_offsets(
        &mut self,
        client: &mut Client,
        group: &Group,
        membership: &Membership,
        progress: &[Position],
    ) -> Step {
        let Some(session) = &self.session else {
            return Step::Refused(ErrorCode::INVALID_PRODUCER_EPOCH);
        };
        let adding = AddOffsetsToTxnRequest {
            transactional_id: self.transactional_id.clone(),
            producer_id: session.id,
            producer_epoch: session.epoch,
            group_id: group.name.clone(),
        };
        loop {
            if let Ok(response) = client.call(&adding, 3).await {
                match response.error_code {
                    ErrorCode::NONE => break,
                    code if code.is_retriable() => client.reconnect(),
                    code => return Step::Refused(code),
                }
            }
            sleep(PAUSE).await;
        }
        let partitions = progress.iter().map(|position| TxnOffsetCommitRequestPartition {
            partition_index: position.partition,
            committed_offset: position.offset,
            ..Default::default()
        });
        let request = TxnOffsetCommitRequest {
            transactional_id: self.transactional_id.clone(),
            group_id: group.name.clone(),
            producer_id: session.id,
            producer_epoch: session.epoch,
            generation_id: membership.epoch(),
            member_id: membership.member_id().to_owned(),
            topics: vec![TxnOffsetCommitRequestTopic {
                name: TOPIC.to_owned(),
                partitions: partitions.collect(),
            }],
            ..Default::default()
        };
        loop {
            if let Ok(response) = client.call(&request, 3).await {
                let mut codes = response
                    .topics
                    .iter()
                    .flat_map(|topic| &topic.partitions)
                    .map(|partition| partition.error_code);
                match codes.find(|code| !code.is_none()) {
                    None => return Step::Done,
                    Some(code) if code.is_retriable() => client.reconnect(),
                    Some(code) => return Step::Refused(code),
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn end(&mut self, client: &mut Client, is_committed: bool) -> CommitOutcome {
        let Some(session) = &self.session else {
            return CommitOutcome::Refused;
        };
        let request = EndTxnRequest {
            transactional_id: self.transactional_id.clone(),
            producer_id: session.id,
            producer_epoch: session.epoch,
            committed: is_committed,
        };
        let mut is_sent = false;
        loop {
            if let Ok(response) = client.call(&request, 3).await {
                match response.error_code {
                    ErrorCode::NONE => return CommitOutcome::Acknowledged,
                    code if code.is_retriable() => client.reconnect(),
                    _ if is_sent => return CommitOutcome::Unknown,
                    _ => return CommitOutcome::Refused,
                }
            }
            is_sent = true;
            sleep(PAUSE).await;
        }
    }
}

/// Each record that was committed in the source is in the copy once, in its order.
pub(crate) fn judge_copies(source: &[Log], copies: &[Log]) -> Vec<String> {
    let mut faults = Vec::new();
    for ((from, to), partition) in source.iter().zip(copies).zip(0..) {
        let expected = from.committed.iter().map(|record| record.value.as_str());
        let copied: Vec<&str> = to.committed.iter().map(|record| record.value.as_str()).collect();
        let differs = expected.clone().zip(&copied).position(|(one, other)| one != *other);
        if let Some(number) = differs {
            faults.push(format!(
                "copy {number} of partition {partition} is {}, and the record is {}",
                copied[number], from.committed[number].value
            ));
        } else if expected.count() != copied.len() {
            faults.push(format!(
                "partition {partition} has {} records and {} copies",
                from.committed.len(),
                copied.len()
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::ReadRecord;

    fn log(values: &[&str]) -> Vec<Log> {
        let committed = values.iter().zip(0..).map(|(value, offset)| ReadRecord {
            offset,
            producer_id: 1,
            key: None,
            value: (*value).to_owned(),
        });
        vec![Log {
            committed: committed.collect(),
            ..Default::default()
        }]
    }

    #[test]
    fn notices_missing_doubled_and_reordered_copies() {
        let source = log(&["a", "b", "c"]);
        assert_eq!(judge_copies(&source, &source), [] as [&str; 0]);
        for broken in [
            &["a", "b"][..],
            &["a", "b", "c", "c"],
            &["a", "a", "b", "c"],
            &["b", "a", "c"],
        ] {
            assert_eq!(judge_copies(&source, &log(broken)).len(), 1, "{broken:?}");
        }
    }
}
