use std::time::Duration;

use penstock_runtime::Instant;

use bytes::Bytes;

use super::*;
use crate::proto::{PartitionUpdate, RunLocation};

fn topic(id: u128, name: &str) -> proto::Topic {
    proto::Topic {
        topic_id: Bytes::copy_from_slice(Uuid::from_u128(id).as_bytes()),
        name: name.into(),
        partitions: 3,
        ..Default::default()
    }
}

fn key(id: u128) -> PartitionKey {
    PartitionKey {
        topic_id: Uuid::from_u128(id),
        partition: 0,
    }
}

fn run(base_offset: i64, records: u32) -> RunLocation {
    RunLocation {
        file_id: Bytes::copy_from_slice(Uuid::from_u128(9).as_bytes()),
        bytes: 100,
        base_offset,
        records,
        file_bytes: 1000,
        ..Default::default()
    }
}

fn update(id: u128, high_watermark: i64, runs: Vec<RunLocation>) -> PartitionUpdate {
    PartitionUpdate {
        topic_id: Bytes::copy_from_slice(Uuid::from_u128(id).as_bytes()),
        high_watermark,
        runs,
        ..Default::default()
    }
}

fn keep_located(partition: &Partition, runs: Vec<RunLocation>) {
    let located = proto::Located {
        high_watermark: 40,
        runs,
        ..Default::default()
    };
    partition.keep_located(&located, located.runs.iter().filter_map(Run::from_proto).collect());
}

fn base_offsets(partition: &Partition, offset: i64, max_bytes: u64) -> Vec<i64> {
    base_offsets_at(partition, offset, max_bytes, Some(Instant::now()))
}

fn base_offsets_at(partition: &Partition, offset: i64, max_bytes: u64, now: Option<Instant>) -> Vec<i64> {
    let mut found = Vec::new();
    partition.runs_from(offset, max_bytes, now, &mut found);
    found.iter().map(|run| run.base_offset).collect()
}

#[test]
fn a_full_catalogue_replaces_everything_known() {
    let (cache, _interest) = ClusterCache::new();
    cache.upsert_topics(&[topic(1, "a"), topic(2, "b")]);
    cache.apply_catalogue(proto::Catalogue {
        full: true,
        topics: vec![topic(2, "b")],
        ..Default::default()
    });
    let catalogue = cache.catalogue();
    assert!(catalogue.topic_by_name("a").is_none());
    assert_eq!(catalogue.topic_by_name("b").unwrap().id, Uuid::from_u128(2));
}

#[test]
fn internal_addresses_outlive_an_owner_that_lacks_them() {
    let (cache, _interest) = ClusterCache::new();
    let agent = |agent_id: &str, internal_url: &str| proto::Agent {
        agent_id: agent_id.to_owned(),
        internal_url: internal_url.to_owned(),
        ..Default::default()
    };
    let urls = || {
        let catalogue = cache.catalogue();
        let urls = catalogue.agents.iter().map(|agent| agent.internal_url.clone());
        urls.collect::<Vec<_>>()
    };
    cache.set_agents(vec![agent("a", "http://10.0.0.1:1"), agent("b", "http://10.0.0.2:1")]);
    cache.set_agents(vec![agent("c", ""), agent("b", "")]);
    assert_eq!(urls(), ["", "http://10.0.0.2:1"]);
    cache.set_agents(vec![agent("b", "http://10.0.0.3:1")]);
    assert_eq!(urls(), ["http://10.0.0.3:1"]);
}

#[test]
fn an_agents_key_outlives_an_owner_that_lacks_it() {
    let (cache, _interest) = ClusterCache::new();
    let agent = |agent_id: &str, key: &'static [u8]| proto::Agent {
        agent_id: agent_id.to_owned(),
        internal_url: "http://10.0.0.1:1".to_owned(),
        internal_key_sha256: Bytes::from_static(key),
        ..Default::default()
    };
    let keys = || {
        let catalogue = cache.catalogue();
        let keys = catalogue.agents.iter().map(|agent| agent.internal_key_sha256.clone());
        keys.collect::<Vec<_>>()
    };
    cache.set_agents(vec![agent("a", &[1; 32])]);
    cache.set_agents(vec![agent("a", &[]), agent("b", &[])]);
    assert_eq!(keys(), [&[1; 32][..], &[]]);
    // A new process at the same address is another agent with its own key.
    cache.set_agents(vec![agent("c", &[2; 32])]);
    assert_eq!(keys(), [&[2; 32][..]]);
}

