//! Reads frames from a socket, each to a buffer that grows as bytes arrive.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_write_path::Sender;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::ServerLimits;

const LENGTH_BYTES: usize = 4;
/// Maximum buffer allocated for an announced length. The buffer grows further only after that many bytes arrive.
const UNPROVEN_BYTES: usize = 128 << 10;
/// Growth factor of the buffer relative to the bytes received.
const GROWTH: usize = 8;

/// A received request, without its length prefix.
#[derive(Debug)]
pub(super) struct ReceivedFrame {
    pub(super) bytes: Bytes,
    /// The memory that the request holds of the agent's budget.
    pub(super) memory: Option<OwnedSemaphorePermit>,
}

/// Why no more frames can be read.
#[derive(Debug, Error)]
pub(super) enum FrameError {
    #[error("{0} bytes is not a valid request length (--max-frame-bytes)")]
    BadLength(i32),
    #[error("a request did not arrive in time")]
    Stalled,
    #[error("idle for too long")]
    Idle,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads the frames of a connection. [`FrameReader::next`] is cancel-safe: the bytes received so far are kept between
/// calls.
#[derive(Debug)]
pub(super) struct FrameReader {
    length: [u8; LENGTH_BYTES],
    length_bytes: usize,
    partial: Option<Partial>,
    deadline: Instant,
    throttled_us: Arc<AtomicU64>,
    /// Notified when bytes arrive.
    sender: Arc<Sender>,
}

enum Step {
    Continue,
    Frame(ReceivedFrame),
    Closed,
}

#[derive(Debug)]
struct Partial {
    len: usize,
    buffer: BytesMut,
    memory: Option<OwnedSemaphorePermit>,
}

impl FrameReader {
    /// Creates a reader that adds the time it waits for the memory budget to `throttled_us`.
    pub(super) fn new(limits: &ServerLimits, throttled_us: Arc<AtomicU64>, sender: Arc<Sender>) -> Self {
        let deadline = Instant::now() + limits.idle_timeout;
        Self {
            length: [0; LENGTH_BYTES],
            length_bytes: 0,
            partial: None,
            deadline,
            throttled_us,
            sender,
        }
    }

    /// Returns the next frame, or `None` if the peer closed the connection between frames.
    pub(super) async fn next(
        &mut self,
        socket: &mut (impl AsyncRead + Unpin),
        limits: &ServerLimits,
        budget: &Arc<Semaphore>,
    ) -> Result<Option<ReceivedFrame>, FrameError> {
        loop {
            // Evaluated in each iteration, since a partial frame has a different deadline from an idle connection.
            match timeout_at(self.deadline, self.step(socket, limits, budget)).await {
                Ok(Ok(Step::Continue)) => {}
                Ok(Ok(Step::Frame(frame))) => return Ok(Some(frame)),
                Ok(Ok(Step::Closed)) => return Ok(None),
                Ok(Err(error)) => return Err(error),
                Err(_) if self.length_bytes == 0 && self.partial.is_none() => return Err(FrameError::Idle),
                Err(_) => return Err(FrameError::Stalled),
            }
        }
    }

    /// Waits for at most one event.
    async fn step(
        &mut self,
        socket: &mut (impl AsyncRead + Unpin),
        limits: &ServerLimits,
        budget: &Arc<Semaphore>,
    ) -> Result<Step, FrameError> {
        let Some(partial) = &mut self.partial else {
            return self.read_length(socket, limits).await;
        };
        if partial.buffer.len() < partial.len {
            partial
                .make_room(limits, budget, (&self.throttled_us, &self.sender))
                .await;
            let room = (partial.len + LENGTH_BYTES - partial.buffer.len()).min(partial.room());
            let count = socket.read_buf(&mut (&mut partial.buffer).limit(room)).await?;
            self.sender.reads();
            return if count == 0 {
                Err(closed_in_mid_frame())
            } else {
                Ok(Step::Continue)
            };
        }
        partial
            .reserve_memory(limits, budget, (&self.throttled_us, &self.sender))
            .await;
        Ok(self.finish(limits).map_or(Step::Continue, Step::Frame))
    }

