//! DescribeCluster.

use std::sync::Arc;

use penstock_wire::ErrorCode;
use penstock_wire::messages::describe_cluster::DescribeClusterBroker;
use penstock_wire::messages::{DescribeClusterRequest, DescribeClusterResponse};

use crate::brokers::BrokerView;
use crate::context::{Caller, Context};
use crate::operations;

/// Clients may ask for brokers or, of a cluster that has them apart, for controllers.
const BROKERS: i8 = 1;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeClusterRequest,
) -> DescribeClusterResponse {
    if request.endpoint_type != BROKERS {
        return DescribeClusterResponse {
            error_code: ErrorCode::MISMATCHED_ENDPOINT_TYPE,
            error_message: Some("this is a broker: there are no controllers to be asked".to_owned()),
            endpoint_type: request.endpoint_type,
            ..Default::default()
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
        cluster_authorized_operations: operations::on_cluster(request.include_cluster_authorized_operations),
        ..Default::default()
    }
}