#[test]
fn a_late_response_does_not_restore_a_deleted_topic() {
    let (cache, _interest) = ClusterCache::new();
    cache.upsert_topics(&[topic(1, "a")]);
    cache.remove_topics(&[Uuid::from_u128(1)]);
    cache.upsert_topics(&[topic(1, "a")]);
    assert!(cache.catalogue().topic_by_name("a").is_none());
}

#[test]
fn a_recreated_topic_has_the_new_id() {
    let (cache, _interest) = ClusterCache::new();
    cache.upsert_topics(&[topic(1, "a")]);
    cache.upsert_topics(&[topic(2, "a")]);
    assert!(cache.catalogue().topic_by_id(Uuid::from_u128(1)).is_none());
    cache.remove_topics(&[Uuid::from_u128(1)]);
    assert!(cache.catalogue().topic_by_name("a").is_some());
}

#[test]
fn interest_is_declared_once_per_partition() {
    let (cache, mut interest) = ClusterCache::new();
    let _ = (
        cache.partition(key(1), Instant::now()),
        cache.partition(key(1), Instant::now()),
    );
    assert_eq!(interest.try_recv().unwrap(), key(1));
    assert!(interest.try_recv().is_err());
}

#[tokio::test]
async fn a_waiter_is_woken_after_the_whole_event_is_applied() {
    let (cache, _interest) = ClusterCache::new();
    let (first, second) = (
        cache.partition(key(1), Instant::now()),
        cache.partition(key(2), Instant::now()),
    );
    let waiter = Arc::new(Notify::new());
    first.wake_on_change(&waiter);
    cache.apply_partition_updates(&[update(1, 5, vec![run(0, 5)]), update(2, 7, vec![run(0, 7)])]);
    waiter.notified().await;
    assert_eq!(first.watermarks(Instant::now()).unwrap().high_watermark, 5);
    assert_eq!(second.watermarks(Instant::now()).unwrap().high_watermark, 7);
}

#[test]
fn finds_runs_from_the_one_that_contains_the_offset() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[update(1, 30, vec![run(0, 10), run(10, 10), run(20, 10)])]);
    assert_eq!(base_offsets(&partition, 15, 1000), [10, 20]);
    assert_eq!(base_offsets(&partition, 15, 1), [10]);
    assert_eq!(base_offsets(&partition, 30, 1000), [] as [i64; 0]);
}

#[test]
fn a_gap_in_the_stream_removes_earlier_runs() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[update(1, 10, vec![run(0, 10)])]);
    cache.apply_partition_updates(&[update(1, 40, vec![run(30, 10)])]);
    assert_eq!(base_offsets(&partition, 5, 1000), [] as [i64; 0]);
    assert_eq!(base_offsets(&partition, 35, 1000), [30]);
}

#[test]
fn located_runs_continue_into_recent_ones() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[update(1, 40, vec![run(30, 10)])]);
    keep_located(&partition, vec![run(10, 10), run(20, 10)]);
    assert_eq!(base_offsets(&partition, 12, 1000), [10, 20, 30]);
}

#[test]
fn locations_expire_after_a_minute_but_serve_while_offline() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[update(1, 40, vec![run(30, 10)])]);
    keep_located(&partition, vec![run(10, 20)]);
    let later = Instant::now() + Duration::from_secs(60);
    assert_eq!(base_offsets_at(&partition, 10, 1000, Some(later)), [] as [i64; 0]);
    assert_eq!(base_offsets_at(&partition, 30, 1000, Some(later)), [] as [i64; 0]);
    assert_eq!(base_offsets_at(&partition, 10, 1000, None), [10, 30]);
}

