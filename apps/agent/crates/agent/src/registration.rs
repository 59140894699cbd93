//! Registers the agent with the metadata service. Retries while the service is unavailable, and fails if it refuses.

use std::sync::Arc;
use std::time::Duration;

use penstock_metadata_client::{Metadata, RpcError, proto};

use crate::readiness::Readiness;

/// How long the retries of one call take before the log names the reason.
const TIMEOUT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_secs(1);
/// Pause while an operator has to confirm the address.
const CONFIRMATION_PAUSE: Duration = Duration::from_secs(2);

/// Registers the agent. Waits as long as it takes for the service, and for someone to confirm the agent's address.
///
/// # Errors
/// Returns an error if the service refuses this agent: wrong key, wrong cluster, an address that the key may not
/// register, or a bucket other than the cluster's.
pub(crate) async fn register(
    metadata: &Arc<dyn Metadata>,
    request: &proto::RegisterAgentRequest,
    readiness: &Readiness,
) -> Result<proto::RegisterAgentResponse, RpcError> {
    loop {
        match metadata.register_agent(request.clone(), TIMEOUT).await {
            Ok(response) => {
                readiness.set_refused(None);
                return Ok(response);
            }
            Err(error @ RpcError::AddressUnconfirmed(_)) => {
                tracing::warn!(%error, "no clients are sent to this agent yet");
                readiness.set_refused(Some(error.to_string()));
                tokio::time::sleep(CONFIRMATION_PAUSE).await;
            }
            Err(error) if error.is_retriable() => {
                tracing::warn!(%error, "waiting for the metadata service");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}
