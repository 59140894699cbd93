//! Faults that the agent once had.

mod support;

/// Plays a scenario, in which clients must have done something.
fn holds(scenario: &str) {
    let outcome = support::outcome(&["--seed", "1", "--scenario", scenario]);
    assert_eq!(outcome["faults"], serde_json::json!([]));
    assert!(
        outcome["acknowledged"].as_u64().is_some_and(|count| count > 20),
        "{outcome}"
    );
}

#[test]
fn one_hanging_put_delays_nobody() {
    holds("hanging-put");
}

#[test]
fn an_outage_at_first_batches_doubles_nothing() {
    holds("long-outage");
}

#[test]
fn an_agent_with_a_clock_ahead_serves() {
    holds("clock-ahead");
}

#[test]
fn a_fetch_knows_what_clients_knew_before_it() {
    holds("stale-end");
}
