//! The traffic between agents, as an observer of the network sees it.

use parking_lot::Mutex;
use tokio::io::AsyncRead;
use tokio::net::tcp::OwnedWriteHalf;

use super::*;

/// A network path to an agent that records all bytes in both directions.
struct Tap {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<u8>>>,
    connections: Arc<AtomicU64>,
    passing: JoinHandle<()>,
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

impl Tap {
    async fn towards(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(AtomicU64::new(0));
        let (copies, count) = (Arc::clone(&seen), Arc::clone(&connections));
        let passing = tokio::spawn(async move {
            loop {
                let (near, _) = listener.accept().await.unwrap();
                count.fetch_add(1, Ordering::Relaxed);
                let (from_near, to_near) = near.into_split();
                let (from_far, to_far) = TcpStream::connect(target).await.unwrap().into_split();
                tokio::spawn(pass(from_near, to_far, Arc::clone(&copies)));
                tokio::spawn(pass(from_far, to_near, Arc::clone(&copies)));
            }
        });
        Self {
            address,
            seen,
            connections,
            passing,
        }
    }

    fn saw(&self, bytes: &[u8]) -> bool {
        self.seen.lock().windows(bytes.len()).any(|window| window == bytes)
    }
}

async fn pass(mut from: impl AsyncRead + Unpin, mut to: OwnedWriteHalf, copies: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        copies.lock().extend_from_slice(&buffer[..count]);
        if to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
}

/// Makes the reader connect to the owner through a tap.
async fn tapped(reader: &TestAgent, owner: &TestAgent) -> Tap {
    tapped_at(reader, owner, owner.address).await
}

/// Makes the reader connect to `target` through a tap, in the belief that it is the owner.
async fn tapped_at(reader: &TestAgent, owner: &TestAgent, target: SocketAddr) -> Tap {
    let tap = Tap::towards(target).await;
    let described = proto::Agent {
        internal_url: format!("http://{}", tap.address),
        ..owner.described.clone()
    };
    reader.cluster.set_agents(vec![reader.described.clone(), described]);
    tap
}

#[tokio::test]
async fn records_never_cross_the_network_in_plaintext() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, owner) = (&agents[0], &agents[1]);
    let tap = tapped(reader, owner).await;
    for file_id in files_of_others(&bucket, reader, 3).await {
        assert!(reader.read(file_id).await == content(file_id));
        assert!(!tap.saw(&content(file_id)[..64]));
        assert!(!tap.saw(file_id.hyphenated().to_string().as_bytes()));
    }
    assert!(!tap.saw(HEADER.as_bytes()));
    assert_eq!((reader.gets(), reader.count(|counters| &counters.reads)), (0, 3));
    assert!(tap.seen.lock().len() as u64 > 3 * FILE_BYTES);
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, owner) = (&agents[0], &agents[1]);
    let tap = tapped(reader, owner).await;
    for file_id in files_of_others(&bucket, reader, 5).await {
        reader.read(file_id).await;
    }
    assert_eq!(reader.count(|counters| &counters.reads), 5);
    assert_eq!(tap.connections.load(Ordering::Relaxed), 1);
}

/// A request as the agent `from` would send it.
fn request(owner: &TestAgent, file_id: Uuid, from: &str) -> Vec<u8> {
    let hostile = Hostile {
        owner,
        path: path_of(&FileRange {
            file_id,
            file_bytes: FILE_BYTES,
            start: 0,
            end: FILE_BYTES,
        }),
        secret: secret(1, true),
        from,
        zone: "a",
        late_ms: 0,
    };
    hostile
        .request()
        .replacen("\r\n\r\n", "\r\nconnection: close\r\n\r\n", 1)
        .into_bytes()
}

#[tokio::test]
async fn refuses_requests_in_plaintext() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let owner = &agents[0];
    let file_id = write(&bucket).await;
    let answer = send(owner.address, &request(owner, file_id, "agent-2")).await;
    assert!(!answer.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(owner.count(|counters| &counters.served), 0);
}

