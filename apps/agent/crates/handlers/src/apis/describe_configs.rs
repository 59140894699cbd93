//! DescribeConfigs for topics, brokers, groups and client metrics.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::Operation;
use penstock_metadata_client::cache::{Catalogue, Topic};
use penstock_metadata_client::proto;
use penstock_wire::messages::describe_configs::{
    DescribeConfigsResource, DescribeConfigsResourceResult, DescribeConfigsResult, DescribeConfigsSynonym,
};
use penstock_wire::messages::{DescribeConfigsRequest, DescribeConfigsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::brokers::{Broker, BrokerView};
use crate::cluster::log_dir::LOG_DIR;
use crate::configs::client_metrics;
use crate::configs::config_resource::Resource;
use crate::configs::group_configs;
use crate::configs::topic_configs::{self, Definition, Entry, Kind, Source};
use crate::context::{Caller, Context};
use crate::conversions::failure;

type Refused = (ErrorCode, String);
type Described = Result<Vec<DescribeConfigsResourceResult>, Refused>;

/// The parts of each config that the client requested.
#[derive(Clone, Copy)]
struct Detail {
    synonyms: bool,
    documentation: bool,
}

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeConfigsRequest,
) -> DescribeConfigsResponse {
    let detail = Detail {
        synonyms: request.include_synonyms,
        documentation: request.include_documentation,
    };
    let access = context.access(&caller);
    let brokers = BrokerView::of(&context, &caller).brokers;
    let found = Found {
        topics: find_topics(&context, &request.resources).await,
        groups: find_group_configs(&context, &request.resources).await,
    };
    let results = request
        .resources
        .into_iter()
        .map(|resource| {
            let described =
                authorize(&access, &resource).and_then(|()| describe(&context, &brokers, &found, &resource, detail));
            answer(resource, described)
        })
        .collect();
    DescribeConfigsResponse {
        results,
        ..Default::default()
    }
}

fn authorize(access: &Access, resource: &DescribeConfigsResource) -> Result<(), Refused> {
    match Resource::of(resource.resource_type, &resource.resource_name).authority() {
        Some(authority) => access
            .check(Operation::DescribeConfigs, authority)
            .map_err(|error_code| {
                (
                    error_code,
                    "the client is not authorized to describe the configs".to_owned(),
                )
            }),
        None => Ok(()),
    }
}

type FoundTopics = Result<HashMap<String, Arc<Topic>>, Refused>;
type FoundGroupConfigs = Result<HashMap<String, proto::GroupConfigs>, Refused>;

/// The data from which the resources in a request are described.
struct Found {
    topics: FoundTopics,
    groups: FoundGroupConfigs,
}

/// Finds all topics in a request together.
async fn find_topics(context: &Context, resources: &[DescribeConfigsResource]) -> FoundTopics {
    let names: Vec<&str> = resources
        .iter()
        .filter_map(
            |resource| match Resource::of(resource.resource_type, &resource.resource_name) {
                Resource::Topic(name) => Some(name),
                _ => None,
            },
        )
        .collect();
    let found = context.topics_by_name(&names).await.map_err(|error| {
        let error_code = failure::cluster_error(ApiKey::DescribeConfigs, &error);
        (error_code, error.to_string())
    })?;
    let named = names.into_iter().zip(found);
    Ok(named
        .filter_map(|(name, topic)| Some((name.to_owned(), topic?)))
        .collect())
}

/// Finds the configs of all groups in a request together.
async fn find_group_configs(context: &Context, resources: &[DescribeConfigsResource]) -> FoundGroupConfigs {
    let group_ids: Vec<String> = resources
        .iter()
        .filter_map(
            |resource| match Resource::of(resource.resource_type, &resource.resource_name) {
                Resource::Group(group_id) => Some(group_id.to_owned()),
                _ => None,
            },
        )
        .collect();
    if group_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let groups = group_configs::describe(context, group_ids).await.map_err(|error| {
        let error_code = failure::coordinator_error(ApiKey::DescribeConfigs, &error);
        (error_code, error.to_string())
    })?;
    Ok(groups
        .into_iter()
        .map(|group| (group.group_id.clone(), group))
        .collect())
}

