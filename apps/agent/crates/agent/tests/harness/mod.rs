//! An agent on a loopback port with storage in memory and a metadata service in memory, and a client that speaks frames.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod batches;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use bytes::Bytes;
use penstock_agent::{Server, ServerLimits};
use penstock_handlers::{Authorizer, Context, Metrics, Node, ReadPath, WritePath, WriteSettings};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::testing::InMemoryMetadata;
use penstock_metadata_client::{Metadata, Watcher};
use penstock_store::{BlockCache, Bucket, Objects};
use penstock_wire::messages::fetch::{FetchPartition, FetchTopic, PartitionData};
use penstock_wire::messages::produce::{PartitionProduceData, PartitionProduceResponse, TopicProduceData};
use penstock_wire::messages::{FetchRequest, ProduceRequest};
use penstock_wire::{Reader, Request, decode_response, encode_request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Far more than anything here takes; a test that waits this long has failed.
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
    watching: JoinHandle<()>,
}

impl Drop for TestAgent {
    fn drop(&mut self) {
        self.watching.abort();
        self.serving.abort();
    }
}

/// Flushes soon, so that tests are quick.
pub fn quick() -> WriteSettings {
    WriteSettings {
        flush_interval: Duration::from_millis(10),
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

    /// Several agents may share the metadata service and the bucket.
    pub async fn start_on(
        metadata: Arc<InMemoryMetadata>,
        bucket: &Bucket,
        settings: WriteSettings,
        limits: ServerLimits,
    ) -> Self {
        Self::start_caching(metadata, bucket, settings, limits, 64 << 20).await
    }

    /// With so much memory for data files that are read again.
    pub async fn start_caching(
        metadata: Arc<InMemoryMetadata>,
        bucket: &Bucket,
        settings: WriteSettings,
        limits: ServerLimits,
        cache_bytes: usize,
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
            metadata: service,
            cache,
            node: Node {
                node_id: 1,
                cluster_id: "cluster".to_owned(),
                agent_id: "agent".to_owned(),
                zone: String::new(),
                advertised_host: "localhost".to_owned(),
                advertised_port: 9092,
            },
            write_path,
            read_path: ReadPath::new(Arc::clone(&objects), blocks, 64 << 20),
            metrics,
            traces: penstock_traces::Traces::off(),
            rotation: AtomicUsize::new(0),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::new(Arc::clone(&context), limits, Arc::default());
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(async move { server.serve(listener, stopping).await });
        Self {
            metadata,
            objects,
            context,
            address,
            stop,
            serving,
            watching,
        }
    }

    pub async fn client(&self) -> Client {
        Client {
            socket: TcpStream::connect(self.address).await.unwrap(),
            next_correlation_id: 1,
        }
    }
}

pub struct Client {
    pub socket: TcpStream,
    next_correlation_id: i32,
}

impl Client {
    /// Sends a request and returns its correlation id.
    pub async fn send<R: Request>(&mut self, request: &R, version: i16) -> i32 {
        let correlation_id = self.next_correlation_id;
        self.next_correlation_id += 1;
        let frame = encode_request(request, version, correlation_id, Some("tests")).unwrap();
        self.socket.write_all(&frame.to_bytes()).await.unwrap();
        correlation_id
    }

    /// The next response, whatever it is.
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

    /// Whether no answer comes within a moment.
    pub async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(100), self.socket.peek(&mut [0]))
            .await
            .is_err()
    }

    /// Whether the agent closes the connection.
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

/// Waits up to 10 s for a byte.
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
