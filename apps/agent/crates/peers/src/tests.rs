//! Several agents in one process, each with its own listener, sharing a bucket whose requests are counted.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use penstock_store::testing::FaultyStore;
use penstock_store::{BlockCache, Bucket, FileRange, Objects, ZonePeers as _};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;
use uuid::Uuid;

use crate::block_request::path_of;
use crate::proof::{HEADER, Proof, Subject};
use crate::secrets::PeerSecrets;
use crate::tls::{client_config, key_of};
use crate::{HedgeDelays, Membership, PeerListener, Zone};

mod tls;

const CLUSTER: &str = "cluster";
const FILE_BYTES: u64 = 100_000;
/// Far longer than any step takes. A test that waits this long fails.
const LONG: Duration = Duration::from_secs(60);
/// Longer than any peer in these tests takes, unless it is meant to be slow.
const NO_HEDGING: HedgeDelays = HedgeDelays { head: LONG, body: LONG };
const QUICK_HEDGING: HedgeDelays = HedgeDelays {
    head: Duration::from_millis(20),
    body: Duration::from_millis(20),
};

/// Waits for the response head even on a busy machine, so that the peer is not suspected.
const QUICK_BODY_HEDGING: HedgeDelays = HedgeDelays {
    head: Duration::from_secs(60),
    body: Duration::from_millis(20),
};

