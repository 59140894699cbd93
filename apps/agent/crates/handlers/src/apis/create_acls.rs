//! CreateAcls. The owner validates the rules.

use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::{CreateAclsRequest, CreateAclsResponse};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::security::security_changes::{Refused, authorize_change, call_failed, demand_acls, enum_code};

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: CreateAclsRequest) -> CreateAclsResponse {
    let count = request.creations.len();
    let results = match create(&context, &caller, request).await {
        Ok(results) => results
            .into_iter()
            .map(|result| (failure::code(result.error_code), result.error_message).into())
            .collect(),
        Err(refused) => vec![refused.into(); count],
    };
    CreateAclsResponse {
        results,
        ..Default::default()
    }
}

async fn create(
    context: &Context,
    caller: &Caller,
    request: CreateAclsRequest,
) -> Result<Vec<proto::AclResult>, Refused> {
    let access = context.access(caller);
    demand_acls(&access)?;
    authorize_change(&access, caller, Operation::Alter)?;
    let bindings = request
        .creations
        .into_iter()
        .map(|acl| proto::AclBinding {
            resource_type: enum_code(acl.resource_type),
            resource_name: acl.resource_name,
            pattern_type: enum_code(acl.resource_pattern_type),
            principal: acl.principal,
            host: acl.host,
            operation: enum_code(acl.operation),
            permission_type: enum_code(acl.permission_type),
        })
        .collect();
    let rpc = proto::CreateAclsRequest {
        client: context.proven(caller),
        bindings,
        ..Default::default()
    };
    let answer = context.metadata.create_acls(rpc, DEFAULT_TIMEOUT).await;
    answer
        .map(|answer| answer.results)
        .map_err(|error| call_failed(ApiKey::CreateAcls, &error))
}
