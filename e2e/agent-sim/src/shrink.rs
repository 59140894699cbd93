//! Finds a minimal set of faults with which a seed still breaks the same guarantee. Each try is a process of its own.

use std::collections::BTreeSet;
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;

use crate::Arguments;

/// How much of the history around a fault is printed.
const AROUND_MS: u64 = 1_500;
const MAX_LINES: usize = 60;

/// A run of the seed.
struct Run {
    lines: Vec<String>,
    outcome: Value,
}

/// Shrinks a seed, and prints the faults that remain, the broken guarantee and the history around them.
pub(crate) fn shrink(seed: u64, arguments: &Arguments) -> ExitCode {
    let mut without: BTreeSet<String> = arguments.without.iter().cloned().collect();
    let Some(mut best) = run(seed, arguments, &without) else {
        return ExitCode::FAILURE;
    };
    let Some(broken) = faults(&best.outcome).first().map(|fault| guarantee_of(fault)) else {
        println!("seed {seed} breaks nothing");
        return ExitCode::SUCCESS;
    };
    let mut tries = 1;
    let mut attempt = |best: &mut Run, without: &mut BTreeSet<String>, left_out: &[String]| {
        let mut wanted = without.clone();
        wanted.extend(left_out.iter().cloned());
        tries += 1;
        let Some(found) = run(seed, arguments, &wanted) else {
            return false;
        };
        let is_broken = faults(&found.outcome).iter().any(|fault| guarantee_of(fault) == broken);
        if is_broken {
            *without = wanted;
            *best = found;
        }
        println!(
            "  without {} more of them: {}",
            left_out.len(),
            if is_broken { "still broken" } else { "holds" }
        );
        is_broken
    };
    println!("seed {seed}: {} faults, {broken}", struck(&best.outcome).len());
    let mut size = struck(&best.outcome).len();
    while size > 0 {
        let mut at = 0;
        loop {
            let candidates = struck(&best.outcome);
            let Some(chunk) = candidates
                .get(at..candidates.len().min(at + size))
                .filter(|chunk| !chunk.is_empty())
            else {
                break;
            };
            // Without a fault, others may strike that did not before.
            if !attempt(&mut best, &mut without, chunk) {
                at += size;
            }
        }
        size /= 2;
    }
    report(seed, &best, &broken, tries, &without);
    ExitCode::FAILURE
}

fn report(seed: u64, best: &Run, broken: &str, tries: usize, without: &BTreeSet<String>) {
    let remaining = best.outcome["struck"].as_array().map_or(&[][..], Vec::as_slice);
    println!(
        "\nseed {seed} breaks a guarantee with {} faults, after {tries} runs:",
        remaining.len()
    );
    let mut times = Vec::new();
    for fault in remaining {
        let at_ms = fault["atMs"].as_u64().unwrap_or(0);
        times.push(at_ms);
        println!(
            "  {at_ms:>7} ms  {}  {}",
            fault["name"].as_str().unwrap_or_default(),
            fault["what"].as_str().unwrap_or_default()
        );
    }
    println!("broken:");
    let named = faults(&best.outcome);
    for fault in named.iter().filter(|fault| guarantee_of(fault) == broken).take(5) {
        println!("  {fault}");
    }
    println!("history around the faults:");
    let is_near = |line: &&String| {
        let at_ms = line.split_whitespace().next().and_then(|word| word.parse::<u64>().ok());
        at_ms.is_some_and(|at_ms| times.iter().any(|time| time.abs_diff(at_ms) <= AROUND_MS))
    };
    for line in best.lines.iter().filter(is_near).take(MAX_LINES) {
        println!("  {line}");
    }
    let without: Vec<&str> = without.iter().map(String::as_str).collect();
    println!("\nreplay: --seed {seed} --verbose --without {}", without.join(","));
}

fn run(seed: u64, arguments: &Arguments, without: &BTreeSet<String>) -> Option<Run> {
    let program = std::env::current_exe().ok()?;
    let without: Vec<&str> = without.iter().map(String::as_str).collect();
    let mut command = Command::new(program);
    command
        .args(["--seed", &seed.to_string(), "--verbose"])
        .args(["--seconds", &arguments.seconds.to_string()])
        .args(["--node", &arguments.node])
        .args(arguments.scenario_arguments())
        .stderr(Stdio::inherit());
    if !without.is_empty() {
        command.args(["--without", &without.join(",")]);
    }
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let outcome = serde_json::from_str(lines.last()?).ok()?;
    Some(Run { lines, outcome })
}

fn struck(outcome: &Value) -> Vec<String> {
    let faults = outcome["struck"].as_array().map_or(&[][..], Vec::as_slice);
    faults
        .iter()
        .filter_map(|fault| fault["name"].as_str().map(str::to_owned))
        .collect()
}

fn faults(outcome: &Value) -> Vec<&str> {
    let faults = outcome["faults"].as_array().map_or(&[][..], Vec::as_slice);
    faults.iter().filter_map(Value::as_str).collect()
}

/// The broken guarantee, without the records and offsets in the text.
fn guarantee_of(fault: &str) -> String {
    let words = fault
        .split(|letter: char| letter.is_whitespace() || letter == ':')
        .filter(|word| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|letter| letter.is_alphabetic() || ",.'".contains(letter))
        });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarantee_is_the_same_for_other_records() {
        let lost = guarantee_of("producer-3/1/20 was acknowledged and is lost");
        assert_eq!(lost, guarantee_of("producer-0/2/7 was acknowledged and is lost"));
        assert_ne!(lost, guarantee_of("partition 0: offset 1 is followed by 2"));
    }
}
