//! Reads the windows of a plan ahead of use, within a memory limit.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt as _};
use penstock_runtime::spawn;
use penstock_store::{Objects, StoreError};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::counters::JobCounters;
use super::plan::{Source, Window};

/// Maximum number of concurrent requests.
const READS_IN_FLIGHT: usize = 8;

/// The windows, in the order in which they are needed.
pub(crate) struct Sources {
    windows: BoxStream<'static, Result<LoadedWindow, StoreError>>,
    open: HashMap<usize, LoadedWindow>,
}

struct LoadedWindow {
    source: usize,
    /// Position in the source at which `rest` begins.
    position: u64,
    rest: VecDeque<Bytes>,
    _memory: OwnedSemaphorePermit,
}

impl Sources {
    /// Creates a reader. Open windows use two thirds of the memory, and read-ahead the rest.
    pub(crate) fn new(
        objects: &Arc<Objects>,
        counters: &Arc<JobCounters>,
        sources: &[Source],
        windows: Vec<Window>,
        memory_bytes: usize,
    ) -> Self {
        let memory = Arc::new(Semaphore::new(memory_bytes));
        let file_ids: Vec<Uuid> = sources.iter().map(|source| source.file_id).collect();
        let (objects, counters) = (Arc::clone(objects), Arc::clone(counters));
        let windows = futures_util::stream::iter(windows)
            // Memory is acquired in order rather than in the tasks: otherwise a later window could take the memory that
            // an earlier one waits for.
            .then(move |window| {
                let memory = Arc::clone(&memory);
                let permits = u32::try_from(window.end - window.start).unwrap_or(u32::MAX);
                async move { (window, memory.acquire_many_owned(permits).await) }
            })
            .map(move |(window, memory)| {
                let load = load(
                    Arc::clone(&objects),
                    Arc::clone(&counters),
                    memory,
                    file_ids[window.source],
                    window,
                );
                // Spawned, so that the read continues while other windows are copied.
                let loading = spawn(load);
                async move {
                    loading
                        .await
                        .unwrap_or_else(|error| Err(StoreError::Failed(error.to_string())))
                }
            })
            .buffered(READS_IN_FLIGHT)
            .boxed();
        Self {
            windows,
            open: HashMap::new(),
        }
    }

    /// Returns bytes of a source from `position`: at least one, and none from `end` on.
    pub(crate) async fn take(&mut self, source: usize, position: u64, end: u64) -> Result<Bytes, StoreError> {
        loop {
            if let Some(window) = self.open.get_mut(&source)
                && let Some(piece) = window.take(position, end)
            {
                if window.rest.is_empty() {
                    self.open.remove(&source);
                }
                return Ok(piece);
            }
            // Windows come in the order in which they are needed, so the next one belongs to this source. The previous
            // one must first release its memory.
            self.open.remove(&source);
            match self.windows.next().await {
                Some(window) => {
                    let window = window?;
                    self.open.insert(window.source, window);
                }
                None => return Err(StoreError::Failed("a job's plan reads too little".to_owned())),
            }
        }
    }
}

impl LoadedWindow {
    fn take(&mut self, position: u64, end: u64) -> Option<Bytes> {
        let mut to_skip = position.checked_sub(self.position)?;
        while let Some(mut front) = self.rest.pop_front() {
            let len = front.len() as u64;
            if len <= to_skip {
                to_skip -= len;
                self.position += len;
                continue;
            }
            // Both are at most the length of a piece in memory.
            #[expect(clippy::cast_possible_truncation, reason = "within a piece in memory")]
            let (skipped, wanted) = (to_skip as usize, (end - position).min(len - to_skip) as usize);
            let _ = front.split_to(skipped);
            let piece = front.split_to(wanted);
            if !front.is_empty() {
                self.rest.push_front(front);
            }
            self.position = position + wanted as u64;
            return Some(piece);
        }
        None
    }
}

async fn load(
    objects: Arc<Objects>,
    counters: Arc<JobCounters>,
    memory: Result<OwnedSemaphorePermit, AcquireError>,
    file_id: Uuid,
    window: Window,
) -> Result<LoadedWindow, StoreError> {
    let bytes = window.end - window.start;
    let memory = memory.map_err(|closed| StoreError::Failed(closed.to_string()))?;
    JobCounters::add(&counters.gets, 1);
    let rest = objects.get_for_job(file_id, window.start, window.end).await?;
    JobCounters::add(&counters.read_bytes, bytes);
    Ok(LoadedWindow {
        source: window.source,
        position: window.start,
        rest: rest.into(),
        _memory: memory,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use penstock_store::Bucket;
    use tokio::time::{Instant, timeout};

    use super::*;

    const WINDOW_BYTES: u64 = 4 << 10;
    const WINDOWS: u64 = 16;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn read_ahead_never_takes_memory_that_the_next_read_needs() {
        let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
        let (file_id, content) = (Uuid::now_v7(), vec![7; (WINDOWS * WINDOW_BYTES) as usize]);
        let deadline = Instant::now() + Duration::from_secs(60);
        objects.put(file_id, vec![content.into()], deadline).await.unwrap();
        let windows = (0..WINDOWS).map(|at| Window {
            source: 0,
            start: at * WINDOW_BYTES,
            end: (at + 1) * WINDOW_BYTES,
        });
        let windows: Vec<Window> = windows.collect();
        for _ in 0..50 {
            // Room for one window, but not for two.
            let memory_bytes = WINDOW_BYTES as usize * 3 / 2;
            let mut sources = Sources::new(
                &objects,
                &Arc::default(),
                &[Source { file_id }],
                windows.clone(),
                memory_bytes,
            );
            let (mut position, end) = (0, WINDOWS * WINDOW_BYTES);
            while position < end {
                let piece = timeout(Duration::from_secs(60), sources.take(0, position, end)).await;
                position += piece.expect("the read hangs").unwrap().len() as u64;
            }
        }
    }
}