struct TestAgent {
    zone: Arc<Zone>,
    zone_name: String,
    cluster: Arc<ClusterCache>,
    blocks: Arc<BlockCache>,
    objects: Arc<Objects>,
    described: proto::Agent,
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Drop for TestAgent {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl TestAgent {
    async fn start(node_id: i32, zone_name: &str, bucket: &Bucket, hedge_delays: HedgeDelays) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::start_at(listener, node_id, zone_name, bucket, hedge_delays)
    }

    fn start_at(
        listener: TcpListener,
        node_id: i32,
        zone_name: &str,
        bucket: &Bucket,
        hedge_delays: HedgeDelays,
    ) -> Self {
        let (cluster, _) = ClusterCache::new();
        let objects = Arc::new(Objects::new(bucket, CLUSTER));
        let agent_id = format!("agent-{node_id}");
        let membership = Membership {
            cluster_id: CLUSTER.to_owned(),
            zone: zone_name.to_owned(),
            agent_id: agent_id.clone(),
        };
        let zone = Zone::new(membership, Arc::clone(&cluster), hedge_delays, check).unwrap();
        zone.set_node_id(node_id);
        let blocks = BlockCache::in_zone(Arc::clone(&objects), 64 << 20, Arc::clone(&zone) as _);
        let address = listener.local_addr().unwrap();
        let serving = PeerListener::with_connections(Arc::clone(&zone), Arc::clone(&blocks), 16).run(listener);
        let described = proto::Agent {
            agent_id,
            node_id,
            zone: zone_name.to_owned(),
            internal_url: format!("http://{address}"),
            internal_key_sha256: zone.key_sha256(),
            alive: true,
            ..Default::default()
        };
        Self {
            zone,
            zone_name: zone_name.to_owned(),
            cluster,
            blocks,
            objects,
            described,
            address,
            serving: tokio::spawn(serving),
        }
    }

    async fn read(&self, file_id: Uuid) -> Vec<u8> {
        let read = self.blocks.read(file_id, FILE_BYTES, 0, FILE_BYTES);
        tokio::time::timeout(LONG, read)
            .await
            .expect("stalled")
            .unwrap()
            .concat()
    }

    fn gets(&self) -> u64 {
        self.objects.counters.gets.load(Ordering::Relaxed)
    }

    fn count(&self, of: fn(&crate::PeerCounters) -> &AtomicU64) -> u64 {
        of(&self.zone.counters).load(Ordering::Relaxed)
    }
}

fn secret(id: u8, signs: bool) -> proto::PeerSecret {
    proto::PeerSecret {
        id: id.into(),
        secret: Bytes::from(vec![id; 32]),
        signs,
    }
}

/// Agents with node ids from 1 in these zones, which know each other and a secret.
async fn agents(zones: &[&str], bucket: &Bucket, hedge_delays: HedgeDelays) -> Vec<TestAgent> {
    let mut agents = Vec::new();
    for (node_id, zone) in (1..).zip(zones) {
        agents.push(TestAgent::start(node_id, zone, bucket, hedge_delays).await);
    }
    register_all(&agents);
    agents
}

fn register_all(agents: &[TestAgent]) {
    let described: Vec<_> = agents.iter().map(|agent| agent.described.clone()).collect();
    for agent in agents {
        agent.cluster.set_agents(described.clone());
        agent.zone.set_secrets(&[secret(1, true)]);
    }
}

fn bucket() -> Bucket {
    Bucket::open("mem://").unwrap()
}

fn content(file_id: Uuid) -> Vec<u8> {
    let seed = file_id.as_bytes()[15];
    (0..FILE_BYTES).map(|at| (at % 251) as u8 ^ seed).collect()
}

async fn write(bucket: &Bucket) -> Uuid {
    let file_id = Uuid::now_v7();
    let chunks = vec![Bytes::from(content(file_id))];
    let objects = Objects::new(bucket, CLUSTER);
    objects.put(file_id, chunks, Instant::now() + LONG).await.unwrap();
    file_id
}

fn check(range: &FileRange, bytes: &Bytes) -> Result<(), String> {
    let from = usize::try_from(range.start).unwrap();
    let is_whole = range.file_bytes == FILE_BYTES;
    let expected = content(range.file_id);
    match !is_whole || expected[from..from + bytes.len()] == bytes[..] {
        true => Ok(()),
        false => Err("another byte".to_owned()),
    }
}

/// Files for which the agent considers another one the owner.
async fn files_of_others(bucket: &Bucket, reader: &TestAgent, count: usize) -> Vec<Uuid> {
    let mut files = Vec::new();
    while files.len() < count {
        let file_id = write(bucket).await;
        if reader.zone.peer_for(file_id, 0).is_some() {
            files.push(file_id);
        }
    }
    files
}

#[tokio::test]
async fn a_zone_fetches_each_file_once_for_all_its_readers() {
    let bucket = bucket();
    let zones = ["a", "a", "a", "b", "b", "b"];
    let agents = agents(&zones, &bucket, NO_HEDGING).await;
    let mut files = Vec::new();
    for _ in 0..30 {
        files.push(write(&bucket).await);
    }
    for file_id in &files {
        let reads = agents.iter().flat_map(|agent| [(); 3].map(|()| agent.read(*file_id)));
        for read in futures_util::future::join_all(reads).await {
            assert!(read == content(*file_id));
        }
    }
    for zone in ["a", "b"] {
        let of_zone = agents.iter().filter(|agent| agent.zone_name == zone);
        let gets: Vec<u64> = of_zone.clone().map(TestAgent::gets).collect();
        assert_eq!(gets.iter().sum::<u64>(), 30, "{zone}: {gets:?}");
        assert!(gets.iter().all(|gets| *gets > 0), "{zone}: {gets:?}");
        let read: u64 = of_zone
            .clone()
            .map(|agent| agent.count(|counters| &counters.read_bytes))
            .sum();
        assert_eq!(read, 2 * 30 * FILE_BYTES);
        let served: u64 = of_zone
            .map(|agent| agent.count(|counters| &counters.served_bytes))
            .sum();
        assert_eq!(served, read);
    }
    assert!(agents.iter().all(|agent| agent.count(|counters| &counters.hedges) == 0));
}

#[tokio::test]
async fn a_zone_reads_its_own_files_without_a_get_via_the_writer() {
    let bucket = bucket();
    let agents = agents(&["a", "a", "a", "b", "b"], &bucket, NO_HEDGING).await;
    let writer = &agents[1];
    writer.cluster.clock.set_writer(2);
    let mut files = Vec::new();
    for _ in 0..20 {
        let file_id = writer.cluster.clock.new_flushed_file_id();
        let chunks = [Bytes::from(content(file_id))];
        let put = writer.objects.put(file_id, chunks.to_vec(), Instant::now() + LONG);
        put.await.unwrap();
        writer.blocks.keep_written(file_id, &chunks);
        files.push(file_id);
    }
    for file_id in &files {
        for agent in &agents {
            assert!(agent.read(*file_id).await == content(*file_id));
        }
    }
    let gets: Vec<u64> = agents.iter().map(TestAgent::gets).collect();
    assert_eq!(gets[..3], [0, 0, 0]);
    assert_eq!(gets[3] + gets[4], 20, "{gets:?}");
    // Without the writer, the others divide the stretches among themselves.
    let others: Vec<_> = [0, 2].map(|at: usize| agents[at].described.clone()).into();
    agents[0].cluster.set_agents(others);
    let owners: Vec<_> = files
        .iter()
        .map(|file_id| agents[0].zone.peer_for(*file_id, 0))
        .collect();
    assert!(owners.contains(&None) && owners.contains(&Some(3)), "{owners:?}");
    assert!(!owners.contains(&Some(2)));
}

#[tokio::test]
async fn a_backlog_costs_a_zone_one_get_per_eight_mebibytes() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let len: u64 = 40 << 20;
    let bytes: Vec<u8> = (0..len).map(|at| (at % 249) as u8).collect();
    let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0));
    let objects = Objects::new(&bucket, CLUSTER);
    let chunks = vec![Bytes::from(bytes.clone())];
    objects.put(file_id, chunks, Instant::now() + LONG).await.unwrap();
    for agent in &agents {
        for start in (0..len).step_by(8 << 20) {
            agent.blocks.begin_loading(file_id, len, start..start + (8 << 20));
            let read = agent.blocks.read(file_id, len, start, 8 << 20).await.unwrap();
            let from = usize::try_from(start).unwrap();
            assert!(read.concat() == bytes[from..from + (8 << 20)]);
        }
    }
    let gets: Vec<u64> = agents.iter().map(TestAgent::gets).collect();
    assert_eq!(gets.iter().sum::<u64>(), 5, "{gets:?}");
}

