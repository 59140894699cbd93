//! CreateTopics. The owner decides. This file validates names, so that each invalid one gets its own error, and
//! replicas, of which the owner knows nothing.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::proto;
use penstock_wire::messages::create_topics::{
    CreatableReplicaAssignment, CreatableTopic, CreatableTopicConfigs, CreatableTopicResult,
};
use penstock_wire::messages::{CreateTopicsRequest, CreateTopicsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::assignment;
use crate::cluster::brokers::BrokerView;
use crate::cluster::topic_name;
use crate::configs::topic_configs;
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::timeouts;

/// Object storage replicates, so to Kafka clients every partition has one replica. A client that requests more gets the
/// topic and its own number in the response, because tools compare the two.
const REPLICATION_FACTOR: i16 = 1;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: CreateTopicsRequest,
) -> CreateTopicsResponse {
    let mut times_named: HashMap<String, u32> = HashMap::new();
    for topic in &request.topics {
        *times_named.entry(topic.name.clone()).or_default() += 1;
    }
    let access = context.access(&caller);
    let view = BrokerView::of(&context, &caller);
    let creates_any = access.grants(Operation::Create, Resource::CLUSTER);
    let mut to_create = Vec::new();
    let mut topics: Vec<CreatableTopicResult> = Vec::with_capacity(request.topics.len());
    for topic in request.topics {
        let name = topic.name.clone();
        let replication_factor = topic.replication_factor.max(REPLICATION_FACTOR);
        let checked = if times_named.get(&name).is_some_and(|times| *times > 1) {
            Err((
                ErrorCode::INVALID_REQUEST,
                "the request names this topic more than once".to_owned(),
            ))
        } else if creates_any || access.allows(Operation::Create, Resource::topic(&name)) {
            new_topic(topic, &view)
        } else {
            Err((
                ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                "the client is not authorized to create the topic".to_owned(),
            ))
        };
        match checked {
            Ok(new) => {
                to_create.push((topics.len(), new));
                topics.push(CreatableTopicResult {
                    name,
                    replication_factor,
                    ..Default::default()
                });
            }
            Err(refusal) => topics.push(refused(name, refusal)),
        }
    }
    if !to_create.is_empty() {
        let (places, new): (Vec<usize>, Vec<proto::NewTopic>) = to_create.into_iter().unzip();
        let rpc = proto::CreateTopicsRequest {
            topics: new,
            validate_only: request.validate_only,
            client: context.named(&caller),
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
                    topics[place] = answered(&access, result, topics[place].replication_factor);
                }
            }
            Err(error) => {
                let error_code = failure::cluster_error(ApiKey::CreateTopics, &error);
                for place in places {
                    let name = std::mem::take(&mut topics[place].name);
                    topics[place] = refused(name, (error_code, error.to_string()));
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

fn new_topic(topic: CreatableTopic, view: &BrokerView) -> Result<proto::NewTopic, Refused> {
    if !topic_name::is_valid(&topic.name) {
        return Err((ErrorCode::INVALID_TOPIC_EXCEPTION, topic_name::refusal(&topic.name)));
    }
    let partitions = if topic.assignments.is_empty() {
        if topic.replication_factor < 1 && topic.replication_factor != -1 {
            let reason =
                "the replication factor must be -1 or at least 1; any such value gives the same topic".to_owned();
            return Err((ErrorCode::INVALID_REPLICATION_FACTOR, reason));
        }
        topic.num_partitions
    } else {
        assigned_partitions(&topic.assignments, view)?
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

/// The number of partitions in a manual assignment.
fn assigned_partitions(assignments: &[CreatableReplicaAssignment], view: &BrokerView) -> Result<i32, Refused> {
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
    for placed in assignments {
        assignment::check(&placed.broker_ids, view)?;
    }
    i32::try_from(indexes.len()).map_err(|_| (ErrorCode::INVALID_PARTITIONS, "too many partitions".to_owned()))
}

fn refused(name: String, refusal: Refused) -> CreatableTopicResult {
    CreatableTopicResult { name, ..refusal.into() }
}

fn answered(access: &Access, result: proto::TopicResult, replication_factor: i16) -> CreatableTopicResult {
    let error_code = failure::code(result.error_code);
    if !error_code.is_none() {
        return refused(result.name, (error_code, result.error_message));
    }
    if !access.shows(Operation::DescribeConfigs, Resource::topic(&result.name)) {
        return CreatableTopicResult {
            name: result.name,
            topic_id: ids::rpc_to_wire(&result.topic_id),
            topic_config_error_code: ErrorCode::TOPIC_AUTHORIZATION_FAILED,
            ..Default::default()
        };
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
        replication_factor,
        configs: Some(configs),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::RpcError;
    use penstock_wire::messages::create_topics::CreatableTopicConfig;

    use super::*;
    use crate::testing::{NODE_ID, TestAgent, caller, done, refused, topic, wire_id};

    fn wanted(name: &str) -> CreatableTopic {
        CreatableTopic {
            name: name.to_owned(),
            num_partitions: 2,
            replication_factor: 3,
            ..Default::default()
        }
    }

    async fn create(agent: &TestAgent, topics: Vec<CreatableTopic>) -> Vec<CreatableTopicResult> {
        let request = CreateTopicsRequest {
            topics,
            timeout_ms: 5_000,
            ..Default::default()
        };
        handle(agent.context(), caller(7), request).await.topics
    }

    #[tokio::test]
    async fn a_created_topic_is_described_and_known_immediately() {
        let agent = TestAgent::new();
        let config = proto::Config {
            name: "retention.ms".into(),
            value: "5".into(),
        };
        let made = proto::Topic {
            configs: vec![config.clone()],
            ..topic(1, "made", 2)
        };
        agent.metadata.answer(
            "CreateTopics",
            &proto::CreateTopicsResponse {
                results: vec![done(made)],
            },
        );
        let configs = vec![CreatableTopicConfig {
            name: config.name.clone(),
            value: Some(config.value.clone()),
        }];
        let results = create(
            &agent,
            vec![CreatableTopic {
                configs,
                ..wanted("made")
            }],
        )
        .await;
        assert_eq!(
            (results[0].error_code, results[0].topic_id),
            (ErrorCode::NONE, wire_id(1))
        );
        assert_eq!((results[0].num_partitions, results[0].replication_factor), (2, 3));
        let described = results[0].configs.as_ref().unwrap();
        let retention = described.iter().find(|config| config.name == "retention.ms").unwrap();
        assert_eq!((retention.value.as_deref(), retention.config_source), (Some("5"), 1));
        assert!(agent.context.cache.catalogue().topic_by_name("made").is_some());
        let asked = agent.metadata.requests::<proto::CreateTopicsRequest>("CreateTopics");
        assert_eq!(
            (asked[0].topics[0].partitions, &asked[0].topics[0].configs),
            (2, &vec![config])
        );
    }

    #[tokio::test]
    async fn results_are_in_request_order() {
        let agent = TestAgent::new();
        let results = vec![done(topic(1, "a", 2)), refused("b", 36, "it exists")];
        agent
            .metadata
            .answer("CreateTopics", &proto::CreateTopicsResponse { results });
        let topics = vec![
            CreatableTopic {
                replication_factor: 0,
                ..wanted("x")
            },
            wanted("no/path"),
            wanted("a"),
            wanted("twice"),
            wanted("b"),
            wanted("twice"),
        ];
        let results = create(&agent, topics).await;
        let seen: Vec<(&str, ErrorCode)> = results
            .iter()
            .map(|result| (result.name.as_str(), result.error_code))
            .collect();
        assert_eq!(
            seen,
            [
                ("x", ErrorCode::INVALID_REPLICATION_FACTOR),
                ("no/path", ErrorCode::INVALID_TOPIC_EXCEPTION),
                ("a", ErrorCode::NONE),
                ("twice", ErrorCode::INVALID_REQUEST),
                ("b", ErrorCode::TOPIC_ALREADY_EXISTS),
                ("twice", ErrorCode::INVALID_REQUEST),
            ]
        );
        assert_eq!(results[4].error_message.as_deref(), Some("it exists"));
    }

    #[tokio::test]
    async fn an_assignment_determines_the_partition_count_or_is_refused() {
        let agent = TestAgent::new();
        let view = BrokerView::of(&agent.context, &caller(7));
        let assign = |indexes: &[i32], broker: i32| {
            let topic = CreatableTopic {
                num_partitions: -1,
                replication_factor: -1,
                assignments: indexes
                    .iter()
                    .map(|index| CreatableReplicaAssignment {
                        partition_index: *index,
                        broker_ids: vec![broker],
                    })
                    .collect(),
                ..wanted("assigned")
            };
            new_topic(topic, &view).map(|new| new.partitions)
        };
        assert_eq!(assign(&[2, 0, 1], NODE_ID), Ok(3));
        for (indexes, broker) in [(&[0, 2], NODE_ID), (&[0, 0], NODE_ID), (&[0, 1], NODE_ID + 1)] {
            let (error_code, _) = assign(indexes, broker).unwrap_err();
            assert_eq!(error_code, ErrorCode::INVALID_REPLICA_ASSIGNMENT, "{indexes:?}");
        }
    }

    #[tokio::test]
    async fn validation_creates_nothing() {
        let agent = TestAgent::new();
        agent.metadata.answer(
            "CreateTopics",
            &proto::CreateTopicsResponse {
                results: vec![done(topic(1, "v", 2))],
            },
        );
        let request = CreateTopicsRequest {
            topics: vec![wanted("v")],
            validate_only: true,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(7), request).await;
        assert_eq!(answer.topics[0].error_code, ErrorCode::NONE);
        assert!(agent.metadata.requests::<proto::CreateTopicsRequest>("CreateTopics")[0].validate_only);
        assert!(agent.context.cache.catalogue().topic_by_name("v").is_none());
    }

    #[tokio::test]
    async fn only_an_unreachable_owner_is_a_retriable_error() {
        for (error, expected) in [
            (RpcError::Unavailable("gone".into()), ErrorCode::REQUEST_TIMED_OUT),
            (RpcError::ClusterStopped("why".into()), ErrorCode::REQUEST_TIMED_OUT),
            (
                RpcError::Unauthenticated("revoked".into()),
                ErrorCode::CLUSTER_AUTHORIZATION_FAILED,
            ),
        ] {
            let agent = TestAgent::new();
            agent.metadata.fail("CreateTopics", error);
            assert_eq!(create(&agent, vec![wanted("a")]).await[0].error_code, expected);
        }
    }
}
