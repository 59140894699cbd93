//! State shared by all handlers, and lookups that several of them need.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use penstock_access::{Access, Authorizer, Throttle};
use penstock_authz::Principal;
use penstock_client_metrics::{ClientMetrics, ClientSoftware};
use penstock_metadata_client::cache::{ClusterCache, Topic};
use penstock_metadata_client::{DEFAULT_TIMEOUT, Metadata, RpcError, proto};
use penstock_metrics::Metrics;
use penstock_read_path::ReadPath;
use penstock_traces::Traces;
use penstock_write_path::{Sender, WritePath};

use crate::record_checks::RecordChecks;

/// This agent, as Kafka clients see it.
#[derive(Debug, Clone)]
pub struct Node {
    /// The id of the Kafka broker.
    pub node_id: i32,
    /// Name of the virtual cluster, as clients see it.
    pub cluster_id: String,
    /// The agent's id in the metadata service.
    pub agent_id: String,
    /// The availability zone; empty if unknown.
    pub zone: String,
    /// The addresses that clients connect to, one per listener, the main one first. Empty if the agent accepts no
    /// clients.
    pub listeners: Vec<AdvertisedListener>,
}

/// The advertised address of a listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvertisedListener {
    /// Name that identifies the same listener on all agents.
    pub name: Arc<str>,
    /// The host that clients connect to.
    pub host: String,
    /// The port that clients connect to.
    pub port: u16,
}

impl Node {
    /// Returns true for the listener whose address every version of agents and service knows.
    pub(crate) fn is_main_listener(&self, name: &str) -> bool {
        self.listeners.first().is_none_or(|main| *main.name == *name)
    }

    /// Returns the advertised address of the listener with this name.
    pub(crate) fn advertised(&self, name: &str) -> Option<&AdvertisedListener> {
        let named = self.listeners.iter().find(|listener| *listener.name == *name);
        named.or_else(|| self.listeners.first())
    }
}

/// State shared by all requests of the agent.
pub struct Context {
    /// The client of the metadata service.
    pub metadata: Arc<dyn Metadata>,
    /// The cluster's metadata, as far as it is known without a call.
    pub cache: Arc<ClusterCache>,
    /// Checks the rights of clients.
    pub authorizer: Arc<Authorizer>,
    /// Enforces quotas and limits.
    pub throttle: Arc<Throttle>,
    /// The identity of this agent.
    pub node: Node,
    /// Checks the records of large batches.
    pub record_checks: Arc<RecordChecks>,
    /// Stores the batches of producers.
    pub write_path: Arc<WritePath>,
    /// Reads records from storage.
    pub read_path: ReadPath,
    /// The agent's counters and timers.
    pub metrics: Arc<Metrics>,
    /// Starts traces of requests.
    pub traces: Traces,
    /// Client metrics subscriptions and pushed metrics.
    pub client_metrics: ClientMetrics,
    /// Makes each fetch start at a different partition.
    pub rotation: AtomicUsize,
}

/// The client at the other end of a connection.
#[derive(Debug, Clone)]
pub struct Client {
    /// The client's IP address.
    pub host: IpAddr,
    /// The client's port number.
    pub port: u16,
    /// The client's software; empty until it is known.
    pub software: Arc<OnceLock<ClientSoftware>>,
    /// The name of the listener that the client connected to.
    pub listener: Arc<str>,
    /// The principal of the client.
    pub principal: Arc<Principal>,
    /// True if the client has proved to be that principal.
    pub is_authenticated: bool,
    /// The proof, if it also convinces the metadata service.
    pub scram_proof: Option<Arc<proto::ScramProof>>,
    /// The connection as the write path sees it.
    pub sender: Arc<Sender>,
}

impl Client {
    /// Creates a client that has not signed in.
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

/// The client that sent a request, and the request's version.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Version of the request, within the served range.
    pub version: i16,
    /// The client id; empty if the client sent none.
    pub client_id: String,
    /// The client at the other end of the connection.
    pub client: Client,
}

impl Context {
    /// The client's rights for the duration of a request.
    pub(crate) fn access(&self, caller: &Caller) -> Access {
        self.authorizer
            .access(&caller.client.principal, caller.client.host, &caller.client_id)
    }

    /// The client as the metadata service records it in the audit log.
    pub(crate) fn named(&self, caller: &Caller) -> Option<proto::KafkaClient> {
        Some(proto::KafkaClient {
            principal: caller.client.principal.to_string(),
            client_id: caller.client_id.clone(),
            address: caller.client.host.to_canonical().to_string(),
            agent_id: self.node.agent_id.clone(),
            proof: None,
        })
    }

    /// Like [`Self::named`], with the client's proof: for changes of users, ACLs and quotas, which the service
    /// authorizes itself.
    pub(crate) fn proven(&self, caller: &Caller) -> Option<proto::KafkaClient> {
        let proof = caller.client.scram_proof.as_deref().cloned();
        self.named(caller).map(|client| proto::KafkaClient { proof, ..client })
    }

    pub(crate) fn next_rotation(&self) -> usize {
        self.rotation.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns all topics by name: from the cache while the watch stream keeps it current, else from the owner.
    ///
    /// # Errors
    /// Returns an error if the cache may be outdated and the owner is unreachable.
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

    /// Finds topics by name. Asks the owner once for those missing from the cache, so that topics created through
    /// another agent are found immediately. Results are in the order of `names`, with `None` for nonexistent topics.
    ///
    /// # Errors
    /// Returns an error if some are missing from the cache and the owner is unreachable.
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

    /// Like [`Self::topics_by_name`], by id.
    ///
    /// # Errors
    /// Returns an error if some are missing from the cache and the owner is unreachable.
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
