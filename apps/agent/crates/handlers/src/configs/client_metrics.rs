//! Client metrics subscriptions (KIP-714): config resources of type CLIENT_METRICS. They are part of the cluster's
//! settings, so that every agent knows them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use penstock_client_metrics::ClientSoftware;
use penstock_client_metrics::client_subscriptions::{Wanted, compile, items, value};
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_wire::{ErrorCode, Uuid};

use crate::configs::config_outcome::{Outcome, Refusal, outcome};
use crate::configs::topic_configs::{Kind, Source};
use crate::context::{Caller, Context};

/// Value for software details that a client has not sent, as in Kafka: ClientInformation.UNKNOWN_NAME_OR_VERSION.
const UNKNOWN: &str = "unknown";

/// The names of the configs.
pub(crate) const NAMES: [&str; 3] = ["interval.ms", "match", "metrics"];
/// A config of a subscription, as shown by DescribeConfigs.
pub(crate) struct Config {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) kind: Kind,
    pub(crate) source: Source,
    pub(crate) documentation: &'static str,
}

/// All configs of a subscription. As in Kafka, a nonexistent one has the defaults.
pub(crate) fn configs(context: &Context, name: &str) -> Vec<Config> {
    let catalogue = context.cache.catalogue();
    let subscription = catalogue
        .settings
        .client_metrics
        .iter()
        .find(|found| found.name == name);
    NAMES
        .into_iter()
        .map(|config| {
            let set = subscription.and_then(|found| value(found, config));
            let (kind, default, documentation) = definition(config);
            Config {
                name: config,
                value: set.unwrap_or(default).to_owned(),
                kind,
                source: if set.is_some() {
                    Source::ClientMetrics
                } else {
                    Source::Default
                },
                documentation,
            }
        })
        .collect()
}

fn definition(config: &str) -> (Kind, &'static str, &'static str) {
    match config {
        "interval.ms" => (
            Kind::Int,
            "300000",
            "How often clients push their metrics, in milliseconds.",
        ),
        "match" => (
            Kind::List,
            "",
            "Which clients push: pairs like client_id=<regular expression>. All must match; without any, all clients push.",
        ),
        _ => (
            Kind::List,
            "",
            "Which metrics clients push: prefixes of their names, or * for all.",
        ),
    }
}

/// The names of all subscriptions.
pub(crate) fn names(context: &Context) -> Vec<String> {
    let catalogue = context.cache.catalogue();
    let subscriptions = catalogue.settings.client_metrics.iter();
    subscriptions.map(|found| found.name.clone()).collect()
}

/// Changes subscriptions. Returns the outcomes in the same order.
///
/// # Errors
/// Returns an error if the owner is unreachable.
pub(crate) async fn alter(
    (context, caller): (&Context, &Caller),
    changes: Vec<(String, Vec<proto::ConfigOp>)>,
    validate_only: bool,
) -> Result<Vec<Outcome>, RpcError> {
    // The service does not compile regular expressions, so invalid ones are refused here.
    let mut outcomes: Vec<Outcome> = changes.iter().map(|(_, ops)| check_patterns(ops)).collect();
    let allowed = changes.into_iter().zip(&outcomes);
    let subscriptions: Vec<proto::ClientMetricsChange> = allowed
        .filter(|(_, outcome)| outcome.is_ok())
        .map(|((name, ops), _)| proto::ClientMetricsChange { name, ops })
        .collect();
    if subscriptions.is_empty() {
        return Ok(outcomes);
    }
    let rpc = proto::AlterClientMetricsRequest {
        subscriptions,
        validate_only,
        client: context.named(caller),
    };
    let answer = context.metadata.alter_client_metrics(rpc, DEFAULT_TIMEOUT).await?;
    if let Some(settings) = answer.settings {
        context.cache.set_settings(settings);
    }
    let asked = outcomes.iter_mut().filter(|outcome| outcome.is_ok());
    for (place, result) in asked.zip(answer.results) {
        *place = outcome(result.error_code, result.error_message);
    }
    Ok(outcomes)
}

fn check_patterns(ops: &[proto::ConfigOp]) -> Outcome {
    let matches = ops
        .iter()
        .filter(|op| op.name == "match" && op.kind() != proto::config_op::Kind::Delete);
    for op in matches {
        for pattern in items(&op.value) {
            // Text without a `=` is left to the service to refuse.
            if let Some((_, expression)) = pattern.split_once('=') {
                compile(expression).map_err(|_| illegal(pattern))?;
            }
        }
    }
    Ok(())
}

fn illegal(pattern: &str) -> Refusal {
    (
        ErrorCode::INVALID_CONFIG,
        format!("Illegal client matching pattern: {pattern}"),
    )
}

/// The metrics that the client should push.
pub(crate) fn wanted(context: &Context, caller: &Caller, instance: Uuid) -> Wanted {
    let software = |part: fn(&ClientSoftware) -> &String| {
        caller
            .client
            .software
            .get()
            .map_or(UNKNOWN.to_owned(), |said| part(said).clone())
    };
    let attribute = |key: &str| match key {
        "client_id" => Some(caller.client_id.clone()),
        "client_instance_id" => Some(kafka_text(instance)),
        "client_software_name" => Some(software(|software| &software.name)),
        "client_software_version" => Some(software(|software| &software.version)),
        "client_source_address" => Some(caller.client.host.to_string()),
        "client_source_port" => Some(caller.client.port.to_string()),
        _ => None,
    };
    let settings = &context.cache.catalogue().settings.client_metrics;
    context
        .client_metrics
        .subscriptions
        .wanted(settings, attribute, instance)
}

