//! The history of a seed as lines, and their hash: one seed must always give the same one.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::clock::Clock;

/// Records what happens. Clones write to the same trace.
#[derive(Clone)]
pub(crate) struct Trace(Arc<Mutex<State>>);

struct State {
    clock: Clock,
    is_verbose: bool,
    hash: u64,
    lines: u64,
}

impl Trace {
    pub(crate) fn new(clock: Clock, is_verbose: bool) -> Self {
        Self(Arc::new(Mutex::new(State {
            clock,
            is_verbose,
            hash: 0xcbf2_9ce4_8422_2325,
            lines: 0,
        })))
    }

    /// Adds a line to the history.
    pub(crate) fn note(&self, actor: &str, what: &str) {
        let mut state = self.0.lock();
        let line = format!("{:>9} {actor}: {what}", state.clock.elapsed_ms());
        state.add(line.as_bytes());
        state.lines += 1;
        if state.is_verbose {
            println!("{line}");
        }
    }

    /// Adds bytes to the hash only.
    pub(crate) fn add(&self, bytes: &[u8]) {
        self.0.lock().add(bytes);
    }

    pub(crate) fn hash(&self) -> u64 {
        self.0.lock().hash
    }

    pub(crate) fn lines(&self) -> u64 {
        self.0.lock().lines
    }
}

impl State {
    fn add(&mut self, bytes: &[u8]) {
        // FNV-1a.
        for byte in bytes {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
