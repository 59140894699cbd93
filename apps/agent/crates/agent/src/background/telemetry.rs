//! Sends this agent's measurements to the control plane every ten seconds. Keeps unsent reports, up to a limit, and
//! sends them later. The service stores each report once.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use penstock_authn::Authority;
use penstock_handlers::Context;
use penstock_metadata_client::proto;
use penstock_metrics::Metrics;
use penstock_runtime::{time_ordered_uuid, wall_clock};
use penstock_store::{BlockCache, Objects};
use penstock_telemetry::Stage;
use penstock_write_path::WritePath;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use uuid::Uuid;

use crate::background::access_report::{AccessReporter, PendingAccess};
use crate::background::merging::JobCounters;
use crate::diagnosis::{Diagnostics, Revision};
use crate::process_metrics;
use crate::server::Server;

/// Length of a measurement window.
const WINDOW: Duration = Duration::from_secs(10);
/// Maximum number of unsent reports: one hour's worth, the oldest that the service accepts.
const MAX_WAITING: usize = 360;
/// Maximum number of reports that the service accepts in one call.
const REPORTS_PER_CALL: usize = 30;
/// Timeout of a call, which makes one attempt only: the message contains its send time, which would be wrong in a
/// retry.
const CALL_TIMEOUT: Duration = Duration::from_secs(4);
const US_PER_MS: u64 = 1000;
/// Number of unsent reports that keep client metrics: five minutes' worth. Client metrics can be large, and matter less
/// than the rest.
const WAITING_WITH_CLIENTS: usize = 30;

/// Sources of the reported values.
pub(crate) struct Sources {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) objects: Arc<Objects>,
    pub(crate) blocks: Arc<BlockCache>,
    pub(crate) open_connections: Arc<AtomicUsize>,
    pub(crate) server: Server,
    pub(crate) write_path: Arc<WritePath>,
    pub(crate) jobs: Arc<JobCounters>,
    /// Kind of object storage, as reports name it.
    pub(crate) store: String,
    pub(crate) diagnosis: Arc<Diagnostics>,
    pub(crate) authority: Arc<Authority>,
}

/// The kind of object storage behind a bucket URL: its scheme, except for S3 directory buckets.
pub(crate) fn store_kind(bucket_url: &str) -> String {
    let (scheme, rest) = bucket_url.split_once("://").unwrap_or((bucket_url, ""));
    let bucket = rest.split('/').next().unwrap_or_default();
    if bucket.ends_with("--x-s3") {
        return "s3express".to_owned();
    }
    let is_named = |letter: &char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    scheme.to_ascii_lowercase().chars().filter(is_named).take(16).collect()
}

/// A period over which sequence numbers and the monotonic clock are continuous.
#[derive(Clone)]
struct Incarnation {
    id: Uuid,
    began: Instant,
    next_sequence: u64,
}

impl Incarnation {
    fn new(began: Instant) -> Self {
        Self {
            id: time_ordered_uuid(),
            began,
            next_sequence: 1,
        }
    }

    fn elapsed_ms(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.began).as_millis()).unwrap_or(u64::MAX)
    }
}

/// A report that the service has not yet accepted.
struct Waiting {
    incarnation: Uuid,
    began: Instant,
    report: proto::TelemetryReport,
}

/// Divides time into windows and keeps their measurements until the service has them.
struct Reporter {
    sources: Sources,
    incarnation: Incarnation,
    window_began: Instant,
    counted: proto::TelemetryCounters,
    waiting: VecDeque<Waiting>,
    lost_reports: u64,
    clock_offset_ms: Option<i64>,
    /// The incarnation and revision of the diagnosis that the service has.
    reported: Option<(Uuid, Revision)>,
    access: AccessReporter,
}

