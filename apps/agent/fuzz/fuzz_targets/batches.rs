//! Runs `penstock_fuzz::batches` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, batches};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: batches::Input<'_>| HEAP.run(|| {
    let input = input;
    batches::run(&input);
}));
