//! A TLS proxy in front of an S3 server that delays each response until a random time after the request. The times are
//! log-normal, given by their median and 99th percentile. It counts the forwarded requests.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;
use tokio_rustls::TlsAcceptor;

use crate::connection::{LoadError, Server};

/// The 99th percentile of the standard normal distribution.
const QUANTILE_99: f64 = 2.326_347_874;
const COPY_BYTES: usize = 64 << 10;

#[derive(clap::Args)]
pub struct Settings {
    /// Address to listen on
    #[arg(long)]
    listen: String,
    /// PEM file with the certificate to show
    #[arg(long)]
    certificate: PathBuf,
    /// PEM file with its key
    #[arg(long)]
    key: PathBuf,
    /// Median and 99th percentile of the time of a PUT, in ms, as 100,300
    #[arg(long)]
    put_ms: Latency,
    /// Median and 99th percentile of the time of any other request, in ms
    #[arg(long)]
    get_ms: Latency,
}

/// A log-normal distribution of times.
#[derive(Debug, Clone, Copy)]
struct Latency {
    median_ms: f64,
    sigma: f64,
}

impl FromStr for Latency {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text} is not a median and a 99th percentile in ms, such as 100,300");
        let (median, p99) = text.split_once(',').ok_or_else(wrong)?;
        let (median_ms, p99_ms): (f64, f64) = (
            median.parse().map_err(|_| wrong())?,
            p99.parse().map_err(|_| wrong())?,
        );
        if !(median_ms > 0.0 && p99_ms >= median_ms) {
            return Err(wrong());
        }
        Ok(Self {
            median_ms,
            sigma: (p99_ms / median_ms).ln() / QUANTILE_99,
        })
    }
}

impl Latency {
    fn draw(self, random: &mut StdRng) -> Duration {
        // The Box-Muller transform: two uniform numbers yield a normal one.
        let (u, v): (f64, f64) = (random.random(), random.random());
        let normal = (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        Duration::from_secs_f64(self.median_ms / 1e3 * (self.sigma * normal).exp())
    }
}

struct Proxy {
    server: String,
    put: Latency,
    get: Latency,
    random: RefCell<StdRng>,
    puts: Cell<u64>,
    others: Cell<u64>,
    /// Number of responses that the server itself sent later than drawn.
    late: Cell<u64>,
}

pub async fn run(server: &Server, settings: Settings) -> Result<serde_json::Value, LoadError> {
    let acceptor = TlsAcceptor::from(Arc::new(server_config(&settings)?));
    let listener = TcpListener::bind(&settings.listen).await?;
    let proxy = Rc::new(Proxy {
        server: server.address().to_string(),
        put: settings.put_ms,
        get: settings.get_ms,
        random: RefCell::new(StdRng::seed_from_u64(1)),
        puts: Cell::new(0),
        others: Cell::new(0),
        late: Cell::new(0),
    });
    let local = LocalSet::new();
    let accepting = Rc::clone(&proxy);
    local.spawn_local(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let (proxy, acceptor) = (Rc::clone(&accepting), acceptor.clone());
            tokio::task::spawn_local(async move {
                // The client detects a broken connection.
                let _ = proxy.serve(socket, &acceptor).await;
            });
        }
    });
    local.run_until(crate::await_start()).await?;
    Ok(json!({ "puts": proxy.puts.get(), "others": proxy.others.get(), "late": proxy.late.get() }))
}

fn server_config(settings: &Settings) -> Result<ServerConfig, LoadError> {
    let wrong = |what: &str, error: String| LoadError::Wrong(format!("{what}: {error}"));
    let chain = CertificateDer::pem_file_iter(&settings.certificate)
        .and_then(Iterator::collect)
        .map_err(|error| wrong("certificate", error.to_string()))?;
    let key = PrivateKeyDer::from_pem_file(&settings.key)
        .map_err(|error| wrong("key", error.to_string()))?;
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong("TLS", error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| wrong("certificate", error.to_string()))
}

impl Proxy {
    /// A connection carries one request at a time: the response starts after the request has been sent.
    async fn serve(&self, socket: TcpStream, acceptor: &TlsAcceptor) -> std::io::Result<()> {
        socket.set_nodelay(true)?;
        let (mut from_client, mut to_client) = tokio::io::split(acceptor.accept(socket).await?);
        let mut server = TcpStream::connect(&self.server).await?;
        server.set_nodelay(true)?;
        let (mut from_server, mut to_server) = server.split();
        let (mut sent, mut received) = (vec![0; COPY_BYTES], vec![0; COPY_BYTES]);
        let mut answers_at: Option<Instant> = None;
        loop {
            tokio::select! {
                count = from_client.read(&mut sent) => {
                    let count = count?;
                    if count == 0 {
                        return Ok(());
                    }
                    answers_at.get_or_insert_with(|| Instant::now() + self.draw(&sent[..count]));
                    to_server.write_all(&sent[..count]).await?;
                }
                count = from_server.read(&mut received) => {
                    let count = count?;
                    if count == 0 {
                        return to_client.shutdown().await;
                    }
                    if let Some(at) = answers_at.take() {
                        self.late.set(self.late.get() + u64::from(at < Instant::now()));
                        tokio::time::sleep_until(at.into()).await;
                    }
                    to_client.write_all(&received[..count]).await?;
                    to_client.flush().await?;
                }
            }
        }
    }

    /// Draws the duration of the request that begins with these bytes.
    fn draw(&self, request: &[u8]) -> Duration {
        let (latency, count) = if request.starts_with(b"PUT ") {
            (self.put, &self.puts)
        } else {
            (self.get, &self.others)
        };
        count.set(count.get() + 1);
        latency.draw(&mut self.random.borrow_mut())
    }
}
