//! FindCoordinator: usually the agent that leads all partitions for this client. Groups and transactions are stored in
//! the metadata service.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_wire::ErrorCode;
use penstock_wire::messages::find_coordinator::Coordinator;
use penstock_wire::messages::{FindCoordinatorRequest, FindCoordinatorResponse};

use crate::cluster::brokers::{Broker, BrokerView};
use crate::context::{Caller, Context};

const GROUP: i8 = 0;
const TRANSACTION: i8 = 1;
/// First version that requests several keys at once.
const BATCHED_FROM: i16 = 4;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: FindCoordinatorRequest,
) -> FindCoordinatorResponse {
    let access = context.access(&caller);
    let chosen = BrokerView::of(&context, &caller).coordinator;
    if caller.version >= BATCHED_FROM {
        let answer = |key| coordinator(&access, key, request.key_type, &chosen);
        return FindCoordinatorResponse {
            coordinators: request.coordinator_keys.into_iter().map(answer).collect(),
            ..Default::default()
        };
    }
    let only = coordinator(&access, request.key, request.key_type, &chosen);
    FindCoordinatorResponse {
        error_code: only.error_code,
        error_message: only.error_message,
        node_id: only.node_id,
        host: only.host,
        port: only.port,
        ..Default::default()
    }
}

fn coordinator(access: &Access, key: String, key_type: i8, chosen: &Broker) -> Coordinator {
    let refused = |key, error_code: ErrorCode, reason: &str| Coordinator {
        key,
        ..(error_code, reason.to_owned()).into()
    };
    match key_type {
        GROUP if !access.allows(Operation::Describe, Resource::group(&key)) => refused(
            key,
            ErrorCode::GROUP_AUTHORIZATION_FAILED,
            "the client is not authorized to describe the group",
        ),
        TRANSACTION if !access.allows(Operation::Describe, Resource::transactional_id(&key)) => refused(
            key,
            ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
            "the client is not authorized to describe the transactional id",
        ),
        GROUP | TRANSACTION => Coordinator {
            key,
            node_id: chosen.node_id,
            host: chosen.host.clone(),
            port: chosen.port,
            error_message: Some(String::new()),
            ..Default::default()
        },
        _ => refused(
            key,
            ErrorCode::INVALID_REQUEST,
            "only consumer groups and transactional ids have a coordinator",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{HOST, NODE_ID, TestAgent, caller};

    #[tokio::test]
    async fn the_coordinator_of_every_group_is_the_clients_leader() {
        let agent = TestAgent::new();
        let keys = vec!["g1".to_owned(), "g2".to_owned()];
        let request = FindCoordinatorRequest {
            coordinator_keys: keys,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(4), request).await;
        for (coordinator, key) in answer.coordinators.iter().zip(["g1", "g2"]) {
            assert_eq!(
                (coordinator.key.as_str(), coordinator.node_id, coordinator.error_code),
                (key, NODE_ID, ErrorCode::NONE)
            );
            assert_eq!((coordinator.host.as_str(), coordinator.port), (HOST, 9092));
        }
        let single = handle(agent.context(), caller(0), FindCoordinatorRequest::default()).await;
        assert_eq!((single.node_id, single.host.as_str()), (NODE_ID, HOST));
    }

    #[tokio::test]
    async fn the_coordinator_of_every_transaction_is_the_clients_leader() {
        let agent = TestAgent::new();
        let request = FindCoordinatorRequest {
            key: "tx".to_owned(),
            key_type: TRANSACTION,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(3), request).await;
        assert_eq!((answer.error_code, answer.node_id), (ErrorCode::NONE, NODE_ID));
    }
}
