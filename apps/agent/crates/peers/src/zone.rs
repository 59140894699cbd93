//! This agent's view of its zone: its peers, the owners of blocks, and reads from peers.

use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use http::{Request, StatusCode};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::{Disconnected, Exchange, proto, writer_of};
use penstock_store::{BLOCK_BYTES, FileRange, PeerId, StoreError, ZonePeers};
use penstock_traces::{KeyValue, SpanKind, child_of_current};
use reqwest::Url;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::block_request::{path_of, range_of};
use crate::clients::{Clients, SetUpError};
use crate::counters::{PeerCounters, add};
use crate::nonces::Nonces;
use crate::proof::{HEADER, Proof, Subject};
use crate::rendezvous;
use crate::secrets::{PeerSecrets, Secret};
use crate::suspicions::Suspicions;
use crate::tls::{KeyHash, OwnKey, is_wrong_key, key_of};

/// Tolerated difference between a request's time and the service's time as this agent knows it.
const TIME_LEEWAY_MS: u64 = 10_000;
/// Scheme of the peer addresses that agents register. Connections to them use TLS.
const SCHEME: &str = "http://";

/// How long to wait for a peer before also reading from the bucket.
#[derive(Debug, Clone, Copy)]
pub struct HedgeDelays {
    /// Until the response head arrives, which a live peer sends immediately.
    pub head: Duration,
    /// From the head to the end of the response. The peer may have to read from the bucket.
    pub body: Duration,
}

impl Default for HedgeDelays {
    fn default() -> Self {
        Self {
            head: Duration::from_millis(200),
            body: Duration::from_secs(1),
        }
    }
}

/// This agent's identity and its zone.
#[derive(Debug, Clone)]
pub struct Membership {
    /// The virtual cluster's id.
    pub cluster_id: String,
    /// The availability zone. Empty if the agent has no peers.
    pub zone: String,
    /// The id as which the agent is registered.
    pub agent_id: String,
}

/// The zone as seen by this agent.
#[derive(Debug)]
pub struct Zone {
    membership: Membership,
    /// Set once the agent is registered.
    node_id: OnceLock<i32>,
    cluster: Arc<ClusterCache>,
    secrets: PeerSecrets,
    nonces: Nonces,
    suspicions: Suspicions,
    hedge_delays: HedgeDelays,
    check: BlockCheck,
    clients: Clients,
    /// Replaces connections with TLS.
    exchange: Option<Arc<dyn Exchange>>,
    key: OwnKey,
    /// Counts the reads between the zone's agents.
    pub counters: PeerCounters,
}

/// Checks that bytes are those of a range of a file, as far as they show it. Returns the difference.
pub type BlockCheck = fn(&FileRange, &Bytes) -> Result<(), String>;

/// Why a peer did not answer.
#[derive(Debug, Error)]
enum AskError {
    #[error("it has left the zone")]
    Gone,
    #[error("no secret of the cluster is known")]
    NoSecret,
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    #[error("{}", root_cause(.0))]
    Request(#[from] reqwest::Error),
    #[error("{}", .0.0)]
    Disconnected(Disconnected),
    #[error("its TLS key is not the one that it registered")]
    WrongKey,
    #[error("it answered with status {0}")]
    Status(StatusCode),
    #[error("its answer does not show that it is an agent of the cluster")]
    NotAuthentic,
    #[error("it sent {sent} bytes instead of {wanted}")]
    Length { sent: u64, wanted: u64 },
    #[error("its bytes are not those of the file: {0}")]
    Damaged(String),
}

/// A peer's response, before it is checked.
struct Answer {
    status: StatusCode,
    proof: Vec<u8>,
    body: BoxStream<'static, Result<Bytes, AskError>>,
}

/// A request that passed authentication.
pub(crate) struct Admitted {
    pub(crate) range: FileRange,
    /// The proof to send with the response.
    pub(crate) answer: String,
}

/// Why a request gets no response. Only for the log: the sender gets no reason.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    #[error("it does not ask for a range of a file")]
    Malformed,
    #[error("it carries no proof")]
    NoProof,
    #[error("its secret is not, or no longer, one of the cluster's")]
    UnknownSecret,
    #[error("its proof is wrong")]
    WrongProof,
    #[error("its time is not the present")]
    WrongTime,
    #[error("it was sent before")]
    Repeated,
    #[error("the agent that sent it is not of this zone")]
    NotOfThisZone,
}

