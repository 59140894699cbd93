//! Runs real agents in deterministic simulation, one seed per process. See README.md.

mod aftermath;
mod bridge;
mod client;
mod clock;
mod exchange;
mod fleet;
mod history;
mod judge;
mod metadata_fault;
mod producers;
mod readers;
mod records;
mod reports;
mod seeded_system;
mod session;
mod store;
mod trace;
mod weather;
mod world;

use std::process::ExitCode;

use clap::Parser;

/// Enough for the nested futures of an agent that is compiled without optimization.
const STACK_BYTES: usize = 64 << 20;

/// Command line of the simulation.
#[derive(Debug, Parser)]
struct Arguments {
    /// One seed, run in this process.
    #[arg(long, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// Seeds A..B (without B), each in a process of its own.
    #[arg(long, default_value = "0..10")]
    seeds: String,
    /// Processes at a time.
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// Prints the history of the seed.
    #[arg(long)]
    verbose: bool,
    /// Simulated seconds with faults.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The Node program, seen from the root of the repository, that runs the metadata service.
    #[arg(long, env = "PENSTOCK_SIM_NODE", default_value = "node_modules/node/bin/node")]
    node: String,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.seed {
        Some(seed) => {
            seeded_system::set_seed(seed);
            // A thread of its own, since the seeds of this one's hash maps have been drawn.
            let ran = std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn(move || world::run(seed, &arguments));
            match ran.map(std::thread::JoinHandle::join) {
                Ok(Ok(true)) => ExitCode::SUCCESS,
                _ => ExitCode::FAILURE,
            }
        }
        None => reports::run_all(&arguments),
    }
}
