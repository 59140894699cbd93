//! ApiVersions: the APIs and versions that this agent supports, and the features that clients consult.

use std::sync::Arc;

use penstock_client_metrics::ClientSoftware;
use penstock_wire::messages::api_versions::{ApiVersion, FinalizedFeatureKey, SupportedFeatureKey};
use penstock_wire::messages::{ApiVersionsRequest, ApiVersionsResponse};
use penstock_wire::{ApiKey, ErrorCode, announced_refusals};

use crate::context::{Caller, Context};

/// The features and their levels. Consumers can use the protocol of KIP-848. Producers need not add partitions to a
/// transaction, and get a new epoch with each (KIP-890).
const FEATURES: [(&str, i16); 2] = [("group.version", 1), ("transaction.version", 2)];
/// Clients adopt features with a higher epoch than the last. These never change.
const FEATURES_EPOCH: i64 = 1;
/// First version whose clients can read a feature with minimum level 0.
const LEVEL_0_FROM: i16 = 4;

pub(crate) async fn handle(_: Arc<Context>, caller: Caller, request: ApiVersionsRequest) -> ApiVersionsResponse {
    tracing::debug!(
        name = request.client_software_name,
        version = request.client_software_version,
        "client software"
    );
    // A client says this once, but some request the versions again.
    let software = ClientSoftware {
        name: request.client_software_name,
        version: request.client_software_version,
    };
    if !software.name.is_empty() && caller.client.software.set(software).is_err() {
        tracing::debug!("the client has already named its software");
    }
    let mut response = ApiVersionsResponse {
        finalized_features_epoch: FEATURES_EPOCH,
        finalized_features: finalized_features(),
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

/// The list of versions, with [`ErrorCode::UNSUPPORTED_VERSION`] if the client's request had an unknown version.
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

/// The features of the cluster.
pub(crate) fn finalized_features() -> Vec<FinalizedFeatureKey> {
    FEATURES
        .map(|(name, level)| FinalizedFeatureKey {
            name: name.to_owned(),
            max_version_level: level,
            min_version_level: level,
        })
        .to_vec()
}

/// The first announced version. librdkafka compresses only if the broker announces Produce from version 0. Kafka 4
/// therefore does so, although neither serves versions 0 to 2.
fn first_announced(key: ApiKey) -> i16 {
    match key {
        ApiKey::Produce => 0,
        other => *other.versions().start(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[test]
    fn announces_every_api_with_its_served_versions() {
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
    async fn announces_new_groups_and_second_version_transactions() {
        for version in [3, 4] {
            let agent = TestAgent::new();
            let answer = handle(agent.context(), caller(version), ApiVersionsRequest::default()).await;
            let finalized: Vec<_> = answer
                .finalized_features
                .iter()
                .map(|feature| (feature.name.as_str(), feature.max_version_level))
                .collect();
            assert_eq!(finalized, FEATURES);
            // Older clients cannot read level 0.
            assert_eq!(answer.supported_features.is_empty(), version < LEVEL_0_FROM);
        }
    }

    #[test]
    fn announces_share_apis_so_that_clients_get_the_refusal() {
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
    fn announces_produce_version_0_so_that_librdkafka_compresses() {
        let produce = &versions(ErrorCode::NONE).api_keys[0];
        assert_eq!((produce.api_key, produce.min_version), (0, 0));
    }
}
