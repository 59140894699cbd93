//! Writes frames to a socket with vectored writes, without joining their chunks.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

/// Chunks per system call. Linux accepts up to 1024.
const CHUNKS_PER_WRITE: usize = 256;
/// Time after which a client counts as slow. Its response is then copied out of the data files, so that it does not
/// keep them in memory.
const SLOW_AFTER: Duration = Duration::from_millis(500);

/// Writes the chunks. `progress_timeout` limits how long the peer may accept no bytes at all.
pub(super) async fn write_frame(
    socket: &mut (impl AsyncWrite + Unpin),
    chunks: Vec<Bytes>,
    progress_timeout: Duration,
) -> io::Result<()> {
    let mut rest = Unwritten(chunks.into());
    if let Ok(written) = timeout(SLOW_AFTER, rest.write_all(socket)).await {
        return written;
    }
    rest.copy_out();
    while !rest.0.is_empty() {
        in_time(progress_timeout, rest.write_some(socket)).await?;
    }
    in_time(progress_timeout, socket.flush()).await
}

async fn in_time(limit: Duration, writing: impl Future<Output = io::Result<()>>) -> io::Result<()> {
    timeout(limit, writing).await.unwrap_or_else(|_| {
        Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the client does not read its responses",
        ))
    })
}

/// The chunks that are not written yet. Cancelling a call loses nothing: each write either happened and was counted, or
/// did not happen.
struct Unwritten(VecDeque<Bytes>);

impl Unwritten {
    async fn write_all(&mut self, socket: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        while !self.0.is_empty() {
            self.write_some(socket).await?;
        }
        // TLS buffers what the network does not accept.
        socket.flush().await
    }

    async fn write_some(&mut self, socket: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let mut slices = [IoSlice::new(&[]); CHUNKS_PER_WRITE];
        let mut count = 0;
        for (slice, chunk) in slices.iter_mut().zip(&self.0) {
            *slice = IoSlice::new(chunk);
            count += 1;
        }
        let written = socket.write_vectored(&slices[..count]).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.advance(written);
        Ok(())
    }

    fn advance(&mut self, mut written: usize) {
        while let Some(front) = self.0.front_mut() {
            if written < front.len() {
                front.advance(written);
                return;
            }
            written -= front.len();
            self.0.pop_front();
        }
    }

    fn copy_out(&mut self) {
        let mut copy = BytesMut::with_capacity(self.0.iter().map(Bytes::len).sum());
        self.0.drain(..).for_each(|chunk| copy.extend_from_slice(&chunk));
        if !copy.is_empty() {
            self.0.push_back(copy.freeze());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    fn chunks() -> Vec<Bytes> {
        (0..2000u32)
            .map(|number| Bytes::from(number.to_be_bytes().repeat(1 + number as usize % 7)))
            .collect()
    }

    #[tokio::test]
    async fn chunks_arrive_in_order_even_at_a_slow_reader() {
        let (mut ours, mut theirs) = tokio::io::duplex(100);
        let expected = chunks().concat();
        let writing = tokio::spawn(async move { write_frame(&mut ours, chunks(), Duration::from_secs(60)).await });
        let mut received = Vec::new();
        let mut part = [0; 77];
        while received.len() < expected.len() {
            // Slow for long enough to be detected, then fast so that the test ends.
            if received.len() < 30 * part.len() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let count = theirs.read(&mut part).await.unwrap();
            received.extend_from_slice(&part[..count]);
        }
        writing.await.unwrap().unwrap();
        assert!(received == expected);
    }

    #[tokio::test]
    async fn gives_up_on_a_reader_that_accepts_nothing() {
        let (mut ours, _theirs) = tokio::io::duplex(100);
        let error = write_frame(&mut ours, chunks(), Duration::from_millis(50))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
