//! JoinGroup: responds when the group is complete.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::proto;
use penstock_wire::messages::join_group::JoinGroupResponseMember;
use penstock_wire::messages::{JoinGroupRequest, JoinGroupResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::timeouts;

/// First version in which a new member gets its id first and joins again with it, so that a lost response leaves no
/// unused member.
const MEMBER_ID_FIRST_FROM: i16 = 4;
/// First version in which a returning static leader can lead without assigning again.
const SKIPS_ASSIGNMENT_FROM: i16 = 9;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: JoinGroupRequest) -> JoinGroupResponse {
    let group = Resource::group(&request.group_id);
    if let Err(error_code) = context.access(&caller).check(Operation::Read, group) {
        return refused(error_code, request.member_id);
    }
    let Ok(session_timeout_ms) = u32::try_from(request.session_timeout_ms) else {
        return refused(ErrorCode::INVALID_SESSION_TIMEOUT, request.member_id);
    };
    // Version 0 has no rebalance timeout of its own.
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
        client_host: format!("/{}", caller.client.host),
        reason: request.reason.unwrap_or_default(),
        skips_assignment: caller.version >= SKIPS_ASSIGNMENT_FROM,
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
        Err(error) => refused(failure::coordinator_error(ApiKey::JoinGroup, &error), request.member_id),
    }
}

fn refused(error_code: ErrorCode, member_id: String) -> JoinGroupResponse {
    JoinGroupResponse {
        member_id,
        ..error_code.into()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use penstock_wire::messages::join_group::JoinGroupRequestProtocol;

    use super::*;
    use crate::testing::{TestAgent, caller};

    fn request() -> JoinGroupRequest {
        JoinGroupRequest {
            group_id: "g".to_owned(),
            session_timeout_ms: 10_000,
            rebalance_timeout_ms: 60_000,
            protocol_type: "consumer".to_owned(),
            protocols: vec![JoinGroupRequestProtocol {
                name: "range".to_owned(),
                metadata: Bytes::from_static(b"m"),
            }],
            ..Default::default()
        }
    }

    async fn asked(version: i16, request: JoinGroupRequest) -> proto::JoinGroupRequest {
        let agent = TestAgent::new();
        handle(agent.context(), caller(version), request).await;
        agent.metadata.requests("JoinGroup").remove(0)
    }

    #[tokio::test]
    async fn a_new_dynamic_member_gets_its_id_first_since_version_4() {
        assert!(!asked(3, request()).await.require_known_member_id);
        assert!(asked(4, request()).await.require_known_member_id);
        let fixed = JoinGroupRequest {
            group_instance_id: Some("i".to_owned()),
            ..request()
        };
        assert!(!asked(5, fixed).await.require_known_member_id);
    }

    #[tokio::test]
    async fn a_leader_can_skip_the_assignment_since_version_9() {
        assert!(!asked(8, request()).await.skips_assignment);
        assert!(asked(9, request()).await.skips_assignment);
    }

    #[tokio::test]
    async fn version_0_rebalances_within_the_session_timeout() {
        let old = JoinGroupRequest {
            rebalance_timeout_ms: -1,
            ..request()
        };
        assert_eq!(asked(0, old).await.rebalance_timeout_ms, 10_000);
    }

    #[tokio::test]
    async fn the_leader_gets_the_members_and_all_get_the_protocol() {
        let agent = TestAgent::new();
        let joined = proto::JoinGroupResponse {
            generation_id: 4,
            protocol_type: "consumer".into(),
            protocol_name: "range".into(),
            leader: "m1".into(),
            member_id: "m1".into(),
            members: vec![proto::JoinedMember {
                member_id: "m1".into(),
                metadata: Bytes::from_static(b"m"),
                ..Default::default()
            }],
            ..Default::default()
        };
        agent.metadata.answer("JoinGroup", &joined);
        let answer = handle(agent.context(), caller(9), request()).await;
        assert_eq!(
            (answer.error_code, answer.generation_id, answer.leader.as_str()),
            (ErrorCode::NONE, 4, "m1")
        );
        assert_eq!(answer.protocol_name.as_deref(), Some("range"));
        assert_eq!(answer.members[0].metadata, Bytes::from_static(b"m"));
        let asked = agent.metadata.requests::<proto::JoinGroupRequest>("JoinGroup");
        assert_eq!(
            (asked[0].client_id.as_str(), asked[0].client_host.as_str()),
            ("tests", "/127.0.0.1")
        );
    }

    #[tokio::test]
    async fn without_the_owner_a_member_finds_its_coordinator_again() {
        let known = JoinGroupRequest {
            member_id: "m".to_owned(),
            ..request()
        };
        let answer = handle(TestAgent::new().context(), caller(9), known).await;
        assert_eq!(
            (answer.error_code, answer.member_id.as_str()),
            (ErrorCode::COORDINATOR_NOT_AVAILABLE, "m")
        );
    }
}
