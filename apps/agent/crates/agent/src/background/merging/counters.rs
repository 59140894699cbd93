//! Counters of jobs since the agent started.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Counters; they never decrease.
#[derive(Debug, Default)]
pub(crate) struct JobCounters {
    /// Jobs whose file took the place of its sources.
    pub(crate) done: AtomicU64,
    /// Jobs that another agent took over, or whose sources were gone or replaced.
    pub(crate) given_up: AtomicU64,
    /// Jobs that object storage, damaged bytes or the metadata service ended.
    pub(crate) failed: AtomicU64,
    pub(crate) read_bytes: AtomicU64,
    pub(crate) written_bytes: AtomicU64,
    pub(crate) gets: AtomicU64,
    pub(crate) puts: AtomicU64,
    /// Records and bytes that compaction left out.
    pub(crate) dropped_records: AtomicU64,
    pub(crate) dropped_bytes: AtomicU64,
    /// Keys of the partition that was compacted last: a gauge.
    pub(crate) map_keys: AtomicU64,
    /// Partitions that were compacted in part, since their keys did not fit the memory of a job.
    pub(crate) maps_full: AtomicU64,
    /// CPU time of the threads that copy and check, without network time.
    pub(crate) cpu_us: AtomicU64,
}

impl JobCounters {
    pub(crate) fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn set(gauge: &AtomicU64, value: u64) {
        gauge.store(value, Ordering::Relaxed);
    }

    /// Counts the processor time that `work` takes on this thread.
    pub(crate) fn timed_call<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = thread_cpu();
        let done = work();
        self.count_cpu(before);
        done
    }

    fn count_cpu(&self, before: Duration) {
        let took = thread_cpu().saturating_sub(before);
        Self::add(&self.cpu_us, u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    /// Counts the processor time that `work` takes.
    pub(crate) fn timed<F: Future>(self: &Arc<Self>, work: F) -> impl Future<Output = F::Output> {
        Timed {
            work: Box::pin(work),
            counters: Arc::clone(self),
        }
    }
}

struct Timed<F> {
    work: Pin<Box<F>>,
    counters: Arc<JobCounters>,
}

impl<F: Future> Future for Timed<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let before = thread_cpu();
        let polled = self.work.as_mut().poll(context);
        self.counters.count_cpu(before);
        polled
    }
}

/// Processor time of this thread so far.
fn thread_cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let nanoseconds = u32::try_from(now.tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_processor_time_of_work_is_counted() {
        let counters = Arc::new(JobCounters::default());
        counters
            .timed(async {
                let began = thread_cpu();
                while thread_cpu() - began < Duration::from_millis(2) {}
            })
            .await;
        assert!(counters.cpu_us.load(Ordering::Relaxed) >= 2_000);
    }
}
