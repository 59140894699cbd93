//! Changes of configs: what AlterConfigs and IncrementalAlterConfigs have in common. Each resource is changed or refused
//! on its own.

use std::collections::HashMap;

use penstock_authz::Operation;
use penstock_metadata_client::proto::config_op::Kind;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::{ApiKey, ErrorCode};

use crate::access::Access;
use crate::config_resource::Resource;
use crate::context::{Caller, Context};
use crate::{failure, topic_configs};

/// What a request wants to change of one resource, or why it cannot be.
pub(crate) struct Change {
    pub(crate) resource_type: i8,
    pub(crate) resource_name: String,
    pub(crate) ops: Result<Vec<proto::ConfigOp>, Refusal>,
}

/// What became of it.
pub(crate) struct Outcome {
    pub(crate) resource_type: i8,
    pub(crate) resource_name: String,
    pub(crate) error_code: ErrorCode,
    pub(crate) error_message: Option<String>,
}

pub(crate) type Refusal = (ErrorCode, String);

/// Applies the changes of one request. The outcomes are in their order.
pub(crate) async fn alter(
    (context, caller): (&Context, &Caller),
    api: ApiKey,
    changes: Vec<Change>,
    validate_only: bool,
) -> Vec<Outcome> {
    let access = context.access(caller);
    let mut times_named: HashMap<(i8, String), u32> = HashMap::new();
    for change in &changes {
        *times_named
            .entry((change.resource_type, change.resource_name.clone()))
            .or_default() += 1;
    }
    let mut outcomes = Vec::with_capacity(changes.len());
    let mut topics = Vec::new();
    let mut places = Vec::new();
    for change in changes {
        let key = (change.resource_type, change.resource_name);
        let is_unique = times_named.get(&key).is_none_or(|times| *times == 1);
        let (resource_type, resource_name) = key;
        let allowed = if is_unique {
            authorize(&access, resource_type, &resource_name)
                .and(change.ops)
                .and_then(|ops| changeable(context, resource_type, &resource_name, ops))
        } else {
            Err((
                ErrorCode::INVALID_REQUEST,
                "the request names this resource more than once".to_owned(),
            ))
        };
        let mut outcome = Outcome {
            resource_type,
            resource_name,
            error_code: ErrorCode::NONE,
            error_message: None,
        };
        match allowed {
            Ok(Some(ops)) => {
                places.push(outcomes.len());
                topics.push(proto::TopicConfigChange {
                    name: outcome.resource_name.clone(),
                    ops,
                });
            }
            Ok(None) => {}
            Err(refusal) => outcome.refuse(refusal),
        }
        outcomes.push(outcome);
    }
    if topics.is_empty() {
        return outcomes;
    }
    let rpc = proto::AlterConfigsRequest { topics, validate_only };
    match context.metadata.alter_configs(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => {
            for (place, result) in places.into_iter().zip(answer.results) {
                if !validate_only {
                    context.cache.upsert_topics(result.topic.as_slice());
                }
                outcomes[place].error_code = failure::code(result.error_code);
                outcomes[place].error_message = failure::message(result.error_message);
            }
        }
        Err(error) => {
            let error_code = failure::cluster_error(api, &error);
            for place in places {
                outcomes[place].refuse((error_code, error.to_string()));
            }
        }
    }
    outcomes
}

impl Outcome {
    fn refuse(&mut self, (error_code, reason): Refusal) {
        self.error_code = error_code;
        self.error_message = Some(reason);
    }
}

fn authorize(access: &Access, resource_type: i8, name: &str) -> Result<(), Refusal> {
    let Some(authority) = Resource::of(resource_type, name).authority() else {
        return Ok(());
    };
    access.check(Operation::AlterConfigs, authority).map_err(|error_code| {
        (
            error_code,
            "the client is not authorized to alter the configs".to_owned(),
        )
    })
}

/// The operations on a topic, or `None` if there is nothing to do.
fn changeable(
    context: &Context,
    resource_type: i8,
    name: &str,
    mut ops: Vec<proto::ConfigOp>,
) -> Result<Option<Vec<proto::ConfigOp>>, Refusal> {
    let is_delete = |op: &proto::ConfigOp| op.kind() == Kind::Delete;
    let reason = match Resource::of(resource_type, name) {
        Resource::Topic(_) => {
            // As in Kafka, deleting a config that does not exist succeeds. A newer service may know configs that this agent does not.
            ops.retain(|op| !is_delete(op) || may_be_set(context, name, &op.name));
            return Ok(Some(ops));
        }
        // No broker config is ever set, and tools delete throttles after a reassignment.
        Resource::Broker(_) | Resource::AllBrokers if !ops.is_empty() && ops.iter().all(is_delete) => return Ok(None),
        Resource::Broker(_) | Resource::AllBrokers => {
            "broker configs cannot be changed: change the cluster's settings on its page"
        }
        Resource::Group(_) => "groups of the classic protocol have no configs",
        Resource::ClientMetrics(_) => "subscriptions to client metrics are not supported",
        Resource::Unsupported => "only topics have configs that can be changed",
    };
    Err((ErrorCode::INVALID_REQUEST, reason.to_owned()))
}

fn may_be_set(context: &Context, topic: &str, config: &str) -> bool {
    let is_set = || {
        let catalogue = context.cache.catalogue();
        let topic = catalogue.topic_by_name(topic);
        topic.is_some_and(|topic| topic.configs.iter().any(|set| set.name == config))
    };
    topic_configs::definition(config).is_some() || is_set()
}
