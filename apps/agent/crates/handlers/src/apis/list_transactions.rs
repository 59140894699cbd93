//! ListTransactions: the transactional ids that match the request's filters. As with groups, the client's coordinator
//! lists them, and other agents list none.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::list_transactions::ListedTransaction;
use penstock_wire::messages::{ListTransactionsRequest, ListTransactionsResponse};
use penstock_wire::{ApiKey, ErrorCode};
use regex::Regex;

use crate::cluster::brokers::BrokerView;
use crate::context::{Caller, Context};
use crate::conversions::failure;

/// Kafka's states. Penstock's transactions use only some of them.
const STATES: [&str; 8] = [
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "Dead",
    "PrepareEpochFence",
];

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: ListTransactionsRequest,
) -> ListTransactionsResponse {
    let pattern = match pattern(request.transactional_id_pattern.as_deref().unwrap_or_default()) {
        Ok(pattern) => pattern,
        Err(error_code) => return ListTransactionsResponse::from(error_code),
    };
    let asks_for_states = !request.state_filters.is_empty();
    let (states, unknown_state_filters): (Vec<String>, Vec<String>) = request
        .state_filters
        .into_iter()
        .partition(|state| STATES.contains(&state.as_str()));
    let mut response = ListTransactionsResponse {
        unknown_state_filters,
        ..Default::default()
    };
    if asks_for_states && states.is_empty() {
        return response;
    }
    if !BrokerView::of(&context, &caller).is_coordinated_by(context.node.node_id) {
        return response;
    }
    let rpc = proto::ListTransactionsRequest {
        states,
        producer_ids: request.producer_id_filters,
        min_duration_ms: request.duration_filter,
    };
    let answer = match context.metadata.list_transactions(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer,
        Err(error) => {
            return ListTransactionsResponse::from(failure::coordinator_error(ApiKey::ListTransactions, &error));
        }
    };
    let access = context.access(&caller);
    let matches = |id: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(id));
    let may_see = |id: &str| access.shows(Operation::Describe, Resource::transactional_id(id));
    let listed = answer.transactions.into_iter();
    response.transaction_states = listed
        .filter(|listed| matches(&listed.transactional_id) && may_see(&listed.transactional_id))
        .map(|listed| ListedTransaction {
            transactional_id: listed.transactional_id,
            producer_id: listed.producer_id,
            transaction_state: listed.state,
        })
        .collect();
    response
}

/// Returns `None` for an empty pattern, which all ids match. Other patterns must match the whole id.
fn pattern(pattern: &str) -> Result<Option<Regex>, ErrorCode> {
    if pattern.is_empty() {
        return Ok(None);
    }
    let whole = Regex::new(&format!("^(?:{pattern})$"));
    whole.map(Some).map_err(|_| ErrorCode::INVALID_REGULAR_EXPRESSION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    fn agent() -> TestAgent {
        let agent = TestAgent::new();
        let listed = |transactional_id: &str| proto::DescribedTransaction {
            transactional_id: transactional_id.to_owned(),
            state: "Ongoing".to_owned(),
            ..Default::default()
        };
        let listed = proto::ListTransactionsResponse {
            transactions: vec![listed("orders-1"), listed("orders-2"), listed("payments")],
        };
        agent.metadata.answer("ListTransactions", &listed);
        agent
    }

    fn ids(answer: &ListTransactionsResponse) -> Vec<&str> {
        let states = answer.transaction_states.iter();
        states.map(|state| state.transactional_id.as_str()).collect()
    }

    #[tokio::test]
    async fn filters_go_to_the_owner_and_unknown_states_are_returned() {
        let agent = agent();
        let request = ListTransactionsRequest {
            state_filters: vec!["Ongoing".to_owned(), "Sleeping".to_owned()],
            producer_id_filters: vec![9],
            duration_filter: 1_000,
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(1), request).await;
        assert_eq!(answer.unknown_state_filters, ["Sleeping"]);
        assert_eq!(ids(&answer), ["orders-1", "orders-2", "payments"]);
        let asked = agent
            .metadata
            .requests::<proto::ListTransactionsRequest>("ListTransactions")
            .remove(0);
        assert_eq!(
            (asked.states, asked.producer_ids),
            (vec!["Ongoing".to_owned()], vec![9])
        );
        assert_eq!(asked.min_duration_ms, 1_000);
    }

    #[tokio::test]
    async fn only_the_coordinator_lists_transactions() {
        let agent = agent();
        let [own, other] = agent.with_peer();
        let request = |client| handle(agent.context(), client, ListTransactionsRequest::default());
        assert!(request(other).await.transaction_states.is_empty());
        assert_eq!(ids(&request(own).await), ["orders-1", "orders-2", "payments"]);
    }

    #[tokio::test]
    async fn only_unknown_states_find_nothing() {
        let request = ListTransactionsRequest {
            state_filters: vec!["Sleeping".to_owned()],
            ..Default::default()
        };
        let answer = handle(agent().context(), caller(1), request).await;
        assert!(answer.error_code.is_none() && answer.transaction_states.is_empty());
    }

    #[tokio::test]
    async fn a_pattern_must_match_the_whole_id() {
        for (pattern, expected) in [
            ("orders-.*", vec!["orders-1", "orders-2"]),
            ("orders|payments", vec!["payments"]),
            ("", vec!["orders-1", "orders-2", "payments"]),
        ] {
            let request = ListTransactionsRequest {
                transactional_id_pattern: Some(pattern.to_owned()),
                ..Default::default()
            };
            let answer = handle(agent().context(), caller(2), request).await;
            assert_eq!(ids(&answer), expected, "{pattern}");
        }
        let broken = ListTransactionsRequest {
            transactional_id_pattern: Some("(".to_owned()),
            ..Default::default()
        };
        let answer = handle(agent().context(), caller(2), broken).await;
        assert_eq!(answer.error_code, ErrorCode::INVALID_REGULAR_EXPRESSION);
    }
}
