//! State that all handlers share, and the lookups that several of them need.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use penstock_authz::Principal;
use penstock_metadata_client::cache::{ClusterCache, Topic};
use penstock_metadata_client::{DEFAULT_TIMEOUT, Metadata, RpcError, proto};
use penstock_traces::Traces;

use crate::access::{Access, Authorizer};
use crate::clients::client_metrics_state::ClientMetrics;
use crate::clients::client_software::ClientSoftware;
use crate::metrics::Metrics;
use crate::read_path::ReadPath;
use crate::record_checks::RecordChecks;
use crate::throttle::Throttle;
use crate::write_path::{Sender, WritePath};

/// This agent, as Kafka clients see it.
#[derive(Debug, Clone)]
pub struct Node {
    /// The Kafka broker id.
    pub node_id: i32,
    /// Name of the virtual cluster, as clients see it.
    pub cluster_id: String,
    /// The agent's id with the metadata service.
    pub agent_id: String,
    /// Availability zone; empty when unknown.
    pub zone: String,
    /// Where clients connect to: one for each listener, the main one first. Empty if the agent takes no clients.
    pub listeners: Vec<AdvertisedListener>,
}

/// Where clients reach one listener of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvertisedListener {
    /// By which the listeners of several agents belong together.
    pub name: Arc<str>,
    /// What clients should connect to.
    pub host: String,
    /// What clients should connect to.
    pub port: u16,
}

impl Node {
    /// Whether this is the listener whose address every version of agents and service knows.
    pub(crate) fn is_main_listener(&self, name: &str) -> bool {
        self.listeners.first().is_none_or(|main| *main.name == *name)
    }

    /// Where clients reach the listener of this name.
    pub(crate) fn advertised(&self, name: &str) -> Option<&AdvertisedListener> {
        let named = self.listeners.iter().find(|listener| *listener.name == *name);
        named.or_else(|| self.listeners.first())
    }
}

/// Shared by all requests of the agent.
pub struct Context {
    /// The metadata service.
    pub metadata: Arc<dyn Metadata>,
    /// What is known of the cluster without a call to the metadata service.
    pub cache: Arc<ClusterCache>,
    /// What clients may do.
    pub authorizer: Arc<Authorizer>,
    /// How much they may send and get.
    pub throttle: Arc<Throttle>,
    /// This agent.
    pub node: Node,
    /// Where large batches are checked.
    pub record_checks: Arc<RecordChecks>,
    /// Where produced batches go.
    pub write_path: Arc<WritePath>,
    /// Where records come from.
    pub read_path: ReadPath,
    /// What is counted and timed.
    pub metrics: Arc<Metrics>,
    /// Where traces of requests begin.
    pub traces: Traces,
    /// Which clients are to push their metrics, and what they pushed.
    pub client_metrics: ClientMetrics,
    /// Makes each fetch begin at another partition.
    pub rotation: AtomicUsize,
}

/// The client at the other end of a connection.
#[derive(Debug, Clone)]
pub struct Client {
    /// Where the connection comes from.
    pub host: IpAddr,
    /// The client's port.
    pub port: u16,
    /// Empty until the client has said what it is.
    pub software: Arc<OnceLock<ClientSoftware>>,
    /// The name of the listener that it came to.
    pub listener: Arc<str>,
    /// Who the client is.
    pub principal: Arc<Principal>,
    /// Whether the client has proved to be that principal.
    pub is_authenticated: bool,
    /// What it proved with, if that convinces the metadata service, too.
    pub scram_proof: Option<Arc<proto::ScramProof>>,
    /// The connection as the write path sees it.
    pub sender: Arc<Sender>,
}

impl Client {
    /// A client that has not signed in.
    #[must_use]
    pub fn anonymous(address: SocketAddr, listener: Arc<str>) -> Self {
        Self {
            host: address.ip(),
            port: address.port(),
            software: Arc::default(),
            listener,
            principal: Principal::anonymous(),
            is_authenticated: false,
            scram_proof: None,
            sender: Arc::default(),
        }
    }
}

