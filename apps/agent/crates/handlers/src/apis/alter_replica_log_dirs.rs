//! AlterReplicaLogDirs: every partition is in the one log directory that tools see, so that moving it there succeeds and
//! there is no other.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::alter_replica_log_dirs::{
    AlterReplicaLogDirPartitionResult, AlterReplicaLogDirTopic, AlterReplicaLogDirTopicResult,
};
use penstock_wire::messages::{AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::log_dir::LOG_DIR;
use crate::cluster::partitions_of::PartitionsOf;
use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterReplicaLogDirsRequest,
) -> AlterReplicaLogDirsResponse {
    let refusal = context.access(&caller).check(Operation::Alter, Resource::CLUSTER).err();
    let topics = request.dirs.iter().flat_map(|dir| &dir.topics);
    let names: Vec<&str> = topics.map(|topic| topic.name.as_str()).collect();
    let known = match refusal {
        Some(_) => PartitionsOf::default(),
        None => PartitionsOf::topics(&context, ApiKey::AlterReplicaLogDirs, &names).await,
    };
    let answer = |is_ours: bool, topic: &AlterReplicaLogDirTopic| AlterReplicaLogDirTopicResult {
        topic_name: topic.name.clone(),
        partitions: topic
            .partitions
            .iter()
            .map(|partition_index| AlterReplicaLogDirPartitionResult {
                partition_index: *partition_index,
                error_code: match refusal {
                    Some(denied) => denied,
                    None if !is_ours => ErrorCode::LOG_DIR_NOT_FOUND,
                    None => known.find(&topic.name, *partition_index).err().unwrap_or_default(),
                },
            })
            .collect(),
    };
    AlterReplicaLogDirsResponse {
        results: request
            .dirs
            .iter()
            .flat_map(|dir| dir.topics.iter().map(|topic| answer(dir.path == LOG_DIR, topic)))
            .collect(),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;
    use penstock_wire::messages::alter_replica_log_dirs::AlterReplicaLogDir;

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    #[tokio::test]
    async fn partitions_move_to_the_folder_where_they_are() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let dir = |path: &str, topics: &[&str]| AlterReplicaLogDir {
            path: path.to_owned(),
            topics: topics
                .iter()
                .map(|name| AlterReplicaLogDirTopic {
                    name: (*name).to_owned(),
                    partitions: vec![0, 1],
                })
                .collect(),
        };
        let request = AlterReplicaLogDirsRequest {
            dirs: vec![dir(LOG_DIR, &["a", "absent"]), dir("/elsewhere", &["a"])],
        };
        let answer = handle(agent.context(), caller(2), request).await;
        let codes: Vec<Vec<ErrorCode>> = answer
            .results
            .iter()
            .map(|topic| topic.partitions.iter().map(|partition| partition.error_code).collect())
            .collect();
        let unknown = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION;
        assert_eq!(
            codes,
            [
                vec![ErrorCode::NONE, unknown],
                vec![unknown; 2],
                vec![ErrorCode::LOG_DIR_NOT_FOUND; 2]
            ]
        );
    }
}
