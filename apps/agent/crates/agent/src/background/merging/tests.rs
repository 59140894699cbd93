use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::{BufMut as _, BytesMut};
use futures_util::StreamExt as _;
use penstock_access::{Authorizer, Throttle};
use penstock_handlers::{Node, RecordChecks};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::testing::ScriptedMetadata;
use penstock_metrics::Metrics;
use penstock_read_path::ReadPath;
use penstock_store::{BlockCache, Bucket, LandingBucket, PlaceCache, decode_index};
use penstock_wire::record_batch::EndMarker;
use penstock_write_path::{WritePath, WriteSettings};

use super::plan::tests::job;
use super::*;

/// A batch of 10 records, with only the fields that a copy checks.
fn batch(fill: u8, body_bytes: usize) -> Vec<u8> {
    let mut covered = BytesMut::new();
    covered.put_i16(0);
    covered.put_i32(9);
    covered.put_i64(1000);
    covered.put_i64(1000 + i64::from(fill));
    covered.put_bytes(0xff, 14);
    covered.put_i32(10);
    covered.put_bytes(fill, body_bytes);
    let mut batch = BytesMut::new();
    batch.put_i64(0);
    batch.put_i32(i32::try_from(9 + covered.len()).unwrap());
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(crc32c::crc32c(&covered));
    batch.put_slice(&covered);
    batch.to_vec()
}

pub(super) struct Stage {
    metadata: Arc<ScriptedMetadata>,
    pub(super) objects: Arc<Objects>,
    pub(super) counters: Arc<JobCounters>,
    pub(super) stop: watch::Sender<bool>,
    pub(super) merging: Merging,
}

impl Stage {
    pub(super) fn new(bucket: &Bucket) -> Self {
        let metadata = Arc::new(ScriptedMetadata::default());
        let (cache, _) = ClusterCache::new();
        let objects = Arc::new(Objects::new(bucket, "cluster"));
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
                zone: String::new(),
                listeners: Vec::new(),
            },
            record_checks: RecordChecks::new(64 << 20),
            write_path,
            read_path: ReadPath::new(Arc::clone(&objects), blocks, 1 << 20),
            metrics,
            traces: penstock_traces::Traces::off(),
            client_metrics: Default::default(),
            rotation: AtomicUsize::new(0),
        });
        let counters = Arc::new(JobCounters::default());
        let (stop, stopping) = watch::channel(false);
        let merging = Merging::new(
            context,
            Arc::clone(&objects),
            Arc::clone(&counters),
            MIN_MEMORY_BYTES,
            stopping,
        );
        Self {
            metadata,
            objects,
            counters,
            stop,
            merging,
        }
    }

    pub(super) fn in_memory() -> Self {
        Self::new(&Bucket::open("mem://").unwrap())
    }

    pub(super) async fn write(&self, content: Vec<u8>) -> (Uuid, u64) {
        let (file_id, bytes) = (Uuid::now_v7(), content.len() as u64);
        let deadline = Instant::now() + Duration::from_secs(20);
        self.objects.put(file_id, vec![content.into()], deadline).await.unwrap();
        (file_id, bytes)
    }

    /// Creates two files, each with a batch of two partitions, and a job that merges them.
    async fn small_job(&self) -> (Vec<(Uuid, u64)>, proto::MergeJob) {
        let size = batch(0, 500).len() as u64;
        let sources = vec![
            self.write([batch(1, 500), batch(2, 500)].concat()).await,
            self.write([batch(3, 500), batch(4, 500)].concat()).await,
        ];
        let job = job(
            &sources,
            &[&[(0, 0, size), (1, 0, size)], &[(0, size, size), (1, size, size)]],
        );
        (sources, job)
    }

    pub(super) fn hand_out(&self, job: &proto::MergeJob) {
        let answer = proto::TakeJobResponse {
            job: Some(job.clone()),
            ..Default::default()
        };
        self.metadata.answer("TakeJob", &answer);
    }

    pub(super) fn applied(&self, applied: bool) {
        let answer = proto::CompleteJobResponse {
            applied,
            reason: "the test says so".to_owned(),
        };
        self.metadata.answer("CompleteJob", &answer);
    }

    pub(super) fn completions(&self) -> Vec<proto::CompleteJobRequest> {
        self.metadata.requests("CompleteJob")
    }

    pub(super) async fn files(&self) -> Vec<Uuid> {
        let listed = futures_util::stream::iter(0..=u8::MAX).flat_map(|spread| self.objects.list(spread));
        let mut files: Vec<Uuid> = listed.map(|file| file.unwrap().file_id).collect().await;
        files.sort();
        files
    }

    /// The numbers of jobs completed, abandoned and failed.
    pub(super) fn outcomes(&self) -> [u64; 3] {
        [&self.counters.done, &self.counters.given_up, &self.counters.failed].map(|count| count.load(Ordering::Relaxed))
    }
}

