//! DeleteGroups: deletes empty groups.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::delete_groups::DeletableGroupResult;
use penstock_wire::messages::{DeleteGroupsRequest, DeleteGroupsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DeleteGroupsRequest,
) -> DeleteGroupsResponse {
    let access = context.access(&caller);
    let (allowed, denied): (Vec<String>, Vec<String>) = request
        .groups_names
        .into_iter()
        .partition(|group_id| access.allows(Operation::Delete, Resource::group(group_id)));
    let mut results = delete(&context, &caller, allowed).await;
    results.extend(denied.into_iter().map(|group_id| DeletableGroupResult {
        group_id,
        error_code: ErrorCode::GROUP_AUTHORIZATION_FAILED,
    }));
    DeleteGroupsResponse {
        results,
        ..Default::default()
    }
}

async fn delete(context: &Context, caller: &Caller, group_ids: Vec<String>) -> Vec<DeletableGroupResult> {
    if group_ids.is_empty() {
        return Vec::new();
    }
    let rpc = proto::DeleteGroupsRequest {
        group_ids: group_ids.clone(),
        client: context.named(caller),
    };
    let error_codes = match context.metadata.delete_groups(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer.error_codes.into_iter().map(failure::code).collect(),
        Err(error) => vec![failure::coordinator_error(ApiKey::DeleteGroups, &error); group_ids.len()],
    };
    group_ids
        .into_iter()
        .zip(error_codes)
        .map(|(group_id, error_code)| DeletableGroupResult { group_id, error_code })
        .collect()
}
