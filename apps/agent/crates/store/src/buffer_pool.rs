//! Buffers for what is read from object storage or on its way there, used again: a fresh one costs a page fault for every 4 KiB, and zeroing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use parking_lot::Mutex;

/// Buffers of one size that wait for their next use.
#[derive(Debug)]
pub(crate) struct BufferPool {
    buffer_bytes: usize,
    /// Unused buffers above this number are freed.
    most_unused: AtomicUsize,
    unused: Mutex<Vec<Vec<u8>>>,
}

impl BufferPool {
    /// A pool without buffers so far.
    pub(crate) fn new(buffer_bytes: usize, most_unused: usize) -> Self {
        Self {
            buffer_bytes,
            most_unused: AtomicUsize::new(most_unused),
            unused: Mutex::default(),
        }
    }

    /// The size of the buffers that are kept; what is shorter gets memory of its own size.
    pub(crate) fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// A buffer of `len` bytes, at most [`BufferPool::buffer_bytes`]. Its content is whatever it held before: to be overwritten.
    pub(crate) fn take(self: &Arc<Self>, len: usize) -> PooledBuffer {
        let unused = if len == self.buffer_bytes {
            self.lock().pop()
        } else {
            None
        };
        PooledBuffer {
            bytes: unused.unwrap_or_else(|| vec![0; len]),
            pool: Arc::clone(self),
        }
    }

    /// From now on, at most so many unused bytes are kept; what is above is freed at once.
    pub(crate) fn keep_unused(&self, bytes: usize) {
        let most_unused = bytes / self.buffer_bytes;
        self.most_unused.store(most_unused, Ordering::Relaxed);
        let mut unused = self.lock();
        let freed = if most_unused < unused.len() {
            unused.split_off(most_unused)
        } else {
            Vec::new()
        };
        if most_unused == 0 {
            unused.shrink_to_fit();
        }
        drop(unused);
        // Returning so much memory to the system takes a while, and others wait for the lock.
        drop(freed);
    }

    fn put_back(&self, buffer: Vec<u8>) {
        let mut unused = self.lock();
        if buffer.len() == self.buffer_bytes && unused.len() < self.most_unused.load(Ordering::Relaxed) {
            unused.push(buffer);
        }
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Vec<Vec<u8>>> {
        self.unused.lock()
    }
}

/// A buffer that returns to its pool when it, or the last slice of the [`Bytes`] made of it, is dropped.
#[derive(Debug)]
pub(crate) struct PooledBuffer {
    bytes: Vec<u8>,
    pool: Arc<BufferPool>,
}

impl PooledBuffer {
    pub(crate) fn freeze(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for PooledBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsMut<[u8]> for PooledBuffer {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        self.pool.put_back(std::mem::take(&mut self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER_BYTES: usize = 1_000;
    const MOST_UNUSED: usize = 8;

    fn unused_after(used: usize, pool: &Arc<BufferPool>) -> usize {
        let buffers: Vec<_> = (0..used).map(|_| pool.take(BUFFER_BYTES)).collect();
        drop(buffers);
        pool.lock().len()
    }

    #[test]
    fn a_buffer_is_used_again_only_when_its_last_slice_is_gone() {
        let pool = Arc::new(BufferPool::new(BUFFER_BYTES, MOST_UNUSED));
        let mut buffer = pool.take(BUFFER_BYTES);
        buffer.as_mut().fill(7);
        let bytes = buffer.freeze();
        let slice = bytes.slice(10..20);
        drop(bytes);
        assert!(pool.lock().is_empty());
        pool.take(BUFFER_BYTES).as_mut().fill(8);
        assert_eq!(slice, [7; 10].as_slice());
        drop(slice);
        assert_eq!(pool.lock().len(), 2);
    }

    #[test]
    fn no_more_unused_buffers_are_kept_than_may_be() {
        let pool = Arc::new(BufferPool::new(BUFFER_BYTES, MOST_UNUSED));
        drop(pool.take(100));
        assert_eq!(unused_after(3 * MOST_UNUSED, &pool), MOST_UNUSED);
        pool.keep_unused(3 * BUFFER_BYTES);
        assert_eq!(pool.lock().len(), 3, "the others are freed at once");
        assert_eq!(unused_after(MOST_UNUSED, &pool), 3);
        pool.keep_unused(0);
        assert_eq!(unused_after(MOST_UNUSED, &pool), 0);
        pool.keep_unused(5 * BUFFER_BYTES);
        assert_eq!(unused_after(MOST_UNUSED, &pool), 5);
    }
}