impl Zone {
    /// Creates a zone without peers. It gets some after [`Self::set_node_id`], and once the service has sent secrets
    /// and agents. Bytes of a peer that fail `check` are read from the bucket instead.
    ///
    /// # Errors
    /// Returns an error if the TLS key cannot be created.
    pub fn new(
        membership: Membership,
        cluster: Arc<ClusterCache>,
        hedge_delays: HedgeDelays,
        check: BlockCheck,
    ) -> Result<Arc<Self>, SetUpError> {
        Self::over(None, membership, cluster, hedge_delays, check)
    }

    /// Like [`Self::new`]. `exchange` takes requests to the other agents; `None` connects to them.
    ///
    /// # Errors
    /// Returns an error if the TLS key cannot be created.
    pub fn over(
        exchange: Option<Arc<dyn Exchange>>,
        membership: Membership,
        cluster: Arc<ClusterCache>,
        hedge_delays: HedgeDelays,
        check: BlockCheck,
    ) -> Result<Arc<Self>, SetUpError> {
        // Fails if the process already has a provider, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Ok(Arc::new(Self {
            membership,
            node_id: OnceLock::new(),
            cluster,
            secrets: PeerSecrets::default(),
            nonces: Nonces::new(Duration::from_millis(2 * TIME_LEEWAY_MS)),
            suspicions: Suspicions::default(),
            hedge_delays,
            check,
            clients: Clients::default(),
            exchange,
            key: OwnKey::generate()?,
            counters: PeerCounters::default(),
        }))
    }

    /// Sets the node id as which the agent is registered.
    pub fn set_node_id(&self, node_id: i32) {
        // An agent keeps its node id when it registers again.
        let _ = self.node_id.set(node_id);
    }

    /// Sets the secrets from the service.
    pub fn set_secrets(&self, secrets: &[proto::PeerSecret]) {
        self.secrets.set(secrets);
    }

    /// SHA-256 of the public key that this agent presents, for registration.
    #[must_use]
    pub fn key_sha256(&self) -> Bytes {
        Bytes::copy_from_slice(&self.key.sha256)
    }

    /// TLS settings for connections from other agents.
    pub(crate) fn tls(&self) -> &Arc<rustls::ServerConfig> {
        &self.key.config
    }

    /// Returns true if an agent is a peer: alive, in the same zone, and with an internal listener.
    fn is_peer(&self, agent: &proto::Agent) -> bool {
        let Membership { zone, agent_id, .. } = &self.membership;
        agent.alive
            && !zone.is_empty()
            && agent.zone == *zone
            && agent.agent_id != *agent_id
            && agent.internal_url.starts_with(SCHEME)
            && key_of(agent).is_some()
    }

    fn peer<'a>(&self, agents: &'a [proto::Agent], node_id: PeerId) -> Option<&'a proto::Agent> {
        agents
            .iter()
            .find(|agent| agent.node_id == node_id && self.is_peer(agent))
    }

    fn subject<'a>(&'a self, to: &'a str, path: &'a str) -> Subject<'a> {
        let Membership { cluster_id, zone, .. } = &self.membership;
        Subject {
            cluster_id,
            zone,
            to,
            path,
        }
    }

    /// Authenticates a request by its path and header. Each request is admitted only once.
    pub(crate) fn admit(&self, path: &str, header: Option<&[u8]>) -> Result<Admitted, Refusal> {
        let range = range_of(path).ok_or(Refusal::Malformed)?;
        let proof = header.and_then(Proof::parse).ok_or(Refusal::NoProof)?;
        let secret = self.secrets.accepted(proof.secret_id).ok_or(Refusal::UnknownSecret)?;
        if !proof.is_made_with(&secret, self.subject(&self.membership.agent_id, path)) {
            return Err(Refusal::WrongProof);
        }
        if self.cluster.clock.now_ms().abs_diff(proof.time_ms) > TIME_LEEWAY_MS {
            return Err(Refusal::WrongTime);
        }
        let catalogue = self.cluster.catalogue();
        if !catalogue
            .agents
            .iter()
            .any(|agent| agent.agent_id == proof.from && self.is_peer(agent))
        {
            return Err(Refusal::NotOfThisZone);
        }
        if !self.nonces.note(proof.nonce) {
            return Err(Refusal::Repeated);
        }
        let answer = proof.answer(&secret);
        Ok(Admitted { range, answer })
    }

    /// Sends a request to a peer. Notifies `head` when the head of the response arrives.
    async fn ask(&self, peer: PeerId, range: &FileRange, head: oneshot::Sender<()>) -> Result<Bytes, AskError> {
        let catalogue = self.cluster.catalogue();
        let agent = self.peer(&catalogue.agents, peer).ok_or(AskError::Gone)?;
        let secret: Secret = self.secrets.signing().ok_or(AskError::NoSecret)?;
        let path = path_of(range);
        let subject = self.subject(&agent.agent_id, &path);
        let now_ms = self.cluster.clock.now_ms();
        let proof = Proof::sign(&secret, subject, &self.membership.agent_id, now_ms);
        let key = key_of(agent).ok_or(AskError::Gone)?;
        let url = url_of(&agent.internal_url, &path).ok_or(AskError::Gone)?;
        let mut answer = match &self.exchange {
            Some(exchange) => send_over(exchange.as_ref(), &url, &proof.to_header()).await?,
            None => {
                let client = self
                    .clients
                    .to(key, |key| self.is_key_of_peer(&catalogue.agents, key))?;
                let sent = client.get(url).header(HEADER, proof.to_header()).send().await;
                let response = sent.map_err(|error| self.not_sent(agent, key, error))?;
                Answer {
                    status: response.status(),
                    proof: proof_of(response.headers()),
                    body: response.bytes_stream().map(|chunk| Ok(chunk?)).boxed(),
                }
            }
        };
        if answer.status != StatusCode::OK {
            return Err(AskError::Status(answer.status));
        }
        if !proof.is_answered_by(&secret, &answer.proof) {
            return Err(AskError::NotAuthentic);
        }
        // The receiver is gone if the bucket was faster.
        let _ = head.send(());
        let wanted = range.end - range.start;
        let mut bytes = BytesMut::with_capacity(usize::try_from(wanted).unwrap_or(0));
        while let Some(chunk) = answer.body.next().await {
            let chunk = chunk?;
            let sent = (bytes.len() + chunk.len()) as u64;
            if sent > wanted {
                return Err(AskError::Length { sent, wanted });
            }
            bytes.extend_from_slice(&chunk);
        }
        let sent = bytes.len() as u64;
        if sent != wanted {
            return Err(AskError::Length { sent, wanted });
        }
        let bytes = bytes.freeze();
        self.checked(range, bytes)
    }

    /// Returns the bytes if nothing is wrong with them. Nobody else checks them before consumers get them.
    fn checked(&self, range: &FileRange, bytes: Bytes) -> Result<Bytes, AskError> {
        match (self.check)(range, &bytes) {
            Ok(()) => Ok(bytes),
            Err(damage) => {
                add(&self.counters.damaged, 1);
                tracing::warn!(file_id = %range.file_id, damage, "another agent of the zone sent damaged bytes; reading from the bucket");
                Err(AskError::Damaged(damage))
            }
        }
    }

    fn is_key_of_peer(&self, agents: &[proto::Agent], key: KeyHash) -> bool {
        let mut peers = agents.iter().filter(|agent| self.is_peer(agent));
        peers.any(|agent| key_of(agent) == Some(key))
    }

    fn not_sent(&self, agent: &proto::Agent, key: KeyHash, error: reqwest::Error) -> AskError {
        if !is_wrong_key(&error) {
            return error.into();
        }
        add(&self.counters.wrong_keys, 1);
        if self.clients.refute(key) {
            tracing::warn!(
                node_id = agent.node_id,
                address = agent.internal_url,
                "the TLS key at the address of another agent of the zone is not the one that the agent registered; reading from the bucket \
                 instead. Usually another agent has just started at this address, and the list of agents is renewed within seconds. If \
                 this agent stays listed, check what answers at this address"
            );
        }
        AskError::WrongKey
    }

    async fn read_hedged(
        &self,
        owner: PeerId,
        range: FileRange,
        mut bucket: BoxFuture<'_, Result<Vec<Bytes>, StoreError>>,
    ) -> Result<Vec<Bytes>, StoreError> {
        if !self.suspicions.may_ask(owner) {
            return bucket.await;
        }
        let (head, head_came) = oneshot::channel();
        let mut asked = pin!(self.ask_traced(owner, &range, head));
        // A sender is dropped only by a failed request, whose error is seen first.
        let has_head = match timeout(self.hedge_delays.head, async {
            tokio::select! {
                biased;
                answer = &mut asked => Some(answer),
                _ = head_came => None,
            }
        })
        .await
        {
            Ok(Some(answer)) => return self.bytes_or_bucket(owner, answer, bucket).await,
            Ok(None) => true,
            Err(_) => false,
        };
        if has_head {
            tokio::select! {
                biased;
                answer = &mut asked => return self.bytes_or_bucket(owner, answer, bucket).await,
                () = sleep(self.hedge_delays.body) => {}
            }
        }
        add(&self.counters.hedges, 1);
        let read = tokio::select! {
            answer = &mut asked => return self.bytes_or_bucket(owner, answer, bucket).await,
            read = &mut bucket => read,
        };
        if !has_head {
            tracing::debug!(
                node_id = owner,
                "another agent of the zone was slow; the bucket answered first"
            );
            self.suspect(owner);
        }
        match read {
            // The peer may have it in memory.
            Err(error @ (StoreError::Failed(_) | StoreError::DeadlineExceeded(_))) => match asked.await {
                Ok(bytes) => Ok(self.answered(owner, bytes)),
                Err(_) => Err(error),
            },
            read => read,
        }
    }

    async fn ask_traced(&self, peer: PeerId, range: &FileRange, head: oneshot::Sender<()>) -> Result<Bytes, AskError> {
        let mut span = child_of_current("GET data file from an agent", SpanKind::Client);
        span.describe(|| {
            let bytes = i64::try_from(range.end - range.start).unwrap_or(i64::MAX);
            vec![
                KeyValue::new("penstock.file.id", range.file_id.to_string()),
                KeyValue::new("penstock.read.bytes", bytes),
            ]
        });
        let asked = self.ask(peer, range, head).await;
        if asked.is_err() {
            span.fail(|| "peer".to_owned());
        }
        asked
    }

    /// Returns the peer's response, or reads from the bucket instead.
    async fn bytes_or_bucket(
        &self,
        peer: PeerId,
        answer: Result<Bytes, AskError>,
        bucket: BoxFuture<'_, Result<Vec<Bytes>, StoreError>>,
    ) -> Result<Vec<Bytes>, StoreError> {
        match answer {
            Ok(bytes) => Ok(self.answered(peer, bytes)),
            Err(error) => {
                tracing::debug!(node_id = peer, %error, "another agent of the zone did not answer; reading from the bucket");
                add(&self.counters.failures, 1);
                self.suspect(peer);
                bucket.await
            }
        }
    }

    fn answered(&self, peer: PeerId, bytes: Bytes) -> Vec<Bytes> {
        self.suspicions.answered(peer);
        add(&self.counters.reads, 1);
        add(&self.counters.read_bytes, bytes.len() as u64);
        vec![bytes]
    }

    fn suspect(&self, peer: PeerId) {
        let agents = Arc::clone(&self.cluster.catalogue().agents);
        self.suspicions
            .failed(peer, |known| self.peer(&agents, known).is_some());
    }
}

