//! An agent's connection to the metadata service: Connect requests become frames of the bridge, and some get lost.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::StreamExt as _;
use futures_util::stream;
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use penstock_metadata_client::proto::{CompleteJobRequest, CompleteJobResponse, ConfirmDeletionsRequest};
use penstock_metadata_client::{Disconnected, Exchange, ResponseBody};
use prost::Message as _;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::bridge::{Answer, Bridge, Call};
use crate::busy::Busy;
use crate::weather::Weather;

const ENVELOPE_HEADER_BYTES: usize = 5;
const FLAG_END_OF_STREAM: u8 = 2;
/// As long as the pings of HTTP/2 take to notice a silent peer.
const SILENCE: Duration = Duration::from_secs(8);
/// How long it takes to see that a connection was reset.
const RESET: Duration = Duration::from_millis(3);
const LOST_IN: u32 = 60;
/// Pause of a caller before it tries again.
pub(crate) const RETRY: Duration = Duration::from_millis(300);

/// A link that can be cut.
#[derive(Clone)]
pub(crate) struct Link {
    bridge: Bridge,
    weather: Weather,
    busy: Busy,
    is_cut: Arc<AtomicBool>,
}

impl fmt::Debug for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Link").finish_non_exhaustive()
    }
}

/// Cancels a call whose caller has gone.
struct Pending {
    bridge: Bridge,
    id: u64,
    /// The service cannot know that the caller has gone.
    is_unnoticed: bool,
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.is_unnoticed {
            self.bridge.forget(self.id);
        } else {
            self.bridge.cancel(self.id);
        }
    }
}

impl Link {
    /// `agent` names whose link it is.
    pub(crate) fn new(agent: &str, bridge: Bridge, weather: &Weather, busy: &Busy) -> Self {
        Self {
            bridge,
            weather: weather.stream(&format!("link-{agent}")),
            busy: busy.clone(),
            is_cut: Arc::default(),
        }
    }

    /// Cuts the link or mends it.
    pub(crate) fn set_cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }

    async fn travel(&self) -> Result<(), Disconnected> {
        sleep(self.weather.millis(0, 4)).await;
        if self.is_cut.load(Ordering::Relaxed) {
            sleep(SILENCE).await;
            return Err(Disconnected("the network is cut".to_owned()));
        }
        Ok(())
    }

    async fn call(&self, call: &Call<'_>) -> Result<Response<ResponseBody>, Disconnected> {
        let fault = self
            .weather
            .fault(LOST_IN, || format!("loses a call of {} or its answer", call.method));
        let lose = fault.as_ref().map(|fault| match fault.strikes(2) {
            true => "request",
            false => "answer",
        });
        let (id, answered) = self.bridge.call(call, lose);
        let pending = Pending {
            bridge: self.bridge.clone(),
            id,
            is_unnoticed: lose.is_some(),
        };
        if let Some(fault) = fault {
            // The call goes on without its caller, who may come back before it has ended.
            let is_silent = fault.strikes(2);
            sleep(if is_silent { SILENCE } else { RESET }).await;
            return Err(Disconnected("the connection was reset".to_owned()));
        }
        let answer = answered
            .await
            .map_err(|_| Disconnected("the process has gone".to_owned()))?;
        drop(pending);
        self.count(call.method, call.body, &answer);
        self.travel().await?;
        check_reset(&answer)?;
        Ok(response_of(answer))
    }

    /// Counts the jobs and deletions that agents have completed.
    fn count(&self, method: &str, body: &[u8], answer: &Answer) {
        if !answer.header["error"].is_null() {
            return;
        }
        match method {
            "CompleteJob" => {
                let is_applied = CompleteJobResponse::decode(&*answer.body).is_ok_and(|answer| answer.applied);
                let is_cleaning = CompleteJobRequest::decode(body).is_ok_and(|request| request.compact);
                match (is_applied, is_cleaning) {
                    (true, true) => self.bridge.count("compactions", 1),
                    (true, false) => self.bridge.count("merges", 1),
                    (false, _) => self.bridge.count("refused", 1),
                }
            }
            "ConfirmDeletions" => {
                let files = ConfirmDeletionsRequest::decode(body).map_or(0, |request| request.file_ids.len());
                self.bridge.count("deletedFiles", files as u64);
            }
            _ => {}
        }
    }

    fn watch(&self, call: &Call<'_>) -> Response<ResponseBody> {
        let (id, events) = self.bridge.open(call);
        let pending = Pending {
            bridge: self.bridge.clone(),
            id,
            is_unnoticed: false,
        };
        let state = (self.clone(), events, Some(pending));
        let chunks = stream::unfold(state, |(link, mut events, pending)| async move {
            pending.as_ref()?;
            let chunk = link.next_chunk(&mut events).await;
            let is_last = match &chunk {
                Err(_) => true,
                Ok(chunk) => chunk.first() == Some(&FLAG_END_OF_STREAM),
            };
            Some((chunk, (link, events, pending.filter(|_| !is_last))))
        });
        Response::new(chunks.boxed())
    }

    async fn next_chunk(&self, events: &mut mpsc::UnboundedReceiver<Answer>) -> Result<Bytes, Disconnected> {
        let event = events
            .recv()
            .await
            .ok_or_else(|| Disconnected("the process has gone".to_owned()))?;
        self.travel().await?;
        let fault = self.weather.fault(400, || "cuts the watch stream".to_owned());
        if fault.is_some() {
            return Err(Disconnected("the watch stream was cut".to_owned()));
        }
        if event.header["type"] == "event" {
            return Ok(envelope(0, &event.body));
        }
        check_reset(&event)?;
        let error = &event.header["error"];
        let end = match error.is_null() {
            true => json!({}),
            false => json!({
                "error": {"code": error["code"], "message": error["message"]},
                "metadata": lists_of(&error["metadata"]),
            }),
        };
        Ok(envelope(FLAG_END_OF_STREAM, end.to_string().as_bytes()))
    }
}

