//! Registers the agent with the metadata service. Retries while the service is unavailable, and gives up when it refuses.

use std::sync::Arc;
use std::time::Duration;

use penstock_metadata_client::{Metadata, RpcError, proto};

/// One call tries several times; after this, the log says what it waits for.
const TIMEOUT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_secs(1);

/// Registers, waiting for the service as long as it takes.
///
/// # Errors
/// The service refuses this agent: wrong key, wrong cluster, or a bucket other than the cluster's.
pub(crate) async fn register(
    metadata: &Arc<dyn Metadata>,
    request: &proto::RegisterAgentRequest,
) -> Result<proto::RegisterAgentResponse, RpcError> {
    loop {
        match metadata.register_agent(request.clone(), TIMEOUT).await {
            Ok(response) => return Ok(response),
            Err(error) if error.is_retriable() => {
                tracing::warn!(%error, "waiting for the metadata service");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}