fn describe(
    context: &Context,
    brokers: &[Broker],
    found: &Found,
    resource: &DescribeConfigsResource,
    detail: Detail,
) -> Described {
    match Resource::of(resource.resource_type, &resource.resource_name) {
        Resource::Topic(name) => match found.topics.as_ref().map_err(Clone::clone)?.get(name) {
            Some(topic) => Ok(topic_results(context, topic, resource, detail)),
            None => Err((
                ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                format!("topic {name} does not exist"),
            )),
        },
        Resource::AllBrokers => Ok(cluster_results(context, resource, detail)),
        Resource::Broker(node_id) => match brokers.iter().find(|broker| broker.node_id == node_id) {
            Some(broker) => Ok(broker_results(context, broker, resource, detail)),
            None => Err((
                ErrorCode::INVALID_REQUEST,
                format!("there is no broker {node_id} in the client's zone"),
            )),
        },
        Resource::Group(name) => {
            let group = found.groups.as_ref().map_err(Clone::clone)?.get(name);
            let configs = group.map_or(&[][..], |group| &group.configs);
            Ok(configs.iter().map(|config| group_result(config, detail)).collect())
        }
        Resource::ClientMetrics(name) => Ok(client_metrics_results(context, name, detail)),
        Resource::Unsupported => Err((
            ErrorCode::INVALID_REQUEST,
            "only topics, brokers, groups and client metrics have configs".to_owned(),
        )),
    }
}

fn answer(resource: DescribeConfigsResource, described: Described) -> DescribeConfigsResult {
    let wanted = resource.configuration_keys.filter(|keys| !keys.is_empty());
    let mut result = DescribeConfigsResult {
        resource_type: resource.resource_type,
        resource_name: resource.resource_name,
        error_message: Some(String::new()),
        ..Default::default()
    };
    match described {
        Ok(mut configs) => {
            configs.retain(|config| wanted.as_ref().is_none_or(|keys| keys.contains(&config.name)));
            result.configs = configs;
        }
        Err((error_code, reason)) => {
            result.error_code = error_code;
            result.error_message = Some(reason);
        }
    }
    result
}

/// Returns true if the client requests a config by name.
fn names(resource: &DescribeConfigsResource, config: &str) -> bool {
    let keys = resource.configuration_keys.as_ref();
    keys.is_some_and(|keys| keys.iter().any(|key| key == config))
}

fn topic_results(
    context: &Context,
    topic: &Topic,
    resource: &DescribeConfigsResource,
    detail: Detail,
) -> Vec<DescribeConfigsResourceResult> {
    let catalogue = context.cache.catalogue();
    let mut entries = topic_configs::entries(&topic.configs);
    // Penstock's own defaults are shown only to clients that know them.
    let is_listed = |name: &str| entries.iter().any(|entry| entry.name == name);
    let asked: Vec<Entry> = topic_configs::DEFINITIONS
        .iter()
        .filter(|definition| names(resource, definition.name) && !is_listed(definition.name))
        .map(|definition| Entry {
            name: definition.name.to_owned(),
            value: definition.cluster_default(&catalogue),
            source: definition.default_source(),
        })
        .collect();
    entries.extend(asked);
    entries
        .into_iter()
        .map(|entry| topic_result(&catalogue, entry, detail))
        .collect()
}

fn topic_result(catalogue: &Catalogue, entry: Entry, detail: Detail) -> DescribeConfigsResourceResult {
    let definition = topic_configs::definition(&entry.name);
    let mut synonyms = Vec::new();
    if detail.synonyms {
        if entry.source == Source::Topic {
            synonyms.push(synonym(&entry.name, &entry.value, Source::Topic));
        }
        if let Some(definition) = definition.filter(|definition| !definition.broker_name.is_empty()) {
            synonyms.extend(default_synonyms(catalogue, definition));
        }
    }
    DescribeConfigsResourceResult {
        name: entry.name,
        value: Some(entry.value),
        is_default: entry.source == Source::Default,
        config_source: entry.source.code(),
        synonyms,
        config_type: definition.map_or(Kind::String, |definition| definition.kind).code(),
        documentation: detail
            .documentation
            .then(|| definition.map_or_else(String::new, |definition| definition.documentation.to_owned())),
        ..Default::default()
    }
}

