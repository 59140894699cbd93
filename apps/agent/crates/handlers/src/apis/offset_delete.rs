//! OffsetDelete: forgets a group's committed offsets.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::offset_delete::{OffsetDeleteResponsePartition, OffsetDeleteResponseTopic};
use penstock_wire::messages::{OffsetDeleteRequest, OffsetDeleteResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: OffsetDeleteRequest,
) -> OffsetDeleteResponse {
    let access = context.access(&caller);
    if let Err(error_code) = access.check(Operation::Delete, Resource::group(&request.group_id)) {
        return OffsetDeleteResponse::from(error_code);
    }
    let mut partitions = Vec::new();
    let mut places = Vec::new();
    let mut topics: Vec<OffsetDeleteResponseTopic> = Vec::with_capacity(request.topics.len());
    for (topic_at, topic) in request.topics.into_iter().enumerate() {
        let is_allowed = access.allows(Operation::Read, Resource::topic(&topic.name));
        let mut answered = OffsetDeleteResponseTopic {
            name: topic.name,
            ..Default::default()
        };
        for (partition_at, partition) in topic.partitions.into_iter().enumerate() {
            let mut error_code = ErrorCode::NONE;
            match u32::try_from(partition.partition_index) {
                _ if !is_allowed => error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                Ok(index) => {
                    places.push((topic_at, partition_at));
                    partitions.push(proto::NamedPartition {
                        topic: answered.name.clone(),
                        partition: index,
                    });
                }
                Err(_) => error_code = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            }
            let partition_index = partition.partition_index;
            answered.partitions.push(OffsetDeleteResponsePartition {
                partition_index,
                error_code,
            });
        }
        topics.push(answered);
    }
    let rpc = proto::DeleteOffsetsRequest {
        group_id: request.group_id,
        partitions,
        client: context.proven(&caller),
    };
    match context.metadata.delete_offsets(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => OffsetDeleteResponse::from(failure::code(answer.error_code)),
        Ok(answer) => {
            for ((topic_at, partition_at), error_code) in places.into_iter().zip(answer.partition_error_codes) {
                topics[topic_at].partitions[partition_at].error_code = failure::code(error_code);
            }
            OffsetDeleteResponse {
                topics,
                ..Default::default()
            }
        }
        Err(error) => {
            let error_code = failure::coordinator_error(ApiKey::OffsetDelete, &error);
            OffsetDeleteResponse::from(error_code)
        }
    }
}
