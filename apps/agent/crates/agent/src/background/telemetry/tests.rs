use std::sync::atomic::AtomicUsize;

use penstock_access::{Authorizer, Throttle};
use penstock_authn::AuthoritySettings;
use penstock_handlers::{Node, RecordChecks};
use penstock_metadata_client::RpcError;
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::testing::ScriptedMetadata;
use penstock_read_path::ReadPath;
use penstock_store::Bucket;
use penstock_write_path::{WritePath, WriteSettings};

use super::*;
use crate::server::ServerLimits;

const RPC: &str = "ReportTelemetry";

struct Fixture {
    metadata: Arc<ScriptedMetadata>,
    context: Arc<Context>,
    metrics: Arc<Metrics>,
    reporter: Reporter,
    now: Instant,
}

impl Fixture {
    fn new() -> Self {
        let metadata = Arc::new(ScriptedMetadata::default());
        let (cache, _) = ClusterCache::new();
        let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "cluster"));
        let blocks = BlockCache::new(Arc::clone(&objects), 1 << 20);
        let metrics = Arc::new(Metrics::default());
        let write_path = WritePath::new(
            Arc::clone(&metadata) as _,
            Arc::clone(&cache),
            (Arc::clone(&objects), Arc::clone(&blocks)),
            Arc::clone(&metrics),
            "agent".to_owned(),
            WriteSettings::default(),
        );
        let context = Arc::new(Context {
            authorizer: Authorizer::new(Arc::clone(&cache), Arc::clone(&metrics)),
            throttle: Throttle::new(&cache, &metrics),
            metadata: Arc::clone(&metadata) as _,
            cache,
            node: Node {
                node_id: 1,
                cluster_id: "cluster".to_owned(),
                agent_id: "agent".to_owned(),
                zone: "a".to_owned(),
                listeners: Vec::new(),
            },
            record_checks: RecordChecks::new(64 << 20),
            write_path,
            read_path: ReadPath::new(Arc::clone(&objects), Arc::clone(&blocks), 1 << 20),
            metrics: Arc::clone(&metrics),
            traces: penstock_traces::Traces::off(),
            client_metrics: Default::default(),
            rotation: AtomicUsize::new(0),
        });
        let open_connections = Arc::new(AtomicUsize::new(0));
        let authority = Authority::new(
            Arc::clone(&context.cache),
            AuthoritySettings::default(),
            None,
            b"secret",
        )
        .unwrap();
        let server = Server::new(
            Arc::clone(&context),
            Arc::clone(&authority),
            ServerLimits::default(),
            Arc::clone(&open_connections),
        );
        let sources = Sources {
            diagnosis: Arc::new(Diagnostics::new(Arc::clone(&metrics), Arc::clone(&objects))),
            metrics: Arc::clone(&metrics),
            objects,
            blocks,
            open_connections,
            server,
            write_path: Arc::clone(&context.write_path),
            jobs: Arc::default(),
            store: "s3".to_owned(),
            authority,
        };
        let now = Instant::now();
        Self {
            metadata,
            context,
            metrics,
            reporter: Reporter::new(sources, now),
            now,
        }
    }

    fn end_window(&mut self) {
        self.end_window_with(Vec::new(), 0);
    }

    fn end_window_with(&mut self, clients: Vec<proto::ClientTelemetry>, left_out_pushes: u64) {
        self.now += WINDOW;
        self.reporter.end_window(self.now, clients, left_out_pushes);
    }

    async fn send(&mut self) {
        self.reporter.send(&self.context).await;
    }

    fn accept(&self, answer: proto::ReportTelemetryResponse) {
        self.metadata.answer(RPC, &answer);
    }

    fn sequences(&self) -> Vec<Vec<u64>> {
        let requests: Vec<proto::ReportTelemetryRequest> = self.metadata.requests(RPC);
        let of =
            |request: &proto::ReportTelemetryRequest| request.reports.iter().map(|report| report.sequence).collect();
        requests.iter().map(of).collect()
    }
}

