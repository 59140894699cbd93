//! EndTxn: commits or aborts a transaction.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::{EndTxnRequest, EndTxnResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::transactions;

/// First version whose clients know PRODUCER_FENCED.
const FENCED_FROM: i16 = 2;
/// First version in which the producer continues with the next epoch, so that no late request of this transaction can
/// affect the next.
const BUMPS_EPOCH_FROM: i16 = 5;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: EndTxnRequest) -> EndTxnResponse {
    let version = caller.version;
    end(&context, &caller, request)
        .await
        .unwrap_or_else(|error_code| transactions::fenced_by_version(error_code, version, FENCED_FROM).into())
}

async fn end(context: &Context, caller: &Caller, request: EndTxnRequest) -> Result<EndTxnResponse, ErrorCode> {
    let transactional_id = Resource::transactional_id(&request.transactional_id);
    context.access(caller).check(Operation::Write, transactional_id)?;
    let rpc = proto::EndTransactionRequest {
        transactional_id: request.transactional_id,
        producer_id: request.producer_id,
        producer_epoch: request.producer_epoch.into(),
        committed: request.committed,
        bumps_epoch: caller.version >= BUMPS_EPOCH_FROM,
    };
    let answer = match context.metadata.end_transaction(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => return Err(failure::code(answer.error_code)),
        Ok(answer) => answer,
        Err(error) => return Err(failure::coordinator_error(ApiKey::EndTxn, &error)),
    };
    Ok(EndTxnResponse {
        producer_id: answer.producer_id,
        producer_epoch: i16::try_from(answer.producer_epoch).map_err(|_| ErrorCode::UNKNOWN_SERVER_ERROR)?,
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    fn request() -> EndTxnRequest {
        EndTxnRequest {
            transactional_id: "tx".to_owned(),
            producer_id: 9,
            producer_epoch: 3,
            committed: true,
        }
    }

    #[tokio::test]
    async fn the_producer_continues_with_the_next_epoch_if_supported() {
        let agent = TestAgent::new();
        for (version, bumps_epoch) in [(4, false), (5, true)] {
            let ended = proto::EndTransactionResponse {
                error_code: 0,
                producer_id: 9,
                producer_epoch: 4,
            };
            agent.metadata.answer("EndTransaction", &ended);
            let answer = handle(agent.context(), caller(version), request()).await;
            assert_eq!(
                (answer.error_code, answer.producer_id, answer.producer_epoch),
                (ErrorCode::NONE, 9, 4)
            );
            let asked = agent
                .metadata
                .requests::<proto::EndTransactionRequest>("EndTransaction");
            let last = asked.last().unwrap();
            assert_eq!((last.bumps_epoch, last.committed), (bumps_epoch, true));
        }
    }

    #[tokio::test]
    async fn a_fenced_producer_gets_the_code_for_its_version() {
        let agent = TestAgent::new();
        for (version, expected) in [(1, ErrorCode::INVALID_PRODUCER_EPOCH), (2, ErrorCode::PRODUCER_FENCED)] {
            let fenced = proto::EndTransactionResponse {
                error_code: 90,
                ..Default::default()
            };
            agent.metadata.answer("EndTransaction", &fenced);
            let answer = handle(agent.context(), caller(version), request()).await;
            assert_eq!((answer.error_code, answer.producer_id), (expected, -1));
        }
        let unreachable = handle(agent.context(), caller(5), request()).await;
        assert_eq!(unreachable.error_code, ErrorCode::COORDINATOR_NOT_AVAILABLE);
    }
}
