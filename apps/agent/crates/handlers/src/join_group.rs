//! JoinGroup: answered when the group is complete.

use std::sync::Arc;

use penstock_metadata_client::proto;
use penstock_wire::messages::join_group::JoinGroupResponseMember;
use penstock_wire::messages::{JoinGroupRequest, JoinGroupResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::{failure, timeouts};

/// From this version on, a new member is first told its id, so that a lost answer leaves no ghost in the group.
const MEMBER_ID_FIRST_FROM: i16 = 4;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: JoinGroupRequest) -> JoinGroupResponse {
    let Ok(session_timeout_ms) = u32::try_from(request.session_timeout_ms) else {
        return refused(ErrorCode::INVALID_SESSION_TIMEOUT, request.member_id);
    };
    // Version 0 has no rebalance time-out of its own.
    let rebalance_timeout_ms = u32::try_from(request.rebalance_timeout_ms).unwrap_or(session_timeout_ms);
    let rpc = proto::JoinGroupRequest {
        group_id: request.group_id,
        session_timeout_ms,
        rebalance_timeout_ms,
        member_id: request.member_id.clone(),
        require_known_member_id: caller.version >= MEMBER_ID_FIRST_FROM && request.group_instance_id.is_none(),
        group_instance_id: request.group_instance_id,
        protocol_type: request.protocol_type,
        protocols: request
            .protocols
            .into_iter()
            .map(|protocol| proto::GroupProtocol {
                name: protocol.name,
                metadata: protocol.metadata,
            })
            .collect(),
        client_id: caller.client_id,
        client_host: format!("/{}", caller.client_host),
        reason: request.reason.unwrap_or_default(),
    };
    match context
        .metadata
        .join_group(rpc, timeouts::of_rebalance(rebalance_timeout_ms))
        .await
    {
        Ok(answer) => JoinGroupResponse {
            error_code: failure::code(answer.error_code),
            generation_id: answer.generation_id,
            protocol_type: failure::message(answer.protocol_type),
            protocol_name: Some(answer.protocol_name),
            leader: answer.leader,
            skip_assignment: answer.skip_assignment,
            member_id: answer.member_id,
            members: answer
                .members
                .into_iter()
                .map(|member| JoinGroupResponseMember {
                    member_id: member.member_id,
                    group_instance_id: member.group_instance_id,
                    metadata: member.metadata,
                })
                .collect(),
            ..Default::default()
        },
        Err(error) => refused(failure::group_error(ApiKey::JoinGroup, &error), request.member_id),
    }
}

fn refused(error_code: ErrorCode, member_id: String) -> JoinGroupResponse {
    JoinGroupResponse {
        error_code,
        member_id,
        protocol_name: Some(String::new()),
        ..Default::default()
    }
}
