//! Runs many seeds, each in a process of its own, and sums up.

use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::Arguments;
use crate::lender::Lender;

/// The unit of times in /proc, on all platforms that Rust supports.
const CLOCK_TICKS_PER_S: f64 = 100.0;

#[derive(Default)]
struct Sums {
    seeds: u64,
    broken: Vec<u64>,
    simulated_ms: u64,
    calls: u64,
    sent: u64,
    read: u64,
    orphans: u64,
}

/// Runs the seeds of the arguments. Prints each broken one.
pub(crate) fn run_all(arguments: &Arguments) -> ExitCode {
    let range = arguments.seeds.split_once("..").and_then(|(from, to)| {
        let range = from.parse::<u64>().ok()?..to.parse::<u64>().ok()?;
        (!range.is_empty()).then_some(range)
    });
    let Some(range) = range else {
        eprintln!("--seeds {}: write A..B", arguments.seeds);
        return ExitCode::FAILURE;
    };
    let began = Instant::now();
    let next = AtomicU64::new(range.start);
    let sums = Mutex::new(Sums::default());
    std::thread::scope(|scope| {
        for _ in 0..arguments.workers.max(1) {
            scope.spawn(|| {
                let mut lender = None;
                loop {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= range.end {
                        return;
                    }
                    let outcome = run_one(arguments, seed, &mut lender);
                    add(&mut sums.lock(), seed, outcome);
                }
            });
        }
    });
    let sums = sums.into_inner();
    println!(
        "{} seeds, {} broken, {:.1} simulated hours, {} calls, {} batches sent, {} records read, {} orphans collected, {:.1} s",
        sums.seeds,
        sums.broken.len(),
        sums.simulated_ms as f64 / 3.6e6,
        sums.calls,
        sums.sent,
        sums.read,
        sums.orphans,
        began.elapsed().as_secs_f64()
    );
    if !sums.broken.is_empty() {
        println!("broken: {:?}. Shrink one with --seed N --shrink", sums.broken);
    }
    let summary = json!({
        "first_seed": range.start,
        "last_seed": range.end - 1,
        "seeds": sums.seeds,
        "broken": sums.broken,
        "simulated_hours": rounded(sums.simulated_ms as f64 / 3.6e6),
        "cpu_hours": rounded(cpu_seconds_of_children() / 3600.0),
    });
    println!("{summary}");
    if sums.broken.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn rounded(hours: f64) -> f64 {
    (hours * 10_000.0).round() / 10_000.0
}

/// CPU time of all processes that have ended, the metadata service's included. Zero without /proc.
fn cpu_seconds_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the program's name in parentheses, and may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / CLOCK_TICKS_PER_S
}

/// Plays a seed in a process of its own. A service that it leaves in the middle of something is not lent again.
fn run_one(arguments: &Arguments, seed: u64, lender: &mut Option<Lender>) -> Option<Value> {
    let current = match lender.take() {
        Some(current) => current,
        None => Lender::start(&arguments.node).ok()?,
    };
    let (input, output) = current.lend().ok()?;
    let program = std::env::current_exe().ok()?;
    let ended = Command::new(program)
        .args(["--seed", &seed.to_string(), "--borrowed"])
        .args(["--seconds", &arguments.seconds.to_string()])
        .args(arguments.scenario_arguments())
        .stdin(input)
        .stdout(output)
        .stderr(Stdio::piped())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&ended.stderr);
    let outcome = text.lines().last().and_then(|line| serde_json::from_str(line).ok());
    if outcome.is_some() {
        *lender = Some(current);
    } else {
        eprintln!("{text}");
    }
    outcome
}

fn add(sums: &mut Sums, seed: u64, outcome: Option<Value>) {
    sums.seeds += 1;
    let Some(outcome) = outcome else {
        println!("seed {seed} ended without an outcome");
        sums.broken.push(seed);
        return;
    };
    let number = |name: &str| outcome[name].as_u64().unwrap_or(0);
    sums.simulated_ms += number("simulatedMs");
    sums.calls += number("calls");
    sums.sent += number("sent");
    sums.read += number("read");
    sums.orphans += number("orphans");
    let faults = outcome["faults"].as_array().map_or(&[][..], Vec::as_slice);
    println!(
        "seed {seed} {} {} faults",
        outcome["hash"].as_str().unwrap_or_default(),
        faults.len()
    );
    for fault in faults.iter().take(5) {
        println!("  {}", fault.as_str().unwrap_or_default());
    }
    if !faults.is_empty() {
        sums.broken.push(seed);
    }
}
