//! UpdateFeatures: clients cannot change feature levels, so every update is refused unless it requests the current
//! level.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::ErrorCode;
use penstock_wire::messages::update_features::{FeatureUpdateKey, UpdatableFeatureResult};
use penstock_wire::messages::{UpdateFeaturesRequest, UpdateFeaturesResponse};

use crate::apis::api_versions;
use crate::context::{Caller, Context};

/// First version with a single error for all features.
const ONE_ERROR_FROM: i16 = 2;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: UpdateFeaturesRequest,
) -> UpdateFeaturesResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Alter, Resource::CLUSTER) {
        return (error_code, "the client is not authorized to update features".to_owned()).into();
    }
    if caller.version >= ONE_ERROR_FROM {
        let mut updates = request.feature_updates.iter();
        let refused = updates.find_map(refusal);
        return refused.unwrap_or_default().into();
    }
    let result = |update: &FeatureUpdateKey| UpdatableFeatureResult {
        feature: update.feature.clone(),
        ..refusal(update).unwrap_or_default().into()
    };
    UpdateFeaturesResponse {
        results: request.feature_updates.iter().map(result).collect(),
        ..Default::default()
    }
}

/// Returns `None` if the feature already has that level.
fn refusal(update: &FeatureUpdateKey) -> Option<(ErrorCode, String)> {
    let is_so_already = api_versions::finalized_features()
        .iter()
        .any(|feature| feature.name == update.feature && feature.max_version_level == update.max_version_level);
    let reason = || {
        format!(
            "Invalid update version {} for feature {}. The features of a Penstock cluster cannot be changed by clients.",
            update.max_version_level, update.feature
        )
    };
    (!is_so_already).then(|| (ErrorCode::INVALID_UPDATE_VERSION, reason()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn refuses_an_update_in_the_format_of_its_version() {
        let request = UpdateFeaturesRequest {
            feature_updates: vec![FeatureUpdateKey {
                feature: "metadata.version".to_owned(),
                max_version_level: 20,
                ..Default::default()
            }],
            ..Default::default()
        };
        let refused = ErrorCode::INVALID_UPDATE_VERSION;
        let newer = handle(TestAgent::new().context(), caller(2), request.clone()).await;
        assert_eq!((newer.error_code, newer.results.len()), (refused, 0));
        let older = handle(TestAgent::new().context(), caller(1), request).await;
        assert_eq!(
            (older.error_code, older.results[0].error_code),
            (ErrorCode::NONE, refused)
        );
    }

    #[tokio::test]
    async fn accepts_an_update_to_the_current_level() {
        let update = |feature: &str, max_version_level| FeatureUpdateKey {
            feature: feature.to_owned(),
            max_version_level,
            ..Default::default()
        };
        let request = UpdateFeaturesRequest {
            feature_updates: vec![update("transaction.version", 2)],
            ..Default::default()
        };
        let newer = handle(TestAgent::new().context(), caller(2), request.clone()).await;
        assert_eq!((newer.error_code, newer.error_message), (ErrorCode::NONE, None));
        let older = handle(TestAgent::new().context(), caller(1), request).await;
        assert_eq!(older.results[0].error_code, ErrorCode::NONE);
        let both = UpdateFeaturesRequest {
            feature_updates: vec![update("transaction.version", 2), update("transaction.version", 1)],
            ..Default::default()
        };
        let refused = handle(TestAgent::new().context(), caller(2), both).await;
        assert_eq!(refused.error_code, ErrorCode::INVALID_UPDATE_VERSION);
    }
}
