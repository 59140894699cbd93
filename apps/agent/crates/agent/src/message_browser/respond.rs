//! Responds to requests of the message browser.

use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use penstock_handlers::{BrowseError, browse};
use penstock_runtime::since_unix_epoch;
use serde::Serialize;
use tokio::time::timeout;

use super::question::{Answer, Question};
use super::token::{PresentedToken, TokenError};
use super::{MAX_WAIT, MessageBrowser, cors};

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
/// Enough for a request with a key of a few KiB.
const MAX_BODY_BYTES: usize = 16 << 10;
const BODY_TIMEOUT: Duration = Duration::from_secs(5);

/// A response without records, for an error.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Problem<'a> {
    code: &'static str,
    message: &'a str,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message }
    }

    fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", message)
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        let status = if error.is_forbidden() {
            StatusCode::FORBIDDEN
        } else {
            StatusCode::UNAUTHORIZED
        };
        Self::new(status, error.code(), error.to_string())
    }
}

impl From<BrowseError> for Refusal {
    fn from(error: BrowseError) -> Self {
        let (status, code) = match &error {
            BrowseError::UnknownTopic => (StatusCode::NOT_FOUND, "topic_not_found"),
            BrowseError::UnknownPartition { .. } => (StatusCode::NOT_FOUND, "partition_not_found"),
            BrowseError::OutOfRange { .. } => (StatusCode::RANGE_NOT_SATISFIABLE, "offset_out_of_range"),
            BrowseError::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        };
        Self::new(status, code, error.to_string())
    }
}

/// Responds to a request. Logs none of its content.
pub(super) async fn respond(browser: &MessageBrowser, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (parts, body) = request.into_parts();
    let mut response = match (&parts.method, parts.uri.path()) {
        (&Method::OPTIONS, "/v1/records") => {
            let mut response = empty(StatusCode::NO_CONTENT);
            cors::preflight(&parts.headers, &mut response);
            response
        }
        (&Method::POST, "/v1/records") => records(browser, &parts.headers, body).await.unwrap_or_else(refused),
        (&Method::GET | &Method::HEAD, "/healthz") => empty(StatusCode::NO_CONTENT),
        (_, "/v1/records" | "/healthz") => refused(Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "use POST /v1/records",
        )),
        _ => refused(Refusal::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "the endpoints are POST /v1/records and GET /healthz",
        )),
    };
    cors::answer(&parts.headers, &mut response);
    response
}

async fn records(
    browser: &MessageBrowser,
    headers: &HeaderMap,
    body: Incoming,
) -> Result<Response<Full<Bytes>>, Refusal> {
    let token = bearer(headers).ok_or(TokenError::Missing)?;
    let question = read_question(body).await?;
    browser.verifier.verify(PresentedToken {
        token,
        topic: &question.topic,
        origin: page_origin(headers),
        now_s: now_s(),
    })?;
    let request = question.into_request().map_err(Refusal::invalid)?;
    let Ok(Ok(_turn)) = timeout(MAX_WAIT, browser.turns.acquire()).await else {
        return Err(Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "the agent is busy with other browse requests; try again in a moment",
        ));
    };
    let page = browse(&browser.context, &request).await?;
    json(StatusCode::OK, &Answer::from(&page))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// The page's origin. An unreadable header matches no token.
fn page_origin(headers: &HeaderMap) -> Option<&str> {
    cors::origin(headers).map(|origin| origin.to_str().unwrap_or_default())
}

async fn read_question(body: Incoming) -> Result<Question, Refusal> {
    let read = timeout(BODY_TIMEOUT, Limited::new(body, MAX_BODY_BYTES).collect()).await;
    let Ok(Ok(body)) = read else {
        return Err(Refusal::invalid(format!(
            "the request body is incomplete, or larger than {MAX_BODY_BYTES} bytes"
        )));
    };
    serde_json::from_slice(&body.to_bytes()).map_err(|error| Refusal::invalid(error.to_string()))
}

fn now_s() -> i64 {
    let since_epoch = since_unix_epoch();
    i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX)
}

fn json(status: StatusCode, body: &impl Serialize) -> Result<Response<Full<Bytes>>, Refusal> {
    let failed =
        |error: serde_json::Error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", error.to_string());
    let body = serde_json::to_vec(body).map_err(failed)?;
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    Ok(response)
}

fn refused(refusal: Refusal) -> Response<Full<Bytes>> {
    let problem = Problem {
        code: refusal.code,
        message: &refusal.message,
    };
    json(refusal.status, &problem).unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR))
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}
