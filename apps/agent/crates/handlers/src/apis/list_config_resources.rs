//! ListConfigResources: the resources that have configs.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::list_config_resources::ListedConfigResource;
use penstock_wire::messages::{ListConfigResourcesRequest, ListConfigResourcesResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::brokers::BrokerView;
use crate::configs::client_metrics;
use crate::configs::config_resource::{BROKER, BROKER_LOGGER, CLIENT_METRICS, GROUP, TOPIC};
use crate::configs::group_configs;
use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: ListConfigResourcesRequest,
) -> ListConfigResourcesResponse {
    let refused = ListConfigResourcesResponse::from;
    if let Err(error_code) = context
        .access(&caller)
        .check(Operation::DescribeConfigs, Resource::CLUSTER)
    {
        return refused(error_code);
    }
    let supported: &[i8] = match caller.version {
        0 => &[CLIENT_METRICS],
        _ => &[TOPIC, BROKER, BROKER_LOGGER, CLIENT_METRICS, GROUP],
    };
    let wanted = match &request.resource_types[..] {
        [] => supported,
        some => some,
    };
    if !wanted.iter().all(|wanted| supported.contains(wanted)) {
        return refused(ErrorCode::UNSUPPORTED_VERSION);
    }
    // Agents have no loggers that a client could configure.
    let mut config_resources = Vec::new();
    if wanted.contains(&BROKER) {
        let brokers = BrokerView::of(&context, &caller).brokers;
        config_resources.extend(brokers.iter().map(|broker| listed(BROKER, broker.node_id.to_string())));
    }
    if wanted.contains(&CLIENT_METRICS) {
        let names = client_metrics::names(&context).into_iter();
        config_resources.extend(names.map(|name| listed(CLIENT_METRICS, name)));
    }
    if wanted.contains(&TOPIC) {
        match context.all_topics().await {
            Ok(topics) => config_resources.extend(topics.iter().map(|topic| listed(TOPIC, topic.name.to_string()))),
            Err(error) => return refused(failure::cluster_error(ApiKey::ListConfigResources, &error)),
        }
    }
    if wanted.contains(&GROUP) {
        match group_configs::groups_with_configs(&context).await {
            Ok(groups) => config_resources.extend(groups.into_iter().map(|group| listed(GROUP, group))),
            Err(error) => return refused(failure::coordinator_error(ApiKey::ListConfigResources, &error)),
        }
    }
    ListConfigResourcesResponse {
        config_resources,
        ..Default::default()
    }
}

fn listed(resource_type: i8, resource_name: String) -> ListedConfigResource {
    ListedConfigResource {
        resource_name,
        resource_type,
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;

    use super::*;
    use crate::testing::{NODE_ID, TestAgent, caller, topic};

    async fn list(version: i16, resource_types: &[i8]) -> (ErrorCode, Vec<(i8, String)>) {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let groups = vec![proto::GroupConfigs {
            group_id: "app".to_owned(),
            configs: Vec::new(),
        }];
        agent
            .metadata
            .answer("DescribeGroupConfigs", &proto::DescribeGroupConfigsResponse { groups });
        agent.context.cache.set_settings(proto::ClusterSettings {
            client_metrics: vec![proto::ClientMetricsSubscription {
                name: "s".to_owned(),
                configs: Vec::new(),
            }],
            ..Default::default()
        });
        let request = ListConfigResourcesRequest {
            resource_types: resource_types.to_vec(),
        };
        let answer = handle(agent.context(), caller(version), request).await;
        let resources = answer.config_resources.into_iter();
        (
            answer.error_code,
            resources
                .map(|resource| (resource.resource_type, resource.resource_name))
                .collect(),
        )
    }

    #[tokio::test]
    async fn lists_brokers_topics_and_groups_by_type_or_together() {
        let broker = (BROKER, NODE_ID.to_string());
        let orders = (TOPIC, "orders".to_owned());
        let app = (GROUP, "app".to_owned());
        let none = ErrorCode::NONE;
        let subscription = (CLIENT_METRICS, "s".to_owned());
        let all = vec![broker.clone(), subscription.clone(), orders.clone(), app.clone()];
        assert_eq!(list(1, &[]).await, (none, all));
        assert_eq!(list(1, &[TOPIC]).await, (none, vec![orders]));
        assert_eq!(list(1, &[BROKER, GROUP]).await, (none, vec![broker, app]));
        // Version 0 lists only client metrics.
        assert_eq!(list(0, &[]).await, (none, vec![subscription]));
        assert_eq!(list(1, &[CLIENT_METRICS]).await, list(0, &[]).await);
        assert_eq!(list(1, &[99]).await.0, ErrorCode::UNSUPPORTED_VERSION);
    }
}