impl ZonePeers for Zone {
    fn peer_for(&self, file_id: Uuid, position: u64) -> Option<PeerId> {
        let own = *self.node_id.get()?;
        if self.membership.zone.is_empty() || !self.secrets.can_sign() {
            return None;
        }
        let catalogue = self.cluster.catalogue();
        let peers = catalogue.agents.iter().filter(|agent| self.is_peer(agent));
        let usable = peers
            .map(|agent| agent.node_id)
            .filter(|peer| !self.suspicions.is_suspected(*peer));
        // Within a zone, flushed files come from the memory of the agent that wrote them.
        let writer = writer_of(file_id);
        if usable.clone().chain([own]).any(|node_id| node_id == writer) {
            return (writer != own).then_some(writer);
        }
        // All blocks of a stretch have the same owner regardless of their size, so that adjacent ones still come in one
        // request.
        let owner = rendezvous::owner(file_id, position / BLOCK_BYTES, usable.chain([own]))?;
        (owner != own).then_some(owner)
    }

    fn read<'a>(
        &'a self,
        owner: PeerId,
        range: FileRange,
        bucket: BoxFuture<'a, Result<Vec<Bytes>, StoreError>>,
    ) -> BoxFuture<'a, Result<Vec<Bytes>, StoreError>> {
        Box::pin(self.read_hedged(owner, range, bucket))
    }
}