#[async_trait]
impl Exchange for Link {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, Disconnected> {
        let _on_its_way = self.busy.begin();
        self.travel().await?;
        let (head, body) = request.into_parts();
        let method = head.uri.path().rsplit('/').next().unwrap_or_default();
        let headers: Map<String, Value> = head
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), json!(value.to_str().unwrap_or_default())))
            .collect();
        let headers = Value::Object(headers);
        let is_watch = method == "Watch";
        let call = Call {
            url: &format!(
                "{}://{}/",
                head.uri.scheme_str().unwrap_or_default(),
                head.uri.authority().map_or("", |authority| authority.as_str())
            ),
            method,
            headers: &headers,
            body: if is_watch {
                body.get(ENVELOPE_HEADER_BYTES..).unwrap_or_default()
            } else {
                &body
            },
        };
        match is_watch {
            true => Ok(self.watch(&call)),
            false => self.call(&call).await,
        }
    }
}

/// A process that died or could not be reached answers nothing.
fn check_reset(answer: &Answer) -> Result<(), Disconnected> {
    match answer.header["reset"] == true {
        true => Err(Disconnected("the connection was reset".to_owned())),
        false => Ok(()),
    }
}

fn envelope(flags: u8, payload: &[u8]) -> Bytes {
    let mut envelope = BytesMut::with_capacity(ENVELOPE_HEADER_BYTES + payload.len());
    envelope.put_u8(flags);
    envelope.put_u32(u32::try_from(payload.len()).unwrap_or(u32::MAX));
    envelope.extend_from_slice(payload);
    envelope.freeze()
}

/// Metadata with a list of values per name, as the end of a stream has it.
fn lists_of(metadata: &Value) -> Value {
    let lists = metadata.as_object().into_iter().flatten().map(|(name, value)| {
        let list = if value.is_array() {
            value.clone()
        } else {
            json!([value])
        };
        (name.clone(), list)
    });
    Value::Object(lists.collect())
}

fn response_of(answer: Answer) -> Response<ResponseBody> {
    let error = &answer.header["error"];
    let (status, body, metadata) = if error.is_null() {
        (StatusCode::OK, answer.body, &answer.header["metadata"])
    } else {
        (status_of(error), answer.body, &error["metadata"])
    };
    let body: ResponseBody = stream::iter([Ok(body)]).boxed();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    for (name, value) in metadata.as_object().into_iter().flatten() {
        let value = value.as_array().and_then(|values| values.first()).unwrap_or(value);
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::try_from(text)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

fn status_of(error: &Value) -> StatusCode {
    let status = error["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    status
        .and_then(|status| StatusCode::from_u16(status).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
