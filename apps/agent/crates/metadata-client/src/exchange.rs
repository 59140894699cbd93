//! How requests reach the metadata service: over HTTP/2, or by whatever a simulation puts in its place.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::{Request, Response};

use crate::endpoints::EndpointError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Interval of HTTP/2 pings. A paused or dead process does not answer them, so its calls fail after the sum of this and
/// the timeout.
const PING_INTERVAL: Duration = Duration::from_secs(4);
const PING_TIMEOUT: Duration = Duration::from_secs(4);
/// HTTP/2 window size. Responses of Locate and watch reach megabytes, and the default of 64 KiB would cost a round trip
/// each.
const WINDOW_BYTES: u32 = 4 << 20;

/// No usable response: the process is unreachable, or disconnected during the exchange. Says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disconnected(pub String);

/// The body of a response as it arrives.
pub type ResponseBody = BoxStream<'static, Result<Bytes, Disconnected>>;

/// Sends HTTP requests and receives the responses.
#[async_trait]
pub trait Exchange: Debug + Send + Sync {
    /// Sends a request and returns when the head of its response has arrived.
    async fn send(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, Disconnected>;
}

/// Exchanges over the network.
#[derive(Debug)]
pub(crate) struct Network {
    cleartext: reqwest::Client,
    encrypted: reqwest::Client,
}

impl Network {
    #[expect(
        clippy::disallowed_methods,
        reason = "the place that connects to the metadata service"
    )]
    pub(crate) fn new() -> Result<Self, EndpointError> {
        // The process has one provider; installing it again fails, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let build = || {
            reqwest::Client::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .http2_keep_alive_interval(PING_INTERVAL)
                .http2_keep_alive_timeout(PING_TIMEOUT)
                .http2_initial_stream_window_size(WINDOW_BYTES)
                .http2_initial_connection_window_size(4 * WINDOW_BYTES)
                .redirect(reqwest::redirect::Policy::none())
                .tcp_nodelay(true)
                .no_proxy()
        };
        Ok(Self {
            cleartext: build().http2_prior_knowledge().build()?,
            encrypted: build().build()?,
        })
    }
}

#[async_trait]
impl Exchange for Network {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, Disconnected> {
        let client = match request.uri().scheme_str() {
            Some("http") => &self.cleartext,
            _ => &self.encrypted,
        };
        let request = reqwest::Request::try_from(request).map_err(disconnected)?;
        let received = client.execute(request).await.map_err(disconnected)?;
        let mut response = Response::new(());
        *response.status_mut() = received.status();
        *response.headers_mut() = received.headers().clone();
        let body = received.bytes_stream().map(|chunk| chunk.map_err(disconnected));
        Ok(response.map(|()| body.boxed()))
    }
}

/// `reqwest` reports only "error sending request"; its chain of sources contains the cause.
fn disconnected(error: reqwest::Error) -> Disconnected {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        text = cause.to_string();
        source = cause.source();
    }
    Disconnected(text)
}
