//! Readers while jobs merge files and delete the sources.

use std::sync::Arc;
use std::time::Duration;

use crate::harness::batches::{batch, read};
use crate::harness::{FETCH_VERSION, TestAgent, fetch_request, quick};
use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_store::Bucket;
use penstock_wire::ErrorCode;
use tokio::time::Instant;
use uuid::Uuid;

/// Starts an agent that caches nothing it reads, so that each fetch goes to the bucket.
async fn agent_without_cache() -> TestAgent {
    let bucket = Bucket::open("mem://").unwrap();
    TestAgent::start_caching(Arc::default(), &bucket, quick(), Default::default(), 0).await
}

fn file_id(run: &proto::RunLocation) -> Uuid {
    Uuid::from_slice(&run.file_id).unwrap()
}

/// Merges the runs of a partition to a new file and returns the resulting run.
async fn merged(agent: &TestAgent, runs: &[proto::RunLocation]) -> proto::RunLocation {
    let mut chunks: Vec<Bytes> = Vec::new();
    for run in runs {
        let end = run.position + u64::from(run.bytes);
        chunks.extend(agent.objects.get(file_id(run), run.position, end).await.unwrap());
    }
    let bytes: usize = chunks.iter().map(Bytes::len).sum();
    let file_id = Uuid::now_v7();
    let deadline = Instant::now() + Duration::from_secs(20);
    agent.objects.put(file_id, chunks, deadline).await.unwrap();
    proto::RunLocation {
        file_id: Bytes::copy_from_slice(file_id.as_bytes()),
        position: 0,
        bytes: u32::try_from(bytes).unwrap(),
        base_offset: runs[0].base_offset,
        records: runs.iter().map(|run| run.records).sum(),
        file_bytes: bytes as u64,
        ..Default::default()
    }
}

#[tokio::test]
async fn a_fetch_of_a_deleted_file_reads_the_new_location() {
    let agent = agent_without_cache().await;
    let topic_id = agent.metadata.create_topic("t", 2);
    let mut client = agent.client().await;
    for partition in [0, 1] {
        for value in ["a", "b", "c"] {
            client.produce("t", partition, batch(&[value])).await;
        }
        // From here on, the agent has the locations cached.
        assert_eq!(read(&client.fetch("t", partition, 0).await.records).len(), 3);
    }
    let mut old = Vec::new();
    for partition in [0, 1] {
        let runs = agent.metadata.runs(topic_id, partition);
        let new = merged(&agent, &runs).await;
        agent.metadata.move_runs(topic_id, partition, vec![new]);
        old.extend(runs.iter().map(file_id));
    }
    agent.objects.delete(&old).await;
    let asked = agent.metadata.calls("Locate");
    let request = fetch_request("t", &[(0, 1), (1, 0)]);
    let response = client.call(&request, FETCH_VERSION).await;
    let values: Vec<Vec<String>> = response.responses[0]
        .partitions
        .iter()
        .map(|partition| {
            assert_eq!((partition.error_code, partition.high_watermark), (ErrorCode::NONE, 3));
            read(&partition.records).into_iter().map(|(_, value)| value).collect()
        })
        .collect();
    assert_eq!(values, [vec!["b", "c"], vec!["a", "b", "c"]]);
    // One call covered all partitions.
    assert_eq!(agent.metadata.calls("Locate"), asked + 1);
}

#[tokio::test]
async fn a_lost_file_is_reported_and_looked_up_by_the_next_fetch() {
    let agent = agent_without_cache().await;
    let topic_id = agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, batch(&["a"])).await;
    let runs = agent.metadata.runs(topic_id, 0);
    let copy = merged(&agent, &runs).await;
    agent.objects.delete(&[file_id(&runs[0])]).await;
    // Clients don't retry this code in silence.
    assert_eq!(client.fetch("t", 0, 0).await.error_code, ErrorCode::CORRUPT_MESSAGE);
    agent.metadata.move_runs(topic_id, 0, vec![copy]);
    assert_eq!(read(&client.fetch("t", 0, 0).await.records), [(0, "a".to_owned())]);
}
