//! Registers the agent with the metadata service. Retries while the service is unavailable, and gives up when it refuses.

use std::sync::Arc;
use std::time::Duration;

use penstock_metadata_client::{Metadata, RpcError, proto};

use crate::readiness::Readiness;

/// One call tries several times; after this, the log says what it waits for.
const TIMEOUT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_secs(1);
/// A person confirms the address.
const CONFIRMATION_PAUSE: Duration = Duration::from_secs(2);

/// Registers, waiting for the service as long as it takes, and for somebody to confirm the agent's address.
///
/// # Errors
/// The service refuses this agent: wrong key, wrong cluster, an address that the key may not register, or a bucket other than the
/// cluster's.
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
