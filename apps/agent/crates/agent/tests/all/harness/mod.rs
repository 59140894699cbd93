//! An agent on a loopback port with in-memory storage and metadata service, and a client that sends raw frames.

pub mod batches;
pub mod certificates;
pub mod sasl;
pub mod tokens;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use bytes::Bytes;
use penstock_access::{Authorizer, Throttle};
use penstock_agent::{Listener, Server, ServerLimits, TlsIdentity};
use penstock_authn::{Authority, AuthoritySettings, BearerVerifier, Mechanism, Requirement};
use penstock_handlers::{Context, Node, RecordChecks};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::testing::InMemoryMetadata;
use penstock_metadata_client::{Metadata, Watcher, proto};
use penstock_metrics::Metrics;
use penstock_read_path::ReadPath;
use penstock_store::{BlockCache, Bucket, Objects};
use penstock_wire::messages::fetch::{FetchPartition, FetchTopic, PartitionData};
use penstock_wire::messages::produce::{PartitionProduceData, PartitionProduceResponse, TopicProduceData};
use penstock_wire::messages::{FetchRequest, ProduceRequest};
use penstock_wire::{Reader, Request, decode_response, encode_request};
use penstock_write_path::{LaneSettings, WritePath, WriteSettings};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle};

/// Far longer than any step takes. A test that waits this long fails.
pub const LONG: Duration = Duration::from_secs(60);
pub const PRODUCE_VERSION: i16 = 9;
pub const FETCH_VERSION: i16 = 12;

pub struct TestAgent {
    pub metadata: Arc<InMemoryMetadata>,
    pub objects: Arc<Objects>,
    pub context: Arc<Context>,
    pub address: SocketAddr,
    pub stop: watch::Sender<bool>,
    pub serving: JoinHandle<()>,
    server: Server,
    authority: Arc<Authority>,
    tasks: Vec<AbortHandle>,
}

