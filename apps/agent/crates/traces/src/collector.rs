//! The HTTP client for the collector, with a time limit and retries.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use http::{Request, Response, StatusCode};
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use tokio::time::{sleep, timeout};

use crate::settings::{Settings, SettingsError};

/// Before the second and the third attempt.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];
/// Answers are a few bytes. What comes beyond this is not read.
const MAX_ANSWER_BYTES: usize = 64 << 10;

/// Sends what the exporter has encoded.
pub(crate) struct Collector {
    client: reqwest::Client,
    /// For all attempts together.
    timeout: Duration,
}

/// Without anything that a header could hold.
impl fmt::Debug for Collector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Collector").finish_non_exhaustive()
    }
}

impl Collector {
    pub(crate) fn new(settings: &Settings) -> Result<Self, SettingsError> {
        // One provider for the whole process; installing it again fails, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            // Headers with credentials go to the address that was given, and nowhere else.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("penstock-agent/", env!("CARGO_PKG_VERSION")));
        if settings.endpoint.scheme() == "http" {
            // Without TLS a proxy would read them.
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
        // What the protocol names as such: https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
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
