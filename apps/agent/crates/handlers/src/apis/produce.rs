//! Produce: checks each batch, admits valid ones to the write path, and responds when their file is committed.

use std::sync::Arc;
use std::time::Duration;

use penstock_access::Access;
use penstock_authz::{Operation, Resource, Traffic};
use penstock_metadata_client::cache::{Catalogue, Timestamps, Topic};
use penstock_telemetry::Stage;
use penstock_traces::Span;
use penstock_wire::messages::ProduceResponse;
use penstock_wire::messages::produce::{
    PartitionProduceData, PartitionProduceResponse, ProduceRequest, TopicProduceData, TopicProduceResponse,
};
use penstock_wire::record_batch::BatchHeader;
use penstock_wire::{ErrorCode, Uuid};
use penstock_write_path::{BatchOutcome, CheckedBatch, Ticket, Transaction};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use super::produced_batch::{ProducedBatch, Reading, Refused};
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::transactions;
use crate::handling_time::HandlingTime;
use crate::record_checks::{NotChecked, Who};

/// Number of uncompressed bytes checked immediately, which takes at most a few milliseconds. The rest waits for its
/// turn.
const READ_AT_ONCE_BYTES: u64 = 1 << 20;

/// First version whose clients know that a transaction can be aborted if a partition is not part of it.
const ABORTABLE: i16 = 11;
/// First version in which a batch adds its partition to the transaction.
const ADDS_PARTITIONS_FROM: i16 = 12;
/// First version in which clients give topics by id.
const IDS_FROM: i16 = 13;

/// A request whose partitions are being checked.
pub(crate) struct Checking {
    topics: Vec<TopicProduceResponse>,
    partitions: Vec<CheckedPartition>,
    acks: i16,
    timeout: Duration,
    started: Instant,
    /// Arrival time of the records, by the cluster's clock.
    now_ms: i64,
}

struct CheckedPartition {
    /// The topic's index in the response.
    topic: usize,
    index: i32,
    state: CheckState,
}

enum CheckState {
    Lengthy(ProducedBatch),
    Good(Arc<Topic>, u32, CheckedBatch),
    Refused(Refused),
}

/// The admitted batches of a request, and the refused partitions.
pub(crate) struct Admitted {
    response: ProduceResponse,
    /// The place of each admitted batch.
    places: Vec<Place>,
    ticket: Option<Ticket>,
    version: i16,
    acks: i16,
    timeout: Duration,
    started: Instant,
    /// How long to throttle the client, because the cluster exceeded the rate of its mode.
    pub(crate) held: Duration,
}

/// The place of an admitted batch.
struct Place {
    /// The topic's index in the response.
    topic: usize,
    /// The partition's index in that topic.
    partition: usize,
    /// The time of arrival, if the topic stores it.
    log_append_time_ms: Option<i64>,
}

/// Returns true if every topic in the request is in the catalogue, so that it can be admitted immediately.
pub(crate) fn knows_all_topics(context: &Context, caller: &Caller, request: &ProduceRequest) -> bool {
    let catalogue = context.cache.catalogue();
    request
        .topic_data
        .iter()
        .all(|topic| known_topic(&catalogue, caller, topic).is_some())
}

/// Asks the owner for topics missing from the catalogue, which may just have been created through another agent.
pub(crate) async fn look_up_topics(context: &Context, caller: &Caller, request: &ProduceRequest) {
    let looked_up = if names_topics_by_id(caller) {
        let ids: Vec<uuid::Uuid> = request.topic_data.iter().map(|topic| id_of(topic.topic_id)).collect();
        context.topics_by_id(&ids).await
    } else {
        let names: Vec<&str> = request.topic_data.iter().map(|topic| topic.name.as_str()).collect();
        context.topics_by_name(&names).await
    };
    if let Err(error) = looked_up {
        // They stay unknown, and producers retry that.
        tracing::debug!(%error, "cannot look up the topics of a Produce request");
    }
}

