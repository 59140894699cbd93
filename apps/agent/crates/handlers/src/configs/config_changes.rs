//! Config changes shared by AlterConfigs and IncrementalAlterConfigs. Each resource is changed or refused
//! independently.

use std::collections::HashMap;

use penstock_access::Access;
use penstock_authz::Operation;
use penstock_metadata_client::proto::config_op::Kind;
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_wire::messages::alter_configs::AlterConfigsResourceResponse;
use penstock_wire::{ApiKey, ErrorCode};

use crate::configs::client_metrics;
use crate::configs::config_outcome::{Outcome, Refusal, outcome};
use crate::configs::config_resource::Resource;
use crate::configs::group_configs;
use crate::configs::topic_configs;
use crate::context::{Caller, Context};
use crate::conversions::failure;

/// The requested change of a resource, or why it is refused.
pub(crate) struct Change {
    pub(crate) resource_type: i8,
    pub(crate) resource_name: String,
    pub(crate) ops: Result<Vec<proto::ConfigOp>, Refusal>,
}

/// The allowed changes for one type of resource: the name of each resource, and its operations.
type Allowed = Vec<(String, Vec<proto::ConfigOp>)>;

/// Applies the changes of a request. Returns the outcomes in the same order.
pub(crate) async fn alter(
    (context, caller): (&Context, &Caller),
    api: ApiKey,
    changes: Vec<Change>,
    validate_only: bool,
) -> Vec<AlterConfigsResourceResponse> {
    let access = context.access(caller);
    let mut times_named: HashMap<(i8, String), u32> = HashMap::new();
    for change in &changes {
        *times_named
            .entry((change.resource_type, change.resource_name.clone()))
            .or_default() += 1;
    }
    let mut outcomes = Vec::with_capacity(changes.len());
    let mut responses = Vec::with_capacity(changes.len());
    let (mut topics, mut groups, mut subscriptions) = (Batch::default(), Batch::default(), Batch::default());
    let mut defaults = Batch::default();
    for (place, change) in changes.into_iter().enumerate() {
        let key = (change.resource_type, change.resource_name);
        let is_unique = times_named.get(&key).is_none_or(|times| *times == 1);
        let (resource_type, resource_name) = key;
        let ops = if is_unique {
            authorize(&access, resource_type, &resource_name).and(change.ops)
        } else {
            Err((
                ErrorCode::INVALID_REQUEST,
                "the request names this resource more than once".to_owned(),
            ))
        };
        outcomes.push(ops.and_then(|ops| match Resource::of(resource_type, &resource_name) {
            Resource::Topic(name) => topics.add(place, name, without_unknown_deletions(context, name, ops)),
            Resource::Group(name) => groups.add(place, name, ops),
            // No other broker config is ever set, and tools delete throttles after a reassignment.
            Resource::AllBrokers if ops.iter().any(is_changeable_default) => {
                let ops = ops
                    .into_iter()
                    .filter(|op| !is_deletion(op) || is_changeable_default(op));
                defaults.add(place, &resource_name, ops.collect())
            }
            Resource::Broker(_) | Resource::AllBrokers if !ops.is_empty() && ops.iter().all(is_deletion) => Ok(()),
            Resource::ClientMetrics(name) => subscriptions.add(place, name, ops),
            other => Err((ErrorCode::INVALID_REQUEST, unchangeable(&other).to_owned())),
        }));
        responses.push((resource_type, resource_name));
    }
    if !topics.places.is_empty() {
        let done = alter_topics((context, caller), topics.allowed, validate_only).await;
        settle(&mut outcomes, topics.places, api, done);
    }
    if !groups.places.is_empty() {
        let done = group_configs::alter((context, caller), groups.allowed, validate_only).await;
        settle(&mut outcomes, groups.places, api, done);
    }
    if !subscriptions.places.is_empty() {
        let done = client_metrics::alter((context, caller), subscriptions.allowed, validate_only).await;
        settle(&mut outcomes, subscriptions.places, api, done);
    }
    if !defaults.places.is_empty() {
        let done = alter_defaults((context, caller), defaults.allowed, validate_only).await;
        settle(&mut outcomes, defaults.places, api, done);
    }
    let answered = responses.into_iter().zip(outcomes);
    answered
        .map(|(resource, outcome)| response(resource, outcome))
        .collect()
}

