//! A few seeds. `cargo run --release -- --seeds A..B` runs more.

use std::process::Command;

use serde_json::Value;

/// Runs a seed and returns its outcome.
fn outcome(seed: u64) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_penstock-agent-sim"))
        .args(["--seed", &seed.to_string(), "--seconds", "30"])
        .output()
        .unwrap_or_else(|error| panic!("the simulation does not start: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{last}\n{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn no_seed_breaks_a_guarantee() {
    for seed in 1..4 {
        let outcome = outcome(seed);
        assert_eq!(outcome["faults"], serde_json::json!([]), "seed {seed}");
        // A simulation in which nothing happens would break nothing, either.
        for what in ["acknowledged", "read"] {
            assert!(
                outcome[what].as_u64().is_some_and(|count| count > 50),
                "seed {seed}: {outcome}"
            );
        }
    }
}

#[test]
fn a_seed_always_gives_the_same_history() {
    let (one, other) = (outcome(1), outcome(1));
    assert_eq!(one["hash"], other["hash"]);
    assert_eq!(one["lines"], other["lines"]);
}
