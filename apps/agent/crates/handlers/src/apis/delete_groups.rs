//! DeleteGroups: empty ones only.

use std::sync::Arc;

use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::delete_groups::DeletableGroupResult;
use penstock_wire::messages::{DeleteGroupsRequest, DeleteGroupsResponse};

use crate::context::{Caller, Context};
use crate::failure;

pub(crate) async fn handle(context: Arc<Context>, _: Caller, request: DeleteGroupsRequest) -> DeleteGroupsResponse {
    let group_ids = request.groups_names;
    let rpc = proto::DeleteGroupsRequest {
        group_ids: group_ids.clone(),
    };
    let error_codes = match context.metadata.delete_groups(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer.error_codes.into_iter().map(failure::code).collect(),
        Err(error) => vec![failure::group_error(ApiKey::DeleteGroups, &error); group_ids.len()],
    };
    let results = group_ids
        .into_iter()
        .zip(error_codes)
        .map(|(group_id, error_code)| DeletableGroupResult { group_id, error_code })
        .collect();
    DeleteGroupsResponse {
        results,
        ..Default::default()
    }
}
