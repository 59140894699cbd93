//! Load generator for the agent benchmark: many producers or consumers in one process that uses little CPU, which
//! leaves the machine to the server under load. It sends what Kafka's own clients send (idempotent LZ4 batches, up to
//! five requests in flight per connection, a sticky partition per batch), but compresses each batch once and sends it
//! repeatedly.
//!
//! `produce`, `consume` and `stream` prepare (connections, warm-up), print the line "ready", and start when they read a
//! line. `crowd` and `slow-storage` run from "ready" until they read a line. Each command prints one line of JSON at
//! the end.

mod batch;
mod connection;
mod consume;
mod crowd;
mod latency;
mod produce;
mod slow_storage;
mod stream;
mod topic;

use std::process::ExitCode;
use std::rc::Rc;

use clap::{Parser, Subcommand};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::connection::LoadError;

#[derive(Parser)]
#[command(about = "Load for the agent benchmark")]
struct Cli {
    #[command(flatten)]
    entrance: connection::Entrance,
    #[arg(long, default_value = "")]
    topic: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Create the topic
    Create {
        #[arg(long)]
        partitions: i32,
    },
    /// Send records
    Produce(produce::Settings),
    /// Read the topic from its beginning
    Consume(consume::Settings),
    /// Send records to an empty topic while they are read
    Stream(stream::Settings),
    /// Pass requests on to an S3 server, over TLS, and hold answers back as real object storage would
    SlowStorage(slow_storage::Settings),
    /// Keep connections open that send nothing, and TLS handshakes that do not end
    Crowd(crowd::Settings),
}

/// Reports that everything is prepared, and waits for the start.
async fn await_start() -> Result<(), LoadError> {
    println!("ready");
    let mut line = String::new();
    let read = BufReader::new(tokio::io::stdin())
        .read_line(&mut line)
        .await?;
    if read == 0 {
        return Err(LoadError::Ended);
    }
    Ok(())
}

async fn run(cli: Cli) -> Result<serde_json::Value, LoadError> {
    let target = topic::Target {
        server: Rc::new(connection::Server::new(&cli.entrance)?),
        topic: cli.topic,
    };
    match cli.command {
        Command::Create { partitions } => topic::create(&target, partitions).await,
        Command::Produce(settings) => produce::run(&target, &settings).await,
        Command::Consume(settings) => consume::run(&target, &settings).await,
        Command::Stream(settings) => stream::run(&target, &settings).await,
        Command::SlowStorage(settings) => slow_storage::run(&target.server, settings).await,
        Command::Crowd(settings) => crowd::run(&target.server, &settings).await,
    }
}

// A single thread, which leaves the other cores to the server under load.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Cli::parse()).await {
        Ok(result) => {
            println!("{result}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
