//! An agent on in-memory streams. Its time advances when there is nothing left to do, so deadlines cost nothing.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use penstock_access::{Authorizer, Throttle};
use penstock_agent::{Listener, Server, ServerLimits};
use penstock_authn::{Authority, AuthoritySettings, BearerVerifier, Mechanism, Requirement};
use penstock_handlers::{Context, Node, RecordChecks};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::testing::ScriptedMetadata;
use penstock_metadata_client::{Metadata, proto};
use penstock_metrics::Metrics;
use penstock_read_path::ReadPath;
use penstock_store::{BlockCache, Bucket, Objects};
use penstock_traces::Traces;
use penstock_wire::encode_request;
use penstock_wire::messages::MetadataRequest;
use penstock_write_path::{WritePath, WriteSettings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

const STREAM_BYTES: usize = 64 << 10;
/// More bytes than any response before sign-in has, ...
const LARGEST_ANSWER_BEFORE_SIGN_IN: u32 = 4096;
/// ... and any response after it.
const LARGEST_ANSWER: u32 = 16 << 20;
const PROBE_CORRELATION_ID: i32 = 0x0bad_cafe;

/// An agent, and the way in.
pub struct Door {
    runtime: Runtime,
    server: Server,
    listener: Listener,
    stop: watch::Sender<bool>,
    largest_answer: u32,
    /// The metadata service, if it remembers calls.
    scripted: Option<Arc<ScriptedMetadata>>,
}

impl Door {
    /// Creates an agent for the users with these verifiers and the holders of tokens.
    ///
    /// # Panics
    /// Panics if the machine provides no random numbers.
    pub fn new(credentials: Vec<proto::ScramCredential>, tokens: Option<Arc<BearerVerifier>>) -> Self {
        let runtime = runtime();
        let inside = runtime.enter();
        let (cache, _) = ClusterCache::new();
        cache.set_security(proto::SecurityState {
            credentials,
            ..Default::default()
        });
        let metadata = Arc::new(ScriptedMetadata::default());
        drop(inside);
        Self {
            largest_answer: LARGEST_ANSWER_BEFORE_SIGN_IN,
            scripted: Some(Arc::clone(&metadata)),
            ..Self::to(runtime, (metadata, cache), Requirement::Always, tokens)
        }
    }

    /// Creates an agent that serves everyone, for these topics and with the answers of this metadata service.
    ///
    /// # Panics
    /// Panics if the machine provides no random numbers.
    pub fn open(metadata: Arc<dyn Metadata>, topics: &[proto::Topic]) -> Self {
        let runtime = runtime();
        let inside = runtime.enter();
        let (cache, _) = ClusterCache::new();
        cache.set_watching(true);
        cache.upsert_topics(topics);
        drop(inside);
        Self::to(runtime, (metadata, cache), Requirement::Never, None)
    }

    fn to(
        runtime: Runtime,
        (metadata, cache): (Arc<dyn Metadata>, Arc<ClusterCache>),
        requirement: Requirement,
        tokens: Option<Arc<BearerVerifier>>,
    ) -> Self {
        let inside = runtime.enter();
        let context = context(&cache, &metadata);
        let settings = AuthoritySettings {
            requirement,
            // The cache is never connected.
            max_users_age: Duration::MAX,
            max_session: None,
        };
        let authority = Authority::new(cache, settings, tokens, b"secret").expect("random numbers");
        let server = Server::new(context, authority, ServerLimits::default(), Arc::default());
        drop(inside);
        let listener = Listener {
            name: "main".into(),
            tls: None,
            mechanisms: [
                Mechanism::Plain,
                Mechanism::ScramSha256,
                Mechanism::ScramSha512,
                Mechanism::OauthBearer,
            ]
            .into(),
        };
        Self {
            runtime,
            server,
            listener,
            stop: watch::Sender::new(false),
            largest_answer: LARGEST_ANSWER,
            scripted: None,
        }
    }

    /// Connects a client and serves it until it disconnects or is disconnected.
    pub fn visit<Output>(&self, client: impl AsyncFnOnce(Visit) -> Output) -> Output {
        let (ours, theirs) = tokio::io::duplex(STREAM_BYTES);
        let serving = self.server.serve_stream(&self.listener, ours, self.stop.subscribe());
        let visit = Visit {
            stream: theirs,
            largest_answer: self.largest_answer,
        };
        let output = self.runtime.block_on(async { tokio::join!(serving, client(visit)).1 });
        // Authenticated clients cause calls.
        if let Some(metadata) = &self.scripted {
            metadata.forget_requests();
        }
        output
    }
}

/// The client's end of a connection.
pub struct Visit {
    stream: DuplexStream,
    largest_answer: u32,
}

impl Visit {
    /// Sends bytes. `None` if the agent has closed the connection.
    pub async fn send(&mut self, bytes: &[u8]) -> Option<()> {
        self.stream.write_all(bytes).await.ok()
    }

    /// Sends a frame with its length prefix.
    pub async fn send_frame(&mut self, frame: &[u8]) -> Option<()> {
        let len = u32::try_from(frame.len()).ok()?;
        self.send(&len.to_be_bytes()).await?;
        self.send(frame).await
    }

    /// Receives the next response.
    ///
    /// # Panics
    /// Panics if it is larger than any response should be.
    pub async fn receive(&mut self) -> Option<Vec<u8>> {
        let len = self.stream.read_u32().await.ok()?;
        assert!(len <= self.largest_answer, "an answer of {len} bytes");
        let mut answer = vec![0; len as usize];
        self.stream.read_exact(&mut answer).await.ok()?;
        Some(answer)
    }

    /// Returns true if the agent answers a request that requires sign-in. Skips unread responses.
    pub async fn serves(&mut self) -> bool {
        self.serves_after(|_| ()).await
    }

    /// Like [`Self::serves`], and passes on the unread responses.
    pub async fn serves_after(&mut self, mut see: impl FnMut(Vec<u8>)) -> bool {
        let request = MetadataRequest {
            topics: Some(Vec::new()),
            ..Default::default()
        };
        let frame = encode_request(&request, 9, PROBE_CORRELATION_ID, None).expect("a request");
        if self.send(&frame.to_bytes()).await.is_none() {
            return false;
        }
        while let Some(answer) = self.receive().await {
            if answer.starts_with(&PROBE_CORRELATION_ID.to_be_bytes()) {
                return true;
            }
            see(answer);
        }
        false
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .max_blocking_threads(1)
        .build()
        .expect("a runtime")
}

fn context(cache: &Arc<ClusterCache>, metadata: &Arc<dyn Metadata>) -> Arc<Context> {
    let bucket = Bucket::open("mem://").expect("storage in memory");
    let objects = Arc::new(Objects::new(&bucket, "cluster"));
    let blocks = BlockCache::new(Arc::clone(&objects), 1 << 20);
    let metrics = Arc::new(Metrics::default());
    let write_path = WritePath::new(
        Arc::clone(metadata),
        Arc::clone(cache),
        (Arc::clone(&objects), Arc::clone(&blocks)),
        Arc::clone(&metrics),
        "agent".to_owned(),
        WriteSettings::default(),
    );
    Arc::new(Context {
        authorizer: Authorizer::new(Arc::clone(cache), Arc::clone(&metrics)),
        throttle: Throttle::new(cache, &metrics),
        metadata: Arc::clone(metadata),
        cache: Arc::clone(cache),
        node: Node {
            node_id: 1,
            cluster_id: "cluster".to_owned(),
            agent_id: "agent".to_owned(),
            zone: String::new(),
            listeners: Vec::new(),
        },
        record_checks: RecordChecks::new(64 << 20),
        write_path,
        read_path: ReadPath::new(objects, blocks, 1 << 20),
        metrics,
        traces: Traces::off(),
        rotation: AtomicUsize::new(0),
        client_metrics: Default::default(),
    })
}
