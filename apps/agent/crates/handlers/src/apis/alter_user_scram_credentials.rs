//! AlterUserScramCredentials. Kafka clients send salted passwords. The stored verifiers are derived from them here, so
//! that the metadata service never receives anything that can sign in.

use std::collections::HashSet;
use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_scram::{ScramHash, Verifier};
use penstock_wire::messages::alter_user_scram_credentials::{
    AlterUserScramCredentialsResult, ScramCredentialDeletion, ScramCredentialUpsertion,
};
use penstock_wire::messages::{AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::security::security_changes::{Refused, authorize_change, call_failed};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterUserScramCredentialsRequest,
) -> AlterUserScramCredentialsResponse {
    let users = users_of(&request);
    let results = alter(&context, &caller, request)
        .await
        .unwrap_or_else(|refusal| users.into_iter().map(|user| refused(user, refusal.clone())).collect());
    AlterUserScramCredentialsResponse {
        results,
        ..Default::default()
    }
}

/// The users in request order, without duplicates.
fn users_of(request: &AlterUserScramCredentialsRequest) -> Vec<String> {
    let mut seen = HashSet::new();
    let deleted = request.deletions.iter().map(|deletion| &deletion.name);
    let upserted = request.upsertions.iter().map(|upsertion| &upsertion.name);
    deleted
        .chain(upserted)
        .filter(|user| seen.insert((*user).clone()))
        .cloned()
        .collect()
}

async fn alter(
    context: &Context,
    caller: &Caller,
    request: AlterUserScramCredentialsRequest,
) -> Result<Vec<AlterUserScramCredentialsResult>, Refused> {
    authorize_change(&context.access(caller), caller, Operation::Alter)?;
    let mut results: Vec<AlterUserScramCredentialsResult> = Vec::new();
    let mut upserts = Vec::new();
    for upsertion in request.upsertions {
        let user = upsertion.name.clone();
        match verifier(upsertion) {
            Ok(credential) => upserts.push(credential),
            Err(refusal) => results.push(refused(user, refusal)),
        }
    }
    let mut deletions = Vec::new();
    for ScramCredentialDeletion { name, mechanism } in request.deletions {
        match hash_of(mechanism) {
            Ok((mechanism, _)) => deletions.push(proto::ScramDeletion {
                user: name,
                mechanism: mechanism.into(),
            }),
            Err(refusal) => results.push(refused(name, refusal)),
        }
    }
    // Each user is altered completely or not at all, with one response.
    let mut invalid = HashSet::new();
    results.retain(|result| invalid.insert(result.user.clone()));
    upserts.retain(|upsert: &proto::ScramCredential| !invalid.contains(&upsert.user));
    deletions.retain(|deletion: &proto::ScramDeletion| !invalid.contains(&deletion.user));
    if upserts.is_empty() && deletions.is_empty() {
        return Ok(results);
    }
    let rpc = proto::AlterUserScramCredentialsRequest {
        client: context.proven(caller),
        upserts,
        deletions,
        ..Default::default()
    };
    let answer = context
        .metadata
        .alter_user_scram_credentials(rpc, DEFAULT_TIMEOUT)
        .await
        .map_err(|error| call_failed(ApiKey::AlterUserScramCredentials, &error))?;
    results.extend(
        answer
            .results
            .into_iter()
            .map(|result| AlterUserScramCredentialsResult {
                user: result.user,
                ..(failure::code(result.error_code), result.error_message).into()
            }),
    );
    Ok(results)
}

fn refused(user: String, refusal: Refused) -> AlterUserScramCredentialsResult {
    AlterUserScramCredentialsResult { user, ..refusal.into() }
}

/// Derives the verifier from the salted password. Neither may be logged.
fn verifier(upsertion: ScramCredentialUpsertion) -> Result<proto::ScramCredential, Refused> {
    let (mechanism, hash) = hash_of(upsertion.mechanism)?;
    let salted_password = &upsertion.salted_password.0;
    if salted_password.is_empty() || upsertion.salt.0.is_empty() {
        let reason = "the salt and the salted password must not be empty".to_owned();
        return Err((ErrorCode::UNACCEPTABLE_CREDENTIAL, reason));
    }
    let verifier = Verifier::of_salted(hash, salted_password);
    Ok(proto::ScramCredential {
        user: upsertion.name,
        mechanism: mechanism.into(),
        salt: upsertion.salt.0,
        stored_key: verifier.stored_key.into(),
        server_key: verifier.server_key.into(),
        // 0 is too few, so the owner refuses it.
        iterations: u32::try_from(upsertion.iterations).unwrap_or(0),
        ..Default::default()
    })
}

