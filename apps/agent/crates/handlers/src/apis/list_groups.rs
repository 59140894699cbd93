//! ListGroups. All groups are of the classic type.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::list_groups::ListedGroup;
use penstock_wire::messages::{ListGroupsRequest, ListGroupsResponse};

use crate::context::{Caller, Context};
use crate::failure;

const GROUP_TYPE: &str = "classic";

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: ListGroupsRequest) -> ListGroupsResponse {
    let types = &request.types_filter;
    if !types.is_empty() && !types.iter().any(|wanted| wanted.eq_ignore_ascii_case(GROUP_TYPE)) {
        return ListGroupsResponse::default();
    }
    let access = context.access(&caller);
    let shows_all = access.shows(Operation::Describe, Resource::CLUSTER);
    let rpc = proto::ListGroupsRequest {
        states: request.states_filter,
    };
    match context.metadata.list_groups(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => ListGroupsResponse {
            groups: answer
                .groups
                .into_iter()
                .filter(|group| shows_all || access.shows(Operation::Describe, Resource::group(&group.group_id)))
                .map(|group| ListedGroup {
                    group_id: group.group_id,
                    protocol_type: group.protocol_type,
                    group_state: group.state,
                    group_type: GROUP_TYPE.to_owned(),
                })
                .collect(),
            ..Default::default()
        },
        Err(error) => ListGroupsResponse {
            error_code: failure::group_error(ApiKey::ListGroups, &error),
            ..Default::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn filters_by_type_and_state_are_honoured() {
        let agent = TestAgent::new();
        let group = proto::ListedGroup {
            group_id: "g".into(),
            protocol_type: "consumer".into(),
            state: "Stable".into(),
        };
        agent
            .metadata
            .answer("ListGroups", &proto::ListGroupsResponse { groups: vec![group] });
        let request = ListGroupsRequest {
            states_filter: vec!["Stable".to_owned()],
            types_filter: vec!["Classic".to_owned()],
        };
        let answer = handle(agent.context(), caller(5), request).await;
        assert_eq!(
            (answer.groups[0].group_id.as_str(), answer.groups[0].group_type.as_str()),
            ("g", "classic")
        );
        assert_eq!(
            agent.metadata.requests::<proto::ListGroupsRequest>("ListGroups")[0].states,
            ["Stable"]
        );
        let other = ListGroupsRequest {
            types_filter: vec!["consumer".to_owned()],
            ..Default::default()
        };
        assert!(handle(agent.context(), caller(5), other).await.groups.is_empty());
    }
}
