//! IncrementalAlterConfigs for topics, groups and client metrics subscriptions.

use std::sync::Arc;

use penstock_metadata_client::proto;
use penstock_metadata_client::proto::config_op::Kind;
use penstock_wire::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use penstock_wire::messages::{IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::configs::config_changes::{Change, alter};
use crate::configs::config_outcome::Refusal;
use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: IncrementalAlterConfigsRequest,
) -> IncrementalAlterConfigsResponse {
    let changes = request.resources.into_iter().map(change).collect();
    let asked = (context.as_ref(), &caller);
    let responses = alter(asked, ApiKey::IncrementalAlterConfigs, changes, request.validate_only).await;
    IncrementalAlterConfigsResponse {
        responses,
        ..Default::default()
    }
}

fn change(resource: AlterConfigsResource) -> Change {
    Change {
        resource_type: resource.resource_type,
        resource_name: resource.resource_name,
        ops: resource.configs.into_iter().map(config_op).collect(),
    }
}

fn config_op(config: AlterableConfig) -> Result<proto::ConfigOp, Refusal> {
    let invalid = |reason: &str| (ErrorCode::INVALID_REQUEST, reason.to_owned());
    let kind = match config.config_operation {
        0 => Kind::Set,
        1 => Kind::Delete,
        2 => Kind::Append,
        3 => Kind::Subtract,
        _ => return Err(invalid("unknown operation: use set, delete, append or subtract")),
    };
    if config.value.is_none() && kind != Kind::Delete {
        return Err(invalid("only a delete operation may have no value"));
    }
    Ok(proto::ConfigOp {
        kind: kind.into(),
        name: config.name,
        value: config.value.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, done, refused, topic};

    fn resource(resource_type: i8, name: &str, ops: &[(i8, Option<&str>)]) -> AlterConfigsResource {
        let config = |(operation, value): &(i8, Option<&str>)| AlterableConfig {
            name: "retention.ms".to_owned(),
            config_operation: *operation,
            value: value.map(str::to_owned),
        };
        AlterConfigsResource {
            resource_type,
            resource_name: name.to_owned(),
            configs: ops.iter().map(config).collect(),
        }
    }

    #[tokio::test]
    async fn results_are_in_request_order() {
        let agent = TestAgent::new();
        let results = vec![done(topic(1, "a", 1)), refused("b", 40, "not a number")];
        agent.metadata.answer(
            "AlterConfigs",
            &proto::AlterConfigsResponse {
                results,
                ..Default::default()
            },
        );
        let resources = vec![
            resource(4, "1", &[(0, Some("1"))]),
            resource(2, "a", &[(0, Some("1")), (1, None)]),
            resource(2, "twice", &[]),
            resource(2, "b", &[(0, Some("x"))]),
            resource(2, "twice", &[]),
            resource(2, "c", &[(9, Some("x"))]),
            resource(2, "d", &[(0, None)]),
        ];
        let request = IncrementalAlterConfigsRequest {
            resources,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(1), request).await;
        let codes: Vec<ErrorCode> = answer.responses.iter().map(|response| response.error_code).collect();
        let invalid = ErrorCode::INVALID_REQUEST;
        let expected = [
            invalid,
            ErrorCode::NONE,
            invalid,
            ErrorCode::INVALID_CONFIG,
            invalid,
            invalid,
            invalid,
        ];
        assert_eq!(codes, expected);
        let asked = agent.metadata.requests::<proto::AlterConfigsRequest>("AlterConfigs");
        let kinds: Vec<Kind> = asked[0].topics[0].ops.iter().map(proto::ConfigOp::kind).collect();
        assert_eq!(kinds, [Kind::Set, Kind::Delete]);
    }

    #[tokio::test]
    async fn the_owner_changes_the_default_of_all_brokers() {
        let agent = TestAgent::new();
        let answer = proto::AlterConfigsResponse {
            cluster_result: Some(proto::AclResult::default()),
            settings: Some(proto::ClusterSettings {
                max_uncompressed_batch_bytes: 4_096,
                ..Default::default()
            }),
            ..Default::default()
        };
        agent.metadata.answer("AlterConfigs", &answer);
        let mut all = resource(4, "", &[(0, Some("4096")), (1, None)]);
        all.configs[0].name = "max.uncompressed.batch.bytes".to_owned();
        let request = IncrementalAlterConfigsRequest {
            resources: vec![all.clone()],
            ..Default::default()
        };
        let changed = handle(agent.context(), caller(1), request.clone()).await;
        assert_eq!(changed.responses[0].error_code, ErrorCode::NONE);
        let asked = agent.metadata.requests::<proto::AlterConfigsRequest>("AlterConfigs");
        let ops: Vec<_> = asked[0]
            .cluster_ops
            .iter()
            .map(|op| (op.name.as_str(), op.value.as_str()))
            .collect();
        assert_eq!(ops, [("max.uncompressed.batch.bytes", "4096")]);
        let catalogue = agent.context.cache.catalogue();
        assert_eq!(catalogue.default_max_uncompressed_batch_bytes(), 4_096);

        // A single broker has no default of its own, and no answer counts as a failure.
        all.resource_name = "1".to_owned();
        agent
            .metadata
            .answer("AlterConfigs", &proto::AlterConfigsResponse::default());
        let request = IncrementalAlterConfigsRequest {
            resources: [vec![all], request.resources].concat(),
            ..Default::default()
        };
        let refused = handle(agent.context(), caller(1), request).await;
        let codes: Vec<ErrorCode> = refused.responses.iter().map(|response| response.error_code).collect();
        assert_eq!(codes, [ErrorCode::INVALID_REQUEST, ErrorCode::UNKNOWN_SERVER_ERROR]);
    }

    #[tokio::test]
    async fn deleting_unset_configs_succeeds_for_brokers_and_unknown_ones() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let results = vec![done(topic(1, "a", 1))];
        agent.metadata.answer(
            "AlterConfigs",
            &proto::AlterConfigsResponse {
                results,
                ..Default::default()
            },
        );
        let mut unknown = resource(2, "a", &[(1, None), (1, None)]);
        unknown.configs[0].name = "of.a.newer.release".to_owned();
        let request = IncrementalAlterConfigsRequest {
            resources: vec![
                // kafka-reassign-partitions removes throttles whether or not they are set.
                resource(4, "1", &[(1, None)]),
                resource(4, "", &[(1, None)]),
                resource(4, "2", &[(1, None), (0, Some("1"))]),
                unknown,
            ],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(1), request).await;
        let codes: Vec<ErrorCode> = answer.responses.iter().map(|response| response.error_code).collect();
        let none = ErrorCode::NONE;
        assert_eq!(codes, [none, none, ErrorCode::INVALID_REQUEST, none]);
        let asked = agent.metadata.requests::<proto::AlterConfigsRequest>("AlterConfigs");
        let names: Vec<&str> = asked[0].topics[0].ops.iter().map(|op| op.name.as_str()).collect();
        assert_eq!(names, ["retention.ms"]);
    }
}
