//! A small client for the public API: requests, retries and paging. Knows no resources.

use std::time::Duration;

use reqwest::{
    Method, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_MATCH, RETRY_AFTER},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use url::Url;

use crate::{
    address::{is_loopback, resource},
    error::{CliError, Exit},
    problem::{Refusal, explain},
    retry::{Attempt, pause_before_next},
    secret::ApiKey,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Pauses longer than this are explained on the terminal.
const UNEXPLAINED_PAUSE: Duration = Duration::from_secs(2);
/// Maximum number of items that the API returns per page.
const PAGE_ITEMS: &str = "100";

/// A response of the API.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Body of a successful response; empty if there is none (204).
    pub(crate) body: String,
    /// The ETag of the state that was read.
    pub(crate) etag: Option<String>,
}

impl Answer {
    /// Parses only the fields that the caller needs.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, CliError> {
        serde_json::from_str(&self.body).map_err(|error| unexpected(&error))
    }
}

/// The error for an unreadable response.
pub(crate) fn unexpected(error: &serde_json::Error) -> CliError {
    CliError::new(
        Exit::Network,
        format!("This version of penstock can't read the response: {error}."),
        "Check the address. If the installation is newer, update penstock.",
    )
}

/// The items of a list, across all its pages.
#[derive(Debug, Deserialize)]
pub(crate) struct Items<T> {
    pub(crate) items: Vec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    items: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}

#[derive(Debug)]
struct Call<'a> {
    method: Method,
    path: &'a [&'a str],
    query: &'a [(&'a str, &'a str)],
    body: Option<String>,
    if_match: Option<&'a str>,
    /// True if sending the request twice has the same effect as once.
    is_repeatable: bool,
}

/// The API of an installation.
#[derive(Debug)]
pub(crate) struct Api {
    http: reqwest::Client,
    origin: Url,
    authorization: Option<HeaderValue>,
}

