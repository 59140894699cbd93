//! CreateDelegationToken, RenewDelegationToken, ExpireDelegationToken and DescribeDelegationToken. Delegation tokens
//! are not supported: the responses are those of a Kafka cluster without `delegation.token.secret.key`.

use std::sync::Arc;

use penstock_authz::{Operation, Resource, ResourceType};
use penstock_wire::ErrorCode;
use penstock_wire::messages::{
    CreateDelegationTokenRequest, CreateDelegationTokenResponse, DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse, ExpireDelegationTokenRequest, ExpireDelegationTokenResponse,
    RenewDelegationTokenRequest, RenewDelegationTokenResponse,
};

use crate::context::{Caller, Context};

pub(crate) async fn create(
    context: Arc<Context>,
    caller: Caller,
    request: CreateDelegationTokenRequest,
) -> CreateDelegationTokenResponse {
    let requester = (
        caller.client.principal.kind().to_owned(),
        caller.client.principal.name().to_owned(),
    );
    let owner_name = request.owner_principal_name.filter(|name| !name.is_empty());
    let owner = owner_name.map_or_else(
        || requester.clone(),
        |name| (request.owner_principal_type.unwrap_or_default(), name),
    );
    let mut error_code = refusal(&caller);
    if error_code == ErrorCode::DELEGATION_TOKEN_AUTH_DISABLED && owner != requester {
        let name = format!("{}:{}", owner.0, owner.1);
        let user = Resource {
            resource_type: ResourceType::User,
            name: &name,
        };
        if !context.access(&caller).allows(Operation::CreateTokens, user) {
            error_code = ErrorCode::DELEGATION_TOKEN_AUTHORIZATION_FAILED;
        }
    }
    CreateDelegationTokenResponse {
        principal_type: owner.0,
        principal_name: owner.1,
        token_requester_principal_type: requester.0,
        token_requester_principal_name: requester.1,
        ..error_code.into()
    }
}

pub(crate) async fn renew(
    _: Arc<Context>,
    caller: Caller,
    _: RenewDelegationTokenRequest,
) -> RenewDelegationTokenResponse {
    refusal(&caller).into()
}

pub(crate) async fn expire(
    _: Arc<Context>,
    caller: Caller,
    _: ExpireDelegationTokenRequest,
) -> ExpireDelegationTokenResponse {
    refusal(&caller).into()
}

pub(crate) async fn describe(
    _: Arc<Context>,
    caller: Caller,
    _: DescribeDelegationTokenRequest,
) -> DescribeDelegationTokenResponse {
    refusal(&caller).into()
}

/// Kafka checks the client's authentication before whether tokens are enabled.
fn refusal(caller: &Caller) -> ErrorCode {
    if caller.client.is_authenticated {
        ErrorCode::DELEGATION_TOKEN_AUTH_DISABLED
    } else {
        ErrorCode::DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    }
}

#[cfg(test)]
mod tests {
    use penstock_authz::Principal;

    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn tokens_are_disabled_or_not_allowed_if_unauthenticated() {
        for (is_authenticated, expected) in [
            (true, ErrorCode::DELEGATION_TOKEN_AUTH_DISABLED),
            (false, ErrorCode::DELEGATION_TOKEN_REQUEST_NOT_ALLOWED),
        ] {
            let caller = || {
                let mut caller = caller(2);
                caller.client.is_authenticated = is_authenticated;
                caller.client.principal = Arc::new(Principal::user("alice"));
                caller
            };
            let context = || TestAgent::new().context();
            let created = create(context(), caller(), Default::default()).await;
            assert_eq!(
                (created.error_code, created.principal_name.as_str()),
                (expected, "alice")
            );
            assert_eq!(
                renew(context(), caller(), Default::default()).await.error_code,
                expected
            );
            assert_eq!(
                expire(context(), caller(), Default::default()).await.error_code,
                expected
            );
            assert_eq!(
                describe(context(), caller(), Default::default()).await.error_code,
                expected
            );
        }
    }
}
