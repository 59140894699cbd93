//! InitProducerId for idempotent producers.

use std::sync::Arc;

use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::{InitProducerIdRequest, InitProducerIdResponse};
use penstock_wire::{ApiKey, ErrorCode};
use uuid::Uuid;

use crate::context::{Caller, Context};
use crate::{failure, ids, transactions};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: InitProducerIdRequest,
) -> InitProducerIdResponse {
    if let Some(transactional_id) = request.transactional_id {
        tracing::warn!(
            transactional_id,
            client_id = caller.client_id,
            "refused a producer: {}",
            transactions::REASON
        );
        return refused(transactions::REFUSAL);
    }
    if !context.access(&caller).allows_idempotent_writes() {
        return refused(ErrorCode::CLUSTER_AUTHORIZATION_FAILED);
    }
    let rpc = proto::InitProducerIdRequest {
        producer_id: request.producer_id,
        producer_epoch: request.producer_epoch.into(),
        request_id: ids::to_rpc(Uuid::new_v4()),
    };
    match context.metadata.init_producer_id(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => refused(failure::code(answer.error_code)),
        Ok(answer) => match i16::try_from(answer.producer_epoch) {
            Ok(producer_epoch) => InitProducerIdResponse {
                producer_id: answer.producer_id,
                producer_epoch,
                ..Default::default()
            },
            Err(_) => refused(ErrorCode::UNKNOWN_SERVER_ERROR),
        },
        Err(error) => refused(match failure::cluster_error(ApiKey::InitProducerId, &error) {
            // A producer without transactions has no coordinator to look for: this code makes all clients just retry.
            ErrorCode::REQUEST_TIMED_OUT => ErrorCode::COORDINATOR_LOAD_IN_PROGRESS,
            other => other,
        }),
    }
}

fn refused(error_code: ErrorCode) -> InitProducerIdResponse {
    InitProducerIdResponse {
        error_code,
        producer_id: -1,
        producer_epoch: -1,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn each_request_has_an_id_of_its_own_so_that_only_its_retries_are_the_same() {
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

    #[tokio::test]
    async fn a_transactional_id_is_refused_for_good() {
        let agent = TestAgent::new();
        let request = InitProducerIdRequest {
            transactional_id: Some("tx".to_owned()),
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(4), request).await;
        assert_eq!(
            (answer.error_code, answer.producer_id),
            (ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED, -1)
        );
        assert!(!answer.error_code.is_retriable());
        assert!(
            agent
                .metadata
                .requests::<proto::InitProducerIdRequest>("InitProducerId")
                .is_empty()
        );
    }

    #[tokio::test]
    async fn an_owner_that_cannot_be_asked_is_asked_again() {
        let answer = handle(TestAgent::new().context(), caller(4), InitProducerIdRequest::default()).await;
        assert!(answer.error_code.is_retriable());
    }
}
