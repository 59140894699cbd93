//! LeaveGroup: one member before version 3, several since.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::leave_group::{MemberIdentity, MemberResponse};
use penstock_wire::messages::{LeaveGroupRequest, LeaveGroupResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

/// First version that lists members and has a result for each.
const BATCHED_FROM: i16 = 3;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: LeaveGroupRequest) -> LeaveGroupResponse {
    let group = Resource::group(&request.group_id);
    if let Err(error_code) = context.access(&caller).check(Operation::Read, group) {
        return error_code.into();
    }
    let leaving = if caller.version >= BATCHED_FROM {
        request.members
    } else {
        vec![MemberIdentity {
            member_id: request.member_id,
            ..Default::default()
        }]
    };
    let rpc = proto::LeaveGroupRequest {
        group_id: request.group_id,
        members: leaving
            .iter()
            .map(|member| proto::LeavingMember {
                member_id: member.member_id.clone(),
                group_instance_id: member.group_instance_id.clone(),
            })
            .collect(),
    };
    let answer = match context.metadata.leave_group(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer,
        Err(error) => return failure::coordinator_error(ApiKey::LeaveGroup, &error).into(),
    };
    let error_code = failure::code(answer.error_code);
    let mut member_codes = answer
        .member_error_codes
        .into_iter()
        .map(failure::code)
        .chain(std::iter::repeat(error_code));
    if caller.version < BATCHED_FROM {
        let own = member_codes.next().unwrap_or_default();
        let error_code = if error_code == ErrorCode::NONE { own } else { error_code };
        return LeaveGroupResponse::from(error_code);
    }
    let members = leaving
        .into_iter()
        .zip(member_codes)
        .map(|(member, error_code)| MemberResponse {
            member_id: member.member_id,
            group_instance_id: member.group_instance_id,
            error_code,
        })
        .collect();
    LeaveGroupResponse {
        error_code,
        members,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn responds_for_one_or_several_members_depending_on_version() {
        let agent = TestAgent::new();
        let unknown = proto::LeaveGroupResponse {
            error_code: 0,
            member_error_codes: vec![25],
        };
        agent.metadata.answer("LeaveGroup", &unknown);
        let single = LeaveGroupRequest {
            member_id: "m".to_owned(),
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(2), single).await;
        assert_eq!(answer.error_code, ErrorCode::UNKNOWN_MEMBER_ID);

        agent.metadata.answer(
            "LeaveGroup",
            &proto::LeaveGroupResponse {
                error_code: 0,
                member_error_codes: vec![0, 25],
            },
        );
        let member = |id: &str| MemberIdentity {
            member_id: id.to_owned(),
            ..Default::default()
        };
        let several = LeaveGroupRequest {
            members: vec![member("a"), member("b")],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(5), several).await;
        assert_eq!(answer.error_code, ErrorCode::NONE);
        let codes: Vec<ErrorCode> = answer.members.iter().map(|member| member.error_code).collect();
        assert_eq!(codes, [ErrorCode::NONE, ErrorCode::UNKNOWN_MEMBER_ID]);
    }
}
