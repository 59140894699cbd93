//! Remembers nonces, so that no request is answered twice.

use std::collections::HashSet;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// The nonce of a request.
pub(crate) type Nonce = [u8; 16];

/// Maximum number of nonces per generation. Beyond it, requests are refused, and their agents read from the bucket.
const MAX_NONCES: usize = 65_536;

/// Remembers each nonce for at least `kept`, and at most twice as long.
#[derive(Debug)]
pub(crate) struct Nonces {
    kept: Duration,
    generations: Mutex<Generations>,
}

#[derive(Debug)]
struct Generations {
    current: HashSet<Nonce>,
    previous: HashSet<Nonce>,
    began: Instant,
}

impl Nonces {
    pub(crate) fn new(kept: Duration) -> Self {
        let generations = Generations {
            current: HashSet::new(),
            previous: HashSet::new(),
            began: Instant::now(),
        };
        Self {
            kept,
            generations: Mutex::new(generations),
        }
    }

    /// Records a nonce. Returns true if it is new.
    pub(crate) fn note(&self, nonce: Nonce) -> bool {
        let mut generations = self.generations.lock();
        if generations.began.elapsed() >= self.kept {
            generations.previous = std::mem::take(&mut generations.current);
            generations.began = Instant::now();
        }
        !generations.previous.contains(&nonce)
            && generations.current.len() < MAX_NONCES
            && generations.current.insert(nonce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nonce(number: usize) -> Nonce {
        (number as u128).to_be_bytes()
    }

    #[tokio::test(start_paused = true)]
    async fn a_nonce_is_new_once_while_it_is_remembered() {
        let nonces = Nonces::new(Duration::from_secs(20));
        assert!(nonces.note(nonce(1)));
        assert!(!nonces.note(nonce(1)));
        tokio::time::advance(Duration::from_secs(20)).await;
        assert!(!nonces.note(nonce(1)));
        assert!(nonces.note(nonce(2)));
    }

    #[tokio::test(start_paused = true)]
    async fn memory_for_nonces_is_bounded_and_freed_later() {
        let nonces = Nonces::new(Duration::from_secs(20));
        assert!((0..MAX_NONCES).all(|number| nonces.note(nonce(number))));
        assert!(!nonces.note(nonce(MAX_NONCES)));
        tokio::time::advance(Duration::from_secs(20)).await;
        assert!(nonces.note(nonce(MAX_NONCES)));
    }
}
