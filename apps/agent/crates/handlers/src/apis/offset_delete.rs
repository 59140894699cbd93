//! OffsetDelete: deletes a group's committed offsets.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::{OffsetDeleteRequest, OffsetDeleteResponse};
use penstock_wire::{AnswerAll, ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: OffsetDeleteRequest,
) -> OffsetDeleteResponse {
    let access = context.access(&caller);
    if let Err(error_code) = access.check(Operation::Delete, Resource::group(&request.group_id)) {
        return error_code.into();
    }
    let mut partitions = Vec::new();
    let mut places = Vec::new();
    let mut response = request.answer_all(ErrorCode::NONE);
    for (topic_at, topic) in request.topics.into_iter().enumerate() {
        let is_allowed = access.allows(Operation::Read, Resource::topic(&topic.name));
        for (partition_at, partition) in topic.partitions.into_iter().enumerate() {
            let error_code = &mut response.topics[topic_at].partitions[partition_at].error_code;
            match u32::try_from(partition.partition_index) {
                _ if !is_allowed => *error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                Ok(index) => {
                    places.push((topic_at, partition_at));
                    partitions.push(proto::NamedPartition {
                        topic: topic.name.clone(),
                        partition: index,
                    });
                }
                Err(_) => *error_code = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            }
        }
    }
    let rpc = proto::DeleteOffsetsRequest {
        group_id: request.group_id,
        partitions,
        client: context.proven(&caller),
    };
    match context.metadata.delete_offsets(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => failure::code(answer.error_code).into(),
        Ok(answer) => {
            for ((topic_at, partition_at), error_code) in places.into_iter().zip(answer.partition_error_codes) {
                response.topics[topic_at].partitions[partition_at].error_code = failure::code(error_code);
            }
            response
        }
        Err(error) => failure::coordinator_error(ApiKey::OffsetDelete, &error).into(),
    }
}
