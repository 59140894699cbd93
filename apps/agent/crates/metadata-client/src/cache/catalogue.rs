//! Topics, agents and settings of the virtual cluster.

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

use super::run::uuid_from_bytes;
use crate::proto;

/// Of services that do not say the cluster's default.
const FORMER_MAX_UNCOMPRESSED_BATCH_BYTES: u64 = 1 << 30;
/// Kafka's default of `max.message.bytes`: 1 MiB and the overhead of a batch.
pub const DEFAULT_MAX_MESSAGE_BYTES: u32 = 1_048_588;
/// Kafka's default of `message.timestamp.after.max.ms`: an hour.
const DEFAULT_AFTER_MAX_MS: i64 = 3_600_000;
/// Kafka's default of `message.timestamp.before.max.ms`: no limit.
const DEFAULT_BEFORE_MAX_MS: i64 = i64::MAX;

/// Which timestamps the records of a topic get: `message.timestamp.type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timestamps {
    /// Their producers'. Batches with records that are further from the time at which they arrive are refused.
    CreateTime {
        /// How far in the past, in milliseconds.
        before_max_ms: i64,
        /// How far in the future, in milliseconds.
        after_max_ms: i64,
    },
    /// The time at which they arrive.
    LogAppendTime,
}

/// One topic.
#[derive(Debug, Clone)]
pub struct Topic {
    /// Stable when the cluster is renamed; different when the topic is deleted and created again.
    pub id: Uuid,
    /// Unique among the topics that exist.
    pub name: Arc<str>,
    /// Partitions 0 .. partitions - 1 exist.
    pub partitions: u32,
    /// Largest batch that may be produced.
    pub max_message_bytes: u32,
    /// What a compressed batch may decompress to, without its header; `None`: the cluster's default.
    pub max_uncompressed_batch_bytes: Option<u64>,
    /// Whether `cleanup.policy` asks for compaction, which needs a key on every record.
    pub is_compacted: bool,
    /// Whose timestamps the records get.
    pub timestamps: Timestamps,
    /// Whether its records may go to landing buckets, if that is the mode of the cluster: `penstock.latency` is not `standard`.
    pub may_land: bool,
    /// Only those set on the topic.
    pub configs: Vec<proto::Config>,
}

impl Topic {
    /// `None` if the id is not 16 bytes.
    pub(crate) fn from_proto(topic: &proto::Topic) -> Option<Self> {
        let configured = |name: &str| {
            let config = topic.configs.iter().find(|config| config.name == name)?;
            Some(config.value.as_str())
        };
        let milliseconds = |name: &str| configured(name).and_then(|value| value.parse().ok());
        let timestamps = match configured("message.timestamp.type") {
            Some("LogAppendTime") => Timestamps::LogAppendTime,
            _ => Timestamps::CreateTime {
                before_max_ms: milliseconds("message.timestamp.before.max.ms").unwrap_or(DEFAULT_BEFORE_MAX_MS),
                after_max_ms: milliseconds("message.timestamp.after.max.ms").unwrap_or(DEFAULT_AFTER_MAX_MS),
            },
        };
        Some(Self {
            id: uuid_from_bytes(&topic.topic_id)?,
            name: topic.name.as_str().into(),
            partitions: topic.partitions,
            max_message_bytes: configured("max.message.bytes")
                .and_then(|value| value.parse().ok())
                .unwrap_or(DEFAULT_MAX_MESSAGE_BYTES),
            max_uncompressed_batch_bytes: configured("max.uncompressed.batch.bytes")
                .and_then(|value| value.parse().ok()),
            is_compacted: configured("cleanup.policy")
                .is_some_and(|policies| policies.split(',').any(|policy| policy.trim() == "compact")),
            timestamps,
            may_land: configured("penstock.latency") != Some("standard"),
            configs: topic.configs.clone(),
        })
    }
}

/// A consistent snapshot; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    by_name: HashMap<Arc<str>, Arc<Topic>>,
    by_id: HashMap<Uuid, Arc<Topic>>,
    /// The agents that are alive.
    pub agents: Arc<[proto::Agent]>,
    /// The cluster's settings.
    pub settings: proto::ClusterSettings,
}

impl Catalogue {
    /// What a compressed batch of a topic may decompress to, without its header.
    #[must_use]
    pub fn max_uncompressed_batch_bytes(&self, topic: &Topic) -> u64 {
        topic
            .max_uncompressed_batch_bytes
            .unwrap_or_else(|| self.default_max_uncompressed_batch_bytes())
    }

    /// What a compressed batch may decompress to in topics that do not say.
    #[must_use]
    pub fn default_max_uncompressed_batch_bytes(&self) -> u64 {
        match self.settings.max_uncompressed_batch_bytes {
            0 => FORMER_MAX_UNCOMPRESSED_BATCH_BYTES,
            bytes => bytes,
        }
    }

    /// The topic of this name.
    #[must_use]
    pub fn topic_by_name(&self, name: &str) -> Option<&Arc<Topic>> {
        self.by_name.get(name)
    }

    /// The topic of this id.
    #[must_use]
    pub fn topic_by_id(&self, id: Uuid) -> Option<&Arc<Topic>> {
        self.by_id.get(&id)
    }

    /// All topics, in no order.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = &Arc<Topic>> {
        self.by_id.values()
    }

    pub(super) fn upsert(&mut self, topic: Topic) {
        let topic = Arc::new(topic);
        if let Some(former) = self.by_name.insert(Arc::clone(&topic.name), Arc::clone(&topic))
            && former.id != topic.id
        {
            self.by_id.remove(&former.id);
        }
        self.by_id.insert(topic.id, topic);
    }

    /// Takes the agents that are alive now. An owner that has just taken over does not know yet where they reach each other, by which key, and
    /// at which listeners clients reach them; an agent keeps all three for as long as it lives. So no owner, not even one of an earlier version,
    /// makes agents that know each other's keys go back to clear text.
    pub(super) fn set_agents(&mut self, mut agents: Vec<proto::Agent>) {
        for agent in &mut agents {
            let Some(known) = self.agents.iter().find(|known| known.agent_id == agent.agent_id) else {
                continue;
            };
            if agent.internal_url.is_empty() {
                agent.internal_url.clone_from(&known.internal_url);
            }
            if agent.internal_key_sha256.is_empty() {
                agent.internal_key_sha256.clone_from(&known.internal_key_sha256);
            }
            if agent.listeners.is_empty() {
                agent.listeners.clone_from(&known.listeners);
            }
        }
        self.agents = agents.into();
    }

    pub(super) fn remove(&mut self, id: Uuid) {
        if let Some(topic) = self.by_id.remove(&id)
            && self.by_name.get(&topic.name).is_some_and(|named| named.id == id)
        {
            self.by_name.remove(&topic.name);
        }
    }
}
