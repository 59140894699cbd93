//! Counters and timers of the agent. Names end in their base unit, as OpenMetrics requires.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use penstock_authz::{Operation, ResourceType, Traffic};
use penstock_metadata_client::RpcError;
use penstock_telemetry::{ApiErrors, CleanText, Counters, ErrorKind, Failure, Latencies, RequestCounts, Stage};
use penstock_wire::{ApiKey, ErrorCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// Labels of a Kafka API.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ApiLabels {
    /// Kafka's name of the API.
    pub api: &'static str,
}

/// Labels of a stage of the write path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct StageLabels {
    /// One of `buffer`, `put`, `commit` and `request`.
    pub stage: &'static str,
}

/// The mechanisms whose counters start at zero on every agent.
const AUTHENTICATION_MECHANISMS: [&str; 5] = ["OAUTHBEARER", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "TLS"];

/// Labels of sign-in attempts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct AuthenticationLabels {
    /// The SASL mechanism, or `TLS` for client certificates.
    pub mechanism: &'static str,
    /// Either `success` or `failure`.
    pub outcome: &'static str,
}

/// Labels of a listener.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ListenerLabels {
    /// The name of the listener.
    pub listener: String,
}

/// Labels of denied operations.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct DenialLabels {
    /// Kafka's name of the resource type.
    pub resource_type: &'static str,
    /// Kafka's name of the operation.
    pub operation: &'static str,
    /// `true` if refused; `false` if only counted, because ACLs are in shadow mode.
    pub enforced: &'static str,
}

/// Labels of a quota.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ThrottleLabels {
    /// Kafka's name of the quota.
    pub quota: &'static str,
}

/// The limit on the total writes of all clients, which is not a Kafka quota.
const MODE_LIMIT: ThrottleLabels = ThrottleLabels { quota: "cluster_mode" };

impl ThrottleLabels {
    fn of(traffic: Traffic) -> Self {
        Self {
            quota: traffic.quota_name(),
        }
    }
}

/// Counters and histograms of the handlers and their connections.
#[derive(Debug)]
pub struct Metrics {
    /// Sign-in attempts by mechanism and outcome.
    pub authentications: Family<AuthenticationLabels, Counter>,
    /// Connections by listener, including unauthenticated ones.
    pub listener_connections: Family<ListenerLabels, Gauge>,
    /// TLS handshakes that failed or timed out.
    pub failed_handshakes: Counter,
    /// Requests dispatched, by API.
    pub requests: Family<ApiLabels, Counter>,
    /// Requests refused as malformed or because of their version.
    pub refused_requests: Counter,
    /// Operations that ACLs denied.
    pub denials: Family<DenialLabels, Counter>,
    /// Requests whose client was throttled.
    pub throttled_requests: Family<ThrottleLabels, Counter>,
    /// Total throttle time in seconds.
    pub throttle_time: Family<ThrottleLabels, Counter<f64, AtomicU64>>,
    /// Record batch bytes accepted, as sent.
    pub produced_bytes: Counter,
    /// Record batch bytes accepted, uncompressed.
    pub produced_uncompressed_bytes: Counter,
    /// Number of records accepted.
    pub produced_records: Counter,
    /// Partitions of Produce requests that got an error.
    pub produce_errors: Counter,
    /// Record batch bytes sent to consumers.
    pub fetched_bytes: Counter,
    /// Number of data files written.
    pub files: Counter,
    /// Data files sealed early because no waiting client could send more.
    pub early_files: Counter,
    /// Produce requests in these files.
    pub early_requests: Counter,
    /// Time saved by these requests, summed over them, in seconds.
    pub early_saved: Counter<f64, AtomicU64>,
    /// PUTs available for sealing files early, as of the last file or report.
    pub saved_puts: Gauge,
    /// Like `saved_puts`, for files that go to landing buckets.
    pub saved_landing_puts: Gauge,
    /// Time spent in each stage of producing.
    pub produce_stages: Family<StageLabels, Histogram, fn() -> Histogram>,
    /// Duration of Fetch requests that found records immediately.
    pub fetch: Histogram,
    /// Latencies for the control plane: more stages and finer buckets, reset every ten seconds.
    pub latencies: Latencies,
    /// Counters that only the control plane receives.
    pub counters: Counters,
    /// Requests by API, for the control plane.
    pub api_requests: RequestCounts,
    /// Errors in responses by API and code, for the control plane.
    pub api_errors: ApiErrors,
}