/// Checks as much as possible immediately. [`Checking::finish`] checks the rest.
pub(crate) fn check(context: &Context, caller: &Caller, request: ProduceRequest) -> Checking {
    let started = Instant::now();
    let catalogue = context.cache.catalogue();
    let access = context.access(caller);
    let refusal = refusal_of_all(&catalogue, &request);
    let transaction = transaction_of(&access, caller, &request);
    let now_ms = i64::try_from(context.cache.clock.now_ms()).unwrap_or(i64::MAX);
    let mut budget_bytes = READ_AT_ONCE_BYTES;
    let (mut topics, mut partitions) = (Vec::with_capacity(request.topic_data.len()), Vec::new());
    for topic_data in request.topic_data {
        let topic = known_topic(&catalogue, caller, &topic_data);
        let name = topic.as_ref().map_or(topic_data.name.as_str(), |topic| &topic.name);
        let is_allowed =
            (names_topics_by_id(caller) && topic.is_none()) || access.allows(Operation::Write, Resource::topic(name));
        for data in topic_data.partition_data {
            let index = data.index;
            let found = match (&transaction, &refusal) {
                (Err(error_code), _) => Err(BatchOutcome::refused(*error_code, None)),
                _ if !is_allowed => Err(BatchOutcome::refused(
                    ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                    access.writes_refused(),
                )),
                (_, Some(refusal)) => Err(refusal.clone()),
                (Ok(transaction), None) => {
                    find_partition(caller, topic.as_ref(), &data).map(|(topic, partition)| ProducedBatch {
                        max_uncompressed_bytes: catalogue.max_uncompressed_batch_bytes(&topic),
                        topic,
                        partition,
                        records: data.records.unwrap_or_default(),
                        transaction: transaction.clone(),
                        now_ms,
                    })
                }
            };
            let state = match found {
                Err(refused) => CheckState::Refused(refused.into()),
                Ok(batch) => match batch.check_within(&mut budget_bytes) {
                    Reading::Done(checked) => CheckState::of(&batch, checked),
                    Reading::Lengthy => CheckState::Lengthy(batch),
                },
            };
            partitions.push(CheckedPartition {
                topic: topics.len(),
                index,
                state,
            });
        }
        topics.push(TopicProduceResponse {
            name: topic_data.name,
            topic_id: topic_data.topic_id,
            partition_responses: Vec::new(),
        });
    }
    Checking {
        topics,
        partitions,
        acks: request.acks,
        timeout: Duration::from_millis(u64::try_from(request.timeout_ms).unwrap_or(0)),
        started,
        now_ms,
    }
}

impl CheckState {
    fn of(batch: &ProducedBatch, checked: Result<CheckedBatch, Refused>) -> Self {
        match checked {
            Ok(checked) => Self::Good(Arc::clone(&batch.topic), batch.partition, checked),
            Err(refused) => Self::Refused(refused),
        }
    }
}

impl Checking {
    /// Returns true if nothing is left to check.
    pub(crate) fn is_done(&self) -> bool {
        let mut partitions = self.partitions.iter();
        !partitions.any(|partition| matches!(partition.state, CheckState::Lengthy(_)))
    }

    /// Checks the remaining batches one after another, each in its turn. Refuses what was not checked before the
    /// client's timeout. `request_bytes`: the memory that the request holds meanwhile.
    pub(crate) async fn finish(
        mut self,
        context: &Context,
        caller: &Caller,
        request_bytes: usize,
        time: &HandlingTime,
    ) -> Self {
        let ends_at = self.started + self.timeout;
        let who = Who {
            principal: Arc::clone(&caller.client.principal),
            host: (!caller.client.is_authenticated).then_some(caller.client.host),
        };
        for partition in &mut self.partitions {
            let lengthy = std::mem::replace(&mut partition.state, CheckState::Refused(too_late()));
            let CheckState::Lengthy(batch) = lengthy else {
                partition.state = lengthy;
                continue;
            };
            let size = (request_bytes as u64, batch.window_bytes());
            let checking = context.record_checks.run(who.clone(), size, move || {
                let checked = batch.check();
                CheckState::of(&batch, checked)
            });
            match tokio::time::timeout_at(ends_at, checking).await {
                Ok(Ok((state, took))) => {
                    time.add(took);
                    partition.state = state;
                }
                Ok(Err(reason)) => partition.state = CheckState::Refused(not_checked(reason)),
                Err(_) => {}
            }
        }
        self
    }
}