#[tokio::test]
async fn a_report_counts_each_event_of_its_window_once() {
    let mut fixture = Fixture::new();
    fixture.metrics.produced_bytes.inc_by(500);
    fixture
        .metrics
        .latencies
        .record(Stage::Produce, Duration::from_micros(40));
    fixture
        .metrics
        .latencies
        .record(Stage::ProduceCommit, Duration::from_micros(7));
    fixture.end_window();
    fixture.metrics.produced_bytes.inc_by(3);
    fixture.end_window();
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    let [request]: [proto::ReportTelemetryRequest; 1] = fixture.metadata.requests(RPC).try_into().unwrap();
    let [first, second] = &request.reports[..] else {
        panic!("two reports")
    };
    assert_eq!(
        (first.sequence, first.start_elapsed_ms, first.duration_ms),
        (1, 0, 10_000)
    );
    assert_eq!(
        (second.sequence, second.start_elapsed_ms, second.duration_ms),
        (2, 10_000, 10_000)
    );
    assert_eq!(first.counters.unwrap().produced_bytes, 500);
    assert_eq!(second.counters.unwrap().produced_bytes, 3);
    let reported: Vec<_> = first
        .latencies
        .iter()
        .map(|latency| {
            (
                latency.stage,
                latency.store.as_str(),
                &latency.bucket_gap[..],
                &latency.bucket_count[..],
            )
        })
        .collect();
    assert_eq!(reported, [(1, "s3", &[40][..], &[1][..]), (4, "", &[7][..], &[1][..])]);
    assert!(second.latencies.is_empty());
}

#[tokio::test]
async fn a_report_counts_jobs_and_their_cost() {
    let mut fixture = Fixture::new();
    let jobs = Arc::clone(&fixture.reporter.sources.jobs);
    let counted = [
        (&jobs.done, 1),
        (&jobs.failed, 2),
        (&jobs.puts, 3),
        (&jobs.written_bytes, 4),
        (&jobs.gets, 5),
        (&jobs.read_bytes, 6),
        (&jobs.cpu_us, 7),
    ];
    for (counter, count) in counted {
        JobCounters::add(counter, count);
    }
    fixture.end_window();
    fixture.end_window();
    let reported: Vec<_> = fixture
        .reporter
        .waiting
        .iter()
        .filter_map(|waiting| waiting.report.counters)
        .map(|reported| {
            [
                reported.jobs_done,
                reported.jobs_failed,
                reported.job_puts,
                reported.job_written_bytes,
                reported.job_gets,
                reported.job_read_bytes,
                reported.job_cpu_us,
            ]
        })
        .collect();
    assert_eq!(reported, [[1, 2, 3, 4, 5, 6, 7], [0; 7]]);
}

#[tokio::test]
async fn a_report_counts_landed_and_bypassed_files() {
    let mut fixture = Fixture::new();
    let objects = Arc::clone(&fixture.reporter.sources.objects);
    let counters = &objects.counters;
    let counted = [
        (&counters.landing_puts, 1),
        (&counters.landing_put_bytes, 2),
        (&counters.landing_put_errors, 3),
        (&counters.landing_gets, 4),
        (&counters.landing_misses, 5),
        (&counters.landing_fallbacks, 6),
        (&counters.landing_get_errors, 7),
    ];
    for (counter, count) in counted {
        counter.fetch_add(count, Ordering::Relaxed);
    }
    fixture.end_window();
    fixture.end_window();
    let waiting = fixture.reporter.waiting.iter();
    let reported: Vec<_> = waiting
        .filter_map(|waiting| waiting.report.counters)
        .map(|reported| {
            [
                reported.landing_puts,
                reported.landing_put_bytes,
                reported.landing_put_errors,
                reported.landing_gets,
                reported.landing_misses,
                reported.landing_fallbacks,
                reported.landing_get_errors,
            ]
        })
        .collect();
    assert_eq!(reported, [[1, 2, 3, 4, 5, 6, 7], [0; 7]]);
}

#[tokio::test]
async fn unsent_reports_are_sent_later_unchanged() {
    let mut fixture = Fixture::new();
    for _ in 0..3 {
        fixture.end_window();
        fixture.metadata.fail(RPC, RpcError::Unavailable("away".to_owned()));
        fixture.send().await;
    }
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    assert_eq!(fixture.sequences(), [vec![1], vec![1, 2], vec![1, 2, 3], vec![1, 2, 3]]);
    let requests: Vec<proto::ReportTelemetryRequest> = fixture.metadata.requests(RPC);
    assert_eq!(requests[0].reports[0], requests[3].reports[0]);
    assert!(fixture.reporter.waiting.is_empty());
}

#[tokio::test]
async fn unsent_reports_are_bounded_and_drops_are_reported() {
    let mut fixture = Fixture::new();
    for _ in 0..MAX_WAITING + 2 {
        fixture.end_window();
    }
    assert_eq!(fixture.reporter.waiting.len(), MAX_WAITING);
    assert_eq!(fixture.reporter.waiting.front().unwrap().report.sequence, 3);
    fixture.end_window();
    assert_eq!(
        fixture
            .reporter
            .waiting
            .back()
            .unwrap()
            .report
            .counters
            .unwrap()
            .lost_reports,
        1
    );
    for _ in 0..MAX_WAITING / REPORTS_PER_CALL {
        fixture.accept(proto::ReportTelemetryResponse::default());
    }
    fixture.send().await;
    assert!(fixture.reporter.waiting.is_empty());
    assert!(
        fixture
            .sequences()
            .iter()
            .all(|sequences| sequences.len() == REPORTS_PER_CALL)
    );
}