/// A histogram from 1 ms to 33 s.
fn latency_histogram() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 16))
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            authentications: Family::default(),
            listener_connections: Family::default(),
            failed_handshakes: Counter::default(),
            requests: Family::default(),
            refused_requests: Counter::default(),
            denials: Family::default(),
            throttled_requests: Family::default(),
            throttle_time: Family::default(),
            produced_bytes: Counter::default(),
            produced_uncompressed_bytes: Counter::default(),
            produced_records: Counter::default(),
            produce_errors: Counter::default(),
            fetched_bytes: Counter::default(),
            files: Counter::default(),
            early_files: Counter::default(),
            early_requests: Counter::default(),
            early_saved: Counter::default(),
            saved_puts: Gauge::default(),
            saved_landing_puts: Gauge::default(),
            produce_stages: Family::new_with_constructor(latency_histogram),
            fetch: latency_histogram(),
            latencies: Latencies::default(),
            counters: Counters::default(),
            api_requests: RequestCounts::default(),
            api_errors: ApiErrors::default(),
        }
    }
}

impl Metrics {
    /// Registers all metrics in `registry`.
    pub fn register(&self, registry: &mut Registry) {
        let attempts = "Attempts of Kafka clients to sign in, by mechanism and outcome";
        registry.register("authentications", attempts, self.authentications.clone());
        for mechanism in AUTHENTICATION_MECHANISMS {
            for outcome in ["success", "failure"] {
                let labels = AuthenticationLabels { mechanism, outcome };
                drop(self.authentications.get_or_create(&labels));
            }
        }
        let connections = "Kafka connections by listener, including those that have not signed in";
        registry.register("listener_connections", connections, self.listener_connections.clone());
        let handshakes = "TLS handshakes with Kafka clients that failed or took too long";
        registry.register("failed_tls_handshakes", handshakes, self.failed_handshakes.clone());
        registry.register("requests", "Kafka requests, by API", self.requests.clone());
        registry.register(
            "refused_requests",
            "Kafka requests that were malformed or of an unsupported version",
            self.refused_requests.clone(),
        );
        registry.register(
            "authorization_denials",
            "Operations that ACLs denied to clients, or in shadow mode would have",
            self.denials.clone(),
        );
        // Zero from the start, so that the first denial is an increase.
        for resource_type in [ResourceType::Topic, ResourceType::Group, ResourceType::Cluster] {
            let operations = Operation::VALUES.iter();
            for operation in operations.filter(|operation| resource_type.operations().has(**operation)) {
                let labels = DenialLabels {
                    resource_type: resource_type.name(),
                    operation: operation.name(),
                    enforced: "true",
                };
                drop(self.denials.get_or_create(&labels));
            }
        }
        let held = "Requests whose client was held because of a quota or of the cluster's mode, by quota";
        registry.register("throttled_requests", held, self.throttled_requests.clone());
        let held = "Time for which clients were held because of a quota or of the cluster's mode, by quota";
        registry.register_with_unit("throttle", held, Unit::Seconds, self.throttle_time.clone());
        let quotas = [Traffic::Produced, Traffic::Consumed, Traffic::Handled].map(ThrottleLabels::of);
        for labels in quotas.into_iter().chain([MODE_LIMIT]) {
            drop(self.throttled_requests.get_or_create(&labels));
            drop(self.throttle_time.get_or_create(&labels));
        }
        let bytes = Unit::Bytes;
        let accepted = "Record batch bytes accepted, as sent by producers";
        registry.register_with_unit("produced", accepted, bytes.clone(), self.produced_bytes.clone());
        let uncompressed = "Record batch bytes accepted, as they would be without compression";
        let counter = self.produced_uncompressed_bytes.clone();
        registry.register_with_unit("produced_uncompressed", uncompressed, bytes.clone(), counter);
        registry.register("produced_records", "Records accepted", self.produced_records.clone());
        let errors = "Partitions of Produce requests that were answered with an error";
        registry.register("produce_errors", errors, self.produce_errors.clone());
        let fetched = "Record batch bytes sent to consumers";
        registry.register_with_unit("fetched", fetched, bytes, self.fetched_bytes.clone());
        registry.register("data_files", "Data files written and committed", self.files.clone());
        let early = "Data files written before the flush interval ended, because no client that waited could send more";
        registry.register("early_data_files", early, self.early_files.clone());
        let early = "Produce requests in data files that were written early";
        registry.register("early_requests", early, self.early_requests.clone());
        let saved = "Time that these Produce requests did not have to wait, summed over them";
        registry.register_with_unit("early_saved", saved, Unit::Seconds, self.early_saved.clone());
        let puts = "PUTs saved up for writing data files early";
        registry.register("saved_puts", puts, self.saved_puts.clone());
        let puts = "PUTs saved up for writing data files to landing buckets early";
        registry.register("saved_landing_puts", puts, self.saved_landing_puts.clone());
        let stages = "Time spent in each stage of producing, and in Produce requests as a whole";
        registry.register_with_unit("produce_stage", stages, Unit::Seconds, self.produce_stages.clone());
        let fetch = "Duration of Fetch requests that found records at once";
        registry.register_with_unit("fetch", fetch, Unit::Seconds, self.fetch.clone());
    }

