//! Checks large batches on other threads than those that serve connections. A few bytes can decompress to a GiB, so few
//! checks run at a time, within a memory limit, and clients take turns.

mod turns;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use penstock_authz::Principal;
use penstock_runtime::{Stopwatch, cores, run_blocking};
use thiserror::Error;
use tokio::sync::oneshot;

use turns::{Size, TurnLimits, Turns};

/// Memory limit for all running checks. A single batch can need almost all of it: zstd's largest window.
const WINDOW_BYTES: u64 = 129 << 20;

/// The checks of all connections.
pub struct RecordChecks {
    turns: Mutex<Turns<Who, oneshot::Sender<Turn>>>,
}

/// Identifies a queue: all requests of a principal, or those from one address without a principal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Who {
    pub(crate) principal: Arc<Principal>,
    /// Set only if the principal is not authenticated.
    pub(crate) host: Option<IpAddr>,
}

/// Why a batch was not checked. It was not stored either, so the client can send it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum NotChecked {
    #[error(
        "the agent is busy reading other large batches: send this one again, or send smaller batches (up to 1 MiB before compression are not held up)"
    )]
    Busy,
    #[error("the agent failed while it read the batch")]
    Failed,
}

/// Permission to run a check, until it is dropped.
struct Turn {
    checks: Arc<RecordChecks>,
    who: Who,
    size: Size,
    began: Stopwatch,
    /// True if nobody waits for it.
    is_unwanted: bool,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.checks.lock().finish(&self.who, self.size, self.began.elapsed());
        // Many turns are unclaimed when many clients disconnect at once. The loop that drops them also starts the next
        // ones.
        if !self.is_unwanted {
            self.checks.start();
        }
    }
}

impl RecordChecks {
    /// Creates the queue. Checks use at most half of the cores. `max_waiting_bytes` limits the memory of waiting
    /// requests.
    #[must_use]
    pub fn new(max_waiting_bytes: u64) -> Arc<Self> {
        Self::with_limits(TurnLimits {
            running: (cores() / 2).max(1),
            window_bytes: WINDOW_BYTES,
            waiting_bytes: max_waiting_bytes,
        })
    }

    fn with_limits(limits: TurnLimits) -> Arc<Self> {
        Arc::new(Self {
            turns: Mutex::new(Turns::new(limits)),
        })
    }

