//! Random input for the fuzz targets (apps/agent/fuzz), which cover the bytes that an agent reads: of clients, of files,
//! and of the metadata service. This takes seconds and keeps them compiling; `npm run fault -- fuzz-sign-in` and
//! `fuzz-agent` search for hours, guided by coverage.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

use arbitrary::{Arbitrary as _, Unstructured};

use targets::{HeapWatch, answers, batches, certificates, connection, events, files, requests, sign_in, tokens};

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

/// Runs a target with the inputs in its folder of seeds, which a search found, and with random ones.
fn feed(name: &str, target: impl Fn(Unstructured<'_>)) {
    let heap = HeapWatch::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(name);
    for seed in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let input = std::fs::read(seed.path()).unwrap();
        heap.run(|| target(Unstructured::new(&input)));
    }
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
fn hostile_bytes_cause_no_panic_and_no_leak() {
    feed("connection", |input| {
        if let Ok(sent) = Vec::arbitrary_take_rest(input) {
            connection::run(&sent);
        }
    });
    feed("sign_in", |input| {
        if let Ok(acts) = Vec::arbitrary_take_rest(input) {
            sign_in::run(&acts);
        }
    });
    feed("tokens", |input| {
        if let Ok(input) = tokens::Input::arbitrary_take_rest(input) {
            tokens::run(&input);
        }
    });
    feed("certificates", |input| {
        if let Ok(input) = certificates::Input::arbitrary_take_rest(input) {
            certificates::run(&input);
        }
    });
    feed("requests", |input| {
        if let Ok(requests) = Vec::arbitrary_take_rest(input) {
            requests::run(&requests);
        }
    });
    feed("batches", |input| {
        if let Ok(input) = batches::Input::arbitrary_take_rest(input) {
            batches::run(&input);
        }
    });
    feed("files", |input| {
        if let Ok(input) = files::Input::arbitrary_take_rest(input) {
            files::run(&input);
        }
    });
    feed("events", |input| {
        if let Ok(steps) = Vec::arbitrary_take_rest(input) {
            events::run(&steps);
        }
    });
    feed("answers", |input| {
        if let Ok(input) = answers::Input::arbitrary_take_rest(input) {
            answers::run(&input);
        }
    });
}
