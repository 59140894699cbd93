//! Exports finished spans to the collector: a bounded queue that never blocks, and one task that drains it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span as SdkSpan, SpanData, SpanExporter, SpanProcessor};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, timeout_at};

/// Settings for when spans are sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batching {
    /// Maximum number of spans per message to the collector.
    pub(crate) max_spans: usize,
    /// How long a span waits for others.
    pub(crate) delay: Duration,
}

/// The outcome of all spans so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Spans that the collector accepted.
    pub exported: u64,
    /// Spans dropped because the queue was full or the collector refused them.
    pub dropped: u64,
}

/// Counts spans, and remembers which warnings were logged.
#[derive(Debug, Default)]
pub(crate) struct SpanCounters {
    exported: AtomicU64,
    dropped: AtomicU64,
    warned_full: AtomicBool,
    warned_failing: AtomicBool,
}

impl SpanCounters {
    pub(crate) fn counts(&self) -> Counts {
        Counts {
            exported: self.exported.load(Ordering::Relaxed),
            dropped: self.dropped.load(Ordering::Relaxed),
        }
    }

    fn queue_full(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        if !self.warned_full.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "more traces than the collector accepts: spans are dropped and counted in penstock_agent_trace_spans_dropped_total. \
                 Lower the sampling rate (OTEL_TRACES_SAMPLER_ARG). This is logged once"
            );
        }
    }

    fn sent(&self, spans: u64, outcome: &OTelSdkResult) {
        match outcome {
            Ok(()) => {
                self.exported.fetch_add(spans, Ordering::Relaxed);
                if self.warned_failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("the collector accepts traces again");
                }
            }
            Err(error) => {
                self.dropped.fetch_add(spans, Ordering::Relaxed);
                if !self.warned_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "the collector does not accept traces: spans are dropped until it does. This is logged once");
                }
            }
        }
    }
}

/// The sending end of the span queue.
#[derive(Debug)]
pub(crate) struct Queue {
    spans: mpsc::Sender<SpanData>,
    counters: Arc<SpanCounters>,
}

/// Creates a queue of at most `max_spans`.
pub(crate) fn queue(max_spans: usize, counters: Arc<SpanCounters>) -> (Queue, mpsc::Receiver<SpanData>) {
    let (spans, waiting) = mpsc::channel(max_spans);
    (Queue { spans, counters }, waiting)
}

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut SdkSpan, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.spans.try_send(span).is_err() {
            self.counters.queue_full();
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Sends queued spans until it is stopped, then sends the remaining ones.
pub(crate) async fn run(
    mut waiting: mpsc::Receiver<SpanData>,
    exporter: impl SpanExporter,
    batching: Batching,
    counters: Arc<SpanCounters>,
    mut stop: watch::Receiver<bool>,
) {
    let mut batch = Vec::new();
    loop {
        let stopping = tokio::select! {
            // An error means that all senders are gone.
            _ = stop.wait_for(|stop| *stop) => true,
            () = fill(&mut waiting, &mut batch, batching) => false,
        };
        if stopping {
            waiting.close();
            while waiting.recv_many(&mut batch, batching.max_spans).await > 0 {
                send(&exporter, &mut batch, &counters).await;
            }
            return send(&exporter, &mut batch, &counters).await;
        }
        send(&exporter, &mut batch, &counters).await;
    }
}

/// Waits for a span, and then for as many as fit or arrive in time. Cancel-safe: `batch` holds what was received.
async fn fill(waiting: &mut mpsc::Receiver<SpanData>, batch: &mut Vec<SpanData>, batching: Batching) {
    if waiting.recv_many(batch, batching.max_spans).await == 0 {
        return std::future::pending().await;
    }
    let deadline = Instant::now() + batching.delay;
    while batch.len() < batching.max_spans {
        let room = batching.max_spans - batch.len();
        match timeout_at(deadline, waiting.recv_many(batch, room)).await {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
    }
}

async fn send(exporter: &impl SpanExporter, batch: &mut Vec<SpanData>, counters: &SpanCounters) {
    if !batch.is_empty() {
        let spans = batch.len() as u64;
        let outcome = exporter.export(std::mem::take(batch)).await;
        counters.sent(spans, &outcome);
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry::trace::SpanKind;
    use opentelemetry_sdk::error::OTelSdkError;
    use parking_lot::Mutex;

    use super::*;
    use crate::traces::Traces;

    const BATCHING: Batching = Batching {
        max_spans: 3,
        delay: Duration::from_millis(20),
    };

    /// Accepts batches while it is set to.
    #[derive(Debug, Clone, Default)]
    struct Scripted {
        batches: Arc<Mutex<Vec<usize>>>,
        refuses: Arc<AtomicBool>,
    }

    impl SpanExporter for Scripted {
        async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
            if self.refuses.load(Ordering::Relaxed) {
                return Err(OTelSdkError::InternalFailure("503".to_owned()));
            }
            self.batches.lock().push(batch.len());
            Ok(())
        }
    }

    fn end_spans(traces: &Traces, count: usize) {
        for _ in 0..count {
            drop(traces.root("produce", SpanKind::Server));
        }
    }

    #[tokio::test]
    async fn excess_spans_are_dropped_and_counted_without_blocking() {
        let counters = Arc::new(SpanCounters::default());
        let (queue, _waiting) = queue(4, Arc::clone(&counters));
        end_spans(&Traces::with_processor(queue, 1.0), 10);
        assert_eq!(
            counters.counts(),
            Counts {
                exported: 0,
                dropped: 6
            }
        );
    }

    #[tokio::test]
    async fn stopping_sends_queued_spans_in_batches_of_the_set_size() {
        let counters = Arc::new(SpanCounters::default());
        let (queue, waiting) = queue(100, Arc::clone(&counters));
        let exporter = Scripted::default();
        let (stop, stopping) = watch::channel(false);
        end_spans(&Traces::with_processor(queue, 1.0), 7);
        stop.send_replace(true);
        run(waiting, exporter.clone(), BATCHING, Arc::clone(&counters), stopping).await;
        assert_eq!(
            counters.counts(),
            Counts {
                exported: 7,
                dropped: 0
            }
        );
        assert!(exporter.batches.lock().iter().all(|spans| *spans <= 3));
    }

    #[tokio::test]
    async fn a_failing_collector_loses_spans_but_gets_later_ones() {
        let counters = Arc::new(SpanCounters::default());
        let (queue, waiting) = queue(100, Arc::clone(&counters));
        let exporter = Scripted::default();
        exporter.refuses.store(true, Ordering::Relaxed);
        let (_stop, stopping) = watch::channel(false);
        let running = tokio::spawn(run(
            waiting,
            exporter.clone(),
            BATCHING,
            Arc::clone(&counters),
            stopping,
        ));
        let traces = Traces::with_processor(queue, 1.0);
        end_spans(&traces, 2);
        while counters.counts().dropped < 2 {
            tokio::task::yield_now().await;
        }
        exporter.refuses.store(false, Ordering::Relaxed);
        end_spans(&traces, 2);
        while counters.counts().exported < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            counters.counts(),
            Counts {
                exported: 2,
                dropped: 2
            }
        );
        running.abort();
    }
}