fn ids(sources: &[(Uuid, u64)]) -> Vec<Uuid> {
    sources.iter().map(|(id, _)| *id).collect()
}

#[tokio::test]
async fn places_runs_of_a_partition_together_and_reports_positions() {
    let mut stage = Stage::in_memory();
    let (sources, job) = stage.small_job().await;
    stage.hand_out(&job);
    stage.applied(true);
    assert_eq!(stage.merging.turn().await, MIN_PAUSE);
    let size = batch(0, 500).len() as u64;
    let request = stage.completions().remove(0);
    assert_eq!((request.job_id.clone(), request.level), (job.job_id, 1));
    assert_eq!(request.plan, job.plan);
    assert_eq!(request.source_file_ids, job.source_file_ids);
    assert_eq!(
        (request.target_base_offset, request.target_end_offset),
        (vec![100, 100], vec![120, 120])
    );
    assert_eq!(
        (request.target_position, request.target_bytes),
        (vec![0, 2 * size], vec![2 * size, 2 * size])
    );
    let file_id = Uuid::from_slice(&request.file_id).unwrap();
    let file = stage
        .objects
        .get(file_id, 0, request.file_bytes)
        .await
        .unwrap()
        .concat();
    let expected = [batch(1, 500), batch(3, 500), batch(2, 500), batch(4, 500)].concat();
    assert!(file.starts_with(&expected));
    let index = decode_index(&file).unwrap();
    let runs: Vec<_> = index
        .runs
        .iter()
        .map(|run| (run.partition, run.bytes, run.batches))
        .collect();
    let run_bytes = u32::try_from(2 * size).unwrap();
    assert_eq!(
        (index.file_id, runs),
        (file_id, vec![(0, run_bytes, 2), (1, run_bytes, 2)])
    );
    // The service deletes them once they are unreferenced.
    assert_eq!(stage.files().await, [ids(&sources), vec![file_id]].concat());
    assert_eq!(stage.outcomes(), [1, 0, 0]);
    let counted = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    assert_eq!((counted(&stage.counters.gets), counted(&stage.counters.puts)), (2, 1));
    assert_eq!(counted(&stage.counters.read_bytes), 4 * size);
    assert_eq!(counted(&stage.counters.written_bytes), request.file_bytes);
}

