//! The agent's only sources of time, randomness and tasks. In production they are the operating system's and tokio's. In
//! a simulation they belong to a virtual machine, so that one seed always gives one history. `clippy.toml` bans all
//! others. Knows nothing of Kafka, object storage or the metadata service.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod clock;
mod machine;
mod random;
#[cfg(feature = "simulation")]
pub mod simulation;
mod tasks;

pub use clock::{Instant, since_unix_epoch, wall_clock};
pub use machine::{Stopwatch, cores, measured};
pub use random::{fill_random, jitter, random_uuid, secure_random, time_ordered_uuid, time_ordered_uuid_at};
pub use tasks::{BlockingTask, TaskSet, run_blocking, spawn};
