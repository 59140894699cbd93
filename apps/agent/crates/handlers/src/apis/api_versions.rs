//! ApiVersions: the APIs and versions that this agent supports, and the features by which clients choose how to use them.

use std::sync::Arc;

use penstock_wire::messages::api_versions::{ApiVersion, FinalizedFeatureKey, SupportedFeatureKey};
use penstock_wire::messages::{ApiVersionsRequest, ApiVersionsResponse};
use penstock_wire::{ApiKey, ErrorCode, announced_refusals};

use crate::clients::client_software::ClientSoftware;
use crate::context::{Caller, Context};

/// The features and their levels. Consumers may use the protocol of KIP-848. Producers need not add partitions to a transaction, and get
/// a new epoch with each (KIP-890).
const FEATURES: [(&str, i16); 2] = [("group.version", 1), ("transaction.version", 2)];
/// The rules level from which on a cluster has groups of that protocol, and transactions.
const FEATURES_FROM: u32 = 4;
/// Clients take over features of a higher epoch than the last that they saw. The features of a cluster change once, when its level is raised.
const EPOCH_WITHOUT_FEATURES: i64 = 0;
const EPOCH_WITH_FEATURES: i64 = 1;
/// From this version on, clients can read a feature whose lowest level is 0.
const LEVEL_0_FROM: i16 = 4;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: ApiVersionsRequest) -> ApiVersionsResponse {
    tracing::debug!(
        name = request.client_software_name,
        version = request.client_software_version,
        "client software"
    );
    // A client says it once; some ask for the versions again.
    let software = ClientSoftware {
        name: request.client_software_name,
        version: request.client_software_version,
    };
    if !software.name.is_empty() && caller.client.software.set(software).is_err() {
        tracing::debug!("the client has said before what it is");
    }
    let finalized_features = finalized_features(&context);
    let mut response = ApiVersionsResponse {
        finalized_features_epoch: if finalized_features.is_empty() {
            EPOCH_WITHOUT_FEATURES
        } else {
            EPOCH_WITH_FEATURES
        },
        finalized_features,
        ..versions(ErrorCode::NONE)
    };
    if caller.version >= LEVEL_0_FROM {
        response.supported_features = FEATURES
            .map(|(name, max_version)| SupportedFeatureKey {
                name: name.to_owned(),
                min_version: 0,
                max_version,
            })
            .to_vec();
    }
    response
}

/// The list, with [`ErrorCode::UNSUPPORTED_VERSION`] for a client that asked in a version that we do not know.
pub(crate) fn versions(error_code: ErrorCode) -> ApiVersionsResponse {
    let served = ApiKey::ALL.iter().map(|key| ApiVersion {
        api_key: key.code(),
        min_version: first_announced(*key),
        max_version: *key.versions().end(),
    });
    let refused = announced_refusals().map(|(api_key, min_version, max_version)| ApiVersion {
        api_key,
        min_version,
        max_version,
    });
    let mut api_keys: Vec<_> = served.chain(refused).collect();
    api_keys.sort_unstable_by_key(|api| api.api_key);
    ApiVersionsResponse {
        error_code,
        api_keys,
        ..Default::default()
    }
}

/// The features that the cluster has. As in Kafka, one of level 0 is left out.
pub(crate) fn finalized_features(context: &Context) -> Vec<FinalizedFeatureKey> {
    match context.cache.catalogue().settings.rules_level {
        // An older service does not tell.
        level if level == 0 || level >= FEATURES_FROM => FEATURES
            .map(|(name, level)| FinalizedFeatureKey {
                name: name.to_owned(),
                max_version_level: level,
                min_version_level: level,
            })
            .to_vec(),
        _ => Vec::new(),
    }
}

/// librdkafka compresses only when the broker announces Produce from version 0 on, as Kafka 4 therefore does, though
/// neither serves versions 0 to 2.
fn first_announced(key: ApiKey) -> i16 {
    match key {
        ApiKey::Produce => 0,
        other => *other.versions().start(),
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto;

    use super::*;
    use crate::testing::{TestAgent, caller};

    #[test]
    fn every_api_is_announced_with_the_versions_that_are_served() {
        let answer = versions(ErrorCode::NONE);
        let is_refused = |api: &&ApiVersion| announced_refusals().any(|(key, ..)| key == api.api_key);
        let served: Vec<_> = answer.api_keys.iter().filter(|api| !is_refused(api)).collect();
        let keys: Vec<i16> = served.iter().map(|api| api.api_key).collect();
        let all: Vec<i16> = ApiKey::ALL.iter().map(|key| key.code()).collect();
        assert_eq!(keys, all);
        for announced in served {
            let key = ApiKey::from_code(announced.api_key).unwrap();
            assert_eq!(announced.max_version, *key.versions().end());
            assert!(announced.min_version == *key.versions().start() || key == ApiKey::Produce);
        }
    }

    #[tokio::test]
    async fn clients_learn_that_there_are_groups_of_the_new_protocol_and_transactions_of_the_second_version() {
        for version in [3, 4] {
            let agent = TestAgent::new();
            let answer = handle(agent.context(), caller(version), ApiVersionsRequest::default()).await;
            let finalized: Vec<_> = answer
                .finalized_features
                .iter()
                .map(|feature| (feature.name.as_str(), feature.max_version_level))
                .collect();
            assert_eq!(finalized, FEATURES);
            // Older clients cannot read a level of 0.
            assert_eq!(answer.supported_features.is_empty(), version < LEVEL_0_FROM);
        }
    }

    #[tokio::test]
    async fn a_cluster_below_their_rules_level_has_no_features_until_it_is_raised() {
        let agent = TestAgent::new();
        let mut seen = Vec::new();
        for rules_level in [3, 4, 5] {
            agent.context.cache.set_settings(proto::ClusterSettings {
                rules_level,
                ..Default::default()
            });
            let answer = handle(agent.context(), caller(4), ApiVersionsRequest::default()).await;
            assert_eq!(answer.supported_features.len(), FEATURES.len());
            seen.push((answer.finalized_features.len(), answer.finalized_features_epoch));
        }
        assert_eq!(seen, [(0, EPOCH_WITHOUT_FEATURES), (2, 1), (2, 1)]);
    }

    #[test]
    fn share_consumers_find_their_apis_so_that_they_get_the_refusal() {
        let answer = versions(ErrorCode::NONE);
        let refused = answer
            .api_keys
            .iter()
            .filter(|api| ApiKey::from_code(api.api_key).is_none());
        let refused: Vec<_> = refused
            .map(|api| (api.api_key, api.min_version, api.max_version))
            .collect();
        assert_eq!(refused, [(76, 1, 1), (78, 1, 2), (79, 1, 2)]);
    }

    #[test]
    fn produce_is_announced_from_version_0_so_that_librdkafka_compresses() {
        let produce = &versions(ErrorCode::NONE).api_keys[0];
        assert_eq!((produce.api_key, produce.min_version), (0, 0));
    }
}
