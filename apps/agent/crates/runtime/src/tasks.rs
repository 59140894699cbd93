//! Tasks and blocking work.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::task::{JoinError, JoinHandle, JoinSet};

/// Spawns a task that ends with its future, or with the runtime.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    #[cfg(feature = "simulation")]
    if let Some(machine) = crate::simulation::current() {
        return machine.spawn(future);
    }
    #[expect(clippy::disallowed_methods, reason = "the one place that spawns tasks")]
    tokio::spawn(future)
}

/// Tasks that are aborted when this is dropped.
#[derive(Debug, Default)]
pub struct TaskSet(JoinSet<()>);

impl TaskSet {
    /// Spawns a task in the set.
    #[track_caller]
    pub fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        #[cfg(feature = "simulation")]
        if let Some(machine) = crate::simulation::current() {
            machine.spawn_in(&mut self.0, future);
            return;
        }
        #[expect(clippy::disallowed_methods, reason = "the one place that spawns tasks of a set")]
        self.0.spawn(future);
    }
}

/// Runs work that would delay other tasks, on a thread for such work. A simulation has one thread and runs it in place.
#[track_caller]
pub fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> BlockingTask<T> {
    #[cfg(feature = "simulation")]
    if crate::simulation::current().is_some() {
        return BlockingTask(Work::Done(Some(work())));
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that uses the threads for blocking work"
    )]
    BlockingTask(Work::Running(tokio::task::spawn_blocking(work)))
}

/// The result of blocking work. The work goes on if this is dropped.
#[derive(Debug)]
pub struct BlockingTask<T>(Work<T>);

#[derive(Debug)]
enum Work<T> {
    Running(JoinHandle<T>),
    #[cfg(feature = "simulation")]
    Done(Option<T>),
}

impl<T> Unpin for BlockingTask<T> {}

impl<T> Future for BlockingTask<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Work::Running(handle) => Pin::new(handle).poll(context),
            #[cfg(feature = "simulation")]
            Work::Done(result) => result.take().map_or(Poll::Pending, |result| Poll::Ready(Ok(result))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn blocking_work_returns_its_result_or_its_panic() {
        assert_eq!(run_blocking(|| 7).await.unwrap(), 7);
        assert!(run_blocking(|| panic!("expected")).await.unwrap_err().is_panic());
    }

    #[tokio::test]
    async fn dropping_a_set_aborts_its_tasks() {
        let (held, released) = tokio::sync::oneshot::channel::<()>();
        let mut tasks = TaskSet::default();
        tasks.spawn(async move {
            let _held = held;
            std::future::pending::<()>().await;
        });
        drop(tasks);
        assert!(released.await.is_err());
    }
}
