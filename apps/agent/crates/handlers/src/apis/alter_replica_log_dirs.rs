//! AlterReplicaLogDirs: tools see one log directory, which contains every partition, so a move there succeeds and no
//! other directory exists.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::{AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::cluster::log_dir::LOG_DIR;
use crate::cluster::partitions_of::PartitionsOf;
use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterReplicaLogDirsRequest,
) -> AlterReplicaLogDirsResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Alter, Resource::CLUSTER) {
        return request.answer_all(error_code);
    }
    let topics = request.dirs.iter().flat_map(|dir| &dir.topics);
    let names: Vec<&str> = topics.map(|topic| topic.name.as_str()).collect();
    let known = PartitionsOf::topics(&context, ApiKey::AlterReplicaLogDirs, &names).await;
    let mut response = request.answer_all(ErrorCode::NONE);
    let are_ours = request
        .dirs
        .iter()
        .flat_map(|dir| dir.topics.iter().map(move |_| dir.path == LOG_DIR));
    for (topic, is_ours) in response.results.iter_mut().zip(are_ours) {
        for partition in &mut topic.partitions {
            partition.error_code = match known.find(&topic.topic_name, partition.partition_index) {
                _ if !is_ours => ErrorCode::LOG_DIR_NOT_FOUND,
                Ok(()) => ErrorCode::NONE,
                Err(error_code) => error_code,
            };
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;
    use penstock_wire::messages::alter_replica_log_dirs::{AlterReplicaLogDir, AlterReplicaLogDirTopic};

    use super::*;
    use crate::testing::{TestAgent, caller, topic};

    #[tokio::test]
    async fn partitions_can_move_only_to_their_current_directory() {
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
