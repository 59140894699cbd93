//! Runs `penstock_fuzz::answers` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, answers};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: answers::Input<'_>| HEAP.run(|| {
    let input = input;
    answers::run(&input);
}));
