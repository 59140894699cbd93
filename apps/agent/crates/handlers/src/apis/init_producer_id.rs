//! InitProducerId: a new producer id, or the producer id of a transactional id at its next epoch, which fences all
//! earlier producers.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_runtime::random_uuid;
use penstock_wire::messages::{InitProducerIdRequest, InitProducerIdResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::transactions;

/// First version whose clients know PRODUCER_FENCED.
const FENCED_FROM: i16 = 4;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: InitProducerIdRequest,
) -> InitProducerIdResponse {
    let refused = InitProducerIdResponse::from;
    let is_transactional = request.transactional_id.is_some();
    if let Err(error_code) = check_access(&context.access(&caller), request.transactional_id.as_deref()) {
        return refused(error_code);
    }
    if (request.producer_id == -1) != (request.producer_epoch == -1) {
        return refused(ErrorCode::INVALID_REQUEST);
    }
    let rpc = proto::InitProducerIdRequest {
        producer_id: request.producer_id,
        producer_epoch: request.producer_epoch.into(),
        request_id: ids::to_rpc(random_uuid()),
        transactional_id: request.transactional_id,
        // The service refuses 0.
        transaction_timeout_ms: u32::try_from(request.transaction_timeout_ms).unwrap_or(0),
        client_id: caller.client_id,
        agent_id: context.node.agent_id.clone(),
    };
    match context.metadata.init_producer_id(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => {
            let error_code = failure::code(answer.error_code);
            refused(transactions::fenced_by_version(error_code, caller.version, FENCED_FROM))
        }
        Ok(answer) => match i16::try_from(answer.producer_epoch) {
            Ok(producer_epoch) => InitProducerIdResponse {
                producer_id: answer.producer_id,
                producer_epoch,
                ..Default::default()
            },
            Err(_) => refused(ErrorCode::UNKNOWN_SERVER_ERROR),
        },
        Err(error) if is_transactional => refused(failure::coordinator_error(ApiKey::InitProducerId, &error)),
        Err(error) => refused(match failure::cluster_error(ApiKey::InitProducerId, &error) {
            // A non-transactional producer has no coordinator to find. With this code, all clients simply retry.
            ErrorCode::REQUEST_TIMED_OUT | ErrorCode::CLUSTER_AUTHORIZATION_FAILED => {
                ErrorCode::COORDINATOR_LOAD_IN_PROGRESS
            }
            other => other,
        }),
    }
}

fn check_access(access: &Access, transactional_id: Option<&str>) -> Result<(), ErrorCode> {
    match transactional_id {
        Some(transactional_id) => access.check(Operation::Write, Resource::transactional_id(transactional_id)),
        None if access.allows_idempotent_writes() => Ok(()),
        None => Err(ErrorCode::CLUSTER_AUTHORIZATION_FAILED),
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::RpcError;

    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn each_request_has_its_own_id_which_only_retries_share() {
        let agent = TestAgent::new();
        let given = proto::InitProducerIdResponse {
            producer_id: 9,
            producer_epoch: 1,
            ..Default::default()
        };
        for _ in 0..2 {
            agent.metadata.answer("InitProducerId", &given);
            let answer = handle(agent.context(), caller(4), InitProducerIdRequest::default()).await;
            assert_eq!(
                (answer.error_code, answer.producer_id, answer.producer_epoch),
                (ErrorCode::NONE, 9, 1)
            );
        }
        let asked = agent
            .metadata
            .requests::<proto::InitProducerIdRequest>("InitProducerId");
        assert_eq!(
            (asked[0].producer_id, asked[0].producer_epoch, asked[0].request_id.len()),
            (-1, -1, 16)
        );
        assert_ne!(asked[0].request_id, asked[1].request_id);
    }

    fn transactional(producer_id: i64, producer_epoch: i16) -> InitProducerIdRequest {
        InitProducerIdRequest {
            transactional_id: Some("tx".to_owned()),
            transaction_timeout_ms: 60_000,
            producer_id,
            producer_epoch,
        }
    }

    #[tokio::test]
    async fn a_transactional_producer_gets_the_next_epoch_of_its_id() {
        let agent = TestAgent::new();
        let given = proto::InitProducerIdResponse {
            producer_id: 9,
            producer_epoch: 4,
            ..Default::default()
        };
        agent.metadata.answer("InitProducerId", &given);
        let answer = handle(agent.context(), caller(5), transactional(9, 3)).await;
        assert_eq!((answer.error_code, answer.producer_epoch), (ErrorCode::NONE, 4));
        let asked = agent
            .metadata
            .requests::<proto::InitProducerIdRequest>("InitProducerId")
            .remove(0);
        assert_eq!((asked.producer_id, asked.producer_epoch), (9, 3));
        assert_eq!(
            (asked.transactional_id.as_deref(), asked.transaction_timeout_ms),
            (Some("tx"), 60_000)
        );
    }

    #[tokio::test]
    async fn a_fenced_producer_gets_the_code_for_its_version() {
        let agent = TestAgent::new();
        for (version, expected) in [(3, ErrorCode::INVALID_PRODUCER_EPOCH), (4, ErrorCode::PRODUCER_FENCED)] {
            let fenced = proto::InitProducerIdResponse {
                error_code: 90,
                ..Default::default()
            };
            agent.metadata.answer("InitProducerId", &fenced);
            let answer = handle(agent.context(), caller(version), transactional(9, 3)).await;
            assert_eq!((answer.error_code, answer.producer_id), (expected, -1));
        }
    }

    #[tokio::test]
    async fn refuses_a_producer_id_without_an_epoch() {
        let agent = TestAgent::new();
        for (producer_id, producer_epoch) in [(9, -1), (-1, 3)] {
            let answer = handle(agent.context(), caller(5), transactional(producer_id, producer_epoch)).await;
            assert_eq!(answer.error_code, ErrorCode::INVALID_REQUEST);
        }
    }

    #[tokio::test]
    async fn without_the_owner_a_transactional_producer_finds_it_again() {
        let answer = handle(TestAgent::new().context(), caller(5), transactional(-1, -1)).await;
        assert_eq!(answer.error_code, ErrorCode::COORDINATOR_NOT_AVAILABLE);
    }

    #[tokio::test]
    async fn a_refused_agent_key_is_not_an_acl_error() {
        let agent = TestAgent::new();
        let idempotent = InitProducerIdRequest::default();
        for (request, expected) in [
            (transactional(-1, -1), ErrorCode::COORDINATOR_NOT_AVAILABLE),
            (idempotent, ErrorCode::COORDINATOR_LOAD_IN_PROGRESS),
        ] {
            agent
                .metadata
                .fail("InitProducerId", RpcError::Unauthenticated("revoked".to_owned()));
            let answer = handle(agent.context(), caller(5), request).await;
            assert_eq!(answer.error_code, expected);
        }
    }

    #[tokio::test]
    async fn an_unreachable_owner_is_a_retriable_error() {
        let answer = handle(TestAgent::new().context(), caller(4), InitProducerIdRequest::default()).await;
        assert!(answer.error_code.is_retriable());
    }
}
