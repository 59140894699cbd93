//! Metrics whose values are stored elsewhere and read on each scrape of `/metrics`.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use penstock_peers::Zone;
use penstock_store::{BlockCache, Objects};
use penstock_traces::Traces;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

use crate::background::merging::JobCounters;
use crate::process_metrics::{cpu_ms, resident_bytes};

/// Sources of the values.
#[derive(Debug)]
pub(crate) struct Readings {
    pub(crate) objects: Arc<Objects>,
    pub(crate) blocks: Arc<BlockCache>,
    pub(crate) open_connections: Arc<AtomicUsize>,
    pub(crate) traces: Traces,
    pub(crate) jobs: Arc<JobCounters>,
    pub(crate) zone: Arc<Zone>,
}

impl Collector for Readings {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let counters = &self.objects.counters;
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let spans = self.traces.counts();
        let peers = &self.zone.counters;
        for (name, help, value) in [
            ("object_puts", "Objects written to object storage", of(&counters.puts)),
            (
                "object_hedged_puts",
                "Second attempts to write a data file whose first was slow, included in object_puts",
                of(&counters.hedged_puts),
            ),
            ("object_gets", "Reads of objects in object storage", of(&counters.gets)),
            (
                "object_deletes",
                "Objects deleted from object storage",
                of(&counters.deletes),
            ),
            (
                "landing_puts",
                "Objects written to landing buckets, at least two for each data file",
                of(&counters.landing_puts),
            ),
            (
                "landing_put_errors",
                "Writes to landing buckets that failed, or were too late to count",
                of(&counters.landing_put_errors),
            ),
            (
                "landing_gets",
                "Reads of objects in landing buckets",
                of(&counters.landing_gets),
            ),
            (
                "landing_misses",
                "Reads of landed files that were not in the landing bucket where they were expected",
                of(&counters.landing_misses),
            ),
            (
                "landing_get_errors",
                "Reads in one landing bucket that failed, whether or not another had the file",
                of(&counters.landing_get_errors),
            ),
            (
                "landing_fallbacks",
                "Data files written to the standard bucket because no two landing buckets took them",
                of(&counters.landing_fallbacks),
            ),
            (
                "trace_spans_exported",
                "Spans that the collector accepted",
                spans.exported,
            ),
            (
                "trace_spans_dropped",
                "Spans dropped because the collector did not accept them",
                spans.dropped,
            ),
            ("jobs_done", "Merge jobs completed", of(&self.jobs.done)),
            (
                "jobs_given_up",
                "Merge jobs abandoned because they were no longer needed",
                of(&self.jobs.given_up),
            ),
            (
                "jobs_failed",
                "Merge jobs that failed because of storage, damaged records or the metadata service",
                of(&self.jobs.failed),
            ),
            (
                "compaction_dropped_records",
                "Records removed by compaction: superseded, without a key, or expired tombstones",
                of(&self.jobs.dropped_records),
            ),
            (
                "compaction_maps_full",
                "Partitions compacted in part or not at all because their keys do not fit into --job-memory-bytes",
                of(&self.jobs.maps_full),
            ),
            ("job_gets", "Reads of objects by jobs", of(&self.jobs.gets)),
            ("job_puts", "Writes of objects by jobs", of(&self.jobs.puts)),
            (
                "peer_reads",
                "Reads of data files answered by another agent of the zone",
                of(&peers.reads),
            ),
            (
                "peer_hedges",
                "Reads also sent to the bucket because the other agent was slow",
                of(&peers.hedges),
            ),
            (
                "peer_failures",
                "Reads that failed on the other agent",
                of(&peers.failures),
            ),
            (
                "peer_served",
                "Reads of data files answered for other agents of the zone",
                of(&peers.served),
            ),
            (
                "peer_refused_requests",
                "Requests on the internal listener closed without a response",
                of(&peers.refused),
            ),
            (
                "peer_wrong_keys",
                "Reads that failed because the TLS key at the other agent's address is not the one that the agent registered",
                of(&peers.wrong_keys),
            ),
            (
                "peer_damaged_reads",
                "Reads that failed because the bytes of another agent of the zone were damaged",
                of(&peers.damaged),
            ),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        for (name, help, value) in [
            (
                "landing_put",
                "Bytes written to landing buckets",
                of(&counters.landing_put_bytes),
            ),
            (
                "compaction_dropped",
                "Bytes removed by compaction",
                of(&self.jobs.dropped_bytes),
            ),
            (
                "job_read",
                "Bytes of data files read by jobs",
                of(&self.jobs.read_bytes),
            ),
            (
                "job_written",
                "Bytes of files written by jobs",
                of(&self.jobs.written_bytes),
            ),
            (
                "peer_read",
                "Bytes of data files read from other agents of the zone",
                of(&peers.read_bytes),
            ),
            (
                "peer_served",
                "Bytes of data files sent to other agents of the zone",
                of(&peers.served_bytes),
            ),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, Some(&Unit::Bytes), counter.metric_type())?)?;
        }
        let seconds = Unit::Seconds;
        #[expect(clippy::cast_precision_loss, reason = "microseconds of CPU time stay far below 2^52")]
        for (name, help, value) in [
            ("cpu", "CPU time used", cpu_ms() as f64 / 1e3),
            (
                "job_cpu",
                "CPU time used by jobs to copy, check and compact records",
                of(&self.jobs.cpu_us) as f64 / 1e6,
            ),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, Some(&seconds), counter.metric_type())?)?;
        }
        let open = self.open_connections.load(Ordering::Relaxed);
        for (name, help, unit, value) in [
            (
                "compaction_map_keys",
                "Keys in the key map of the partition compacted last",
                None,
                of(&self.jobs.map_keys),
            ),
            ("open_connections", "Open Kafka connections", None, open as u64),
            (
                "cache",
                "Data files held in memory",
                Some(&Unit::Bytes),
                self.blocks.held_bytes() as u64,
            ),
            (
                "resident_memory",
                "Resident memory of the process",
                Some(&Unit::Bytes),
                resident_bytes(),
            ),
        ] {
            let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
            gauge.encode(encoder.encode_descriptor(name, help, unit, gauge.metric_type())?)?;
        }
        Ok(())
    }
}
