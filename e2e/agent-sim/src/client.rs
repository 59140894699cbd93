//! A Kafka client's connection: one request at a time, over the real wire format.

use std::time::Duration;

use bytes::Bytes;
use penstock_wire::{Reader, Request, decode_response, encode_request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::{sleep, timeout};

use crate::fleet::Fleet;
use crate::weather::Weather;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
const RECONNECT: (u64, u64) = (50, 400);

/// No answer: the request may have taken effect or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost;

/// A client that connects to any agent, and to another one when that fails.
pub(crate) struct Client {
    pub(crate) name: String,
    fleet: Fleet,
    pub(crate) weather: Weather,
    /// The only agent that it uses; absent: any.
    agent: Option<usize>,
    stream: Option<DuplexStream>,
    correlation_id: i32,
}

impl Client {
    pub(crate) fn new(name: String, fleet: &Fleet, weather: &Weather) -> Self {
        Self {
            weather: weather.stream(&name),
            name,
            fleet: fleet.clone(),
            agent: None,
            stream: None,
            correlation_id: 0,
        }
    }

    /// Lets it use this agent only.
    pub(crate) fn at(mut self, agent: usize) -> Self {
        self.agent = Some(agent);
        self
    }

    /// Sends a request and waits for its answer. Pauses before it reports a failure.
    pub(crate) async fn call<R: Request>(&mut self, request: &R, version: i16) -> Result<R::Response, Lost> {
        sleep(self.weather.millis(0, 3)).await;
        let answer = timeout(REQUEST_TIMEOUT, self.exchange(request, version)).await;
        match answer {
            Ok(Some(answer)) => Ok(answer),
            _ => {
                self.stream = None;
                sleep(self.weather.millis(RECONNECT.0, RECONNECT.1)).await;
                Err(Lost)
            }
        }
    }

    async fn exchange<R: Request>(&mut self, request: &R, version: i16) -> Option<R::Response> {
        if self.stream.is_none() {
            let any = self.weather.below(self.fleet.len());
            self.stream = self.fleet.connect(self.agent.unwrap_or(any));
        }
        let stream = self.stream.as_mut()?;
        self.correlation_id += 1;
        let frame = encode_request(request, version, self.correlation_id, Some(&self.name)).ok()?;
        stream.write_all(&frame.to_bytes()).await.ok()?;
        if let Some(fault) = self
            .weather
            .fault(100, || "the connection breaks while the agent works".to_owned())
        {
            sleep(fault.millis(0, 400)).await;
            return None;
        }
        let length = stream.read_u32().await.ok()?;
        let mut body = vec![0; length as usize];
        stream.read_exact(&mut body).await.ok()?;
        let (correlation_id, response) = decode_response::<R>(&mut Reader::new(Bytes::from(body)), version).ok()?;
        (correlation_id == self.correlation_id).then_some(response)
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.stream.is_some()
    }

    /// Leaves this agent, for the next request to go to any.
    pub(crate) fn reconnect(&mut self) {
        self.stream = None;
    }
}
