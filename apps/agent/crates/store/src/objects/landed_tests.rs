//! Tests landing buckets that fail in various ways. Times are by a paused clock: how long a producer waits in addition
//! to the buckets' own response times.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::testing::{FaultyStore, PutFault};

const ZONES: [&str; 3] = ["a", "b", "c"];
/// Response time of a healthy landing bucket.
const FAST: Duration = Duration::from_millis(6);

/// Three landing buckets, and a standard one that responds immediately.
struct Stage {
    landing: [Arc<FaultyStore>; 3],
    standard: Arc<FaultyStore>,
}

impl Stage {
    fn new() -> Self {
        let landing = ZONES.map(|_| FaultyStore::failing([]));
        for bucket in &landing {
            bucket.set_delay(FAST);
        }
        Self {
            landing,
            standard: FaultyStore::failing([]),
        }
    }

    /// Creates an agent in this zone.
    fn agent(&self, zone: &str) -> Objects {
        let buckets = ZONES.iter().zip(&self.landing).map(|(zone, store)| LandingBucket {
            zone: (*zone).to_owned(),
            bucket: store.bucket(),
        });
        let buckets: Vec<LandingBucket> = buckets.collect();
        Objects::new(&self.standard.bucket(), "cluster").with_landing(&buckets, zone, "cluster")
    }

