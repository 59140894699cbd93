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
