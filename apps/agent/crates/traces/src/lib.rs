//! OpenTelemetry traces of the produce and fetch paths: off by default, and never allowed to delay records. Knows
//! nothing of Kafka, object storage or the metadata service.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod collector;
mod export;
mod settings;
mod span;
#[cfg(any(test, feature = "testing"))]
mod testing;
mod traces;

pub use export::Counts;
pub use opentelemetry::KeyValue;
pub use opentelemetry::trace::SpanKind;
pub use settings::{Settings, SettingsError, Variables};
pub use span::{Parent, Span, child_of_current, count, current, in_scope_of};
#[cfg(any(test, feature = "testing"))]
pub use testing::{Recorded, recording};
pub use traces::Traces;
