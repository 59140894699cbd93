//! Fakes of the metadata service for tests.

#[cfg(test)]
mod contract_tests;
mod in_memory;
mod partition;
mod scripted;

pub use in_memory::InMemoryMetadata;
pub use scripted::ScriptedMetadata;
