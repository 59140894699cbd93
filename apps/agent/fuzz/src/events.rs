//! Events of the watch stream and answers about partitions, in any order: the cache stays consistent, and nothing that
//! readers rely on goes back.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use arbitrary::Arbitrary;
use bytes::Bytes;
use penstock_access::{Authorizer, Throttle};
use penstock_authz::{Operation, Principal, Resource, Traffic};
use penstock_metadata_client::cache::{ClusterCache, CommittedRuns, Partition, PartitionKey, Run, Watermarks};
use penstock_metadata_client::proto;
use penstock_metrics::Metrics;
use prost::Message;
use tokio::time::Instant;
use uuid::Uuid;

use super::Damage;

const TOPICS: u8 = 4;
const PARTITIONS: u32 = 2;
const MAX_STEPS: usize = 24;

/// One step of a history.
#[derive(Arbitrary, Debug)]
pub enum Step<'a> {
    /// An event, damaged on the way.
    Event(Event<'a>, Damage<'a>),
    /// An event of any bytes.
    Any(&'a [u8]),
    /// The owner now watches the partition.
    State(Place, Marks, bool),
    /// The owner located an offset.
    Located(Place, Marks, Vec<Stretch>, Vec<(i8, u8, u8)>),
    /// A reader looks for runs.
    Read {
        place: Place,
        offset: u16,
        max_bytes: u16,
    },
    /// A client asks whether it may.
    Check {
        principal: &'a str,
        resource: &'a str,
    },
    StreamLost,
    FileDeleted(Place),
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Place {
    topic: u8,
    partition: bool,
}

#[derive(Arbitrary, Debug)]
pub struct Marks {
    log_start_offset: u8,
    high_watermark: u16,
    last_stable_offset: Option<u16>,
}

#[derive(Arbitrary, Debug)]
pub struct Stretch {
    base_offset: u16,
    records: u8,
    bytes: u16,
    position: u16,
    /// Producer, whether it committed, and its first offset, for the end of a transaction.
    marker: Option<(u8, bool, u8)>,
}

#[derive(Arbitrary, Debug)]
pub struct Event<'a> {
    is_first: bool,
    current_for_ms: u16,
    catalogue: Option<CatalogueChange<'a>>,
    updates: Vec<(Place, Marks, Vec<Stretch>)>,
    security: Option<Security<'a>>,
    max_uncompressed_batch_bytes: Option<u32>,
}

#[derive(Arbitrary, Debug)]
pub struct CatalogueChange<'a> {
    is_full: bool,
    topics: Vec<NewTopic<'a>>,
    deleted: Vec<u8>,
    agents: Option<Vec<(u8, &'a str)>>,
}

#[derive(Arbitrary, Debug)]
pub struct NewTopic<'a> {
    topic: u8,
    partitions: u8,
    config: Option<(&'a str, &'a str)>,
}

#[derive(Arbitrary, Debug)]
pub struct Security<'a> {
    acl_mode: i8,
    super_user: &'a str,
    acls: Vec<Acl<'a>>,
    quotas: Vec<(&'a str, &'a str, u32)>,
}

#[derive(Arbitrary, Debug)]
pub struct Acl<'a> {
    kinds: [u8; 4],
    name: &'a str,
    principal: &'a str,
    host: &'a str,
}

fn topic_id(topic: u8) -> Uuid {
    Uuid::from_u128(u128::from(topic % TOPICS) + 1)
}

fn id_bytes(topic: u8) -> Bytes {
    Bytes::copy_from_slice(topic_id(topic).as_bytes())
}

impl Place {
    fn key(self) -> PartitionKey {
        PartitionKey {
            topic_id: topic_id(self.topic),
            partition: self.partition.into(),
        }
    }
}

impl Stretch {
    fn location(&self) -> proto::RunLocation {
        let marker = self
            .marker
            .map(|(producer_id, committed, first_offset)| proto::TransactionMarker {
                producer_id: producer_id.into(),
                producer_epoch: 0,
                committed,
                first_offset: first_offset.into(),
            });
        proto::RunLocation {
            file_id: Bytes::copy_from_slice(&[self.records; 16]),
            position: self.position.into(),
            bytes: self.bytes.into(),
            base_offset: self.base_offset.into(),
            records: if marker.is_some() { 1 } else { self.records.into() },
            file_bytes: 1 << 17,
            marker,
            ..Default::default()
        }
    }
}

fn locations(stretches: &[Stretch]) -> Vec<proto::RunLocation> {
    stretches.iter().map(Stretch::location).collect()
}

impl Event<'_> {
    fn message(&self) -> proto::WatchEvent {
        proto::WatchEvent {
            watch_id: if self.is_first {
                "watch".to_owned()
            } else {
                String::new()
            },
            catalogue: self.catalogue.as_ref().map(CatalogueChange::message),
            partitions: self.updates.iter().map(update).collect(),
            settings: self.max_uncompressed_batch_bytes.map(|bytes| proto::ClusterSettings {
                max_uncompressed_batch_bytes: bytes.into(),
                ..Default::default()
            }),
            current_for_ms: self.current_for_ms.into(),
            security: self.security.as_ref().map(Security::message),
            ..Default::default()
        }
    }
}

