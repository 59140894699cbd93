//! The faults that may happen now, drawn from the seed. After the storm nothing fails any more.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use tokio::time::Instant;

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

/// The simulation's randomness and its present faults. Clones draw from the same stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Weather {
    sky: Arc<Mutex<Sky>>,
    stream: Arc<Mutex<Stream>>,
}

/// The state that all streams share.
#[derive(Debug)]
struct Sky {
    seed: u64,
    began: Instant,
    is_stormy: bool,
    /// Only staged faults strike.
    is_staged: bool,
    store: StoreMode,
    /// Names of faults that do not strike.
    without: BTreeSet<String>,
    struck: Vec<Struck>,
}

/// A fault that happened.
#[derive(Debug)]
struct Struck {
    name: String,
    at: Instant,
    what: String,
}

/// Each actor draws from a stream of its own, so that its choices do not depend on how often others draw.
#[derive(Debug)]
struct Stream {
    name: String,
    random: StdRng,
    faults: u64,
}

impl Stream {
    fn new(seed: u64, name: &str) -> Self {
        // FNV-1a.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self {
            name: name.to_owned(),
            random: StdRng::seed_from_u64(seed.rotate_left(32) ^ hash),
            faults: 0,
        }
    }
}

impl Weather {
    /// `without` names faults that must not strike. All others stay as they are, as far as they do not follow from them.
    pub(crate) fn new(seed: u64, without: impl IntoIterator<Item = String>) -> Self {
        let sky = Sky {
            seed,
            began: Instant::now(),
            is_stormy: true,
            is_staged: false,
            store: StoreMode::Fine,
            without: without.into_iter().collect(),
            struck: Vec::new(),
        };
        Self {
            sky: Arc::new(Mutex::new(sky)),
            stream: Arc::new(Mutex::new(Stream::new(seed, "world"))),
        }
    }

    /// Shares the weather and draws from random numbers of this actor's own.
    pub(crate) fn stream(&self, name: &str) -> Self {
        let seed = self.sky.lock().seed;
        Self {
            sky: Arc::clone(&self.sky),
            stream: Arc::new(Mutex::new(Stream::new(seed, name))),
        }
    }

    /// Lets nothing strike by chance.
    pub(crate) fn stage(&self) {
        self.sky.lock().is_staged = true;
    }

    /// Ends all faults for good.
    pub(crate) fn clear(&self) {
        let mut sky = self.sky.lock();
        sky.is_stormy = false;
        sky.store = StoreMode::Fine;
    }

    pub(crate) fn is_stormy(&self) -> bool {
        self.sky.lock().is_stormy
    }

    pub(crate) fn store_mode(&self) -> StoreMode {
        self.sky.lock().store
    }

    pub(crate) fn set_store_mode(&self, mode: StoreMode) {
        self.sky.lock().store = mode;
    }

    /// Draws a number from 0 up to `bound`, without it.
    pub(crate) fn below(&self, bound: usize) -> usize {
        self.stream.lock().random.random_range(0..bound.max(1))
    }

    /// True in one of `odds` cases, and never after the storm.
    pub(crate) fn strikes(&self, odds: u32) -> bool {
        let strikes = self.stream.lock().random.random_range(0..odds.max(1)) == 0;
        strikes && self.is_stormy()
    }

    /// Lets a fault strike in one of `odds` cases. Everything about it is drawn from the result, so that nothing else
    /// changes if it is left out.
    pub(crate) fn fault(&self, odds: u32, what: impl FnOnce() -> String) -> Option<Self> {
        let (name, stream) = {
            let mut stream = self.stream.lock();
            let strikes = stream.random.random_range(0..odds.max(1)) == 0;
            if !strikes {
                return None;
            }
            stream.faults += 1;
            let name = format!("{}.{}", stream.name, stream.faults);
            let of_fault = Stream::new(self.sky.lock().seed, &name);
            (name, of_fault)
        };
        let mut sky = self.sky.lock();
        if !sky.is_stormy || sky.is_staged || sky.without.contains(&name) {
            return None;
        }
        sky.struck.push(Struck {
            name,
            at: Instant::now(),
            what: what(),
        });
        drop(sky);
        Some(Self {
            sky: Arc::clone(&self.sky),
            stream: Arc::new(Mutex::new(stream)),
        })
    }

    /// The faults that struck, in their order.
    pub(crate) fn struck(&self) -> Value {
        let sky = self.sky.lock();
        let faults = sky.struck.iter().map(|fault| {
            let at_ms = u64::try_from(fault.at.duration_since(sky.began).as_millis()).unwrap_or(u64::MAX);
            json!({"name": fault.name, "atMs": at_ms, "what": fault.what})
        });
        Value::Array(faults.collect())
    }

    /// A duration from this range of milliseconds.
    pub(crate) fn millis(&self, from: u64, to: u64) -> Duration {
        Duration::from_millis(self.stream.lock().random.random_range(from..=to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the faults of a stream, and numbers drawn after them.
    fn drawn(without: &[&str]) -> (Vec<String>, Vec<usize>) {
        let weather = Weather::new(7, without.iter().map(|name| (*name).to_owned()));
        let stream = weather.stream("store");
        let mut numbers = Vec::new();
        for _ in 0..40 {
            if let Some(fault) = stream.fault(4, String::new) {
                // A fault may need any number of draws.
                fault.below(9);
            }
            numbers.push(stream.below(1_000));
        }
        let struck = weather.struck();
        let names = struck.as_array().unwrap().iter();
        (
            names.map(|fault| fault["name"].as_str().unwrap().to_owned()).collect(),
            numbers,
        )
    }

    #[test]
    fn a_fault_left_out_shifts_no_other_draw() {
        let (all, numbers) = drawn(&[]);
        assert!(all.len() > 3, "{all:?}");
        let (rest, same_numbers) = drawn(&[&all[1]]);
        assert_eq!(numbers, same_numbers);
        let expected: Vec<&String> = all.iter().filter(|name| **name != all[1]).collect();
        assert_eq!(rest.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn actors_draw_independently() {
        let weather = Weather::new(7, []);
        let (one, other) = (weather.stream("one"), weather.stream("other"));
        let alone: Vec<usize> = (0..5).map(|_| Weather::new(7, []).stream("one").below(100)).collect();
        assert!(alone.iter().all(|number| *number == alone[0]));
        other.below(100);
        assert_eq!(one.below(100), alone[0]);
    }

    #[test]
    fn nothing_strikes_after_the_storm() {
        let weather = Weather::new(7, []);
        weather.clear();
        assert!((0..100).all(|_| weather.fault(1, String::new).is_none() && !weather.strikes(1)));
    }
}
