//! Virtual machines of a simulation: each has a wall clock, a generator of random numbers and the tasks that were
//! spawned on it, and can pause or crash.

use std::cell::RefCell;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::Instant;

thread_local! {
    static CURRENT: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

/// The machine whose task runs on this thread.
pub(crate) fn current() -> Option<Machine> {
    CURRENT.with_borrow(Clone::clone)
}

/// A virtual machine. Clones are the same machine.
#[derive(Debug, Clone)]
pub struct Machine(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// The wall clock's time at `began`, in milliseconds since the Unix epoch.
    unix_ms: i64,
    began: Instant,
    random: StdRng,
    is_paused: bool,
    is_dead: bool,
    waiting: Vec<Waker>,
    tasks: Vec<AbortHandle>,
}

impl Machine {
    /// Starts a machine whose wall clock shows `unix_ms`.
    #[must_use]
    pub fn new(unix_ms: i64, seed: u64) -> Self {
        Self(Arc::new(Mutex::new(State {
            unix_ms,
            began: Instant::now(),
            random: StdRng::seed_from_u64(seed),
            is_paused: false,
            is_dead: false,
            waiting: Vec::new(),
            tasks: Vec::new(),
        })))
    }

    /// Moves the wall clock by this time.
    pub fn skew_ms(&self, by_ms: i64) {
        self.0.lock().unix_ms += by_ms;
    }

    /// Stops all tasks until [`Self::resume`]. Time goes on.
    pub fn pause(&self) {
        self.0.lock().is_paused = true;
    }

    /// Resumes the tasks where they stopped.
    pub fn resume(&self) {
        let waiting = {
            let mut state = self.0.lock();
            state.is_paused = false;
            std::mem::take(&mut state.waiting)
        };
        for waker in waiting {
            waker.wake();
        }
    }

    /// Ends all tasks where they are, as a power failure would.
    pub fn crash(&self) {
        let tasks = {
            let mut state = self.0.lock();
            state.is_dead = true;
            std::mem::take(&mut state.tasks)
        };
        for task in tasks {
            task.abort();
        }
    }

    /// Spawns a task on this machine.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        #[expect(clippy::disallowed_methods, reason = "the place that spawns a machine's tasks")]
        let handle = tokio::spawn(OnMachine::new(self, future));
        self.keep(handle.abort_handle());
        handle
    }

    pub(crate) fn spawn_in(&self, tasks: &mut JoinSet<()>, future: impl Future<Output = ()> + Send + 'static) {
        #[expect(clippy::disallowed_methods, reason = "the place that spawns a machine's tasks")]
        let handle = tasks.spawn(OnMachine::new(self, future));
        self.keep(handle);
    }

    fn keep(&self, task: AbortHandle) {
        let mut state = self.0.lock();
        if state.is_dead {
            task.abort();
            return;
        }
        if state.tasks.len() == state.tasks.capacity() {
            state.tasks.retain(|task| !task.is_finished());
        }
        state.tasks.push(task);
    }

    pub(crate) fn wall_clock(&self) -> SystemTime {
        let state = self.0.lock();
        let elapsed_ms = i64::try_from(state.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let unix_ms = u64::try_from(state.unix_ms.saturating_add(elapsed_ms)).unwrap_or(0);
        UNIX_EPOCH + Duration::from_millis(unix_ms)
    }

    pub(crate) fn fill_random(&self, bytes: &mut [u8]) {
        self.0.lock().random.fill_bytes(bytes);
    }

    pub(crate) fn random_factor(&self, factors: Range<f64>) -> f64 {
        self.0.lock().random.random_range(factors)
    }

    /// Runs `work` as a task of this machine would.
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let result = work();
        CURRENT.set(before);
        result
    }

    /// Returns false if the machine is down or paused, after noting who waits.
    fn may_run(&self, context: &Context<'_>) -> bool {
        let mut state = self.0.lock();
        if state.is_paused && !state.is_dead {
            state.waiting.push(context.waker().clone());
        }
        !state.is_paused && !state.is_dead
    }
}

/// A future that runs on a machine.
struct OnMachine<F> {
    machine: Machine,
    future: Option<Pin<Box<F>>>,
}

impl<F> OnMachine<F> {
    fn new(machine: &Machine, future: F) -> Self {
        Self {
            machine: machine.clone(),
            future: Some(Box::pin(future)),
        }
    }
}

impl<F: Future> Future for OnMachine<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if !self.machine.may_run(context) {
            return Poll::Pending;
        }
        let machine = self.machine.clone();
        match &mut self.future {
            Some(future) => machine.enter(|| future.as_mut().poll(context)),
            None => Poll::Pending,
        }
    }
}

impl<F> Drop for OnMachine<F> {
    fn drop(&mut self) {
        // What the future spawns as it is dropped belongs to its machine, too.
        let future = self.future.take();
        self.machine.clone().enter(|| drop(future));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::time::{advance, sleep};

    use super::*;
    use crate::{random_uuid, since_unix_epoch, spawn};

    const STEP: Duration = Duration::from_millis(100);

    /// Counts from tasks that the machine's first task spawns.
    fn count_on(machine: &Machine) -> Arc<AtomicU32> {
        let count = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&count);
        drop(machine.spawn(async move {
            drop(spawn(async move {
                loop {
                    sleep(STEP).await;
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }));
        count
    }

    #[tokio::test(start_paused = true)]
    async fn a_crash_ends_tasks_that_tasks_spawned() {
        let machine = Machine::new(0, 1);
        let count = count_on(&machine);
        sleep(STEP * 5 / 2).await;
        machine.crash();
        sleep(STEP * 5).await;
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_paused_machine_continues_where_it_was() {
        let machine = Machine::new(0, 1);
        let count = count_on(&machine);
        sleep(STEP * 5 / 2).await;
        machine.pause();
        sleep(STEP * 5).await;
        assert_eq!(count.load(Ordering::Relaxed), 2);
        machine.resume();
        sleep(STEP / 4).await;
        assert_eq!(count.load(Ordering::Relaxed), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn machines_differ_in_their_clocks_and_seeds_only() {
        let read = |machine: &Machine| machine.spawn(async { (since_unix_epoch(), random_uuid()) });
        let (one, same, other) = (Machine::new(5_000, 1), Machine::new(5_000, 1), Machine::new(5_000, 2));
        other.skew_ms(-1_000);
        advance(Duration::from_millis(250)).await;
        let [one, same, other] = [read(&one).await, read(&same).await, read(&other).await].map(Result::unwrap);
        assert_eq!(one, same);
        assert_eq!(
            (one.0, other.0),
            (Duration::from_millis(5_250), Duration::from_millis(4_250))
        );
        assert_ne!(one.1, other.1);
    }
}
