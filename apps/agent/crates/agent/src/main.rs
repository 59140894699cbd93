//! The entry point of the `penstock` binary.

use std::process::ExitCode;

use clap::Parser as _;
use penstock_agent::{Cli, run};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    run(Cli::parse())
}