fn hash_of(mechanism: i8) -> Result<(proto::ScramMechanism, ScramHash), Refused> {
    match proto::ScramMechanism::try_from(i32::from(mechanism)) {
        Ok(sha_256 @ proto::ScramMechanism::Sha256) => Ok((sha_256, ScramHash::Sha256)),
        Ok(sha_512 @ proto::ScramMechanism::Sha512) => Ok((sha_512, ScramHash::Sha512)),
        Ok(proto::ScramMechanism::Unspecified) | Err(_) => Err((
            ErrorCode::UNSUPPORTED_SASL_MECHANISM,
            "the mechanism must be SCRAM-SHA-256 or SCRAM-SHA-512".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::Secret;

    use super::*;
    use crate::testing::{TestAgent, caller};

    /// From the example in RFC 7677, section 3: the password `pencil` with 4096 iterations.
    const SALTED_PASSWORD: &str = "c4a49510323ab4f952cac1fa99441939e78ea74d6be81ddf7096e87513dc615d";
    const STORED_KEY: &str = "586e5df283e6dceb5c3e791d8b8528ec191e664045ce971792e2e6b5bb13e2a6";
    const SERVER_KEY: &str = "c1f3cbc1c13a9d35a14c0990eed97629ea225863e566a4314ab99f3f00e5d9d5";

    fn bytes(hex: &str) -> bytes::Bytes {
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect()
    }

    fn upsertion(user: &str, mechanism: i8) -> ScramCredentialUpsertion {
        ScramCredentialUpsertion {
            name: user.to_owned(),
            mechanism,
            iterations: 4096,
            salt: Secret(bytes("5b6d99689d12358eeca04b141236fa81")),
            salted_password: Secret(bytes(SALTED_PASSWORD)),
        }
    }

    async fn alter(agent: &TestAgent, request: AlterUserScramCredentialsRequest) -> Vec<(String, ErrorCode)> {
        let mut signed_in = caller(0);
        signed_in.client.is_authenticated = true;
        let answer = handle(agent.context(), signed_in, request).await;
        answer
            .results
            .into_iter()
            .map(|result| (result.user, result.error_code))
            .collect()
    }

    #[tokio::test]
    async fn the_metadata_service_gets_only_verifiers() {
        let agent = TestAgent::new();
        let done = proto::AlterUserScramCredentialsResponse {
            results: vec![proto::UserScramResult {
                user: "alice".to_owned(),
                ..Default::default()
            }],
        };
        agent.metadata.answer("AlterUserScramCredentials", &done);
        let request = AlterUserScramCredentialsRequest {
            upsertions: vec![upsertion("alice", 1)],
            ..Default::default()
        };
        let results = alter(&agent, request).await;
        assert_eq!(results, [("alice".to_owned(), ErrorCode::NONE)]);
        let asked = agent
            .metadata
            .requests::<proto::AlterUserScramCredentialsRequest>("AlterUserScramCredentials");
        let client = asked[0].client.as_ref().unwrap();
        assert_eq!(
            (client.principal.as_str(), client.agent_id.as_str()),
            ("User:ANONYMOUS", "agent")
        );
        let credential = &asked[0].upserts[0];
        assert_eq!(credential.stored_key, bytes(STORED_KEY));
        assert_eq!(credential.server_key, bytes(SERVER_KEY));
        assert_eq!(
            (credential.mechanism(), credential.iterations),
            (proto::ScramMechanism::Sha256, 4096)
        );
    }

    #[tokio::test]
    async fn a_user_with_an_unknown_mechanism_is_not_altered_at_all() {
        let agent = TestAgent::new();
        let done = proto::AlterUserScramCredentialsResponse {
            results: vec![proto::UserScramResult {
                user: "alice".to_owned(),
                ..Default::default()
            }],
        };
        agent.metadata.answer("AlterUserScramCredentials", &done);
        let request = AlterUserScramCredentialsRequest {
            upsertions: vec![upsertion("bob", 1), upsertion("bob", 9), upsertion("alice", 2)],
            deletions: vec![ScramCredentialDeletion {
                name: "bob".to_owned(),
                mechanism: 7,
            }],
        };
        let results = alter(&agent, request).await;
        assert_eq!(
            results,
            [
                ("bob".to_owned(), ErrorCode::UNSUPPORTED_SASL_MECHANISM),
                ("alice".to_owned(), ErrorCode::NONE)
            ]
        );
        let asked = agent
            .metadata
            .requests::<proto::AlterUserScramCredentialsRequest>("AlterUserScramCredentials");
        assert_eq!((asked[0].upserts.len(), asked[0].deletions.len()), (1, 0));
        assert_eq!(asked[0].upserts[0].stored_key.len(), 64);
    }
}
