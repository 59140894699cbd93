//! Topics, agents and settings of the virtual cluster.

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

use super::run::uuid_from_bytes;
use crate::proto;

/// Kafka's default of `max.message.bytes`: 1 MiB and the overhead of a batch.
pub const DEFAULT_MAX_MESSAGE_BYTES: u32 = 1_048_588;

/// One topic.
#[derive(Debug, Clone)]
pub struct Topic {
    /// Stable over renames of the cluster, different after deletion and creation anew.
    pub id: Uuid,
    /// Unique among the topics that exist.
    pub name: Arc<str>,
    /// Partitions 0 .. partitions - 1 exist.
    pub partitions: u32,
    /// Largest batch that may be produced.
    pub max_message_bytes: u32,
    /// Only those set on the topic.
    pub configs: Vec<proto::Config>,
}

impl Topic {
    /// `None` if the id is not 16 bytes.
    pub(crate) fn from_proto(topic: &proto::Topic) -> Option<Self> {
        let configured = topic.configs.iter().find(|config| config.name == "max.message.bytes");
        Some(Self {
            id: uuid_from_bytes(&topic.topic_id)?,
            name: topic.name.as_str().into(),
            partitions: topic.partitions,
            max_message_bytes: configured
                .and_then(|config| config.value.parse().ok())
                .unwrap_or(DEFAULT_MAX_MESSAGE_BYTES),
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

    pub(super) fn remove(&mut self, id: Uuid) {
        if let Some(topic) = self.by_id.remove(&id)
            && self.by_name.get(&topic.name).is_some_and(|named| named.id == id)
        {
            self.by_name.remove(&topic.name);
        }
    }
}