#[tokio::test]
async fn agents_without_a_common_zone_never_contact_each_other() {
    for zones in [["", ""], ["a", "b"], ["a", ""]] {
        let bucket = bucket();
        let agents = agents(&zones, &bucket, NO_HEDGING).await;
        for _ in 0..10 {
            let file_id = write(&bucket).await;
            for agent in &agents {
                assert!(agent.read(file_id).await == content(file_id));
            }
        }
        for agent in &agents {
            assert_eq!(agent.gets(), 10, "{zones:?}");
            assert_eq!(agent.count(|counters| &counters.reads), 0);
            assert_eq!(agent.count(|counters| &counters.refused), 0);
        }
    }
}

#[tokio::test]
async fn agents_without_usable_peers_read_from_the_bucket() {
    let bucket = bucket();
    let mut agents = agents(&["a", "a", "a"], &bucket, NO_HEDGING).await;
    // The service has no address for the first agent, and the second has an address of another kind.
    let described = |agent: &TestAgent, internal_url: &str| proto::Agent {
        internal_url: internal_url.to_owned(),
        ..agent.described.clone()
    };
    let (first, second) = (described(&agents[0], ""), described(&agents[1], "https://127.0.0.1:1"));
    let third = agents.pop().unwrap();
    let (fresh, _) = ClusterCache::new();
    assert!(fresh.catalogue().agents.is_empty());
    let alone = TestAgent::start(4, "a", &bucket, NO_HEDGING).await;
    alone.cluster.set_agents(vec![first, second, alone.described.clone()]);
    alone.zone.set_secrets(&[secret(1, true)]);
    let untold = TestAgent::start(5, "a", &bucket, NO_HEDGING).await;
    untold
        .cluster
        .set_agents(vec![third.described.clone(), untold.described.clone()]);
    untold.zone.set_secrets(&[]);
    for _ in 0..10 {
        let file_id = write(&bucket).await;
        assert!(alone.read(file_id).await == content(file_id));
        assert!(untold.read(file_id).await == content(file_id));
    }
    assert_eq!((alone.gets(), untold.gets()), (10, 10));
    assert_eq!(
        alone.count(|counters| &counters.failures) + untold.count(|counters| &counters.failures),
        0
    );
}

