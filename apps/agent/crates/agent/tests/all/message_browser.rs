//! The message browser over real connections, with records that passed through the whole agent.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::harness::TestAgent;
use crate::harness::batches::{batch, batch_at};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use penstock_agent::{MessageBrowser, TokenVerifier};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const ORIGIN: &str = "https://app.example.com";
/// Less than the 30 seconds after which any silent connection is closed.
const LONG: Duration = Duration::from_secs(20);

struct Browsable {
    agent: TestAgent,
    address: SocketAddr,
}

struct Answer {
    status: u16,
    head: String,
    body: Value,
}

impl Answer {
    fn values(&self) -> Vec<(i64, String)> {
        let value = |record: &Value| {
            let content = STANDARD.decode(record["value"]["base64"].as_str().unwrap()).unwrap();
            (record["offset"].as_i64().unwrap(), String::from_utf8(content).unwrap())
        };
        self.body["records"].as_array().unwrap().iter().map(value).collect()
    }

    fn code(&self) -> (u16, &str) {
        (self.status, self.body["code"].as_str().unwrap_or_default())
    }
}

fn key_pair() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

fn token(topic: &str) -> String {
    let now_s = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "aud": "message-browser", "cluster": "cluster", "topic": topic, "origin": ORIGIN, "agents": ["agent"],
        "iat": now_s, "exp": now_s + 300,
    });
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(json!({"alg": "EdDSA"})), part(claims));
    format!(
        "{signed}.{}",
        URL_SAFE_NO_PAD.encode(key_pair().sign(signed.as_bytes()))
    )
}

async fn start() -> Browsable {
    let agent = TestAgent::start().await;
    let verifier = Arc::new(TokenVerifier::new("cluster".to_owned(), "agent".to_owned()));
    verifier.set_key(key_pair().public_key().as_ref());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(MessageBrowser::new(Arc::clone(&agent.context), verifier).run(listener));
    Browsable { agent, address }
}

