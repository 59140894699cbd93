//! DeleteAcls: deletes all ACLs that match the filters.

use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::delete_acls::{DeleteAclsFilterResult, DeleteAclsMatchingAcl};
use penstock_wire::messages::{DeleteAclsRequest, DeleteAclsResponse};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::security::security_changes::{Refused, authorize_change, call_failed, demand_acls, enum_code, wire_code};

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: DeleteAclsRequest) -> DeleteAclsResponse {
    let count = request.filters.len();
    let filter_results = match delete(&context, &caller, request).await {
        Ok(results) => results.into_iter().map(filter_result).collect(),
        Err(refused) => vec![refused.into(); count],
    };
    DeleteAclsResponse {
        filter_results,
        ..Default::default()
    }
}

async fn delete(
    context: &Context,
    caller: &Caller,
    request: DeleteAclsRequest,
) -> Result<Vec<proto::DeletedAcls>, Refused> {
    let access = context.access(caller);
    demand_acls(&access)?;
    authorize_change(&access, caller, Operation::Alter)?;
    let filters = request
        .filters
        .into_iter()
        .map(|filter| proto::AclFilter {
            resource_type: enum_code(filter.resource_type_filter),
            resource_name: filter.resource_name_filter,
            pattern_type: enum_code(filter.pattern_type_filter),
            principal: filter.principal_filter,
            host: filter.host_filter,
            operation: enum_code(filter.operation),
            permission_type: enum_code(filter.permission_type),
        })
        .collect();
    let rpc = proto::DeleteAclsRequest {
        client: context.proven(caller),
        filters,
        ..Default::default()
    };
    let answer = context.metadata.delete_acls(rpc, DEFAULT_TIMEOUT).await;
    answer
        .map(|answer| answer.results)
        .map_err(|error| call_failed(ApiKey::DeleteAcls, &error))
}

fn filter_result(result: proto::DeletedAcls) -> DeleteAclsFilterResult {
    let matching_acls = result.deleted.into_iter().map(|acl| DeleteAclsMatchingAcl {
        resource_type: wire_code(acl.resource_type),
        resource_name: acl.resource_name,
        pattern_type: wire_code(acl.pattern_type),
        principal: acl.principal,
        host: acl.host,
        operation: wire_code(acl.operation),
        permission_type: wire_code(acl.permission_type),
        ..Default::default()
    });
    DeleteAclsFilterResult {
        matching_acls: matching_acls.collect(),
        ..(failure::code(result.error_code), result.error_message).into()
    }
}