/// The id as shown by Kafka's tools.
fn kafka_text(id: Uuid) -> String {
    URL_SAFE_NO_PAD.encode(id.0)
}

#[cfg(test)]
mod tests {
    use penstock_client_metrics::client_subscriptions::DEFAULT_INTERVAL_MS;

    use super::*;
    use crate::testing::{TestAgent, caller, wire_id};

    fn subscription(name: &str, configs: &[(&str, &str)]) -> proto::ClientMetricsSubscription {
        let config = |(name, value): &(&str, &str)| proto::Config {
            name: (*name).to_owned(),
            value: (*value).to_owned(),
        };
        proto::ClientMetricsSubscription {
            name: name.to_owned(),
            configs: configs.iter().map(config).collect(),
        }
    }

    fn agent(subscriptions: Vec<proto::ClientMetricsSubscription>) -> TestAgent {
        let agent = TestAgent::new();
        agent.context.cache.set_settings(proto::ClusterSettings {
            client_metrics: subscriptions,
            ..Default::default()
        });
        agent
    }

    fn wanted(agent: &TestAgent) -> Wanted {
        let caller = caller(0);
        let software = ClientSoftware {
            name: "apache-kafka-java".to_owned(),
            version: "4.3.1".to_owned(),
        };
        caller.client.software.set(software).unwrap();
        super::wanted(&agent.context, &caller, wire_id(3))
    }

    #[test]
    fn a_client_pushes_the_metrics_of_its_matching_subscriptions() {
        let none = wanted(&agent(Vec::new()));
        assert_eq!((none.metrics.len(), none.interval_ms), (0, DEFAULT_INTERVAL_MS));
        let two = agent(vec![
            subscription("a", &[("metrics", "x.,y."), ("interval.ms", "60000")]),
            subscription(
                "b",
                &[
                    ("metrics", "y.,z."),
                    ("match", "client_id=te.*,client_software_version=4\\.3.*"),
                ],
            ),
            subscription("c", &[("metrics", "other."), ("match", "client_id=te")]),
        ]);
        let both = wanted(&two);
        assert_eq!(
            (both.metrics.as_slice(), both.interval_ms),
            (&["x.", "y.", "z."].map(str::to_owned)[..], 60_000)
        );
        assert_ne!(both.subscription_id, none.subscription_id);
        let all = wanted(&agent(vec![subscription("a", &[("metrics", "x.,*")])]));
        assert_eq!(all.metrics, ["*"]);
    }

    #[test]
    fn a_subscription_can_match_each_client_attribute() {
        let instance = kafka_text(wire_id(3));
        for (pattern, expected) in [
            ("client_id=tests".to_owned(), true),
            (format!("client_instance_id={instance}"), true),
            ("client_software_name=apache-kafka-java".to_owned(), true),
            ("client_software_name=librdkafka".to_owned(), false),
            ("client_source_address=127\\.0\\.0\\.1".to_owned(), true),
            ("client_source_port=\\d+".to_owned(), true),
            ("client_source_port=1".to_owned(), false),
        ] {
            let agent = agent(vec![subscription(
                "a",
                &[("metrics", "*"), ("match", pattern.as_str())],
            )]);
            assert_eq!(!wanted(&agent).metrics.is_empty(), expected, "{pattern}");
        }
    }

    #[tokio::test]
    async fn refuses_invalid_patterns_and_passes_the_rest_to_the_owner() {
        let agent = TestAgent::new();
        let done = proto::AlterClientMetricsResponse {
            results: vec![proto::AclResult {
                error_code: 42,
                error_message: "no".to_owned(),
            }],
            settings: Some(proto::ClusterSettings {
                client_metrics: vec![subscription("kept", &[("metrics", "x.")])],
                ..Default::default()
            }),
        };
        agent.metadata.answer("AlterClientMetrics", &done);
        let set = |name: &str, value: &str| proto::ConfigOp {
            kind: proto::config_op::Kind::Set.into(),
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let changes = vec![
            ("bad".to_owned(), vec![set("match", "client_id=(")]),
            ("good".to_owned(), vec![set("match", "client_id=a.*")]),
        ];
        let outcomes = alter((&agent.context, &caller(1)), changes, false).await.unwrap();
        let codes: Vec<Option<ErrorCode>> = outcomes
            .into_iter()
            .map(|outcome| outcome.err().map(|(code, _)| code))
            .collect();
        assert_eq!(
            codes,
            [Some(ErrorCode::INVALID_CONFIG), Some(ErrorCode::INVALID_REQUEST)]
        );
        let asked = agent
            .metadata
            .requests::<proto::AlterClientMetricsRequest>("AlterClientMetrics");
        assert_eq!(asked[0].subscriptions.len(), 1);
        assert_eq!(asked[0].client, agent.context.named(&caller(1)));
        assert_eq!(names(&agent.context), ["kept"]);
    }
}
