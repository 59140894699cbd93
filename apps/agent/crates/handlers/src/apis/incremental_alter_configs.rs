//! IncrementalAlterConfigs of topics.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::proto::config_op::Kind;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::incremental_alter_configs::{
    AlterConfigsResource, AlterConfigsResourceResponse, AlterableConfig,
};
use penstock_wire::messages::{IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::access::Access;
use crate::config_resource::Resource;
use crate::context::{Caller, Context};
use crate::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: IncrementalAlterConfigsRequest,
) -> IncrementalAlterConfigsResponse {
    let access = context.access(&caller);
    let mut times_named: HashMap<(i8, String), u32> = HashMap::new();
    for resource in &request.resources {
        *times_named
            .entry((resource.resource_type, resource.resource_name.clone()))
            .or_default() += 1;
    }
    let mut responses = Vec::with_capacity(request.resources.len());
    let mut changes = Vec::new();
    let mut places = Vec::new();
    for resource in request.resources {
        let twice = times_named
            .get(&(resource.resource_type, resource.resource_name.clone()))
            .is_some_and(|n| *n > 1);
        let mut response = AlterConfigsResourceResponse {
            resource_type: resource.resource_type,
            resource_name: resource.resource_name.clone(),
            ..Default::default()
        };
        let change = if twice {
            Err((
                ErrorCode::INVALID_REQUEST,
                "the request names this resource more than once",
            ))
        } else {
            authorize(&access, &resource)
                .and_then(|()| topic_change(resource).map_err(|reason| (ErrorCode::INVALID_REQUEST, reason)))
        };
        match change {
            Ok(change) => {
                places.push(responses.len());
                changes.push(change);
            }
            Err((error_code, reason)) => refuse(&mut response, error_code, reason.to_owned()),
        }
        responses.push(response);
    }
    if !changes.is_empty() {
        let rpc = proto::AlterConfigsRequest {
            topics: changes,
            validate_only: request.validate_only,
        };
        match context.metadata.alter_configs(rpc, DEFAULT_TIMEOUT).await {
            Ok(answer) => {
                for (place, result) in places.into_iter().zip(answer.results) {
                    if !request.validate_only {
                        context.cache.upsert_topics(result.topic.as_slice());
                    }
                    responses[place].error_code = failure::code(result.error_code);
                    responses[place].error_message = failure::message(result.error_message);
                }
            }
            Err(error) => {
                let error_code = failure::cluster_error(ApiKey::IncrementalAlterConfigs, &error);
                for place in places {
                    refuse(&mut responses[place], error_code, error.to_string());
                }
            }
        }
    }
    IncrementalAlterConfigsResponse {
        responses,
        ..Default::default()
    }
}

fn authorize(access: &Access, resource: &AlterConfigsResource) -> Result<(), (ErrorCode, &'static str)> {
    match Resource::of(resource.resource_type, &resource.resource_name).authority() {
        Some(authority) => access
            .check(Operation::AlterConfigs, authority)
            .map_err(|error_code| (error_code, "the client is not authorized to alter the configs")),
        None => Ok(()),
    }
}

fn refuse(response: &mut AlterConfigsResourceResponse, error_code: ErrorCode, reason: String) {
    response.error_code = error_code;
    response.error_message = Some(reason);
}

fn topic_change(resource: AlterConfigsResource) -> Result<proto::TopicConfigChange, &'static str> {
    match Resource::of(resource.resource_type, &resource.resource_name) {
        Resource::Topic(_) => {}
        Resource::Broker(_) | Resource::AllBrokers => {
            return Err("broker configs cannot be changed: change the cluster's settings on its page");
        }
        Resource::Unsupported => return Err("only topics have configs that can be changed"),
    }
    let ops = resource.configs.into_iter().map(config_op).collect::<Result<_, _>>()?;
    Ok(proto::TopicConfigChange {
        name: resource.resource_name,
        ops,
    })
}

fn config_op(config: AlterableConfig) -> Result<proto::ConfigOp, &'static str> {
    let kind = match config.config_operation {
        0 => Kind::Set,
        1 => Kind::Delete,
        2 => Kind::Append,
        3 => Kind::Subtract,
        _ => return Err("unknown operation: use set, delete, append or subtract"),
    };
    if config.value.is_none() && kind != Kind::Delete {
        return Err("a delete operation must not have a value");
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
    async fn each_resource_is_answered_in_its_place() {
        let agent = TestAgent::new();
        let results = vec![done(topic(1, "a", 1)), refused("b", 40, "not a number")];
        agent
            .metadata
            .answer("AlterConfigs", &proto::AlterConfigsResponse { results });
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
}