fn too_late() -> Refused {
    let message = "the agent did not come to read the batch in the time that the request allows: send it again, or send smaller batches";
    BatchOutcome::refused(ErrorCode::REQUEST_TIMED_OUT, Some(message.to_owned())).into()
}

fn not_checked(reason: NotChecked) -> Refused {
    let error_code = match reason {
        // Clients retry this, and know that nothing was written.
        NotChecked::Busy => ErrorCode::NOT_ENOUGH_REPLICAS,
        NotChecked::Failed => ErrorCode::UNKNOWN_SERVER_ERROR,
    };
    BatchOutcome::refused(error_code, Some(reason.to_string())).into()
}

/// Admits the valid batches of a checked request without waiting. Nothing of a refused partition is stored.
/// `request_bytes`: the size as sent; `span`: the request's span.
pub(crate) fn admit(
    context: &Context,
    caller: &Caller,
    checking: Checking,
    request_bytes: usize,
    memory: Option<OwnedSemaphorePermit>,
    span: &mut Span,
) -> Admitted {
    let Checking {
        topics: mut responses,
        partitions,
        acks,
        timeout,
        started,
        now_ms,
    } = checking;
    let (mut places, mut batches) = (Vec::new(), Vec::new());
    for CheckedPartition { topic, index, state } in partitions {
        let partition_responses = &mut responses[topic].partition_responses;
        let refused = match state {
            CheckState::Good(of, partition, batch) => {
                let keeps_arrival = of.timestamps == Timestamps::LogAppendTime;
                places.push(Place {
                    topic,
                    partition: partition_responses.len(),
                    log_append_time_ms: keeps_arrival.then_some(now_ms),
                });
                batches.push((of, partition, batch));
                partition_responses.push(PartitionProduceResponse {
                    index,
                    ..Default::default()
                });
                continue;
            }
            CheckState::Refused(refused) => refused,
            CheckState::Lengthy(_) => too_late(),
        };
        context.metrics.produce_errors.inc();
        partition_responses.push(PartitionProduceResponse {
            record_errors: refused.records,
            ..partition_response(index, refused.outcome)
        });
    }
    let written = batches.iter().map(|(_, _, batch)| batch.uncompressed_bytes).sum();
    let throttled = context.throttle.take_written(&context.cache.catalogue(), written);
    let held = hold(context, caller, request_bytes, &batches).max(throttled);
    let ticket = (!batches.is_empty()).then(|| context.write_path.admit(batches, memory, &caller.client.sender, span));
    Admitted {
        response: ProduceResponse {
            responses,
            ..Default::default()
        },
        places,
        ticket,
        version: caller.version,
        acks,
        timeout,
        started,
        held,
    }
}

/// Counts a request towards the client's quota: the bytes sent, plus the difference to the uncompressed size, which is
/// what is billed. Returns how long to throttle the client.
fn hold(
    context: &Context,
    caller: &Caller,
    request_bytes: usize,
    batches: &[(Arc<Topic>, u32, CheckedBatch)],
) -> Duration {
    let inflated = |batch: &CheckedBatch| batch.uncompressed_bytes.saturating_sub(batch.batch.bytes.len() as u64);
    let inflated_bytes: u64 = batches.iter().map(|(_, _, batch)| inflated(batch)).sum();
    let bytes = request_bytes.saturating_add(usize::try_from(inflated_bytes).unwrap_or(usize::MAX));
    let throttle = &context.throttle;
    throttle.take(&caller.client.principal, &caller.client_id, Traffic::Produced, bytes)
}

