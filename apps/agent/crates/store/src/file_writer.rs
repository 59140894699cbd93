//! Writes a data file incrementally. Large files are uploaded in parts of a fixed size, so that a file of a GiB takes
//! the memory of a few parts.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStoreExt as _, PutPayload};
use penstock_runtime::spawn;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use uuid::Uuid;

use crate::buffer_pool::PooledBuffer;
use crate::error::{StoreError, with_causes};
use crate::objects::Objects;

/// Timeout for a file that fits in one part.
const PUT_TIMEOUT: Duration = Duration::from_secs(60);

/// How a large file is divided. Object storage charges for each part and requires at least 5 MiB; a single connection
/// to S3 carries only about 90 MB/s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Size of each part except the last, in bytes.
    pub bytes: usize,
    /// Maximum number of parts in memory, at least two: one is being filled while the others are uploaded.
    pub most: usize,
}

impl Parts {
    /// The memory needed for a file, in bytes.
    #[must_use]
    pub fn memory_bytes(self) -> usize {
        self.bytes * self.most
    }
}

/// A file that is being written. It is not visible before [`FileWriter::finish`]. An unfinished file must be aborted
/// with [`FileWriter::abort`], or object storage keeps its parts (and charges for them) until a lifecycle rule removes
/// them.
///
/// A file of one part is created only if its name is free. Not every object store supports this for multipart uploads;
/// those rely on the id being unique.
#[derive(Debug)]
pub struct FileWriter {
    objects: Arc<Objects>,
    file_id: Uuid,
    parts: Parts,
    /// The full buffers of the current part, and the total number of bytes in them and in the last one.
    part: Vec<Bytes>,
    part_bytes: usize,
    /// The current part's last buffer, and the number of bytes in it.
    filling: Option<(PooledBuffer, usize)>,
    file_bytes: u64,
    upload: Option<Box<dyn MultipartUpload>>,
    /// Earlier parts that are being uploaded, in order.
    sending: VecDeque<JoinHandle<object_store::Result<()>>>,
    puts: u64,
}

impl FileWriter {
    /// Creates a writer without sending a request.
    #[must_use]
    pub fn new(objects: Arc<Objects>, file_id: Uuid, parts: Parts) -> Self {
        Self {
            objects,
            file_id,
            parts,
            part: Vec::new(),
            part_bytes: 0,
            filling: None,
            file_bytes: 0,
            upload: None,
            sending: VecDeque::new(),
            puts: 0,
        }
    }

    /// The id of the file.
    #[must_use]
    pub fn file_id(&self) -> Uuid {
        self.file_id
    }