#[tokio::test]
async fn damaged_bytes_of_a_peer_are_read_from_the_bucket() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, owner) = (&agents[0], &agents[1]);
    let file_id = files_of_others(&bucket, reader, 1).await[0];
    let mut damaged = content(file_id);
    damaged[1_000] ^= 1;
    owner.blocks.keep_written(file_id, &[Bytes::from(damaged)]);
    for _ in 0..2 {
        assert!(reader.read(file_id).await == content(file_id));
    }
    assert_eq!(reader.count(|counters| &counters.damaged), 1);
    assert_eq!(reader.gets(), 1);
}

#[tokio::test]
async fn a_killed_agent_costs_one_attempt_and_no_failed_read() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, killed) = (&agents[0], &agents[1]);
    let files = files_of_others(&bucket, reader, 5).await;
    killed.serving.abort();
    while TcpStream::connect(killed.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    for file_id in files {
        assert!(reader.read(file_id).await == content(file_id));
    }
    assert_eq!(reader.gets(), 5);
    assert_eq!(reader.count(|counters| &counters.failures), 1);
}

#[tokio::test]
async fn a_hanging_agent_costs_one_delay_and_no_failed_read() {
    let bucket = bucket();
    let mut agents = agents(&["a", "a"], &bucket, QUICK_HEDGING).await;
    let reader = agents.remove(0);
    let files = files_of_others(&bucket, &reader, 5).await;
    // Accepts connections, as the kernel does for a stopped process, but never responds.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut hung = agents[0].described.clone();
    hung.internal_url = format!("http://{}", silent.local_addr().unwrap());
    reader.cluster.set_agents(vec![reader.described.clone(), hung]);
    for file_id in files {
        assert!(reader.read(file_id).await == content(file_id));
    }
    assert_eq!(reader.gets(), 5);
    assert_eq!(reader.count(|counters| &counters.hedges), 1);
}

#[tokio::test]
async fn an_owner_with_a_hanging_bucket_delays_nobody() {
    let (store, hanging) = (FaultyStore::failing([]), FaultyStore::failing([]));
    let reader = TestAgent::start(1, "a", &store.bucket(), QUICK_BODY_HEDGING).await;
    let owner = TestAgent::start(2, "a", &hanging.bucket(), QUICK_BODY_HEDGING).await;
    hanging.hang_gets();
    let agents = [reader, owner];
    register_all(&agents);
    for file_id in files_of_others(&store.bucket(), &agents[0], 3).await {
        assert!(agents[0].read(file_id).await == content(file_id));
    }
    assert_eq!((agents[0].gets(), agents[0].count(|counters| &counters.hedges)), (3, 3));
}

#[tokio::test]
async fn an_aborted_peer_response_is_read_from_the_bucket() {
    let bucket = bucket();
    let reader = TestAgent::start(1, "a", &bucket, NO_HEDGING).await;
    // This owner finds nothing in its own bucket.
    let owner = TestAgent::start(2, "a", &self::bucket(), NO_HEDGING).await;
    let agents = [reader, owner];
    register_all(&agents);
    let files = files_of_others(&bucket, &agents[0], 1).await;
    assert!(agents[0].read(files[0]).await == content(files[0]));
    assert_eq!(agents[0].count(|counters| &counters.failures), 1);
}

#[tokio::test]
async fn secrets_rotate_without_refusals_and_revoked_ones_fail() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, owner) = (&agents[0], &agents[1]);
    let mut files = files_of_others(&bucket, reader, 3).await.into_iter();
    let mut read_next = async || {
        let file_id = files.next().unwrap();
        assert!(reader.read(file_id).await == content(file_id));
    };
    // First only the owner knows the next secret, then only the reader.
    owner
        .zone
        .set_secrets(&[secret(1, false), secret(2, true), secret(3, false)]);
    read_next().await;
    reader
        .zone
        .set_secrets(&[secret(2, false), secret(3, true), secret(4, false)]);
    read_next().await;
    assert_eq!((reader.gets(), owner.count(|counters| &counters.refused)), (0, 0));
    // Like an agent whose key was revoked, which receives no more secrets.
    owner
        .zone
        .set_secrets(&[secret(4, false), secret(5, true), secret(6, false)]);
    read_next().await;
    assert_eq!(reader.gets(), 1);
    assert_eq!(owner.count(|counters| &counters.refused), 1);
}

