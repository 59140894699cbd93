//! Traces that are recorded in memory.
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span as SdkSpan, SpanData, SpanProcessor};
use parking_lot::Mutex;

use crate::traces::Traces;

/// The spans recorded so far.
#[derive(Debug, Clone, Default)]
pub struct Recorded(Arc<Mutex<Vec<SpanData>>>);

impl Recorded {
    /// The ended spans, in the order in which they ended.
    #[must_use]
    pub fn spans(&self) -> Vec<SpanData> {
        self.0.lock().clone()
    }
}

impl SpanProcessor for Recorded {
    fn on_start(&self, _: &mut SdkSpan, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        self.0.lock().push(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Creates traces that record everything.
#[must_use]
pub fn recording() -> (Traces, Recorded) {
    recording_share(1.0)
}

/// Records this share of all traces, from 0 to 1.
#[must_use]
pub(crate) fn recording_share(share: f64) -> (Traces, Recorded) {
    let recorded = Recorded::default();
    (Traces::with_processor(recorded.clone(), share), recorded)
}
