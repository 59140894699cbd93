//! DescribeClientQuotas: lists quotas that match a filter.

use std::collections::HashMap;
use std::sync::Arc;

use penstock_authz::Operation;
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::describe_client_quotas::{
    ComponentData, DescribedQuotaEntity, DescribedQuotas, ValueData,
};
use penstock_wire::messages::{DescribeClientQuotasRequest, DescribeClientQuotasResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::security::quota_entity::{CLIENT_ID, IP, QuotaEntity, USER};
use crate::security::security_changes::{Refused, authorize_reading, call_failed};

const EXACT: i8 = 0;
const DEFAULT: i8 = 1;
const ANY: i8 = 2;

/// The entity name that a filter requires. `None` allows any name, and `Some(None)` only the default entity.
type Wanted = Option<Option<String>>;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DescribeClientQuotasRequest,
) -> DescribeClientQuotasResponse {
    match describe(&context, &caller, request).await {
        Ok(entries) => DescribeClientQuotasResponse {
            entries: Some(entries),
            ..Default::default()
        },
        Err(refused) => refused.into(),
    }
}

async fn describe(
    context: &Context,
    caller: &Caller,
    request: DescribeClientQuotasRequest,
) -> Result<Vec<DescribedQuotas>, Refused> {
    authorize_reading(&context.access(caller), Operation::DescribeConfigs)?;
    let wanted = wanted_of(request.components)?;
    let answer = context
        .metadata
        .describe_security(proto::DescribeSecurityRequest {}, DEFAULT_TIMEOUT)
        .await
        .map_err(|error| call_failed(ApiKey::DescribeClientQuotas, &error))?;
    let quotas = answer.state.unwrap_or_default().quotas;
    Ok(quotas
        .into_iter()
        .filter_map(|quota| described(quota, &wanted, request.strict))
        .collect())
}

fn wanted_of(components: Vec<ComponentData>) -> Result<HashMap<String, Wanted>, Refused> {
    let invalid = |reason: String| Err((ErrorCode::INVALID_REQUEST, reason));
    let mut wanted = HashMap::new();
    for component in components {
        let entity_type = component.entity_type;
        if entity_type.is_empty() {
            return invalid("the type of a quota entity must not be empty".to_owned());
        }
        if ![USER, CLIENT_ID, IP].contains(&entity_type.as_str()) {
            let reason = format!("unknown type of quota entity: {entity_type}");
            return Err((ErrorCode::UNSUPPORTED_VERSION, reason));
        }
        let name = match (component.match_type, component.matched) {
            (EXACT, Some(name)) => Some(Some(name)),
            (DEFAULT, None) => Some(None),
            (ANY, None) => None,
            (EXACT | DEFAULT | ANY, _) => {
                return invalid(format!(
                    "the filter's match type and its name contradict each other: {entity_type}"
                ));
            }
            (other, _) => return invalid(format!("unknown match type {other}")),
        };
        if wanted.insert(entity_type.clone(), name).is_some() {
            return invalid(format!("the filter has more than one {entity_type}"));
        }
    }
    if wanted.contains_key(IP) && wanted.len() > 1 {
        return invalid("a filter by address cannot also be by user or client id".to_owned());
    }
    Ok(wanted)
}