    async fn read_length(
        &mut self,
        socket: &mut (impl AsyncRead + Unpin),
        limits: &ServerLimits,
    ) -> Result<Step, FrameError> {
        if self.length_bytes < LENGTH_BYTES {
            let count = socket.read(&mut self.length[self.length_bytes..]).await?;
            if count == 0 {
                return if self.length_bytes == 0 {
                    Ok(Step::Closed)
                } else {
                    Err(closed_in_mid_frame())
                };
            }
            if self.length_bytes == 0 {
                self.deadline = Instant::now() + limits.frame_timeout;
            }
            self.sender.reads();
            self.length_bytes += count;
            return Ok(Step::Continue);
        }
        let announced = i32::from_be_bytes(self.length);
        let len = u32::try_from(announced)
            .ok()
            .filter(|len| (1..=limits.max_frame_bytes).contains(len))
            .ok_or(FrameError::BadLength(announced))? as usize;
        // Includes four bytes for the length of the next frame, which often arrives together.
        let buffer = BytesMut::with_capacity(len.min(UNPROVEN_BYTES) + LENGTH_BYTES);
        self.partial = Some(Partial {
            len,
            buffer,
            memory: None,
        });
        Ok(Step::Continue)
    }

    fn finish(&mut self, limits: &ServerLimits) -> Option<ReceivedFrame> {
        let Partial {
            len,
            mut buffer,
            memory,
        } = self.partial.take()?;
        let carried = &buffer[len..];
        self.length_bytes = carried.len();
        self.length[..carried.len()].copy_from_slice(carried);
        buffer.truncate(len);
        let allowed = if self.length_bytes == 0 {
            self.sender.reads_no_more();
            limits.idle_timeout
        } else {
            limits.frame_timeout
        };
        self.deadline = Instant::now() + allowed;
        Some(ReceivedFrame {
            bytes: buffer.freeze(),
            memory,
        })
    }
}

impl Partial {
    fn room(&self) -> usize {
        self.buffer.capacity() - self.buffer.len()
    }

    /// Grows a full buffer in proportion to the bytes received. Acquires the memory of a large frame as a whole first,
    /// so that frames with part of the budget never deadlock waiting for the rest.
    async fn make_room(&mut self, limits: &ServerLimits, budget: &Arc<Semaphore>, told: (&AtomicU64, &Sender)) {
        if self.room() == 0 {
            self.reserve_memory(limits, budget, told).await;
            let capacity = (self.buffer.len() * GROWTH).min(self.len) + LENGTH_BYTES;
            self.buffer.reserve_exact_to(capacity);
        }
    }

    async fn reserve_memory(
        &mut self,
        limits: &ServerLimits,
        budget: &Arc<Semaphore>,
        (throttled_us, sender): (&AtomicU64, &Sender),
    ) {
        if self.memory.is_none() {
            let bytes = u32::try_from(self.len)
                .unwrap_or(u32::MAX)
                .min(limits.max_in_flight_bytes);
            let budget = Arc::clone(budget);
            self.memory = match Arc::clone(&budget).try_acquire_many_owned(bytes) {
                Ok(memory) => Some(memory),
                Err(_) => {
                    let _waiting = Waiting::new(throttled_us);
                    // Memory is released when files are sealed, so no file may wait for the rest of this request.
                    sender.reads_no_more();
                    // The semaphore is never closed.
                    budget.acquire_many_owned(bytes).await.ok()
                }
            };
        }
    }
}

/// Counts the time until it is dropped, even if the wait is cancelled.
struct Waiting<'a> {
    since: Instant,
    throttled_us: &'a AtomicU64,
}

impl<'a> Waiting<'a> {
    fn new(throttled_us: &'a AtomicU64) -> Self {
        Self {
            since: Instant::now(),
            throttled_us,
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let waited_us = u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.throttled_us.fetch_add(waited_us, Ordering::Relaxed);
    }
}

trait ReserveExact {
    fn reserve_exact_to(&mut self, capacity: usize);
}

impl ReserveExact for BytesMut {
    /// `BytesMut::reserve` would at least double the capacity, but a frame's buffer must not be larger than the frame.
    fn reserve_exact_to(&mut self, capacity: usize) {
        if capacity > self.capacity() {
            let mut grown = BytesMut::with_capacity(capacity);
            grown.extend_from_slice(self);
            *self = grown;
        }
    }
}

fn closed_in_mid_frame() -> FrameError {
    FrameError::Io(io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "closed in the middle of a request",
    ))
}

#[cfg(test)]
mod tests;