    async fn copies(&self, file_id: Uuid) -> Vec<&'static str> {
        let mut found = Vec::new();
        let path = self.agent("a").path(file_id);
        for (zone, store) in ZONES.into_iter().zip(&self.landing) {
            if store.bucket().store.head(&path).await.is_ok() {
                found.push(zone);
            }
        }
        found
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn content() -> Vec<Bytes> {
    vec![Bytes::from_static(b"some "), Bytes::from_static(b"batches")]
}

async fn read(objects: &Objects, file_id: Uuid) -> Result<Vec<u8>, StoreError> {
    Ok(objects.get(file_id, 0, 12).await?.concat())
}

/// Writes a file as the write path does: to landing buckets, or else to the standard one. Returns the id and the time
/// it took.
async fn write(objects: &Objects) -> (Uuid, Duration) {
    let began = Instant::now();
    if let Some(file_id) = objects.landed_id(new_id()) {
        match objects.put(file_id, content(), soon()).await {
            Ok(()) => return (file_id, began.elapsed()),
            Err(StoreError::NotLanded { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let file_id = new_id();
    objects.put(file_id, content(), soon()).await.unwrap();
    (file_id, began.elapsed())
}

/// A new id as agents generate it, which does not look landed.
fn new_id() -> Uuid {
    loop {
        let id = Uuid::now_v7();
        if !is_landed(id) {
            return id;
        }
    }
}

fn count(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

#[tokio::test(start_paused = true)]
async fn a_file_lands_in_two_buckets_and_is_read_from_the_nearest() {
    let stage = Stage::new();
    let writer = stage.agent("b");
    let (file_id, took) = write(&writer).await;
    assert!(is_landed(file_id));
    assert_eq!(took, FAST);
    assert_eq!(count(&writer.counters.landing_puts), 2);
    assert_eq!(count(&writer.counters.puts), 0, "the standard bucket is not asked");
    let copies = stage.copies(file_id).await;
    assert_eq!(copies.len(), 2);
    assert!(copies.contains(&"b"));
    for zone in ZONES {
        let reader = stage.agent(zone);
        assert_eq!(read(&reader, file_id).await.unwrap(), b"some batches");
        assert_eq!(count(&reader.counters.landing_gets), 1);
        assert_eq!(count(&reader.counters.gets), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn avoids_a_missing_bucket_and_loses_nothing() {
    for (gone, zone) in ZONES.into_iter().enumerate() {
        let stage = Stage::new();
        let writer = stage.agent("a");
        let (before, _) = write(&writer).await;
        stage.landing[gone].set_gone(true);
        let mut longest = Duration::ZERO;
        let mut written = vec![before];
        for _ in 0..20 {
            let (file_id, took) = write(&writer).await;
            assert!(is_landed(file_id));
            longest = longest.max(took);
            written.push(file_id);
        }
        println!("bucket {zone} gone: longest write {longest:?}");
        assert!(longest <= 2 * FAST, "{longest:?}");
        assert!(count(&writer.counters.landing_put_errors) <= 1, "it is asked once");
        for reader in ZONES.map(|zone| stage.agent(zone)) {
            for file_id in &written {
                assert_eq!(read(&reader, *file_id).await.unwrap(), b"some batches");
            }
        }
        stage.landing[gone].set_gone(false);
        tokio::time::advance(Duration::from_secs(10)).await;
        let mut again = Vec::new();
        for _ in 0..2 {
            again.extend(stage.copies(write(&writer).await.0).await);
        }
        assert!(again.contains(&zone), "it is used again");
    }
}

#[tokio::test(start_paused = true)]
async fn landing_read_failures_do_not_count_for_the_standard_bucket() {
    let stage = Stage::new();
    let (file_id, _) = write(&stage.agent("a")).await;
    let reader = stage.agent("a");
    stage.landing.iter().for_each(|bucket| bucket.set_gone(true));
    assert!(read(&reader, file_id).await.is_err());
    assert_eq!(count(&reader.counters.landing_get_errors), 3);
    assert_eq!(count(&reader.counters.get_errors), 0);
}

#[tokio::test(start_paused = true)]
async fn a_slow_or_hanging_bucket_delays_few_files_and_briefly() {
    for delay in [Duration::from_millis(400), Duration::from_secs(3600)] {
        let stage = Stage::new();
        stage.landing[0].set_delay(delay);
        let writer = stage.agent("a");
        let mut took = Vec::new();
        for _ in 0..10 {
            let (file_id, time) = write(&writer).await;
            assert!(is_landed(file_id));
            took.push(time);
            assert_eq!(read(&writer, file_id).await.unwrap(), b"some batches");
        }
        println!("own bucket answers after {delay:?}: writes {took:?}");
        assert!(took.iter().all(|time| *time <= Duration::from_millis(60)), "{took:?}");
        assert_eq!(took.last(), Some(&FAST));
    }
}

#[tokio::test(start_paused = true)]
async fn a_bucket_that_falsely_reports_success_costs_a_second_read() {
    for (liar, liar_zone) in ZONES.into_iter().enumerate() {
        let stage = Stage::new();
        stage.landing[liar].set_fault(Some(PutFault::Lies));
        let writer = stage.agent("a");
        let mut longest = Duration::ZERO;
        for _ in 0..6 {
            let (file_id, _) = write(&writer).await;
            for zone in ZONES {
                let began = Instant::now();
                assert_eq!(read(&stage.agent(zone), file_id).await.unwrap(), b"some batches");
                longest = longest.max(began.elapsed());
            }
        }
        println!("bucket {liar_zone} lies: longest read {longest:?}");
        assert!(longest <= 3 * FAST, "{longest:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn two_bad_buckets_divert_files_to_the_standard_one() {
    for hangs in [false, true] {
        let stage = Stage::new();
        for store in &stage.landing[1..] {
            match hangs {
                true => store.set_fault(Some(PutFault::Hangs)),
                false => store.set_gone(true),
            }
        }
        let writer = stage.agent("a");
        let mut took = Vec::new();
        for _ in 0..5 {
            let (file_id, time) = write(&writer).await;
            assert!(!is_landed(file_id));
            took.push(time);
            assert_eq!(read(&stage.agent("c"), file_id).await.unwrap(), b"some batches");
        }
        println!("two buckets {}: writes {took:?}", if hangs { "hang" } else { "gone" });
        assert!(took[0] <= Duration::from_millis(1100), "{took:?}");
        assert!(
            took[1..].iter().all(|time| time.is_zero()),
            "the landing buckets are not asked"
        );
        let words: Vec<_> = writer.counters.last_errors.all();
        assert!(
            words.iter().any(|last| last.failure.class == "landing-bucket"),
            "{words:?}"
        );
        for store in &stage.landing[1..] {
            store.set_fault(None);
            store.set_gone(false);
        }
        tokio::time::advance(Duration::from_secs(10)).await;
        assert!(is_landed(write(&writer).await.0));
    }
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_file_is_a_retriable_error() {
    let stage = Stage::new();
    let (file_id, _) = write(&stage.agent("a")).await;
    for store in &stage.landing {
        store.set_gone(true);
    }
    let unreachable = read(&stage.agent("b"), file_id).await.unwrap_err();
    assert!(matches!(unreachable, StoreError::Failed(_)), "{unreachable}");
    for store in &stage.landing {
        store.set_gone(false);
    }
    let reader = stage.agent("b");
    assert_eq!(read(&reader, file_id).await.unwrap(), b"some batches");
    reader.delete(&[file_id]).await;
    let gone = read(&reader, file_id).await.unwrap_err();
    assert!(matches!(gone, StoreError::NotFound(_)), "{gone}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_read_is_also_sent_to_another_bucket() {
    let stage = Stage::new();
    let (file_id, _) = write(&stage.agent("a")).await;
    stage.landing[0].hang_gets();
    let began = Instant::now();
    assert_eq!(read(&stage.agent("a"), file_id).await.unwrap(), b"some batches");
    println!("own bucket hangs: read {:?}", began.elapsed());
    assert!(began.elapsed() <= Duration::from_millis(120), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn deletes_a_landed_file_everywhere_or_reports_it_as_present() {
    let stage = Stage::new();
    let writer = stage.agent("a");
    let (file_id, _) = write(&writer).await;
    for store in &stage.landing {
        // The remains of an aborted third write.
        let path = writer.path(file_id);
        store
            .bucket()
            .store
            .put(&path, PutPayload::from_static(b"some batches"))
            .await
            .unwrap();
    }
    stage.landing[2].set_gone(true);
    assert!(stage.agent("b").delete(&[file_id]).await.is_empty());
    stage.landing[2].set_gone(false);
    assert_eq!(stage.copies(file_id).await, ["c"]);
    assert_eq!(stage.agent("b").delete(&[file_id]).await, [file_id]);
    assert!(stage.copies(file_id).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn listing_finds_a_file_that_landed_only_once() {
    let stage = Stage::new();
    let writer = stage.agent("a");
    stage.landing[1].set_delay(Duration::from_secs(1));
    stage.landing[2].set_delay(Duration::from_secs(1));
    let file_id = writer.landed_id(new_id()).unwrap();
    tokio::select! {
        _ = writer.put(file_id, content(), soon()) => panic!("written"),
        () = tokio::time::sleep(Duration::from_millis(20)) => {}
    }
    drop(writer);
    let reader = stage.agent("c");
    let listed: Vec<_> = reader
        .list_landed("a", file_id.as_bytes()[15])
        .map(|file| file.unwrap().file_id)
        .collect()
        .await;
    assert_eq!(listed, [file_id]);
    assert_eq!(reader.list_landed("nowhere", file_id.as_bytes()[15]).count().await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_file_found_nowhere_may_be_in_the_failing_bucket() {
    let stage = Stage::new();
    let agent = stage.agent("a");
    let file_id = agent.landed_id(new_id()).unwrap();
    stage.landing[0].fail_gets();
    assert!(matches!(read(&agent, file_id).await, Err(StoreError::Failed(_))));
}
