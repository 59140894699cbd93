//! The internal listener: answers authentic requests of the zone's agents from the cache or the bucket, never from
//! another agent. Closes all other connections without a response (except that rustls sends an alert if the connection
//! is not TLS, and hyper answers malformed HTTP with a bare 400).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::{Method, Request, Response, header};
use http_body_util::{Full, StreamBody};
use hyper::body::{Body, Frame};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use penstock_http_listener::{ConnectionLimits, HttpListener, serve_http1};
use penstock_metadata_client::{Disconnected, ResponseBody};
use penstock_store::{BlockCache, StoreError};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::counters::add;
use crate::proof::HEADER;
use crate::zone::{Admitted, Refusal, Zone};

const LIMITS: ConnectionLimits = ConnectionLimits {
    max_connections: 1024,
    max_age: Duration::from_secs(60),
    // Also limits the TLS handshake.
    head_timeout: Duration::from_secs(10),
};
/// The minimum that hyper allows. Requests have a few hundred bytes.
const HEAD_BYTES: usize = 8192;
const MAX_HEADERS: usize = 16;
/// Maximum number of response bytes in transit. Most of them are also in the cache.
const ANSWER_BYTES: usize = 128 << 20;

type AnswerBody = StreamBody<BoxStream<'static, Result<Frame<Bytes>, StoreError>>>;

/// State shared by the listener's connections.
pub struct PeerListener {
    zone: Arc<Zone>,
    blocks: Arc<BlockCache>,
    answers: Arc<Semaphore>,
    limits: ConnectionLimits,
}

impl PeerListener {
    /// Creates a listener that serves blocks of this cache to the zone's agents.
    #[must_use]
    pub fn new(zone: Arc<Zone>, blocks: Arc<BlockCache>) -> Arc<Self> {
        Self::with_limits(zone, blocks, LIMITS)
    }

    #[cfg(test)]
    pub(crate) fn with_connections(zone: Arc<Zone>, blocks: Arc<BlockCache>, max_connections: usize) -> Arc<Self> {
        let limits = ConnectionLimits {
            max_connections,
            ..LIMITS
        };
        Self::with_limits(zone, blocks, limits)
    }

    fn with_limits(zone: Arc<Zone>, blocks: Arc<BlockCache>, limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self {
            zone,
            blocks,
            answers: Arc::new(Semaphore::new(ANSWER_BYTES)),
            limits,
        })
    }

    /// Serves requests until the task is dropped.
    pub async fn run(self: Arc<Self>, listener: TcpListener) {
        let listener = HttpListener::new("agents", listener, self.limits);
        listener.serve(|socket, _| Arc::clone(&self).serve(socket)).await;
    }

    async fn serve(self: Arc<Self>, socket: TcpStream) {
        // Responses are long. Without this, their last bytes might wait for an acknowledgement.
        let _ = socket.set_nodelay(true);
        let acceptor = TlsAcceptor::from(Arc::clone(self.zone.tls()));
        match timeout(self.limits.head_timeout, acceptor.accept(socket)).await {
            Ok(Ok(stream)) => self.serve_requests(stream).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake with another agent failed"),
            Err(_) => tracing::debug!("TLS handshake with another agent timed out"),
        }
    }

    async fn serve_requests(self: Arc<Self>, stream: TlsStream<TcpStream>) {
        let answer = service_fn(|request| Arc::clone(&self).respond(request));
        let mut http = http1::Builder::new();
        http.max_buf_size(HEAD_BYTES).max_headers(MAX_HEADERS);
        if let Err(error) = serve_http1(http, stream, self.limits, answer).await {
            tracing::debug!(%error, "connection from another agent failed");
        }
    }

    /// Responds to a request. An error closes the connection.
    async fn respond(self: Arc<Self>, request: Request<impl Body>) -> Result<Response<AnswerBody>, Refusal> {
        match self.admit(&request) {
            Ok(admitted) => Ok(self.answer(admitted).await),
            Err(refusal) => {
                add(&self.zone.counters.refused, 1);
                tracing::debug!(reason = %refusal, "closed a connection on the internal listener");
                Err(refusal)
            }
        }
    }

    /// Answers a request that did not come over a connection. Returns `None` where a connection would be closed.
    pub async fn answer_directly(self: Arc<Self>, request: Request<Bytes>) -> Option<Response<ResponseBody>> {
        let response = self.respond(request.map(Full::new)).await.ok()?;
        Some(response.map(|body| {
            let chunks = body.filter_map(async |frame| match frame {
                Ok(frame) => frame.into_data().ok().map(Ok),
                Err(error) => Some(Err(Disconnected(error.to_string()))),
            });
            chunks.boxed()
        }))
    }

    fn admit(&self, request: &Request<impl Body>) -> Result<Admitted, Refusal> {
        let uri = request.uri();
        if *request.method() != Method::GET || uri.query().is_some() || !request.body().is_end_stream() {
            return Err(Refusal::Malformed);
        }
        let proof = request.headers().get(HEADER).map(|proof| proof.as_bytes());
        self.zone.admit(uri.path(), proof)
    }

    /// Sends the head immediately, so that the requesting agent knows that this one is alive. The body follows when the
    /// bytes are available.
    async fn answer(self: Arc<Self>, Admitted { range, answer }: Admitted) -> Response<AnswerBody> {
        let len = range.end - range.start;
        // Never closed, and a range is at most one block long.
        let memory = Arc::clone(&self.answers)
            .acquire_many_owned(u32::try_from(len).unwrap_or(u32::MAX))
            .await;
        let read = async move {
            let chunks = self.blocks.read_for_peer(&range).await?;
            add(&self.zone.counters.served, 1);
            add(&self.zone.counters.served_bytes, len);
            let frames = chunks.into_iter().map(move |chunk| {
                let _until_all_are_sent = &memory;
                Ok::<_, StoreError>(Frame::data(chunk))
            });
            Ok(stream::iter(frames))
        };
        let mut response = Response::new(StreamBody::new(stream::once(read).try_flatten().boxed()));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LENGTH, len.into());
        if let Ok(answer) = answer.parse() {
            headers.insert(HEADER, answer);
        }
        response
    }
}
