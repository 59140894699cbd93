//! DescribeUserScramCredentials: mechanisms and iterations, never keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_user_scram_credentials::{
    CredentialInfo, DescribeUserScramCredentialsResult, UserName,
};
use penstock_wire::messages::{DescribeUserScramCredentialsRequest, DescribeUserScramCredentialsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::security::security_changes::{Refused, authorize_reading, call_failed};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeUserScramCredentialsRequest,
) -> DescribeUserScramCredentialsResponse {
    match describe(&context, &caller, request.users).await {
        Ok(results) => DescribeUserScramCredentialsResponse {
            results,
            ..Default::default()
        },
        Err(refused) => refused.into(),
    }
}

async fn describe(
    context: &Context,
    caller: &Caller,
    users: Option<Vec<UserName>>,
) -> Result<Vec<DescribeUserScramCredentialsResult>, Refused> {
    authorize_reading(&context.access(caller), Operation::Describe)?;
    let answer = context
        .metadata
        .describe_security(proto::DescribeSecurityRequest {}, DEFAULT_TIMEOUT)
        .await
        .map_err(|error| call_failed(ApiKey::DescribeUserScramCredentials, &error))?;
    let credentials = answer.state.unwrap_or_default().credentials;
    let mut known: BTreeMap<String, Vec<CredentialInfo>> = BTreeMap::new();
    for credential in credentials {
        known.entry(credential.user).or_default().push(CredentialInfo {
            mechanism: i8::try_from(credential.mechanism).unwrap_or(0),
            iterations: i32::try_from(credential.iterations).unwrap_or(i32::MAX),
        });
    }
    // An empty list means all users.
    let users = users.filter(|users| !users.is_empty());
    let Some(users) = users else {
        return Ok(known
            .into_iter()
            .map(|(user, credential_infos)| DescribeUserScramCredentialsResult {
                user,
                credential_infos,
                ..Default::default()
            })
            .collect());
    };
    let mut times_named: BTreeMap<String, u32> = BTreeMap::new();
    for user in users {
        *times_named.entry(user.name).or_default() += 1;
    }
    Ok(times_named
        .into_iter()
        .map(|(user, times)| result(user, times, &mut known))
        .collect())
}

fn result(
    user: String,
    times_named: u32,
    known: &mut BTreeMap<String, Vec<CredentialInfo>>,
) -> DescribeUserScramCredentialsResult {
    let failed = |user, error_code: ErrorCode, reason: &str| DescribeUserScramCredentialsResult {
        user,
        ..(error_code, reason.to_owned()).into()
    };
    if times_named > 1 {
        return failed(
            user,
            ErrorCode::DUPLICATE_RESOURCE,
            "the request names this user more than once",
        );
    }
    match known.remove(&user) {
        Some(credential_infos) => DescribeUserScramCredentialsResult {
            user,
            credential_infos,
            ..Default::default()
        },
        None => failed(user, ErrorCode::RESOURCE_NOT_FOUND, "the user has no SCRAM credential"),
    }
}