    /// Counts a data file that was sealed early, which saved this much time for each of its requests.
    pub fn sealed_early(&self, requests: u32, saved: Duration) {
        self.early_files.inc();
        self.early_requests.inc_by(requests.into());
        self.early_saved.inc_by(saved.as_secs_f64() * f64::from(requests));
    }

    /// Records the error of a failed call to the metadata service, for the agent's diagnosis.
    pub fn metadata_failed(&self, error: &RpcError) {
        let (class, code) = error.class_and_code();
        let failure = Failure {
            class,
            code: CleanText::clean(code),
            message: CleanText::clean(&error.to_string()),
        };
        self.counters.last_errors.record(ErrorKind::Metadata, failure);
    }

    /// Total number of requests of all APIs.
    #[must_use]
    pub fn request_count(&self) -> u64 {
        let of = |key: &ApiKey| {
            self.requests
                .get(&ApiLabels { api: key.name() })
                .map_or(0, |counter| counter.get())
        };
        ApiKey::ALL.iter().map(of).sum()
    }

    /// Counts a sign-in attempt.
    pub fn count_authentication(&self, mechanism: &'static str, is_success: bool) {
        let outcome = if is_success { "success" } else { "failure" };
        let labels = AuthenticationLabels { mechanism, outcome };
        self.authentications.get_or_create(&labels).inc();
    }

    /// The number of connections of a listener.
    #[must_use]
    pub fn connections_of(&self, listener: &str) -> Gauge {
        let labels = ListenerLabels {
            listener: listener.to_owned(),
        };
        self.listener_connections.get_or_create(&labels).clone()
    }

    /// Counts the throttle time of a client, if any.
    pub fn count_throttling(&self, traffic: Traffic, held: Duration) {
        if !held.is_zero() {
            let labels = ThrottleLabels::of(traffic);
            self.throttled_requests.get_or_create(&labels).inc();
            self.throttle_time.get_or_create(&labels).inc_by(held.as_secs_f64());
        }
    }

    /// Counts the throttle time of a producer because of the cluster mode's limit, if any.
    pub fn count_throttled_writes(&self, held: Duration) {
        if !held.is_zero() {
            self.throttled_requests.get_or_create(&MODE_LIMIT).inc();
            self.throttle_time.get_or_create(&MODE_LIMIT).inc_by(held.as_secs_f64());
        }
    }

    /// Total throttle time of producers because of the cluster mode's limit, in milliseconds.
    #[must_use]
    pub fn throttled_writes_ms(&self) -> u64 {
        let seconds = self.throttle_time.get_or_create(&MODE_LIMIT).get();
        u64::try_from(
            Duration::try_from_secs_f64(seconds)
                .unwrap_or(Duration::MAX)
                .as_millis(),
        )
        .unwrap_or(u64::MAX)
    }

    /// Counts a request to this API.
    pub fn count_request(&self, key: ApiKey) {
        self.requests.get_or_create(&ApiLabels { api: key.name() }).inc();
        self.api_requests.count(key.code());
    }

    /// Counts the error codes of a response.
    pub fn count_errors(&self, key: ApiKey, error_codes: &[ErrorCode]) {
        if !error_codes.is_empty() {
            let codes: Vec<i16> = error_codes.iter().map(|code| code.0).collect();
            self.api_errors.count(key.code(), &codes);
        }
    }

    /// Records the duration of a stage of producing.
    pub fn observe_stage(&self, stage: Stage, took: Duration) {
        self.latencies.record(stage, took);
        let stage = match stage {
            Stage::ProduceBuffer => "buffer",
            Stage::ProducePut => "put",
            Stage::ProduceCommit => "commit",
            _ => "request",
        };
        self.produce_stages
            .get_or_create(&StageLabels { stage })
            .observe(took.as_secs_f64());
    }
}
