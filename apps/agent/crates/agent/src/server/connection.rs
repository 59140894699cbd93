//! Serves one connection and sends responses in request order. Produce requests overlap; all other requests run alone,
//! as on a Kafka broker.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesOrdered;
use futures_util::{FutureExt as _, StreamExt as _};
use penstock_authz::Principal;
use penstock_handlers::{Answer, Client, Dispatched, Refusal, dispatch};
use penstock_wire::EncodeError;
use prometheus_client::metrics::gauge::Gauge;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::admission::{Admission, NoPlace};
use super::frame_reader::{FrameError, FrameReader, ReceivedFrame};
use super::frame_writer::write_frame;
use super::peer_certificate::PeerCertificate;
use super::read_ahead::ReadAhead;
use super::session::{Reply, Route, Session, SessionEnd};
use super::tls::{PrincipalError, TlsIdentity};
use super::{Listener, Shared, stopped};

/// Maximum number of Produce requests per connection that await their commit. Clients keep from 5 (Java) to a few dozen
/// in flight.
const MAX_ADMITTED: usize = 256;
/// Size of a write above which no further response is added to it.
const JOINED_BYTES: usize = 64 << 10;
/// How long admitted records may take to be stored and acknowledged on shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(25);
/// How long any other request may take on shutdown. Its client can send it elsewhere.
const ALONE_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
/// Time limit for the TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for the TLS close notification, by which the client tells a regular end from a broken connection.
const TLS_CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Kafka's default for `connection.failed.authentication.delay.ms`. Slows down immediate retries and password guessing.
const FAILED_SIGN_IN_DELAY: Duration = Duration::from_millis(100);

/// Delay before closing a connection after an invalid request. Some clients reconnect immediately, thousands of times a
/// second.
const BAD_REQUEST_DELAY: Duration = Duration::from_millis(100);

/// Mechanism label for client certificates in metrics.
const TLS: &str = "TLS";

/// Why the agent closed a connection.
#[derive(Debug, Error)]
pub(super) enum CloseReason {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error("cannot encode the response in the request's version: {0}")]
    Unanswerable(#[from] EncodeError),
    #[error(transparent)]
    Session(#[from] SessionEnd),
    #[error(transparent)]
    Principal(#[from] PrincipalError),
    #[error("the client's certificate is no longer accepted: {0}")]
    Certificate(rustls::Error),
    #[error("TLS handshake failed: {0}")]
    Handshake(io::Error),
    #[error("the TLS handshake took longer than {} s", HANDSHAKE_TIMEOUT.as_secs())]
    SlowHandshake,
    #[error(transparent)]
    NoPlace(#[from] NoPlace),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl CloseReason {
    /// A peer that disconnects during the handshake is usually a load balancer's health probe, not a failure.
    fn of_handshake(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
                Self::Io(error)
            }
            _ => Self::Handshake(error),
        }
    }

    /// Returns true if the request was invalid, rather than its sender unauthorized.
    fn is_bad_request(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Frame(_) | Self::Unanswerable(_))
    }
}

/// Serves the connection until it closes.
pub(super) async fn serve(
    shared: &Shared,
    listener: &Listener,
    admission: Admission,
    mut socket: TcpStream,
    peer: SocketAddr,
    stop: watch::Receiver<bool>,
) {
    let _counted = Counted::begin(shared.context.metrics.connections_of(&listener.name));
    // Responses are written whole, so Nagle's algorithm would only delay them.
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%peer, %error, "cannot set TCP_NODELAY");
    }
    let closed = match &listener.tls {
        None => {
            let (mut incoming, mut outgoing) = socket.split();
            let session = new_session(shared, listener, peer, None);
            serve_requests(shared, (&mut incoming, &mut outgoing), (session, None), admission, stop).await
        }
        // Boxed separately, so that plaintext connections don't hold the memory of a TLS one.
        Some(identity) => Box::pin(serve_tls(shared, listener, identity, admission, (socket, peer), stop)).await,
    };
    match closed {
        Ok(()) => tracing::debug!(%peer, "connection closed"),
        Err(CloseReason::Frame(FrameError::Io(error)) | CloseReason::Io(error)) => {
            tracing::debug!(%peer, %error, "connection broken")
        }
        Err(CloseReason::Frame(FrameError::Idle)) => tracing::debug!(%peer, "closed an idle connection"),
        Err(closed) => {
            if closed.is_bad_request() {
                shared.context.metrics.refused_requests.inc();
            }
            shared.log_limit.warn(|| {
                format!(
                    "closed the connection of {peer} on listener {}: {closed}",
                    listener.name
                )
            });
        }
    }
}

