//! Runs the simulation as a process.

use std::process::Command;

use serde_json::Value;

/// Runs the simulation and returns its outcome.
pub(crate) fn outcome(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_penstock-agent-sim"))
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("the simulation does not start: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{last}\n{}", String::from_utf8_lossy(&output.stderr)))
}
