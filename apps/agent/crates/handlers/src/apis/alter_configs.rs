//! AlterConfigs: replaces all configs of a topic, group or client metrics subscription. Clients that know
//! IncrementalAlterConfigs do not send it.

use std::collections::HashSet;
use std::sync::Arc;

use penstock_metadata_client::proto;
use penstock_metadata_client::proto::config_op::Kind;
use penstock_wire::messages::alter_configs::{AlterConfigsResource, AlterableConfig};
use penstock_wire::messages::{AlterConfigsRequest, AlterConfigsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::configs::client_metrics;
use crate::configs::config_changes::{Change, alter};
use crate::configs::config_outcome::Refusal;
use crate::configs::config_resource::{BROKER, CLIENT_METRICS, GROUP};
use crate::configs::group_configs;
use crate::configs::topic_configs;
use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterConfigsRequest,
) -> AlterConfigsResponse {
    let changes = request.resources.into_iter().map(change).collect();
    let asked = (context.as_ref(), &caller);
    let responses = alter(asked, ApiKey::AlterConfigs, changes, request.validate_only).await;
    AlterConfigsResponse {
        responses,
        ..Default::default()
    }
}

/// Sets the configs in the request and deletes all others, in one command of the owner.
fn change(resource: AlterConfigsResource) -> Change {
    let deletions = match resource.resource_type {
        CLIENT_METRICS => deletions_among(&client_metrics::NAMES, &resource.configs),
        GROUP => deletions_among(&group_configs::NAMES, &resource.configs),
        BROKER if resource.resource_name.is_empty() => {
            deletions_among(&[topic_configs::MAX_UNCOMPRESSED_BATCH_BYTES], &resource.configs)
        }
        _ => deletions(&resource.configs),
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

fn deletions(named: &[AlterableConfig]) -> Vec<proto::ConfigOp> {
    let known: Vec<&str> = topic_configs::DEFINITIONS
        .iter()
        .map(|definition| definition.name)
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
    async fn the_configs_in_the_request_replace_all_others() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
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
    }
}