/// The changes sent in one call, and the places of their outcomes.
#[derive(Default)]
struct Batch {
    places: Vec<usize>,
    allowed: Allowed,
}

impl Batch {
    fn add(&mut self, place: usize, name: &str, ops: Vec<proto::ConfigOp>) -> Outcome {
        self.places.push(place);
        self.allowed.push((name.to_owned(), ops));
        Ok(())
    }
}

async fn alter_topics(
    (context, caller): (&Context, &Caller),
    allowed: Allowed,
    validate_only: bool,
) -> Result<Vec<Outcome>, RpcError> {
    let topics = allowed.into_iter();
    let rpc = proto::AlterConfigsRequest {
        topics: topics
            .map(|(name, ops)| proto::TopicConfigChange { name, ops })
            .collect(),
        validate_only,
        client: context.named(caller),
        ..Default::default()
    };
    let answer = context.metadata.alter_configs(rpc, DEFAULT_TIMEOUT).await?;
    let outcomes = answer.results.into_iter().map(|result| {
        if !validate_only {
            context.cache.upsert_topics(result.topic.as_slice());
        }
        outcome(result.error_code, result.error_message)
    });
    Ok(outcomes.collect())
}

/// Changes the defaults that topics share.
async fn alter_defaults(
    (context, caller): (&Context, &Caller),
    allowed: Allowed,
    validate_only: bool,
) -> Result<Vec<Outcome>, RpcError> {
    let rpc = proto::AlterConfigsRequest {
        cluster_ops: allowed.into_iter().flat_map(|(_, ops)| ops).collect(),
        validate_only,
        client: context.named(caller),
        ..Default::default()
    };
    let answer = context.metadata.alter_configs(rpc, DEFAULT_TIMEOUT).await?;
    if let Some(settings) = answer.settings {
        context.cache.set_settings(settings);
    }
    Ok(vec![match answer.cluster_result {
        Some(result) => outcome(result.error_code, result.error_message),
        None => Err((
            ErrorCode::UNKNOWN_SERVER_ERROR,
            "the metadata service did not say whether it changed the default".to_owned(),
        )),
    }])
}

/// Stores the outcomes of a call in their places.
fn settle(outcomes: &mut [Outcome], places: Vec<usize>, api: ApiKey, done: Result<Vec<Outcome>, RpcError>) {
    match done {
        Ok(done) => {
            for (place, outcome) in places.into_iter().zip(done) {
                outcomes[place] = outcome;
            }
        }
        Err(error) => {
            let error_code = failure::cluster_error(api, &error);
            for place in places {
                outcomes[place] = Err((error_code, error.to_string()));
            }
        }
    }
}

fn response((resource_type, resource_name): (i8, String), outcome: Outcome) -> AlterConfigsResourceResponse {
    AlterConfigsResourceResponse {
        resource_type,
        resource_name,
        ..outcome.err().unwrap_or_default().into()
    }
}

fn authorize(access: &Access, resource_type: i8, name: &str) -> Outcome {
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

fn unchangeable(resource: &Resource) -> &'static str {
    match resource {
        Resource::Broker(_) | Resource::AllBrokers => {
            "broker configs cannot be changed, except the default of max.uncompressed.batch.bytes for all brokers: change the cluster's settings on its page"
        }
        _ => "only topics, groups and client metrics have configs that can be changed",
    }
}

fn is_changeable_default(op: &proto::ConfigOp) -> bool {
    op.name == topic_configs::MAX_UNCOMPRESSED_BATCH_BYTES
}

fn is_deletion(op: &proto::ConfigOp) -> bool {
    op.kind() == Kind::Delete
}

/// As in Kafka, deleting a nonexistent config succeeds. A set one may be of a newer service than this agent.
fn without_unknown_deletions(context: &Context, topic: &str, mut ops: Vec<proto::ConfigOp>) -> Vec<proto::ConfigOp> {
    let catalogue = context.cache.catalogue();
    let is_set = |config: &str| {
        let topic = catalogue.topic_by_name(topic);
        topic.is_some_and(|topic| topic.configs.iter().any(|set| set.name == config))
    };
    ops.retain(|op| !is_deletion(op) || topic_configs::definition(&op.name).is_some() || is_set(&op.name));
    ops
}
