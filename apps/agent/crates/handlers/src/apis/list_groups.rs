//! ListGroups. Every agent knows all groups, and tools combine the lists of all brokers. As with Kafka's brokers, the
//! client's coordinator lists the groups, and other agents list none.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::list_groups::ListedGroup;
use penstock_wire::messages::{ListGroupsRequest, ListGroupsResponse};

use crate::cluster::brokers::BrokerView;
use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: ListGroupsRequest) -> ListGroupsResponse {
    if !BrokerView::of(&context, &caller).is_coordinated_by(context.node.node_id) {
        return ListGroupsResponse::default();
    }
    let access = context.access(&caller);
    let shows_all = access.shows(Operation::Describe, Resource::CLUSTER);
    let rpc = proto::ListGroupsRequest {
        states: request.states_filter,
        types: request.types_filter,
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
                    // As Kafka's brokers write it.
                    group_type: group.group_type.to_ascii_lowercase(),
                })
                .collect(),
            ..Default::default()
        },
        Err(error) => failure::coordinator_error(ApiKey::ListGroups, &error).into(),
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::ErrorCode;

    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn only_the_coordinator_lists_groups() {
        let agent = TestAgent::new();
        let [own, other] = agent.with_peer();
        let group = proto::ListedGroup {
            group_id: "g".into(),
            ..Default::default()
        };
        for _ in 0..2 {
            let groups = vec![group.clone()];
            agent
                .metadata
                .answer("ListGroups", &proto::ListGroupsResponse { groups });
        }
        for (client, expected) in [(own, 1), (other, 0)] {
            let answer = handle(agent.context(), client, ListGroupsRequest::default()).await;
            assert_eq!((answer.error_code, answer.groups.len()), (ErrorCode::NONE, expected));
        }
    }

    #[tokio::test]
    async fn the_owner_filters_by_type_and_state() {
        let agent = TestAgent::new();
        let groups = vec![proto::ListedGroup {
            group_id: "g".into(),
            protocol_type: "consumer".into(),
            state: "Stable".into(),
            group_type: "Classic".into(),
        }];
        agent
            .metadata
            .answer("ListGroups", &proto::ListGroupsResponse { groups });
        let request = ListGroupsRequest {
            states_filter: vec!["Stable".to_owned()],
            types_filter: vec!["Classic".to_owned()],
        };
        let answer = handle(agent.context(), caller(5), request).await;
        assert_eq!(answer.groups.len(), 1);
        assert_eq!(
            (answer.groups[0].group_id.as_str(), answer.groups[0].group_type.as_str()),
            ("g", "classic")
        );
        let asked = &agent.metadata.requests::<proto::ListGroupsRequest>("ListGroups")[0];
        assert_eq!(
            (&asked.states[..], &asked.types[..]),
            (&["Stable".to_owned()][..], &["Classic".to_owned()][..])
        );
    }
}
