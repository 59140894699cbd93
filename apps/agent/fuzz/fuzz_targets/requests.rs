//! Runs `penstock_fuzz::requests` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, requests};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: Vec<requests::Sent<'_>>| HEAP.run(|| {
    let input = input;
    requests::run(&input);
}));
