//! AlterReplicaLogDirs: refused, since agents keep no records on disks.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::ErrorCode;
use penstock_wire::messages::alter_replica_log_dirs::{
    AlterReplicaLogDirPartitionResult, AlterReplicaLogDirTopic, AlterReplicaLogDirTopicResult,
};
use penstock_wire::messages::{AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse};

use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterReplicaLogDirsRequest,
) -> AlterReplicaLogDirsResponse {
    let access = context.access(&caller);
    let error_code = access
        .check(Operation::Alter, Resource::CLUSTER)
        .map_or_else(|denied| denied, |()| ErrorCode::LOG_DIR_NOT_FOUND);
    let refused = |topic: AlterReplicaLogDirTopic| AlterReplicaLogDirTopicResult {
        topic_name: topic.name,
        partitions: topic
            .partitions
            .into_iter()
            .map(|partition_index| AlterReplicaLogDirPartitionResult {
                partition_index,
                error_code,
            })
            .collect(),
    };
    AlterReplicaLogDirsResponse {
        results: request
            .dirs
            .into_iter()
            .flat_map(|dir| dir.topics)
            .map(refused)
            .collect(),
        ..Default::default()
    }
}
