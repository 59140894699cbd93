//! Counters and timers of the agent. Names end in their base unit, as OpenMetrics requires.

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

/// One Kafka API.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ApiLabels {
    /// Kafka's name of it.
    pub api: &'static str,
}

/// One stage of the write path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct StageLabels {
    /// `buffer`, `put`, `commit` or `request`.
    pub stage: &'static str,
}

/// Those of which every agent counts attempts, from zero on.
const AUTHENTICATION_MECHANISMS: [&str; 5] = ["OAUTHBEARER", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "TLS"];

/// Attempts to sign in of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct AuthenticationLabels {
    /// The SASL mechanism, or `TLS` for client certificates.
    pub mechanism: &'static str,
    /// `success` or `failure`.
    pub outcome: &'static str,
}

/// One listener.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ListenerLabels {
    /// Its name.
    pub listener: String,
}

/// What a client was denied.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct DenialLabels {
    /// Kafka's name of the kind of resource.
    pub resource_type: &'static str,
    /// Kafka's name of the operation.
    pub operation: &'static str,
    /// `true`: refused; `false`: ACLs are in shadow mode, and it was only counted.
    pub enforced: &'static str,
}

/// Which quota.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ThrottleLabels {
    /// Kafka's name of it.
    pub quota: &'static str,
}

/// Of what all clients write together, which is no quota of Kafka's.
const MODE_LIMIT: ThrottleLabels = ThrottleLabels { quota: "cluster_mode" };

impl ThrottleLabels {
    fn of(traffic: Traffic) -> Self {
        Self {
            quota: traffic.quota_name(),
        }
    }
}

/// Counters and histograms of the handlers, and of the connections that lead to them.
#[derive(Debug)]
pub struct Metrics {
    /// Attempts to sign in.
    pub authentications: Family<AuthenticationLabels, Counter>,
    /// Connections, by listener, those that have not signed in included.
    pub listener_connections: Family<ListenerLabels, Gauge>,
    /// TLS handshakes that failed or took too long.
    pub failed_handshakes: Counter,
    /// Requests dispatched, by API.
    pub requests: Family<ApiLabels, Counter>,
    /// Requests refused: malformed or of a version that we do not serve.
    pub refused_requests: Counter,
    /// What ACLs denied to clients.
    pub denials: Family<DenialLabels, Counter>,
    /// Requests whose client was held because of a quota.
    pub throttled_requests: Family<ThrottleLabels, Counter>,
    /// For how long, in seconds.
    pub throttle_time: Family<ThrottleLabels, Counter<f64, AtomicU64>>,
    /// Record batch bytes accepted, as sent.
    pub produced_bytes: Counter,
    /// The same without compression.
    pub produced_uncompressed_bytes: Counter,
    /// Records accepted.
    pub produced_records: Counter,
    /// Partitions of Produce requests that were answered with an error.
    pub produce_errors: Counter,
    /// Record batch bytes sent to consumers.
    pub fetched_bytes: Counter,
    /// Data files written.
    pub files: Counter,
    /// Of them, those sealed before their time because nobody who waited could send more.
    pub early_files: Counter,
    /// Produce requests in these.
    pub early_requests: Counter,
    /// By how much these requests were faster, summed over them, in seconds.
    pub early_saved: Counter<f64, AtomicU64>,
    /// PUTs that may be spent on sealing more of them, as of the last file or report.
    pub saved_puts: Gauge,
    /// The same for files that go to landing buckets.
    pub saved_landing_puts: Gauge,
    /// Where the time of producing goes.
    pub produce_stages: Family<StageLabels, Histogram, fn() -> Histogram>,
    /// Time of Fetch requests that returned records without waiting for them.
    pub fetch: Histogram,
    /// The same and more, for the control plane: finer, and taken out every ten seconds.
    pub latencies: Latencies,
    /// Counters that are reported to the control plane only.
    pub counters: Counters,
    /// Requests by API, for the control plane.
    pub api_requests: RequestCounts,
    /// Errors in responses by API and code, for the control plane.
    pub api_errors: ApiErrors,
}

/// 1 ms to 33 s.
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
    /// Makes everything visible in `registry`.
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
        // From the start at 0, so that the first denial is an increase.
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

    /// Counts a data file that was sealed before its time, `saved` each of its requests.
    pub(crate) fn sealed_early(&self, requests: u32, saved: Duration) {
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

    /// Requests of all APIs together.
    #[must_use]
    pub fn request_count(&self) -> u64 {
        let of = |key: &ApiKey| {
            self.requests
                .get(&ApiLabels { api: key.name() })
                .map_or(0, |counter| counter.get())
        };
        ApiKey::ALL.iter().map(of).sum()
    }

    /// Counts an attempt to sign in.
    pub fn count_authentication(&self, mechanism: &'static str, is_success: bool) {
        let outcome = if is_success { "success" } else { "failure" };
        let labels = AuthenticationLabels { mechanism, outcome };
        self.authentications.get_or_create(&labels).inc();
    }

    /// The connections of one listener.
    #[must_use]
    pub fn connections_of(&self, listener: &str) -> Gauge {
        let labels = ListenerLabels {
            listener: listener.to_owned(),
        };
        self.listener_connections.get_or_create(&labels).clone()
    }

    /// Counts for how long a client is held; nothing if it is not.
    pub(crate) fn count_throttling(&self, traffic: Traffic, held: Duration) {
        if !held.is_zero() {
            let labels = ThrottleLabels::of(traffic);
            self.throttled_requests.get_or_create(&labels).inc();
            self.throttle_time.get_or_create(&labels).inc_by(held.as_secs_f64());
        }
    }

    /// Counts for how long a producer is held because of the limit of the cluster's mode; nothing if it is not.
    pub(crate) fn count_throttled_writes(&self, held: Duration) {
        if !held.is_zero() {
            self.throttled_requests.get_or_create(&MODE_LIMIT).inc();
            self.throttle_time.get_or_create(&MODE_LIMIT).inc_by(held.as_secs_f64());
        }
    }

    /// For how long producers were held because of the limit of the cluster's mode.
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

    /// Counts one request.
    pub(crate) fn count_request(&self, key: ApiKey) {
        self.requests.get_or_create(&ApiLabels { api: key.name() }).inc();
        self.api_requests.count(key.code());
    }

    /// Counts the error codes of a response.
    pub(crate) fn count_errors(&self, key: ApiKey, error_codes: &[ErrorCode]) {
        if !error_codes.is_empty() {
            let codes: Vec<i16> = error_codes.iter().map(|code| code.0).collect();
            self.api_errors.count(key.code(), &codes);
        }
    }

    /// Times one stage of producing.
    pub(crate) fn observe_stage(&self, stage: Stage, took: Duration) {
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