#[test]
fn forgotten_runs_are_located_again() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[update(1, 40, vec![run(30, 10)])]);
    keep_located(&partition, vec![run(10, 20)]);
    partition.forget_runs();
    assert_eq!(base_offsets_at(&partition, 10, 1000, None), [] as [i64; 0]);
    cache.apply_partition_updates(&[update(1, 50, vec![run(40, 10)])]);
    assert_eq!(base_offsets(&partition, 40, 1000), [40]);
    assert_eq!(partition.watermarks(Instant::now()).unwrap().high_watermark, 50);
}

#[test]
fn a_broken_stream_keeps_data_but_not_as_current() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.set_watching(true);
    cache.apply_partition_updates(&[update(1, 10, vec![run(0, 10)])]);
    cache.set_watching(false);
    let watermarks = partition.watermarks(Instant::now()).unwrap();
    assert_eq!((watermarks.high_watermark, watermarks.current), (10, false));
    assert_eq!(base_offsets(&partition, 0, 1000), [0]);
}

#[test]
fn a_silent_stream_keeps_data_but_not_as_current() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    let event = |watch_id: &str, current_for_ms| proto::WatchEvent {
        watch_id: watch_id.to_owned(),
        current_for_ms,
        ..Default::default()
    };
    let is_current = || partition.watermarks(Instant::now()).unwrap().current;
    cache.apply_freshness(&event("watch", 1));
    cache.apply_partition_updates(&[update(1, 10, vec![run(0, 10)])]);
    while is_current() {
        std::thread::yield_now();
    }
    assert_eq!(partition.watermarks(Instant::now()).unwrap().high_watermark, 10);
    assert_eq!(base_offsets(&partition, 0, 1000), [0]);
    cache.apply_freshness(&event("", 600_000));
    assert!(is_current());
}

#[test]
fn unread_partitions_are_dropped() {
    let (cache, _interest) = ClusterCache::new();
    let _ = cache.partition(key(1), Instant::now());
    assert!(cache.drop_idle_partitions(Duration::from_secs(60)).is_empty());
    assert_eq!(cache.drop_idle_partitions(Duration::ZERO), [key(1)]);
}

#[tokio::test]
async fn changes_of_users_and_acls_reach_subscribers() {
    let (cache, _interest) = ClusterCache::new();
    let mut security = cache.security();
    assert_eq!(security.borrow_and_update().version, 0);
    cache.set_security(proto::SecurityState {
        version: 7,
        ..Default::default()
    });
    security.changed().await.unwrap();
    assert_eq!(security.borrow().version, 7);
}

#[test]
fn data_ages_only_while_the_watch_stream_is_down() {
    let (cache, _interest) = ClusterCache::new();
    let start = Instant::now();
    cache.set_watching_at(true, start);
    assert_eq!(cache.unwatched_at(start + Duration::from_secs(60)), Duration::ZERO);
    cache.set_watching_at(false, start + Duration::from_secs(60));
    // Another attempt to reconnect fails.
    cache.set_watching_at(false, start + Duration::from_secs(70));
    assert_eq!(
        cache.unwatched_at(start + Duration::from_secs(90)),
        Duration::from_secs(30)
    );
}

/// The end of producer 7's transaction.
fn marker(base_offset: i64, first_offset: i64, committed: bool) -> RunLocation {
    RunLocation {
        bytes: 78,
        base_offset,
        records: 1,
        marker: Some(proto::TransactionMarker {
            producer_id: 7,
            producer_epoch: 3,
            committed,
            first_offset,
        }),
        ..Default::default()
    }
}

fn stable_at(last_stable_offset: i64, update: PartitionUpdate) -> PartitionUpdate {
    PartitionUpdate {
        last_stable_offset: Some(last_stable_offset),
        ..update
    }
}

/// Base offsets of the runs, first and last offsets of aborted transactions, and the offset where reading stops.
type Committed = (Vec<i64>, Vec<(i64, i64)>, i64);

fn committed(partition: &Partition, offset: i64) -> Option<Committed> {
    let found = partition.committed_runs_from(offset, 1000, Some(Instant::now()))?;
    Some((
        found.runs.iter().map(|run| run.base_offset).collect(),
        found
            .aborted
            .iter()
            .map(|aborted| (aborted.first_offset, aborted.last_offset))
            .collect(),
        found.end_offset,
    ))
}