#[tokio::test]
async fn merged_transaction_ends_keep_their_control_batch() {
    let mut stage = Stage::in_memory();
    let (sources, mut job) = stage.small_job().await;
    let marker = proto::JobMarker {
        producer_id: 7,
        producer_epoch: 3,
        committed: true,
        timestamp_ms: 5_000,
    };
    // One is between the runs of the first target, the other after those of the second.
    for at in [1, 5] {
        job.run_source.insert(at, u32::MAX);
        job.run_position.insert(at, 0);
        job.run_bytes.insert(at, 78);
    }
    job.markers = vec![
        marker,
        proto::JobMarker {
            committed: false,
            ..marker
        },
    ];
    job.target_runs = vec![3, 3];
    job.target_end_offset = vec![121, 121];
    stage.hand_out(&job);
    stage.applied(true);
    assert_eq!(stage.merging.turn().await, MIN_PAUSE);
    let size = batch(0, 500).len() as u64;
    let request = stage.completions().remove(0);
    assert_eq!(
        (request.target_position.clone(), request.target_bytes.clone()),
        (vec![0, 2 * size + 78], vec![2 * size + 78, 2 * size + 78])
    );
    let file_id = Uuid::from_slice(&request.file_id).unwrap();
    let file = stage
        .objects
        .get(file_id, 0, request.file_bytes)
        .await
        .unwrap()
        .concat();
    let end = |is_commit| {
        let marker = EndMarker {
            producer_id: 7,
            producer_epoch: 3,
            is_commit,
            timestamp_ms: 5_000,
        };
        marker.batch().bytes.to_vec()
    };
    let first = [batch(1, 500), end(true), batch(3, 500)].concat();
    let second = [batch(2, 500), batch(4, 500), end(false)].concat();
    assert!(file.starts_with(&[first, second].concat()));
    let index = decode_index(&file).unwrap();
    assert_eq!(index.runs.iter().map(|run| run.batches).collect::<Vec<_>>(), [3, 3]);
    assert_eq!(stage.files().await, [ids(&sources), vec![file_id]].concat());
}

#[tokio::test]
async fn uploads_large_files_in_parts_and_indexes_each_mib() {
    let mut stage = Stage::in_memory();
    let batches = 500usize;
    let one = batch(7, 100_000);
    let run_bytes = (batches / 2 * one.len()) as u64;
    let sources = [
        stage.write(one.repeat(batches / 2)).await,
        stage.write(one.repeat(batches / 2)).await,
    ];
    let mut job = job(&sources, &[&[(0, 0, run_bytes), (1, 0, run_bytes)]]);
    job.target_end_offset[0] = 100 + 10 * batches as u64;
    stage.hand_out(&job);
    stage.applied(true);
    stage.merging.turn().await;
    let request = stage.completions().remove(0);
    let file_id = Uuid::from_slice(&request.file_id).unwrap();
    let file = stage
        .objects
        .get(file_id, 0, request.file_bytes)
        .await
        .unwrap()
        .concat();
    assert!(file.starts_with(&one.repeat(batches)));
    let places = PlaceCache::new(Arc::clone(&stage.objects));
    let places = places.of_file(file_id, request.file_bytes).await.unwrap();
    let mib = (2 * run_bytes) >> 20;
    assert!(
        (mib * 9 / 10..=mib).contains(&(places.len() as u64)),
        "{} places",
        places.len()
    );
    for place in &*places {
        let number = place.position / one.len() as u64;
        assert_eq!(place.position % one.len() as u64, 0);
        assert_eq!(place.offset, 100 + 10 * i64::try_from(number).unwrap());
        assert_eq!(place.max_timestamp_before_ms, 1007);
    }
    // For 48 MiB: begin, three parts and completion of the upload; reads of at most 8 MiB.
    assert_eq!(stage.counters.puts.load(Ordering::Relaxed), 5);
    assert!(stage.counters.gets.load(Ordering::Relaxed) <= 2 * run_bytes / (8 << 20) + 2);
}

#[tokio::test]
async fn never_merges_damaged_records_nor_retries_their_file() {
    let mut stage = Stage::in_memory();
    let (sources, good) = stage.small_job().await;
    for spoil in [
        // A byte of the records, the announced length, and a checksum that is valid for fewer records.
        |file: &mut Vec<u8>| file[700] ^= 1,
        |file: &mut Vec<u8>| file[11] ^= 1,
        |file: &mut Vec<u8>| {
            file[26] -= 1;
            let crc = crc32c::crc32c(&file[21..561]).to_be_bytes();
            file[17..21].copy_from_slice(&crc);
        },
    ] {
        let (file_id, bytes) = sources[0];
        let mut content = stage.objects.get(file_id, 0, bytes).await.unwrap().concat();
        spoil(&mut content);
        let (damaged, _) = stage.write(content).await;
        let mut job = good.clone();
        job.source_file_ids[0] = Bytes::copy_from_slice(damaged.as_bytes());
        let before = stage.files().await;
        stage.hand_out(&job);
        assert!(stage.merging.turn().await >= PAUSE);
        assert_eq!(stage.completions(), []);
        assert_eq!(stage.files().await, before);
        let gets = stage.counters.gets.load(Ordering::Relaxed);
        stage.hand_out(&job);
        stage.merging.turn().await;
        assert_eq!(stage.counters.gets.load(Ordering::Relaxed), gets);
        let reported = stage.objects.counters.last_errors.all();
        assert!(
            reported[0].failure.message.as_str().contains(&damaged.to_string()),
            "{reported:?}"
        );
    }
}

