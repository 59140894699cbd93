//! Runs real agents in deterministic simulation, one seed per process. See README.md.

mod administrator;
mod aftermath;
mod bridge;
mod bursts;
mod busy;
mod changing;
mod client;
mod clock;
mod company;
mod consumers;
mod copier;
mod exchange;
mod fleet;
mod freshness;
mod group_classic;
mod group_member;
mod group_modern;
mod groups;
mod guests;
mod history;
mod judge;
mod keyed;
mod lender;
mod metadata_fault;
mod operator;
mod pages;
mod passwords;
mod producers;
mod readers;
mod records;
mod reports;
mod retained;
mod revocation;
mod scenarios;
mod scratch_topics;
mod seeded_system;
mod session;
mod shrink;
mod sign_in;
mod store;
mod trace;
mod upkeep;
mod visitor;
mod weather;
mod world;
mod zone;

use std::process::ExitCode;

use clap::{Parser, ValueEnum as _};

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
    /// Faults that must not strike, by their names in the outcome's `struck`.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Finds a minimal set of faults with which the seed breaks the same guarantee.
    #[arg(long, requires = "seed")]
    shrink: bool,
    /// Plays a staged fault instead of a storm.
    #[arg(long)]
    scenario: Option<scenarios::Scenario>,
    /// Plays the seed with the metadata service at the other end of standard input and output, and prints the outcome to
    /// standard error.
    #[arg(long, requires = "seed", conflicts_with_all = ["verbose", "shrink"])]
    borrowed: bool,
    /// Simulated seconds with faults.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The Node program, seen from the root of the repository, that runs the metadata service.
    #[arg(long, env = "PENSTOCK_SIM_NODE", default_value = "node_modules/node/bin/node")]
    node: String,
}

impl Arguments {
    /// The arguments with which a process of its own plays the same scenario.
    fn scenario_arguments(&self) -> Vec<String> {
        let name = self.scenario.and_then(|scenario| scenario.to_possible_value());
        name.map_or_else(Vec::new, |name| {
            vec!["--scenario".to_owned(), name.get_name().to_owned()]
        })
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.seed {
        Some(seed) if arguments.shrink => shrink::shrink(seed, &arguments),
        Some(seed) => {
            if arguments.verbose {
                // Agents log to the trace's output. Before the seed counts, so that it replays the same history.
                let _ = tracing_subscriber::fmt()
                    .with_ansi(false)
                    .without_time()
                    .with_env_filter("info")
                    .try_init();
            }
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