fn update((place, marks, stretches): &(Place, Marks, Vec<Stretch>)) -> proto::PartitionUpdate {
    proto::PartitionUpdate {
        topic_id: id_bytes(place.topic),
        partition: place.partition.into(),
        log_start_offset: marks.log_start_offset.into(),
        high_watermark: marks.high_watermark.into(),
        runs: locations(stretches),
        last_stable_offset: marks.last_stable_offset.map(Into::into),
    }
}

impl CatalogueChange<'_> {
    fn message(&self) -> proto::Catalogue {
        let agent = |(id, url): &(u8, &str)| proto::Agent {
            agent_id: id.to_string(),
            internal_url: (*url).to_owned(),
            ..Default::default()
        };
        proto::Catalogue {
            full: self.is_full,
            topics: self.topics.iter().map(NewTopic::message).collect(),
            deleted_topic_ids: self.deleted.iter().map(|topic| id_bytes(*topic)).collect(),
            agents: self.agents.iter().flatten().map(agent).collect(),
            agents_changed: self.agents.is_some(),
        }
    }
}

impl NewTopic<'_> {
    fn message(&self) -> proto::Topic {
        let config = self.config.map(|(name, value)| proto::Config {
            name: name.to_owned(),
            value: value.to_owned(),
        });
        proto::Topic {
            topic_id: id_bytes(self.topic),
            // Two topics share each name, and a topic keeps its name.
            name: format!("t{}", (self.topic % TOPICS) / 2),
            partitions: self.partitions.into(),
            configs: config.into_iter().collect(),
            ..Default::default()
        }
    }
}

impl Security<'_> {
    fn message(&self) -> proto::SecurityState {
        let acl = |acl: &Acl<'_>| proto::AclBinding {
            resource_type: acl.kinds[0].into(),
            resource_name: acl.name.to_owned(),
            pattern_type: acl.kinds[1].into(),
            principal: acl.principal.to_owned(),
            host: acl.host.to_owned(),
            operation: acl.kinds[2].into(),
            permission_type: acl.kinds[3].into(),
        };
        let quota = |(user, client_id, rate): &(&str, &str, u32)| proto::ClientQuota {
            user: Some((*user).to_owned()),
            client_id: Some((*client_id).to_owned()),
            producer_byte_rate: Some(f64::from(*rate)),
            ..Default::default()
        };
        proto::SecurityState {
            version: 1,
            settings: Some(proto::SecuritySettings {
                super_users: vec![self.super_user.to_owned()],
                acl_mode: self.acl_mode.into(),
                ..Default::default()
            }),
            acls: self.acls.iter().map(acl).collect(),
            quotas: self.quotas.iter().map(quota).collect(),
            ..Default::default()
        }
    }
}

struct World {
    cache: Arc<ClusterCache>,
    authorizer: Arc<Authorizer>,
    throttle: Arc<Throttle>,
    /// The highest marks so far, by partition.
    marks: HashMap<PartitionKey, Watermarks>,
}

