//! The agent process: options, startup, Kafka listeners, background tasks, metrics and graceful shutdown.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod agent;
mod background;
mod diagnosis;
mod http;
mod internal_url;
mod job_memory;
mod jwks;
mod landing_option;
mod listener_option;
mod listeners;
mod logging;
mod message_browser;
mod metrics_access;
mod options;
mod process_metrics;
mod readiness;
mod readings;
mod registration;
mod server;
#[cfg(feature = "simulation")]
mod simulated_agent;

use std::process::ExitCode;

pub use background::merging::take_one_job;
pub use background::orphans::{CollectError, Collected, collect_orphans};
pub use jwks::{BadKeySource, KeySource};
pub use landing_option::{LandingError, LandingOption};
pub use listener_option::{ClientCertificate, ListenerError, ListenerOption, TlsFiles};
pub use message_browser::{MessageBrowser, TokenVerifier};
pub use metrics_access::{MetricsToken, TokenTooShort};
pub use options::{AgentOptions, Cli, Command, LogFormat, RequireAuthentication, Role};
pub use server::{Listener, Server, ServerLimits, TlsError, TlsIdentity};
#[cfg(feature = "simulation")]
pub use simulated_agent::SimulatedAgent;

/// Runs the command to completion.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let options = match cli.command {
        Command::Agent(options) => options,
        Command::Api(command) => return penstock_cli::run(*command, <Cli as clap::CommandFactory>::command()),
    };
    logging::start(options.log_format);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!("cannot start the runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let ended = runtime.block_on(agent::run(*options));
    // Running tasks, such as an abandoned read, must not delay the exit.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
