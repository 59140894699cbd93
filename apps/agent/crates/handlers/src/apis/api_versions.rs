//! ApiVersions: the APIs and versions that this agent supports, and the features by which clients choose how to use them.

use std::sync::Arc;

use penstock_wire::messages::api_versions::{ApiVersion, FinalizedFeatureKey, SupportedFeatureKey};
use penstock_wire::messages::{ApiVersionsRequest, ApiVersionsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::client_software::ClientSoftware;
use crate::context::{Caller, Context};

/// The features and their levels. Consumers may use the protocol of KIP-848. Producers need not add partitions to a transaction, and get
/// a new epoch with each (KIP-890).
const FEATURES: [(&str, i16); 2] = [("group.version", 1), ("transaction.version", 2)];
/// Clients take over features of a higher epoch than the last that they saw. Here they never change while a broker runs.
const FEATURES_EPOCH: i64 = 1;
/// From this version on, clients can read a feature whose lowest level is 0.
const LEVEL_0_FROM: i16 = 4;

pub(crate) async fn handle(_: Arc<Context>, caller: Caller, request: ApiVersionsRequest) -> ApiVersionsResponse {
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
    if !software.name.is_empty() && caller.software.set(software).is_err() {
        tracing::debug!("the client has said before what it is");
    }
    let mut response = versions(ErrorCode::NONE);
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
    let api_keys = ApiKey::ALL
        .iter()
        .map(|key| ApiVersion {
            api_key: key.code(),
            min_version: first_announced(*key),
            max_version: *key.versions().end(),
        })
        .collect();
    ApiVersionsResponse {
        error_code,
        api_keys,
        finalized_features_epoch: FEATURES_EPOCH,
        finalized_features: FEATURES
            .map(|(name, level)| FinalizedFeatureKey {
                name: name.to_owned(),
                max_version_level: level,
                min_version_level: level,
            })
            .to_vec(),
        ..Default::default()
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
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[test]
    fn every_api_is_announced_with_the_versions_that_are_served() {
        let answer = versions(ErrorCode::NONE);
        let announced: Vec<i16> = answer.api_keys.iter().map(|api| api.api_key).collect();
        let served: Vec<i16> = ApiKey::ALL.iter().map(|key| key.code()).collect();
        assert_eq!(announced, served);
        for announced in &answer.api_keys {
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

    #[test]
    fn produce_is_announced_from_version_0_so_that_librdkafka_compresses() {
        let produce = &versions(ErrorCode::NONE).api_keys[0];
        assert_eq!((produce.api_key, produce.min_version), (0, 0));
    }
}
