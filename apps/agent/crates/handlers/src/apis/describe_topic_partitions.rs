//! DescribeTopicPartitions: the partitions of topics, in pages.

use std::collections::BTreeSet;
use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::Topic;
use penstock_wire::messages::describe_topic_partitions::{
    Cursor, DescribeTopicPartitionsResponsePartition, DescribeTopicPartitionsResponseTopic,
};
use penstock_wire::messages::{DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse};
use penstock_wire::{ApiKey, ErrorCode, Nullable};

use crate::cluster::brokers::{BrokerView, LEADER_EPOCH, replicas};
use crate::cluster::topic_name;
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// Same as Kafka's limit max.request.partition.size.limit.
const MAX_PARTITIONS: i32 = 2_000;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeTopicPartitionsRequest,
) -> DescribeTopicPartitionsResponse {
    let access = context.access(&caller);
    let leader_id = BrokerView::of(&context, &caller).leader.node_id;
    let describes = |name: &str| access.allows(Operation::Describe, Resource::topic(name));
    let cursor = request.cursor.0.unwrap_or_default();
    let names_all = request.topics.is_empty();
    let named: BTreeSet<String> = request.topics.into_iter().map(|topic| topic.name).collect();
    let is_bad_cursor = cursor.partition_index < 0
        || !(names_all || cursor.topic_name.is_empty() || named.contains(&cursor.topic_name));
    if is_bad_cursor {
        return DescribeTopicPartitionsResponse {
            topics: named
                .into_iter()
                .map(|name| failed(name, ErrorCode::INVALID_REQUEST))
                .collect(),
            ..Default::default()
        };
    }
    let (wanted, denied) = if names_all {
        let shows = |topic: &Arc<Topic>| access.shows(Operation::Describe, Resource::topic(&topic.name));
        // Without the owner, an agent describes what it knows, like a broker that has lost its controller.
        let topics = context.all_topics().await.unwrap_or_else(|error| {
            failure::lookup_error(ApiKey::DescribeTopicPartitions, &error);
            context.cache.catalogue().topics().cloned().collect()
        });
        let shown = topics.into_iter().filter(shows);
        let mut wanted: Vec<_> = shown.map(|topic| (topic.name.to_string(), Ok(topic))).collect();
        wanted.sort_by(|(a, _), (b, _)| a.cmp(b));
        (wanted, Vec::new())
    } else {
        let from_cursor = named.into_iter().filter(|name| *name >= cursor.topic_name);
        let (allowed, denied): (Vec<String>, Vec<String>) = from_cursor.partition(|name| describes(name));
        (look_up(&context, allowed).await, denied)
    };
    let limit = request.response_partition_limit.clamp(1, MAX_PARTITIONS);
    let mut page = Page {
        access: &access,
        leader_id,
        left: limit.cast_unsigned(),
        topics: Vec::new(),
        next: None,
    };
    for (name, topic) in wanted {
        if name >= cursor.topic_name && !page.add(name, topic, &cursor) {
            break;
        }
    }
    let denied = denied
        .into_iter()
        .map(|name| failed(name, ErrorCode::TOPIC_AUTHORIZATION_FAILED));
    DescribeTopicPartitionsResponse {
        topics: page.topics.into_iter().chain(denied).collect(),
        next_cursor: Nullable(page.next),
        ..Default::default()
    }
}

type Found = Result<Arc<Topic>, ErrorCode>;

/// Looks up the topics, ordered by name.
async fn look_up(context: &Context, names: Vec<String>) -> Vec<(String, Found)> {
    let valid: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| topic_name::is_valid(name))
        .collect();
    let failed = context.topics_by_name(&valid).await.err();
    let missing = failed.map_or(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION, |error| {
        failure::lookup_error(ApiKey::DescribeTopicPartitions, &error)
    });
    let catalogue = context.cache.catalogue();
    let find = |name: String| {
        let found = match catalogue.topic_by_name(&name) {
            Some(topic) => Ok(Arc::clone(topic)),
            None if !topic_name::is_valid(&name) => Err(ErrorCode::INVALID_TOPIC_EXCEPTION),
            None => Err(missing),
        };
        (name, found)
    };
    names.into_iter().map(find).collect()
}

fn failed(name: String, error_code: ErrorCode) -> DescribeTopicPartitionsResponseTopic {
    DescribeTopicPartitionsResponseTopic {
        name: Some(name),
        ..error_code.into()
    }
}

/// The contents of a response.
struct Page<'a> {
    access: &'a Access,
    leader_id: i32,
    /// Number of partitions that still fit.
    left: u32,
    topics: Vec<DescribeTopicPartitionsResponseTopic>,
    next: Option<Cursor>,
}