/// Sends reports until it is dropped.
pub(crate) async fn run(context: Arc<Context>, sources: Sources) {
    let start = Instant::now();
    let mut reporter = Reporter::new(sources, start);
    let mut ticks = interval_at(start + WINDOW, WINDOW);
    // Windows stay aligned: a missed one becomes part of the next.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        let pushed = &context.client_metrics.pushed;
        reporter.end_window(Instant::now(), pushed.drain(), pushed.take_left_out());
        reporter.send(&context).await;
    }
}

impl Reporter {
    fn new(sources: Sources, now: Instant) -> Self {
        let counted = sources.counters();
        Self {
            access: AccessReporter::new(Arc::clone(&sources.authority)),
            sources,
            incarnation: Incarnation::new(now),
            window_began: now,
            counted,
            waiting: VecDeque::new(),
            lost_reports: 0,
            clock_offset_ms: None,
            reported: None,
        }
    }

    /// Ends the current window and creates its report, with the metrics that clients pushed during it.
    fn end_window(&mut self, now: Instant, clients: Vec<proto::ClientTelemetry>, left_out_pushes: u64) {
        let start_elapsed_ms = self.incarnation.elapsed_ms(self.window_began);
        let end_elapsed_ms = self.incarnation.elapsed_ms(now);
        let counted = self.sources.counters();
        let mut counters = difference(&counted, &self.counted);
        counters.lost_reports = std::mem::take(&mut self.lost_reports);
        let report = proto::TelemetryReport {
            sequence: self.incarnation.next_sequence,
            start_elapsed_ms,
            duration_ms: u32::try_from(end_elapsed_ms - start_elapsed_ms)
                .unwrap_or(u32::MAX)
                .max(1),
            counters: Some(counters),
            gauges: Some(self.sources.gauges(self.waiting.len(), self.clock_offset_ms)),
            requests: self.sources.requests(),
            errors: self.sources.errors(),
            latencies: self.sources.latencies(),
            clients,
            left_out_pushes,
        };
        self.counted = counted;
        self.window_began = now;
        self.incarnation.next_sequence += 1;
        if self.waiting.len() >= MAX_WAITING {
            self.waiting.pop_front();
            self.lost_reports += 1;
        }
        self.waiting.push_back(Waiting {
            incarnation: self.incarnation.id,
            began: self.incarnation.began,
            report,
        });
        let beyond = self.waiting.iter_mut().rev().nth(WAITING_WITH_CLIENTS);
        if let Some(waiting) = beyond {
            waiting.report.clients = Vec::new();
        }
    }

    /// Sends waiting reports, oldest first, until none are left or a call fails.
    async fn send(&mut self, context: &Context) {
        while let Some(mut request) = self.next_request(context, Instant::now()) {
            let sent = request.reports.len();
            let access: Option<PendingAccess> = self.access.pending(&context.authorizer);
            request.access = access.as_ref().map(|pending| pending.message.clone());
            let unreported = request.diagnosis.is_some().then(|| self.unreported()).flatten();
            match context.metadata.report_telemetry(request, CALL_TIMEOUT).await {
                Ok(answer) => {
                    self.reported = unreported.or(self.reported);
                    if let Some(access) = &access {
                        self.access.confirmed(access);
                    }
                    context.cache.clock.note(answer.server_time_ms);
                    self.taken(sent, &answer, wall_clock());
                }
                Err(error) if error.is_retriable() => {
                    tracing::debug!(%error, waiting = self.waiting.len(), "cannot send telemetry");
                    return;
                }
                Err(error) => {
                    // The key or the reports are refused: the same reports would fail again.
                    tracing::warn!(%error, "the metadata service rejected telemetry");
                    self.lost_reports += sent as u64;
                    self.waiting.drain(..sent);
                    return;
                }
            }
        }
    }

    /// The revision of the diagnosis that the next request must include, if the service does not have it.
    fn unreported(&self) -> Option<(Uuid, Revision)> {
        let now = (self.waiting.front()?.incarnation, self.sources.diagnosis.revision());
        (self.reported != Some(now)).then_some(now)
    }

