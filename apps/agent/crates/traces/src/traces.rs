//! Starts and stops tracing.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::trace::{SpanKind, TracerProvider as _};
use opentelemetry::{Context, InstrumentationScope};
use opentelemetry_otlp::{Protocol, RetryPolicy, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, SpanExporter as _, SpanProcessor};
use parking_lot::Mutex;
use penstock_runtime::spawn;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::collector::Collector;
use crate::export::{self, Counts, SpanCounters};
use crate::settings::{Settings, SettingsError};
use crate::span::Span;

const SCOPE: &str = "penstock";

/// Creates root spans. Cheap to clone.
#[derive(Clone, Default)]
pub struct Traces(Option<Arc<Enabled>>);

struct Enabled {
    tracer: SdkTracer,
    counters: Arc<SpanCounters>,
    stop: watch::Sender<bool>,
    exporting: Mutex<Option<JoinHandle<()>>>,
}

impl fmt::Debug for Traces {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Traces").field("on", &self.is_on()).finish()
    }
}

impl Traces {
    /// Tracing that is turned off.
    #[must_use]
    pub fn off() -> Self {
        Self::default()
    }

    /// Sends traces to a collector over OTLP in binary form. Must be called in a runtime, which exports them.
    ///
    /// # Errors
    /// Returns an error if the collector's client cannot be created.
    pub fn start(settings: Settings) -> Result<Self, SettingsError> {
        let collector = Collector::new(&settings)?;
        let mut exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(settings.endpoint.as_str())
            .with_timeout(settings.timeout)
            .with_http_client(collector)
            // Its retries would block a thread of the runtime. The collector's client retries itself.
            .with_retry_policy(RetryPolicy::disabled())
            .build()
            .map_err(|error| SettingsError::endpoint(&error.to_string()))?;
        exporter.set_resource(&settings.resource);
        let counters = Arc::new(SpanCounters::default());
        let (queue, waiting) = export::queue(settings.queue_spans, Arc::clone(&counters));
        let provider = SdkTracerProvider::builder()
            .with_sampler(settings.sampler)
            .with_resource(settings.resource)
            .with_span_processor(queue)
            .build();
        let (stop, stopping) = watch::channel(false);
        let exporting = spawn(export::run(
            waiting,
            exporter,
            settings.batching,
            Arc::clone(&counters),
            stopping,
        ));
        Ok(Self::on(&provider, counters, stop, Some(exporting)))
    }

    fn on(
        provider: &SdkTracerProvider,
        counters: Arc<SpanCounters>,
        stop: watch::Sender<bool>,
        exporting: Option<JoinHandle<()>>,
    ) -> Self {
        let scope = InstrumentationScope::builder(SCOPE)
            .with_version(env!("CARGO_PKG_VERSION"))
            .build();
        // The tracer keeps the provider alive.
        Self(Some(Arc::new(Enabled {
            tracer: provider.tracer_with_scope(scope),
            counters,
            stop,
            exporting: Mutex::new(exporting),
        })))
    }

    #[cfg_attr(not(any(test, feature = "testing")), expect(dead_code, reason = "for tests"))]
    pub(crate) fn with_processor(processor: impl SpanProcessor + 'static, share: f64) -> Self {
        let provider = SdkTracerProvider::builder()
            .with_sampler(crate::settings::parent_or_share(share))
            .with_span_processor(processor)
            .build();
        Self::on(&provider, Arc::default(), watch::Sender::new(false), None)
    }

    /// Returns true if tracing is on.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Starts a trace, if it is sampled.
    #[must_use]
    pub fn root(&self, name: &'static str, kind: SpanKind) -> Span {
        match &self.0 {
            None => Span::default(),
            Some(on) => Span::begin(&on.tracer, &Context::new(), name, kind),
        }
    }

    /// Returns the outcome of all spans so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.0.as_ref().map(|on| on.counters.counts()).unwrap_or_default()
    }

    /// Exports all ended spans within `timeout`.
    pub async fn stop(&self, timeout: Duration) {
        let Some(on) = &self.0 else { return };
        on.stop.send_replace(true);
        let exporting = on.exporting.lock().take();
        if let Some(exporting) = exporting
            && tokio::time::timeout(timeout, exporting).await.is_err()
        {
            tracing::warn!("the last traces could not be exported in time");
        }
    }
}
