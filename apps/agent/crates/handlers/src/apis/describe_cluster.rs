//! DescribeCluster: names the cluster, its brokers and its controller.

use std::sync::Arc;

use penstock_wire::ErrorCode;
use penstock_wire::messages::describe_cluster::DescribeClusterBroker;
use penstock_wire::messages::{DescribeClusterRequest, DescribeClusterResponse};

use crate::cluster::brokers::BrokerView;
use crate::context::{Caller, Context};

/// Endpoint type of brokers. In clusters with separate controllers, clients can also ask for those.
const BROKERS: i8 = 1;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeClusterRequest,
) -> DescribeClusterResponse {
    if request.endpoint_type != BROKERS {
        let reason = "there are no controllers: send the request to a broker".to_owned();
        return DescribeClusterResponse {
            endpoint_type: request.endpoint_type,
            ..(ErrorCode::MISMATCHED_ENDPOINT_TYPE, reason).into()
        };
    }
    let view = BrokerView::of(&context, &caller);
    DescribeClusterResponse {
        cluster_id: context.node.cluster_id.clone(),
        controller_id: view.leader.node_id,
        brokers: view
            .brokers
            .into_iter()
            .map(|broker| DescribeClusterBroker {
                broker_id: broker.node_id,
                host: broker.host,
                port: broker.port,
                rack: broker.rack,
                is_fenced: false,
            })
            .collect(),
        cluster_authorized_operations: context
            .access(&caller)
            .cluster_operations(request.include_cluster_authorized_operations),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CLUSTER_ID, NODE_ID, TestAgent, caller};

    #[tokio::test]
    async fn the_controller_is_the_clients_agent() {
        let request = DescribeClusterRequest {
            include_cluster_authorized_operations: true,
            ..Default::default()
        };
        let answer = handle(TestAgent::new().context(), caller(2), request).await;
        assert_eq!(
            (answer.cluster_id.as_str(), answer.controller_id),
            (CLUSTER_ID, NODE_ID)
        );
        assert_eq!(answer.brokers[0].broker_id, NODE_ID);
        assert!(answer.cluster_authorized_operations > 0);
    }

    #[tokio::test]
    async fn a_client_that_asks_for_controllers_learns_this_is_a_broker() {
        let request = DescribeClusterRequest {
            endpoint_type: 2,
            ..Default::default()
        };
        let answer = handle(TestAgent::new().context(), caller(1), request).await;
        assert_eq!(answer.error_code, ErrorCode::MISMATCHED_ENDPOINT_TYPE);
    }
}
