//! UpdateFeatures: there are no feature levels that a client could change, so all is refused but what is so already.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::ErrorCode;
use penstock_wire::messages::update_features::{FeatureUpdateKey, UpdatableFeatureResult};
use penstock_wire::messages::{UpdateFeaturesRequest, UpdateFeaturesResponse};

use crate::apis::api_versions;
use crate::context::{Caller, Context};

/// From this version on there is one error for all features.
const ONE_ERROR_FROM: i16 = 2;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: UpdateFeaturesRequest,
) -> UpdateFeaturesResponse {
    if let Err(error_code) = context.access(&caller).check(Operation::Alter, Resource::CLUSTER) {
        return UpdateFeaturesResponse {
            error_code,
            error_message: Some("the client is not authorized to update features".to_owned()),
            ..Default::default()
        };
    }
    if caller.version >= ONE_ERROR_FROM {
        let refused = request
            .feature_updates
            .iter()
            .find(|update| !is_so_already(&context, update));
        return UpdateFeaturesResponse {
            error_code: refused.map_or(ErrorCode::NONE, |_| ErrorCode::INVALID_UPDATE_VERSION),
            error_message: refused.map(reason),
            ..Default::default()
        };
    }
    let result = |update: FeatureUpdateKey| {
        let is_refused = !is_so_already(&context, &update);
        UpdatableFeatureResult {
            error_code: if is_refused {
                ErrorCode::INVALID_UPDATE_VERSION
            } else {
                ErrorCode::NONE
            },
            error_message: is_refused.then(|| reason(&update)),
            feature: update.feature,
        }
    };
    UpdateFeaturesResponse {
        results: request.feature_updates.into_iter().map(result).collect(),
        ..Default::default()
    }
}

fn is_so_already(context: &Context, update: &FeatureUpdateKey) -> bool {
    api_versions::finalized_features(context)
        .iter()
        .any(|feature| feature.name == update.feature && feature.max_version_level == update.max_version_level)
}

fn reason(update: &FeatureUpdateKey) -> String {
    format!(
        "Invalid update version {} for feature {}. The features of a Penstock cluster cannot be changed by clients.",
        update.max_version_level, update.feature
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn an_update_is_refused_in_the_form_of_its_version() {
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
    async fn an_update_to_the_level_that_a_feature_has_is_no_update() {
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
