//! Serves one connection and sends responses in the order of the requests. Produce requests overlap; all other requests run alone, as on
//! a Kafka broker.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use penstock_handlers::{Answer, Client, Dispatched, Refusal, dispatch};
use penstock_wire::EncodeError;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::net::tcp::WriteHalf;
use tokio::sync::watch;

use super::frame_reader::{FrameError, FrameReader, ReceivedFrame};
use super::frame_writer::write_frame;
use super::{Shared, stopped};

/// Produce requests of one connection that may wait for their commit. Clients keep 5 (Java) to some dozens in flight.
const MAX_ADMITTED: usize = 256;
/// When the agent stops: how long admitted records may take to be stored and answered, ...
const DRAIN_TIMEOUT: Duration = Duration::from_secs(25);
/// ... and any other request, which its client can send elsewhere.
const ALONE_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a connection was closed by us.
#[derive(Debug, Error)]
enum CloseReason {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error("cannot encode the response in the request's version: {0}")]
    Unanswerable(#[from] EncodeError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves the connection to its end.
pub(super) async fn serve(shared: &Shared, mut socket: TcpStream, peer: SocketAddr, stop: watch::Receiver<bool>) {
    // Answers are written whole; waiting for more would only delay them.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%peer, %error, "cannot set TCP_NODELAY");
    }
    match serve_requests(shared, &mut socket, peer, stop).await {
        Ok(()) => tracing::debug!(%peer, "connection closed"),
        Err(CloseReason::Frame(FrameError::Io(error)) | CloseReason::Io(error)) => {
            tracing::debug!(%peer, %error, "connection broken")
        }
        Err(CloseReason::Frame(FrameError::Idle)) => tracing::debug!(%peer, "closed an idle connection"),
        Err(closed) => {
            shared.context.metrics.refused_requests.inc();
            shared
                .log_limit
                .warn(|| format!("closed the connection of {peer}: {closed}"));
        }
    }
}

/// The requests that are under way.
#[derive(Default)]
struct InFlightRequests {
    answers: FuturesOrdered<Answer>,
    /// The one in `answers` runs alone.
    exclusive: bool,
    /// Runs alone, when `answers` is empty.
    next_exclusive: Option<Answer>,
}

impl InFlightRequests {
    /// Whether another request may be dispatched.
    fn admits(&self) -> bool {
        !self.exclusive && self.next_exclusive.is_none() && self.answers.len() < MAX_ADMITTED
    }

    fn add(&mut self, dispatched: Dispatched) {
        match dispatched {
            Dispatched::Admitted(answer) => self.answers.push_back(answer),
            Dispatched::Alone(answer) => self.next_exclusive = Some(answer),
        }
        self.turn();
    }

    /// Lets the next request that runs alone begin, if it is its turn.
    fn turn(&mut self) {
        if self.answers.is_empty() {
            self.exclusive = self.next_exclusive.is_some();
            self.answers.extend(self.next_exclusive.take());
        }
    }
}

async fn serve_requests(
    shared: &Shared,
    socket: &mut TcpStream,
    peer: SocketAddr,
    mut stop: watch::Receiver<bool>,
) -> Result<(), CloseReason> {
    let (mut incoming, mut outgoing) = socket.split();
    let throttled_us = Arc::clone(&shared.context.metrics.counters.throttled_us);
    let mut frames = FrameReader::new(&shared.limits, throttled_us);
    let client = Client::anonymous(peer.ip());
    let mut in_flight = InFlightRequests::default();
    let mut read_ahead: Option<ReceivedFrame> = None;
    loop {
        if in_flight.admits()
            && let Some(frame) = read_ahead.take()
        {
            in_flight.add(dispatch(&shared.context, frame.bytes, frame.memory, &client)?);
            continue;
        }
        tokio::select! {
            Some(answer) = in_flight.answers.next(), if !in_flight.answers.is_empty() => {
                send(shared, &mut outgoing, answer).await?;
                in_flight.turn();
            }
            frame = frames.next(&mut incoming, &shared.limits, &shared.in_flight), if read_ahead.is_none() => {
                match frame? {
                    Some(frame) => read_ahead = Some(frame),
                    None => return Ok(()),
                }
            }
            () = stopped(&mut stop) => return drain(shared, &mut outgoing, in_flight).await,
        }
    }
}

async fn send(
    shared: &Shared,
    outgoing: &mut WriteHalf<'_>,
    answer: Result<Option<penstock_handlers::Response>, EncodeError>,
) -> Result<(), CloseReason> {
    if let Some(response) = answer? {
        let chunks: Vec<Bytes> = response.frame.chunks;
        write_frame(outgoing, chunks, shared.limits.write_timeout).await?;
        drop(response.memory);
    }
    Ok(())
}

/// Answers what was admitted, and nothing new.
async fn drain(
    shared: &Shared,
    outgoing: &mut WriteHalf<'_>,
    mut in_flight: InFlightRequests,
) -> Result<(), CloseReason> {
    let patience = if in_flight.exclusive {
        ALONE_DRAIN_TIMEOUT
    } else {
        DRAIN_TIMEOUT
    };
    let answering = async {
        while let Some(answer) = in_flight.answers.next().await {
            send(shared, outgoing, answer).await?;
        }
        Ok(())
    };
    tokio::time::timeout(patience, answering).await.unwrap_or(Ok(()))
}