impl Page<'_> {
    /// Adds a topic. Returns true if there is room for more.
    fn add(&mut self, name: String, topic: Found, cursor: &Cursor) -> bool {
        if self.left == 0 {
            self.next = Some(Cursor {
                topic_name: name,
                partition_index: 0,
            });
            return false;
        }
        let topic = match topic {
            Ok(topic) => topic,
            Err(error_code) => {
                self.topics.push(failed(name, error_code));
                return true;
            }
        };
        let first = if name == cursor.topic_name {
            cursor.partition_index.cast_unsigned()
        } else {
            0
        };
        let end = topic.partitions.min(first.saturating_add(self.left));
        self.left -= end.saturating_sub(first);
        let described = DescribeTopicPartitionsResponseTopic {
            name: Some(name.clone()),
            topic_id: ids::to_wire(topic.id),
            partitions: (first..end).map(|index| self.partition(index)).collect(),
            topic_authorized_operations: self.access.operations(true, Resource::topic(&name)),
            ..Default::default()
        };
        self.topics.push(described);
        if end < topic.partitions {
            self.next = Some(Cursor {
                topic_name: name,
                partition_index: end.cast_signed(),
            });
        }
        self.next.is_none()
    }

    fn partition(&self, index: u32) -> DescribeTopicPartitionsResponsePartition {
        DescribeTopicPartitionsResponsePartition {
            partition_index: index.cast_signed(),
            leader_id: self.leader_id,
            leader_epoch: LEADER_EPOCH,
            replica_nodes: replicas(self.leader_id),
            isr_nodes: replicas(self.leader_id),
            eligible_leader_replicas: Some(Vec::new()),
            last_known_elr: Some(Vec::new()),
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;
    use penstock_wire::messages::describe_topic_partitions::TopicRequest;

    use super::*;
    use crate::testing::{NODE_ID, TestAgent, caller, topic};

    type Seen = Vec<(String, ErrorCode, Vec<i32>)>;

    async fn page(
        agent: &TestAgent,
        names: &[&str],
        limit: i32,
        cursor: Option<(&str, i32)>,
    ) -> (Seen, Option<Cursor>) {
        let topics = names.iter().map(|name| TopicRequest {
            name: (*name).to_owned(),
        });
        let cursor = cursor.map(|(name, partition_index)| Cursor {
            topic_name: name.to_owned(),
            partition_index,
        });
        let request = DescribeTopicPartitionsRequest {
            topics: topics.collect(),
            response_partition_limit: limit,
            cursor: Nullable(cursor),
        };
        let answer = handle(agent.context(), caller(0), request).await;
        let seen = answer.topics.into_iter().map(|topic| {
            let partitions = topic.partitions.iter().map(|partition| partition.partition_index);
            (topic.name.unwrap_or_default(), topic.error_code, partitions.collect())
        });
        (seen.collect(), answer.next_cursor.0)
    }

    fn at(topic_name: &str, partition_index: i32) -> Option<Cursor> {
        Some(Cursor {
            topic_name: topic_name.to_owned(),
            partition_index,
        })
    }

    fn ok(name: &str, partitions: &[i32]) -> (String, ErrorCode, Vec<i32>) {
        (name.to_owned(), ErrorCode::NONE, partitions.to_vec())
    }

    #[tokio::test]
    async fn pages_follow_each_other_without_a_gap() {
        let agent = TestAgent::with_topics(&[topic(2, "b", 3), topic(1, "a", 2)]);
        let names = ["b", "a"];
        assert_eq!(
            page(&agent, &names, 2_000, None).await,
            (vec![ok("a", &[0, 1]), ok("b", &[0, 1, 2])], None)
        );
        assert_eq!(
            page(&agent, &names, 3, None).await,
            (vec![ok("a", &[0, 1]), ok("b", &[0])], at("b", 1))
        );
        assert_eq!(
            page(&agent, &names, 3, Some(("b", 1))).await,
            (vec![ok("b", &[1, 2])], None)
        );
        assert_eq!(
            page(&agent, &names, 2, None).await,
            (vec![ok("a", &[0, 1])], at("b", 0))
        );
        // Without a valid limit, a page has one partition.
        assert_eq!(page(&agent, &names, 0, None).await, (vec![ok("a", &[0])], at("a", 1)));
    }

    #[tokio::test]
    async fn describes_all_topics_by_default_even_without_the_owner() {
        let agent = TestAgent::with_topics(&[topic(2, "b", 1), topic(1, "a", 1)]);
        assert_eq!(page(&agent, &[], 2_000, None).await.0, [ok("a", &[0]), ok("b", &[0])]);
    }

    #[tokio::test]
    async fn refuses_unknown_topics_and_invalid_cursors() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let (seen, next) = page(&agent, &["a", "absent", "no/path"], 2_000, None).await;
        let codes: Vec<ErrorCode> = seen.iter().map(|(_, error_code, _)| *error_code).collect();
        assert_eq!(
            codes,
            [
                ErrorCode::NONE,
                ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                ErrorCode::INVALID_TOPIC_EXCEPTION
            ]
        );
        assert_eq!(next, None);
        for cursor in [("other", 0), ("a", -1)] {
            let (seen, _) = page(&agent, &["a"], 2_000, Some(cursor)).await;
            assert_eq!(seen[0].1, ErrorCode::INVALID_REQUEST, "{cursor:?}");
        }
    }

    #[tokio::test]
    async fn the_clients_agent_is_every_partitions_leader_and_replica() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let request = DescribeTopicPartitionsRequest {
            topics: vec![TopicRequest { name: "a".to_owned() }],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(0), request).await;
        let partition = &answer.topics[0].partitions[0];
        assert_eq!((partition.leader_id, partition.leader_epoch), (NODE_ID, 0));
        assert_eq!(
            (&partition.replica_nodes, &partition.isr_nodes),
            (&vec![NODE_ID], &vec![NODE_ID])
        );
        assert_eq!(partition.eligible_leader_replicas, Some(Vec::new()));
    }
}