#[tokio::test]
async fn client_metrics_go_with_their_window_for_five_minutes() {
    let mut fixture = Fixture::new();
    let pushed = || {
        vec![proto::ClientTelemetry {
            client_id: "app".to_owned(),
            ..Default::default()
        }]
    };
    for _ in 0..WAITING_WITH_CLIENTS + 2 {
        fixture.end_window_with(pushed(), 3);
    }
    let kept: Vec<usize> = fixture
        .reporter
        .waiting
        .iter()
        .map(|waiting| waiting.report.clients.len())
        .collect();
    assert_eq!(kept, [vec![0; 2], vec![1; WAITING_WITH_CLIENTS]].concat());
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    let requests: Vec<proto::ReportTelemetryRequest> = fixture.metadata.requests(RPC);
    assert_eq!(requests[1].reports[1].clients, pushed());
    assert_eq!(requests[1].reports[1].left_out_pushes, 3);
}

#[tokio::test]
async fn rejected_reports_are_not_sent_again() {
    let mut fixture = Fixture::new();
    fixture.end_window();
    fixture.metadata.fail(RPC, RpcError::InvalidArgument("no".to_owned()));
    fixture.send().await;
    fixture.end_window();
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    assert_eq!(fixture.sequences(), [vec![1], vec![2]]);
}

#[tokio::test]
async fn a_restart_puts_later_windows_in_a_new_incarnation() {
    let mut fixture = Fixture::new();
    fixture.end_window();
    fixture.accept(proto::ReportTelemetryResponse {
        start_over: true,
        ..Default::default()
    });
    fixture.send().await;
    fixture.end_window();
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    let requests: Vec<proto::ReportTelemetryRequest> = fixture.metadata.requests(RPC);
    assert_ne!(requests[0].incarnation_id, requests[1].incarnation_id);
    assert_eq!(requests[1].reports[0].sequence, 1);
    assert_eq!(requests[1].reports[0].start_elapsed_ms, 0);
    assert_eq!(requests[1].reports[0].duration_ms, 10_000);
}

#[tokio::test]
async fn measures_the_clock_offset_against_the_service() {
    let mut fixture = Fixture::new();
    fixture.end_window();
    let now_ms = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    fixture.accept(proto::ReportTelemetryResponse {
        server_time_ms: now_ms - 90_000,
        ..Default::default()
    });
    fixture.send().await;
    fixture.end_window();
    let gauges = fixture.reporter.waiting.back().unwrap().report.gauges.unwrap();
    let offset_ms = gauges.clock_offset_ms.unwrap();
    assert!((90_000..95_000).contains(&offset_ms), "{offset_ms}");
}

#[test]
fn names_a_store_by_its_scheme() {
    assert_eq!(store_kind("s3://bucket/prefix"), "s3");
    assert_eq!(store_kind("s3://bucket--euc1-az1--x-s3/prefix"), "s3express");
    assert_eq!(store_kind("file:///data"), "file");
    assert_eq!(store_kind("mem://"), "mem");
}

#[tokio::test]
async fn sends_a_diagnosis_once_and_again_when_changed_or_lost() {
    let mut fixture = Fixture::new();
    let reported = |fixture: &Fixture| {
        let requests: Vec<proto::ReportTelemetryRequest> = fixture.metadata.requests(RPC);
        requests
            .iter()
            .map(|request| request.diagnosis.is_some())
            .collect::<Vec<_>>()
    };
    fixture.end_window();
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    assert_eq!(reported(&fixture), [false], "there was no check yet");

    let bucket = Bucket::open("mem://").unwrap();
    fixture
        .reporter
        .sources
        .diagnosis
        .check(&bucket, "cluster", "agent")
        .await;
    fixture.end_window();
    fixture.metadata.fail(RPC, RpcError::Unavailable("nobody".to_owned()));
    fixture.send().await;
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    assert_eq!(
        reported(&fixture),
        [false, true, true],
        "what was not taken is reported again"
    );

    for start_over in [true, false, false] {
        fixture.end_window();
        fixture.accept(proto::ReportTelemetryResponse {
            start_over,
            ..Default::default()
        });
        fixture.send().await;
    }
    assert_eq!(
        reported(&fixture),
        [false, true, true, false, true, false],
        "once for each incarnation"
    );

    fixture
        .metrics
        .metadata_failed(&RpcError::Unavailable("nobody".to_owned()));
    fixture.end_window();
    fixture.accept(proto::ReportTelemetryResponse::default());
    fixture.send().await;
    assert_eq!(reported(&fixture).last(), Some(&true), "a failure is news");
}
