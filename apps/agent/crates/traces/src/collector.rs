//! The HTTP client for the collector, with a timeout and retries.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use http::{Request, Response, StatusCode};
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use tokio::time::{sleep, timeout};

use crate::settings::{Settings, SettingsError};

/// Pauses before the second and third attempt.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];
/// Maximum number of response bytes to read. Responses have a few bytes.
const MAX_ANSWER_BYTES: usize = 64 << 10;

/// Sends the encoded spans of the exporter.
pub(crate) struct Collector {
    client: reqwest::Client,
    /// Timeout of all attempts together.
    timeout: Duration,
}

/// Hides the headers, which may contain secrets.
impl fmt::Debug for Collector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Collector").finish_non_exhaustive()
    }
}

impl Collector {
    #[expect(
        clippy::disallowed_methods,
        reason = "spans go to a real collector, and simulated agents send none"
    )]
    pub(crate) fn new(settings: &Settings) -> Result<Self, SettingsError> {
        // The process has one provider; installing it again fails, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            // Headers with credentials are sent only to the given address.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("penstock-agent/", env!("CARGO_PKG_VERSION")));
        if settings.endpoint.scheme() == "http" {
            // Without TLS, a proxy could read them.
            builder = builder.no_proxy();
        }
        let client = builder
            .build()
            .map_err(|error| SettingsError::endpoint(&error.to_string()))?;
        Ok(Self {
            client,
            timeout: settings.timeout,
        })
    }

    async fn send_once(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let mut answer = self.client.execute(request.try_into()?).await?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            headers.extend(answer.headers().clone());
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                break;
            }
            body.extend_from_slice(&chunk);
        }
        Ok(response.body(Bytes::from(body))?)
    }
}

fn may_succeed_later(outcome: &Result<Response<Bytes>, HttpError>) -> bool {
    match outcome {
        // The retryable codes of the protocol: https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
        Ok(response) => matches!(
            response.status(),
            StatusCode::TOO_MANY_REQUESTS
                | StatusCode::BAD_GATEWAY
                | StatusCode::SERVICE_UNAVAILABLE
                | StatusCode::GATEWAY_TIMEOUT
        ),
        Err(_) => true,
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let attempts = async {
            for pause in PAUSES {
                let outcome = self.send_once(request.clone()).await;
                if !may_succeed_later(&outcome) {
                    return outcome;
                }
                sleep(pause).await;
            }
            self.send_once(request.clone()).await
        };
        timeout(self.timeout, attempts).await?
    }
}