impl Drop for TestAgent {
    fn drop(&mut self) {
        self.serving.abort();
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

fn listener(tls: Option<Arc<TlsIdentity>>, mechanisms: &[Mechanism]) -> Listener {
    Listener {
        name: "main".into(),
        tls,
        mechanisms: mechanisms.into(),
    }
}

/// Settings with a short flush interval, so that tests are fast.
pub fn quick() -> WriteSettings {
    WriteSettings {
        standard: LaneSettings {
            flush_interval: Duration::from_millis(10),
            ..WriteSettings::default().standard
        },
        ..WriteSettings::default()
    }
}

impl TestAgent {
    pub async fn start() -> Self {
        Self::start_with(quick(), ServerLimits::default()).await
    }

    pub async fn start_with(settings: WriteSettings, limits: ServerLimits) -> Self {
        Self::start_on(Arc::default(), &Bucket::open("mem://").unwrap(), settings, limits).await
    }

    /// Starts an agent. Several agents can share a metadata service and a bucket.
    pub async fn start_on(
        metadata: Arc<InMemoryMetadata>,
        bucket: &Bucket,
        settings: WriteSettings,
        limits: ServerLimits,
    ) -> Self {
        Self::start_caching(metadata, bucket, settings, limits, 64 << 20).await
    }

    /// Starts an agent that caches up to this much of its data files.
    pub async fn start_caching(
        metadata: Arc<InMemoryMetadata>,
        bucket: &Bucket,
        settings: WriteSettings,
        limits: ServerLimits,
        cache_bytes: usize,
    ) -> Self {
        Self::start_as(
            metadata,
            bucket,
            settings,
            limits,
            (cache_bytes, AuthoritySettings::default(), None),
        )
        .await
    }

    /// Starts an agent with these authentication settings.
    pub async fn start_signing_in(authority: AuthoritySettings, limits: ServerLimits) -> Self {
        let bucket = Bucket::open("mem://").unwrap();
        Self::start_as(Arc::default(), &bucket, quick(), limits, (64 << 20, authority, None)).await
    }

    /// Starts an agent that requires sign-in and accepts tokens.
    pub async fn start_with_tokens(tokens: Arc<BearerVerifier>) -> Self {
        let authority = AuthoritySettings {
            requirement: Requirement::Always,
            ..AuthoritySettings::default()
        };
        let (bucket, limits) = (Bucket::open("mem://").unwrap(), ServerLimits::default());
        let all = (64 << 20, authority, Some(tokens));
        Self::start_as(Arc::default(), &bucket, quick(), limits, all).await
    }

    async fn start_as(
        metadata: Arc<InMemoryMetadata>,
        bucket: &Bucket,
        settings: WriteSettings,
        limits: ServerLimits,
        (cache_bytes, authority, tokens): (usize, AuthoritySettings, Option<Arc<BearerVerifier>>),
    ) -> Self {
        let (cache, interest) = ClusterCache::new();
        let objects = Arc::new(Objects::new(bucket, "cluster"));
        let blocks = BlockCache::new(Arc::clone(&objects), cache_bytes);
        let metrics = Arc::new(Metrics::default());
        let service: Arc<dyn Metadata> = Arc::clone(&metadata) as _;
        let write_path = WritePath::new(
            Arc::clone(&service),
            Arc::clone(&cache),
            (Arc::clone(&objects), Arc::clone(&blocks)),
            Arc::clone(&metrics),
            "agent".to_owned(),
            settings,
        );
        let watcher = Watcher::new(Arc::clone(&service), Arc::clone(&cache), interest, "agent".to_owned());
        let watching = tokio::spawn(watcher.run());
        cache.wait_until_watching().await;
        let context = Arc::new(Context {
            authorizer: Authorizer::new(Arc::clone(&cache), Arc::clone(&metrics)),
            throttle: Throttle::new(&cache, &metrics),
            metadata: service,
            cache,
            node: Node {
                node_id: 1,
                cluster_id: "cluster".to_owned(),
                agent_id: "agent".to_owned(),
                zone: String::new(),
                listeners: Vec::new(),
            },
            record_checks: RecordChecks::new(64 << 20),
            write_path,
            read_path: ReadPath::new(Arc::clone(&objects), blocks, 64 << 20),
            metrics,
            traces: penstock_traces::Traces::off(),
            client_metrics: Default::default(),
            rotation: AtomicUsize::new(0),
        });
        let authority = Authority::new(Arc::clone(&context.cache), authority, tokens, b"secret").unwrap();
        let server = Server::new(Arc::clone(&context), Arc::clone(&authority), limits, Arc::default());
        let following = tokio::spawn(Arc::clone(&authority).follow());
        let (stop, stopping) = watch::channel(false);
        let plain = listener(None, &[Mechanism::ScramSha512, Mechanism::ScramSha256]);
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let serving = server.clone();
        let serving = tokio::spawn(async move { serving.serve(plain, socket, stopping).await });
        Self {
            metadata,
            objects,
            context,
            address,
            stop,
            serving,
            server,
            authority,
            tasks: vec![watching.abort_handle(), following.abort_handle()],
        }
    }

    /// Sets users, ACLs and quotas, and waits until the agent has received them.
    pub async fn set_security(&self, state: proto::SecurityState) {
        let mut users = self.authority.users();
        users.mark_unchanged();
        self.metadata.set_security(state);
        tokio::time::timeout(LONG, users.changed())
            .await
            .expect("the agent received no change")
            .unwrap();
    }

    /// Opens another listener, which closes when the agent stops or is dropped.
    pub async fn listen(&mut self, tls: Option<Arc<TlsIdentity>>, mechanisms: &[Mechanism]) -> SocketAddr {
        let listener = listener(tls, mechanisms);
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let (server, stopping) = (self.server.clone(), self.stop.subscribe());
        let serving = tokio::spawn(async move { server.serve(listener, socket, stopping).await });
        self.tasks.push(serving.abort_handle());
        address
    }

    pub async fn client(&self) -> Client {
        Client::new(TcpStream::connect(self.address).await.unwrap())
    }

    /// A client without a socket. With paused time, its requests take no time unless the agent waits.
    pub async fn client_in_memory(&self) -> Client<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(64 << 10);
        let (server, stopping) = (self.server.clone(), self.stop.subscribe());
        let listener = listener(None, &[]);
        tokio::spawn(async move { server.serve_stream(&listener, theirs, stopping).await });
        Client::new(ours)
    }
}

pub struct Client<Socket = TcpStream> {
    pub socket: Socket,
    next_correlation_id: i32,
}

impl Client {
    /// Returns true if no response arrives for a short time.
    pub async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(100), self.socket.peek(&mut [0]))
            .await
            .is_err()
    }
}