/// Waits for the commit, for at most the client's timeout. `None` if the client wants no response.
pub(crate) async fn answer(context: Arc<Context>, admitted: Admitted) -> Option<ProduceResponse> {
    let Admitted {
        mut response,
        places,
        ticket,
        version,
        acks,
        timeout,
        started,
        held: _,
    } = admitted;
    if acks == 0 {
        return None;
    }
    if let Some(ticket) = ticket {
        let outcomes = tokio::time::timeout_at(started + timeout, ticket.outcomes())
            .await
            .unwrap_or_else(|_| Ticket::timed_out(places.len()));
        for (place, mut outcome) in places.into_iter().zip(outcomes) {
            if version < IDS_FROM {
                outcome.error_code = failure::by_name(outcome.error_code);
            }
            outcome.error_code = transactions::missing_by_version(outcome.error_code, version, ABORTABLE);
            if !outcome.error_code.is_none() {
                context.metrics.produce_errors.inc();
            }
            let is_accepted = outcome.error_code.is_none();
            let partition = &mut response.responses[place.topic].partition_responses[place.partition];
            *partition = partition_response(partition.index, outcome);
            if let (true, Some(log_append_time_ms)) = (is_accepted, place.log_append_time_ms) {
                partition.log_append_time_ms = log_append_time_ms;
            }
        }
        context.metrics.observe_stage(Stage::Produce, started.elapsed());
    }
    Some(response)
}

fn names_topics_by_id(caller: &Caller) -> bool {
    caller.version >= IDS_FROM
}

fn id_of(id: Uuid) -> uuid::Uuid {
    uuid::Uuid::from_bytes(id.0)
}

fn known_topic(catalogue: &Catalogue, caller: &Caller, topic: &TopicProduceData) -> Option<Arc<Topic>> {
    if names_topics_by_id(caller) {
        catalogue.topic_by_id(id_of(topic.topic_id)).cloned()
    } else {
        catalogue.topic_by_name(&topic.name).cloned()
    }
}

/// Returns the reason for refusing the whole request, if there is one.
fn refusal_of_all(catalogue: &Catalogue, request: &ProduceRequest) -> Option<BatchOutcome> {
    if !matches!(request.acks, -1..=1) {
        return Some(BatchOutcome::refused(
            ErrorCode::INVALID_REQUIRED_ACKS,
            Some(format!("acks is {}; it must be 0, 1 or -1 (all)", request.acks)),
        ));
    }
    let settings = &catalogue.settings;
    settings.writes_refused.then(|| {
        let reason = match settings.writes_refused_reason.as_str() {
            "" => "writes to this cluster are currently refused".to_owned(),
            reason => reason.to_owned(),
        };
        BatchOutcome::refused(ErrorCode::POLICY_VIOLATION, Some(reason))
    })
}

/// The transaction of the request's transactional batches. As in Kafka, the whole request is refused if the client may
/// not write in it.
fn transaction_of(
    access: &Access,
    caller: &Caller,
    request: &ProduceRequest,
) -> Result<Option<Arc<Transaction>>, ErrorCode> {
    let partitions = request.topic_data.iter().flat_map(|topic| &topic.partition_data);
    let headers = partitions.filter_map(|data| BatchHeader::of(data.records.as_deref()?).ok());
    let mut transactional = headers.filter(BatchHeader::is_transactional);
    let Some(first) = transactional.next() else {
        return Ok(None);
    };
    let transactional_id = request.transactional_id.as_deref();
    let transactional_id = transactional_id.ok_or(ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED)?;
    access.check(Operation::Write, Resource::transactional_id(transactional_id))?;
    let producer = |header: &BatchHeader| (header.producer_id, header.producer_epoch);
    if transactional.any(|header| producer(&header) != producer(&first)) {
        return Err(ErrorCode::INVALID_PRODUCER_ID_MAPPING);
    }
    Ok(Some(Arc::new(Transaction {
        transactional_id: transactional_id.to_owned(),
        adds_partitions: caller.version >= ADDS_PARTITIONS_FROM,
    })))
}

