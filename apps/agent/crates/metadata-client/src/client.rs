//! The metadata service over the network, with retries and owner discovery, as an implementation of the [`Metadata`]
//! trait.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use http::HeaderValue;
use penstock_traces::{KeyValue, Span, SpanKind, child_of_current};
use prost::Message;
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::backoff::Backoff;
use crate::endpoints::{EndpointError, Endpoints};
use crate::error::RpcError;
use crate::exchange::{Exchange, Network};
use crate::metadata::{Metadata, WatchStream, for_each_unary_rpc};
use crate::proto;
use crate::transport::{Failure, SERVICE, Transport};

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(1);
/// Timeout of an attempt, after which the process counts as dead or paused.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// The credentials for a virtual cluster.
#[derive(Clone)]
pub struct Credentials {
    /// The agent key. Never logged.
    pub agent_key: String,
    /// The virtual cluster's id.
    pub cluster_id: String,
}

/// A client of the metadata service that finds the owner of its virtual cluster and stays with it.
pub struct ConnectClient {
    endpoints: Arc<Endpoints>,
    transport: Transport,
}

impl ConnectClient {
    /// Creates a client, which connects on the first call.
    ///
    /// # Errors
    /// Returns an error if the list is empty, or if the key or cluster id cannot be sent in an HTTP header.
    pub fn new(urls: Vec<Url>, credentials: &Credentials) -> Result<Self, EndpointError> {
        Self::over(Arc::new(Network::new()?), urls, credentials)
    }

    /// Like [`Self::new`], over this exchange.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::new`].
    pub fn over(exchange: Arc<dyn Exchange>, urls: Vec<Url>, credentials: &Credentials) -> Result<Self, EndpointError> {
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", credentials.agent_key))
            .map_err(|_| EndpointError::Header("the agent key"))?;
        authorization.set_sensitive(true);
        let cluster = HeaderValue::try_from(credentials.cluster_id.as_str())
            .map_err(|_| EndpointError::Header("the cluster id"))?;
        let endpoints = Arc::new(Endpoints::new(urls)?);
        Ok(Self {
            endpoints,
            transport: Transport::new(exchange, authorization, cluster),
        })
    }

    /// Makes a call. Adds a span if the request that caused it is traced.
    async fn call<Response: Message + Default>(
        &self,
        rpc: &'static str,
        request: impl Message,
        timeout: Duration,
    ) -> Result<Response, RpcError> {
        let mut span = child_of_current(rpc, SpanKind::Client);
        let answer = self.call_until(rpc, request, timeout, &mut span).await;
        span.rename(|| format!("{SERVICE}/{rpc}"));
        span.describe(|| {
            vec![
                KeyValue::new("rpc.system.name", "connectrpc"),
                KeyValue::new("rpc.service", SERVICE),
                KeyValue::new("rpc.method", rpc),
            ]
        });
        if let Err(error) = &answer {
            span.fail(|| error.class_and_code().1.to_owned());
        }
        answer
    }

    async fn call_until<Response: Message + Default>(
        &self,
        rpc: &'static str,
        request: impl Message,
        timeout: Duration,
        span: &mut Span,
    ) -> Result<Response, RpcError> {
        let traceparent = span.traceparent().and_then(|value| HeaderValue::try_from(value).ok());
        let body = bytes::Bytes::from(request.encode_to_vec());
        let deadline = Instant::now() + timeout;
        let mut backoff = Backoff::new(FIRST_PAUSE, MAX_PAUSE);
        let mut followed = false;
        loop {
            let base = self.endpoints.current();
            let attempt_deadline = if is_long_poll(rpc) {
                deadline
            } else {
                deadline.min(Instant::now() + ATTEMPT_TIMEOUT)
            };
            let outcome = timeout_at(
                attempt_deadline,
                self.transport.unary(&base, rpc, body.clone(), traceparent.as_ref()),
            )
            .await;
            let failure = match outcome {
                Ok(Ok(bytes)) => {
                    return Response::decode(bytes).map_err(|error| RpcError::Failed {
                        code: "undecodable".into(),
                        message: error.to_string(),
                    });
                }
                Ok(Err(failure)) => failure,
                Err(_) => Failure::Rpc {
                    error: RpcError::DeadlineExceeded(format!("{rpc} at {base}")),
                    owner_url: None,
                },
            };
            let (error, go_at_once) = self.turn_to_another(&base, failure, &mut followed);
            // A redirected call has had no effect.
            let may_resend = go_at_once || may_resend(rpc, &body);
            if !error.is_retriable() || !may_resend {
                return Err(error);
            }
            let pause = if go_at_once { Duration::ZERO } else { backoff.pause() };
            if Instant::now() + pause >= deadline {
                return Err(error);
            }
            span.event("attempt failed", || {
                vec![KeyValue::new("error.type", error.class_and_code().1.to_owned())]
            });
            tracing::debug!(rpc, %base, %error, "retrying a call to the metadata service");
            tokio::time::sleep(pause).await;
        }
    }

