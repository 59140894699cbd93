//! The topics, agents and settings of the virtual cluster.

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

use super::run::uuid_from_bytes;
use crate::proto;

/// Used until the service has sent the cluster's settings.
const INITIAL_MAX_UNCOMPRESSED_BATCH_BYTES: u64 = 1 << 30;
/// Kafka's default for `max.message.bytes`: 1 MiB plus the overhead of a batch.
pub const DEFAULT_MAX_MESSAGE_BYTES: u32 = 1_048_588;
/// Kafka's default for `message.timestamp.after.max.ms`: one hour.
const DEFAULT_AFTER_MAX_MS: i64 = 3_600_000;
/// Kafka's default for `message.timestamp.before.max.ms`: no limit.
const DEFAULT_BEFORE_MAX_MS: i64 = i64::MAX;

/// The timestamps of a topic's records, from `message.timestamp.type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timestamps {
    /// The producers' timestamps. Batches with records too far from the current time are refused.
    CreateTime {
        /// Maximum age in milliseconds.
        before_max_ms: i64,
        /// Maximum time in the future, in milliseconds.
        after_max_ms: i64,
    },
    /// The time at which the records arrive.
    LogAppendTime,
}

/// A topic of the cluster.
#[derive(Debug, Clone)]
pub struct Topic {
    /// Stays the same if the cluster is renamed. Changes if the topic is deleted and created again.
    pub id: Uuid,
    /// Unique among existing topics.
    pub name: Arc<str>,
    /// The number of partitions, which are numbered from 0.
    pub partitions: u32,
    /// Maximum batch size for producers, in bytes.
    pub max_message_bytes: u32,
    /// Maximum decompressed size of a batch without its header, in bytes; `None` for the cluster's default.
    pub max_uncompressed_batch_bytes: Option<u64>,
    /// True if `cleanup.policy` includes compaction, which requires a key for every record.
    pub is_compacted: bool,
    /// Whose timestamps the records get.
    pub timestamps: Timestamps,
    /// True if records may go to landing buckets in a cluster of that mode, that is, if `penstock.latency` is not
    /// `standard`.
    pub may_land: bool,
    /// The configs set on the topic, without defaults.
    pub configs: Vec<proto::Config>,
}

impl Topic {
    /// Returns `None` if the id is not 16 bytes long.
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

/// A consistent snapshot of the cluster's metadata. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    by_name: HashMap<Arc<str>, Arc<Topic>>,
    by_id: HashMap<Uuid, Arc<Topic>>,
    /// All live agents of the cluster.
    pub agents: Arc<[proto::Agent]>,
    /// The settings of the cluster.
    pub settings: proto::ClusterSettings,
}

impl Catalogue {
    /// Maximum decompressed size of a batch in this topic, without its header, in bytes.
    #[must_use]
    pub fn max_uncompressed_batch_bytes(&self, topic: &Topic) -> u64 {
        topic
            .max_uncompressed_batch_bytes
            .unwrap_or_else(|| self.default_max_uncompressed_batch_bytes())
    }

    /// Maximum decompressed size of a batch in topics without a setting of their own, in bytes.
    #[must_use]
    pub fn default_max_uncompressed_batch_bytes(&self) -> u64 {
        match self.settings.max_uncompressed_batch_bytes {
            0 => INITIAL_MAX_UNCOMPRESSED_BATCH_BYTES,
            bytes => bytes,
        }
    }

    /// Returns the topic with this name.
    #[must_use]
    pub fn topic_by_name(&self, name: &str) -> Option<&Arc<Topic>> {
        self.by_name.get(name)
    }

    /// Returns the topic with this id.
    #[must_use]
    pub fn topic_by_id(&self, id: Uuid) -> Option<&Arc<Topic>> {
        self.by_id.get(&id)
    }

    /// All topics, in no particular order.
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

    /// Sets the live agents. A new owner does not yet know their internal addresses, keys and listeners, so known
    /// values are kept: they never change during an agent's lifetime.
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
