//! Tests with a store that fails in the ways that object storage fails.

use std::time::Duration;

use tokio::time::timeout_at;

use super::*;
use crate::testing::{FaultyStore, PutFault};

fn objects(faults: impl IntoIterator<Item = PutFault>) -> Objects {
    Objects::new(&FaultyStore::failing(faults).bucket(), "cluster")
}

fn sound() -> Objects {
    objects([])
}

fn chunks(text: &'static [&'static str]) -> Vec<Bytes> {
    text.iter().map(|chunk| Bytes::from_static(chunk.as_bytes())).collect()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

#[test]
fn a_files_name_depends_only_on_its_id() {
    let objects = sound();
    let file_id = Uuid::from_u128(0x0190_b2a4_0000_7000_8000_0000_0000_00f3);
    let expected = "p/clusters/cluster/data/f3/0190b2a4-0000-7000-8000-0000000000f3.batches";
    assert_eq!(objects.path(file_id).as_ref(), expected);
}

#[tokio::test]
async fn a_put_is_retried_until_it_succeeds() {
    let objects = objects([PutFault::Refused; 3]);
    let file_id = Uuid::now_v7();
    objects.put(file_id, chunks(&["ab", "cd"]), soon()).await.unwrap();
    assert_eq!(objects.get(file_id, 1, 3).await.unwrap(), ["bc"]);
    assert_eq!(objects.counters.puts.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_put_whose_response_was_lost_is_not_written_twice() {
    let objects = objects([PutFault::AnswerLost]);
    let file_id = Uuid::now_v7();
    objects.put(file_id, chunks(&["abc"]), soon()).await.unwrap();
    assert_eq!(objects.get(file_id, 0, 3).await.unwrap(), ["abc"]);
}

#[tokio::test(start_paused = true)]
async fn does_not_wait_for_a_hanging_put() {
    for hanging in [PutFault::Hangs, PutFault::WrittenAndHangs] {
        let objects = objects([hanging]);
        let (file_id, started) = (Uuid::now_v7(), Instant::now());
        objects.put(file_id, chunks(&["abc"]), soon()).await.unwrap();
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        assert_eq!(objects.get(file_id, 0, 3).await.unwrap(), ["abc"]);
        assert_eq!(objects.counters.puts.load(Ordering::Relaxed), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_put_gets_a_second_attempt_before_it_counts_as_hanging() {
    let store = FaultyStore::failing([]);
    let objects = Objects::new(&store.bucket(), "cluster");
    for _ in 0..64 {
        objects.put(Uuid::now_v7(), chunks(&["abc"]), soon()).await.unwrap();
    }
    store.fail_next([PutFault::Hangs]);
    let (file_id, started) = (Uuid::now_v7(), Instant::now());
    objects.put(file_id, chunks(&["abc"]), soon()).await.unwrap();
    assert!(
        started.elapsed() < Duration::from_millis(100),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(objects.get(file_id, 0, 3).await.unwrap(), ["abc"]);
    assert_eq!(objects.counters.hedged_puts.load(Ordering::Relaxed), 1);
    assert_eq!(objects.counters.put_errors.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_bucket_gets_few_attempts_and_recovers_at_once() {
    let store = FaultyStore::failing([]);
    store.set_fault(Some(PutFault::Hangs));
    let objects = Objects::new(&store.bucket(), "cluster");
    let deadline = Instant::now() + Duration::from_secs(60);
    let put = objects.put(Uuid::now_v7(), chunks(&["abc"]), deadline);
    let recovers = async {
        tokio::time::sleep(Duration::from_secs(31)).await;
        store.set_fault(None);
    };
    let (written, ()) = tokio::join!(put, recovers);
    written.unwrap();
    assert!(objects.counters.puts.load(Ordering::Relaxed) <= 7);
}

#[tokio::test(start_paused = true)]
async fn a_put_to_a_hanging_bucket_ends_at_its_deadline() {
    let store = FaultyStore::failing([]);
    store.set_fault(Some(PutFault::Hangs));
    let objects = Objects::new(&store.bucket(), "cluster");
    let deadline = Instant::now() + Duration::from_secs(60);
    let error = objects
        .put(Uuid::now_v7(), chunks(&["abc"]), deadline)
        .await
        .unwrap_err();
    assert!(matches!(error, StoreError::DeadlineExceeded(None)), "{error}");
    assert_eq!(Instant::now(), deadline);
}

#[tokio::test]
async fn never_mistakes_another_object_for_ours() {
    let objects = sound();
    let file_id = Uuid::now_v7();
    objects
        .put(file_id, chunks(&["longer than ours"]), soon())
        .await
        .unwrap();
    let refused = objects.put(file_id, chunks(&["ours"]), soon()).await;
    assert!(matches!(
        refused,
        Err(StoreError::Occupied {
            expected_bytes: 4,
            found_bytes: 16,
            ..
        })
    ));
}

#[tokio::test]
async fn a_put_ends_at_its_deadline_with_the_last_failure() {
    let store = FaultyStore::failing([]);
    store.set_fault(Some(PutFault::Refused));
    let objects = Objects::new(&store.bucket(), "cluster");
    let deadline = Instant::now() + Duration::from_millis(400);
    // It would retry forever. How soon after the deadline it returns depends on the load of the machine.
    let put = objects.put(Uuid::now_v7(), chunks(&["x"]), deadline);
    let error = timeout_at(soon(), put).await.expect("it goes on").unwrap_err();
    assert!(matches!(error, StoreError::DeadlineExceeded(_)), "{error}");
    assert!(error.to_string().contains("connection reset"), "{error}");
}

#[tokio::test]
async fn deleting_a_missing_file_counts_as_deleted() {
    let objects = sound();
    let (there, gone) = (Uuid::now_v7(), Uuid::now_v7());
    objects.put(there, chunks(&["x"]), soon()).await.unwrap();
    let mut deleted = objects.delete(&[there, gone]).await;
    deleted.sort();
    assert_eq!(deleted, [there, gone]);
    assert!(matches!(objects.get(there, 0, 1).await, Err(StoreError::NotFound(_))));
}

#[tokio::test]
async fn listing_finds_data_files_and_skips_everything_else() {
    let objects = sound();
    let file_id = Uuid::now_v7();
    objects.put(file_id, chunks(&["x"]), soon()).await.unwrap();
    let spread = file_id.as_bytes()[15];
    let foreign_object = objects.root.clone().join(format!("{spread:02x}")).join("notes.txt");
    objects
        .store
        .put(&foreign_object, PutPayload::from_static(b"mine"))
        .await
        .unwrap();
    let listed: Vec<_> = objects.list(spread).map(|file| file.unwrap().file_id).collect().await;
    assert_eq!(listed, [file_id]);
    assert_eq!(objects.list(spread.wrapping_add(1)).count().await, 0);
}

#[tokio::test]
async fn lists_files_of_one_prefix_in_id_order() {
    let objects = sound();
    let ids = [3u128, 1, 2].map(|time| Uuid::from_u128(time << 80 | 0x7000_8000_0000_0000_00f3));
    for id in ids {
        objects.put(id, chunks(&["x"]), soon()).await.unwrap();
    }
    let listed: Vec<_> = objects.list(0xf3).map(|file| file.unwrap().file_id).collect().await;
    assert_eq!(listed, [ids[1], ids[2], ids[0]]);
}

#[tokio::test]
async fn reads_a_local_file_across_buffers_up_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::open(&format!("file://{}", folder.path().display())).unwrap();
    let objects = Objects::new(&bucket, "cluster");
    let content: Vec<u8> = (0..2 * BLOCK_BUFFER_BYTES + 500).map(|at| (at % 251) as u8).collect();
    let file_id = Uuid::now_v7();
    objects
        .put(file_id, vec![Bytes::from(content.clone())], soon())
        .await
        .unwrap();
    let len = content.len() as u64;
    for _ in 0..2 {
        let read = objects.get(file_id, 100, len).await.unwrap();
        assert!(read.concat() == content[100..]);
    }
    let beyond = objects.get(file_id, 100, len + 1).await;
    assert!(matches!(beyond, Err(StoreError::Truncated { .. })));
    let missing = objects.get(Uuid::now_v7(), 0, 1).await;
    assert!(matches!(missing, Err(StoreError::NotFound(_))));
}

#[tokio::test]
async fn gathers_a_stream_in_blocks_and_detects_a_wrong_length() {
    const BUFFER_BYTES: usize = 256 << 10;
    let buffers = Arc::new(BufferPool::new(BUFFER_BYTES, 1));
    let content: Vec<u8> = (0..2 * BUFFER_BYTES + 500).map(|at| (at % 251) as u8).collect();
    let gathered = |bytes: usize| {
        let pieces: Vec<_> = content
            .chunks(70_001)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect();
        gather(futures_util::stream::iter(pieces).boxed(), bytes as u64, &buffers)
    };
    let whole = gathered(content.len()).await.unwrap();
    assert!(whole.concat() == content);
    assert_eq!(
        whole.iter().map(Bytes::len).collect::<Vec<_>>(),
        [BUFFER_BYTES, BUFFER_BYTES, 500]
    );
    assert!(gathered(content.len() + 1).await.unwrap().concat().len() < content.len() + 1);
    assert!(gathered(content.len() - 1).await.unwrap().concat().len() > content.len() - 1);
    let piece = Bytes::from_static(b"one piece is not copied");
    let stream = futures_util::stream::iter([Ok(piece.clone())]).boxed();
    assert_eq!(
        gather(stream, piece.len() as u64, &buffers).await.unwrap()[0].as_ptr(),
        piece.as_ptr()
    );
}

#[tokio::test]
async fn a_job_reuses_the_memory_of_the_previous_one() {
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::open(&format!("file://{}", folder.path().display())).unwrap();
    let objects = Objects::new(&bucket, "cluster");
    objects.keep_job_buffers(JOB_BUFFER_BYTES);
    let file_id = Uuid::now_v7();
    let content = Bytes::from(vec![7; JOB_BUFFER_BYTES]);
    objects.put(file_id, vec![content], soon()).await.unwrap();
    let mut places = Vec::new();
    for _ in 0..2 {
        let read = objects.get_for_job(file_id, 0, JOB_BUFFER_BYTES as u64).await.unwrap();
        places.push(read[0].as_ptr());
    }
    assert_eq!(places[0], places[1]);
}

#[tokio::test]
async fn the_last_failure_is_kept_in_readable_words() {
    let objects = objects([PutFault::Refused]);
    objects.put(Uuid::now_v7(), chunks(&["abc"]), soon()).await.unwrap();
    let kept = objects.counters.last_errors.all();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].kind, penstock_telemetry::ErrorKind::Store);
    assert!(kept[0].failure.message.as_str().contains("connection reset"));
}
