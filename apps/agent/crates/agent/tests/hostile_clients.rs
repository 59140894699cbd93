//! Random input for the fuzz targets (apps/agent/fuzz), which cover everything that clients can send before they sign
//! in. This takes a second and keeps them compiling; `npm run fault -- fuzz-sign-in` searches for hours, guided by
//! coverage.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use arbitrary::{Arbitrary as _, Unstructured};

use targets::{HeapWatch, certificates, connection, sign_in, tokens};

/// The heap check compares the second half with the first.
const EXECUTIONS: u32 = 2_000;
const MAX_INPUT_BYTES: usize = 512;

/// A xorshift generator, so that each run has the same inputs.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn feed(target: impl Fn(Unstructured<'_>)) {
    let heap = HeapWatch::new();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut input = [0; MAX_INPUT_BYTES];
    for _ in 0..EXECUTIONS {
        input
            .chunks_exact_mut(8)
            .for_each(|chunk| chunk.copy_from_slice(&random.next().to_le_bytes()));
        let len = usize::try_from(random.next()).unwrap() % MAX_INPUT_BYTES;
        heap.run(|| target(Unstructured::new(&input[..len])));
    }
}

/// One test for all targets, because others running concurrently would change the heap usage.
#[test]
fn unauthenticated_clients_cause_no_panic_and_no_leak() {
    feed(|input| {
        if let Ok(sent) = Vec::arbitrary_take_rest(input) {
            connection::run(&sent);
        }
    });
    feed(|input| {
        if let Ok(acts) = Vec::arbitrary_take_rest(input) {
            sign_in::run(&acts);
        }
    });
    feed(|input| {
        if let Ok(input) = tokens::Input::arbitrary_take_rest(input) {
            tokens::run(&input);
        }
    });
    feed(|input| {
        if let Ok(input) = certificates::Input::arbitrary_take_rest(input) {
            certificates::run(&input);
        }
    });
}
