//! Silent connections and endless TLS handshakes, as a listener on the internet gets in addition to its clients.

use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;
use std::time::Duration;

use penstock_wire::messages::ApiVersionsRequest;
use rustls::ClientConnection;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Semaphore;
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};

use crate::connection::{LoadError, Receiver, Sender, Server, call};

const API_VERSIONS_VERSION: i16 = 0;
/// Connections per local address. One address does not have enough ports, so several loopback addresses are used.
const PER_ADDRESS: usize = 4_000;
/// Concurrent handshakes during setup, which is not measured.
const GATHERING: usize = 32;
/// Bytes of its first message that a slow client sends at a time.
const SLOW_BYTES: usize = 8;
/// Pause of a slow client between these bytes.
const SLOW_INTERVAL: Duration = Duration::from_millis(250);
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

#[derive(clap::Args)]
pub struct Settings {
    /// Connections that are open, signed in where that is asked for, and send nothing
    #[arg(long)]
    idle: usize,
    /// Connections in a TLS handshake that does not end. One that is closed is opened again
    #[arg(long, default_value_t = 0)]
    slow: usize,
}

/// The outcome of the slow connections.
#[derive(Default)]
struct Slow {
    begun: Cell<u64>,
    closed: Cell<u64>,
    refused: Cell<u64>,
}

pub async fn run(server: &Rc<Server>, settings: &Settings) -> Result<serde_json::Value, LoadError> {
    let slow = Rc::new(Slow::default());
    let hello: Rc<[u8]> = hello(server)?.into();
    LocalSet::new()
        .run_until(async {
            let idle = gather(server, settings.idle).await?;
            for number in 0..settings.slow {
                let (server, hello, slow) = (server.clone(), hello.clone(), slow.clone());
                tokio::task::spawn_local(be_slow(server, settings.idle + number, hello, slow));
            }
            crate::await_start().await?;
            let (begun, closed, refused) =
                (slow.begun.get(), slow.closed.get(), slow.refused.get());
            let count = idle.len();
            let answered = count_answering(idle).await;
            Ok(json!({
                "idle": count,
                "idle_answered": answered,
                "slow_begun": begun,
                "slow_closed": closed,
                "slow_refused": refused,
            }))
        })
        .await
}

fn address(number: usize) -> IpAddr {
    let last = u8::try_from(2 + number / PER_ADDRESS).unwrap_or(u8::MAX);
    IpAddr::V4(Ipv4Addr::new(127, 0, 0, last))
}

/// The first message of a TLS client.
fn hello(server: &Server) -> Result<Vec<u8>, LoadError> {
    let Some(config) = server.tls() else {
        return Ok(Vec::new());
    };
    let client = ClientConnection::new(config.clone(), server.name());
    let mut client = client.map_err(|error| LoadError::Wrong(error.to_string()))?;
    let mut hello = Vec::new();
    client.write_tls(&mut hello)?;
    Ok(hello)
}

/// Opens all connections. Each sends one request, as a client does after connecting.
async fn gather(server: &Rc<Server>, count: usize) -> Result<Vec<(Sender, Receiver)>, LoadError> {
    let gate = Rc::new(Semaphore::new(GATHERING));
    let opening: Vec<_> = (0..count)
        .map(|number| {
            let (server, gate) = (server.clone(), gate.clone());
            tokio::task::spawn_local(async move {
                // The semaphore is never closed.
                let _permit = gate.acquire().await.ok();
                let mut connection = server.connect_from(Some(address(number))).await?;
                ask(&mut connection).await?;
                Ok::<_, LoadError>(connection)
            })
        })
        .collect();
    let mut connections = Vec::with_capacity(count);
    for task in opening {
        let opened = task
            .await
            .map_err(|error| LoadError::Wrong(format!("a connection: {error}")))?;
        connections.push(opened?);
    }
    Ok(connections)
}

async fn ask(connection: &mut (Sender, Receiver)) -> Result<(), LoadError> {
    let request = ApiVersionsRequest::default();
    let answer = call(connection, &request, API_VERSIONS_VERSION).await?;
    LoadError::check("ApiVersions", answer.error_code)
}

/// Counts the connections that are still served.
async fn count_answering(connections: Vec<(Sender, Receiver)>) -> usize {
    let mut answering = 0;
    for mut connection in connections {
        let answered = timeout(LONGEST_ANSWER, ask(&mut connection)).await;
        answering += usize::from(matches!(answered, Ok(Ok(()))));
    }
    answering
}

/// Every second client sends its hello and then nothing, which costs the server a response; the others send their hello
/// slowly.
async fn be_slow(server: Rc<Server>, number: usize, hello: Rc<[u8]>, slow: Rc<Slow>) {
    // Spread over a second.
    sleep(Duration::from_millis(number as u64 % 1_000)).await;
    loop {
        slow.begun.set(slow.begun.get() + 1);
        let Ok(mut stream) = server.socket(Some(address(number))).await else {
            slow.refused.set(slow.refused.get() + 1);
            sleep(Duration::from_secs(1)).await;
            continue;
        };
        let bytes_at_once = if number.is_multiple_of(2) {
            hello.len().max(1)
        } else {
            SLOW_BYTES
        };
        for part in hello.chunks(bytes_at_once) {
            if stream.write_all(part).await.is_err() {
                break;
            }
            sleep(SLOW_INTERVAL).await;
        }
        // Until the server disconnects.
        while matches!(stream.read(&mut [0; 4096]).await, Ok(count) if count > 0) {}
        slow.closed.set(slow.closed.get() + 1);
    }
}