#[tokio::test]
async fn deletes_a_file_that_the_service_refuses() {
    let mut stage = Stage::in_memory();
    let (sources, job) = stage.small_job().await;
    stage.hand_out(&job);
    stage.applied(false);
    stage.merging.turn().await;
    assert_eq!(stage.files().await, ids(&sources));
    assert_eq!(stage.outcomes(), [0, 1, 0]);
}

#[tokio::test]
async fn keeps_a_file_whose_commit_outcome_is_unknown() {
    let mut stage = Stage::in_memory();
    let (sources, job) = stage.small_job().await;
    stage.hand_out(&job);
    stage
        .metadata
        .fail("CompleteJob", RpcError::DeadlineExceeded("the test".to_owned()));
    stage.merging.turn().await;
    assert_eq!(stage.files().await.len(), sources.len() + 1);
    assert_eq!(stage.outcomes(), [0, 0, 1]);
}

#[tokio::test]
async fn abandons_a_job_whose_source_is_gone() {
    let mut stage = Stage::in_memory();
    let (sources, job) = stage.small_job().await;
    stage.objects.delete(&[sources[1].0]).await;
    stage.hand_out(&job);
    stage.merging.turn().await;
    assert_eq!((stage.completions().len(), stage.outcomes()), (0, [0, 1, 0]));
    assert_eq!(stage.files().await, [sources[0].0]);
}

#[tokio::test]
async fn a_stopping_agent_abandons_its_job_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new(&Bucket::open(&format!("file://{}", folder.path().display())).unwrap());
    let (sources, job) = stage.small_job().await;
    stage.hand_out(&job);
    stage.stop.send_replace(true);
    stage.merging.turn().await;
    // The job may complete before it sees the stop signal; it then sent a completion and got no response.
    let completions = stage.completions().len();
    assert_eq!(stage.files().await.len(), sources.len() + completions);
}

#[tokio::test]
async fn reports_whether_it_can_read_landing_buckets() {
    let mut stage = Stage::in_memory();
    let bucket = Bucket::open("mem://").unwrap();
    let landing = ["a", "b"].map(|zone| LandingBucket {
        zone: zone.to_owned(),
        bucket: Bucket::open("mem://").unwrap(),
    });
    for _ in 0..2 {
        stage.metadata.answer("TakeJob", &proto::TakeJobResponse::default());
        stage.merging.turn().await;
        stage.merging.objects = Arc::new(Objects::new(&bucket, "cluster").with_landing(&landing, "a", "cluster"));
    }
    let requests: Vec<proto::TakeJobRequest> = stage.metadata.requests("TakeJob");
    let said: Vec<_> = requests.iter().map(|request| request.can_read_landed).collect();
    assert_eq!(said, [false, true]);
}

#[tokio::test]
async fn rarely_polls_a_service_that_refuses_the_agent() {
    let mut stage = Stage::in_memory();
    let error = RpcError::PermissionDenied("no jobs for this key".to_owned());
    stage.metadata.fail("TakeJob", error);
    assert_eq!(stage.merging.turn().await, PAUSE_WHEN_REFUSED);
    stage.metadata.answer("TakeJob", &proto::TakeJobResponse::default());
    assert_eq!(stage.merging.turn().await, PAUSE);
}
