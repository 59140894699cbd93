//! A few seeds. `npm run sim -- --agents --seeds A..B` runs more.

mod support;

use serde_json::Value;

/// Runs a seed and returns its outcome.
fn outcome(seed: u64) -> Value {
    support::outcome(&["--seed", &seed.to_string(), "--seconds", "30"])
}

#[test]
fn no_seed_breaks_a_guarantee() {
    for seed in [1, 3, 4] {
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
