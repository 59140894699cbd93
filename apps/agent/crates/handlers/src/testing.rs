//! An agent without network for tests of the handlers: in-memory object storage, and a scripted metadata service.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use bytes::Bytes;
use penstock_access::{Authorizer, Throttle};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use penstock_metadata_client::testing::ScriptedMetadata;
use penstock_metrics::Metrics;
use penstock_read_path::ReadPath;
use penstock_store::{BlockCache, Bucket, Objects};
use penstock_traces::Traces;
use penstock_wire::Uuid;
use penstock_write_path::{WritePath, WriteSettings};

use crate::cluster::brokers::BrokerView;
use crate::context::{AdvertisedListener, Caller, Client, Context, Node};
use crate::record_checks::RecordChecks;

pub(crate) const NODE_ID: i32 = 7;
pub(crate) const CLUSTER_ID: &str = "cluster-of-tests";
pub(crate) const HOST: &str = "agent.example";
pub(crate) const LISTENER: &str = "main";

pub(crate) struct TestAgent {
    pub(crate) metadata: Arc<ScriptedMetadata>,
    pub(crate) objects: Arc<Objects>,
    pub(crate) context: Arc<Context>,
}

impl TestAgent {
    pub(crate) fn new() -> Self {
        let metadata = Arc::new(ScriptedMetadata::default());
        let (cache, _) = ClusterCache::new();
        let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), CLUSTER_ID));
        let blocks = BlockCache::new(Arc::clone(&objects), 1 << 20);
        let metrics = Arc::new(Metrics::default());
        let write_path = WritePath::new(
            Arc::clone(&metadata) as _,
            Arc::clone(&cache),
            (Arc::clone(&objects), Arc::clone(&blocks)),
            Arc::clone(&metrics),
            "agent".to_owned(),
            WriteSettings::default(),
        );
        let context = Context {
            authorizer: Authorizer::new(Arc::clone(&cache), Arc::clone(&metrics)),
            throttle: Throttle::new(&cache, &metrics),
            metadata: Arc::clone(&metadata) as _,
            cache,
            node: Node {
                node_id: NODE_ID,
                cluster_id: CLUSTER_ID.to_owned(),
                agent_id: "agent".to_owned(),
                zone: "a".to_owned(),
                listeners: vec![AdvertisedListener {
                    name: LISTENER.into(),
                    host: HOST.to_owned(),
                    port: 9092,
                }],
            },
            record_checks: RecordChecks::one_at_a_time(),
            write_path,
            read_path: ReadPath::new(Arc::clone(&objects), blocks, 1 << 20),
            metrics,
            traces: Traces::off(),
            client_metrics: Default::default(),
            rotation: AtomicUsize::new(0),
        };
        Self {
            metadata,
            objects,
            context: Arc::new(context),
        }
    }

    /// Creates an agent that knows these topics.
    pub(crate) fn with_topics(topics: &[proto::Topic]) -> Self {
        let agent = Self::new();
        agent.context.cache.upsert_topics(topics);
        agent
    }

    pub(crate) fn context(&self) -> Arc<Context> {
        Arc::clone(&self.context)
    }

    /// Sets the users, ACLs and quotas in the metadata service.
    pub(crate) fn secure(&self, state: proto::SecurityState) {
        self.context.cache.set_security(state);
    }

    /// Adds a second agent. Returns a client whose coordinator is this agent, and one whose coordinator is the second.
    pub(crate) fn with_peer(&self) -> [Caller; 2] {
        let agents = [NODE_ID, NODE_ID + 1].map(|node_id| proto::Agent {
            node_id,
            zone: "a".to_owned(),
            advertised_host: HOST.to_owned(),
            advertised_port: 9092,
            alive: true,
            ..Default::default()
        });
        self.context.cache.set_agents(agents.to_vec());
        [NODE_ID, NODE_ID + 1].map(|node_id| {
            let clients = (0..64).map(|number| Caller {
                client_id: format!("tests-{number}"),
                ..caller(4)
            });
            let mut coordinated =
                clients.filter(|client| BrokerView::of(&self.context, client).is_coordinated_by(node_id));
            coordinated.next().unwrap()
        })
    }

    pub(crate) fn settings(&self, auto_create_topics: bool) {
        self.context.cache.set_settings(proto::ClusterSettings {
            auto_create_topics,
            default_partitions: 3,
            offsets_retention_minutes: 10_080,
            ..Default::default()
        });
    }
}

pub(crate) fn caller(version: i16) -> Caller {
    Caller {
        version,
        client_id: "tests".to_owned(),
        client: Client::anonymous((Ipv4Addr::LOCALHOST, 50_000).into(), LISTENER.into()),
    }
}

/// A topic whose id is `id` repeated.
pub(crate) fn topic(id: u8, name: &str, partitions: u32) -> proto::Topic {
    proto::Topic {
        topic_id: rpc_id(id),
        name: name.to_owned(),
        partitions,
        ..Default::default()
    }
}

pub(crate) fn rpc_id(id: u8) -> Bytes {
    Bytes::copy_from_slice(&[id; 16])
}

pub(crate) fn wire_id(id: u8) -> Uuid {
    Uuid([id; 16])
}

/// The result of creating or changing a topic.
pub(crate) fn done(topic: proto::Topic) -> proto::TopicResult {
    proto::TopicResult {
        name: topic.name.clone(),
        topic_id: topic.topic_id.clone(),
        topic: Some(topic),
        ..Default::default()
    }
}

/// The result of a refused change of a topic.
pub(crate) fn refused(name: &str, error_code: i32, reason: &str) -> proto::TopicResult {
    proto::TopicResult {
        name: name.to_owned(),
        error_code,
        error_message: reason.to_owned(),
        ..Default::default()
    }
}
