//! Runs `penstock_fuzz::certificates` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, certificates};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: certificates::Input<'_>| HEAP.run(|| {
    let input = input;
    certificates::run(&input);
}));
