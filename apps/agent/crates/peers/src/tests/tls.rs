//! What passes over the port between agents, as somebody on the network sees it.

use parking_lot::Mutex;
use tokio::io::AsyncRead;
use tokio::net::tcp::OwnedWriteHalf;

use super::*;

/// A network path to an agent that keeps a copy of all bytes, in both directions.
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

/// Makes the reader reach the owner through a tap.
async fn tapped(reader: &TestAgent, owner: &TestAgent) -> Tap {
    tapped_at(reader, owner, owner.address).await
}

/// Makes the reader reach `target` through a tap where it takes the owner to be.
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
async fn records_never_cross_the_network_in_clear_text() {
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
    assert_eq!(reader.count(|counters| &counters.clear_text), 0);
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

fn without_key(agent: &TestAgent) -> proto::Agent {
    proto::Agent {
        internal_key_sha256: Bytes::new(),
        ..agent.described.clone()
    }
}

#[tokio::test]
async fn clear_text_is_answered_to_agents_of_earlier_versions_only() {
    let bucket = bucket();
    let mut agents = Vec::new();
    for node_id in [1, 2, 3] {
        agents.push(TestAgent::start(node_id, "a", &bucket, NO_HEDGING).await);
    }
    let owner = &agents[0];
    let described = |agent: &TestAgent| agent.described.clone();
    owner
        .cluster
        .set_agents(vec![described(owner), described(&agents[1]), without_key(&agents[2])]);
    owner.zone.set_secrets(&[secret(1, true)]);
    let file_id = write(&bucket).await;
    assert_eq!(send(owner.address, &request(owner, file_id, "agent-2")).await, b"");
    assert_eq!(owner.count(|counters| &counters.refused), 1);
    let answer = send(owner.address, &request(owner, file_id, "agent-3")).await;
    assert!(answer.ends_with(&content(file_id)));
    assert_eq!(owner.count(|counters| &counters.clear_text), 1);
    // From then on it is known to have a key, and no list of agents changes that.
    owner.cluster.set_agents(agents.iter().map(described).collect());
    owner
        .cluster
        .set_agents(vec![described(owner), without_key(&agents[1]), without_key(&agents[2])]);
    assert_eq!(send(owner.address, &request(owner, file_id, "agent-3")).await, b"");
    assert_eq!(owner.count(|counters| &counters.served), 1);
}

#[tokio::test]
async fn an_agent_of_an_earlier_version_is_asked_in_clear_text() {
    let bucket = bucket();
    let reader = TestAgent::start(1, "a", &bucket, NO_HEDGING).await;
    let owner = TestAgent::start(2, "a", &bucket, NO_HEDGING).await;
    // It knows nothing of keys, its own and those of others.
    owner
        .cluster
        .set_agents(vec![without_key(&reader), without_key(&owner)]);
    reader
        .cluster
        .set_agents(vec![reader.described.clone(), without_key(&owner)]);
    for agent in [&reader, &owner] {
        agent.zone.set_secrets(&[secret(1, true)]);
    }
    let file_id = files_of_others(&bucket, &reader, 1).await[0];
    assert!(reader.read(file_id).await == content(file_id));
    assert_eq!((reader.gets(), reader.count(|counters| &counters.clear_text)), (0, 1));
}

#[tokio::test]
async fn an_agent_whose_key_is_no_hash_is_not_a_peer() {
    let bucket = bucket();
    let agents = agents(&["a"], &bucket, NO_HEDGING).await;
    let odd = proto::Agent {
        agent_id: "agent-2".to_owned(),
        node_id: 2,
        internal_key_sha256: Bytes::from_static(&[7; 31]),
        ..agents[0].described.clone()
    };
    agents[0].cluster.set_agents(vec![agents[0].described.clone(), odd]);
    for _ in 0..10 {
        assert_eq!(agents[0].zone.peer_for(write(&bucket).await, 0), None);
    }
}

#[tokio::test]
async fn clear_text_instead_of_tls_makes_no_agent_go_back_to_clear_text() {
    let bucket = bucket();
    let agents = agents(&["a", "a"], &bucket, NO_HEDGING).await;
    let reader = &agents[0];
    let file_id = files_of_others(&bucket, reader, 1).await[0];
    // Refuses TLS as an agent of an earlier version does, in the hope of a second attempt without.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let described = proto::Agent {
        internal_url: format!("http://{}", listener.local_addr().unwrap()),
        ..without_key(&agents[1])
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
async fn a_handshake_that_does_not_end_is_closed() {
    let agent = TestAgent::start(1, "a", &bucket(), NO_HEDGING).await;
    assert_eq!(send(agent.address, &[0x16]).await, b"");
}

#[tokio::test]
async fn another_key_at_the_address_of_a_peer_is_refused_before_anything_is_asked() {
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
    // The second read does not try: the peer is left out for a while.
    assert_eq!(reader.count(|counters| &counters.wrong_keys), 1);
    assert_eq!(reader.count(|counters| &counters.failures), 1);
    assert_eq!(
        other.count(|counters| &counters.served) + other.count(|counters| &counters.refused),
        0
    );
}

#[tokio::test]
async fn a_restarted_peer_costs_one_try_and_is_used_again_once_it_is_listed() {
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
    // It has heard of the reader. The reader still has the list with the former.
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
fn keys_and_secrets_of_tls_are_not_in_debug_output() {
    let shown = format!("{:?}", crate::tls::OwnKey::generate().unwrap());
    assert!(
        !shown.to_lowercase().contains("private") && shown.len() < 4_096,
        "{shown}"
    );
}