async fn send_over(exchange: &dyn Exchange, url: &Url, proof: &str) -> Result<Answer, AskError> {
    let request = Request::get(url.as_str()).header(HEADER, proof).body(Bytes::new());
    let response = exchange
        .send(request.map_err(|_| AskError::Gone)?)
        .await
        .map_err(AskError::Disconnected)?;
    Ok(Answer {
        status: response.status(),
        proof: proof_of(response.headers()),
        body: response
            .into_body()
            .map(|chunk| chunk.map_err(AskError::Disconnected))
            .boxed(),
    })
}

fn proof_of(headers: &http::HeaderMap) -> Vec<u8> {
    headers
        .get(HEADER)
        .map_or(Vec::new(), |proof| proof.as_bytes().to_vec())
}

/// Returns `None` if the address is not a URL.
fn url_of(address: &str, path: &str) -> Option<Url> {
    let mut url = Url::parse(address).ok()?;
    // Without a port, the address means HTTP's default.
    let port = url.port_or_known_default();
    url.set_scheme("https").ok()?;
    url.set_port(port).ok()?;
    url.set_path(path);
    Some(url)
}

/// `reqwest` reports only "error sending request"; its chain of sources contains the cause.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connects_with_tls_at_the_port_of_the_address() {
        let url = |address| url_of(address, "/v1/files/1").unwrap().to_string();
        for (address, by_tls) in [
            ("http://10.0.3.7:9466", "https://10.0.3.7:9466/v1/files/1"),
            ("http://[fd00::7]:9466", "https://[fd00::7]:9466/v1/files/1"),
            ("http://agent-1", "https://agent-1:80/v1/files/1"),
            ("http://agent-1:443", "https://agent-1/v1/files/1"),
        ] {
            assert_eq!(url(address), by_tls);
        }
    }
}
