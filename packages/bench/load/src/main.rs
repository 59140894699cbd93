//! Load for the agent benchmark: many producers or consumers in one process that takes little of the machine itself, so
//! that the server under load has it. It sends what Kafka's own clients send (idempotent batches of LZ4, up to five
//! requests in flight for each connection, a sticky partition for each batch), but a batch is compressed once and sent often.
//!
//! `produce` and `consume` prepare (connections, warm-up), print the line "ready", and begin when they read a line. `crowd` is
//! there from "ready" on until it reads a line; so is `slow-storage`. Each command prints one line of JSON at its end.

mod batch;
mod connection;
mod consume;
mod crowd;
mod latency;
mod produce;
mod slow_storage;
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
    /// Pass requests on to an S3 server, over TLS, and hold answers back as real object storage would
    SlowStorage(slow_storage::Settings),
    /// Keep connections open that send nothing, and TLS handshakes that do not end
    Crowd(crowd::Settings),
}

/// Tells that everything is prepared, and waits for the word.
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
        Command::SlowStorage(settings) => slow_storage::run(&target.server, settings).await,
        Command::Crowd(settings) => crowd::run(&target.server, &settings).await,
    }
}

// One thread: the server under load is to have the other cores.
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
