//! Buffers for what is read from object storage, used again: a fresh one costs a page fault for every 4 KiB, and zeroing.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

/// Every buffer that is kept has this size; what is shorter gets memory of its own size.
pub(crate) const BUFFER_BYTES: usize = 4 << 20;
/// Unused buffers above this number are freed: the cache evicts about as much as it loads.
const MAX_UNUSED: usize = 8;

/// Buffers that wait for their next use.
#[derive(Debug, Default)]
pub(crate) struct BufferPool {
    unused: Mutex<Vec<Vec<u8>>>,
}

impl BufferPool {
    /// A buffer of `len` bytes, at most [`BUFFER_BYTES`]. Its content is whatever it held before: to be overwritten.
    pub(crate) fn take(self: &Arc<Self>, len: usize) -> PooledBuffer {
        let unused = if len == BUFFER_BYTES { self.lock().pop() } else { None };
        PooledBuffer {
            bytes: unused.unwrap_or_else(|| vec![0; len]),
            pool: Arc::clone(self),
        }
    }

    fn put_back(&self, buffer: Vec<u8>) {
        let mut unused = self.lock();
        if buffer.len() == BUFFER_BYTES && unused.len() < MAX_UNUSED {
            unused.push(buffer);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<u8>>> {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn a_buffer_is_used_again_only_when_its_last_slice_is_gone() {
        let pool = Arc::new(BufferPool::default());
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
    fn few_unused_buffers_are_kept() {
        let pool = Arc::new(BufferPool::default());
        let buffers: Vec<_> = (0..3 * MAX_UNUSED).map(|_| pool.take(BUFFER_BYTES)).collect();
        drop(buffers);
        drop(pool.take(100));
        assert_eq!(pool.lock().len(), MAX_UNUSED);
    }
}
