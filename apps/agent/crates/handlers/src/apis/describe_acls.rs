//! DescribeAcls. Reads the owner's state, so that a client sees the ACLs that it has just created.

use std::collections::BTreeMap;
use std::sync::Arc;

use penstock_access::acl_from_proto;
use penstock_authz::{AclFilter, Operation};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_acls::{AclDescription, DescribeAclsResource};
use penstock_wire::messages::{DescribeAclsRequest, DescribeAclsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::security::security_changes::{Refused, authorize_reading, call_failed, demand_acls, enum_code, wire_code};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeAclsRequest,
) -> DescribeAclsResponse {
    match describe(&context, &caller, request).await {
        Ok(resources) => DescribeAclsResponse {
            resources,
            ..Default::default()
        },
        Err(refused) => refused.into(),
    }
}

async fn describe(
    context: &Context,
    caller: &Caller,
    request: DescribeAclsRequest,
) -> Result<Vec<DescribeAclsResource>, Refused> {
    let access = context.access(caller);
    demand_acls(&access)?;
    authorize_reading(&access, Operation::Describe)?;
    let filter = AclFilter {
        resource_type: enum_code(request.resource_type_filter),
        resource_name: request.resource_name_filter,
        pattern_type: enum_code(request.pattern_type_filter),
        principal: request.principal_filter,
        host: request.host_filter,
        operation: enum_code(request.operation),
        permission_type: enum_code(request.permission_type),
    };
    if !filter.is_known() {
        return Err((
            ErrorCode::INVALID_REQUEST,
            "the filter has a type, pattern, operation or permission that does not exist".to_owned(),
        ));
    }
    let answer = context
        .metadata
        .describe_security(proto::DescribeSecurityRequest {}, DEFAULT_TIMEOUT)
        .await
        .map_err(|error| call_failed(ApiKey::DescribeAcls, &error))?;
    let state = answer.state.unwrap_or_default();
    Ok(by_pattern(state.acls.into_iter().filter(|acl| {
        acl_from_proto(acl).is_some_and(|acl| filter.matches(&acl))
    })))
}

fn by_pattern(acls: impl Iterator<Item = proto::AclBinding>) -> Vec<DescribeAclsResource> {
    let mut patterns: BTreeMap<(u32, String, u32), Vec<AclDescription>> = BTreeMap::new();
    for acl in acls {
        let pattern = (acl.resource_type, acl.resource_name, acl.pattern_type);
        patterns.entry(pattern).or_default().push(AclDescription {
            principal: acl.principal,
            host: acl.host,
            operation: wire_code(acl.operation),
            permission_type: wire_code(acl.permission_type),
        });
    }
    patterns
        .into_iter()
        .map(
            |((resource_type, resource_name, pattern_type), acls)| DescribeAclsResource {
                resource_type: wire_code(resource_type),
                resource_name,
                pattern_type: wire_code(pattern_type),
                acls,
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use penstock_access::testing::{rule, security};
    use penstock_authz::ResourceType;

    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn lists_the_owners_rules_by_pattern() {
        let agent = TestAgent::new();
        let acls = [
            rule(ResourceType::Topic, "orders", Operation::Read),
            rule(ResourceType::Group, "app", Operation::Read),
            rule(ResourceType::Topic, "orders", Operation::Write),
            rule(ResourceType::Cluster, "kafka-cluster", Operation::Describe),
        ];
        agent.secure(security(proto::AclMode::Enforced, &acls));
        for (wanted_type, answered) in [
            (1, vec![("orders", 2), ("app", 1), ("kafka-cluster", 1)]),
            (2, vec![("orders", 2)]),
        ] {
            let state = proto::DescribeSecurityResponse {
                state: Some(security(proto::AclMode::Enforced, &acls)),
            };
            agent.metadata.answer("DescribeSecurity", &state);
            let request = DescribeAclsRequest {
                resource_type_filter: wanted_type,
                pattern_type_filter: 1,
                operation: 1,
                permission_type: 1,
                ..Default::default()
            };
            let answer = handle(agent.context(), caller(3), request).await;
            assert_eq!(answer.error_code, ErrorCode::NONE);
            let patterns: Vec<(&str, usize)> = answer
                .resources
                .iter()
                .map(|resource| (resource.resource_name.as_str(), resource.acls.len()))
                .collect();
            assert_eq!(patterns, answered);
        }
        let unknown = DescribeAclsRequest::default();
        let answer = handle(agent.context(), caller(3), unknown).await;
        assert_eq!(answer.error_code, ErrorCode::INVALID_REQUEST);
    }
}