#[tokio::test]
async fn an_agent_with_a_malformed_key_hash_is_not_a_peer() {
    let bucket = bucket();
    let agents = agents(&["a"], &bucket, NO_HEDGING).await;
    let odd = |node_id, key: &'static [u8]| proto::Agent {
        agent_id: format!("agent-{node_id}"),
        node_id,
        internal_key_sha256: Bytes::from_static(key),
        ..agents[0].described.clone()
    };
    agents[0]
        .cluster
        .set_agents(vec![agents[0].described.clone(), odd(2, &[7; 31]), odd(3, &[])]);
    for _ in 0..10 {
        assert_eq!(agents[0].zone.peer_for(write(&bucket).await, 0), None);
    }
}

#[tokio::test]
async fn a_tls_refusal_never_causes_a_fallback_to_plaintext() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let reader = &agents[0];
    let file_id = files_of_others(&bucket, reader, 1).await[0];
    // Refuses TLS, hoping for a retry without it.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let described = proto::Agent {
        internal_url: format!("http://{}", listener.local_addr().unwrap()),
        ..agents[1].described.clone()
    };
    reader.cluster.set_agents(vec![reader.described.clone(), described]);
    let attempts = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&attempts);
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut first = [0; 1];
            let _ = socket.read(&mut first).await;
            seen.lock().push(first[0]);
            let _ = socket
                .write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n")
                .await;
        }
    });
    assert!(reader.read(file_id).await == content(file_id));
    assert_eq!((reader.gets(), reader.count(|counters| &counters.failures)), (1, 1));
    assert_eq!(*attempts.lock(), [0x16]);
}

#[tokio::test(start_paused = true)]
async fn an_endless_handshake_is_closed() {
    let agent = TestAgent::start(1, "a", &bucket(), NO_HEDGING).await;
    assert_eq!(send(agent.address, &[0x16]).await, b"");
}

#[tokio::test]
async fn refuses_another_key_before_sending_a_request() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (reader, owner) = (&agents[0], &agents[1]);
    let files = files_of_others(&bucket, reader, 2).await;
    // It even knows the secret and has the files.
    let other = TestAgent::start(2, "a", &bucket, NO_HEDGING).await;
    other
        .cluster
        .set_agents(vec![reader.described.clone(), other.described.clone()]);
    other.zone.set_secrets(&[secret(1, true)]);
    let _tap = tapped_at(reader, owner, other.address).await;
    for file_id in files {
        assert!(reader.read(file_id).await == content(file_id));
    }
    assert_eq!(reader.gets(), 2);
    // The second read does not try, because the peer is skipped for a while.
    assert_eq!(reader.count(|counters| &counters.wrong_keys), 1);
    assert_eq!(reader.count(|counters| &counters.failures), 1);
    assert_eq!(
        other.count(|counters| &counters.served) + other.count(|counters| &counters.refused),
        0
    );
}

#[tokio::test]
async fn a_restarted_peer_costs_one_attempt_until_it_is_listed() {
    let bucket = bucket();
    let mut agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let (former, reader) = (agents.pop().unwrap(), agents.pop().unwrap());
    let files = files_of_others(&bucket, &reader, 2).await;
    let address = former.address;
    former.serving.abort();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let listener = TcpListener::bind(address).await.unwrap();
    let restarted = TestAgent::start_at(listener, 3, "a", &bucket, NO_HEDGING);
    // It knows the reader, but the reader still has the old list.
    restarted
        .cluster
        .set_agents(vec![reader.described.clone(), restarted.described.clone()]);
    restarted.zone.set_secrets(&[secret(1, true)]);
    for file_id in files {
        assert!(reader.read(file_id).await == content(file_id));
    }
    assert_eq!((reader.gets(), reader.count(|counters| &counters.failures)), (2, 1));
    reader
        .cluster
        .set_agents(vec![reader.described.clone(), restarted.described.clone()]);
    let file_id = files_of_others(&bucket, &reader, 1).await[0];
    assert!(reader.read(file_id).await == content(file_id));
    assert_eq!((reader.gets(), restarted.count(|counters| &counters.served)), (2, 1));
}

#[test]
fn tls_keys_and_secrets_are_not_in_debug_output() {
    let shown = format!("{:?}", crate::tls::OwnKey::generate().unwrap());
    assert!(
        !shown.to_lowercase().contains("private") && shown.len() < 4_096,
        "{shown}"
    );
}