fn described(quota: proto::ClientQuota, wanted: &HashMap<String, Wanted>, is_strict: bool) -> Option<DescribedQuotas> {
    let entity = QuotaEntity {
        user: quota.user,
        client_id: quota.client_id,
    };
    let parts: HashMap<&str, Option<String>> = entity.parts().collect();
    let has = |(entity_type, name): (&String, &Wanted)| {
        let part = parts.get(entity_type.as_str());
        part.is_some_and(|part| name.as_ref().is_none_or(|name| name == part))
    };
    if !wanted.iter().all(has) || (is_strict && parts.len() != wanted.len()) {
        return None;
    }
    let values = [
        ("producer_byte_rate", quota.producer_byte_rate),
        ("consumer_byte_rate", quota.consumer_byte_rate),
        ("request_percentage", quota.request_percentage),
    ];
    Some(DescribedQuotas {
        entity: entity
            .parts()
            .map(|(entity_type, entity_name)| DescribedQuotaEntity {
                entity_type: entity_type.to_owned(),
                entity_name,
            })
            .collect(),
        values: values
            .into_iter()
            .filter_map(|(key, value)| {
                Some(ValueData {
                    key: key.to_owned(),
                    value: value?.into(),
                })
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    fn quota(user: Option<&str>, client_id: Option<&str>, rate: f64) -> proto::ClientQuota {
        proto::ClientQuota {
            user: user.map(str::to_owned),
            client_id: client_id.map(str::to_owned),
            producer_byte_rate: Some(rate),
            ..Default::default()
        }
    }

    fn component(entity_type: &str, match_type: i8, name: Option<&str>) -> ComponentData {
        ComponentData {
            entity_type: entity_type.to_owned(),
            match_type,
            matched: name.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn a_filter_matches_quotas_by_entity_types_and_names() {
        let quotas = vec![
            quota(Some("alice"), None, 1.0),
            quota(Some("alice"), Some("app"), 2.0),
            quota(Some(""), None, 3.0),
            quota(None, Some("app"), 4.0),
        ];
        for (components, strict, found) in [
            (vec![], false, vec![1.0, 2.0, 3.0, 4.0]),
            (vec![component(USER, EXACT, Some("alice"))], false, vec![1.0, 2.0]),
            (vec![component(USER, EXACT, Some("alice"))], true, vec![1.0]),
            (vec![component(USER, DEFAULT, None)], true, vec![3.0]),
            (vec![component(USER, ANY, None)], false, vec![1.0, 2.0, 3.0]),
            (vec![component(CLIENT_ID, ANY, None)], true, vec![4.0]),
            (
                vec![component(USER, ANY, None), component(CLIENT_ID, EXACT, Some("app"))],
                true,
                vec![2.0],
            ),
            (vec![component(IP, ANY, None)], false, vec![]),
        ] {
            let agent = TestAgent::new();
            let state = proto::SecurityState {
                quotas: quotas.clone(),
                ..Default::default()
            };
            agent.metadata.answer(
                "DescribeSecurity",
                &proto::DescribeSecurityResponse { state: Some(state) },
            );
            let what = format!("{components:?}");
            let answer = handle(
                agent.context(),
                caller(1),
                DescribeClientQuotasRequest { components, strict },
            )
            .await;
            assert_eq!(answer.error_code, ErrorCode::NONE);
            let rates: Vec<f64> = answer
                .entries
                .unwrap()
                .iter()
                .map(|entry| entry.values[0].value.into())
                .collect();
            assert_eq!(rates, found, "{what}");
        }
    }

    #[tokio::test]
    async fn refuses_a_contradictory_filter() {
        for (components, error_code) in [
            (vec![component("", EXACT, Some("a"))], ErrorCode::INVALID_REQUEST),
            (vec![component(USER, EXACT, None)], ErrorCode::INVALID_REQUEST),
            (vec![component(USER, DEFAULT, Some("a"))], ErrorCode::INVALID_REQUEST),
            (vec![component(USER, 7, None)], ErrorCode::INVALID_REQUEST),
            (
                vec![component(USER, ANY, None), component(USER, DEFAULT, None)],
                ErrorCode::INVALID_REQUEST,
            ),
            (
                vec![component(USER, ANY, None), component(IP, ANY, None)],
                ErrorCode::INVALID_REQUEST,
            ),
            (vec![component("group", ANY, None)], ErrorCode::UNSUPPORTED_VERSION),
        ] {
            let agent = TestAgent::new();
            let request = DescribeClientQuotasRequest {
                components,
                ..Default::default()
            };
            let answer = handle(agent.context(), caller(1), request).await;
            assert_eq!((answer.error_code, answer.entries), (error_code, None));
        }
    }
}