impl Api {
    /// Creates a client. Without a key, it can use only public operations.
    pub(crate) fn new(origin: Url, api_key: Option<&ApiKey>) -> Result<Self, CliError> {
        // The process has one provider; installing it again fails, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let unusable = |error: &dyn std::fmt::Display| {
            CliError::refused(
                format!("Can't use HTTP on this machine: {error}."),
                "Check this machine's certificates.",
            )
        };
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(ANSWER_TIMEOUT)
            // The key is sent only to the given address.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("penstock-cli/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&origin) {
            // Without TLS, a proxy could read the key.
            builder = builder.no_proxy();
        }
        let authorization = match api_key {
            Some(key) => {
                let mut value = HeaderValue::try_from(format!("Bearer {}", key.reveal()))
                    .map_err(|_| CliError::usage("The API key has invalid characters.", "Copy the whole key again."))?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        Ok(Self {
            http: builder.build().map_err(|error| unusable(&error))?,
            origin,
            authorization,
        })
    }

    pub(crate) async fn get(&self, path: &[&str]) -> Result<Answer, CliError> {
        self.get_with(path, &[]).await
    }

    pub(crate) async fn get_with(&self, path: &[&str], query: &[(&str, &str)]) -> Result<Answer, CliError> {
        self.send(Call {
            method: Method::GET,
            path,
            query,
            body: None,
            if_match: None,
            is_repeatable: true,
        })
        .await
    }

    /// Returns a whole list: all pages as one, with items as the API sent them.
    pub(crate) async fn list(&self, path: &[&str]) -> Result<Answer, CliError> {
        self.list_with(path, &[]).await
    }

    /// Like [`Self::list`], with query filters.
    pub(crate) async fn list_with(&self, path: &[&str], filters: &[(&str, &str)]) -> Result<Answer, CliError> {
        let mut items: Vec<Box<RawValue>> = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let mut query = vec![("limit", PAGE_ITEMS)];
            query.extend(filters);
            query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let mut page: Page = self.get_with(path, &query).await?.read()?;
            let is_stuck = page.items.is_empty() || page.next_cursor == cursor;
            items.append(&mut page.items);
            if page.next_cursor.is_none() || is_stuck {
                break;
            }
            cursor = page.next_cursor;
        }
        let texts: Vec<&str> = items.iter().map(|item| item.get()).collect();
        Ok(Answer {
            body: format!(r#"{{"items":[{}],"nextCursor":null}}"#, texts.join(",")),
            etag: None,
        })
    }

    /// Creates a resource exactly once: all attempts carry the same Idempotency-Key.
    pub(crate) async fn post(&self, path: &[&str], body: &serde_json::Value) -> Result<Answer, CliError> {
        self.send(Call {
            method: Method::POST,
            path,
            query: &[],
            body: Some(body.to_string()),
            if_match: None,
            is_repeatable: true,
        })
        .await
    }

    /// Updates a resource if it still matches `etag`.
    pub(crate) async fn patch(
        &self,
        path: &[&str],
        body: &serde_json::Value,
        etag: Option<&str>,
    ) -> Result<Answer, CliError> {
        self.send(Call {
            method: Method::PATCH,
            path,
            query: &[],
            body: Some(body.to_string()),
            if_match: etag,
            is_repeatable: false,
        })
        .await
    }

    /// Deletes a resource if it still matches `etag`.
    pub(crate) async fn delete(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
        etag: Option<&str>,
    ) -> Result<Answer, CliError> {
        self.send(Call {
            method: Method::DELETE,
            path,
            query,
            body: None,
            if_match: etag,
            is_repeatable: false,
        })
        .await
    }

    async fn send(&self, call: Call<'_>) -> Result<Answer, CliError> {
        let url = resource(&self.origin, call.path, call.query)?;
        let headers = self.headers(&call)?;
        let mut made = 0;
        loop {
            made += 1;
            let mut request = self
                .http
                .request(call.method.clone(), url.clone())
                .headers(headers.clone());
            if let Some(body) = &call.body {
                request = request.body(body.clone());
            }
            let (attempt, error) = match attempt(request).await {
                Ok(answer) => return Ok(answer),
                Err(Failed::Answered { error, attempt }) => (attempt, error),
                Err(Failed::Unanswered(error)) => (Attempt::Unanswered, self.unanswered(&call, &error)),
            };
            match pause_before_next(made, call.is_repeatable, attempt, rand::random_range(0..=100)) {
                Some(pause) => {
                    if pause >= UNEXPLAINED_PAUSE {
                        eprintln!("Rate limit reached. Retrying in {} s.", pause.as_secs());
                    }
                    tokio::time::sleep(pause).await;
                }
                None => return Err(error),
            }
        }
    }

    fn headers(&self, call: &Call<'_>) -> Result<HeaderMap, CliError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        if call.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let unusable = |_| CliError::usage("A request header is invalid.", "Try again.");
        if call.method == Method::POST {
            let key = uuid::Uuid::new_v4().to_string();
            headers.insert("idempotency-key", HeaderValue::try_from(key).map_err(unusable)?);
        }
        if let Some(etag) = call.if_match {
            headers.insert(IF_MATCH, HeaderValue::try_from(etag).map_err(unusable)?);
        }
        Ok(headers)
    }

    fn unanswered(&self, call: &Call<'_>, error: &reqwest::Error) -> CliError {
        let is_change = call.method != Method::GET;
        let remedy = if is_change && !error.is_connect() {
            "The change may or may not have been made. Check before you try again."
        } else {
            "Check the address, your network and whether the installation is running. Then try again."
        };
        CliError::new(
            Exit::Network,
            format!("No response from {}: {}.", self.origin, root_cause(error)),
            remedy,
        )
    }
}

enum Failed {
    Answered { error: CliError, attempt: Attempt },
    Unanswered(reqwest::Error),
}

async fn attempt(request: reqwest::RequestBuilder) -> Result<Answer, Failed> {
    let response = request.send().await.map_err(Failed::Unanswered)?;
    let status = response.status();
    let text_of = |name: &str| {
        response
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    let etag = text_of(ETAG.as_str());
    let request_id = text_of("x-request-id");
    let location = text_of("location");
    // The API never uses the other format, a date.
    let retry_after = text_of(RETRY_AFTER.as_str())
        .and_then(|text| text.parse().ok())
        .map(Duration::from_secs);
    let body = response.text().await.map_err(Failed::Unanswered)?;
    if status.is_success() {
        return Ok(Answer { body, etag });
    }
    let error = if status.is_redirection() {
        redirected(status, location.as_deref())
    } else {
        explain(Refusal {
            status: status.as_u16(),
            body: &body,
            request_id,
            retry_after,
        })
    };
    let attempt = Attempt::Answered {
        status: status.as_u16(),
        retry_after,
    };
    Err(Failed::Answered { error, attempt })
}

fn redirected(status: StatusCode, location: Option<&str>) -> CliError {
    CliError::new(
        Exit::Network,
        format!(
            "The address redirects (HTTP status {}): {}.",
            status.as_u16(),
            location.unwrap_or("no target given")
        ),
        "If you trust the target, use its address. API keys are not sent to redirect targets.",
    )
}

/// `reqwest` reports only "error sending request"; its chain of sources contains the cause.
fn root_cause(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it timed out".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests;
