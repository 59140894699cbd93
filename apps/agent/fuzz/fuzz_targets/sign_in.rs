//! Runs `penstock_fuzz::sign_in` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, sign_in};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: Vec<sign_in::Act<'_>>| HEAP.run(|| {
    let input = input;
    sign_in::run(&input);
}));
