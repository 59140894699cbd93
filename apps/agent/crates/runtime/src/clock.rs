//! Time: monotonic for durations and deadlines, wall-clock for everything that leaves the process.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The monotonic clock. Virtual in a simulation and in tests that pause it.
pub use tokio::time::Instant;

/// The machine's wall clock.
#[must_use]
pub fn wall_clock() -> SystemTime {
    #[cfg(feature = "simulation")]
    if let Some(machine) = crate::simulation::current() {
        return machine.wall_clock();
    }
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    SystemTime::now()
}

/// The wall clock's time since the Unix epoch; zero if it is before.
#[must_use]
pub fn since_unix_epoch() -> Duration {
    wall_clock().duration_since(UNIX_EPOCH).unwrap_or_default()
}