fn group_result(config: &proto::GroupConfig, detail: Detail) -> DescribeConfigsResourceResult {
    let definition = group_configs::definition(&config.name);
    let source = if config.is_default {
        Source::Default
    } else {
        Source::Group
    };
    let mut synonyms = Vec::new();
    if detail.synonyms && source == Source::Group {
        synonyms.push(synonym(&config.name, &config.value, source));
    }
    if let Some(definition) = definition.filter(|_| detail.synonyms) {
        synonyms.push(synonym(definition.broker_name, definition.default, Source::Default));
    }
    DescribeConfigsResourceResult {
        name: config.name.clone(),
        value: Some(config.value.clone()),
        is_default: config.is_default,
        config_source: source.code(),
        synonyms,
        config_type: definition.map_or(Kind::String, |definition| definition.kind).code(),
        documentation: detail
            .documentation
            .then(|| definition.map_or_else(String::new, |definition| definition.documentation.to_owned())),
        ..Default::default()
    }
}

fn synonym(name: &str, value: &str, source: Source) -> DescribeConfigsSynonym {
    DescribeConfigsSynonym {
        name: name.to_owned(),
        value: Some(value.to_owned()),
        source: source.code(),
    }
}

fn client_metrics_results(context: &Context, name: &str, detail: Detail) -> Vec<DescribeConfigsResourceResult> {
    let configs = client_metrics::configs(context, name).into_iter();
    configs
        .map(|config| DescribeConfigsResourceResult {
            name: config.name.to_owned(),
            synonyms: if detail.synonyms {
                vec![synonym(config.name, &config.value, config.source)]
            } else {
                Vec::new()
            },
            value: Some(config.value),
            is_default: config.source == Source::Default,
            config_source: config.source.code(),
            config_type: config.kind.code(),
            documentation: detail.documentation.then(|| config.documentation.to_owned()),
            ..Default::default()
        })
        .collect()
}

/// The configs that clients and tools request from brokers.
fn broker_results(
    context: &Context,
    broker: &Broker,
    resource: &DescribeConfigsResource,
    detail: Detail,
) -> Vec<DescribeConfigsResourceResult> {
    let catalogue = context.cache.catalogue();
    let settings = &catalogue.settings;
    let of_cluster = [
        (
            "advertised.listeners",
            Kind::String,
            format!("PLAINTEXT://{}:{}", broker.host, broker.port),
        ),
        (
            "auto.create.topics.enable",
            Kind::Boolean,
            settings.auto_create_topics.to_string(),
        ),
        ("broker.id", Kind::Int, broker.node_id.to_string()),
        ("broker.rack", Kind::String, broker.rack.clone().unwrap_or_default()),
        ("default.replication.factor", Kind::Int, "1".to_owned()),
        ("delete.topic.enable", Kind::Boolean, "true".to_owned()),
        ("group.max.session.timeout.ms", Kind::Int, "1800000".to_owned()),
        ("group.min.session.timeout.ms", Kind::Int, "6000".to_owned()),
        ("log.dirs", Kind::String, LOG_DIR.to_owned()),
        ("num.partitions", Kind::Int, settings.default_partitions.to_string()),
        ("offset.metadata.max.bytes", Kind::Int, "4096".to_owned()),
        (
            "offsets.retention.minutes",
            Kind::Int,
            settings.offsets_retention_minutes.to_string(),
        ),
        ("producer.id.expiration.ms", Kind::Int, "86400000".to_owned()),
        ("transaction.max.timeout.ms", Kind::Int, "900000".to_owned()),
        ("transactional.id.expiration.ms", Kind::Int, "604800000".to_owned()),
    ];
    let of_cluster = of_cluster.into_iter().map(|(name, kind, value)| {
        let synonyms = vec![synonym(name, &value, Source::Broker)];
        broker_result((name, kind, value), Source::Broker, synonyms, detail)
    });
    let of_topics = topic_configs::DEFINITIONS
        .iter()
        .filter(|definition| {
            !definition.broker_name.is_empty() && is_shown_of_brokers(&catalogue, definition, resource)
        })
        .map(|definition| {
            let value = definition.cluster_default(&catalogue);
            let config = (definition.broker_name, definition.kind, value);
            let synonyms = default_synonyms(&catalogue, definition).collect();
            broker_result(config, definition.default_source(), synonyms, detail)
        });
    let mut results: Vec<DescribeConfigsResourceResult> = of_cluster.chain(of_topics).collect();
    results.sort_by(|a, b| a.name.cmp(&b.name));
    results
}

