//! AlterClientQuotas. The owner validates keys and limits.

use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::alter_client_quotas::{AlteredQuotas, OpData, QuotaAlteration};
use penstock_wire::messages::{AlterClientQuotasRequest, AlterClientQuotasResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::security::quota_entity::QuotaEntity;
use crate::security::security_changes::{Refused, authorize_change, call_failed};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: AlterClientQuotasRequest,
) -> AlterClientQuotasResponse {
    let mut entries: Vec<AlteredQuotas> = request
        .entries
        .iter()
        .map(|entry| {
            let mut entity = entry.entity.clone();
            // Kafka's order of these parts, regardless of the request's order.
            entity.sort_by(|a, b| a.entity_type.cmp(&b.entity_type));
            AlteredQuotas {
                entity,
                ..Default::default()
            }
        })
        .collect();
    if let Err((error_code, reason)) = alter(&context, &caller, request, &mut entries).await {
        for entry in &mut entries {
            entry.error_code = error_code;
            entry.error_message = Some(reason.clone());
        }
    }
    AlterClientQuotasResponse {
        entries,
        ..Default::default()
    }
}

async fn alter(
    context: &Context,
    caller: &Caller,
    request: AlterClientQuotasRequest,
    entries: &mut [AlteredQuotas],
) -> Result<(), Refused> {
    authorize_change(&context.access(caller), caller, Operation::AlterConfigs)?;
    let (mut places, mut alterations) = (Vec::new(), Vec::new());
    for (entry, answer) in request.entries.into_iter().zip(entries.iter_mut()) {
        match alteration(entry) {
            Ok(alteration) => {
                places.push(answer);
                alterations.push(alteration);
            }
            Err((error_code, reason)) => {
                answer.error_code = error_code;
                answer.error_message = Some(reason);
            }
        }
    }
    if alterations.is_empty() {
        return Ok(());
    }
    let rpc = proto::AlterClientQuotasRequest {
        client: context.proven(caller),
        alterations,
        validate_only: request.validate_only,
        ..Default::default()
    };
    let answer = context
        .metadata
        .alter_client_quotas(rpc, DEFAULT_TIMEOUT)
        .await
        .map_err(|error| call_failed(ApiKey::AlterClientQuotas, &error))?;
    for (place, result) in places.into_iter().zip(answer.results) {
        place.error_code = failure::code(result.error_code);
        place.error_message = failure::message(result.error_message);
    }
    Ok(())
}

fn alteration(entry: QuotaAlteration) -> Result<proto::ClientQuotaAlteration, Refused> {
    let parts = entry.entity.iter();
    let QuotaEntity { user, client_id } =
        QuotaEntity::from_wire(parts.map(|part| (part.entity_type.as_str(), part.entity_name.as_deref())))?;
    let ops = entry.ops.into_iter().map(quota_op).collect::<Result<_, _>>()?;
    Ok(proto::ClientQuotaAlteration { user, client_id, ops })
}

fn quota_op(op: OpData) -> Result<proto::QuotaOp, Refused> {
    let value: f64 = op.value.into();
    if !op.remove && !value.is_finite() {
        return Err((ErrorCode::INVALID_REQUEST, format!("{} must be a number", op.key)));
    }
    Ok(proto::QuotaOp {
        key: op.key,
        value: (!op.remove).then_some(value),
    })
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::alter_client_quotas::QuotaEntity;

    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn valid_entries_reach_the_owner_and_invalid_ones_are_refused() {
        let agent = TestAgent::new();
        let done = proto::AlterClientQuotasResponse {
            results: vec![proto::AclResult::default()],
        };
        agent.metadata.answer("AlterClientQuotas", &done);
        let entry = |entity_type: &str, remove| QuotaAlteration {
            entity: vec![QuotaEntity {
                entity_type: entity_type.to_owned(),
                entity_name: None,
            }],
            ops: vec![OpData {
                key: "producer_byte_rate".to_owned(),
                value: f64::NAN.into(),
                remove,
            }],
        };
        let request = AlterClientQuotasRequest {
            entries: vec![
                entry("group", true),
                entry("client-id", false),
                entry("client-id", true),
            ],
            validate_only: true,
        };
        let mut signed_in = caller(1);
        signed_in.client.is_authenticated = true;
        let answer = handle(agent.context(), signed_in, request).await;
        let codes: Vec<ErrorCode> = answer.entries.iter().map(|entry| entry.error_code).collect();
        assert_eq!(
            codes,
            [ErrorCode::INVALID_REQUEST, ErrorCode::INVALID_REQUEST, ErrorCode::NONE]
        );
        let asked = agent
            .metadata
            .requests::<proto::AlterClientQuotasRequest>("AlterClientQuotas");
        assert!(asked[0].validate_only);
        assert_eq!(asked[0].alterations.len(), 1);
        assert_eq!(asked[0].alterations[0].client_id.as_deref(), Some(""));
        assert_eq!(asked[0].alterations[0].ops[0].value, None);
    }
}
