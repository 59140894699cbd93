//! CreateTopics. The owner decides; here stand only the rules about what it is never told: replicas.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_metadata_client::proto;
use penstock_wire::messages::create_topics::{
    CreatableReplicaAssignment, CreatableTopic, CreatableTopicConfigs, CreatableTopicResult,
};
use penstock_wire::messages::{CreateTopicsRequest, CreateTopicsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::{failure, ids, timeouts, topic_configs};

/// Object storage replicates; to Kafka clients every partition has one replica.
const REPLICATION_FACTOR: i16 = 1;

pub(crate) async fn handle(context: Arc<Context>, _: Caller, request: CreateTopicsRequest) -> CreateTopicsResponse {
    let mut times_named: HashMap<String, u32> = HashMap::new();
    for topic in &request.topics {
        *times_named.entry(topic.name.clone()).or_default() += 1;
    }
    let mut to_create = Vec::new();
    let mut topics: Vec<CreatableTopicResult> = Vec::with_capacity(request.topics.len());
    for topic in request.topics {
        let name = topic.name.clone();
        let checked = if times_named.get(&name).is_some_and(|times| *times > 1) {
            Err((
                ErrorCode::INVALID_REQUEST,
                "the request names this topic more than once".to_owned(),
            ))
        } else {
            new_topic(topic)
        };
        match checked {
            Ok(new) => {
                to_create.push((topics.len(), new));
                topics.push(CreatableTopicResult {
                    name,
                    ..Default::default()
                });
            }
            Err((error_code, reason)) => topics.push(refused(name, error_code, reason)),
        }
    }
    if !to_create.is_empty() {
        let (places, new): (Vec<usize>, Vec<proto::NewTopic>) = to_create.into_iter().unzip();
        let rpc = proto::CreateTopicsRequest {
            topics: new,
            validate_only: request.validate_only,
        };
        match context
            .metadata
            .create_topics(rpc, timeouts::of_request(request.timeout_ms))
            .await
        {
            Ok(answer) => {
                for (place, result) in places.into_iter().zip(answer.results) {
                    if !request.validate_only {
                        context.cache.upsert_topics(result.topic.as_slice());
                    }
                    topics[place] = answered(result);
                }
            }
            Err(error) => {
                let error_code = failure::cluster_error(ApiKey::CreateTopics, &error);
                for place in places {
                    let name = std::mem::take(&mut topics[place].name);
                    topics[place] = refused(name, error_code, error.to_string());
                }
            }
        }
    }
    CreateTopicsResponse {
        topics,
        ..Default::default()
    }
}

type Refused = (ErrorCode, String);

fn new_topic(topic: CreatableTopic) -> Result<proto::NewTopic, Refused> {
    let partitions = if topic.assignments.is_empty() {
        if topic.replication_factor < 1 && topic.replication_factor != -1 {
            let reason =
                "the replication factor must be -1 or at least 1; any such value gives the same topic".to_owned();
            return Err((ErrorCode::INVALID_REPLICATION_FACTOR, reason));
        }
        topic.num_partitions
    } else {
        assigned_partitions(&topic.assignments)?
    };
    let configs = topic
        .configs
        .into_iter()
        .map(|config| match config.value {
            Some(value) => Ok(proto::Config {
                name: config.name,
                value,
            }),
            None => Err((
                ErrorCode::INVALID_CONFIG,
                format!("config {} has no value", config.name),
            )),
        })
        .collect::<Result<_, Refused>>()?;
    Ok(proto::NewTopic {
        name: topic.name,
        partitions,
        configs,
    })
}

/// How many partitions a manual assignment names. Which brokers it names makes no difference: any agent serves any
/// partition.
fn assigned_partitions(assignments: &[CreatableReplicaAssignment]) -> Result<i32, Refused> {
    let mut indexes: Vec<i32> = assignments
        .iter()
        .map(|assignment| assignment.partition_index)
        .collect();
    indexes.sort_unstable();
    let consecutive = (0..)
        .zip(&indexes)
        .all(|(expected, index): (i32, &i32)| expected == *index);
    if !consecutive {
        let reason = "the assignment must name each partition from 0 on exactly once".to_owned();
        return Err((ErrorCode::INVALID_REPLICA_ASSIGNMENT, reason));
    }
    i32::try_from(indexes.len()).map_err(|_| (ErrorCode::INVALID_PARTITIONS, "too many partitions".to_owned()))
}

fn refused(name: String, error_code: ErrorCode, reason: String) -> CreatableTopicResult {
    CreatableTopicResult {
        name,
        error_code,
        error_message: failure::message(reason),
        ..Default::default()
    }
}

fn answered(result: proto::TopicResult) -> CreatableTopicResult {
    let error_code = failure::code(result.error_code);
    if !error_code.is_none() {
        return refused(result.name, error_code, result.error_message);
    }
    let topic = result.topic.unwrap_or_default();
    let configs = topic_configs::entries(&topic.configs)
        .into_iter()
        .map(|entry| CreatableTopicConfigs {
            name: entry.name,
            value: Some(entry.value),
            read_only: false,
            config_source: entry.source.code(),
            is_sensitive: false,
        })
        .collect();
    CreatableTopicResult {
        name: result.name,
        topic_id: ids::rpc_to_wire(&result.topic_id),
        num_partitions: i32::try_from(topic.partitions).unwrap_or(i32::MAX),
        replication_factor: REPLICATION_FACTOR,
        configs: Some(configs),
        ..Default::default()
    }
}
