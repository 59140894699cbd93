//! Heartbeat: keeps a group member alive.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::ApiKey;
use penstock_wire::messages::{HeartbeatRequest, HeartbeatResponse};

use crate::context::{Caller, Context};
use crate::conversions::failure;

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: HeartbeatRequest) -> HeartbeatResponse {
    let group = Resource::group(&request.group_id);
    if let Err(error_code) = context.access(&caller).check(Operation::Read, group) {
        return HeartbeatResponse::from(error_code);
    }
    let rpc = proto::GroupHeartbeatRequest {
        group_id: request.group_id,
        generation_id: request.generation_id,
        member_id: request.member_id,
        group_instance_id: request.group_instance_id,
    };
    let error_code = match context.metadata.group_heartbeat(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => failure::code(answer.error_code),
        Err(error) => failure::coordinator_error(ApiKey::Heartbeat, &error),
    };
    HeartbeatResponse::from(error_code)
}
