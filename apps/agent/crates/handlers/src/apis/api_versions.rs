//! ApiVersions: the APIs and versions that this agent supports.

use std::sync::Arc;

use penstock_wire::messages::api_versions::ApiVersion;
use penstock_wire::messages::{ApiVersionsRequest, ApiVersionsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};

pub(crate) async fn handle(_: Arc<Context>, _: Caller, request: ApiVersionsRequest) -> ApiVersionsResponse {
    tracing::debug!(
        name = request.client_software_name,
        version = request.client_software_version,
        "client software"
    );
    versions(ErrorCode::NONE)
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

    #[test]
    fn every_api_is_announced_with_the_versions_that_are_served() {
        let answer = versions(ErrorCode::NONE);
        assert_eq!(answer.api_keys.len(), ApiKey::ALL.len());
        for announced in &answer.api_keys {
            let key = ApiKey::from_code(announced.api_key).unwrap();
            assert_eq!(announced.max_version, *key.versions().end());
            assert!(announced.min_version == *key.versions().start() || key == ApiKey::Produce);
        }
    }

    #[test]
    fn produce_is_announced_from_version_0_so_that_librdkafka_compresses() {
        let produce = &versions(ErrorCode::NONE).api_keys[0];
        assert_eq!((produce.api_key, produce.min_version), (0, 0));
    }
}
