//! Which requests of agents are on their way. Time may leap only when there are none.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::sleep;

/// Longer than agents take between two requests of one job, and shorter than the pauses between jobs.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// An agent that never rests is noticed by what it leaves behind.
const MOST_LOOKS: usize = 20_000;

/// Counts requests to the bucket and calls to the metadata service. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Busy(Arc<AtomicUsize>);

/// A request that is on its way until this is dropped.
#[derive(Debug)]
pub(crate) struct OnItsWay(Busy);

impl Busy {
    pub(crate) fn begin(&self) -> OnItsWay {
        self.0.fetch_add(1, Ordering::Relaxed);
        OnItsWay(self.clone())
    }

    /// Waits until no request is on its way, and none follows at once.
    pub(crate) async fn quiet(&self) {
        let mut quiet_looks = 0;
        for _ in 0..MOST_LOOKS {
            sleep(LOOK_EVERY).await;
            quiet_looks = match self.0.load(Ordering::Relaxed) {
                0 => quiet_looks + 1,
                _ => 0,
            };
            if quiet_looks == 2 {
                return;
            }
        }
    }
}

impl Drop for OnItsWay {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn quiet_comes_after_the_last_request() {
        let busy = Busy::default();
        let job = {
            let busy = busy.clone();
            async move {
                for _ in 0..2 {
                    let request = busy.begin();
                    sleep(Duration::from_secs(1)).await;
                    drop(request);
                }
            }
        };
        let job = tokio::spawn(job);
        let started = Instant::now();
        busy.quiet().await;
        assert!(job.is_finished());
        assert!(started.elapsed() < Duration::from_millis(2_100));
    }
}
