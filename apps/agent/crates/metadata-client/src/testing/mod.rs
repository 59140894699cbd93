//! Fakes.

mod in_memory;
mod scripted;

pub use in_memory::InMemoryMetadata;
pub use scripted::ScriptedMetadata;
