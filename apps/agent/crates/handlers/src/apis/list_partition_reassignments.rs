//! ListPartitionReassignments: returns none, because partitions never move.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_wire::messages::{ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse};

use crate::context::{Caller, Context};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    _: ListPartitionReassignmentsRequest,
) -> ListPartitionReassignmentsResponse {
    match context.access(&caller).check(Operation::Describe, Resource::CLUSTER) {
        Ok(()) => ListPartitionReassignmentsResponse::default(),
        Err(error_code) => (
            error_code,
            "the client is not authorized to list reassignments".to_owned(),
        )
            .into(),
    }
}