impl Browsable {
    async fn send(&self, request: &str) -> Answer {
        let mut socket = TcpStream::connect(self.address).await.unwrap();
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_ascii_lowercase(),
            body: serde_json::from_str(body).unwrap_or_default(),
        }
    }

    async fn post(&self, authorization: &str, origin: &str, question: &Value) -> Answer {
        let body = question.to_string();
        let length = body.len();
        self.send(&format!(
            "POST /v1/records HTTP/1.1\r\nhost: agent\r\nconnection: close\r\norigin: {origin}\r\n\
             authorization: {authorization}\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
        .await
    }

    async fn ask(&self, from: Value, limit: usize) -> Answer {
        let question = json!({"topic": "t", "partition": 0, "from": from, "limit": limit});
        self.post(&format!("Bearer {}", token("t")), ORIGIN, &question).await
    }
}

fn values(from: i64, values: &[&str]) -> Vec<(i64, String)> {
    (from..).zip(values.iter().map(|value| (*value).to_owned())).collect()
}

#[tokio::test]
async fn connections_over_the_limit_are_closed() {
    const MAX_CONNECTIONS: usize = 128;
    let browsable = start().await;
    let mut open = Vec::new();
    for _ in 0..MAX_CONNECTIONS {
        open.push(TcpStream::connect(browsable.address).await.unwrap());
    }
    let mut excess = TcpStream::connect(browsable.address).await.unwrap();
    let read = tokio::time::timeout(LONG, excess.read(&mut [0])).await;
    assert!(matches!(read.expect("still open"), Ok(0) | Err(_)));
}

#[tokio::test]
async fn finds_records_by_offset_time_and_from_either_end() {
    let browsable = start().await;
    browsable.agent.metadata.create_topic("t", 1);
    let empty = browsable.ask(json!({"at": "earliest"}), 10).await;
    assert_eq!(
        (empty.status, empty.values(), &empty.body["stopped"]),
        (200, vec![], &json!("end"))
    );
    let mut client = browsable.agent.client().await;
    client.produce("t", 0, batch_at(1_000, &["a", "b", "c"])).await;
    client.produce("t", 0, batch_at(2_000, &["d", "e"])).await;

    let all = browsable.ask(json!({"at": "earliest"}), 10).await;
    assert_eq!(all.values(), values(0, &["a", "b", "c", "d", "e"]));
    assert_eq!(
        (&all.body["highWatermark"], &all.body["nextOffset"]),
        (&json!(5), &Value::Null)
    );
    assert_eq!(all.body["records"][4]["timestampMs"], 2_001);
    assert!(
        all.head
            .contains("access-control-allow-origin: https://app.example.com")
    );
    assert!(all.head.contains("cache-control: no-store"));

    let first = browsable.ask(json!({"at": "offset", "offset": 1}), 2).await;
    assert_eq!(first.values(), values(1, &["b", "c"]));
    assert_eq!(
        (&first.body["nextOffset"], &first.body["stopped"]),
        (&json!(3), &json!("limit"))
    );
    let latest = browsable.ask(json!({"at": "latest", "records": 3}), 10).await;
    assert_eq!(latest.values(), values(2, &["c", "d", "e"]));
    let timed = browsable.ask(json!({"at": "time", "timestampMs": 1_002}), 10).await;
    assert_eq!(timed.values(), values(2, &["c", "d", "e"]));
    let late = browsable.ask(json!({"at": "time", "timestampMs": 9_000}), 10).await;
    assert_eq!(late.values(), vec![]);

    let beyond = browsable.ask(json!({"at": "offset", "offset": 6}), 10).await;
    assert_eq!(beyond.code(), (416, "offset_out_of_range"));
    assert_eq!(browsable.agent.metadata.calls("UpdateInterest"), 0);
}

#[tokio::test]
async fn reveals_nothing_without_a_valid_token() {
    let browsable = start().await;
    browsable.agent.metadata.create_topic("t", 1);
    browsable.agent.client().await.produce("t", 0, batch(&["canary"])).await;
    let question = json!({"topic": "t", "partition": 0, "from": {"at": "earliest"}});
    let good = format!("Bearer {}", token("t"));
    let cases = [
        (String::new(), ORIGIN, (401, "token_missing")),
        ("Bearer x".to_owned(), ORIGIN, (401, "token_malformed")),
        (format!("Bearer {}", token("other")), ORIGIN, (403, "token_topic")),
        (good.clone(), "https://evil.example.com", (403, "token_origin")),
        (good.clone(), "null", (403, "token_origin")),
    ];
    for (authorization, origin, expected) in cases {
        let refused = browsable.post(&authorization, origin, &question).await;
        assert_eq!(refused.code(), expected);
        assert!(refused.body.get("records").is_none());
    }
    assert_eq!(
        browsable.post(&good, ORIGIN, &question).await.values(),
        values(0, &["canary"])
    );
    let other = json!({"topic": "t", "partition": 9, "from": {"at": "earliest"}});
    assert_eq!(
        browsable.post(&good, ORIGIN, &other).await.code(),
        (404, "partition_not_found")
    );
    let large = json!({"topic": "t".repeat(20_000), "partition": 0, "from": {"at": "earliest"}});
    assert_eq!(
        browsable.post(&good, ORIGIN, &large).await.code(),
        (400, "invalid_request")
    );
}

#[tokio::test]
async fn a_preflight_lists_what_a_page_may_send() {
    let browsable = start().await;
    let answer = browsable
        .send(
            "OPTIONS /v1/records HTTP/1.1\r\nhost: agent\r\nconnection: close\r\norigin: https://app.example.com\r\n\
             access-control-request-method: POST\r\naccess-control-request-private-network: true\r\n\r\n",
        )
        .await;
    assert_eq!(answer.status, 204);
    for line in [
        "access-control-allow-origin: https://app.example.com",
        "access-control-allow-headers: authorization, content-type",
        "access-control-allow-methods: post",
        "access-control-allow-private-network: true",
        "vary: origin",
    ] {
        assert!(answer.head.contains(line), "{line} in {}", answer.head);
    }
    assert!(!answer.head.contains("access-control-allow-credentials"));
    let get = browsable
        .send("GET /v1/records HTTP/1.1\r\nhost: agent\r\nconnection: close\r\n\r\n")
        .await;
    assert_eq!(get.code(), (405, "method_not_allowed"));
}