    /// A request with the oldest reports of one incarnation.
    fn next_request(&self, context: &Context, now: Instant) -> Option<proto::ReportTelemetryRequest> {
        let first = self.waiting.front()?;
        let reports = self
            .waiting
            .iter()
            .take(REPORTS_PER_CALL)
            .take_while(|waiting| waiting.incarnation == first.incarnation);
        Some(proto::ReportTelemetryRequest {
            incarnation_id: bytes::Bytes::copy_from_slice(first.incarnation.as_bytes()),
            agent_id: context.node.agent_id.clone(),
            zone: context.node.zone.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sent_elapsed_ms: u64::try_from(now.saturating_duration_since(first.began).as_millis()).unwrap_or(u64::MAX),
            reports: reports.map(|waiting| waiting.report.clone()).collect(),
            diagnosis: self
                .unreported()
                .and_then(|_| self.sources.diagnosis.message(Instant::now())),
            access: None,
        })
    }

    fn taken(&mut self, sent: usize, answer: &proto::ReportTelemetryResponse, wall: SystemTime) {
        let last_incarnation = self.waiting.get(sent - 1).map(|waiting| waiting.incarnation);
        self.waiting.drain(..sent);
        for refused in &answer.refused {
            tracing::warn!(
                sequence = refused.sequence,
                reason = refused.reason,
                "the metadata service rejected a telemetry report"
            );
        }
        if let Some(wall_ms) = wall
            .duration_since(UNIX_EPOCH)
            .ok()
            .and_then(|since| i64::try_from(since.as_millis()).ok())
        {
            // Too large by the response's travel time. Those milliseconds do not matter: relevant drift is measured in
            // seconds.
            self.clock_offset_ms = Some(wall_ms - answer.server_time_ms);
        }
        if answer.start_over && last_incarnation == Some(self.incarnation.id) {
            tracing::info!("this machine's clock has drifted from the metadata service's; restarting telemetry");
            // The open window belongs entirely to the new incarnation.
            self.incarnation = Incarnation::new(self.window_began);
        }
    }
}

impl Sources {
    /// All counters since the agent started.
    fn counters(&self) -> proto::TelemetryCounters {
        let (metrics, objects, jobs) = (&self.metrics, &self.objects.counters, &self.jobs);
        let own = &metrics.counters;
        let of = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        proto::TelemetryCounters {
            produced_bytes: metrics.produced_bytes.get(),
            produced_uncompressed_bytes: metrics.produced_uncompressed_bytes.get(),
            produced_records: metrics.produced_records.get(),
            fetched_bytes: metrics.fetched_bytes.get(),
            fetched_records: of(&own.fetched_records),
            object_puts: of(&objects.puts),
            object_put_bytes: of(&objects.put_bytes),
            object_put_errors: of(&objects.put_errors),
            object_gets: of(&objects.gets),
            object_get_bytes: of(&objects.get_bytes),
            object_get_errors: of(&objects.get_errors),
            object_deletes: of(&objects.deletes),
            cache_hits: self.blocks.hits(),
            cache_misses: self.blocks.misses(),
            cpu_us: process_metrics::cpu_ms() * US_PER_MS,
            connections_opened: of(&own.connections_opened),
            connections_refused: of(&own.connections_refused),
            throttled_us: of(&own.throttled_us),
            refused_requests: metrics.refused_requests.get(),
            metadata_errors: of(&own.metadata_errors),
            timestamps_ahead: of(&own.timestamps_ahead),
            lost_reports: 0,
            jobs_done: of(&jobs.done),
            jobs_failed: of(&jobs.failed),
            job_puts: of(&jobs.puts),
            job_written_bytes: of(&jobs.written_bytes),
            job_gets: of(&jobs.gets),
            job_read_bytes: of(&jobs.read_bytes),
            job_cpu_us: of(&jobs.cpu_us),
            early_files: metrics.early_files.get(),
            early_requests: metrics.early_requests.get(),
            early_saved_us: micros(metrics.early_saved.get()),
            landing_puts: of(&objects.landing_puts),
            landing_put_bytes: of(&objects.landing_put_bytes),
            landing_put_errors: of(&objects.landing_put_errors),
            landing_gets: of(&objects.landing_gets),
            landing_misses: of(&objects.landing_misses),
            landing_fallbacks: of(&objects.landing_fallbacks),
            landing_get_errors: of(&objects.landing_get_errors),
        }
    }