    /// Chooses the process for the next attempt. Returns the error to report if time is up, and whether to retry
    /// without a pause. Only the first redirect to an owner skips the pause, so that two processes that name each other
    /// do not cause a busy loop.
    fn turn_to_another(&self, base: &Url, failure: Failure, followed: &mut bool) -> (RpcError, bool) {
        match failure {
            Failure::Connection(message) => {
                self.endpoints.advance_from(base);
                (RpcError::Unavailable(format!("{base}: {message}")), false)
            }
            Failure::Rpc { error, owner_url } if error.is_retriable() => {
                let go_at_once = match owner_url {
                    Some(owner) if self.endpoints.follow(base, &owner) => !std::mem::replace(followed, true),
                    _ => {
                        self.endpoints.advance_from(base);
                        false
                    }
                };
                (error, go_at_once)
            }
            Failure::Rpc { error, .. } => (error, false),
        }
    }
}

/// Returns true if the service holds the response until a group is ready. HTTP/2 pings still detect a dead service.
/// Heartbeats of the new protocol are not resent while the first may be in progress: a late duplicate would acknowledge
/// partitions that the member has since revoked.
fn is_long_poll(rpc: &str) -> bool {
    matches!(rpc, "JoinGroup" | "SyncGroup" | "ConsumerGroupHeartbeat")
}

/// Returns true if a call can be resent even though the first may have taken effect. A heartbeat of the new protocol
/// is answered with the assignment only if that changed, so the second answer would hide what the first one said. If
/// the client gets an error instead, it sends everything it knows, and is answered with the assignment. A member that
/// joins always is.
fn may_resend(rpc: &str, body: &[u8]) -> bool {
    let joins = |request: proto::ConsumerGroupHeartbeatRequest| request.member_epoch == 0;
    rpc != "ConsumerGroupHeartbeat" || proto::ConsumerGroupHeartbeatRequest::decode(body).is_ok_and(joins)
}

macro_rules! implement_metadata {
    ($($(#[$doc:meta])* $method:ident $rpc:ident($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Metadata for ConnectClient {
            $(
                async fn $method(
                    &self,
                    request: proto::$request,
                    timeout: Duration,
                ) -> Result<proto::$response, RpcError> {
                    self.call(stringify!($rpc), request, timeout).await
                }
            )*

            async fn watch(&self, request: proto::WatchRequest) -> Result<WatchStream, RpcError> {
                let base = self.endpoints.current();
                let opened = timeout_at(
                    Instant::now() + ATTEMPT_TIMEOUT,
                    self.transport.server_stream::<proto::WatchEvent>(&base, "Watch", &request),
                )
                .await
                .unwrap_or_else(|_| Err(Failure::Connection("timed out".to_owned())));
                let stream = opened.map_err(|failure| self.turn_to_another(&base, failure, &mut false).0)?;
                let (endpoints, witness) = (Arc::clone(&self.endpoints), Arc::clone(&self.transport.witness));
                Ok(Box::pin(stream.map(move |event| {
                    event
                        .inspect(|event| witness.note(&event.journal_position))
                        .map_err(|failure| stream_error(&endpoints, &base, failure))
                })))
            }
        }
    };
}
for_each_unary_rpc!(implement_metadata);

fn stream_error(endpoints: &Endpoints, base: &Url, failure: Failure) -> RpcError {
    match failure {
        Failure::Connection(message) => {
            endpoints.advance_from(base);
            RpcError::Unavailable(format!("{base}: {message}"))
        }
        Failure::Rpc { error, owner_url } => {
            if !owner_url.is_some_and(|owner| endpoints.follow(base, &owner)) && error.is_retriable() {
                endpoints.advance_from(base);
            }
            error
        }
    }
}
