//! Runs `penstock_fuzz::connection` under libFuzzer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use penstock_fuzz::{HeapWatch, connection};

static HEAP: HeapWatch = HeapWatch::new();

fuzz_target!(|input: Vec<connection::Sent<'_>>| HEAP.run(|| {
    let input = input;
    connection::run(&input);
}));
