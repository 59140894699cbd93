//! Runs `penstock_fuzz::events` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, events};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: Vec<events::Step<'_>>| HEAP.run(|| {
    let input = input;
    events::run(&input);
}));
