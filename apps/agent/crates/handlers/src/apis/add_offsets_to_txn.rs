//! AddOffsetsToTxn: adds a consumer group to a transaction, which then commits the group's offsets.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::{AddOffsetsToTxnRequest, AddOffsetsToTxnResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::transactions;

/// First version whose clients know PRODUCER_FENCED.
const FENCED_FROM: i16 = 2;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AddOffsetsToTxnRequest,
) -> AddOffsetsToTxnResponse {
    let version = caller.version;
    let error_code = add(&context, &caller, request).await.err().unwrap_or_default();
    transactions::fenced_by_version(error_code, version, FENCED_FROM).into()
}

async fn add(context: &Context, caller: &Caller, request: AddOffsetsToTxnRequest) -> Result<(), ErrorCode> {
    let access = context.access(caller);
    access.check(Operation::Write, Resource::transactional_id(&request.transactional_id))?;
    access.check(Operation::Read, Resource::group(&request.group_id))?;
    let rpc = proto::AddToTransactionRequest {
        transactional_id: request.transactional_id,
        producer_id: request.producer_id,
        producer_epoch: request.producer_epoch.into(),
        group_ids: vec![request.group_id],
        ..Default::default()
    };
    match context.metadata.add_to_transaction(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => Err(failure::code(answer.error_code)),
        Ok(_) => Ok(()),
        Err(error) => Err(failure::coordinator_error(ApiKey::AddOffsetsToTxn, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    fn request() -> AddOffsetsToTxnRequest {
        AddOffsetsToTxnRequest {
            transactional_id: "tx".to_owned(),
            producer_id: 9,
            producer_epoch: 3,
            group_id: "g".to_owned(),
        }
    }

    #[tokio::test]
    async fn adds_the_group_to_the_transaction() {
        let agent = TestAgent::new();
        agent
            .metadata
            .answer("AddToTransaction", &proto::AddToTransactionResponse::default());
        let answer = handle(agent.context(), caller(3), request()).await;
        assert!(answer.error_code.is_none());
        let asked = agent
            .metadata
            .requests::<proto::AddToTransactionRequest>("AddToTransaction")
            .remove(0);
        assert_eq!((asked.producer_id, asked.producer_epoch), (9, 3));
        assert_eq!(asked.group_ids, ["g"]);
    }

    #[tokio::test]
    async fn a_fenced_producer_gets_the_code_for_its_version() {
        let agent = TestAgent::new();
        for (version, expected) in [(1, ErrorCode::INVALID_PRODUCER_EPOCH), (2, ErrorCode::PRODUCER_FENCED)] {
            let fenced = proto::AddToTransactionResponse {
                error_code: 90,
                ..Default::default()
            };
            agent.metadata.answer("AddToTransaction", &fenced);
            let answer = handle(agent.context(), caller(version), request()).await;
            assert_eq!(answer.error_code, expected);
        }
        let unreachable = handle(agent.context(), caller(3), request()).await;
        assert_eq!(unreachable.error_code, ErrorCode::COORDINATOR_NOT_AVAILABLE);
    }
}