/// The client that sends a request, and the request's version.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Version of the request, within the range that we serve.
    pub version: i16,
    /// The client id; empty if the client sent none.
    pub client_id: String,
    /// The client at the other end of the connection.
    pub client: Client,
}

impl Context {
    /// What the client may do, for the time of one request.
    pub(crate) fn access(&self, caller: &Caller) -> Access {
        self.authorizer
            .access(&caller.client.principal, caller.client.host, &caller.client_id)
    }

    /// The client as the metadata service writes it into the audit log, with what it changes.
    pub(crate) fn named(&self, caller: &Caller) -> Option<proto::KafkaClient> {
        Some(proto::KafkaClient {
            principal: caller.client.principal.to_string(),
            client_id: caller.client_id.clone(),
            address: caller.client.host.to_canonical().to_string(),
            agent_id: self.node.agent_id.clone(),
            proof: None,
        })
    }

    /// Like [`Self::named`], with what the client proved: for changes of users, ACLs and quotas, which the service authorizes itself.
    pub(crate) fn proven(&self, caller: &Caller) -> Option<proto::KafkaClient> {
        let proof = caller.client.scram_proof.as_deref().cloned();
        self.named(caller).map(|client| proto::KafkaClient { proof, ..client })
    }

    pub(crate) fn next_rotation(&self) -> usize {
        self.rotation.fetch_add(1, Ordering::Relaxed)
    }

    /// All topics by name: from the cache while the watch stream keeps it current, else from the owner.
    ///
    /// # Errors
    /// The cache may be behind and the owner could not be asked.
    pub(crate) async fn all_topics(&self) -> Result<Vec<Arc<Topic>>, RpcError> {
        if !self.cache.is_watching() {
            let request = proto::DescribeClusterRequest::default();
            let answer = self.metadata.describe_cluster(request, DEFAULT_TIMEOUT).await?;
            self.cache.upsert_topics(&answer.topics);
        }
        let mut topics: Vec<Arc<Topic>> = self.cache.catalogue().topics().cloned().collect();
        topics.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(topics)
    }

    /// Finds topics by name. What the cache does not know is asked of the owner once, so that a topic that was created
    /// through another agent is found at once. In the order of `names`; `None` where there is no such topic.
    ///
    /// # Errors
    /// The cache did not know all of them and the owner could not be asked.
    pub async fn topics_by_name(&self, names: &[&str]) -> Result<Vec<Option<Arc<Topic>>>, RpcError> {
        let known = self.cache.catalogue();
        let unknown: Vec<String> = names
            .iter()
            .filter(|name| known.topic_by_name(name).is_none())
            .map(|name| (*name).to_owned())
            .collect();
        if !unknown.is_empty() {
            let request = proto::DescribeClusterRequest {
                topic_names: unknown,
                ..Default::default()
            };
            let answer = self.metadata.describe_cluster(request, DEFAULT_TIMEOUT).await?;
            self.cache.upsert_topics(&answer.topics);
        }
        let known = self.cache.catalogue();
        Ok(names.iter().map(|name| known.topic_by_name(name).cloned()).collect())
    }

    /// The same by id.
    ///
    /// # Errors
    /// The cache did not know all of them and the owner could not be asked.
    pub async fn topics_by_id(&self, ids: &[uuid::Uuid]) -> Result<Vec<Option<Arc<Topic>>>, RpcError> {
        let known = self.cache.catalogue();
        let unknown: Vec<bytes::Bytes> = ids
            .iter()
            .filter(|id| known.topic_by_id(**id).is_none())
            .map(|id| bytes::Bytes::copy_from_slice(id.as_bytes()))
            .collect();
        if !unknown.is_empty() {
            let request = proto::DescribeClusterRequest {
                topic_ids: unknown,
                ..Default::default()
            };
            let answer = self.metadata.describe_cluster(request, DEFAULT_TIMEOUT).await?;
            self.cache.upsert_topics(&answer.topics);
        }
        let known = self.cache.catalogue();
        Ok(ids.iter().map(|id| known.topic_by_id(*id).cloned()).collect())
    }
}
