//! The faults that may happen now, drawn from the seed. After the storm nothing fails any more.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// How the object store behaves for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreMode {
    Fine,
    Slow,
    /// Each request hangs for 40 s and then fails.
    Hangs,
    Fails,
    Throttles,
    /// Reads work, and writes are refused.
    ReadOnly,
}

pub(crate) const STORE_MODES: [StoreMode; 6] = [
    StoreMode::Fine,
    StoreMode::Slow,
    StoreMode::Hangs,
    StoreMode::Fails,
    StoreMode::Throttles,
    StoreMode::ReadOnly,
];

/// The simulation's randomness and its present faults. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Weather(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    random: StdRng,
    is_stormy: bool,
    store: StoreMode,
}

impl Weather {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(State {
            random: StdRng::seed_from_u64(seed),
            is_stormy: true,
            store: StoreMode::Fine,
        })))
    }

    /// Ends all faults for good.
    pub(crate) fn clear(&self) {
        let mut state = self.0.lock();
        state.is_stormy = false;
        state.store = StoreMode::Fine;
    }

    pub(crate) fn is_stormy(&self) -> bool {
        self.0.lock().is_stormy
    }

    pub(crate) fn store_mode(&self) -> StoreMode {
        self.0.lock().store
    }

    pub(crate) fn set_store_mode(&self, mode: StoreMode) {
        self.0.lock().store = mode;
    }

    /// Draws a number from 0 up to `bound`, without it.
    pub(crate) fn below(&self, bound: usize) -> usize {
        self.0.lock().random.random_range(0..bound.max(1))
    }

    /// True in one of `odds` cases, and never after the storm.
    pub(crate) fn strikes(&self, odds: u32) -> bool {
        let mut state = self.0.lock();
        let strikes = state.random.random_range(0..odds.max(1)) == 0;
        strikes && state.is_stormy
    }

    /// A duration from this range of milliseconds.
    pub(crate) fn millis(&self, from: u64, to: u64) -> Duration {
        Duration::from_millis(self.0.lock().random.random_range(from..=to))
    }
}