    /// The position of the next byte.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.file_bytes
    }

    /// The number of requests so far that object storage bills as writes.
    #[must_use]
    pub fn puts(&self) -> u64 {
        self.puts
    }

    /// Appends bytes. Waits while the maximum number of parts is in memory.
    ///
    /// # Errors
    /// Returns an error if object storage fails despite the client library's retries.
    pub async fn write(&mut self, mut bytes: &[u8]) -> Result<(), StoreError> {
        self.file_bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            if self.part_bytes == self.parts.bytes {
                self.send_part().await?;
            }
            let buffers = &self.objects.job_buffers;
            let (buffer, filled) = self
                .filling
                .get_or_insert_with(|| (buffers.take(buffers.buffer_bytes()), 0));
            let room = &mut buffer.as_mut()[*filled..];
            let taken = bytes.len().min(room.len()).min(self.parts.bytes - self.part_bytes);
            let (now, later) = bytes.split_at(taken);
            room[..taken].copy_from_slice(now);
            let is_full = taken == room.len();
            *filled += taken;
            self.part_bytes += taken;
            bytes = later;
            if is_full {
                self.end_buffer();
            }
        }
        Ok(())
    }

    /// Makes the file visible, and returns its size in bytes.
    ///
    /// # Errors
    /// Returns an error if object storage fails. The file must then be aborted.
    pub async fn finish(&mut self) -> Result<u64, StoreError> {
        if self.upload.is_none() {
            let whole = self.take_part();
            let deadline = Instant::now() + PUT_TIMEOUT;
            self.puts += 1;
            self.objects.put(self.file_id, whole, deadline).await?;
            return Ok(self.file_bytes);
        }
        self.send_part().await?;
        while !self.sending.is_empty() {
            self.wait_for_part().await?;
        }
        self.count_put(0);
        let Some(upload) = &mut self.upload else {
            return Ok(self.file_bytes);
        };
        let Err(error) = upload.complete().await else {
            self.upload = None;
            return Ok(self.file_bytes);
        };
        // The file may exist anyway: if the response was lost, a retry no longer finds the upload.
        let found = self.objects.store.head(&self.objects.path(self.file_id)).await;
        if found.is_ok_and(|found| found.size == self.file_bytes) {
            self.upload = None;
            return Ok(self.file_bytes);
        }
        Err(self.failed(&error))
    }

    /// Removes everything that was written. Logs failures. If the file is already complete, it stays unreferenced until
    /// the orphan collector deletes it.
    pub async fn abort(&mut self) {
        for sending in self.sending.drain(..) {
            sending.abort();
            // Otherwise the part could arrive after the upload was aborted. Its own error is expected.
            let _ = sending.await;
        }
        let Some(mut upload) = self.upload.take() else { return };
        if let Err(error) = upload.abort().await {
            let error = with_causes(&error);
            tracing::warn!(file_id = %self.file_id, error, "cannot abort the upload of a data file; a lifecycle rule for incomplete uploads can remove it");
        }
    }

    fn end_buffer(&mut self) {
        let last = self.filling.take();
        self.part
            .extend(last.map(|(buffer, filled)| buffer.freeze().slice(..filled)));
    }

    fn take_part(&mut self) -> Vec<Bytes> {
        self.end_buffer();
        self.part_bytes = 0;
        std::mem::take(&mut self.part)
    }

    async fn send_part(&mut self) -> Result<(), StoreError> {
        if self.sending.len() + 1 >= self.parts.most {
            self.wait_for_part().await?;
        }
        if self.upload.is_none() {
            self.count_put(0);
            let path = self.objects.path(self.file_id);
            let begun = self.objects.store.put_multipart(&path).await;
            self.upload = Some(begun.map_err(|error| self.failed(&error))?);
        }
        self.count_put(self.part_bytes as u64);
        let part: PutPayload = self.take_part().into_iter().collect();
        if let Some(upload) = &mut self.upload {
            let sent = upload.put_part(part);
            self.sending.push_back(spawn(sent));
        }
        Ok(())
    }

    /// Waits for the oldest part.
    async fn wait_for_part(&mut self) -> Result<(), StoreError> {
        // The part stays queued while it is awaited, so that a cancelled writer can still abort it.
        let Some(sending) = self.sending.front_mut() else {
            return Ok(());
        };
        let sent = sending.await;
        self.sending.pop_front();
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.failed(&error)),
            Err(error) => Err(StoreError::Failed(with_causes(&error))),
        }
    }

    fn count_put(&mut self, bytes: u64) {
        self.puts += 1;
        let counters = &self.objects.counters;
        counters.puts.fetch_add(1, Ordering::Relaxed);
        counters.put_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn failed(&self, error: &object_store::Error) -> StoreError {
        self.objects.counters.failed(error);
        self.objects.counters.put_errors.fetch_add(1, Ordering::Relaxed);
        StoreError::Failed(with_causes(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bucket::Bucket;

    const PARTS: Parts = Parts { bytes: 1000, most: 3 };

    fn content(bytes: usize) -> Vec<u8> {
        (0..bytes).map(|at| (at % 251) as u8).collect()
    }

    async fn write(objects: &Arc<Objects>, content: &[u8]) -> FileWriter {
        let mut writer = FileWriter::new(Arc::clone(objects), Uuid::now_v7(), PARTS);
        for piece in content.chunks(333) {
            writer.write(piece).await.unwrap();
        }
        writer
    }

    #[tokio::test]
    async fn a_file_of_any_size_round_trips() {
        for url in [
            "mem://",
            &format!("file://{}", tempfile::tempdir().unwrap().path().display()),
        ] {
            let objects = Arc::new(Objects::new(&Bucket::open(url).unwrap(), "c"));
            for (bytes, puts) in [(1, 1), (999, 1), (1000, 1), (1001, 4), (2000, 4), (12_345, 15)] {
                let content = content(bytes);
                let mut writer = write(&objects, &content).await;
                assert_eq!(writer.finish().await.unwrap(), bytes as u64);
                assert_eq!(writer.puts(), puts, "{bytes} bytes");
                let read = objects.get(writer.file_id(), 0, bytes as u64).await.unwrap();
                assert!(read.concat() == content, "{bytes} bytes");
            }
        }
    }

    #[tokio::test]
    async fn an_aborted_file_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let bucket = Bucket::open(&format!("file://{}", folder.path().display())).unwrap();
        let objects = Arc::new(Objects::new(&bucket, "c"));
        let mut writer = write(&objects, &content(12_345)).await;
        writer.abort().await;
        let mut folders = vec![folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                assert!(entry.file_type().unwrap().is_dir(), "{entry:?} is left");
                folders.push(entry.path());
            }
        }
    }
}
