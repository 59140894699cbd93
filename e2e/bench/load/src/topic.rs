//! The topic under load.

use std::rc::Rc;
use std::time::{Duration, Instant};

use penstock_wire::ErrorCode;
use penstock_wire::messages::create_topics::CreatableTopic;
use penstock_wire::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use penstock_wire::messages::metadata::MetadataRequestTopic;
use penstock_wire::messages::{CreateTopicsRequest, ListOffsetsRequest, MetadataRequest};
use serde_json::json;

use crate::connection::{LoadError, Receiver, Sender, Server, call};

const CREATE_TOPICS_VERSION: i16 = 7;
const METADATA_VERSION: i16 = 12;
const LIST_OFFSETS_VERSION: i16 = 7;
/// The timestamp that requests the end of a partition.
const LATEST: i64 = -1;
/// Time limit for every partition to have a leader.
const LONGEST_CREATION: Duration = Duration::from_secs(60);

/// The topic under load, and how to reach it.
pub struct Target {
    pub server: Rc<Server>,
    pub topic: String,
}

pub async fn create(target: &Target, partitions: i32) -> Result<serde_json::Value, LoadError> {
    let mut connection = target.server.connect().await?;
    let request = CreateTopicsRequest {
        topics: vec![CreatableTopic {
            name: target.topic.clone(),
            num_partitions: partitions,
            replication_factor: 1,
            ..CreatableTopic::default()
        }],
        ..CreateTopicsRequest::default()
    };
    let answer = call(&mut connection, &request, CREATE_TOPICS_VERSION).await?;
    for topic in answer.topics {
        LoadError::check("CreateTopics", topic.error_code)?;
    }
    partition_count(target, &mut connection, Some(partitions)).await?;
    Ok(json!({}))
}

/// Waits until every partition has a leader that responds. Returns the number of partitions.
pub async fn partition_count(
    target: &Target,
    connection: &mut (Sender, Receiver),
    expected: Option<i32>,
) -> Result<i32, LoadError> {
    let began = Instant::now();
    loop {
        let code = match try_count(target, connection).await? {
            Ok(count) if expected.is_none_or(|expected| expected == count) => return Ok(count),
            Ok(_) => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            Err(code) => code,
        };
        if began.elapsed() > LONGEST_CREATION {
            return Err(LoadError::Refused {
                api: "Metadata",
                code,
            });
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn try_count(
    target: &Target,
    connection: &mut (Sender, Receiver),
) -> Result<Result<i32, ErrorCode>, LoadError> {
    let request = MetadataRequest {
        topics: Some(vec![MetadataRequestTopic {
            name: Some(target.topic.clone()),
            ..MetadataRequestTopic::default()
        }]),
        allow_auto_topic_creation: false,
        ..MetadataRequest::default()
    };
    let answer = call(connection, &request, METADATA_VERSION).await?;
    let Some(topic) = answer.topics.first() else {
        return Ok(Err(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION));
    };
    let of_partitions = topic
        .partitions
        .iter()
        .map(|partition| partition.error_code);
    if let Some(code) = std::iter::once(topic.error_code)
        .chain(of_partitions)
        .find(|code| !code.is_none())
    {
        return Ok(Err(code));
    }
    // A broker names itself as the leader of a new partition before it accepts records for it.
    let request = ListOffsetsRequest {
        replica_id: -1,
        topics: vec![ListOffsetsTopic {
            name: target.topic.clone(),
            partitions: topic
                .partitions
                .iter()
                .map(|partition| latest(partition.partition_index))
                .collect(),
        }],
        ..ListOffsetsRequest::default()
    };
    let answer = call(connection, &request, LIST_OFFSETS_VERSION).await?;
    let offsets = || answer.topics.iter().flat_map(|topic| &topic.partitions);
    if let Some(refused) = offsets().find(|offset| !offset.error_code.is_none()) {
        return Ok(Err(refused.error_code));
    }
    Ok(Ok(i32::try_from(offsets().count()).unwrap_or(i32::MAX)))
}

fn latest(partition_index: i32) -> ListOffsetsPartition {
    ListOffsetsPartition {
        partition_index,
        timestamp: LATEST,
        ..ListOffsetsPartition::default()
    }
}
