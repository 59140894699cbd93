//! Logs to stderr. `RUST_LOG` sets the filter; by default, our own crates log from level info.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::options::LogFormat;

/// Starts logging. Later calls (in tests) have no effect.
pub(crate) fn start(format: LogFormat) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,penstock=info,penstock_agent=info"));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // An error means that logging is already started.
    let _ = match format {
        LogFormat::Text => lines
            .with_ansi(std::io::stderr().is_terminal())
            .with_target(false)
            .try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}
