//! The accept loop of the agent's HTTP listeners: metrics and health, the message browser, and the port between agents.
//! Bounds the number of connections and their age, so that no caller can exhaust the process's file descriptors. Knows
//! nothing of requests.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

use std::error::Error;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::HttpService;
use hyper_util::rt::{TokioIo, TokioTimer};
use penstock_runtime::spawn;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Pause after a failed accept, usually caused by a lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Time limit for a response in progress when its connection reaches its maximum age.
const LAST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Limits of an HTTP listener.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Maximum number of connections. More are closed immediately.
    pub max_connections: usize,
    /// Time after which a connection accepts no new requests. It closes after its last response, at most 10 seconds
    /// later.
    pub max_age: Duration,
    /// Maximum time for the head of the next request. The connection closes when it is exceeded.
    pub head_timeout: Duration,
}

/// A listener with limits. Its name appears in log lines.
pub struct HttpListener {
    name: &'static str,
    socket: TcpListener,
    limits: ConnectionLimits,
}

impl HttpListener {
    /// Creates a listener that accepts nothing before [`Self::serve`].
    #[must_use]
    pub fn new(name: &'static str, socket: TcpListener, limits: ConnectionLimits) -> Self {
        Self { name, socket, limits }
    }

    /// Accepts connections until this future is dropped. Each runs `serve_connection` in its own task, and frees its
    /// place when that returns.
    pub async fn serve<Served>(self, serve_connection: impl Fn(TcpStream, SocketAddr) -> Served)
    where
        Served: Future<Output = ()> + Send + 'static,
    {
        let places = Arc::new(Semaphore::new(self.limits.max_connections));
        loop {
            let (socket, peer) = match self.socket.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::debug!(listener = self.name, %error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                tracing::debug!(listener = self.name, %peer, "closed a connection: too many are open");
                continue;
            };
            let served = serve_connection(socket, peer);
            spawn(async move {
                served.await;
                drop(place);
            });
        }
    }
}

/// Answers the HTTP/1.1 requests of a connection with `service`, within these limits. `http` holds further settings.
///
/// # Errors
/// Returns an error if the connection breaks or the service fails.
pub async fn serve_http1<S>(
    mut http: http1::Builder,
    stream: impl AsyncRead + AsyncWrite + Unpin,
    limits: ConnectionLimits,
    service: S,
) -> Result<(), hyper::Error>
where
    S: HttpService<Incoming>,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    S::ResBody: 'static,
    <S::ResBody as Body>::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let connection = http
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    match timeout(limits.max_age, connection.as_mut()).await {
        Ok(ended) => ended,
        Err(_) => {
            connection.as_mut().graceful_shutdown();
            timeout(LAST_RESPONSE_TIMEOUT, connection).await.unwrap_or(Ok(()))
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    const LIMITS: ConnectionLimits = ConnectionLimits {
        max_connections: 2,
        max_age: Duration::from_secs(60),
        head_timeout: Duration::from_secs(60),
    };

    /// Connects, and returns whether the connection was served. The listener greets the connections that it serves and
    /// closes the others.
    async fn connect(address: SocketAddr) -> (TcpStream, bool) {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let is_served = socket.read(&mut [0]).await.is_ok_and(|bytes| bytes == 1);
        (socket, is_served)
    }

    #[tokio::test]
    async fn a_closed_connection_frees_its_place() {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let serving = HttpListener::new("test", socket, LIMITS).serve(|mut socket, _| async move {
            socket.write_all(b"!").await.unwrap();
            let _ = socket.read(&mut [0]).await;
        });
        let serving = tokio::spawn(serving);
        let (first, second) = (connect(address).await, connect(address).await);
        assert!(first.1 && second.1);
        assert!(!connect(address).await.1);
        drop(first);
        let freed = async { while !connect(address).await.1 {} };
        timeout(Duration::from_secs(60), freed)
            .await
            .expect("the place was not freed");
        serving.abort();
    }
}
