//! Runs `penstock_fuzz::tokens` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, tokens};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: tokens::Input<'_>| HEAP.run(|| {
    let input = input;
    tokens::run(&input);
}));
