//! A connection of a Kafka client that sends and receives frames.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use penstock_wire::messages::{SaslAuthenticateRequest, SaslHandshakeRequest};
use penstock_wire::record_batch::BatchError;
use penstock_wire::{
    DecodeError, EncodeError, ErrorCode, Reader, Request, decode_response, encode_request,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;

const CLIENT_ID: &str = "penstock-load";
const SASL_HANDSHAKE_VERSION: i16 = 1;
const SASL_AUTHENTICATE_VERSION: i16 = 2;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("told to end before the start")]
    Ended,
    #[error("connection: {0}")]
    Connection(#[from] std::io::Error),
    #[error("answer that cannot be read: {0}")]
    Decode(#[from] DecodeError),
    #[error("request that cannot be written: {0}")]
    Encode(#[from] EncodeError),
    #[error("record batch: {0}")]
    Batch(#[from] BatchError),
    #[error("{api} was answered with {}", .code.name())]
    Refused { api: &'static str, code: ErrorCode },
    #[error("{0}")]
    Wrong(String),
}

impl LoadError {
    /// Returns an error if the server reports one.
    pub fn check(api: &'static str, code: ErrorCode) -> Result<(), Self> {
        if code.is_none() {
            Ok(())
        } else {
            Err(Self::Refused { api, code })
        }
    }
}

/// How to connect and sign in to the server.
#[derive(clap::Args)]
pub struct Entrance {
    /// Host and port of the server under load
    #[arg(long)]
    bootstrap: String,
    /// PEM file with the authority of the server's certificate: connects with TLS
    #[arg(long)]
    ca: Option<PathBuf>,
    /// user:password, for SASL/PLAIN
    #[arg(long, requires = "ca")]
    credentials: Option<String>,
}

/// The server under load, as clients see it.
pub struct Server {
    address: SocketAddr,
    tls: Option<TlsConnector>,
    /// The token for SASL/PLAIN.
    token: Option<Bytes>,
}

/// The sending half of a connection.
pub struct Sender {
    stream: Box<dyn AsyncWrite + Unpin>,
    /// A whole frame, so that the server needs as few reads as possible.
    frame: Vec<u8>,
    next_correlation_id: i32,
}

/// The receiving half of a connection.
pub struct Receiver {
    stream: Box<dyn AsyncRead + Unpin>,
}

impl Server {
    pub fn new(entrance: &Entrance) -> Result<Self, LoadError> {
        let address = entrance.bootstrap.parse().map_err(|_| {
            LoadError::Wrong(format!("{} is not an address and port", entrance.bootstrap))
        })?;
        let tls = entrance.ca.as_deref().map(client_config).transpose()?;
        let token = entrance
            .credentials
            .as_deref()
            .and_then(|credentials| credentials.split_once(':'))
            .map(|(user, password)| format!("\0{user}\0{password}").into());
        Ok(Self {
            address,
            tls: tls.map(TlsConnector::from),
            token,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The TLS settings, if it is used.
    pub fn tls(&self) -> Option<&Arc<ClientConfig>> {
        self.tls.as_ref().map(TlsConnector::config)
    }

    /// The name in the server's certificate.
    pub fn name(&self) -> ServerName<'static> {
        ServerName::from(self.address.ip())
    }

    pub async fn socket(&self, from: Option<IpAddr>) -> Result<TcpStream, LoadError> {
        let socket = match self.address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        if let Some(from) = from {
            socket.bind(SocketAddr::new(from, 0))?;
        }
        let stream = socket.connect(self.address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    pub async fn connect(&self) -> Result<(Sender, Receiver), LoadError> {
        self.connect_from(None).await
    }

    /// Opens a connection that can send any request: over TLS and signed in, if configured.
    pub async fn connect_from(
        &self,
        from: Option<IpAddr>,
    ) -> Result<(Sender, Receiver), LoadError> {
        let socket = self.socket(from).await?;
        let mut connection = match &self.tls {
            None => {
                let (read, write) = socket.into_split();
                halves(read, write)
            }
            Some(tls) => {
                let (read, write) = tokio::io::split(tls.connect(self.name(), socket).await?);
                halves(read, write)
            }
        };
        if let Some(token) = &self.token {
            sign_in(&mut connection, token.clone()).await?;
        }
        Ok(connection)
    }
}

fn halves(
    read: impl AsyncRead + Unpin + 'static,
    write: impl AsyncWrite + Unpin + 'static,
) -> (Sender, Receiver) {
    let sender = Sender {
        stream: Box::new(write),
        frame: Vec::new(),
        next_correlation_id: 0,
    };
    let receiver = Receiver {
        stream: Box::new(read),
    };
    (sender, receiver)
}

async fn sign_in(connection: &mut (Sender, Receiver), token: Bytes) -> Result<(), LoadError> {
    let request = SaslHandshakeRequest {
        mechanism: "PLAIN".to_owned(),
    };
    let answer = call(connection, &request, SASL_HANDSHAKE_VERSION).await?;
    LoadError::check("SaslHandshake", answer.error_code)?;
    let request = SaslAuthenticateRequest { auth_bytes: token };
    let answer = call(connection, &request, SASL_AUTHENTICATE_VERSION).await?;
    LoadError::check("SaslAuthenticate", answer.error_code)
}

/// TLS with the library's defaults, like real clients.
fn client_config(authority: &Path) -> Result<Arc<ClientConfig>, LoadError> {
    let wrong = |error: &dyn std::fmt::Display| {
        LoadError::Wrong(format!("{}: {error}", authority.display()))
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(authority).map_err(|error| wrong(&error))? {
        let certificate = certificate.map_err(|error| wrong(&error))?;
        roots.add(certificate).map_err(|error| wrong(&error))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

impl Sender {
    pub async fn send<R: Request>(&mut self, request: &R, version: i16) -> Result<(), LoadError> {
        let encoded = encode_request(request, version, self.next_correlation_id, Some(CLIENT_ID))?;
        self.next_correlation_id = self.next_correlation_id.wrapping_add(1);
        self.frame.clear();
        for chunk in &encoded.chunks {
            self.frame.extend_from_slice(chunk);
        }
        self.stream.write_all(&self.frame).await?;
        // TLS buffers what the socket does not accept.
        self.stream.flush().await?;
        Ok(())
    }
}

impl Receiver {
    /// Receives the next frame, without its length prefix.
    async fn frame(&mut self) -> Result<Bytes, LoadError> {
        let len = self.stream.read_i32().await?;
        let len = usize::try_from(len)
            .map_err(|_| LoadError::Wrong(format!("a frame of {len} bytes")))?;
        let mut frame = BytesMut::with_capacity(len);
        while frame.len() < len {
            let mut rest = (&mut self.stream).take((len - frame.len()) as u64);
            if rest.read_buf(&mut frame).await? == 0 {
                return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
            }
        }
        Ok(frame.freeze())
    }

    /// Receives the response to the oldest unanswered request.
    pub async fn receive<R: Request>(&mut self, version: i16) -> Result<R::Response, LoadError> {
        let mut reader = Reader::new(self.frame().await?);
        Ok(decode_response::<R>(&mut reader, version)?.1)
    }
}

/// Sends a request and waits for its response.
pub async fn call<R: Request>(
    connection: &mut (Sender, Receiver),
    request: &R,
    version: i16,
) -> Result<R::Response, LoadError> {
    connection.0.send(request, version).await?;
    connection.1.receive::<R>(version).await
}
