//! A pool of buffers for reads and writes of object storage. A new buffer would cost a page fault per 4 KiB, and
//! zeroing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use parking_lot::Mutex;

/// Unused buffers of one size.
#[derive(Debug)]
pub(crate) struct BufferPool {
    buffer_bytes: usize,
    /// Maximum number of unused buffers to keep. More are freed.
    most_unused: AtomicUsize,
    unused: Mutex<Vec<Vec<u8>>>,
}

impl BufferPool {
    /// Creates an empty pool.
    pub(crate) fn new(buffer_bytes: usize, most_unused: usize) -> Self {
        Self {
            buffer_bytes,
            most_unused: AtomicUsize::new(most_unused),
            unused: Mutex::default(),
        }
    }

    /// The size of pooled buffers in bytes. Shorter ones are allocated separately.
    pub(crate) fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// Takes a buffer of `len` bytes, at most [`BufferPool::buffer_bytes`]. It holds arbitrary old content, which the
    /// caller must overwrite.
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

    /// Limits the unused buffers to this many bytes and frees the excess.
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
        // Freeing takes a while, so the lock is released first.
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

/// A buffer that returns to its pool when it, or the last slice of the [`Bytes`] made from it, is dropped.
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
    fn reuses_a_buffer_only_after_its_last_slice_is_dropped() {
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
    fn keeps_no_more_unused_buffers_than_the_limit() {
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
