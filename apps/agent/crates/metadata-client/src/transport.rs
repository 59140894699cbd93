//! The Connect protocol over HTTP/2: unary calls as plain POSTs, and the watch stream as enveloped messages.
//! https://connectrpc.com/docs/protocol

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes, BytesMut};
use futures_util::StreamExt as _;
use futures_util::stream::{BoxStream, Stream};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use prost::Message;
use serde::Deserialize;
use url::Url;

use crate::error::RpcError;
use crate::exchange::{Disconnected, Exchange, ResponseBody};
use crate::witness::{JOURNAL_POSITION, Witness};

pub(crate) const SERVICE: &str = "penstock.metadata.v1.MetadataService";
const OWNER_URL: &str = "penstock-owner-url";
const CLUSTER_STOPPED: &str = "penstock-cluster-stopped";
const ADDRESS_UNCONFIRMED: &str = "penstock-address-unconfirmed";
const RETRY_AFTER: &str = "retry-after";
/// Header of W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const CONTENT_TYPE: HeaderName = http::header::CONTENT_TYPE;
const ENVELOPE_HEADER_BYTES: usize = 5;
const FLAG_COMPRESSED: u8 = 1;
const FLAG_END_OF_STREAM: u8 = 2;
/// Maximum envelope size. No event comes near it, so a larger length means that the stream is corrupt.
const MAX_ENVELOPE_BYTES: usize = 256 << 20;
/// Why an attempt failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// No usable response: the process is unreachable, or disconnected during the call.
    Connection(String),
    /// The service returned an error, and may have named the cluster's owner.
    Rpc { error: RpcError, owner_url: Option<String> },
}

/// Sends requests to a given URL.
#[derive(Debug)]
pub(crate) struct Transport {
    exchange: Arc<dyn Exchange>,
    headers: HeaderMap,
    /// The newest journal position that the service has sent.
    pub(crate) witness: Arc<Witness>,
}

impl Transport {
    pub(crate) fn new(exchange: Arc<dyn Exchange>, authorization: HeaderValue, cluster: HeaderValue) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(http::header::AUTHORIZATION, authorization);
        headers.insert(HeaderName::from_static("penstock-cluster"), cluster);
        headers.insert(
            HeaderName::from_static("connect-protocol-version"),
            HeaderValue::from_static("1"),
        );
        Self {
            exchange,
            headers,
            witness: Arc::default(),
        }
    }

    async fn post(
        &self,
        base: &Url,
        method: &str,
        content_type: &'static str,
        body: Bytes,
        traceparent: Option<&HeaderValue>,
    ) -> Result<Response<ResponseBody>, Failure> {
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = format!("{base}{SERVICE}/{method}")
            .parse()
            .map_err(|error: http::uri::InvalidUri| Failure::Connection(error.to_string()))?;
        let headers = request.headers_mut();
        headers.clone_from(&self.headers);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        if let Some(position) = self.witness.newest() {
            headers.insert(JOURNAL_POSITION, position);
        }
        if let Some(traceparent) = traceparent {
            headers.insert(TRACEPARENT, traceparent.clone());
        }
        Ok(self.exchange.send(request).await?)
    }

    /// Makes one attempt of a unary call. `traceparent` is its place in a trace.
    pub(crate) async fn unary(
        &self,
        base: &Url,
        method: &str,
        body: Bytes,
        traceparent: Option<&HeaderValue>,
    ) -> Result<Bytes, Failure> {
        let response = self.post(base, method, "application/proto", body, traceparent).await?;
        let (head, body) = response.into_parts();
        let bytes = whole(body).await?;
        if head.status == StatusCode::OK {
            if let Some(position) = text_of(&head.headers, JOURNAL_POSITION.as_str()) {
                self.witness.note(position);
            }
            Ok(bytes)
        } else {
            Err(refusal(head.status, &head.headers, &bytes))
        }
    }

    /// Makes one attempt to open a server stream of `M`.
    pub(crate) async fn server_stream<M: Message + Default + 'static>(
        &self,
        base: &Url,
        method: &str,
        request: &impl Message,
    ) -> Result<BoxStream<'static, Result<M, Failure>>, Failure> {
        let mut body = BytesMut::with_capacity(ENVELOPE_HEADER_BYTES + request.encoded_len());
        bytes::BufMut::put_u8(&mut body, 0);
        bytes::BufMut::put_u32(&mut body, u32::try_from(request.encoded_len()).unwrap_or(u32::MAX));
        request
            .encode(&mut body)
            .map_err(|error| Failure::Connection(error.to_string()))?;
        let response = self
            .post(base, method, "application/connect+proto", body.freeze(), None)
            .await?;
        let (head, body) = response.into_parts();
        if head.status != StatusCode::OK {
            let bytes = whole(body).await?;
            return Err(refusal(head.status, &head.headers, &bytes));
        }
        Ok(Box::pin(EnvelopeStream {
            body,
            buffer: BytesMut::new(),
            done: false,
            message: std::marker::PhantomData,
        }))
    }
}

impl From<Disconnected> for Failure {
    fn from(Disconnected(reason): Disconnected) -> Self {
        Self::Connection(reason)
    }
}