fn find_partition(
    caller: &Caller,
    topic: Option<&Arc<Topic>>,
    data: &PartitionProduceData,
) -> Result<(Arc<Topic>, u32), BatchOutcome> {
    let unknown = if names_topics_by_id(caller) {
        ErrorCode::UNKNOWN_TOPIC_ID
    } else {
        ErrorCode::UNKNOWN_TOPIC_OR_PARTITION
    };
    let topic = topic.ok_or_else(|| BatchOutcome::refused(unknown, None))?;
    let partition = u32::try_from(data.index)
        .ok()
        .filter(|partition| *partition < topic.partitions)
        .ok_or_else(|| BatchOutcome::refused(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, None))?;
    Ok((Arc::clone(topic), partition))
}

fn partition_response(index: i32, outcome: BatchOutcome) -> PartitionProduceResponse {
    PartitionProduceResponse {
        index,
        error_code: outcome.error_code,
        base_offset: outcome.base_offset,
        log_start_offset: outcome.log_start_offset,
        error_message: outcome.message,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::poll;
    use penstock_metadata_client::proto;
    use penstock_wire::record_batch::HEADER_BYTES;

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    /// The header of a transactional batch of this producer.
    fn batch(index: i32, producer_id: i64) -> PartitionProduceData {
        let mut batch = vec![0; HEADER_BYTES];
        batch[16] = 2;
        batch[22] = 0x10;
        batch[43..51].copy_from_slice(&producer_id.to_be_bytes());
        PartitionProduceData {
            index,
            records: Some(batch.into()),
        }
    }

    async fn codes(transactional_id: Option<&str>, partition_data: Vec<PartitionProduceData>) -> Vec<ErrorCode> {
        let agent = TestAgent::with_topics(&[topic(1, "a", 2)]);
        let request = ProduceRequest {
            transactional_id: transactional_id.map(str::to_owned),
            acks: -1,
            timeout_ms: 1_000,
            topic_data: vec![TopicProduceData {
                name: "a".to_owned(),
                partition_data,
                ..Default::default()
            }],
        };
        let (caller, time) = (caller(12), HandlingTime::begin(&agent.context.throttle, &caller(12)));
        let checking = check(&agent.context, &caller, request);
        let checked = checking.finish(&agent.context, &caller, 0, &time).await;
        let admitted = admit(&agent.context, &caller, checked, 0, None, &mut Span::default());
        let answer = answer(agent.context(), admitted).await.unwrap();
        let partitions = &answer.responses[0].partition_responses;
        partitions.iter().map(|partition| partition.error_code).collect()
    }

    #[tokio::test]
    async fn transactional_records_need_a_transactional_id() {
        let plain = PartitionProduceData::default();
        assert_eq!(
            codes(None, vec![plain, batch(1, 9)]).await,
            [ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED; 2]
        );
    }

    #[tokio::test]
    async fn refuses_transactional_records_of_two_producers() {
        assert_eq!(
            codes(Some("tx"), vec![batch(0, 9), batch(1, 8)]).await,
            [ErrorCode::INVALID_PRODUCER_ID_MAPPING; 2]
        );
        // These are read further, and turn out not to be batches.
        assert_eq!(
            codes(Some("tx"), vec![batch(0, 9), batch(1, 9)]).await,
            [ErrorCode::CORRUPT_MESSAGE; 2]
        );
    }

    /// A batch of one record whose value repeats one letter, in one raw Snappy block: 3 bytes per 64.
    fn repetitive_batch(value_bytes: usize) -> Bytes {
        let varint = |number: usize| {
            let mut number = number;
            let mut bytes = Vec::new();
            while number > 0x7f {
                bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
                number >>= 7;
            }
            bytes.push(u8::try_from(number).unwrap());
            bytes
        };
        // Attributes, no timestamp and offset deltas, no key; the value; no headers.
        let head = [vec![0, 0, 0, 1], varint(2 * value_bytes)].concat();
        let head = [varint(2 * (head.len() + value_bytes + 1)), head].concat();
        let mut payload = varint(head.len() + value_bytes + 1);
        payload.push(u8::try_from(head.len() - 1).unwrap() << 2);
        payload.extend(head);
        payload.extend([0, b'x']);
        for _ in 0..(value_bytes - 1) / 64 {
            payload.extend([(63 << 2) | 2, 1, 0]);
        }
        assert_eq!((value_bytes - 1) % 64, 0);
        payload.extend([0, 0]);
        let mut batch = vec![0; HEADER_BYTES];
        batch.extend(payload);
        let length = i32::try_from(batch.len() - 12).unwrap();
        batch[8..12].copy_from_slice(&length.to_be_bytes());
        batch[16] = 2;
        batch[22] = 2;
        batch[43..57].fill(0xff);
        batch[60] = 1;
        let crc = crc32c::crc32c(&batch[21..]);
        batch[17..21].copy_from_slice(&crc.to_be_bytes());
        batch.into()
    }

    fn limited_topic(max_uncompressed_bytes: usize) -> proto::Topic {
        proto::Topic {
            configs: vec![proto::Config {
                name: "max.uncompressed.batch.bytes".to_owned(),
                value: max_uncompressed_bytes.to_string(),
            }],
            ..topic(1, "a", 1)
        }
    }

    fn request(batches: &[&Bytes]) -> ProduceRequest {
        let partition_data = batches.iter().zip(0..).map(|(batch, index)| PartitionProduceData {
            index,
            records: Some((*batch).clone()),
        });
        ProduceRequest {
            acks: -1,
            timeout_ms: 1_000,
            topic_data: vec![TopicProduceData {
                name: "a".to_owned(),
                partition_data: partition_data.collect(),
                ..Default::default()
            }],
            ..Default::default()
        }
    }

    fn admitted(agent: &TestAgent, batch: &Bytes) -> Admitted {
        let checking = check(&agent.context, &caller(12), request(&[batch]));
        assert!(checking.is_done());
        let span = &mut Span::default();
        admit(&agent.context, &caller(12), checking, batch.len(), None, span)
    }

    const MIB: usize = 1 << 20;

    #[tokio::test]
    async fn a_batch_checked_immediately_does_not_wait_for_bombs() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let bomb = repetitive_batch(8 * MIB + 1);
        let occupied = agent.context.record_checks.occupy().await;
        let (caller, time) = (caller(12), HandlingTime::begin(&agent.context.throttle, &caller(12)));
        let mut waiting = Vec::new();
        for _ in 0..100 {
            let checking = check(&agent.context, &caller, request(&[&bomb]));
            assert!(!checking.is_done());
            let mut finishing = Box::pin(checking.finish(&agent.context, &caller, bomb.len(), &time));
            assert!(poll!(&mut finishing).is_pending());
            waiting.push(finishing);
        }
        // No bomb is decompressed meanwhile: one check runs, and it takes the byte that it announced.
        assert_eq!(agent.context.record_checks.in_use(), (1, 1));
        assert_eq!(admitted(&agent, &repetitive_batch(64 * 100 + 1)).places.len(), 1);
        drop(waiting);
        drop(occupied);
    }

    #[tokio::test]
    async fn immediate_checks_are_bounded_across_a_requests_batches() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 4)]);
        let batch = repetitive_batch(MIB / 2 + 1);
        let caller = caller(12);
        let checking = check(&agent.context, &caller, request(&[&batch, &batch, &batch, &batch]));
        let lengthy = |checking: &Checking| {
            let states = checking.partitions.iter().map(|partition| &partition.state);
            states.filter(|state| matches!(state, CheckState::Lengthy(_))).count()
        };
        assert_eq!(lengthy(&checking), 3);
        let time = HandlingTime::begin(&agent.context.throttle, &caller);
        let checked = checking.finish(&agent.context, &caller, 0, &time).await;
        let admitted = admit(&agent.context, &caller, checked, 0, None, &mut Span::default());
        assert_eq!(admitted.places.len(), 4);
    }

    #[tokio::test]
    async fn a_batch_not_checked_in_time_is_not_stored() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let occupied = agent.context.record_checks.occupy().await;
        let batch = repetitive_batch(2 * MIB + 1);
        let (caller, time) = (caller(12), HandlingTime::begin(&agent.context.throttle, &caller(12)));
        let request = ProduceRequest {
            timeout_ms: 0,
            ..request(&[&batch])
        };
        let checking = check(&agent.context, &caller, request);
        let checked = checking.finish(&agent.context, &caller, batch.len(), &time).await;
        let admitted = admit(&agent.context, &caller, checked, 0, None, &mut Span::default());
        let partition = &admitted.response.responses[0].partition_responses[0];
        assert_eq!(
            (partition.error_code, admitted.places.len()),
            (ErrorCode::REQUEST_TIMED_OUT, 0)
        );
        drop(occupied);
    }

    #[tokio::test]
    async fn a_large_batch_is_refused_for_the_same_reasons() {
        let limited = limited_topic(4 * MIB);
        let agent = TestAgent::with_topics(&[limited]);
        let caller = caller(12);
        let time = HandlingTime::begin(&agent.context.throttle, &caller);
        let bomb = repetitive_batch(5 * MIB + 1);
        let checking = check(&agent.context, &caller, request(&[&bomb]));
        let checked = checking.finish(&agent.context, &caller, bomb.len(), &time).await;
        let refused = admit(&agent.context, &caller, checked, 0, None, &mut Span::default());
        let partition = &refused.response.responses[0].partition_responses[0];
        assert_eq!(partition.error_code, ErrorCode::MESSAGE_TOO_LARGE);
        let message = partition.error_message.as_deref().unwrap();
        assert!(message.contains("max.uncompressed.batch.bytes of 4194304"), "{message}");
    }

    #[tokio::test]
    async fn names_the_config_that_limits_the_decompressed_size() {
        let agent = TestAgent::with_topics(&[limited_topic(10_000)]);
        let bomb = repetitive_batch(64 * 200 + 1);
        assert!(bomb.len() < 1_000);
        let refused = admitted(&agent, &bomb);
        let partition = &refused.response.responses[0].partition_responses[0];
        assert_eq!(partition.error_code, ErrorCode::MESSAGE_TOO_LARGE);
        let message = partition.error_message.as_deref().unwrap();
        assert!(message.contains("max.uncompressed.batch.bytes of 10000"), "{message}");
        assert!(
            message.contains("for the topic") && message.contains("for the cluster"),
            "{message}"
        );
        let taken = admitted(&agent, &repetitive_batch(64 * 150 + 1));
        let partition = &taken.response.responses[0].partition_responses[0];
        assert_eq!((partition.error_code, taken.places.len()), (ErrorCode::NONE, 1));
    }

    #[tokio::test]
    async fn a_quota_counts_records_as_they_are_billed() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        agent.context.cache.set_security(proto::SecurityState {
            version: 1,
            quotas: vec![proto::ClientQuota {
                user: Some(String::new()),
                producer_byte_rate: Some(1_000.0),
                ..Default::default()
            }],
            ..Default::default()
        });
        // Less than 1 kB as sent and 640 kB as billed. Ten seconds of the quota can be used at once.
        let held = admitted(&agent, &repetitive_batch(64 * 10_000 + 1)).held;
        assert!(held > Duration::from_secs(60), "{held:?}");
    }
}