/// The defaults that all brokers share.
fn cluster_results(
    context: &Context,
    resource: &DescribeConfigsResource,
    detail: Detail,
) -> Vec<DescribeConfigsResourceResult> {
    let catalogue = context.cache.catalogue();
    topic_configs::cluster_defaults()
        .filter(|definition| is_shown_of_brokers(&catalogue, definition, resource))
        .map(|definition| {
            let value = definition.cluster_default(&catalogue);
            let synonyms = vec![synonym(definition.broker_name, &value, Source::Cluster)];
            let config = (definition.broker_name, definition.kind, value);
            broker_result(config, Source::Cluster, synonyms, detail)
        })
        .collect()
}

/// Penstock's own defaults are shown if they differ from those of new clusters, or on request.
fn is_shown_of_brokers(catalogue: &Catalogue, definition: &Definition, resource: &DescribeConfigsResource) -> bool {
    !topic_configs::is_our_own(definition.name)
        || definition.cluster_default(catalogue) != definition.default
        || names(resource, definition.name)
}

fn broker_result(
    (name, kind, value): (&str, Kind, String),
    source: Source,
    synonyms: Vec<DescribeConfigsSynonym>,
    detail: Detail,
) -> DescribeConfigsResourceResult {
    DescribeConfigsResourceResult {
        name: name.to_owned(),
        synonyms: if detail.synonyms { synonyms } else { Vec::new() },
        value: Some(value),
        read_only: name != topic_configs::MAX_UNCOMPRESSED_BATCH_BYTES,
        is_default: source == Source::Default,
        config_source: source.code(),
        config_type: kind.code(),
        documentation: detail.documentation.then(String::new),
        ..Default::default()
    }
}

