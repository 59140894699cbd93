//! Peers that recently failed to respond. They are skipped for a while, so that a dead or hanging peer delays only
//! occasional reads.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use penstock_store::PeerId;
use tokio::time::Instant;

/// Pause after the first failure. Each consecutive failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Peers that failed and have not responded since.
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
    /// Returns true if the peer is currently skipped.
    pub(crate) fn is_suspected(&self, peer: PeerId) -> bool {
        self.lock()
            .get(&peer)
            .is_some_and(|suspicion| Instant::now() < suspicion.until)
    }

    /// Returns true if the peer can be tried now. After the pause of a failed peer, only the first caller can.
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

    /// Records that the peer did not respond. Drops all peers for which `is_peer` returns false.
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

    /// Records that the peer responded.
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
    async fn one_reader_retries_a_failed_peer_until_it_responds() {
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
    async fn pauses_grow_to_a_bound_and_departed_peers_are_forgotten() {
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
