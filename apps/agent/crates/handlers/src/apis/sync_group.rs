//! SyncGroup: responds when the group's leader has sent the assignments.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::proto;
use penstock_wire::ApiKey;
use penstock_wire::messages::{SyncGroupRequest, SyncGroupResponse};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::timeouts;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: SyncGroupRequest) -> SyncGroupResponse {
    let group = Resource::group(&request.group_id);
    if let Err(error_code) = context.access(&caller).check(Operation::Read, group) {
        return error_code.into();
    }
    let rpc = proto::SyncGroupRequest {
        group_id: request.group_id,
        generation_id: request.generation_id,
        member_id: request.member_id,
        group_instance_id: request.group_instance_id,
        protocol_type: request.protocol_type.unwrap_or_default(),
        protocol_name: request.protocol_name.unwrap_or_default(),
        assignments: request
            .assignments
            .into_iter()
            .map(|member| proto::MemberAssignment {
                member_id: member.member_id,
                assignment: member.assignment,
            })
            .collect(),
    };
    match context.metadata.sync_group(rpc, timeouts::SYNC).await {
        Ok(answer) => SyncGroupResponse {
            error_code: failure::code(answer.error_code),
            protocol_type: failure::message(answer.protocol_type),
            protocol_name: failure::message(answer.protocol_name),
            assignment: answer.assignment,
            ..Default::default()
        },
        Err(error) => failure::coordinator_error(ApiKey::SyncGroup, &error).into(),
    }
}