/// The defaults of a broker or topic without its own value, by precedence.
fn default_synonyms(catalogue: &Catalogue, definition: &Definition) -> impl Iterator<Item = DescribeConfigsSynonym> {
    let of = |value: &str, source| synonym(definition.broker_name, value, source);
    let of_cluster = (definition.default_source() == Source::Cluster)
        .then(|| of(&definition.cluster_default(catalogue), Source::Cluster));
    of_cluster.into_iter().chain([of(definition.default, Source::Default)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{HOST, NODE_ID, TestAgent, caller, topic};

    async fn describe_one(agent: &TestAgent, resource: DescribeConfigsResource) -> DescribeConfigsResult {
        let request = DescribeConfigsRequest {
            resources: vec![resource],
            include_synonyms: true,
            include_documentation: true,
        };
        handle(agent.context(), caller(4), request).await.results.remove(0)
    }

    fn resource(resource_type: i8, name: &str) -> DescribeConfigsResource {
        DescribeConfigsResource {
            resource_type,
            resource_name: name.to_owned(),
            ..Default::default()
        }
    }

    #[tokio::test]
    async fn a_topic_config_has_its_source_and_its_default() {
        let config = proto::Config {
            name: "retention.ms".into(),
            value: "5".into(),
        };
        let agent = TestAgent::with_topics(&[proto::Topic {
            configs: vec![config],
            ..topic(1, "a", 1)
        }]);
        let result = describe_one(&agent, resource(2, "a")).await;
        assert_eq!(result.error_code, ErrorCode::NONE);
        let of = |name: &str| result.configs.iter().find(|config| config.name == name).unwrap();
        let set = of("retention.ms");
        assert_eq!(
            (set.value.as_deref(), set.config_source, set.config_type),
            (Some("5"), 1, 5)
        );
        let synonyms: Vec<(&str, i8)> = set
            .synonyms
            .iter()
            .map(|synonym| (synonym.name.as_str(), synonym.source))
            .collect();
        assert_eq!(synonyms, [("retention.ms", 1), ("log.retention.ms", 5)]);
        let default = of("cleanup.policy");
        assert_eq!((default.value.as_deref(), default.config_source), (Some("delete"), 5));
        assert!(!default.documentation.as_deref().unwrap().is_empty());
    }

    #[tokio::test]
    async fn returns_only_the_requested_configs() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let keys = Some(vec!["cleanup.policy".to_owned(), "no.such.config".to_owned()]);
        let result = describe_one(
            &agent,
            DescribeConfigsResource {
                configuration_keys: keys,
                ..resource(2, "a")
            },
        )
        .await;
        let names: Vec<&str> = result.configs.iter().map(|config| config.name.as_str()).collect();
        assert_eq!(names, ["cleanup.policy"]);
    }

    #[tokio::test]
    async fn a_broker_returns_the_clusters_settings_as_read_only() {
        let agent = TestAgent::new();
        agent.settings(true);
        let result = describe_one(&agent, resource(4, &NODE_ID.to_string())).await;
        let of = |name: &str| {
            result
                .configs
                .iter()
                .find(|config| config.name == name)
                .and_then(|config| config.value.clone())
        };
        assert_eq!(of("num.partitions").as_deref(), Some("3"));
        assert_eq!(of("offsets.retention.minutes").as_deref(), Some("10080"));
        assert_eq!(of("advertised.listeners"), Some(format!("PLAINTEXT://{HOST}:9092")));
        let of_brokers = result.configs.iter();
        let changeable = of_brokers
            .filter(|config| !config.read_only)
            .map(|config| config.name.as_str());
        assert_eq!(changeable.collect::<Vec<_>>(), ["max.uncompressed.batch.bytes"]);
    }

    #[tokio::test]
    async fn min_insync_replicas_is_a_default_of_the_cluster() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        agent.context.cache.set_settings(proto::ClusterSettings {
            max_uncompressed_batch_bytes: 64 << 20,
            ..Default::default()
        });
        let cluster = describe_one(&agent, resource(4, "")).await;
        let names: Vec<&str> = cluster.configs.iter().map(|config| config.name.as_str()).collect();
        assert_eq!(names, ["min.insync.replicas"]);
        let node_id = NODE_ID.to_string();
        for (resource_type, name, synonyms) in [(4, "", &[3][..]), (4, &node_id, &[3, 5]), (2, "a", &[3, 5])] {
            let described = describe_one(&agent, resource(resource_type, name)).await;
            let of = |config: &&DescribeConfigsResourceResult| config.name == "min.insync.replicas";
            let config = described.configs.iter().find(of).unwrap();
            assert_eq!(
                (config.value.as_deref(), config.config_source),
                (Some("1"), 3),
                "{name}"
            );
            let told: Vec<i8> = config.synonyms.iter().map(|synonym| synonym.source).collect();
            assert_eq!(told, synonyms, "{name}");
        }
    }

    #[tokio::test]
    async fn the_uncompressed_batch_limit_is_a_changeable_default() {
        let name = topic_configs::MAX_UNCOMPRESSED_BATCH_BYTES;
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let node_id = NODE_ID.to_string();
        let resources = [(4, ""), (4, node_id.as_str()), (2, "a")];
        for (bytes, is_listed) in [(1 << 20, [true, true, false]), (64 << 20, [false; 3])] {
            agent.context.cache.set_settings(proto::ClusterSettings {
                max_uncompressed_batch_bytes: bytes,
                ..Default::default()
            });
            for ((resource_type, resource_name), is_listed) in resources.into_iter().zip(is_listed) {
                let all = describe_one(&agent, resource(resource_type, resource_name)).await;
                let listed = all.configs.iter().any(|config| config.name == name);
                assert_eq!(listed, is_listed, "{bytes} {resource_type} {resource_name}");
                let asked = DescribeConfigsResource {
                    configuration_keys: Some(vec![name.to_owned()]),
                    ..resource(resource_type, resource_name)
                };
                let described = describe_one(&agent, asked).await;
                let [config] = described.configs.as_slice() else {
                    panic!("{described:?}");
                };
                assert_eq!(
                    (config.value.clone(), config.config_source),
                    (Some(bytes.to_string()), 3)
                );
                assert!(!config.read_only);
                let synonyms: Vec<_> = config.synonyms.iter().map(|of| (of.value.clone(), of.source)).collect();
                let cluster = (Some(bytes.to_string()), 3);
                let default = (Some("67108864".to_owned()), 5);
                let expected = if resource_name.is_empty() {
                    vec![cluster]
                } else {
                    vec![cluster, default]
                };
                assert_eq!(synonyms, expected);
            }
        }
    }

    #[tokio::test]
    async fn refuses_unknown_resources_by_name() {
        let agent = TestAgent::new();
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let absent = describe_one(&agent, resource(2, "absent")).await;
        assert_eq!(absent.error_code, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
        for (resource_type, name) in [(4, "99"), (4, "x"), (8, "1"), (16, ""), (32, "")] {
            let refused = describe_one(&agent, resource(resource_type, name)).await;
            assert_eq!(refused.error_code, ErrorCode::INVALID_REQUEST, "{resource_type} {name}");
        }
    }

    #[tokio::test]
    async fn a_group_config_has_its_source_and_its_default() {
        let agent = TestAgent::new();
        let config = |name: &str, value: &str, is_default| proto::GroupConfig {
            name: name.to_owned(),
            value: value.to_owned(),
            is_default,
        };
        let configs = vec![
            config("consumer.heartbeat.interval.ms", "3000", false),
            config("consumer.session.timeout.ms", "45000", true),
        ];
        let groups = vec![proto::GroupConfigs {
            group_id: "g".to_owned(),
            configs,
        }];
        agent
            .metadata
            .answer("DescribeGroupConfigs", &proto::DescribeGroupConfigsResponse { groups });
        let described = describe_one(&agent, resource(32, "g")).await;
        let told: Vec<_> = described
            .configs
            .iter()
            .map(|config| {
                let synonyms: Vec<_> = config
                    .synonyms
                    .iter()
                    .map(|synonym| format!("{}={}", synonym.name, synonym.value.as_deref().unwrap()))
                    .collect();
                (
                    config.value.as_deref().unwrap(),
                    config.config_source,
                    config.config_type,
                    synonyms.join(", "),
                )
            })
            .collect();
        let set = "consumer.heartbeat.interval.ms=3000, group.consumer.heartbeat.interval.ms=5000".to_owned();
        let default = "group.consumer.session.timeout.ms=45000".to_owned();
        let expected = [("3000", 8, 3, set), ("45000", 5, 3, default)];
        assert_eq!(told, expected);
    }

    #[tokio::test]
    async fn a_client_metrics_subscription_has_set_and_default_values() {
        let agent = TestAgent::new();
        let metrics = proto::Config {
            name: "metrics".to_owned(),
            value: "x.".to_owned(),
        };
        agent.context.cache.set_settings(proto::ClusterSettings {
            client_metrics: vec![proto::ClientMetricsSubscription {
                name: "s".to_owned(),
                configs: vec![metrics],
            }],
            ..Default::default()
        });
        let described = describe_one(&agent, resource(16, "s")).await;
        let seen: Vec<(&str, Option<&str>, i8)> = described
            .configs
            .iter()
            .map(|config| (config.name.as_str(), config.value.as_deref(), config.config_source))
            .collect();
        let expected = [
            ("interval.ms", Some("300000"), 5),
            ("match", Some(""), 5),
            ("metrics", Some("x."), 7),
        ];
        assert_eq!(seen, expected);
    }
}
