//! The Connect client against an HTTP/2 server that fails on demand.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::StreamExt as _;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use parking_lot::Mutex;
use penstock_metadata_client::{ConnectClient, Credentials, Metadata, RpcError, parse_metadata_urls, proto};
use prost::Message as _;
use tokio::net::TcpListener;

const TIMEOUT: Duration = Duration::from_secs(10);

/// The server's reaction to a call.
enum Reply {
    Message(Vec<u8>),
    Refusal {
        status: u16,
        code: &'static str,
        owner: Option<String>,
    },
    /// A message with the journal's position.
    Positioned(Vec<u8>, String),
    /// An error that says that the cluster is stopped.
    Stopped,
    /// The call takes effect, but the connection closes before the response.
    BreakOff,
}

type Behaviour = dyn Fn(usize, &Seen) -> Reply + Send + Sync;

/// A call as the server saw it.
#[derive(Clone)]
struct Seen {
    path: String,
    headers: http::HeaderMap,
    body: Bytes,
}

struct Service {
    url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Service {
    async fn start(behaviour: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        let behaviour: Arc<Behaviour> = Arc::new(behaviour);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let calls = Arc::new(AtomicUsize::new(0));
        let shared = Arc::clone(&seen);
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let (behaviour, seen, calls) = (Arc::clone(&behaviour), Arc::clone(&shared), Arc::clone(&calls));
                tokio::spawn(async move {
                    let breaking = Arc::new(tokio::sync::Notify::new());
                    let answer = service_fn(|request: Request<Incoming>| {
                        let (behaviour, seen, calls) = (Arc::clone(&behaviour), Arc::clone(&seen), Arc::clone(&calls));
                        let breaking = Arc::clone(&breaking);
                        async move {
                            let (parts, body) = request.into_parts();
                            let body = body.collect().await.unwrap().to_bytes();
                            let call = Seen {
                                path: parts.uri.path().to_owned(),
                                headers: parts.headers,
                                body,
                            };
                            seen.lock().push(call.clone());
                            match behaviour(calls.fetch_add(1, Ordering::SeqCst), &call) {
                                Reply::BreakOff => {
                                    breaking.notify_one();
                                    std::future::pending().await
                                }
                                reply => Ok::<_, Infallible>(respond(reply)),
                            }
                        }
                    });
                    let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                        .serve_connection(TokioIo::new(socket), answer);
                    tokio::select! {
                        _ = connection => {}
                        () = breaking.notified() => {}
                    }
                });
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> Vec<Seen> {
        self.seen.lock().clone()
    }
}

fn respond(reply: Reply) -> Response<Full<Bytes>> {
    match reply {
        Reply::Message(body) => Response::new(Full::new(body.into())),
        Reply::Refusal { status, code, owner } => {
            let mut response = Response::builder().status(StatusCode::from_u16(status).unwrap());
            if let Some(owner) = owner {
                response = response.header("penstock-owner-url", owner);
            }
            let body = format!(r#"{{"code":"{code}","message":"in words"}}"#);
            response.body(Full::new(body.into())).unwrap()
        }
        Reply::Positioned(body, position) => Response::builder()
            .header("penstock-journal-position", position)
            .body(Full::new(body.into()))
            .unwrap(),
        Reply::Stopped => Response::builder()
            .status(StatusCode::SERVICE_UNAVAILABLE)
            .header("penstock-cluster-stopped", "1")
            .body(Full::new(r#"{"code":"unavailable","message":"in words"}"#.into()))
            .unwrap(),
        Reply::BreakOff => unreachable!("handled before"),
    }
}

fn client(urls: &str) -> ConnectClient {
    let credentials = Credentials {
        agent_key: "psk_key".to_owned(),
        cluster_id: "cluster-1".to_owned(),
    };
    ConnectClient::new(parse_metadata_urls(urls).unwrap(), &credentials).unwrap()
}

fn commit() -> proto::CommitFileRequest {
    proto::CommitFileRequest {
        file_id: Bytes::from_static(&[7; 16]),
        ..Default::default()
    }
}

fn committed(offset: i64) -> Reply {
    let response = proto::CommitFileResponse {
        batch_base_offset: vec![offset],
        ..Default::default()
    };
    Reply::Message(response.encode_to_vec())
}

/// A URL on which nothing listens.
async fn dead_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[tokio::test]
async fn a_call_carries_the_key_the_cluster_and_the_message() {
    let service = Service::start(|_, _| committed(5)).await;
    let response = client(&service.url).commit_file(commit(), TIMEOUT).await.unwrap();
    assert_eq!(response.batch_base_offset, [5]);
    let call = service.seen().remove(0);
    assert_eq!(call.path, "/penstock.metadata.v1.MetadataService/CommitFile");
    for (name, value) in [
        ("authorization", "Bearer psk_key"),
        ("penstock-cluster", "cluster-1"),
        ("content-type", "application/proto"),
        ("connect-protocol-version", "1"),
    ] {
        assert_eq!(call.headers[name], value);
    }
    assert_eq!(proto::CommitFileRequest::decode(call.body).unwrap(), commit());
}

#[tokio::test]
async fn retries_a_lost_response_with_the_same_ids() {
    let service = Service::start(|call, _| if call == 0 { Reply::BreakOff } else { committed(5) }).await;
    let response = client(&service.url).commit_file(commit(), TIMEOUT).await.unwrap();
    assert_eq!(response.batch_base_offset, [5]);
    let seen = service.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].body, seen[1].body);
}

#[tokio::test]
async fn a_members_heartbeat_is_not_resent() {
    for (member_epoch, calls) in [(0, 2), (5, 1)] {
        let answer = |call, _: &Seen| match call {
            0 => Reply::BreakOff,
            _ => Reply::Message(proto::ConsumerGroupHeartbeatResponse::default().encode_to_vec()),
        };
        let service = Service::start(answer).await;
        let heartbeat = proto::ConsumerGroupHeartbeatRequest {
            member_epoch,
            ..Default::default()
        };
        let response = client(&service.url).consumer_group_heartbeat(heartbeat, TIMEOUT).await;
        assert_eq!(
            (response.is_ok(), service.seen().len()),
            (calls == 2, calls),
            "{member_epoch}"
        );
    }
}

#[tokio::test]
async fn follows_and_remembers_the_named_owner() {
    let owner = Service::start(|_, _| committed(1)).await;
    let named = owner.url.clone();
    let other = Service::start(move |_, _| Reply::Refusal {
        status: 503,
        code: "unavailable",
        owner: Some(named.clone()),
    })
    .await;
    let client = client(&other.url);
    for _ in 0..3 {
        client.commit_file(commit(), TIMEOUT).await.unwrap();
    }
    assert_eq!((other.seen().len(), owner.seen().len()), (1, 3));
}

#[tokio::test]
async fn a_process_that_is_gone_is_replaced_by_the_next_url() {
    let alive = Service::start(|_, _| committed(1)).await;
    let client = client(&format!("{},{}", dead_url().await, alive.url));
    client.commit_file(commit(), TIMEOUT).await.unwrap();
    assert_eq!(alive.seen().len(), 1);
}

#[tokio::test]
async fn distinguishes_refusals_and_does_not_retry_them() {
    for (status, code, expected) in [
        (401, "unauthenticated", RpcError::Unauthenticated("in words".into())),
        (403, "permission_denied", RpcError::PermissionDenied("in words".into())),
        (404, "not_found", RpcError::NotFound("in words".into())),
        (400, "invalid_argument", RpcError::InvalidArgument("in words".into())),
        (
            500,
            "internal",
            RpcError::Failed {
                code: "internal".into(),
                message: "in words".into(),
            },
        ),
    ] {
        let service = Service::start(move |_, _| Reply::Refusal {
            status,
            code,
            owner: None,
        })
        .await;
        let refused = client(&service.url).commit_file(commit(), TIMEOUT).await;
        assert_eq!(refused, Err(expected));
        assert_eq!(service.seen().len(), 1);
    }
}

#[tokio::test]
async fn retries_end_at_the_timeout() {
    let service = Service::start(|_, _| Reply::Refusal {
        status: 503,
        code: "unavailable",
        owner: None,
    })
    .await;
    let started = std::time::Instant::now();
    let refused = client(&service.url).commit_file(commit(), Duration::from_secs(2)).await;
    assert!(matches!(refused, Err(RpcError::Unavailable(_))), "{refused:?}");
    assert!(started.elapsed() < TIMEOUT);
    assert!(service.seen().len() >= 2);
}

fn envelope(flags: u8, payload: &[u8]) -> Vec<u8> {
    let mut envelope = BytesMut::new();
    envelope.put_u8(flags);
    envelope.put_u32(u32::try_from(payload.len()).unwrap());
    envelope.put_slice(payload);
    envelope.to_vec()
}

fn event(watch_id: &str) -> proto::WatchEvent {
    proto::WatchEvent {
        watch_id: watch_id.to_owned(),
        ..Default::default()
    }
}

async fn watch_events(body: Vec<u8>) -> Vec<Result<proto::WatchEvent, RpcError>> {
    let service = Service::start(move |_, _| Reply::Message(body.clone())).await;
    let stream = client(&service.url)
        .watch(proto::WatchRequest {
            agent_id: "agent".into(),
        })
        .await
        .unwrap();
    let events = stream.collect().await;
    let call = service.seen().remove(0);
    assert_eq!(call.headers["content-type"], "application/connect+proto");
    assert_eq!(
        call.body,
        envelope(
            0,
            &proto::WatchRequest {
                agent_id: "agent".into()
            }
            .encode_to_vec()
        )
    );
    events
}

#[tokio::test]
async fn stream_events_arrive_in_order_until_the_end() {
    let body = [
        envelope(0, &event("a").encode_to_vec()),
        envelope(0, &event(&"b".repeat(100_000)).encode_to_vec()),
        envelope(2, b"{}"),
    ];
    let events = watch_events(body.concat()).await;
    assert_eq!(events, [Ok(event("a")), Ok(event(&"b".repeat(100_000)))]);
}

#[tokio::test]
async fn a_stream_that_ends_in_an_error_returns_it() {
    let end = br#"{"error":{"code":"unavailable","message":"moved"},"metadata":{"penstock-owner-url":["http://o"]}}"#;
    let events = watch_events([envelope(0, &event("a").encode_to_vec()), envelope(2, end)].concat()).await;
    assert_eq!(events, [Ok(event("a")), Err(RpcError::Unavailable("moved".into()))]);
}

#[tokio::test]
async fn an_aborted_stream_is_a_retriable_error() {
    for body in [
        vec![],
        vec![0, 0, 0],
        [envelope(0, b""), vec![0, 0, 0, 0, 9, 1]].concat(),
        vec![0, 0xff, 0xff, 0xff, 0xff],
    ] {
        let events = watch_events(body).await;
        assert!(
            events.last().unwrap().as_ref().is_err_and(RpcError::is_retriable),
            "{events:?}"
        );
    }
}

#[tokio::test]
async fn only_traced_calls_carry_a_traceparent() {
    let service = Service::start(|_, _| Reply::Message(Vec::new())).await;
    let client = client(&service.url);
    let (traces, recorded) = penstock_traces::recording();
    let flush = traces.root("flush", penstock_traces::SpanKind::Internal);
    flush.in_scope(client.commit_file(commit(), TIMEOUT)).await.unwrap();
    client.commit_file(commit(), TIMEOUT).await.unwrap();
    drop(flush);
    let spans = recorded.spans();
    let [rpc, flush] = spans.as_slice() else {
        panic!("{spans:?}")
    };
    assert_eq!(rpc.name, "penstock.metadata.v1.MetadataService/CommitFile");
    assert_eq!(rpc.parent_span_id, flush.span_context.span_id());
    let headers: Vec<Option<String>> = service
        .seen()
        .iter()
        .map(|call| {
            let value = call.headers.get("traceparent")?;
            value.to_str().ok().map(str::to_owned)
        })
        .collect();
    let context = &rpc.span_context;
    let expected = format!("00-{}-{}-01", context.trace_id(), context.span_id());
    assert_eq!(headers, [Some(expected), None]);
}

fn position(history: u64, seq: u64) -> String {
    format!("{history}.{seq}-{}", "a".repeat(64))
}

/// The newest position that each call carried.
fn witnessed(service: &Service) -> Vec<Option<String>> {
    let value_of = |call: &Seen| {
        let value = call.headers.get("penstock-journal-position")?;
        Some(value.to_str().unwrap().to_owned())
    };
    service.seen().iter().map(value_of).collect()
}

#[tokio::test]
async fn every_call_carries_the_newest_journal_position() {
    let last_seen = [position(0, 7), position(0, 5), position(1, 2)];
    let answers = last_seen.clone();
    let service =
        Service::start(move |call, _| Reply::Positioned(Vec::new(), answers.get(call).cloned().unwrap_or_default()))
            .await;
    let client = client(&service.url);
    for _ in 0..4 {
        client.commit_file(commit(), TIMEOUT).await.unwrap();
    }
    let [seven, _, new_history] = last_seen;
    assert_eq!(
        witnessed(&service),
        [None, Some(seven.clone()), Some(seven), Some(new_history)]
    );
}

#[tokio::test]
async fn a_position_from_the_watch_stream_is_sent_too() {
    let event = proto::WatchEvent {
        journal_position: position(0, 9),
        ..Default::default()
    };
    let stream = [envelope(0, &event.encode_to_vec()), envelope(2, b"{}")].concat();
    let service =
        Service::start(move |call, _| Reply::Message(if call == 0 { stream.clone() } else { Vec::new() })).await;
    let client = client(&service.url);
    let watch = client.watch(proto::WatchRequest::default()).await.unwrap();
    assert_eq!(watch.count().await, 1);
    client.commit_file(commit(), TIMEOUT).await.unwrap();
    assert_eq!(witnessed(&service), [None, Some(position(0, 9))]);
}

#[tokio::test]
async fn retries_a_stopped_cluster_and_reports_the_reason() {
    let service = Service::start(|_, _| Reply::Stopped).await;
    let refused = client(&service.url).commit_file(commit(), Duration::from_secs(2)).await;
    assert_eq!(refused, Err(RpcError::ClusterStopped("in words".into())));
    assert!(service.seen().len() >= 2);
}

#[tokio::test]
async fn a_stream_of_a_stopped_cluster_ends_with_the_reason() {
    let end = br#"{"error":{"code":"unavailable","message":"in words"},"metadata":{"penstock-cluster-stopped":["1"]}}"#;
    let events = watch_events(envelope(2, end)).await;
    assert_eq!(events, [Err(RpcError::ClusterStopped("in words".into()))]);
}
