//! AlterConfigs: replaces all configs of a topic, a group or a subscription to client metrics. Clients that know IncrementalAlterConfigs
//! do not send it.

use std::collections::HashSet;
use std::sync::Arc;

use penstock_metadata_client::cache::Topic;
use penstock_metadata_client::proto;
use penstock_metadata_client::proto::config_op::Kind;
use penstock_wire::messages::alter_configs::{AlterConfigsResource, AlterableConfig};
use penstock_wire::messages::{AlterConfigsRequest, AlterConfigsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::configs::client_metrics;
use crate::configs::config_changes::{Change, alter};
use crate::configs::config_outcome::Refusal;
use crate::configs::config_resource::{BROKER, CLIENT_METRICS, GROUP, TOPIC};
use crate::configs::group_configs;
use crate::configs::topic_configs;
use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterConfigsRequest,
) -> AlterConfigsResponse {
    let changes = request
        .resources
        .into_iter()
        .map(|resource| change(&context, resource))
        .collect();
    let asked = (context.as_ref(), &caller);
    let responses = alter(asked, ApiKey::AlterConfigs, changes, request.validate_only).await;
    AlterConfigsResponse {
        responses,
        ..Default::default()
    }
}

/// Sets what the request names and deletes all else, in one command of the owner.
fn change(context: &Context, resource: AlterConfigsResource) -> Change {
    let catalogue = context.cache.catalogue();
    let topic = catalogue
        .topic_by_name(&resource.resource_name)
        .filter(|_| resource.resource_type == TOPIC);
    let deletions = match resource.resource_type {
        CLIENT_METRICS => deletions_among(&client_metrics::NAMES, &resource.configs),
        GROUP => deletions_among(&group_configs::NAMES, &resource.configs),
        BROKER if resource.resource_name.is_empty() => {
            deletions_among(&[topic_configs::MAX_UNCOMPRESSED_BATCH_BYTES], &resource.configs)
        }
        _ => deletions(&resource.configs, topic.map(Arc::as_ref)),
    };
    let sets: Result<Vec<proto::ConfigOp>, Refusal> = resource.configs.into_iter().map(set).collect();
    Change {
        resource_type: resource.resource_type,
        resource_name: resource.resource_name,
        ops: sets.map(|sets| sets.into_iter().chain(deletions).collect()),
    }
}

fn set(config: AlterableConfig) -> Result<proto::ConfigOp, Refusal> {
    match config.value {
        Some(value) => Ok(proto::ConfigOp {
            kind: Kind::Set.into(),
            name: config.name,
            value,
        }),
        None => Err((
            ErrorCode::INVALID_REQUEST,
            format!("config {} has no value", config.name),
        )),
    }
}

fn deletions(named: &[AlterableConfig], topic: Option<&Topic>) -> Vec<proto::ConfigOp> {
    let is_set = |name: &str| topic.is_some_and(|topic| topic.configs.iter().any(|config| config.name == name));
    let known: Vec<&str> = topic_configs::DEFINITIONS
        .iter()
        .map(|definition| definition.name)
        // A metadata service of an earlier release refuses to delete what it does not know.
        .filter(|name| !topic_configs::is_recent(name) || is_set(name))
        .collect();
    deletions_among(&known, named)
}

fn deletions_among(known: &[&str], named: &[AlterableConfig]) -> Vec<proto::ConfigOp> {
    let named: HashSet<&str> = named.iter().map(|config| config.name.as_str()).collect();
    let others = known.iter().filter(|name| !named.contains(*name));
    others
        .map(|name| proto::ConfigOp {
            kind: Kind::Delete.into(),
            name: (*name).to_owned(),
            value: String::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, done, topic};

    fn resource(resource_type: i8, name: &str, value: Option<&str>) -> AlterConfigsResource {
        AlterConfigsResource {
            resource_type,
            resource_name: name.to_owned(),
            configs: vec![AlterableConfig {
                name: "retention.ms".to_owned(),
                value: value.map(str::to_owned),
            }],
        }
    }

    #[tokio::test]
    async fn the_configs_of_the_request_replace_all_others() {
        let config = |name: &str| proto::Config {
            name: name.to_owned(),
            value: "true".to_owned(),
        };
        let agent = TestAgent::with_topics(&[proto::Topic {
            configs: vec![config("remote.log.copy.disable")],
            ..topic(1, "a", 1)
        }]);
        let results = vec![done(topic(1, "a", 1)), done(topic(2, "b", 1))];
        agent.metadata.answer(
            "AlterConfigs",
            &proto::AlterConfigsResponse {
                results,
                ..Default::default()
            },
        );
        let request = AlterConfigsRequest {
            resources: vec![
                resource(2, "a", Some("5")),
                resource(2, "b", Some("6")),
                resource(2, "c", None),
                resource(4, "7", Some("1")),
            ],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(2), request).await;
        let codes: Vec<ErrorCode> = answer.responses.iter().map(|response| response.error_code).collect();
        let invalid = ErrorCode::INVALID_REQUEST;
        assert_eq!(codes, [ErrorCode::NONE, ErrorCode::NONE, invalid, invalid]);
        let asked = agent
            .metadata
            .requests::<proto::AlterConfigsRequest>("AlterConfigs")
            .remove(0);
        let of = |at: usize, kind: Kind| -> Vec<&str> {
            let ops = asked.topics[at].ops.iter().filter(|op| op.kind() == kind);
            ops.map(|op| op.name.as_str()).collect()
        };
        assert_eq!(of(0, Kind::Set), ["retention.ms"]);
        let deleted = of(0, Kind::Delete);
        assert!(!deleted.contains(&"retention.ms"));
        assert!(deleted.contains(&"cleanup.policy") && deleted.contains(&"remote.log.copy.disable"));
        // Unknown to a metadata service of an earlier release, and not set.
        assert!(!of(1, Kind::Delete).contains(&"remote.log.copy.disable"));
    }
}
