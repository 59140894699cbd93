//! The facts that an agent may know of its machine.

use std::time::Duration;

/// A measurement of the machine, such as CPU time. The default in a simulation, where each run would measure something
/// else.
pub fn measured<T: Default>(measure: impl FnOnce() -> T) -> T {
    #[cfg(feature = "simulation")]
    if crate::simulation::current().is_some() {
        return T::default();
    }
    measure()
}

/// The number of cores that the process may use. One in a simulation, whatever machine replays it.
#[must_use]
pub fn cores() -> usize {
    #[cfg(feature = "simulation")]
    if crate::simulation::current().is_some() {
        return 1;
    }
    #[expect(clippy::disallowed_methods, reason = "the one place that counts the cores")]
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Measures the real time that work takes, which the virtual clock of a test leaves out. Stands still in a simulation.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Option<std::time::Instant>);

impl Stopwatch {
    /// Starts to measure from now on.
    #[must_use]
    pub fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the one place that measures real time")]
        Self(measured(|| Some(std::time::Instant::now())))
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        #[expect(clippy::disallowed_methods, reason = "the one place that measures real time")]
        self.0.map_or(Duration::ZERO, |start| start.elapsed())
    }
}
