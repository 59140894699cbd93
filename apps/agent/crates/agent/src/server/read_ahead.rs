//! Reads more from a socket at a time than the TLS library, which would make a system call for every 4 KiB.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The size of two TLS records. Not larger, because a throttled client keeps this many bytes here.
const READ_BYTES: usize = 32 << 10;

/// A socket and the bytes read ahead from it. Holds no memory when idle.
#[derive(Debug)]
pub(super) struct ReadAhead {
    socket: TcpStream,
    ahead: Bytes,
}

impl ReadAhead {
    pub(super) fn new(socket: TcpStream) -> Self {
        Self {
            socket,
            ahead: Bytes::new(),
        }
    }
}

impl AsyncRead for ReadAhead {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.ahead.is_empty() {
            // Checked first, so that nothing is allocated if there is nothing to read.
            ready!(this.socket.poll_read_ready(task))?;
            let mut buffer = BytesMut::zeroed(READ_BYTES);
            let mut read = ReadBuf::new(&mut buffer);
            ready!(Pin::new(&mut this.socket).poll_read(task, &mut read))?;
            let count = read.filled().len();
            buffer.truncate(count);
            this.ahead = buffer.freeze();
        }
        let count = this.ahead.len().min(out.remaining());
        out.put_slice(&this.ahead[..count]);
        this.ahead.advance(count);
        if this.ahead.is_empty() {
            this.ahead = Bytes::new();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ReadAhead {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(task, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(task)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(task, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn delivers_bytes_in_order_and_holds_none_at_the_end() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut theirs = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let mut ours = ReadAhead::new(listener.accept().await.unwrap().0);
        let sent: Vec<u8> = (0..200_000u32).map(|number| (number % 251) as u8).collect();
        let expected = sent.clone();
        let sending = tokio::spawn(async move {
            theirs.write_all(&sent).await.unwrap();
            theirs
        });
        let mut received = Vec::new();
        let mut part = [0; 4096];
        let mut was_ahead = false;
        while received.len() < expected.len() {
            let count = ours.read(&mut part).await.unwrap();
            received.extend_from_slice(&part[..count]);
            was_ahead |= !ours.ahead.is_empty();
        }
        assert!(received == expected && was_ahead && ours.ahead.is_empty());
        drop(sending.await.unwrap());
        assert_eq!(ours.read(&mut part).await.unwrap(), 0);
    }
}
