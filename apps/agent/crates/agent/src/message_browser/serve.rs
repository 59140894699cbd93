//! The listener of the message browser: a limited number of HTTP/1.1 connections, each with time limits.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::MessageBrowser;
use super::respond::respond;

/// Connections beyond this many are closed at once.
const MAX_CONNECTIONS: usize = 128;
/// A connection ends after this, whatever it does.
const MAX_CONNECTION: Duration = Duration::from_secs(120);
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until the task is dropped.
pub(super) async fn serve(browser: Arc<MessageBrowser>, listener: TcpListener) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let socket = match listener.accept().await {
            Ok((socket, _)) => socket,
            Err(error) => {
                tracing::debug!(%error, "cannot accept a message browser connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            continue;
        };
        let browser = Arc::clone(&browser);
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let browser = Arc::clone(&browser);
                async move { Ok::<_, Infallible>(respond(&browser, request).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(socket), answer);
            if let Ok(Err(error)) = tokio::time::timeout(MAX_CONNECTION, connection).await {
                tracing::debug!(%error, "message browser connection broken");
            }
            drop(place);
        });
    }
}
