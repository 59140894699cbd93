//! Runs `penstock_fuzz::files` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, files};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: files::Input<'_>| HEAP.run(|| {
    let input = input;
    files::run(&input);
}));