struct Hostile<'a> {
    owner: &'a TestAgent,
    path: String,
    secret: proto::PeerSecret,
    from: &'a str,
    zone: &'a str,
    late_ms: u64,
}

impl Hostile<'_> {
    fn request(&self) -> String {
        let secrets = PeerSecrets::default();
        secrets.set(std::slice::from_ref(&self.secret));
        let subject = Subject {
            cluster_id: CLUSTER,
            zone: self.zone,
            to: &self.owner.described.agent_id,
            path: &self.path,
        };
        let time_ms = self.owner.cluster.clock.now_ms() - self.late_ms;
        let proof = Proof::sign(&secrets.signing().unwrap(), subject, self.from, time_ms).to_header();
        format!("GET {} HTTP/1.1\r\nhost: x\r\n{HEADER}: {proof}\r\n\r\n", self.path)
    }
}

/// Sends in plaintext and returns the response until the other side closes.
async fn send(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    send_on(TcpStream::connect(address).await.unwrap(), request).await
}

/// Sends over TLS and returns the response until the other side closes.
async fn send_by_tls(agent: &TestAgent, request: &[u8]) -> Vec<u8> {
    let key = key_of(&agent.described).unwrap();
    let socket = TcpStream::connect(agent.address).await.unwrap();
    let connector = TlsConnector::from(Arc::new(client_config(key).unwrap()));
    let name = agent.address.ip().into();
    send_on(connector.connect(name, socket).await.unwrap(), request).await
}

async fn send_on(mut socket: impl AsyncRead + AsyncWrite + Unpin, request: &[u8]) -> Vec<u8> {
    socket.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    // A reset also counts as closed.
    let _ = tokio::time::timeout(LONG, socket.read_to_end(&mut answer))
        .await
        .expect("still open");
    answer
}

#[tokio::test]
async fn closes_unauthentic_requests_without_a_response() {
    let bucket = bucket();
    let agents = agents(&["a", "a", "b"], &bucket, NO_HEDGING).await;
    let owner = &agents[0];
    let file_id = write(&bucket).await;
    let good = || Hostile {
        owner,
        path: path_of(&FileRange {
            file_id,
            file_bytes: FILE_BYTES,
            start: 0,
            end: FILE_BYTES,
        }),
        secret: secret(1, true),
        from: "agent-2",
        zone: "a",
        late_ms: 0,
    };
    let wrong_secret = proto::PeerSecret {
        secret: Bytes::from(vec![9; 32]),
        ..secret(1, true)
    };
    let unsigned = format!("GET {} HTTP/1.1\r\nhost: x\r\n\r\n", good().path);
    let once = good().request();
    let twice = once.replacen("\r\n\r\n", "\r\nconnection: close\r\n\r\n", 1);
    assert!(
        send_by_tls(owner, twice.as_bytes())
            .await
            .starts_with(b"HTTP/1.1 200 OK\r\n")
    );
    for (why, request) in [
        ("unsigned", unsigned.clone()),
        ("another path", unsigned.replace("/v1/", "/")),
        ("sent before", once.clone()),
        ("changed", once.replace("0-100000", "0-99999")),
        ("with a query", once.replace(" HTTP", "?x HTTP")),
        ("another method", once.replace("GET", "POST")),
        (
            "with a body",
            good().request().replace("host: x", "host: x\r\ncontent-length: 5"),
        ),
        (
            "wrong secret",
            Hostile {
                secret: wrong_secret,
                ..good()
            }
            .request(),
        ),
        (
            "unknown secret",
            Hostile {
                secret: secret(2, true),
                ..good()
            }
            .request(),
        ),
        (
            "another zone",
            Hostile {
                zone: "b",
                from: "agent-3",
                ..good()
            }
            .request(),
        ),
        (
            "an agent of another zone",
            Hostile {
                from: "agent-3",
                ..good()
            }
            .request(),
        ),
        (
            "an agent that has left",
            Hostile {
                from: "agent-9",
                ..good()
            }
            .request(),
        ),
        (
            "the agent itself",
            Hostile {
                from: "agent-1",
                ..good()
            }
            .request(),
        ),
        (
            "too old",
            Hostile {
                late_ms: 20_000,
                ..good()
            }
            .request(),
        ),
    ] {
        assert_eq!(send_by_tls(owner, request.as_bytes()).await, b"", "{why}");
    }
    assert_eq!(owner.count(|counters| &counters.refused), 14);
    assert_eq!(owner.count(|counters| &counters.served), 1);
}

