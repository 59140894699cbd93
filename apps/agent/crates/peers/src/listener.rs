//! The internal listener: answers authentic requests of the zone's agents from the cache or from the bucket, never from another agent.
//! Speaks TLS; clear text only with agents of earlier versions, which registered no key. Closes all other connections without a response
//! (hyper answers HTTP that cannot be parsed with a bare 400).

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use http::{Method, Request, Response, header};
use http_body_util::StreamBody;
use hyper::body::{Body as _, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use penstock_http_listener::{ConnectionLimits, HttpListener, serve_http1};
use penstock_store::{BlockCache, StoreError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::counters::add;
use crate::proof::HEADER;
use crate::zone::{Admitted, Refusal, Zone};

const LIMITS: ConnectionLimits = ConnectionLimits {
    max_connections: 1024,
    max_age: Duration::from_secs(60),
    // Also that of a TLS handshake.
    head_timeout: Duration::from_secs(10),
};
/// The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1). No HTTP request begins with it.
const TLS_HANDSHAKE: u8 = 0x16;
/// The smallest that hyper allows; requests have a few hundred bytes.
const HEAD_BYTES: usize = 8192;
const MAX_HEADERS: usize = 16;
/// Bytes of answers on their way. Most of them are in the cache anyway.
const ANSWER_BYTES: usize = 128 << 20;

type AnswerBody = StreamBody<BoxStream<'static, Result<Frame<Bytes>, StoreError>>>;

/// What its connections share.
pub struct PeerListener {
    zone: Arc<Zone>,
    blocks: Arc<BlockCache>,
    answers: Arc<Semaphore>,
    limits: ConnectionLimits,
}

impl PeerListener {
    /// Answers the agents of the zone with blocks of this cache.
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

    /// Serves until the task is dropped.
    pub async fn run(self: Arc<Self>, listener: TcpListener) {
        let listener = HttpListener::new("agents", listener, self.limits);
        listener.serve(|socket, _| Arc::clone(&self).serve(socket)).await;
    }

    async fn serve(self: Arc<Self>, socket: TcpStream) {
        // Answers are long; without it their last bytes may wait for an acknowledgement.
        let _ = socket.set_nodelay(true);
        let Ok(Ok(is_tls)) = timeout(self.limits.head_timeout, begins_with_tls(&socket)).await else {
            tracing::debug!("another agent connected and sent nothing");
            return;
        };
        if !is_tls {
            return self.serve_requests(socket, false).await;
        }
        let acceptor = TlsAcceptor::from(Arc::clone(self.zone.tls()));
        match timeout(self.limits.head_timeout, acceptor.accept(socket)).await {
            Ok(Ok(stream)) => self.serve_requests(stream, true).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake with another agent failed"),
            Err(_) => tracing::debug!("TLS handshake with another agent did not end in time"),
        }
    }

    async fn serve_requests(self: Arc<Self>, stream: impl AsyncRead + AsyncWrite + Unpin, is_tls: bool) {
        let answer = service_fn(|request| Arc::clone(&self).respond(request, is_tls));
        let mut http = http1::Builder::new();
        http.max_buf_size(HEAD_BYTES).max_headers(MAX_HEADERS);
        if let Err(error) = serve_http1(http, stream, self.limits, answer).await {
            tracing::debug!(%error, "connection from another agent failed");
        }
    }

    /// An error closes the connection.
    async fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
        is_tls: bool,
    ) -> Result<Response<AnswerBody>, Refusal> {
        match self.admit(&request, is_tls) {
            Ok(admitted) => Ok(self.answer(admitted, is_tls).await),
            Err(refusal) => {
                add(&self.zone.counters.refused, 1);
                tracing::debug!(reason = %refusal, "closed a connection on the internal listener");
                Err(refusal)
            }
        }
    }

    fn admit(&self, request: &Request<Incoming>, is_tls: bool) -> Result<Admitted, Refusal> {
        let uri = request.uri();
        if *request.method() != Method::GET || uri.query().is_some() || !request.body().is_end_stream() {
            return Err(Refusal::Malformed);
        }
        let proof = request.headers().get(HEADER).map(|proof| proof.as_bytes());
        self.zone.admit(uri.path(), proof, is_tls)
    }

    /// The head goes out at once, so that who asks knows that this agent lives; the body follows when the bytes are there.
    async fn answer(self: Arc<Self>, Admitted { range, answer }: Admitted, is_tls: bool) -> Response<AnswerBody> {
        let len = range.end - range.start;
        // Never closed, and a range has at most a block's bytes.
        let memory = Arc::clone(&self.answers)
            .acquire_many_owned(u32::try_from(len).unwrap_or(u32::MAX))
            .await;
        let read = async move {
            let chunks = self.blocks.read_for_peer(&range).await?;
            add(&self.zone.counters.served, 1);
            add(&self.zone.counters.served_bytes, len);
            if !is_tls {
                add(&self.zone.counters.clear_text, 1);
            }
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

async fn begins_with_tls(socket: &TcpStream) -> io::Result<bool> {
    let mut first = [0];
    Ok(socket.peek(&mut first).await? == 1 && first == [TLS_HANDSHAKE])
}
