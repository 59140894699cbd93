//! ListGroups. All groups are of the classic type.

use std::sync::Arc;

use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::list_groups::ListedGroup;
use penstock_wire::messages::{ListGroupsRequest, ListGroupsResponse};

use crate::context::{Caller, Context};
use crate::failure;

const GROUP_TYPE: &str = "classic";

pub(crate) async fn handle(context: Arc<Context>, _: Caller, request: ListGroupsRequest) -> ListGroupsResponse {
    let types = &request.types_filter;
    if !types.is_empty() && !types.iter().any(|wanted| wanted.eq_ignore_ascii_case(GROUP_TYPE)) {
        return ListGroupsResponse::default();
    }
    let rpc = proto::ListGroupsRequest {
        states: request.states_filter,
    };
    match context.metadata.list_groups(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => ListGroupsResponse {
            groups: answer
                .groups
                .into_iter()
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
