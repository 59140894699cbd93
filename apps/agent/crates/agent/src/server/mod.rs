//! The Kafka listeners: accept connections up to a limit, and drain them when the agent stops.

mod admission;
mod connection;
mod frame_reader;
mod frame_writer;
mod log_limit;
mod peer_certificate;
mod read_ahead;
mod session;
mod tls;
mod unproven;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use penstock_authn::{Authority, Mechanism};
use penstock_handlers::Context;
use penstock_runtime::{Instant, spawn};
use penstock_telemetry::Counters;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc, watch};

use admission::{Admission, NoPlace, OpenConnection};
use log_limit::LogLimit;
use unproven::UnprovenConnections;

pub use tls::{TlsError, TlsIdentity};

/// Pause before accepting again when the system is out of file descriptors or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Maximum request size of a client that still has to sign in.
const UNPROVEN_FRAME_BYTES: u32 = 64 << 10;
/// Total memory for the requests of such clients.
const UNPROVEN_IN_FLIGHT_BYTES: u32 = 4 << 20;

/// Limits on the resources that clients can use.
#[derive(Debug, Clone)]
pub struct ServerLimits {
    /// Maximum number of connections. More are closed immediately.
    pub max_connections: usize,
    /// Maximum number of connections in a TLS handshake or still to sign in, which do not count as connections yet. New
    /// ones replace the slowest when it is reached.
    pub max_unproven_connections: usize,
    /// Maximum size of a request.
    pub max_frame_bytes: u32,
    /// Maximum memory for requests and for records that are not stored yet.
    pub max_in_flight_bytes: u32,
    /// Time after which a connection without requests is closed.
    pub idle_timeout: Duration,
    /// Time limit for receiving a request after its first byte.
    pub frame_timeout: Duration,
    /// Time after which a client that reads no response bytes is disconnected.
    pub write_timeout: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            max_connections: 16_384,
            max_unproven_connections: 4096,
            max_frame_bytes: 100 << 20,
            max_in_flight_bytes: 256 << 20,
            // Kafka's default for `connections.max.idle.ms`.
            idle_timeout: Duration::from_secs(600),
            frame_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(60),
        }
    }
}

/// State shared by all connections.
struct Shared {
    context: Arc<Context>,
    limits: ServerLimits,
    in_flight: Arc<Semaphore>,
    authority: Arc<Authority>,
    unproven: Arc<UnprovenConnections>,
    unproven_limits: ServerLimits,
    unproven_in_flight: Arc<Semaphore>,
    open: Arc<AtomicUsize>,
    log_limit: LogLimit,
}

/// An address at which clients connect.
#[derive(Debug)]
pub struct Listener {
    /// Name that identifies the same listener on all agents.
    pub name: Arc<str>,
    /// The TLS identity. `None` for plaintext connections.
    pub tls: Option<Arc<TlsIdentity>>,
    /// The SASL mechanisms that clients may use.
    pub mechanisms: Arc<[Mechanism]>,
}

/// Serves the connections of all listeners.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

impl Server {
    /// Creates a server that is not listening yet. It counts open connections in `open`.
    #[must_use]
    pub fn new(context: Arc<Context>, authority: Arc<Authority>, limits: ServerLimits, open: Arc<AtomicUsize>) -> Self {
        let in_flight = Arc::new(Semaphore::new(limits.max_in_flight_bytes as usize));
        let unproven_limits = ServerLimits {
            max_frame_bytes: UNPROVEN_FRAME_BYTES.min(limits.max_frame_bytes),
            max_in_flight_bytes: UNPROVEN_IN_FLIGHT_BYTES,
            ..limits.clone()
        };
        let shared = Shared {
            context,
            authority,
            unproven: UnprovenConnections::new(limits.max_unproven_connections),
            unproven_in_flight: Arc::new(Semaphore::new(UNPROVEN_IN_FLIGHT_BYTES as usize)),
            unproven_limits,
            limits,
            in_flight,
            open,
            log_limit: LogLimit::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Bytes of requests being served and of records that are not stored yet.
    #[must_use]
    pub fn in_flight_bytes(&self) -> u64 {
        let free = self.shared.in_flight.available_permits() as u64;
        u64::from(self.shared.limits.max_in_flight_bytes).saturating_sub(free)
    }

    /// Accepts connections until `stop` turns true, then waits until all accepted requests are answered.
    pub async fn serve(&self, listener: Listener, socket: TcpListener, mut stop: watch::Receiver<bool>) {
        let listener = Arc::new(listener);
        // Makes the metric exist from the start, at zero.
        drop(self.shared.context.metrics.connections_of(&listener.name));
        // Each connection holds a sender. When the last one is dropped, all connections have ended.
        let (alive, mut all_ended) = mpsc::channel::<()>(1);
        loop {
            let accepted = tokio::select! {
                accepted = socket.accept() => accepted,
                () = stopped(&mut stop) => break,
            };
            match accepted {
                Ok((socket, peer)) => self.start_connection(&listener, socket, peer, stop.clone(), alive.clone()),
                Err(error) => {
                    self.shared
                        .log_limit
                        .warn(|| format!("cannot accept a connection: {error}"));
                    if is_of_this_machine(&error) {
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                }
            }
        }
        drop((listener, socket));
        drop(alive);
        // Nothing is ever sent; this returns when all senders are dropped.
        let _ = all_ended.recv().await;
    }

    /// Serves a connection over any stream, as if from a loopback address, until it ends.
    #[cfg(any(feature = "fuzzing", feature = "simulation"))]
    pub async fn serve_stream(
        &self,
        listener: &Listener,
        stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite,
        stop: watch::Receiver<bool>,
    ) {
        if let Ok(admission) = self.shared.admit(listener) {
            connection::serve_stream(&self.shared, listener, admission, stream, stop).await;
        }
    }

    fn start_connection(
        &self,
        listener: &Arc<Listener>,
        socket: tokio::net::TcpStream,
        peer: SocketAddr,
        stop: watch::Receiver<bool>,
        alive: mpsc::Sender<()>,
    ) {
        let shared = Arc::clone(&self.shared);
        let admission = match shared.admit(listener) {
            Ok(admission) => admission,
            Err(refusal) => {
                Counters::add(&shared.context.metrics.counters.connections_refused, 1);
                shared
                    .log_limit
                    .warn(|| format!("closed a connection from {peer}: {refusal}"));
                return;
            }
        };
        Counters::add(&shared.context.metrics.counters.connections_opened, 1);
        let listener = Arc::clone(listener);
        spawn(async move {
            connection::serve(&shared, &listener, admission, socket, peer, stop).await;
            drop(alive);
        });
    }
}

impl Shared {
    /// Admits a new connection. It counts as open immediately if clients need not authenticate.
    fn admit(&self, listener: &Listener) -> Result<Admission, NoPlace> {
        let users = self.authority.users();
        if listener.tls.is_none() && !self.authority.requires_authentication(&users.borrow()) {
            return OpenConnection::begin(self).map(|counted| Admission::Open { _counted: counted });
        }
        self.unproven
            .enter(Instant::now())
            .map(Admission::Unproven)
            .ok_or(NoPlace::TooManySigningIn)
    }
}

/// Waits until the agent stops.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which also means stop.
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Returns true if accepting failed for lack of local resources rather than because the peer disconnected.
fn is_of_this_machine(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}
