//! DescribeGroups: groups of the classic protocol with their members.

use std::sync::Arc;

use penstock_access::{Access, NOT_ASKED_FOR};
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_groups::{DescribedGroup, DescribedGroupMember};
use penstock_wire::messages::{DescribeGroupsRequest, DescribeGroupsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

/// First version in which a nonexistent group is an error. Earlier versions describe it as a group in state `Dead`.
const NOT_FOUND_FROM: i16 = 6;
const DEAD: &str = "Dead";

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeGroupsRequest,
) -> DescribeGroupsResponse {
    let access = context.access(&caller);
    let (allowed, denied): (Vec<String>, Vec<String>) = request
        .groups
        .into_iter()
        .partition(|group_id| access.allows(Operation::Describe, Resource::group(group_id)));
    let mut groups: Vec<DescribedGroup> = denied
        .into_iter()
        .map(|group_id| DescribedGroup {
            group_id,
            ..ErrorCode::GROUP_AUTHORIZATION_FAILED.into()
        })
        .collect();
    if !allowed.is_empty() {
        let wants_operations = request.include_authorized_operations;
        groups.extend(describe(&context, &access, allowed, caller.version, wants_operations).await);
    }
    DescribeGroupsResponse {
        groups,
        ..Default::default()
    }
}

async fn describe(
    context: &Context,
    access: &Access,
    group_ids: Vec<String>,
    version: i16,
    wants_operations: bool,
) -> Vec<DescribedGroup> {
    let rpc = proto::DescribeGroupsRequest {
        group_ids: group_ids.clone(),
    };
    match context.metadata.describe_groups(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer
            .groups
            .into_iter()
            .map(|group| {
                let operations = access.operations(wants_operations, Resource::group(&group.group_id));
                described(group, version, operations)
            })
            .collect(),
        Err(error) => {
            let error_code = failure::coordinator_error(ApiKey::DescribeGroups, &error);
            let failed = |group_id| DescribedGroup {
                group_id,
                ..(error_code, error.to_string()).into()
            };
            group_ids.into_iter().map(failed).collect()
        }
    }
}

fn described(group: proto::DescribedGroup, version: i16, authorized_operations: i32) -> DescribedGroup {
    let mut error_code = failure::code(group.error_code);
    let mut group_state = group.state;
    let mut error_message = None;
    let missing = error_code == ErrorCode::GROUP_ID_NOT_FOUND || (error_code.is_none() && group_state == DEAD);
    if missing {
        DEAD.clone_into(&mut group_state);
        if version < NOT_FOUND_FROM {
            error_code = ErrorCode::NONE;
        } else {
            error_code = ErrorCode::GROUP_ID_NOT_FOUND;
            error_message =
                failure::message(group.error_message).or_else(|| Some(format!("Group {} not found.", group.group_id)));
        }
    }
    let member = |member: proto::DescribedMember| DescribedGroupMember {
        member_id: member.member_id,
        group_instance_id: member.group_instance_id,
        client_id: member.client_id,
        client_host: member.client_host,
        member_metadata: member.metadata,
        member_assignment: member.assignment,
    };
    DescribedGroup {
        error_code,
        error_message,
        group_id: group.group_id,
        group_state,
        protocol_type: group.protocol_type,
        protocol_data: group.protocol_name,
        members: group.members.into_iter().map(member).collect(),
        authorized_operations: if error_code.is_none() {
            authorized_operations
        } else {
            NOT_ASKED_FOR
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn a_missing_group_is_dead_before_version_6_and_an_error_since() {
        for (version, expected) in [(5, ErrorCode::NONE), (6, ErrorCode::GROUP_ID_NOT_FOUND)] {
            let agent = TestAgent::new();
            let missing = proto::DescribedGroup {
                group_id: "g".into(),
                error_code: 69,
                ..Default::default()
            };
            agent.metadata.answer(
                "DescribeGroups",
                &proto::DescribeGroupsResponse { groups: vec![missing] },
            );
            let request = DescribeGroupsRequest {
                groups: vec!["g".to_owned()],
                ..Default::default()
            };
            let answer = handle(agent.context(), caller(version), request).await;
            assert_eq!(
                (answer.groups[0].error_code, answer.groups[0].group_state.as_str()),
                (expected, "Dead")
            );
        }
    }
}