/// Receives the rest of a body. Copies nothing if it came as one chunk.
async fn whole(mut body: ResponseBody) -> Result<Bytes, Disconnected> {
    let first = body.next().await.transpose()?.unwrap_or_default();
    let Some(second) = body.next().await.transpose()? else {
        return Ok(first);
    };
    let mut bytes = BytesMut::from(first);
    bytes.extend_from_slice(&second);
    while let Some(chunk) = body.next().await.transpose()? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

#[derive(Deserialize)]
struct ErrorBody {
    code: String,
    #[serde(default)]
    message: String,
}

fn text_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

impl ErrorBody {
    /// Converts it to an error. A service that sends Retry-After is overloaded, so the call is retried. A stopped
    /// cluster and an unconfirmed host have their own errors, because their messages are for operators.
    fn into_error(self, says: impl Fn(&str) -> bool) -> RpcError {
        if says(CLUSTER_STOPPED) {
            return RpcError::ClusterStopped(self.message);
        }
        if says(ADDRESS_UNCONFIRMED) {
            return RpcError::AddressUnconfirmed(self.message);
        }
        if says(RETRY_AFTER) && self.code == "resource_exhausted" {
            return RpcError::Unavailable(self.message);
        }
        RpcError::from_code(&self.code, self.message)
    }
}

fn refusal(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
    let owner_url = text_of(headers, OWNER_URL).map(str::to_owned);
    let error = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => body.into_error(|name| headers.contains_key(name)),
        // The response is not from the service itself but, for example, from a proxy. The Connect protocol defines the
        // meaning of each status.
        Err(_) => RpcError::from_code(
            match status.as_u16() {
                401 => "unauthenticated",
                403 => "permission_denied",
                404 => "unimplemented",
                429 | 502 | 503 | 504 => "unavailable",
                _ => "unknown",
            },
            format!("HTTP status {status} from the metadata URL"),
        ),
    };
    Failure::Rpc { error, owner_url }
}

#[derive(Deserialize)]
struct EndOfStream {
    error: Option<ErrorBody>,
    #[serde(default)]
    metadata: std::collections::HashMap<String, Vec<String>>,
}

struct EnvelopeStream<M> {
    body: ResponseBody,
    buffer: BytesMut,
    done: bool,
    message: std::marker::PhantomData<fn() -> M>,
}

impl<M: Message + Default> EnvelopeStream<M> {
    /// Returns the next complete envelope in the buffer, if there is one. `Ok(None)` with `done` set means a regular
    /// end.
    fn take_buffered(&mut self) -> Result<Option<M>, Failure> {
        let Some(header) = self.buffer.first_chunk::<ENVELOPE_HEADER_BYTES>() else {
            return Ok(None);
        };
        let [flags, length @ ..] = *header;
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_ENVELOPE_BYTES || flags & FLAG_COMPRESSED != 0 {
            return Err(Failure::Connection("the watch stream is corrupt".to_owned()));
        }
        if self.buffer.len() < ENVELOPE_HEADER_BYTES + length {
            self.buffer.reserve(ENVELOPE_HEADER_BYTES + length - self.buffer.len());
            return Ok(None);
        }
        self.buffer.advance(ENVELOPE_HEADER_BYTES);
        let payload = self.buffer.split_to(length).freeze();
        if flags & FLAG_END_OF_STREAM == 0 {
            let message = M::decode(payload);
            return message
                .map(Some)
                .map_err(|error| Failure::Connection(error.to_string()));
        }
        self.done = true;
        let end: EndOfStream =
            serde_json::from_slice(&payload).map_err(|error| Failure::Connection(error.to_string()))?;
        match end.error {
            None => Ok(None),
            Some(error) => Err(Failure::Rpc {
                error: error.into_error(|name| end.metadata.contains_key(name)),
                owner_url: end.metadata.get(OWNER_URL).and_then(|values| values.first()).cloned(),
            }),
        }
    }
}

impl<M: Message + Default> Stream for EnvelopeStream<M> {
    type Item = Result<M, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if self.done {
                return Poll::Ready(None);
            }
            match self.take_buffered() {
                Ok(Some(message)) => return Poll::Ready(Some(Ok(message))),
                Ok(None) if self.done => return Poll::Ready(None),
                Ok(None) => {}
                Err(failure) => {
                    self.done = true;
                    return Poll::Ready(Some(Err(failure)));
                }
            }
            match std::task::ready!(self.body.as_mut().poll_next(context)) {
                Some(Ok(chunk)) => self.buffer.extend_from_slice(&chunk),
                Some(Err(error)) => {
                    self.done = true;
                    return Poll::Ready(Some(Err(error.into())));
                }
                None => {
                    self.done = true;
                    return Poll::Ready(Some(Err(Failure::Connection(
                        "the stream ended unexpectedly".to_owned(),
                    ))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(body: &str, headers: &HeaderMap) -> RpcError {
        match refusal(StatusCode::TOO_MANY_REQUESTS, headers, body.as_bytes()) {
            Failure::Rpc { error, .. } => error,
            Failure::Connection(text) => panic!("{text}"),
        }
    }

    #[test]
    fn retries_an_overloaded_service_but_not_an_oversized_message() {
        let body = r#"{"code":"resource_exhausted","message":"try again in 1 s"}"#;
        let mut headers = HeaderMap::new();
        assert!(!error_of(body, &headers).is_retriable());
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        assert!(error_of(body, &headers).is_retriable());
    }
}