#[test]
fn read_committed_stops_at_the_last_stable_offset() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    // The transaction began in the middle of the second run.
    cache.apply_partition_updates(&[stable_at(14, update(1, 30, vec![run(0, 10), run(10, 10), run(20, 10)]))]);
    assert_eq!(partition.watermarks(Instant::now()).unwrap().last_stable_offset, 14);
    assert_eq!(committed(&partition, 5), Some((vec![0, 10], vec![], 14)));
    assert_eq!(committed(&partition, 13), Some((vec![10], vec![], 14)));
    assert_eq!(committed(&partition, 14), None);
    assert_eq!(base_offsets(&partition, 14, 1000), [10, 20]);
}

#[test]
fn stream_markers_identify_aborted_transactions() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[stable_at(0, update(1, 10, vec![run(0, 10)]))]);
    cache.apply_partition_updates(&[stable_at(11, update(1, 11, vec![marker(10, 0, false)]))]);
    cache.apply_partition_updates(&[stable_at(20, update(1, 20, vec![run(11, 9)]))]);
    cache.apply_partition_updates(&[stable_at(21, update(1, 21, vec![marker(20, 15, true)]))]);
    assert_eq!(committed(&partition, 4), Some((vec![0, 10, 11, 20], vec![(0, 10)], 21)));
    // After the marker, the producer's next transaction must not count as aborted.
    assert_eq!(committed(&partition, 10), Some((vec![10, 11, 20], vec![(0, 10)], 21)));
    assert_eq!(committed(&partition, 11), Some((vec![11, 20], vec![], 21)));
}

#[test]
fn a_transaction_ending_beyond_known_runs_is_not_committed() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    cache.apply_partition_updates(&[stable_at(5, update(1, 10, vec![run(0, 10)]))]);
    // A response for another reader says that all transactions before offset 40 have ended, but the stream has not yet
    // said how.
    partition.observe_watermarks(&proto::Located {
        high_watermark: 40,
        ..Default::default()
    });
    assert_eq!(partition.watermarks(Instant::now()).unwrap().last_stable_offset, 40);
    assert_eq!(committed(&partition, 3), Some((vec![0], vec![], 5)));
    assert_eq!(committed(&partition, 5), None);
}

#[test]
fn an_older_response_is_not_used_after_a_transaction_ended() {
    let (cache, _interest) = ClusterCache::new();
    let partition = cache.partition(key(1), Instant::now());
    let located = proto::Located {
        high_watermark: 30,
        last_stable_offset: Some(20),
        runs: vec![run(0, 10), run(10, 10), run(20, 10)],
        aborted: vec![proto::AbortedTransaction {
            producer_id: 7,
            first_offset: 2,
            last_offset: 8,
        }],
        ..Default::default()
    };
    partition.keep_located(&located, located.runs.iter().filter_map(Run::from_proto).collect());
    assert_eq!(committed(&partition, 8), Some((vec![0, 10], vec![(2, 8)], 20)));
    assert_eq!(committed(&partition, 9), Some((vec![0, 10], vec![], 20)));
    assert_eq!(committed(&partition, 20), None);
}

#[test]
fn the_mode_is_the_last_received_and_initially_standard() {
    let (cache, _) = ClusterCache::new();
    assert_eq!(cache.mode(), Mode::Standard);
    let modes = [
        (proto::ClusterMode::Dev as i32, Mode::Dev),
        (proto::ClusterMode::LowLatency as i32, Mode::LowLatency),
        (proto::ClusterMode::Standard as i32, Mode::Standard),
        // An unknown mode of a later service is treated as standard.
        (99, Mode::Standard),
        (proto::ClusterMode::Dev as i32, Mode::Dev),
        (proto::ClusterMode::Unspecified as i32, Mode::Standard),
    ];
    for (mode, expected) in modes {
        cache.set_settings(proto::ClusterSettings {
            mode,
            ..Default::default()
        });
        assert_eq!(cache.mode(), expected);
    }
}