/// Serves a connection without TLS over any stream.
#[cfg(any(feature = "fuzzing", feature = "simulation"))]
pub(super) async fn serve_stream(
    shared: &Shared,
    listener: &Listener,
    admission: Admission,
    stream: impl AsyncRead + AsyncWrite,
    stop: watch::Receiver<bool>,
) {
    let peer = SocketAddr::from(([127, 0, 0, 1], 1));
    let session = new_session(shared, listener, peer, None);
    let (mut incoming, mut outgoing) = tokio::io::split(stream);
    let closed = serve_requests(shared, (&mut incoming, &mut outgoing), (session, None), admission, stop).await;
    if let Err(closed) = closed {
        // The message contains client input. It is formatted for each connection, not only for those that are logged.
        std::hint::black_box(closed.to_string());
    }
}

/// Counts as a connection of its listener until dropped.
struct Counted(Gauge);

impl Counted {
    fn begin(connections: Gauge) -> Self {
        connections.inc();
        Self(connections)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn new_session(shared: &Shared, listener: &Listener, peer: SocketAddr, certificate: Option<Principal>) -> Session {
    let client = Client::anonymous(peer, Arc::clone(&listener.name));
    Session::new(
        client,
        certificate,
        (&shared.authority, &listener.mechanisms),
        &shared.context.metrics,
    )
}

async fn serve_tls(
    shared: &Shared,
    listener: &Listener,
    identity: &TlsIdentity,
    mut admission: Admission,
    (socket, peer): (TcpStream, SocketAddr),
    mut stop: watch::Receiver<bool>,
) -> Result<(), CloseReason> {
    let mut current = identity.subscribe();
    let config = Arc::clone(&current.borrow_and_update().config);
    let accepting = TlsAcceptor::from(config).accept(ReadAhead::new(socket));
    let handshake = timeout(HANDSHAKE_TIMEOUT, accepting);
    let stream: TlsStream<ReadAhead> = tokio::select! {
        accepted = handshake => {
            let failed = &shared.context.metrics.failed_handshakes;
            accepted
                .map_err(|_| CloseReason::SlowHandshake)
                .and_then(|accepted| accepted.map_err(CloseReason::of_handshake))
                .inspect_err(|closed| {
                    if !matches!(closed, CloseReason::Io(_)) {
                        failed.inc();
                    }
                })?
        }
        () = admission.crowded_out() => return Err(NoPlace::CrowdedOut.into()),
        () = stopped(&mut stop) => return Ok(()),
    };
    let metrics = &shared.context.metrics;
    let chain = stream.get_ref().1.peer_certificates();
    let principal = identity
        .principal(chain)
        .inspect_err(|_| metrics.count_authentication(TLS, false))?;
    if principal.is_some() {
        metrics.count_authentication(TLS, true);
    }
    let certificate = chain.and_then(|chain| PeerCertificate::new(chain.to_vec(), current));
    let session = new_session(shared, listener, peer, principal);
    let (mut incoming, mut outgoing) = tokio::io::split(stream);
    let session = (session, certificate);
    let closed = serve_requests(shared, (&mut incoming, &mut outgoing), session, admission, stop).await;
    let _ = timeout(TLS_CLOSE_TIMEOUT, outgoing.shutdown()).await;
    closed
}

/// The requests in flight.
#[derive(Default)]
struct InFlightRequests {
    answers: FuturesOrdered<Answer>,
    /// The Produce request being admitted. Later requests wait for it.
    admitting: Option<BoxFuture<'static, Answer>>,
    /// True if the request in `answers` runs alone.
    exclusive: bool,
    /// The next request to run alone, once `answers` is empty.
    next_exclusive: Option<Answer>,
}

impl InFlightRequests {
    /// Returns true if another request can be dispatched. `needs_all_answered`: it requires that all earlier ones are
    /// answered.
    fn admits(&self, needs_all_answered: bool) -> bool {
        let most = if needs_all_answered { 1 } else { MAX_ADMITTED };
        !self.exclusive && self.admitting.is_none() && self.next_exclusive.is_none() && self.answers.len() < most
    }

    fn add(&mut self, dispatched: Dispatched) {
        match dispatched {
            Dispatched::Admitted(answer) => self.answers.push_back(answer),
            Dispatched::Admitting(admitting) => self.admitting = Some(admitting),
            Dispatched::Alone(answer) => self.next_exclusive = Some(answer),
        }
        self.turn();
    }

    /// Waits for the next step of the requests. `None`: there are none.
    async fn progress(&mut self) -> Option<Progress> {
        let Self { answers, admitting, .. } = self;
        let Some(checked) = admitting else {
            return answers.next().await.map(Progress::Answered);
        };
        let answer = tokio::select! {
            Some(answer) = answers.next(), if !answers.is_empty() => return Some(Progress::Answered(answer)),
            answer = checked => answer,
        };
        *admitting = None;
        answers.push_back(answer);
        Some(Progress::Admitted)
    }

    /// Starts the next exclusive request, if it is its turn.
    fn turn(&mut self) {
        if self.answers.is_empty() {
            self.exclusive = self.next_exclusive.is_some();
            self.answers.extend(self.next_exclusive.take());
        }
    }
}

/// A step in the progress of the requests.
enum Progress {
    /// The first request has been answered.
    Answered(Result<penstock_handlers::Response, EncodeError>),
    /// The Produce request has been admitted, so others can follow it.
    Admitted,
}

async fn serve_requests<Incoming, Outgoing>(
    shared: &Shared,
    streams: (&mut Incoming, &mut Outgoing),
    session: (Session, Option<PeerCertificate>),
    mut admission: Admission,
    stop: watch::Receiver<bool>,
) -> Result<(), CloseReason>
where
    Incoming: AsyncRead + Unpin,
    Outgoing: AsyncWrite + Unpin,
{
    let closed = serve_until_closed(shared, streams, session, &mut admission, stop).await;
    if matches!(closed, Err(CloseReason::Refused(_) | CloseReason::Unanswerable(_))) {
        sleep(BAD_REQUEST_DELAY).await;
    }
    closed
}

async fn serve_until_closed<Incoming, Outgoing>(
    shared: &Shared,
    (incoming, outgoing): (&mut Incoming, &mut Outgoing),
    (mut session, mut certificate): (Session, Option<PeerCertificate>),
    admission: &mut Admission,
    mut stop: watch::Receiver<bool>,
) -> Result<(), CloseReason>
where
    Incoming: AsyncRead + Unpin,
    Outgoing: AsyncWrite + Unpin,
{
    let throttled_us = Arc::clone(&shared.context.metrics.counters.throttled_us);
    let mut frames = FrameReader::new(&shared.limits, throttled_us, Arc::clone(&session.client().sender));
    let mut in_flight = InFlightRequests::default();
    let mut read_ahead: Option<ReceivedFrame> = None;
    // When a client that exceeded its quota is read from again.
    let mut held_until: Option<Instant> = None;
    loop {
        held_until = held_until.filter(|until| *until > Instant::now());
        let is_admitted = session.may_use_everything();
        if is_admitted {
            admission.complete(shared)?;
        }
        if let Some(frame) =
            read_ahead.take_if(|frame| held_until.is_none() && in_flight.admits(session.runs_alone(&frame.bytes)))
        {
            match session.route(&frame.bytes)? {
                Route::Dispatch => {
                    in_flight.add(dispatch(&shared.context, frame.bytes, frame.memory, session.client())?);
                }
                Route::Authenticate => {
                    let ends_at = session.ends_at();
                    let reply = tokio::select! {
                        reply = session.authenticate(frame.bytes) => Some(reply?),
                        () = at(ends_at) => None,
                        () = stopped(&mut stop) => return Ok(()),
                    };
                    let reply = reply.ok_or_else(|| session.time_is_up())?;
                    send_reply(shared, outgoing, reply).await?;
                }
            }
            continue;
        }
        let (limits, budget) = match is_admitted {
            true => (&shared.limits, &shared.in_flight),
            false => (&shared.unproven_limits, &shared.unproven_in_flight),
        };
        let ends_at = session.ends_at();
        tokio::select! {
            Some(progress) = in_flight.progress() => {
                if let Progress::Answered(answer) = progress {
                    let held = send(shared.limits.write_timeout, outgoing, answer, &mut in_flight).await?;
                    held_until = held_until.max(Some(Instant::now() + held));
                }
                in_flight.turn();
            }
            () = at(held_until), if held_until.is_some() => {}
            frame = frames.next(incoming, limits, budget), if read_ahead.is_none() && held_until.is_none() => {
                match frame? {
                    Some(frame) => read_ahead = Some(frame),
                    None => return Ok(()),
                }
            }
            () = session.users_changed() => session.review()?,
            error = rejected(&mut certificate) => return Err(CloseReason::Certificate(error)),
            () = admission.crowded_out() => return Err(NoPlace::CrowdedOut.into()),
            () = at(ends_at) => return Err(session.time_is_up().into()),
            () = stopped(&mut stop) => return drain(shared.limits.write_timeout, outgoing, in_flight).await,
        }
    }
}

/// Waits until the certificate is no longer accepted. Never returns without a certificate.
async fn rejected(certificate: &mut Option<PeerCertificate>) -> rustls::Error {
    match certificate {
        Some(certificate) => certificate.rejected().await,
        None => std::future::pending().await,
    }
}

/// Waits until `time`. Never returns if it is `None`.
async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

async fn send_reply(
    shared: &Shared,
    outgoing: &mut (impl AsyncWrite + Unpin),
    reply: Reply,
) -> Result<(), CloseReason> {
    if reply.end.is_some() {
        sleep(FAILED_SIGN_IN_DELAY).await;
    }
    if let Some(frame) = reply.frame {
        write_frame(outgoing, frame, shared.limits.write_timeout).await?;
    }
    match reply.end {
        Some(end) => Err(end.into()),
        None => Ok(()),
    }
}

/// Sends a response, together with ready ones that follow: requests of one data file complete at the same moment, and
/// each write costs more than the bytes in it. Returns how long to throttle the client.
async fn send(
    write_timeout: Duration,
    outgoing: &mut (impl AsyncWrite + Unpin),
    first: Result<penstock_handlers::Response, EncodeError>,
    in_flight: &mut InFlightRequests,
) -> Result<Duration, CloseReason> {
    let mut held = Duration::ZERO;
    let (mut chunks, mut memory, mut unanswerable) = (Vec::new(), Vec::new(), None);
    let mut bytes = 0;
    let mut next = Some(first);
    while let Some(answer) = next {
        match answer {
            Ok(response) => {
                held = held.max(response.held);
                memory.extend(response.memory);
                if let Some(frame) = response.frame {
                    bytes += frame.chunks.iter().map(Bytes::len).sum::<usize>();
                    chunks.extend(frame.chunks);
                }
            }
            Err(error) => unanswerable = Some(error),
        }
        let may_join = unanswerable.is_none() && bytes < JOINED_BYTES;
        next = may_join
            .then(|| in_flight.answers.next().now_or_never())
            .flatten()
            .flatten();
    }
    if !chunks.is_empty() {
        write_frame(outgoing, chunks, write_timeout).await?;
    }
    drop(memory);
    unanswerable.map_or(Ok(held), |error| Err(error.into()))
}

/// Answers the admitted requests without accepting new ones.
async fn drain(
    write_timeout: Duration,
    outgoing: &mut (impl AsyncWrite + Unpin),
    mut in_flight: InFlightRequests,
) -> Result<(), CloseReason> {
    let drain_timeout = if in_flight.exclusive {
        ALONE_DRAIN_TIMEOUT
    } else {
        DRAIN_TIMEOUT
    };
    let answering = async {
        while let Some(progress) = in_flight.progress().await {
            if let Progress::Answered(answer) = progress {
                send(write_timeout, outgoing, answer, &mut in_flight).await?;
            }
        }
        Ok(())
    };
    tokio::time::timeout(drain_timeout, answering).await.unwrap_or(Ok(()))
}

#[cfg(test)]
mod tests;