impl<Socket: AsyncRead + AsyncWrite + Unpin> Client<Socket> {
    pub fn new(socket: Socket) -> Self {
        Self {
            socket,
            next_correlation_id: 1,
        }
    }

    /// Sends a request and returns its correlation id.
    pub async fn send<R: Request>(&mut self, request: &R, version: i16) -> i32 {
        let correlation_id = self.next_correlation_id;
        self.next_correlation_id += 1;
        let frame = encode_request(request, version, correlation_id, Some("tests")).unwrap();
        self.socket.write_all(&frame.to_bytes()).await.unwrap();
        correlation_id
    }

    /// Receives the next response, whichever request it answers.
    pub async fn receive<R: Request>(&mut self, version: i16) -> (i32, R::Response) {
        tokio::time::timeout(LONG, async {
            let mut length = [0; 4];
            self.socket.read_exact(&mut length).await.unwrap();
            let mut body = vec![0; usize::try_from(i32::from_be_bytes(length)).unwrap()];
            self.socket.read_exact(&mut body).await.unwrap();
            decode_response::<R>(&mut Reader::new(Bytes::from(body)), version).unwrap()
        })
        .await
        .expect("no answer")
    }

    pub async fn call<R: Request>(&mut self, request: &R, version: i16) -> R::Response {
        let sent = self.send(request, version).await;
        let (correlation_id, response) = self.receive::<R>(version).await;
        assert_eq!(correlation_id, sent);
        response
    }

    /// Returns true if the agent closes the connection.
    pub async fn is_closed(&mut self) -> bool {
        let read = tokio::time::timeout(LONG, self.socket.read(&mut [0; 16]))
            .await
            .expect("still open");
        matches!(read, Ok(0) | Err(_))
    }

    pub async fn produce(&mut self, topic: &str, partition: i32, batch: Bytes) -> PartitionProduceResponse {
        let mut response = self
            .call(&produce_request(topic, &[(partition, batch)]), PRODUCE_VERSION)
            .await;
        response.responses.remove(0).partition_responses.remove(0)
    }

    pub async fn fetch(&mut self, topic: &str, partition: i32, offset: i64) -> PartitionData {
        let mut response = self
            .call(&fetch_request(topic, &[(partition, offset)]), FETCH_VERSION)
            .await;
        response.responses.remove(0).partitions.remove(0)
    }
}

pub fn produce_request(topic: &str, batches: &[(i32, Bytes)]) -> ProduceRequest {
    let partition_data = batches
        .iter()
        .map(|(index, batch)| PartitionProduceData {
            index: *index,
            records: Some(batch.clone()),
        })
        .collect();
    ProduceRequest {
        acks: -1,
        timeout_ms: 20_000,
        topic_data: vec![TopicProduceData {
            name: topic.to_owned(),
            partition_data,
            ..Default::default()
        }],
        ..Default::default()
    }
}

/// A fetch that waits up to 10 s for one byte.
pub fn fetch_request(topic: &str, offsets: &[(i32, i64)]) -> FetchRequest {
    let partitions = offsets
        .iter()
        .map(|(partition, fetch_offset)| FetchPartition {
            partition: *partition,
            fetch_offset: *fetch_offset,
            partition_max_bytes: 1 << 20,
            ..Default::default()
        })
        .collect();
    FetchRequest {
        max_wait_ms: 10_000,
        min_bytes: 1,
        max_bytes: 50 << 20,
        topics: vec![FetchTopic {
            topic: topic.to_owned(),
            partitions,
            ..Default::default()
        }],
        ..Default::default()
    }
}