    /// Runs a check in its turn. Returns its result and duration. `request_bytes`: size of the waiting request;
    /// `window_bytes`: memory needed for the check.
    pub(crate) async fn run<Checked: Send + 'static>(
        self: &Arc<Self>,
        who: Who,
        (request_bytes, window_bytes): (u64, u64),
        check: impl FnOnce() -> Checked + Send + 'static,
    ) -> Result<(Checked, Duration), NotChecked> {
        let size = Size {
            request_bytes,
            window_bytes: window_bytes.min(WINDOW_BYTES),
        };
        let (granted, turn) = oneshot::channel();
        let entered = self.lock().enter(&who, size, granted, oneshot::Sender::is_closed);
        entered.map_err(|_| NotChecked::Busy)?;
        self.start();
        let mut turn = turn.await.map_err(|_| NotChecked::Failed)?;
        // The turn lasts until the check ends, even if the client no longer waits for it.
        let checking = run_blocking(move || {
            turn.began = Stopwatch::start();
            let checked = check();
            let took = turn.began.elapsed();
            drop(turn);
            (checked, took)
        });
        checking.await.map_err(|error| {
            tracing::error!(%error, "the check of a batch failed");
            NotChecked::Failed
        })
    }

    /// Starts the checks whose turn has come.
    fn start(self: &Arc<Self>) {
        loop {
            let Some((who, size, granted)) = self.lock().start() else {
                return;
            };
            let turn = Turn {
                checks: Arc::clone(self),
                who,
                size,
                began: Stopwatch::start(),
                is_unwanted: false,
            };
            if let Err(mut unwanted) = granted.send(turn) {
                unwanted.is_unwanted = true;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Turns<Who, oneshot::Sender<Turn>>> {
        self.turns.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::future::join_all;

    use super::*;

    fn from(address: u8) -> Who {
        Who {
            principal: Principal::anonymous(),
            host: Some([10, 0, 0, address].into()),
        }
    }

    impl RecordChecks {
        /// The number of running checks, and their memory.
        pub(crate) fn in_use(&self) -> (usize, u64) {
            self.lock().in_use()
        }

        /// Allows one check at a time.
        pub(crate) fn one_at_a_time() -> Arc<Self> {
            Self::with_limits(TurnLimits {
                running: 1,
                window_bytes: WINDOW_BYTES,
                waiting_bytes: 64 << 20,
            })
        }

        /// Starts a check that lasts until the sender is dropped.
        pub(crate) async fn occupy(self: &Arc<Self>) -> mpsc::Sender<()> {
            let (done, wait) = mpsc::channel();
            let checks = Arc::clone(self);
            let (begun, beginning) = oneshot::channel();
            tokio::spawn(async move {
                let check = move || {
                    begun.send(()).unwrap();
                    wait.recv().unwrap_err();
                };
                checks.run(from(9), (1, 1), check).await.unwrap();
            });
            beginning.await.unwrap();
            done
        }
    }

    fn checks(running: usize, window_bytes: u64) -> Arc<RecordChecks> {
        RecordChecks::with_limits(TurnLimits {
            running,
            window_bytes,
            waiting_bytes: 1 << 20,
        })
    }

    #[tokio::test]
    async fn checks_stay_within_the_limits_on_number_and_memory() {
        let checks = checks(3, 100);
        let run = async |number: u64| {
            let observed = Arc::clone(&checks);
            let check = move || observed.in_use();
            checks.run(from(9), (1, 20 + number % 40), check).await.unwrap().0
        };
        let in_use = join_all((0..500).map(run)).await;
        assert!(in_use.iter().all(|(running, bytes)| *running <= 3 && *bytes <= 100));
        assert_eq!(checks.in_use(), (0, 0));
    }

    #[tokio::test]
    async fn disconnected_clients_release_their_turns() {
        let checks = checks(1, 100);
        let occupied = checks.occupy().await;
        for _ in 0..1_000 {
            let mut waiting = Box::pin(checks.run(from(9), (1, 1), || ()));
            assert!(futures_util::poll!(&mut waiting).is_pending());
        }
        drop(occupied);
        checks.run(from(9), (1, 1), || ()).await.unwrap();
        assert_eq!(checks.in_use(), (0, 0));
    }

    #[tokio::test]
    async fn a_check_that_panics_ends_its_turn() {
        let checks = checks(1, 100);
        let failed = checks.run(from(9), (1, 1), || panic!("a fault of ours")).await;
        assert_eq!(failed.map(|((), _)| ()), Err(NotChecked::Failed));
        assert_eq!(checks.run(from(9), (1, 1), || 7).await.map(|(it, _)| it), Ok(7));
    }

    #[tokio::test]
    async fn each_principal_or_unauthenticated_address_has_one_queue() {
        let checks = checks(1, 100);
        let occupied = checks.occupy().await;
        let (mut flood, order) = (Vec::new(), Arc::new(Mutex::new(Vec::new())));
        for _ in 0..50 {
            let (checks, order) = (Arc::clone(&checks), Arc::clone(&order));
            flood.push(Box::pin(async move {
                let check = move || order.lock().push("flood");
                checks.run(from(9), (1, 1), check).await
            }));
        }
        let mut flood = Box::pin(join_all(flood));
        assert!(futures_util::poll!(&mut flood).is_pending());
        let last = Arc::clone(&order);
        let mut honest = Box::pin(checks.run(from(8), (1, 1), move || last.lock().push("honest")));
        assert!(futures_util::poll!(&mut honest).is_pending());
        drop(occupied);
        let (_, honest) = tokio::join!(flood, honest);
        honest.unwrap();
        let place = order.lock().iter().position(|who| *who == "honest").unwrap();
        assert!(place <= 1, "it came after {place} others");
    }
}
