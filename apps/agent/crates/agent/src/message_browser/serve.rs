//! The HTTP/1.1 listener of the message browser, with limits on connections and time.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use penstock_http_listener::{ConnectionLimits, HttpListener, serve_http1};
use tokio::net::{TcpListener, TcpStream};

use super::MessageBrowser;
use super::respond::respond;

const LIMITS: ConnectionLimits = ConnectionLimits {
    max_connections: 128,
    max_age: Duration::from_secs(110),
    head_timeout: Duration::from_secs(30),
};

/// Serves requests until the task is dropped.
pub(super) async fn serve(browser: Arc<MessageBrowser>, listener: TcpListener) {
    let listener = HttpListener::new("message browser", listener, LIMITS);
    let serve_connection = |socket: TcpStream, _| {
        let browser = Arc::clone(&browser);
        async move {
            let answer = service_fn(|request| {
                let browser = Arc::clone(&browser);
                async move { Ok::<_, Infallible>(respond(&browser, request).await) }
            });
            if let Err(error) = serve_http1(http1::Builder::new(), socket, LIMITS, answer).await {
                tracing::debug!(%error, "message browser connection failed");
            }
        }
    };
    listener.serve(serve_connection).await;
}
