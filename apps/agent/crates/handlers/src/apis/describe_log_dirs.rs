//! DescribeLogDirs: the size of each partition in object storage, from the index. The client's coordinator reports all
//! partitions and other agents none, so that a tool that asks all of them counts nothing twice.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_log_dirs::{
    DescribableLogDirTopic, DescribeLogDirsPartition, DescribeLogDirsResult, DescribeLogDirsTopic,
};
use penstock_wire::messages::{DescribeLogDirsRequest, DescribeLogDirsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::brokers::BrokerView;
use crate::cluster::log_dir::LOG_DIR;
use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeLogDirsRequest,
) -> DescribeLogDirsResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Describe, Resource::CLUSTER) {
        return DescribeLogDirsResponse::from(error_code);
    }
    let answers = BrokerView::of(&context, &caller).is_coordinated_by(context.node.node_id);
    let topics = match request.topics {
        _ if !answers => Ok(Vec::new()),
        Some(wanted) if wanted.is_empty() => Ok(Vec::new()),
        wanted => stored(&context, wanted.as_deref()).await,
    };
    let mut result = DescribeLogDirsResult {
        log_dir: LOG_DIR.to_owned(),
        ..Default::default()
    };
    match topics {
        Ok(topics) => result.topics = topics,
        Err(error_code) => result.error_code = error_code,
    }
    DescribeLogDirsResponse {
        results: vec![result],
        ..Default::default()
    }
}

/// The requested partitions that exist. `None` requests all.
async fn stored(
    context: &Context,
    wanted: Option<&[DescribableLogDirTopic]>,
) -> Result<Vec<DescribeLogDirsTopic>, ErrorCode> {
    let names = wanted.unwrap_or_default().iter().map(|topic| topic.topic.clone());
    let rpc = proto::DescribeClusterRequest {
        topic_names: names.collect(),
        with_stored_bytes: true,
        ..Default::default()
    };
    let answer = context
        .metadata
        .describe_cluster(rpc, DEFAULT_TIMEOUT)
        .await
        .map_err(|error| failure::cluster_error(ApiKey::DescribeLogDirs, &error))?;
    let wanted: Option<HashMap<&str, HashSet<i32>>> = wanted.map(|topics| {
        let named = topics.iter();
        named
            .map(|topic| (topic.topic.as_str(), topic.partitions.iter().copied().collect()))
            .collect()
    });
    let mut topics: Vec<DescribeLogDirsTopic> = answer
        .topics
        .into_iter()
        .map(|topic| {
            let indexes = wanted.as_ref().map(|wanted| wanted.get(&*topic.name));
            let is_wanted = |index: i32| indexes.is_none_or(|asked| asked.is_some_and(|asked| asked.contains(&index)));
            let partitions = (0..)
                .zip(topic.stored_bytes)
                .filter(|(index, _)| is_wanted(*index))
                .map(|(index, stored_bytes)| partition(index, stored_bytes))
                .collect();
            DescribeLogDirsTopic {
                name: topic.name,
                partitions,
            }
        })
        .collect();
    topics.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(topics)
}

fn partition(partition_index: i32, stored_bytes: u64) -> DescribeLogDirsPartition {
    DescribeLogDirsPartition {
        partition_index,
        partition_size: i64::try_from(stored_bytes).unwrap_or(i64::MAX),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    async fn describe(agent: &TestAgent, topics: Option<Vec<DescribableLogDirTopic>>) -> DescribeLogDirsResult {
        let request = DescribeLogDirsRequest { topics };
        handle(agent.context(), caller(5), request).await.results.remove(0)
    }

    fn sizes(result: &DescribeLogDirsResult) -> Vec<(&str, i32, i64)> {
        let of = |topic| -> Vec<(&str, i32, i64)> {
            let topic: &DescribeLogDirsTopic = topic;
            let partitions = topic.partitions.iter();
            partitions
                .map(|partition| (topic.name.as_str(), partition.partition_index, partition.partition_size))
                .collect()
        };
        result.topics.iter().flat_map(of).collect()
    }

    #[tokio::test]
    async fn each_partition_has_its_size_in_the_index() {
        let agent = TestAgent::new();
        let answer = proto::DescribeClusterResponse {
            topics: vec![
                proto::Topic {
                    stored_bytes: vec![10, 20],
                    ..topic(1, "b", 2)
                },
                proto::Topic {
                    stored_bytes: vec![0],
                    ..topic(2, "a", 1)
                },
            ],
            ..Default::default()
        };
        agent.metadata.answer("DescribeCluster", &answer);
        let all = describe(&agent, None).await;
        assert_eq!(all.log_dir, LOG_DIR);
        assert_eq!(sizes(&all), [("a", 0, 0), ("b", 0, 10), ("b", 1, 20)]);

        agent.metadata.answer("DescribeCluster", &answer);
        let wanted = DescribableLogDirTopic {
            topic: "b".to_owned(),
            partitions: vec![1, 9],
        };
        assert_eq!(sizes(&describe(&agent, Some(vec![wanted])).await), [("b", 1, 20)]);
        assert!(sizes(&describe(&agent, Some(Vec::new())).await).is_empty());
        let asked = agent
            .metadata
            .requests::<proto::DescribeClusterRequest>("DescribeCluster");
        assert!(asked.iter().all(|asked| asked.with_stored_bytes));
        assert_eq!(asked[1].topic_names, ["b"]);
    }

    #[tokio::test]
    async fn only_the_coordinator_lists_partitions() {
        let agent = TestAgent::new();
        let [own, other] = agent.with_peer();
        for _ in 0..2 {
            let topics = vec![topic(1, "a", 1)];
            agent.metadata.answer(
                "DescribeCluster",
                &proto::DescribeClusterResponse {
                    topics,
                    ..Default::default()
                },
            );
        }
        for (client, expected) in [(own, 1), (other, 0)] {
            let answer = handle(agent.context(), client, DescribeLogDirsRequest::default()).await;
            assert_eq!(answer.results[0].topics.len(), expected);
        }
    }

    #[tokio::test]
    async fn an_unreachable_owner_is_an_error_of_the_directory() {
        let refused = describe(&TestAgent::new(), None).await;
        assert_eq!(refused.error_code, ErrorCode::REQUEST_TIMED_OUT);
    }
}
