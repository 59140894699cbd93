//! Peers that did not answer lately. They are skipped for a while, so that a dead or hanging peer delays a read now and then instead of
//! every read.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use penstock_store::PeerId;
use tokio::time::Instant;

/// After the first failure; doubled by each further one in a row.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Peers that failed and have not answered since.
#[derive(Debug, Default)]
pub(crate) struct Suspicions {
    of: Mutex<HashMap<PeerId, Suspicion>>,
}

#[derive(Debug)]
struct Suspicion {
    until: Instant,
    pause: Duration,
}

impl Suspicions {
    /// Whether the peer is left out for now.
    pub(crate) fn is_suspected(&self, peer: PeerId) -> bool {
        self.lock()
            .get(&peer)
            .is_some_and(|suspicion| Instant::now() < suspicion.until)
    }

    /// Whether the peer may be asked now. Of those who want to ask one that failed before, the first after its pause may.
    pub(crate) fn may_ask(&self, peer: PeerId) -> bool {
        let mut all = self.lock();
        let Some(suspicion) = all.get_mut(&peer) else {
            return true;
        };
        let now = Instant::now();
        let may = suspicion.until <= now;
        if may {
            suspicion.until = now + suspicion.pause;
        }
        may
    }

    /// The peer did not answer. `is_peer`: of whom else to keep anything.
    pub(crate) fn failed(&self, peer: PeerId, is_peer: impl Fn(PeerId) -> bool) {
        let now = Instant::now();
        let mut all = self.lock();
        all.retain(|known, _| *known == peer || is_peer(*known));
        let suspicion = all.entry(peer).or_insert(Suspicion {
            until: now,
            pause: FIRST_PAUSE / 2,
        });
        suspicion.pause = (suspicion.pause * 2).min(MAX_PAUSE);
        suspicion.until = now + suspicion.pause;
    }

    /// The peer answered.
    pub(crate) fn answered(&self, peer: PeerId) {
        self.lock().remove(&peer);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PeerId, Suspicion>> {
        self.of.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_failed_is_asked_by_one_reader_after_a_pause_and_by_all_once_it_answered() {
        let suspicions = Suspicions::default();
        assert!(suspicions.may_ask(1));
        suspicions.failed(1, |_| true);
        assert!(suspicions.is_suspected(1) && !suspicions.may_ask(1));
        assert!(!suspicions.is_suspected(2));
        tokio::time::advance(FIRST_PAUSE).await;
        assert!(suspicions.may_ask(1));
        assert!(!suspicions.may_ask(1));
        suspicions.answered(1);
        assert!(suspicions.may_ask(1) && suspicions.may_ask(1));
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_up_to_a_bound_and_those_who_left_are_forgotten() {
        let suspicions = Suspicions::default();
        for _ in 0..20 {
            suspicions.failed(1, |_| true);
        }
        suspicions.failed(2, |_| true);
        tokio::time::advance(FIRST_PAUSE).await;
        assert!(suspicions.is_suspected(1) && !suspicions.is_suspected(2));
        tokio::time::advance(MAX_PAUSE).await;
        assert!(!suspicions.is_suspected(1));
        suspicions.failed(3, |peer| peer == 3);
        assert_eq!(suspicions.lock().keys().copied().collect::<Vec<_>>(), [3]);
    }
}
