//! A connection of a Kafka client: frames out, frames in.

use bytes::{Bytes, BytesMut};
use penstock_wire::record_batch::BatchError;
use penstock_wire::{
    DecodeError, EncodeError, ErrorCode, Reader, Request, decode_response, encode_request,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

const CLIENT_ID: &str = "penstock-load";

/// Why a run is worth nothing.
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
    /// `Ok` when the server reports no error.
    pub fn check(api: &'static str, code: ErrorCode) -> Result<(), Self> {
        if code.is_none() {
            Ok(())
        } else {
            Err(Self::Refused { api, code })
        }
    }
}

/// The sending half.
pub struct Sender {
    stream: OwnedWriteHalf,
    /// A whole frame, so that the server sees it with as few reads as it can.
    frame: Vec<u8>,
    next_correlation_id: i32,
}

/// The receiving half.
pub struct Receiver {
    stream: OwnedReadHalf,
}

pub async fn connect(bootstrap: &str) -> Result<(Sender, Receiver), LoadError> {
    let stream = TcpStream::connect(bootstrap).await?;
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    let sender = Sender {
        stream: write,
        frame: Vec::new(),
        next_correlation_id: 0,
    };
    Ok((sender, Receiver { stream: read }))
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
        Ok(())
    }
}

impl Receiver {
    /// The next frame, without its length.
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

    /// The answer to the oldest request that has none yet.
    pub async fn receive<R: Request>(&mut self, version: i16) -> Result<R::Response, LoadError> {
        let mut reader = Reader::new(self.frame().await?);
        Ok(decode_response::<R>(&mut reader, version)?.1)
    }
}

/// Sends one request and waits for its answer.
pub async fn call<R: Request>(
    connection: &mut (Sender, Receiver),
    request: &R,
    version: i16,
) -> Result<R::Response, LoadError> {
    connection.0.send(request, version).await?;
    connection.1.receive::<R>(version).await
}