/// Applies the steps to an empty cache.
///
/// # Panics
/// Panics if the cache becomes inconsistent, or a message changes when it is encoded again.
pub fn run(steps: &[Step<'_>]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let _inside = runtime.enter();
    let (cache, _interest) = ClusterCache::new();
    let metrics = Arc::new(Metrics::default());
    let mut world = World {
        authorizer: Authorizer::new(Arc::clone(&cache), Arc::clone(&metrics)),
        throttle: Throttle::new(&cache, &metrics),
        cache,
        marks: HashMap::new(),
    };
    for step in steps.iter().take(MAX_STEPS) {
        world.take(step);
        world.check();
    }
}

impl World {
    fn take(&mut self, step: &Step<'_>) {
        match step {
            Step::Event(event, damage) => {
                let mut bytes = event.message().encode_to_vec();
                damage.apply(&mut bytes);
                self.receive(&bytes);
            }
            Step::Any(bytes) => self.receive(bytes),
            Step::State(place, marks, is_known) => {
                let state = proto::PartitionState {
                    error_code: i32::from(!is_known),
                    log_start_offset: marks.log_start_offset.into(),
                    high_watermark: marks.high_watermark.into(),
                    last_stable_offset: marks.last_stable_offset.map(Into::into),
                };
                self.cache.apply_states(&[place.key()], &[state]);
            }
            Step::Located(place, marks, stretches, aborted) => self.locate(*place, marks, stretches, aborted),
            Step::Read {
                place,
                offset,
                max_bytes,
            } => self.read(&self.partition(*place), (*offset).into(), (*max_bytes).into()),
            Step::Check { principal, resource } => self.check_access(principal, resource),
            Step::StreamLost => self.cache.set_watching(false),
            Step::FileDeleted(place) => self.partition(*place).forget_runs(),
        }
    }

    fn receive(&self, bytes: &[u8]) {
        let Ok(event) = proto::WatchEvent::decode(bytes) else {
            return;
        };
        // Compared as bytes, since a rate may be no number.
        let encoded = event.encode_to_vec();
        let again = proto::WatchEvent::decode(&encoded[..]).map(|event| event.encode_to_vec());
        assert_eq!(again, Ok(encoded));
        self.cache.apply_event(event);
    }

    fn partition(&self, place: Place) -> Arc<Partition> {
        self.cache.partition(place.key(), now())
    }

    fn locate(&self, place: Place, marks: &Marks, stretches: &[Stretch], aborted: &[(i8, u8, u8)]) {
        let located = proto::Located {
            log_start_offset: marks.log_start_offset.into(),
            high_watermark: marks.high_watermark.into(),
            runs: locations(stretches),
            last_stable_offset: marks.last_stable_offset.map(Into::into),
            aborted: aborted
                .iter()
                .map(|(producer_id, first_offset, last_offset)| proto::AbortedTransaction {
                    producer_id: (*producer_id).into(),
                    first_offset: (*first_offset).into(),
                    last_offset: (*last_offset).into(),
                })
                .collect(),
            ..Default::default()
        };
        let runs: Vec<Run> = located.runs.iter().filter_map(Run::from_proto).collect();
        if let Some(found) = CommittedRuns::of_located(&located, runs.clone(), marks.log_start_offset.into()) {
            assert!(!found.runs.is_empty());
        }
        let partition = self.partition(place);
        partition.observe_watermarks(&located);
        partition.keep_located(&located, runs);
    }

    /// Readers get runs without gaps, the first of which has their offset.
    fn read(&self, partition: &Partition, offset: i64, max_bytes: u64) {
        for now in [Some(now()), None] {
            let mut runs = Vec::new();
            let is_found = partition.runs_from(offset, max_bytes, now, &mut runs);
            assert_eq!(is_found, !runs.is_empty());
            check_runs(offset, &runs);
            if let Some(found) = partition.committed_runs_from(offset, max_bytes, now) {
                assert!(!found.runs.is_empty());
                check_runs(offset, &found.runs);
                assert!(found.end_offset > offset, "nothing to read at {offset}");
                assert!(found.runs.iter().all(|run| run.base_offset < found.end_offset));
                assert!(found.aborted.iter().all(|aborted| aborted.last_offset >= offset));
            }
        }
    }

    fn check_access(&self, principal: &str, resource: &str) {
        let principal = Arc::new(Principal::user(principal));
        let access = self
            .authorizer
            .access(&principal, IpAddr::V4(Ipv4Addr::LOCALHOST), "client");
        for resource_type in [
            penstock_authz::ResourceType::Topic,
            penstock_authz::ResourceType::Group,
            penstock_authz::ResourceType::TransactionalId,
        ] {
            let resource = Resource {
                resource_type,
                name: resource,
            };
            assert!(access.allows(Operation::Read, resource) || !access.grants(Operation::Read, resource));
            assert!(access.allows(Operation::Read, resource) || !access.insists(Operation::Read, resource));
            access.operations(true, resource);
        }
        self.throttle.take(&principal, "client", Traffic::Produced, 1_000);
    }

    fn check(&mut self) {
        let catalogue = self.cache.catalogue();
        for topic in catalogue.topics() {
            let named = catalogue.topic_by_name(&topic.name);
            assert_eq!(named.map(|named| named.id), Some(topic.id), "two topics have one name");
        }
        for topic in 0..TOPICS {
            for partition in 0..PARTITIONS {
                let place = Place {
                    topic,
                    partition: partition == 1,
                };
                self.check_marks(place);
            }
        }
    }

    /// Marks never go back, except if the partition is forgotten.
    fn check_marks(&mut self, place: Place) {
        let key = place.key();
        let Some(marks) = self.partition(place).watermarks(now()) else {
            self.marks.remove(&key);
            return;
        };
        if let Some(before) = self.marks.insert(key, marks) {
            assert!(marks.log_start_offset >= before.log_start_offset);
            assert!(marks.high_watermark >= before.high_watermark);
            assert!(marks.last_stable_offset >= before.last_stable_offset);
        }
    }
}

fn check_runs(offset: i64, runs: &[Run]) {
    if let Some(first) = runs.first() {
        assert!(
            (first.base_offset..first.end_offset()).contains(&offset),
            "{first:?} lacks {offset}"
        );
    }
    for pair in runs.windows(2) {
        assert!(pair[1].base_offset <= pair[0].end_offset(), "a gap: {pair:?}");
        assert!(pair[1].end_offset() > pair[0].end_offset(), "no progress: {pair:?}");
    }
}

fn now() -> Instant {
    Instant::now()
}