#[tokio::test]
async fn closes_malformed_requests_and_serves_the_next_one() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, owner) = (&agents[0], &agents[1]);
    let long_header = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "a".repeat(100_000));
    let many_headers = format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(1000));
    for garbage in [
        b"\0\x01\x02\x03\r\n\r\n".as_slice(),
        long_header.as_bytes(),
        many_headers.as_bytes(),
    ] {
        for answer in [send(owner.address, garbage).await, send_by_tls(owner, garbage).await] {
            assert!(
                !answer.starts_with(b"HTTP/1.1 2"),
                "{}",
                String::from_utf8_lossy(&answer)
            );
        }
    }
    let file_id = files_of_others(&bucket, reader, 1).await[0];
    assert!(reader.read(file_id).await == content(file_id));
    assert_eq!(reader.gets(), 0);
}

#[tokio::test]
async fn connections_over_the_limit_are_closed() {
    let bucket = bucket();
    let agents = agents(&["a"], &bucket, NO_HEDGING).await;
    let mut open = Vec::new();
    for _ in 0..16 {
        open.push(TcpStream::connect(agents[0].address).await.unwrap());
    }
    let mut excess = TcpStream::connect(agents[0].address).await.unwrap();
    let read = tokio::time::timeout(LONG, excess.read(&mut [0; 1]))
        .await
        .expect("still open");
    assert!(matches!(read, Ok(0) | Err(_)));
}

#[tokio::test(start_paused = true)]
async fn a_silent_connection_is_closed() {
    let agent = TestAgent::start(1, "a", &bucket(), NO_HEDGING).await;
    let mut socket = TcpStream::connect(agent.address).await.unwrap();
    let read = tokio::time::timeout(LONG, socket.read(&mut [0; 1]))
        .await
        .expect("still open");
    assert_eq!(read.unwrap(), 0);
}

#[tokio::test]
async fn an_impostor_at_a_peers_address_is_not_trusted() {
    let bucket = bucket();
    let reader = TestAgent::start(1, "a", &bucket, NO_HEDGING).await;
    let unauthenticated = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let peer = proto::Agent {
        agent_id: "agent-2".to_owned(),
        node_id: 2,
        internal_url: format!("http://{}", unauthenticated.local_addr().unwrap()),
        internal_key_sha256: Bytes::from_static(&[7; 32]),
        ..reader.described.clone()
    };
    reader.cluster.set_agents(vec![reader.described.clone(), peer]);
    reader.zone.set_secrets(&[secret(1, true)]);
    let file_id = files_of_others(&bucket, &reader, 1).await[0];
    tokio::spawn(async move {
        let (mut socket, _) = unauthenticated.accept().await.unwrap();
        let _ = socket.read(&mut [0; 4096]).await;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {FILE_BYTES}\r\n{HEADER}: AAAA\r\n\r\n");
        let _ = socket.write_all(head.as_bytes()).await;
        let _ = socket.write_all(&vec![0; usize::try_from(FILE_BYTES).unwrap()]).await;
        std::future::pending::<()>().await;
    });
    assert!(reader.read(file_id).await == content(file_id));
    assert_eq!(reader.count(|counters| &counters.failures), 1);
}

#[test]
fn secrets_are_not_in_debug_output() {
    let secrets = PeerSecrets::default();
    let reported = proto::PeerSecret {
        id: 1,
        secret: Bytes::from_static(b"0123456789abcdef0123456789abcdef"),
        signs: true,
    };
    secrets.set(&[reported]);
    let shown = format!("{secrets:?}");
    assert!(
        !shown.contains("0123456789") && !shown.contains("48, 49, 50"),
        "{shown}"
    );
}
