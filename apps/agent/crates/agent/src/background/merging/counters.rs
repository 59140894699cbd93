//! Counts the jobs that ran since the agent started.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use penstock_runtime::measured;
use rustix::time::{ClockId, clock_gettime};

/// Counters of merge and compaction jobs. They never decrease.
#[derive(Debug, Default)]
pub(crate) struct JobCounters {
    /// Jobs whose file replaced its sources.
    pub(crate) done: AtomicU64,
    /// Jobs that another agent took over, or whose sources were deleted or replaced.
    pub(crate) given_up: AtomicU64,
    /// Jobs that failed because of object storage, damaged data or the metadata service.
    pub(crate) failed: AtomicU64,
    pub(crate) read_bytes: AtomicU64,
    pub(crate) written_bytes: AtomicU64,
    pub(crate) gets: AtomicU64,
    pub(crate) puts: AtomicU64,
    /// Records and bytes removed by compaction.
    pub(crate) dropped_records: AtomicU64,
    pub(crate) dropped_bytes: AtomicU64,
    /// Gauge: keys in the partition that was compacted last.
    pub(crate) map_keys: AtomicU64,
    /// Partitions that were only partly compacted because their keys did not fit in a job's memory.
    pub(crate) maps_full: AtomicU64,
    /// CPU time of the threads that copy and verify. Excludes time spent on the network.
    pub(crate) cpu_us: AtomicU64,
}

impl JobCounters {
    pub(crate) fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn set(gauge: &AtomicU64, value: u64) {
        gauge.store(value, Ordering::Relaxed);
    }

    /// Calls `work` and counts the CPU time that it takes on this thread.
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

    /// Polls `work` and counts the CPU time that it takes.
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

/// CPU time that this thread has used.
fn thread_cpu() -> Duration {
    measured(|| {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        let nanoseconds = u32::try_from(now.tv_nsec).unwrap_or(0);
        Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), nanoseconds)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn counts_the_cpu_time_of_work() {
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
