//! Metadata: brokers, topics and their partitions, all led by the one agent chosen for the client.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::Topic;
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_wire::messages::metadata::{
    MetadataRequestTopic, MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic,
};
use penstock_wire::messages::{MetadataRequest, MetadataResponse};
use penstock_wire::{ApiKey, ErrorCode};
use uuid::Uuid;

use crate::cluster::brokers::{BrokerView, LEADER_EPOCH, replicas};
use crate::cluster::topic_name;
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: MetadataRequest) -> MetadataResponse {
    let view = BrokerView::of(&context, &caller);
    // Version 0 has no null; an empty list means all topics.
    let wanted = request.topics.filter(|topics| caller.version > 0 || !topics.is_empty());
    let leader_id = view.leader.node_id;
    let access = context.access(&caller);
    let answer = Answer {
        access: &access,
        leader_id,
        wants_operations: request.include_topic_authorized_operations,
    };
    let mut error_code = ErrorCode::NONE;
    let topics = match wanted {
        None => match context.all_topics().await {
            Ok(topics) => topics
                .iter()
                .filter(|topic| access.shows(Operation::Describe, Resource::topic(&topic.name)))
                .map(|topic| answer.found(topic))
                .collect(),
            Err(error) => {
                error_code = failure::lookup_error(ApiKey::Metadata, &error);
                Vec::new()
            }
        },
        Some(wanted) => {
            let create = request.allow_auto_topic_creation && context.cache.catalogue().settings.auto_create_topics;
            // Existence is not disclosed to a client that may not describe the topic.
            let (wanted, denied): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|topic| {
                name_of(topic).is_none_or(|name| access.allows(Operation::Describe, Resource::topic(name)))
            });
            let looked_up = LookUp::of((&context, &caller), &access, &wanted, create).await;
            let denied = denied.into_iter().map(|topic| {
                let nameless = MetadataRequestTopic {
                    name: topic.name,
                    ..Default::default()
                };
                failed(nameless, ErrorCode::TOPIC_AUTHORIZATION_FAILED)
            });
            wanted
                .into_iter()
                .map(|topic| looked_up.answer(&context, topic, &answer))
                .chain(denied)
                .collect()
        }
    };
    MetadataResponse {
        brokers: view
            .brokers
            .into_iter()
            .map(|broker| MetadataResponseBroker {
                node_id: broker.node_id,
                host: broker.host,
                port: broker.port,
                rack: broker.rack,
            })
            .collect(),
        cluster_id: Some(context.node.cluster_id.clone()),
        controller_id: leader_id,
        topics,
        cluster_authorized_operations: access.cluster_operations(request.include_cluster_authorized_operations),
        error_code,
        ..Default::default()
    }
}

/// The owner's answer for topics missing from the cache.
#[derive(Default)]
struct LookUp {
    /// The error if the owner was unreachable.
    failed: Option<ErrorCode>,
    /// Topics that could not be created, with the owner's reason.
    refused: HashMap<String, ErrorCode>,
}

impl LookUp {
    async fn of(
        (context, caller): (&Context, &Caller),
        access: &Access,
        wanted: &[MetadataRequestTopic],
        create: bool,
    ) -> Self {
        let names: Vec<&str> = wanted
            .iter()
            .filter_map(name_of)
            .filter(|name| topic_name::is_valid(name))
            .collect();
        let topic_ids: Vec<Uuid> = wanted
            .iter()
            .filter(|topic| name_of(topic).is_none())
            .map(id_of)
            .collect();
        match Self::ask((context, caller), access, &names, &topic_ids, create).await {
            Ok(refused) => Self { failed: None, refused },
            Err(error) => {
                let failed = failure::lookup_error(ApiKey::Metadata, &error);
                Self {
                    failed: Some(failed),
                    refused: HashMap::new(),
                }
            }
        }
    }

