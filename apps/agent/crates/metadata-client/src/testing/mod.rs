//! Fakes.

mod scripted;

pub use scripted::ScriptedMetadata;
