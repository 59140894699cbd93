//! The Kafka listener: accepts connections up to a limit, and closes them in order when the agent stops.

mod connection;
mod frame_reader;
mod frame_writer;
mod log_limit;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use penstock_handlers::Context;
use penstock_telemetry::Counters;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc, watch};

use log_limit::LogLimit;

/// When the system has no file descriptor or memory left for a connection, pauses before the next attempt.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What clients may take.
#[derive(Debug, Clone)]
pub struct ServerLimits {
    /// Connections beyond this many are closed at once.
    pub max_connections: usize,
    /// Largest request.
    pub max_frame_bytes: u32,
    /// Requests, and records that are not stored yet.
    pub max_in_flight_bytes: u32,
    /// A connection without a request for this long is closed.
    pub idle_timeout: Duration,
    /// Once begun, a request must arrive within this.
    pub frame_timeout: Duration,
    /// A client that takes nothing of its answers for this long is cut off.
    pub write_timeout: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            max_connections: 16_384,
            max_frame_bytes: 100 << 20,
            max_in_flight_bytes: 256 << 20,
            // Kafka's default of `connections.max.idle.ms`.
            idle_timeout: Duration::from_secs(600),
            frame_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(60),
        }
    }
}

/// Shared by all connections.
struct Shared {
    context: Arc<Context>,
    limits: ServerLimits,
    in_flight: Arc<Semaphore>,
    open: Arc<AtomicUsize>,
    log_limit: LogLimit,
}

/// The Kafka listener.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

impl Server {
    /// A server that is not listening yet. It counts its open connections in `open`.
    #[must_use]
    pub fn new(context: Arc<Context>, limits: ServerLimits, open: Arc<AtomicUsize>) -> Self {
        let in_flight = Arc::new(Semaphore::new(limits.max_in_flight_bytes as usize));
        let shared = Shared {
            context,
            limits,
            in_flight,
            open,
            log_limit: LogLimit::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Bytes of requests that are being served, and of records that are not stored yet.
    #[must_use]
    pub fn in_flight_bytes(&self) -> u64 {
        let free = self.shared.in_flight.available_permits() as u64;
        u64::from(self.shared.limits.max_in_flight_bytes).saturating_sub(free)
    }

    /// Accepts until `stop` turns true, then waits until every connection has answered what it had accepted.
    pub async fn serve(&self, listener: TcpListener, mut stop: watch::Receiver<bool>) {
        // Every connection holds a sender; when the last is dropped, all have ended.
        let (alive, mut all_ended) = mpsc::channel::<()>(1);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stopped(&mut stop) => break,
            };
            match accepted {
                Ok((socket, peer)) => self.start_connection(socket, peer, stop.clone(), alive.clone()),
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
        drop(listener);
        drop(alive);
        // Nothing is ever sent: this returns when all senders are gone.
        let _ = all_ended.recv().await;
    }

    fn start_connection(
        &self,
        socket: tokio::net::TcpStream,
        peer: SocketAddr,
        stop: watch::Receiver<bool>,
        alive: mpsc::Sender<()>,
    ) {
        let shared = Arc::clone(&self.shared);
        if shared.open.fetch_add(1, Ordering::Relaxed) >= shared.limits.max_connections {
            shared.open.fetch_sub(1, Ordering::Relaxed);
            Counters::add(&shared.context.metrics.counters.connections_refused, 1);
            shared.log_limit.warn(|| {
                format!(
                    "closed a connection from {peer}: {} are open, which is the limit (--max-connections)",
                    shared.limits.max_connections
                )
            });
            return;
        }
        Counters::add(&shared.context.metrics.counters.connections_opened, 1);
        tokio::spawn(async move {
            connection::serve(&shared, socket, peer, stop).await;
            shared.open.fetch_sub(1, Ordering::Relaxed);
            drop(alive);
        });
    }
}

/// Waits until the agent is to stop.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which is the same.
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Whether accepting failed for want of something on this machine, not because the peer went away.
fn is_of_this_machine(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}