    async fn ask(
        (context, caller): (&Context, &Caller),
        access: &Access,
        names: &[&str],
        topic_ids: &[Uuid],
        create: bool,
    ) -> Result<HashMap<String, ErrorCode>, RpcError> {
        context.topics_by_id(topic_ids).await?;
        let known = context.topics_by_name(names).await?;
        let missing: Vec<&str> = names
            .iter()
            .zip(&known)
            .filter(|(_, topic)| topic.is_none())
            .map(|(name, _)| *name)
            .filter(|name| !topic_name::is_internal(name))
            .collect();
        if !create || missing.is_empty() {
            return Ok(HashMap::new());
        }
        let (creatable, denied): (Vec<&str>, Vec<&str>) = if access.grants(Operation::Create, Resource::CLUSTER) {
            (missing, Vec::new())
        } else {
            missing
                .into_iter()
                .partition(|name| access.allows(Operation::Create, Resource::topic(name)))
        };
        let mut refused = if creatable.is_empty() {
            HashMap::new()
        } else {
            create_topics(context, caller, &creatable).await?
        };
        let denied = denied
            .into_iter()
            .map(|name| (name.to_owned(), ErrorCode::TOPIC_AUTHORIZATION_FAILED));
        refused.extend(denied);
        Ok(refused)
    }

    fn answer(&self, context: &Context, topic: MetadataRequestTopic, answer: &Answer<'_>) -> MetadataResponseTopic {
        let catalogue = context.cache.catalogue();
        let known = match name_of(&topic) {
            Some(name) => catalogue.topic_by_name(name),
            None => catalogue.topic_by_id(id_of(&topic)),
        };
        if let Some(known) = known {
            let is_by_id = name_of(&topic).is_none();
            if is_by_id && !answer.access.allows(Operation::Describe, Resource::topic(&known.name)) {
                return failed(topic, ErrorCode::TOPIC_AUTHORIZATION_FAILED);
            }
            return answer.found(known);
        }
        let error_code = match name_of(&topic) {
            Some(name) if !topic_name::is_valid(name) => ErrorCode::INVALID_TOPIC_EXCEPTION,
            _ if self.failed.is_some() => self.failed.unwrap_or_default(),
            Some(name) => self
                .refused
                .get(name)
                .copied()
                .unwrap_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
            None => ErrorCode::UNKNOWN_TOPIC_ID,
        };
        let operations = name_of(&topic)
            .filter(|_| error_code != ErrorCode::TOPIC_AUTHORIZATION_FAILED)
            .map(|name| answer.operations(name));
        let mut failed = failed(topic, error_code);
        if let Some(operations) = operations {
            failed.topic_authorized_operations = operations;
        }
        failed
    }
}

/// Creates topics with the cluster's defaults. Returns those that the owner refused to create.
async fn create_topics(
    context: &Context,
    caller: &Caller,
    names: &[&str],
) -> Result<HashMap<String, ErrorCode>, RpcError> {
    let topics = names
        .iter()
        .map(|name| proto::NewTopic {
            name: (*name).to_owned(),
            partitions: -1,
            configs: Vec::new(),
        })
        .collect();
    let request = proto::CreateTopicsRequest {
        topics,
        validate_only: false,
        client: context.named(caller),
    };
    let answer = context.metadata.create_topics(request, DEFAULT_TIMEOUT).await?;
    let mut refused = HashMap::new();
    let mut raced = Vec::new();
    for result in answer.results {
        match (failure::code(result.error_code), result.topic) {
            (ErrorCode::NONE, topic) => context.cache.upsert_topics(topic.as_slice()),
            (ErrorCode::TOPIC_ALREADY_EXISTS, _) => raced.push(result.name),
            (error_code, _) => {
                tracing::info!(topic = result.name, %error_code, reason = result.error_message, "cannot create a topic on demand");
                refused.insert(result.name, error_code);
            }
        }
    }
    let raced: Vec<&str> = raced.iter().map(String::as_str).collect();
    context.topics_by_name(&raced).await?;
    Ok(refused)
}

/// The requested topic name, unless the topic is requested by id (since version 10). Java's consumer sends an empty
/// name with the id.
fn name_of(topic: &MetadataRequestTopic) -> Option<&str> {
    topic.name.as_deref().filter(|_| id_of(topic).is_nil())
}

fn id_of(topic: &MetadataRequestTopic) -> Uuid {
    ids::from_wire(topic.topic_id)
}