    fn gauges(&self, waiting: usize, clock_offset_ms: Option<i64>) -> proto::TelemetryGauges {
        proto::TelemetryGauges {
            open_connections: self.open_connections.load(Ordering::Relaxed) as u64,
            resident_bytes: process_metrics::resident_bytes(),
            cache_bytes: self.blocks.held_bytes() as u64,
            in_flight_bytes: self.server.in_flight_bytes(),
            files_in_flight: self.metrics.counters.files_in_flight.load(Ordering::Relaxed),
            waiting_reports: waiting as u64,
            clock_offset_ms,
            saved_puts: Some(self.write_path.saved_puts()),
            saved_landing_puts: self.write_path.saved_landing_puts(),
        }
    }

    fn requests(&self) -> Vec<proto::RequestCount> {
        let counts = self.metrics.api_requests.drain().into_iter();
        counts
            .map(|(api_key, requests)| proto::RequestCount { api_key, requests })
            .collect()
    }

    fn errors(&self) -> Vec<proto::ErrorCount> {
        let counts = self.metrics.api_errors.drain().into_iter();
        counts
            .map(|(api_key, error_code, errors)| proto::ErrorCount {
                api_key,
                error_code,
                errors,
            })
            .collect()
    }

    fn latencies(&self) -> Vec<proto::LatencyHistogram> {
        let histogram = |stage: &Stage| {
            let buckets = match stage {
                Stage::FetchGet => self.objects.counters.get_latency.drain(),
                stage => self.metrics.latencies.drain(*stage),
            };
            let is_empty = buckets.counts.is_empty();
            (!is_empty).then(|| proto::LatencyHistogram {
                stage: i32::from(*stage as u8),
                topic_class: proto::TopicClass::Standard.into(),
                store: if stage.touches_store() {
                    self.store.clone()
                } else {
                    String::new()
                },
                bucket_gap: buckets.gaps,
                bucket_count: buckets.counts,
            })
        };
        Stage::ALL.iter().filter_map(histogram).collect()
    }
}

/// Converts seconds to microseconds.
fn micros(seconds: f64) -> u64 {
    u64::try_from(Duration::from_secs_f64(seconds).as_micros()).unwrap_or(u64::MAX)
}

/// The counts between two readings.
fn difference(now: &proto::TelemetryCounters, before: &proto::TelemetryCounters) -> proto::TelemetryCounters {
    macro_rules! difference {
        ($($counter:ident),*) => {
            proto::TelemetryCounters { $($counter: now.$counter.saturating_sub(before.$counter)),* }
        };
    }
    difference!(
        produced_bytes,
        produced_uncompressed_bytes,
        produced_records,
        fetched_bytes,
        fetched_records,
        object_puts,
        object_put_bytes,
        object_put_errors,
        object_gets,
        object_get_bytes,
        object_get_errors,
        object_deletes,
        cache_hits,
        cache_misses,
        cpu_us,
        connections_opened,
        connections_refused,
        throttled_us,
        refused_requests,
        metadata_errors,
        timestamps_ahead,
        lost_reports,
        jobs_done,
        jobs_failed,
        job_puts,
        job_written_bytes,
        job_gets,
        job_read_bytes,
        job_cpu_us,
        early_files,
        early_requests,
        early_saved_us,
        landing_puts,
        landing_put_bytes,
        landing_put_errors,
        landing_gets,
        landing_misses,
        landing_fallbacks,
        landing_get_errors
    )
}

#[cfg(test)]
mod tests;