/// The parts of the response that all topics share.
struct Answer<'a> {
    access: &'a Access,
    leader_id: i32,
    wants_operations: bool,
}

impl Answer<'_> {
    fn operations(&self, topic: &str) -> i32 {
        self.access.operations(self.wants_operations, Resource::topic(topic))
    }

    fn found(&self, topic: &Topic) -> MetadataResponseTopic {
        let partition = |index: u32| MetadataResponsePartition {
            partition_index: index.cast_signed(),
            leader_id: self.leader_id,
            leader_epoch: LEADER_EPOCH,
            replica_nodes: replicas(self.leader_id),
            isr_nodes: replicas(self.leader_id),
            ..Default::default()
        };
        MetadataResponseTopic {
            name: Some(topic.name.to_string()),
            topic_id: ids::to_wire(topic.id),
            partitions: (0..topic.partitions).map(partition).collect(),
            topic_authorized_operations: self.operations(&topic.name),
            ..Default::default()
        }
    }
}

fn failed(topic: MetadataRequestTopic, error_code: ErrorCode) -> MetadataResponseTopic {
    MetadataResponseTopic {
        // Before version 12 a name cannot be null. The client knows the topic by the id that it sent.
        name: topic.name.or_else(|| Some(String::new())),
        topic_id: topic.topic_id,
        ..error_code.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{HOST, NODE_ID, TestAgent, caller, done, refused, rpc_id, topic, wire_id};

    fn named(names: &[&str]) -> MetadataRequest {
        let topics = names
            .iter()
            .map(|name| MetadataRequestTopic {
                name: Some((*name).to_owned()),
                ..Default::default()
            })
            .collect();
        MetadataRequest {
            topics: Some(topics),
            ..Default::default()
        }
    }

    fn errors(answer: &MetadataResponse) -> Vec<ErrorCode> {
        answer.topics.iter().map(|topic| topic.error_code).collect()
    }

    #[tokio::test]
    async fn one_agent_that_the_client_can_reach_leads_all_partitions() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 3)]);
        let answer = handle(agent.context(), caller(12), named(&["orders"])).await;
        assert_eq!(answer.brokers.len(), 1);
        assert_eq!((answer.brokers[0].host.as_str(), answer.brokers[0].port), (HOST, 9092));
        assert_eq!(answer.brokers[0].rack.as_deref(), Some("a"));
        let orders = &answer.topics[0];
        assert_eq!((orders.topic_id, orders.partitions.len()), (wire_id(1), 3));
        for (index, partition) in (0..).zip(&orders.partitions) {
            assert_eq!(
                (partition.partition_index, partition.leader_id, partition.leader_epoch),
                (index, NODE_ID, 0)
            );
            assert_eq!(
                (&partition.replica_nodes, &partition.isr_nodes),
                (&vec![NODE_ID], &vec![NODE_ID])
            );
        }
    }

    #[tokio::test]
    async fn asks_the_owner_before_refusing_an_unknown_topic() {
        let agent = TestAgent::new();
        let known = proto::DescribeClusterResponse {
            topics: vec![topic(2, "fresh", 1)],
            ..Default::default()
        };
        agent.metadata.answer("DescribeCluster", &known);
        let answer = handle(agent.context(), caller(9), named(&["fresh", "absent"])).await;
        assert_eq!(
            errors(&answer),
            [ErrorCode::NONE, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION]
        );
        let asked = agent
            .metadata
            .requests::<proto::DescribeClusterRequest>("DescribeCluster");
        assert_eq!(asked[0].topic_names, ["fresh", "absent"]);
    }

    #[tokio::test]
    async fn creates_a_topic_if_both_cluster_and_client_want_it() {
        for (cluster, client) in [(true, true), (true, false), (false, true)] {
            let agent = TestAgent::new();
            agent.settings(cluster);
            agent
                .metadata
                .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
            let created = proto::CreateTopicsResponse {
                results: vec![done(topic(3, "new", 3))],
            };
            agent.metadata.answer("CreateTopics", &created);
            let request = MetadataRequest {
                allow_auto_topic_creation: client,
                ..named(&["new"])
            };
            let answer = handle(agent.context(), caller(9), request).await;
            let asked = agent.metadata.requests::<proto::CreateTopicsRequest>("CreateTopics");
            if cluster && client {
                assert_eq!(answer.topics[0].partitions.len(), 3);
                assert_eq!(
                    (asked[0].topics[0].name.as_str(), asked[0].topics[0].partitions),
                    ("new", -1)
                );
            } else {
                assert_eq!(errors(&answer), [ErrorCode::UNKNOWN_TOPIC_OR_PARTITION]);
                assert!(asked.is_empty());
            }
        }
    }

    #[tokio::test]
    async fn finds_a_topic_that_is_created_concurrently() {
        let agent = TestAgent::new();
        agent.settings(true);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let exists = proto::CreateTopicsResponse {
            results: vec![refused("raced", 36, "it exists")],
        };
        agent.metadata.answer("CreateTopics", &exists);
        let found = proto::DescribeClusterResponse {
            topics: vec![topic(4, "raced", 2)],
            ..Default::default()
        };
        agent.metadata.answer("DescribeCluster", &found);
        let answer = handle(agent.context(), caller(9), named(&["raced"])).await;
        assert_eq!(answer.topics[0].partitions.len(), 2);
    }

    #[tokio::test]
    async fn refuses_an_invalid_name_without_asking_the_owner() {
        let agent = TestAgent::new();
        agent.settings(true);
        let answer = handle(agent.context(), caller(9), named(&["no spaces", ""])).await;
        assert_eq!(errors(&answer), [ErrorCode::INVALID_TOPIC_EXCEPTION; 2]);
        assert!(
            agent
                .metadata
                .requests::<proto::DescribeClusterRequest>("DescribeCluster")
                .is_empty()
        );
    }

    #[tokio::test]
    async fn finds_topics_by_id() {
        let agent = TestAgent::with_topics(&[topic(5, "byid", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        // Java's consumer sends an empty name with an id.
        let ids = [(5, None), (6, None), (5, Some(String::new()))].map(|(id, name)| MetadataRequestTopic {
            topic_id: wire_id(id),
            name,
        });
        let request = MetadataRequest {
            topics: Some(ids.to_vec()),
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(12), request).await;
        let none = ErrorCode::NONE;
        assert_eq!(errors(&answer), [none, ErrorCode::UNKNOWN_TOPIC_ID, none]);
        assert_eq!(answer.topics[0].name.as_deref(), Some("byid"));
        assert_eq!(answer.topics[2].name.as_deref(), Some("byid"));
        let asked = agent
            .metadata
            .requests::<proto::DescribeClusterRequest>("DescribeCluster");
        assert_eq!(asked[0].topic_ids, [rpc_id(6)]);
    }

    #[tokio::test]
    async fn without_the_owner_serves_known_topics_and_retries_the_rest() {
        let agent = TestAgent::with_topics(&[topic(1, "known", 1)]);
        let answer = handle(agent.context(), caller(9), named(&["known", "other"])).await;
        assert_eq!(errors(&answer), [ErrorCode::NONE, ErrorCode::LEADER_NOT_AVAILABLE]);
        assert!(ErrorCode::LEADER_NOT_AVAILABLE.is_retriable());
    }

    #[tokio::test]
    async fn no_topics_means_all_in_version_0_and_none_since() {
        let topics = [topic(1, "b", 1), topic(2, "a", 1)];
        let all = proto::DescribeClusterResponse {
            topics: topics.to_vec(),
            ..Default::default()
        };
        for (version, request, expected) in [
            (0, Some(Vec::new()), vec!["a", "b"]),
            (1, Some(Vec::new()), vec![]),
            (1, None, vec!["a", "b"]),
        ] {
            let agent = TestAgent::new();
            agent.metadata.answer("DescribeCluster", &all);
            let request = MetadataRequest {
                topics: request,
                ..Default::default()
            };
            let answer = handle(agent.context(), caller(version), request).await;
            let names: Vec<&str> = answer.topics.iter().filter_map(|topic| topic.name.as_deref()).collect();
            assert_eq!(names, expected, "version {version}");
        }
    }
}
